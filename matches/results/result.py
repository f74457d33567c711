"""A rated result: who began the match, and their ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final, NamedTuple, TypeAlias

from games.core import Part

Seats: TypeAlias = Sequence[Mapping[str, Any]]
"""The entrants of a result, as they are stored."""


AVERAGE: Final = 1500.0
"""The strength of somebody of whom nothing is known, on the scale of `Host.strength`."""


class Entrant(NamedTuple):
    """A player who began a match, and their rank: `place` 1 is the first, and equals share a place.

    A person has their `key` on the server, a computer its `level` and which `edition` of the levels it was. `helped`:
    they can't gain by the result. `parts` are the rounds of a game with roles, if they have played to the end.
    `absent`: the match ended because this player was absent, so the others are rated against them alone. `spared`: the
    players, by their place in the result from 0, to whom this one loses nothing, because they had help.
    """

    place: int
    key: str | None = None
    level: str | None = None
    helped: bool = False
    parts: tuple[Part, ...] = ()
    absent: bool = False
    spared: tuple[int, ...] = ()
    edition: int = 0


class Result(NamedTuple):
    """A result of a ladder: its number, the UTC day on which the match ended, and its entrants as they are stored."""

    number: int
    day: date
    seats: Seats


def day_of(moment: datetime) -> date:
    """The UTC day of a moment."""
    return moment.astimezone(UTC).date()


def written(entrant: Entrant) -> Mapping[str, Any]:
    """Return the entrant as stored and exported, without default values."""
    fields = entrant._asdict() | {"parts": [list(part) for part in entrant.parts]}
    return {name: value for name, value in fields.items() if value}


def read(seat: Mapping[str, Any]) -> Entrant:
    """The inverse of `written`."""
    get = seat.get
    parts = tuple(Part(name, won) for name, won in seat["parts"]) if "parts" in seat else ()
    flags = get("helped", False), parts, get("absent", False), tuple(get("spared", ())), get("edition", 0)
    return Entrant(seat["place"], get("key"), get("level"), *flags)
