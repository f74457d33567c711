"""A result that is rated: who began the match, and in which order it left them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from games.core import Part


class Entrant(NamedTuple):
    """Who began a match, and where it left them: `place` 1 is the first, and equals share one.

    A person goes by their `key` on the server, a computer by its `level`. Who was `helped` cannot gain by the result.
    `parts` are the rounds of a game with roles, for who has played to the end. `absent`: the match ended because this
    player was absent, so the others are rated against them alone.
    """

    place: int
    key: str | None = None
    level: str | None = None
    helped: bool = False
    parts: tuple[Part, ...] = ()
    absent: bool = False


def written(entrant: Entrant) -> Mapping[str, Any]:
    """The entrant as it is stored, and stands in a file of results; what says nothing is left out."""
    fields = entrant._asdict() | {"parts": [list(part) for part in entrant.parts]}
    return {name: value for name, value in fields.items() if value}


def read(seat: Mapping[str, Any]) -> Entrant:
    """The inverse of `written`."""
    parts = tuple(Part(name, won) for name, won in seat["parts"]) if "parts" in seat else ()
    helped, absent = seat.get("helped", False), seat.get("absent", False)
    return Entrant(seat["place"], seat.get("key"), seat.get("level"), helped, parts, absent)
