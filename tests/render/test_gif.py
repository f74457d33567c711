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
from tests.conformance.matches import LOGS, SETUPS, played, recorded
from tests.conformance.policies import random_play
from tests.render.pictures import opened
from tests.render.positions import NAMES

MAX_SECONDS = 5


def boards(states: tuple[Any, ...]) -> list[Observation]:
    """What a spectator sees wherever somebody is waited for."""
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


@pytest.mark.parametrize("name", ["ambush-draw", "gambo-sacrifices", "ambagibus-basic-2-players-maze-closed"])
def test_every_frame_is_the_picture_of_its_ply(name: str) -> None:
    match = recorded(LOGS / f"{name}.log")
    draw, seen = RENDERERS[match.info.key], boards(match.states)[:20]
    people = NAMES[: match.header.players]
    pictures = [opened(draw.draw(each, people)).convert("RGB") for each in seen]
    shown = list(frames(draw.animate(seen, people)))
    assert len(shown) == len(pictures)
    for (frame, _), picture in zip(shown, pictures, strict=True):
        assert frame.crop((0, 0, *picture.size)).tobytes() == picture.tobytes()


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


def assert_within_limits(states: tuple[Any, ...], key: str, players: int) -> None:
    seen, begun = boards(states), process_time()
    data = RENDERERS[key].animate(seen, NAMES[:players])
    assert process_time() - begun <= MAX_SECONDS
    assert len(data) <= gif.MAX_BYTES
    with Image.open(io.BytesIO(data)) as image:
        assert image.width == Style().width


LONGEST = {key: max(LOGS.glob(f"{key}-*.log"), key=lambda path: path.stat().st_size) for key in RENDERERS}


@pytest.mark.soak
@pytest.mark.parametrize("path", LONGEST.values(), ids=lambda path: path.stem)
def test_the_longest_recorded_match_keeps_to_bytes_and_seconds(path: Path) -> None:
    match = recorded(path)
    assert_within_limits(match.states, match.info.key, match.header.players)


@pytest.mark.soak
def test_a_random_match_of_ten_keeps_to_bytes_and_seconds() -> None:
    setup = next(setup for setup in SETUPS if setup.key == "saboteur" and setup.players == 10)
    longest = max((played(setup, random_play, seed) for seed in range(5)), key=lambda match: len(match.lines))
    assert_within_limits(longest.states, "saboteur", 10)
