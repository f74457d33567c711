"""Whom the players of a match have said they suspect. Everybody may read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from db.model.columns import table
from db.model.kept import Kept
from db.model.rows import OfMatch
from db.model.schema import metadata


@dataclass(frozen=True)
class Words:
    """The words of all players, in order, as `matches.suspicions.talk` writes them: each begins with its seat."""

    suspicions: tuple[str, ...] = ()


_suspicions: Final = table(metadata, "suspicions", (OfMatch, Words), ("match_id",))


def _own(row: dict[str, Any], seat: int | None) -> dict[str, Any]:
    """Return the words of one seat."""
    said = row["suspicions"] or ()
    return {"suspicions": [text for text in said if text.split(" ")[0] == str(seat)]}


KEPT: Final = Kept(
    "suspicions",
    _suspicions,
    "Who you said you suspect in a match, as long as its moves.",
    shown=Words,
    own=_own,
    with_lines=True,
)
