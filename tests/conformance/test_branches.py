"""A match that is played on from another one must always redraw the same: stored matches follow from it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest

from games.core.hashed import HashedRng
from games.log import Branch, Course, parse_log

LOGS: Final = Path(__file__).parents[1] / "logs"
SEED: Final = "00112233445566778899aabbccddeeff"

DRAWN: Final = {
    ("abissal-2-players", 22, 1): "0121d46a26d67ed1",
    ("abissal-2-players", 69, 0): "329232ff7bf0baf7",
    ("abissal-3-players", 41, 1): "9da0720875c201ba",
    ("abissal-3-players", 136, 2): "5311f664a87b6e11",
    ("ambagibus-advanced-4-players-maze-closed", 10, 1): "f605171c98ce79c3",
    ("ambagibus-advanced-4-players-maze-closed", 31, 2): "4cb3bbc9b26a8218",
    ("ambagibus-basic-3-players-all-cards-played", 25, 1): "7877a480b4a83eea",
    ("ambagibus-basic-3-players-all-cards-played", 81, 2): "23f4b60687e0b836",
    ("saboteur-3-players", 40, 1): "a308a89ca6dd9241",
    ("saboteur-3-players", 131, 2): "1d646bc12194994a",
    ("saboteur-3-players", 50, 0): "77c534ad7b89a334",
    ("saboteur-5-players", 34, 1): "6a41de236bf9fa41",
    ("saboteur-5-players", 107, 2): "f858f59742ea2314",
    ("saboteur-5-players", 159, 3): "52c6b1a005045958",
    ("saboteur-7-players", 39, 1): "7e38133e9c8ccbe6",
    ("saboteur-7-players", 129, 2): "833f42f51e55cb0a",
    ("saboteur-7-players", 116, 3): "db81e0be17bc0960",
    ("saboteur-10-players", 44, 1): "6696da7fc0b971db",
    ("saboteur-10-players", 142, 2): "7eacaf4ac6a3959c",
    ("saboteur-10-players", 71, 3): "37cf4ea509ebc961",
    ("ambush-draw", 16, 1): "28205c7cb9c8068c",
    ("gambo-forced-pass", 34, 1): "07f3611555f35afe",
}
"""By golden log, number of lines and seat: the beginning of the hash of the redrawn position.

If one differs, stored matches would change. Whoever changes `resample_from_infostate` on purpose keeps the old way of
drawing as the game's `redrawn`.
"""


def drawn(log: str, ply: int, seat: int) -> str:
    """The beginning of the hash of the position that is redrawn after this many lines of a golden log."""
    header, lines = parse_log((LOGS / f"{log}.log").read_text())
    course = Course.begin(header).through(lines[:ply])
    return sha256(str(Branch(ply, seat, SEED).drawn(course.state)).encode()).hexdigest()[:16]


@pytest.mark.parametrize(("log", "ply", "seat"), DRAWN, ids=str)
def test_the_same_line_draws_the_same_cards_for_ever(log: str, ply: int, seat: int) -> None:
    assert drawn(log, ply, seat) == DRAWN[log, ply, seat]


def test_its_numbers_are_those_of_the_page() -> None:
    """``printf %s "ambit/branch block=0 seed=…" | sha256sum`` gives the first words."""
    rng, digest = (
        HashedRng("ambit/branch block=", f" seed={SEED}"),
        sha256(f"ambit/branch block=0 seed={SEED}".encode()).hexdigest(),
    )
    assert [f"{rng.word():016x}" for _ in range(4)] == [digest[start : start + 16] for start in range(0, 64, 16)]
    following = sha256(f"ambit/branch block=1 seed={SEED}".encode()).hexdigest()
    assert f"{rng.word():016x}" == following[:16]
