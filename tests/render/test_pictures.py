"""What is true of every picture of every game: sizes, bytes, secrets, marks, and uncovered, uncut text."""

import sys
from random import Random
from statistics import median
from typing import Any

import pytest

from benchmarks.render import NAMES
from games import GAMES
from games.gambo.board import LANES
from games.gambo.components import PIECES
from render import RENDERERS, Mark, Style, frame, png
from render.cache import CACHE
from render.canvas import label
from render.gambo import board
from render.style import MAX_SIDE, USUAL
from render.tiles import Sprite
from tests.conformance.matches import SETUPS, Setup, played
from tests.conformance.policies import random_play
from tests.games.gambo import positions as gambo
from tests.render.looks import LOOKS
from tests.render.pictures import opened
from tests.render.positions import KEYS, LARGEST, Position, positions, positions_of

MAX_BYTES = 120_000
USUAL_BYTES = 60_000
"""The upper limit in bytes for the median of a game's pictures (P21)."""


def caches() -> list[Any]:
    """Every function cache of the room."""
    found = {
        thing
        for name, module in sys.modules.items()
        if name.startswith("render.")
        for thing in vars(module).values()
        if type(thing).__name__ == "_lru_cache_wrapper"
    }
    return [cache for cache in found if cache.__module__.startswith("render.")]


def forget_everything_drawn() -> None:
    """Empty every cache of the room, as at the start of a program."""
    png.BANDS.clear()
    CACHE.clear()
    for cache in caches():
        cache.cache_clear()


def test_every_game_has_a_renderer() -> None:
    assert set(RENDERERS) == set(GAMES)


@pytest.mark.parametrize("key", KEYS)
def test_p21_pictures_are_of_the_right_size_and_never_square(key: str) -> None:
    for position in positions_of(key):
        for width in (600, 810, 1200):
            canvas = position.renderer.paint(position.seen(), position.people, (), Style(width))
            assert canvas.width == width
            assert canvas.height != canvas.width
            assert max(canvas.width, canvas.height) <= MAX_SIDE


@pytest.mark.parametrize("key", KEYS)
def test_what_a_match_shows_is_made_once_and_kept_for_its_next_pictures(key: str) -> None:
    def draw_the_match() -> None:
        for position in positions_of(key):
            for style in (USUAL, Style(900)):
                position.renderer.paint(position.seen(), position.people, (), style)

    forget_everything_drawn()
    draw_the_match()
    made = {cache: cache.cache_info().misses for cache in caches()}
    drawn = set(CACHE)
    draw_the_match()
    assert set(CACHE) == drawn
    assert [cache.__qualname__ for cache in caches() if cache.cache_info().misses > made.get(cache, 0)] == []


def test_drawn_tiles_are_kept_by_their_bytes_and_not_by_their_number() -> None:  # FOUND E11
    forget_everything_drawn()
    for number in range(1000):
        # Names as wide as the largest picture allows: some 100 kB each.
        label(f"{number} " + "W" * 28, 64, (255, 255, 255), (0, 0, 0))
    labels_and_words = (each[0] for each in CACHE.values())
    images = [each.image if isinstance(each, Sprite) else each for each in labels_and_words]
    true = sum(image.width * image.height for image in images)
    assert CACHE.maxsize / 2 < true <= CACHE.currsize <= CACHE.maxsize
    assert len(CACHE) < 1000


@pytest.mark.parametrize("key", KEYS)
def test_hands_and_roles_are_of_the_right_size(key: str) -> None:
    for position in positions(LARGEST[key]):
        for canvas in position.canvases():
            assert canvas.height != canvas.width
            assert max(canvas.width, canvas.height) <= MAX_SIDE


@pytest.mark.parametrize("key", KEYS)
def test_p21_files_are_small(key: str) -> None:
    sizes = [len(position.renderer.draw(position.seen(), position.people)) for position in positions_of(key)]
    assert median(sizes) <= USUAL_BYTES
    assert max(sizes) <= MAX_BYTES
    setup, names = LARGEST[key], NAMES[: LARGEST[key].players]
    late = [played(setup, random_play, number).states[-2].observation(None) for number in range(1, 6)]
    assert median(len(RENDERERS[key].draw(seen, names)) for seen in late) <= USUAL_BYTES


