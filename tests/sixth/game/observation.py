"""What one viewer of a match of Cairn may see."""

from __future__ import annotations

from dataclasses import dataclass

from games.core import Observation


@dataclass(frozen=True)
class CairnObservation(Observation):
    """The cairns for everybody, the own token, and all tokens once the match is over.

    `most` is how many stones one may take at a time. By cairn: `stones` that are left, `owners` who has taken the last
    one. By seat: `taken`, the stones, and `scores`, the points, those for tokens only after the end. `token` is the
    viewer's own, ``None`` for a spectator and before the deal; `tokens` are all, ``None`` until the end.
    """

    most: int
    stones: tuple[int, ...]
    owners: tuple[int | None, ...]
    taken: tuple[int, ...]
    scores: tuple[int, ...]
    token: str | None
    tokens: tuple[str, ...] | None
