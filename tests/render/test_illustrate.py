"""Illustrations of the rules: each is legible, possible, points to real places, and says what is true."""

import re
import tomllib
from collections.abc import Iterator
from random import Random

import pytest

from games import GAMES, illustrations, pages
from games.ambush.observation import AmbushObservation
from games.illustrations import Illustration, split_illustrations
from games.log import LogError
from render import Style, illustrate
from render.grammar import MAX_ALT_TEXT
from render.style import MAX_SIDE
from tests.render.looks import LOOKS

SMALL = Style(600)
_SECTION = re.compile(r"^## (?P<title>.+?)(?: \((?P<rules>[^)]+)\))?\n(?P<text>(?:(?!^## ).*\n?)*)", re.MULTILINE)
_STRENGTH = re.compile(r"(?P<sizes>(?:small|medium|large)[a-z, ]*) is (?P<strength>\d) \((?P<square>[A-F][1-6])\)")


def all_illustrations() -> Iterator[tuple[str, frozenset[int], Illustration]]:
    """Game, rules of the section and illustration, for every illustration."""
    for key in GAMES:
        for section in _SECTION.finditer(pages.page(key)):
            numbers = set[int]()
            for first, last in re.findall(r"[A-Z](\d+)(?:-[A-Z]?(\d+))?", section["rules"] or ""):
                numbers.update(range(int(first), int(last or first) + 1))
            for shown in split_illustrations(section["text"])[1]:
                yield key, frozenset(numbers), shown


ALL = list(all_illustrations())
EACH = pytest.mark.parametrize(
    ("key", "rules", "shown"), ALL, ids=[f"{n}-{shown.name}" for n, (*_, shown) in enumerate(ALL)]
)


@pytest.mark.parametrize("key", GAMES)
def test_every_line_that_asks_for_a_picture_can_be_read(key: str) -> None:
    prose, asked = split_illustrations(pages.page(key))
    assert asked
    assert "![" not in prose
    assert "position:" not in prose
    assert sum(key == other for other, *_ in ALL) == len(asked)


@EACH
def test_what_is_said_to_be_allowed_or_not_is(key: str, rules: frozenset[int], shown: Illustration) -> None:
    state = illustrations.position(shown.name, shown.ply)
    assert state.info.key == key
    for text in (*shown.allowed, *shown.refused):
        why = state.why_illegal(state.current_player, state.string_to_action(state.current_player, text))
        assert (why is None) == (text in shown.allowed), f"{text}: {why}"
        assert why is None or int(str(why.rule)[1:]) in rules | elsewhere(shown), why


def elsewhere(shown: Illustration) -> set[int]:
    """Rules of other sections that a picture mentions."""
    return {8} if shown.name == "saboteur-repair" else set()


@EACH
def test_what_is_pointed_out_is_on_the_picture(key: str, rules: frozenset[int], shown: Illustration) -> None:
    picture = illustrate.paint(shown, SMALL)
    assert picture.width <= MAX_SIDE
    assert picture.height <= MAX_SIDE
    pointers = illustrations.pointed_out(shown)
    assert len(pointers) >= sum(map(len, (shown.allowed, shown.refused, shown.numbers, shown.crosses)))
    for kind in ("numbers", "crosses", "allowed", "refused", "arrows"):
        words = getattr(shown, kind)
        for index in range(len(words)):
            fewer = shown._replace(**{kind: words[:index] + words[index + 1 :]})
            assert illustrate.paint(fewer, SMALL).image.tobytes() != picture.image.tobytes(), f"{kind} {words[index]}"


@EACH
def test_the_words_say_what_is_on_the_picture(key: str, rules: frozenset[int], shown: Illustration) -> None:
    alt = illustrate.alt_text(shown)
    assert alt.startswith(shown.alt)
    assert len(shown.alt) < len(alt) <= MAX_ALT_TEXT
    assert shown.alt.endswith((".", ")"))
    numbered = {pointer.number for pointer in illustrations.pointed_out(shown)} - {0}
    every = "numbered" in shown.alt
    assert every or numbered <= set(map(int, re.findall(r"(?<![\d,-])\d(?!\d|,-?\d)", shown.alt))), numbered
    assert bool(shown.refused or shown.crosses) == ("rossed out" in shown.alt)
    assert bool(shown.arrows) == bool(re.search(r"\barrows?\b", shown.alt)) or key == "ambagibus"
    places = LOOKS[key].places
    for place in places.findall(shown.alt) if places and shown.viewer is None else ():
        pointed = illustrate.paint(shown._replace(crosses=(*shown.crosses, place)), SMALL)
        assert pointed.image.tobytes() != illustrate.paint(shown, SMALL).image.tobytes(), place


def test_the_strengths_that_are_told_are_those_on_the_board() -> None:
    told = [(shown, found) for _, _, shown in ALL for found in _STRENGTH.finditer(shown.alt)]
    assert len(told) >= 4
    for shown, found in told:
        column, row, seen = *list(found["square"]), illustrations.observed(shown)
        assert isinstance(seen, AmbushObservation)
        stack = seen.board[(int(row) - 1) * 6 + "ABCDEF".index(column)]
        assert stack.strength == int(found["strength"])


@EACH
def test_a_picture_shows_nothing_that_its_viewer_could_not_see(
    key: str, rules: frozenset[int], shown: Illustration
) -> None:
    state = illustrations.position(shown.name, shown.ply)
    other = state.resample_from_infostate(shown.viewer, Random(1))
    assert other.observation(shown.viewer) == illustrations.observed(shown)


def test_every_log_is_shown_somewhere() -> None:
    kept = {file.name.removesuffix(".log") for key in GAMES for file in pages.positions(key).iterdir()}
    assert kept == {shown.name for *_, shown in ALL} | set(learned_from())


def learned_from() -> Iterator[str]:
    """The names of the logs that lessons begin with."""
    for key in GAMES:
        file = GAMES[key].rules.joinpath("lessons", f"{key}.toml")
        if file.is_file():
            yield from (lesson["position"] for lesson in tomllib.loads(file.read_text("utf-8"))["lesson"])


@pytest.mark.parametrize(
    "asked",
    ["ply x", "hand 1 2", "arrows 1,0", "arrows 1,0>2,0>3,0", "numbers", "sideways 1,0", "ply 1; ply 2", "allowed a, "],
)
def test_a_line_that_makes_no_sense_is_refused(asked: str) -> None:
    with pytest.raises(ValueError, match="saboteur-fit says something that can't be read"):
        split_illustrations(f"![words](position: saboteur-fit; {asked})")


def test_a_line_of_the_log_that_is_not_there_is_refused() -> None:
    with pytest.raises(LogError, match="has no line 99"):
        illustrations.position("saboteur-fit", 99)


@pytest.mark.parametrize("name", ["saboteur-nothing", "nothing"])
def test_a_log_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(FileNotFoundError, match=name):
        illustrations.position(name)


def test_a_role_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="cards or a role that don't exist"):
        illustrate.paint(Illustration("gambo-swap", "words", role=0), SMALL)
