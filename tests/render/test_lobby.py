"""The strip of a lobby: everybody's name whole, in any script; small, never square, the same bytes every time."""

from itertools import combinations
from typing import Any

import pytest
from PIL import ImageChops, ImageStat

from games import GAMES
from render import RENDERERS, Computer, Style, emblems, lobby
from render.canvas import Canvas
from render.grammar import MAX_ALT_TEXT
from render.lobby import Lobby, Sitting
from render.palette import INK, PAPER
from render.style import MAX_SIDE
from tests.render import vision
from tests.render.positions import KEYS, people
from tests.render.test_greyscale import LEAST_DIFFERENCE, outline
from tests.render.test_labels import HOSTILE, assert_legible
from tests.render.test_vision import TEXT_CONTRAST

WIDTHS = (600, 900, 1200)


def full(key: str, **facts: Any) -> Lobby:
    """A table with as many players as the game allows, with long names in many scripts."""
    sitting = [Sitting(name, remark="host" if not seat else "") for seat, name in enumerate(people(most(key)))]
    sitting[-1] = sitting[-1]._replace(name=Computer(sitting[-1].name), remark="expert computer")
    return Lobby(tuple(sitting), 0, "Variant: advanced · 5 minutes a turn", "being played")._replace(**facts)


def most(key: str) -> int:
    return GAMES[key].info.max_players


def drawn(key: str, shown: Lobby, width: int = 900) -> Canvas:
    return lobby.paint(shown, GAMES[key].info.name, RENDERERS[key].mood, RENDERERS[key].emblem, Style(width))


@pytest.mark.parametrize("key", KEYS)
def test_every_name_and_every_other_text_is_whole_and_can_be_read(key: str) -> None:
    for width in WIDTHS:
        canvas = drawn(key, full(key), width)
        assert_legible(canvas, key)
        assert {*people(most(key)), "Variant: advanced · 5 minutes a turn"} <= {placed.text for placed in canvas.labels}
        for placed in canvas.labels:
            assert vision.contrast(placed.colour, placed.ground) >= TEXT_CONTRAST, placed.text


@pytest.mark.parametrize("key", KEYS)
def test_the_strangest_names_stay_in_their_places(key: str) -> None:
    for name in HOSTILE:
        assert_legible(drawn(key, Lobby((Sitting(name[:32], remark="host"),) * 2, 1, "no time limit", "ready")), name)


@pytest.mark.parametrize("key", KEYS)
def test_p21_strips_are_small_and_never_square(key: str) -> None:
    for width in WIDTHS:
        for sitting in range(most(key) + 1):
            shown = full(key)._replace(sitting=full(key).sitting[:sitting], free=most(key) - sitting)
            canvas = drawn(key, shown, width)
            assert canvas.width == width != canvas.height <= MAX_SIDE
            assert len(canvas.png()) <= 60_000


@pytest.mark.parametrize("key", KEYS)
def test_what_is_told_changes_the_strip_and_the_same_gives_the_same_bytes(key: str) -> None:
    plain = full(key)
    assert drawn(key, plain).png() == drawn(key, full(key)).png()
    seated = tuple(each._replace(seat=seat) for seat, each in enumerate(plain.sitting))
    others = (
        plain._replace(note="over"),
        plain._replace(agreed="no time limit"),
        plain._replace(free=1),
        plain._replace(sitting=seated),
        plain._replace(sitting=tuple(each._replace(won=True) for each in plain.sitting)),
    )
    assert len({drawn(key, shown).png() for shown in (plain, *others)}) == 1 + len(others)


@pytest.mark.parametrize("key", KEYS)
def test_p24_the_words_name_everybody(key: str) -> None:
    words = lobby.alt_text(full(key), GAMES[key].info.name)
    assert len(words) <= MAX_ALT_TEXT
    assert all(name in words for name in people(most(key)))
    nobody = Lobby((), 2, "no time limit", "2 more needed")
    assert lobby.alt_text(nobody, "Gambo") == (
        "Gambo, no time limit: 2 more needed. Nobody is at the table; 2 seats are free."
    )


def test_p22_people_computers_and_free_seats_differ_without_colour_and_lightness() -> None:
    signs = [sign(60, PAPER, INK) for sign in (lobby.person, emblems.machine, lobby.plus)]
    for one, other in combinations(map(outline, signs), 2):
        assert ImageStat.Stat(ImageChops.difference(one, other)).mean[0] >= LEAST_DIFFERENCE
