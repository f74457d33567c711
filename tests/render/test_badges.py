"""Badges: a unique beginning of the name, otherwise the seat's number; whole, and never two alike."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from PIL import ImageChops

from games import GAMES
from render import Style, badges
from render.ambagibus.words import text_board
from render.lobby import Lobby, Sitting
from render.palette import INK, Colour, shade
from render.tiles import Sprite
from tests.render.looks import LOOKS
from tests.render.positions import LARGEST, NAMES, positions
from tests.render.reading.ambagibus import read_maze
from tests.render.test_labels import HOSTILE


@pytest.mark.parametrize(
    ("people", "shown"),
    [
        (("Juniper", "Wolf"), ("J", "W")),
        (("Cleo", "Ben", "Carla"), ("Cl", "B", "Ca")),
        (("Marta", "Marla", "Mia"), ("1", "2", "Mi")),
        (("ada", "Anton"), ("ad", "An")),
        # All of Ann's beginnings are also Anna's, and the first three of Anna's are also Ann's.
        (("Ann", "Anna", "Ben"), ("1", "2", "B")),
        (("Ada", "Ada", "ADA"), ("1", "2", "3")),
        # Signs before the name aren't letters of it, and characters that no font has count as nothing.
        (("🎲Bob", "_x_", "...", "राम"), ("B", "x", "3", "रा")),
        (("勅使河原", "Борис", "น้ำพริก", "김수한"), ("勅", "Б", "น้", "김")),
        (("محمد", "سارة", "שלמה", "שרה"), ("م", "س", "של", "שר")),
        # A beginning of digits would look like a seat's number.
        (("1st", "007", "2Pac"), ("1s", "2", "2P")),
        # No badge ends in a space.
        (("A B", "A C"), ("A B", "A C")),
    ],
)
def test_a_badge_has_the_shortest_beginning_that_nobody_else_has(
    people: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    assert badges.texts(people) == shown


def test_where_one_letter_would_read_as_a_suit_a_badge_has_two() -> None:
    assert badges.texts(("Tom", "Bea", "P"), 2) == ("To", "Be", "3")


def test_nobody_wears_what_another_name_begins_with() -> None:
    rng = Random("badges")
    pool = [*NAMES, *HOSTILE, "Ada", "ada", "Ann", "Anna", "ANNA", "1", "10", "0", "b", "Bo", "Bob"]
    for _ in range(300):
        people = tuple(rng.sample(pool, rng.randint(2, 10)))
        for least in (1, 2):
            texts = badges.texts(people, least)
            assert len({text.casefold() for text in texts}) == len(people), people
            for seat, text in enumerate(texts):
                if text != str(seat + 1):
                    others = [name for other, name in enumerate(people) if other != seat]
                    assert not any(name.casefold().startswith(text.casefold()) for name in others), (people, text)


def ink(text: str, seat: int, size: int) -> tuple[int, int, int, int]:
    """The rectangle in which the letters of a badge are drawn."""
    # Only the letters are green: no edge of the shape is mixed with it.
    shape, letters = shade("ink", 1.0), shade("green", 0.45)
    image = badges.drawn(size, INK, text, seat, ((shape, letters),) * 10).image.convert("RGB")
    red, green, _ = image.split()
    box = ImageChops.subtract(green, red).point([0] * 80 + [255] * 176).getbbox()
    assert box is not None, (seat, text)
    return box


@pytest.mark.parametrize("size", [22, 44, 88])
def test_what_stands_on_a_badge_stays_within_its_rim(size: int) -> None:
    rim = size // 11
    for seat in range(10):
        for text in ("W", "WWW", "Mgj", "勅使河", "น้ำ", "محم", "9"):
            left, top, right, bottom = ink(text, seat, size)
            assert rim <= left < right <= size - rim, (seat, text)
            assert rim <= top < bottom <= size - rim, (seat, text)


def test_the_letters_on_a_plate_are_large_enough_for_a_phone() -> None:
    # A badge of 88 in a picture 1200 wide, whose capitals at 9 pixels of 300 are 25 high (0.7 of their size).
    for seat in range(10):
        for text in ("J", "Ju", "Zo"):
            _, top, _, bottom = ink(text, seat, 88)
            assert bottom - top >= 25, (seat, text)


def texts_on_badges(monkeypatch: pytest.MonkeyPatch, draw: Callable[[], object]) -> set[str]:
    """The texts on badges while a picture is drawn."""
    found: set[str] = set()
    drawn = badges.drawn

    def noted(size: int, ground: Colour | None, text: str, *args: Any) -> Sprite:
        found.add(text)
        return drawn(size, ground, text, *args)

    with monkeypatch.context() as patched:
        patched.setattr(badges, "drawn", noted)
        draw()
    return found


@pytest.mark.parametrize("key", sorted(LARGEST))
def test_every_game_draws_the_badges_of_its_people_on_the_board_and_in_the_lobby(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = positions(LARGEST[key])[2]
    draw, seen = position.renderer, position.seen()
    people = ("Wolf", "Juniper", "Cleo", "Marta", "Zoë", "Hana", "Ida", "Lou", "Nils", "Olga")[: seen.players]
    shown = {name[: LOOKS[key].badge] for name in people}
    assert texts_on_badges(monkeypatch, lambda: draw.draw(seen, people)) == shown
    sitting = tuple(Sitting(name, seat=seat) for seat, name in enumerate(people))
    lobby = Lobby(sitting[::-1], 0, "no time limit", "over")
    assert texts_on_badges(monkeypatch, lambda: draw.draw_lobby(lobby, GAMES[key].info.name, Style(600))) == shown


def test_the_words_of_a_maze_name_owners_as_their_badges_do() -> None:
    position = positions(LARGEST["ambagibus"])[3]
    seen: Any = position.seen()
    people = ("Ann", "Anna", "Cleo", "Carla")
    maze = read_maze(text_board(seen, people).splitlines())
    owners = ("#1", "#2", "Cl", "Ca")
    assert maze == {item.cell: (owners[item.owner], item.card) for item in seen.maze}
