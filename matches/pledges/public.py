"""What everybody on a server is told about pledges: for each game one word, without names.

Only numbers, wished sizes and places count. Nobody's list, rating, quiet hours or answers do, so none of these can be
read from the word. Pledges are counted anew once an hour, so nobody sees who has just pledged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from games import GAMES
from matches.pledges.pledge import Pledge

EACH: Final = timedelta(hours=1)
"""How often pledges are counted anew."""

SOME: Final = 2
MANY: Final = 4


class Wanted(StrEnum):
    """How many people would play a game: two or three, at least four, or enough for a table."""

    SOME = "some"
    MANY = "4 or more"
    ENOUGH = "enough"


class Count(NamedTuple):
    """How many would play a game. `place`: only people who see this channel are told so (0: everybody)."""

    game: str
    place: int
    wanted: Wanted


def counted(pledges: Collection[Pledge], now: datetime) -> tuple[Count, ...]:
    """Return what can be told about these pledges, in the order of games. A game with one pledge is left out."""
    here: dict[tuple[int, str], list[Pledge]] = defaultdict(list)
    for each in pledges:
        if now < each.until:
            here[each.place, each.game].append(each)
    places = sorted({place for place, _ in here})
    keys = ((game, place) for game in GAMES for place in places if (place, game) in here)
    found = (Count(game, place, wanted) for game, place in keys if (wanted := _wanted(here[place, game])) is not None)
    return tuple(found)


def _wanted(pledges: list[Pledge]) -> Wanted | None:
    if len(pledges) < SOME:
        return None
    sizes = range(2, 1 + min(len(pledges), max(each.most for each in pledges)))
    if any(sum(each.fewest <= size <= each.most for each in pledges) >= size for size in sizes):
        return Wanted.ENOUGH
    return Wanted.MANY if len(pledges) >= MANY else Wanted.SOME


def is_due(counted_at: datetime | None, now: datetime) -> bool:
    """Whether the numbers are an hour old. A clock that was set back makes them old, too."""
    return counted_at is None or not timedelta(0) <= now - counted_at < EACH


def to_texts(counts: Collection[Count]) -> tuple[str, ...]:
    """Return the counts as they are stored."""
    return tuple(f"{count.game} {count.place} {count.wanted}" for count in counts)


def from_texts(texts: Collection[str]) -> tuple[Count, ...]:
    """Return the counts that are stored, without those of games that this program doesn't have."""
    found = (text.split(" ", 2) for text in texts)
    return tuple(Count(game, int(place), Wanted(wanted)) for game, place, wanted in found if game in GAMES)
