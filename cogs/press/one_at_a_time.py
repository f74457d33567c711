"""What takes long is done once at a time for each person, whether a command or a button asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from cogs.press.reply import Press
from matches.api import Busy


class Long(StrEnum):
    """What takes long, or must not be begun twice, as it is called in a sentence."""

    HINT = "a hint"
    ANIMATION = "an animation"
    REPLAY = "a step of a replay"
    REMATCH = "a rematch"
    RESULTS = "the results"
    POST = "a post"
    TABLES = "the list of tables"
    DATA = "your data"


@contextmanager
def one_at_a_time(press: Press, what: Long) -> Iterator[None]:
    """Around long work for whoever asks. Raises Busy while the same is being done for this person."""
    doing, mine = press.bot.doing, (press.person, what)
    if mine in doing:
        raise Busy(f"You already have {what} on the way. Please wait for it.")
    doing.add(mine)
    try:
        yield
    finally:
        doing.remove(mine)
