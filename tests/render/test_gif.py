"""Animations: every frame is the picture, pixel by pixel, and only what has changed is written."""

import io
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from benchmarks.measure import quiet_seconds
from games.log import TABLE, Beat, Line, beats
from render import RENDERERS, Style, gif
from render.canvas import Canvas
from render.palette import shade
from render.story import End, Passed, Story
from tests.conformance.matches import LOGS, Match, played, recorded
from tests.conformance.policies import POLICIES, Policy
from tests.render.pictures import opened
from tests.render.positions import LARGEST, NAMES

MAX_SECONDS = 5
"""The most CPU seconds on a quiet machine."""


def whole(match: Match, *, everything: bool = False) -> list[Beat]:
    """The match as an animation needs it."""
    return [*beats(match.header, match.log(), everything=everything)]


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


def assert_frames_are_pictures(key: str, seen: list[Beat], people: tuple[str, ...]) -> None:
    """Every frame is the picture of its shot. A picture equal to the one before only prolongs that one."""
    draw = RENDERERS[key]
    data = draw.animate(seen, people)
    with Image.open(io.BytesIO(data)) as image:
        style = Style(image.width)
    shown = frames(data)
    frame, before = None, b""
    for shot in draw.shots(seen, people):
        picture = opened(shot.paint(style).png()).convert("RGB")
        if picture.tobytes() != before:
            frame, _ = next(shown)
            before = picture.tobytes()
        assert frame.crop((0, 0, *picture.size)).tobytes() == before
    assert next(shown, None) is None


@pytest.mark.parametrize("path", LONGEST.values(), ids=lambda path: path.stem)
def test_every_frame_is_the_picture_of_its_ply(path: Path) -> None:
    match = recorded(path)
    people = NAMES[: match.header.players]
    assert_frames_are_pictures(match.info.key, whole(match)[-12:], people)
    assert_frames_are_pictures(match.info.key, whole(match, everything=True)[-6:], people)


@pytest.mark.soak
@pytest.mark.parametrize("path", LONGEST.values(), ids=lambda path: path.stem)
def test_every_frame_of_a_whole_match_is_the_picture_of_its_ply(path: Path) -> None:
    match = recorded(path)
    assert_frames_are_pictures(match.info.key, whole(match), NAMES[: match.header.players])


@pytest.mark.parametrize("path", LONGEST.values(), ids=lambda path: path.stem)
def test_an_animation_stops_at_big_moments_at_the_ends_of_rounds_and_at_the_end(path: Path) -> None:
    match = recorded(path)
    key, people = match.info.key, NAMES[: match.header.players]
    some = whole(match)
    draw, style = RENDERERS[key], Style(600)
    shots = draw.shots(some, people)
    public = [Passed(beat.public_line, beat.seen) for beat in some]
    rounds = match.states[-1].rounds_over
    boards = [beat.seen for number, beat in enumerate(some) if beat.waits and not beat.round_over] + [some[-1].seen]
    captions = [draw.moment(before.observation, after) for before, after in pairwise(public)]
    moments = len([caption for caption in captions if caption])
    assert len(shots) == len({id(seen) for seen in boards}) + max(rounds - 1, 0) + 1
    assert 1 + max(rounds - 1, 0) <= sum(shot.stop for shot in shots) <= 1 + max(rounds - 1, 0) + moments
    assert (sum(shot.stop for shot in shots) > max(rounds, 1)) is (moments > 0)
    last = draw.paint_match_end(Story(tuple(public), draw.ended(some[-1].seen)), people, style)
    assert shots[-1].paint(style).image.size == last.image.size


def test_a_match_that_people_ended_ends_with_what_they_decided() -> None:
    some = whole(recorded(LOGS / "gambo-sacrifices.log"))[:9]
    draw, end = RENDERERS["gambo"], End((1,), "{1} wins: {0} has resigned.", by_rules=False)
    without, shots = draw.shots(some, NAMES[:2]), draw.shots(some, NAMES[:2], end)
    assert len(shots) == len(without) + 1
    written = " ".join(placed.text for placed in shots[-1].paint(Style()).labels)
    assert "has resigned." in written
    assert "has resigned." not in " ".join(placed.text for placed in without[-1].paint(Style()).labels)