@pytest.mark.parametrize("key", KEYS)
def test_the_file_is_the_canvas(key: str) -> None:
    position = positions(LARGEST[key])[3]
    canvas = position.renderer.paint(position.seen(), position.people, (), USUAL)
    image = opened(position.renderer.draw(position.seen(), position.people))
    assert image.tobytes() == canvas.image.crop((1, 0, canvas.width + 1, canvas.height)).tobytes()


@pytest.mark.parametrize("key", KEYS)
def test_the_same_observation_gives_the_same_bytes(key: str) -> None:
    for position in positions(LARGEST[key])[2:4]:
        first = [canvas.png() for canvas in position.canvases()]
        again = [canvas.png() for canvas in position.canvases()]
        forget_everything_drawn()
        anew = [canvas.png() for canvas in position.canvases()]
        assert first == again == anew


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_nothing_hidden_changes_a_picture_or_a_word(setup: Setup) -> None:
    if not GAMES[setup.key].info.hidden_information:
        return
    for position in positions(setup, 4):
        for viewer in position.viewers:
            other = Position("", position.state.resample_from_infostate(viewer, Random(str(position))))
            assert shown(position, viewer) == shown(other, viewer)


def shown(position: Position, viewer: int | None) -> tuple[object, ...]:
    """Everything that a viewer is shown."""
    draw, seen, people = position.renderer, position.seen(viewer), position.people
    return (
        draw.draw(seen, people),
        draw.draw_hand(seen, people),
        draw.draw_role(seen, people),
        draw.alt_text(seen, people),
        draw.hand_text(seen, people),
        draw.text_board(seen, people),
        seen.last and draw.say(seen.last, seen, people),
        draw.end_text(seen, people),
    )


@pytest.mark.parametrize("key", KEYS)
def test_p23_every_legal_place_can_be_marked(key: str) -> None:
    marked = 0
    for position in positions(LARGEST[key]):
        seen = position.seen()
        plain = pixels(position, ())
        for mark in position.places():
            assert pixels(position, (mark,)) != plain, f"{position.name}: {mark} of {seen}"
            marked += 1
    assert bool(marked) == (LOOKS[key].places is not None), "no position had a place to mark"


def pixels(position: Position, marks: tuple[Mark, ...]) -> bytes:
    return position.renderer.paint(position.seen(), position.people, marks, USUAL).image.tobytes()


@pytest.mark.parametrize("key", KEYS)
def test_names_change_the_picture_and_nothing_else_does(key: str) -> None:
    position = positions(LARGEST[key])[2]
    draw, seen = position.renderer, position.seen()
    other = ("Zoe", *position.people[1:])
    assert draw.draw(seen, other) != draw.draw(seen, position.people)


@pytest.mark.parametrize("key", KEYS)
def test_the_viewers_own_turn_is_called_so_and_nobody_elses(key: str) -> None:
    for position in positions(LARGEST[key]):
        mover = position.state.current_player
        for viewer in position.viewers:
            canvas = position.renderer.paint(position.seen(viewer), position.people, (), USUAL)
            told = "Your move" in {placed.text for placed in canvas.labels}
            assert told == (mover == viewer), (position.name, viewer)


@pytest.mark.parametrize("width", [599, 1201])
def test_a_style_out_of_bounds_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match="600 to 1200"):
        Style(width)


def test_no_number_hides_the_strength_of_a_piece_in_gambo() -> None:
    row = " ".join(f"{piece} {piece}" for piece in PIECES)
    empty = " ".join([".."] * len(PIECES))
    seen = gambo.position(f"north {empty}\ncorridor {row}\nsouth {empty}").observation(0)
    draw, people, style = RENDERERS["gambo"], ("Ann", "Bob"), USUAL
    plain = draw.paint(seen, people, (), style).image.convert("RGB")
    for lane in range(LANES):
        marked = draw.paint(seen, people, (Mark(lane + 1, str(lane + 1)),), style).image.convert("RGB")
        assert marked.tobytes() != plain.tobytes()
        for other in range(LANES):
            x, y = board._walking(other)
            middle = (
                style.px(x + 26),
                style.px(frame.HEADER) + style.px(frame.MARGIN) + style.px(board._PLATE + y + 26),
            )
            box = (
                middle[0] - style.px(20),
                middle[1] - style.px(20),
                middle[0] + style.px(20),
                middle[1] + style.px(20),
            )
            assert marked.crop(box).tobytes() == plain.crop(box).tobytes(), (lane + 1, other + 1)
