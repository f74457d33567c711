"""Golden pictures: how every game looked when somebody last checked.

They are compared with a tolerance, because different versions of FreeType draw fonts slightly differently. If one
differs, both are written to `failed-pictures/`. After a wanted change ``python -m tests.render.test_golden`` draws them
again.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PIL import ImageChops, ImageStat

from games import GAMES
from render import RENDERERS, Style, profile
from render import review as outlines
from render.saboteur import suspected as suspicions
from tests.conformance.matches import LOGS, recorded
from tests.render.looks import LOOKS
from tests.render.outlines import outline, rounds
from tests.render.pictures import opened
from tests.render.positions import Position, people
from tests.render.ratings import person, table
from tests.render.stories import scenes_of

GOLDEN = Path(__file__).parent / "golden"
FAILED = Path(__file__).parents[2] / "failed-pictures"
STYLE = Style(600)
MEAN_DIFFERENCE = 1.5
"""The tolerated mean difference of the channels, of 255."""


def midway(key: str) -> Position:
    """A position in the middle of the game's match."""
    states = recorded(LOGS / f"{LOOKS[key].match}.log").states
    return Position("", states[len(states) * 3 // 7])


def board(key: str) -> bytes:
    at = midway(key)
    return at.renderer.draw(at.seen(), at.people, (), STYLE)


def end(key: str) -> bytes:
    return finale(key, "end") or b""


def round_end(key: str) -> bytes | None:
    return finale(key, "round")


def moment(key: str) -> bytes | None:
    return finale(key, "moment")


def finale(key: str, kind: str) -> bytes | None:
    """The first picture of this kind in the game's match."""
    scenes = scenes_of(recorded(LOGS / f"{LOOKS[key].match}.log"))
    scene = next((scene for scene in scenes if scene.kind == kind), None)
    return scene and scene.canvas(people(scene.story.seen.players), STYLE).png(once=True)


def hand(key: str) -> bytes | None:
    at = midway(key)
    return at.renderer.draw_hand(at.seen(max(at.state.current_player, 0)), at.people, STYLE)


def role(key: str) -> bytes | None:
    at = midway(key)
    return at.renderer.draw_role(at.seen(max(at.state.current_player, 0)), at.people, STYLE)


def leaderboard() -> bytes:
    return RENDERERS["ambush"].draw_leaderboard(table(first=11), "Ambush", STYLE)


def one_profile() -> bytes:
    return profile.draw(person(matches=60), {key: RENDERERS[key].emblem for key in GAMES}, STYLE)


def review(players: int) -> bytes:
    draw = RENDERERS["gambo" if players == 2 else "abissal"]
    return outlines.draw(outline(players), draw.mood, draw.emblem, people(players), STYLE)


def suspected(players: int) -> bytes:
    draw = RENDERERS["saboteur"]
    return suspicions.draw(rounds(players), draw.mood, draw.emblem, people(players), STYLE)


DRAWINGS: dict[str, Callable[[], bytes | None]] = {
    **{
        f"{key}-{draw.__name__}": partial(draw, key)
        for key in GAMES
        for draw in (board, end, round_end, moment, hand, role)
    },
    "leaderboard": leaderboard,
    "profile": one_profile,
    **{f"review-{players}": partial(review, players) for players in (2, 3)},
    **{f"review-saboteur-{players}": partial(suspected, players) for players in (4, 10)},
}
"""What draws each picture, by its name; nothing if the game has no such picture."""


@pytest.mark.parametrize("name", DRAWINGS)
def test_pictures_look_as_they_did(name: str) -> None:
    path, data = GOLDEN / f"{name}.png", DRAWINGS[name]()
    assert path.exists() is (data is not None)
    if data is None:
        return
    now, before = opened(data).convert("RGB"), opened(path.read_bytes()).convert("RGB")
    same_size = now.size == before.size
    difference = max(ImageStat.Stat(ImageChops.difference(now, before)).mean) if same_size else 255.0
    if difference > MEAN_DIFFERENCE:
        FAILED.mkdir(exist_ok=True)
        (FAILED / f"{name}-now.png").write_bytes(data)
        (FAILED / f"{name}-before.png").write_bytes(path.read_bytes())
    assert difference <= MEAN_DIFFERENCE, f"{name} differs by {difference:.1f}; both are in {FAILED.name}/"


def test_there_is_no_golden_picture_that_nothing_draws() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} <= set(DRAWINGS)


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, draw in DRAWINGS.items():
        if (data := draw()) is not None:
            (GOLDEN / f"{name}.png").write_bytes(data)
