"""Animations: every frame is the picture, pixel by pixel, and only what has changed is written."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from PIL import Image

from games.core import CHANCE, Observation
from render import RENDERERS, Style, gif
from render.canvas import Canvas
from render.palette import shade
from tests.conformance.matches import LOGS, played, recorded
from tests.conformance.policies import POLICIES, Policy
from tests.render.pictures import opened
from tests.render.positions import LARGEST, NAMES
from tests.slowness import some_slow

MAX_SECONDS = 5


def boards(states: tuple[Any, ...]) -> list[Observation]:
    """A spectator's view whenever somebody has to move."""
    return [state.observation(None) for state in states if state.current_player != CHANCE]


def frames(data: bytes) -> Iterator[tuple[Image.Image, int]]:
    """Every frame of a GIF as it is seen, with its milliseconds."""
    with Image.open(io.BytesIO(data)) as image:
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            yield image.convert("RGB"), image.info["duration"]


def plain(colour: float, height: int = 30, spot: int | None = None) -> Canvas:
    canvas = Canvas(40, height, shade("sea", colour))
    if spot is not None:
        canvas.fill(spot, 5, spot + 4, 9, shade("gold", 0.8))
    return canvas


LONGEST = {
    key: max(LOGS.glob(f"{key}-*.log"), key=lambda path: len(path.read_text().splitlines())) for key in RENDERERS
}
"""For every game the recorded match with the most lines."""


def assert_frames_are_pictures(key: str, seen: list[Observation], people: tuple[str, ...]) -> None:
    """Frame n is the picture of ply n. A picture equal to the one before only prolongs that one."""
    draw = RENDERERS[key]
    data = draw.animate(seen, people)
    with Image.open(io.BytesIO(data)) as image:
        style = Style(image.width)
    shown = frames(data)
    frame, before = None, b""
    for each in seen:
        picture = opened(draw.paint_frame(each, people, style).png()).convert("RGB")
        if picture.tobytes() != before:
            frame, _ = next(shown)
            before = picture.tobytes()
        assert frame is not None
        assert frame.crop((0, 0, *picture.size)).tobytes() == before
    assert next(shown, None) is None


@pytest.mark.parametrize(
    "path", some_slow(LONGEST.values(), LONGEST["ambagibus"], LONGEST["saboteur"]), ids=lambda path: path.stem
)
def test_every_frame_is_the_picture_of_its_ply(path: Path) -> None:
    match = recorded(path)
    people = NAMES[: match.header.players]
    assert_frames_are_pictures(match.info.key, boards(match.states)[-12:], people)
    everything = [state.open_observation() for state in match.states if state.current_player != CHANCE]
    assert_frames_are_pictures(match.info.key, everything[-6:], people)


@pytest.mark.soak
@pytest.mark.parametrize("path", LONGEST.values(), ids=lambda path: path.stem)
def test_every_frame_of_a_whole_match_is_the_picture_of_its_ply(path: Path) -> None:
    match = recorded(path)
    assert_frames_are_pictures(match.info.key, boards(match.states), NAMES[: match.header.players])


def test_a_frame_that_is_like_the_one_before_makes_that_one_last_longer() -> None:
    spots = [3, 3, 20, 20, 20, 3]
    data = gif.animated([gif.Frame(lambda spot=spot: plain(0.5, spot=spot), 50) for spot in spots])
    assert [duration for _, duration in frames(data)] == [1000, 1500, 500]


def test_only_the_changed_rectangle_is_written() -> None:
    once = gif.animated([gif.Frame(lambda: plain(0.5), 50)])
    twice = gif.animated([gif.Frame(lambda: plain(0.5), 50), gif.Frame(lambda: plain(0.5, spot=7), 50)])
    with Image.open(io.BytesIO(twice)) as image:
        image.seek(1)
        assert image.tile[0][1] == (7, 5, 11, 9)
    assert len(twice) - len(once) < 50