def test_moves_that_were_taken_back_are_not_shown() -> None:
    match = recorded(LOGS / "gambo-sacrifices.log")
    lines = match.log()[:8]
    undone = [*lines, Line(8, TABLE, "undo 6"), *(line._replace(ply=line.ply + 3) for line in lines[6:])]
    assert [*beats(match.header, undone)] == [*beats(match.header, lines)]


def test_a_frame_that_is_like_the_one_before_makes_that_one_last_longer() -> None:
    spots = [3, 3, 20, 20, 20, 3]
    data = gif.animated([gif.Frame(partial(plain, 0.5, spot=spot), 50) for spot in spots])
    assert [duration for _, duration in frames(data)] == [1000, 1500, 500]


def test_only_the_changed_rectangle_is_written() -> None:
    once = gif.animated([gif.Frame(lambda: plain(0.5), 50)])
    twice = gif.animated([gif.Frame(lambda: plain(0.5), 50), gif.Frame(lambda: plain(0.5, spot=7), 50)])
    with Image.open(io.BytesIO(twice)) as image:
        image.seek(1)
        assert image.tile[0][1] == (7, 5, 11, 9)
    assert len(twice) - len(once) < 50


def test_only_long_runs_of_unchanged_pixels_become_transparent() -> None:
    mask = Image.new("L", (60, 1))
    mask.paste(255, (5, 0, 5 + gif._RUN - 1, 1))
    mask.paste(255, (30, 0, 30 + gif._RUN, 1))
    assert gif._runs(mask).getbbox() == (30, 0, 30 + gif._RUN, 1)


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
    seen = whole(recorded(LOGS / "gambo-sacrifices.log"))[:6]
    data = RENDERERS["gambo"].animate(seen, NAMES[:2])
    widths = list[int]()
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
    numbers = gif.chosen([False] * count)
    assert len(numbers) == min(count, gif.MAX_FRAMES)
    assert (numbers[0], numbers[-1]) == (0, count - 1)
    steps = {after - before for before, after in pairwise(numbers)}
    assert not steps or max(steps) - min(steps) <= 1
    assert min(steps, default=1) >= 1


@pytest.mark.parametrize("every", [3, 50])
def test_of_a_long_match_what_to_stop_at_is_shown_before_other_pictures(every: int) -> None:
    stops = [number % every == 0 for number in range(1000)]
    numbers = gif.chosen(stops)
    assert numbers == sorted(set(numbers))
    assert len(numbers) == gif.MAX_FRAMES
    assert numbers[-1] == 999
    held = sum(stops[number] for number in numbers)
    assert held == min(sum(stops), gif.MAX_FRAMES // 2)


@pytest.mark.parametrize("count", [1, 30, 200, gif.MAX_FRAMES])
def test_a_person_can_follow(count: int) -> None:
    *most, last = gif.delays([number % 5 == 0 for number in range(count)])
    assert len(most) == count - 1
    assert all(60 <= delay <= 140 for number, delay in enumerate(most) if number % 5)
    assert all(delay >= 300 for delay in (*most[::5], last))


def assert_within_limits(seen: list[Beat], key: str, players: int, width: int = Style().width) -> None:
    made = list[bytes]()
    # A busy machine can slow one run more than the yardstick before and after it, but hardly three.
    animate = partial(RENDERERS[key].animate, seen, NAMES[:players])
    assert any(quiet_seconds(lambda: made.append(animate())) <= MAX_SECONDS for _ in range(3))
    data = made[0]
    assert len(data) <= gif.MAX_BYTES
    with Image.open(io.BytesIO(data)) as image:
        assert image.width >= width


@pytest.mark.soak
@pytest.mark.parametrize("path", LONGEST.values(), ids=lambda path: path.stem)
def test_the_longest_recorded_match_keeps_to_bytes_and_seconds(path: Path) -> None:
    match = recorded(path)
    assert_within_limits(whole(match), match.info.key, match.header.players)


@pytest.mark.soak
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("key", LARGEST)
def test_a_long_match_of_many_keeps_to_bytes_and_seconds(key: str, policy: Policy) -> None:
    longest = max((played(LARGEST[key], policy, seed) for seed in range(4)), key=lambda match: len(match.lines))
    players = longest.header.players
    for everything in (False, True):
        assert_within_limits(whole(longest, everything=everything), key, players, 900)
