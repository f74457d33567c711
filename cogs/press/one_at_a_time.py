"""Long work runs once at a time for each person, whether a command or a button starts it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from cogs.press.reply import Press
from matches.api import Busy


class Long(StrEnum):
    """Work that takes long, or must not start twice, as it is called in a sentence."""

    HINT = "a hint"
    ANIMATION = "an animation"
    REPLAY = "a step of a replay"
    REMATCH = "a rematch"
    RESULTS = "the results"
    POST = "a post"
    TABLES = "the list of tables"
    DATA = "your data"
    TABLE = "a table"


@contextmanager
def one_at_a_time(press: Press, what: Long) -> Iterator[None]:
    """Mark the block as long work for this person. Raises Busy while the same work is under way for them."""
    under_way, mine = press.bot.long_work, (press.person, what)
    if mine in under_way:
        raise Busy(f"You already have {what} on the way. Please wait for it.")
    under_way.add(mine)
    try:
        yield
    finally:
        under_way.remove(mine)