def test_a_lower_picture_stands_at_the_top_on_its_own_ground() -> None:
    data = gif.animated([gif.Frame(lambda: plain(0.2, 30), 50), gif.Frame(lambda: plain(0.8, 50), 50)])
    (first, _), (second, _) = frames(data)
    assert first.size == second.size == (40, 50)
    assert first.getcolors() == [(40 * 50, shade("sea", 0.2))]
    assert second.getcolors() == [(40 * 50, shade("sea", 0.8))]


def test_drawing_stops_when_nobody_waits_for_it() -> None:
    painted: list[int] = []

    def paint() -> Canvas:
        painted.append(1)
        return plain(0.5)

    with pytest.raises(gif.Stopped):
        gif.animated([gif.Frame(paint, 50)] * 100, lambda: len(painted) >= 3)
    assert len(painted) == 3


def test_it_is_given_up_as_soon_as_it_is_too_large() -> None:
    painted: list[int] = []

    def paint() -> Canvas:
        painted.append(1)
        return plain(0.5, spot=len(painted) % 30)

    with pytest.raises(gif.TooLarge):
        gif.animated([gif.Frame(paint, 50)] * 40, most=1200)
    assert 40 < len(painted) < 80


def test_a_match_that_takes_too_many_bytes_is_drawn_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = boards(recorded(LOGS / "gambo-sacrifices.log").states)[:6]
    data = RENDERERS["gambo"].animate(seen, NAMES[:2])
    widths = []
    while len(widths) < 3:
        with Image.open(io.BytesIO(data)) as image:
            widths.append(image.width)
        monkeypatch.setattr(gif, "MAX_BYTES", len(data) - 1)
        data = RENDERERS["gambo"].animate(seen, NAMES[:2])
    assert widths == [1200, 900, 600]


def test_no_frame_is_no_animation() -> None:
    with pytest.raises(ValueError, match="at least one"):
        gif.animated([])


@pytest.mark.parametrize("count", [1, 2, gif.MAX_FRAMES, gif.MAX_FRAMES + 1, 25_000])
def test_of_a_long_match_some_pictures_are_shown_evenly_and_the_ends_always(count: int) -> None:
    numbers = list(gif.chosen(count))
    assert len(numbers) == min(count, gif.MAX_FRAMES)
    assert (numbers[0], numbers[-1]) == (0, count - 1)
    steps = {after - before for before, after in pairwise(numbers)}
    assert not steps or max(steps) - min(steps) <= 1
    assert min(steps, default=1) >= 1


@pytest.mark.parametrize("count", [1, 30, 200, gif.MAX_FRAMES])
def test_a_person_can_follow(count: int) -> None:
    *most, last = gif.delays(count)
    assert len(most) == count - 1
    assert all(60 <= delay <= 140 for delay in most)
    assert last >= 300


def assert_within_limits(seen: list[Observation], key: str, players: int, width: int = Style().width) -> None:
    begun = process_time()
    data = RENDERERS[key].animate(seen, NAMES[:players])
    assert process_time() - begun <= MAX_SECONDS
    assert len(data) <= gif.MAX_BYTES
    with Image.open(io.BytesIO(data)) as image:
        assert image.width >= width


@pytest.mark.soak
@pytest.mark.parametrize("path", LONGEST.values(), ids=lambda path: path.stem)
def test_the_longest_recorded_match_keeps_to_bytes_and_seconds(path: Path) -> None:
    match = recorded(path)
    assert_within_limits(boards(match.states), match.info.key, match.header.players)


@pytest.mark.soak
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("key", LARGEST)
def test_a_long_match_of_many_keeps_to_bytes_and_seconds(key: str, policy: Policy) -> None:
    longest = max((played(LARGEST[key], policy, seed) for seed in range(4)), key=lambda match: len(match.lines))
    players = longest.header.players
    everything = [state.open_observation() for state in longest.states if state.current_player != CHANCE]
    for seen in (boards(longest.states), everything):
        assert_within_limits([seen[number] for number in gif.chosen(len(seen))], key, players, 900)
