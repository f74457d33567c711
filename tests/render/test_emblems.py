"""The computer players' own pictures."""

import pickle
from itertools import combinations

import pytest

from matches.computers.levels import NAMES
from render import RENDERERS, Computer, fonts, lobby
from render.canvas import Canvas
from render.emblems import emblem
from render.frame import name
from render.grammar import plain
from render.lobby import Lobby, Sitting
from render.palette import INK, PAPER, shade
from render.style import Style
from tests.render.positions import KEYS, positions_of

GROUND = shade("slate", 0.9)
ALL = [name for names in NAMES.values() for name in names]


def test_every_computer_has_a_picture_of_its_own() -> None:
    pictures = {name: emblem(Computer(name), 40, GROUND) for name in ALL}
    assert all(pictures.values())
    for one, other in combinations(pictures.values(), 2):
        assert one.image.tobytes() != other.image.tobytes()


def test_a_second_computer_of_a_name_has_the_same_picture() -> None:
    assert emblem(Computer("Raven 2"), 40, GROUND) is emblem(Computer("Raven"), 40, GROUND)


def test_a_person_who_is_called_like_a_computer_has_no_picture() -> None:
    assert emblem("Raven", 40, GROUND) is None
    assert emblem(Computer("Player 3"), 40, GROUND) is None


def test_the_discs_of_one_level_are_alike_and_of_two_levels_are_not() -> None:
    edges = {
        level: {emblem(Computer(name), 40, GROUND).image.getpixel((20, 4)) for name in NAMES[level]} for level in NAMES
    }
    assert [len(colours) for colours in edges.values()] == [1] * len(NAMES)
    assert len(set.union(*edges.values())) == len(NAMES)


@pytest.mark.parametrize("guest", [False, True])
def test_a_computers_face_stands_beside_its_name_and_gives_way_to_it(guest: bool) -> None:
    shown = []
    for room in (150, 190, 220):
        canvas = Canvas(600, 100, PAPER)
        wide = name(canvas, 20, 50, Computer("Pebble", guest), 40, INK, PAPER, room)
        assert wide <= room
        shown.append(([label.text for label in canvas.labels], wide > fonts.width("Pebble", 40)))
    # FOUND V8: A sign cuts no name.
    assert shown == [(["Pebble"], False), (["Pebble"], True), (["Pebble"], True)]


def test_whoever_a_computer_plays_for_keeps_the_name_and_has_no_picture_of_a_computers() -> None:
    assert emblem(Computer("Raven", guest=True), 40, GROUND) is None
    assert Computer("Raven", guest=True) == "Raven"
    again = pickle.loads(pickle.dumps(Computer("Raven", guest=True)))
    assert (again, again.guest) == ("Raven", True)


def test_words_call_a_computer_one() -> None:
    assert (plain(Computer("Raven")), plain("Raven")) == ("Raven (computer)", "Raven")


@pytest.mark.parametrize("room", [400, 210, 150, 60])
def test_a_name_with_its_picture_keeps_to_its_room(room: int) -> None:
    canvas = Canvas(600, 100, PAPER)
    wide = name(canvas, 20, 50, Computer("Obsidian"), 40, INK, PAPER, room)
    assert wide <= room
    ink = canvas.image.convert("RGB").crop((1, 0, 601, 100))
    assert all(ink.getpixel((x, y)) == PAPER for x in range(20 + room + 1, 600) for y in range(100))


@pytest.mark.parametrize("key", KEYS)
def test_boards_and_titles_show_the_pictures_of_computers(key: str) -> None:
    position = positions_of(key)[2]
    persons = tuple(ALL[seat] for seat in range(position.seen().players))
    computers = tuple(map(Computer, persons))
    draw = RENDERERS[key].draw
    assert draw(position.seen(), computers) != draw(position.seen(), persons)
    words, said = (RENDERERS[key].alt_text(position.seen(), people) for people in (persons, computers))
    assert said.replace(" (computer)", "") == words != said


def test_a_lobby_shows_them_too() -> None:
    def strip(name: str) -> Canvas:
        shown = Lobby((Sitting(Computer(name)),), 1, "no time limit", "open")
        draw = RENDERERS["gambo"]
        return lobby.paint(shown, "Gambo", draw.mood, draw.emblem, Style(600))

    colours = [
        {colour for _, colour in strip(name).image.convert("RGB").getcolors(1 << 16)} for name in ("Raven", "Zed")
    ]
    assert emblem(Computer("Raven"), 40, GROUND).image.convert("RGB").getpixel((20, 4)) in colours[0] - colours[1]
