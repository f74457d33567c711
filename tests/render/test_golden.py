"""Golden pictures: how every game looked when somebody last looked at it.

They are compared with a tolerance, because fonts are drawn a little differently from one FreeType to the next. Where
one differs, both are kept in `failed-pictures/`. After a wanted change ``python -m tests.render.test_golden`` draws
them anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import ImageChops, ImageStat

from games import GAMES
from render import RENDERERS, Style, profile
from tests.conformance.matches import LOGS, recorded
from tests.render.looks import LOOKS
from tests.render.pictures import opened
from tests.render.positions import Position
from tests.render.ratings import person, table

GOLDEN = Path(__file__).parent / "golden"
FAILED = Path(__file__).parents[2] / "failed-pictures"
STYLE = Style(600)
MEAN_DIFFERENCE = 1.5
"""Mean difference of the channels, of 255, that is put up with."""


def drawings() -> Iterator[tuple[str, bytes]]:
    """Name and file of every picture: boards on the way and at the end, hands and roles if any, ratings."""
    for key in GAMES:
        states = recorded(LOGS / f"{LOOKS[key].match}.log").states
        midway, end = Position("", states[len(states) * 3 // 7]), Position("", states[-1])
        viewer = max(midway.state.current_player, 0)
        draw, seen = midway.renderer, midway.seen(viewer)
        yield f"{key}-board", draw.draw(midway.seen(), midway.people, (), STYLE)
        yield f"{key}-end", draw.draw(end.seen(), end.people, (), STYLE)
        for kind, data in (
            ("hand", draw.draw_hand(seen, midway.people, STYLE)),
            ("role", draw.draw_role(seen, midway.people, STYLE)),
        ):
            if data is not None:
                yield f"{key}-{kind}", data
    yield "leaderboard", RENDERERS["ambush"].draw_leaderboard(table(first=11), "Ambush", STYLE)
    yield "profile", profile.draw(person(matches=60), {key: RENDERERS[key].emblem for key in GAMES}, STYLE)


DRAWINGS = dict(drawings())


@pytest.mark.parametrize("name", DRAWINGS)
def test_pictures_look_as_they_did(name: str) -> None:
    path = GOLDEN / f"{name}.png"
    now, before = opened(DRAWINGS[name]).convert("RGB"), opened(path.read_bytes()).convert("RGB")
    same_size = now.size == before.size
    difference = max(ImageStat.Stat(ImageChops.difference(now, before)).mean) if same_size else 255.0
    if difference > MEAN_DIFFERENCE:
        FAILED.mkdir(exist_ok=True)
        (FAILED / f"{name}-now.png").write_bytes(DRAWINGS[name])
        (FAILED / f"{name}-before.png").write_bytes(path.read_bytes())
    assert difference <= MEAN_DIFFERENCE, f"{name} differs by {difference:.1f}; both are in {FAILED.name}/"


def test_there_is_no_golden_picture_that_nothing_draws() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == set(DRAWINGS)


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, data in DRAWINGS.items():
        (GOLDEN / f"{name}.png").write_bytes(data)
