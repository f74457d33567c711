"""A name is only text, whatever is in it (P31)."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cogs.text import names
from db.model.ids import SeatNumber
from matches.api import Person, PlayerSettings, Seat, UserId
from matches.puzzles.attempt import Attempt
from matches.records.exercise_view import view
from render import Computer, badges, emblems
from tests.cogs.markdown import active, harmless_label, read
from tests.cogs.nasty import NASTY, hostile_names
from tests.matches.puzzles.made import made
from tests.sources import ROOT, modules, parsed, source

SENTENCES: Final = (
    "{0}",
    "{0} digs NS at 0,1.",
    "It's {0}'s turn.",
    "1. {0}: 3 points\n2. {1}: 1 point",
    "**1** {0} (host)\n**2** {1}\n{0}",
    "**Gambo #1**: {0} and {1} would like to end this match",
    "won by {0}{1}{0}",
    "-# {0}",
    "`7` {0} breaks {1}’s lantern.",
)

NORMAL: Final = (
    *("Ann", "Jean-Luc", "O'Neill", "Müller", "Nguyễn Thị", "山田　太郎", "김철수", "Ольга Петрова", "Γιώργος"),
    *("ประยุทธ์", "فاطمة", "شیما\u200cزاده", "שרה", "שָׁלוֹם", "अमित क्षत्रिय", "അനില്\u200d", "සඳුනි ශ්\u200dරී", "བཀྲ་ཤིས་"),
    *(
        "ᠮᠣᠩᠭᠣᠯ",
        "⠓⠑⠇⠇⠕⠀⠺",
        "👩\u200d💻",
        "❤\ufe0f\u200d🔥 Bo",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f Bob",
    ),
    *("葛\U000e0100城", "Zoë (she/her)", "x_X_dragon_X_x", "¯\\_(ツ)_/¯", "Ann & Bob", "C++", "a.b.c", "100%", "3.5"),
)

CALM: Final = ("Qx", "Qy")


def reads(sentence: str, *given_names: str) -> str:
    """What people should read: the sentence with these names as plain text in its gaps."""
    text = read(sentence.format(*CALM))
    parts = re.split(f"({'|'.join(CALM)})", text)
    return "".join(names.plain(given_names[CALM.index(part)]) if part in CALM else part for part in parts)


def check(one: str, other: str) -> None:
    for sentence in SENTENCES:
        text = sentence.format(names.in_message(one), names.in_message(other))
        assert active(text) == active(sentence.format(*CALM)), text
        assert read(text) == reads(sentence, one, other)


@pytest.mark.parametrize("name", [*NASTY, *NORMAL])
def test_a_nasty_name_adds_nothing_to_any_sentence_and_is_read_as_it_is(name: str) -> None:
    for other in ("Ann", name, "]", "*"):
        check(name, other)
        check(other, name)


@given(hostile_names(), hostile_names())
@example("1", ".")
def test_no_name_adds_anything_to_any_sentence(one: str, other: str) -> None:
    check(one, other)


@given(hostile_names())
def test_a_name_has_something_to_read_on_one_line_and_is_kept_as_it_was_kept(name: str) -> None:
    kept = names.plain(name)
    assert harmless_label(kept), kept
    assert len(kept) <= names.LONGEST
    assert "\n" not in kept
    assert names.plain(kept) == kept
    assert names.in_message(kept) == names.in_message(name)


@pytest.mark.parametrize("marks", ["\u0335\u0321", "\u0489", "\u0301\u20dd\u0316"])
def test_marks_are_not_heaped_up_over_other_lines(marks: str) -> None:
    kept = names.plain("Z" + marks * 9 + "o\u0308e")
    assert 3 <= len(kept.partition("o")[0]) <= 6
    assert kept.endswith("o\u0308e")


@pytest.mark.parametrize("name", NORMAL)
def test_a_usual_name_of_any_script_is_kept_to_the_letter(name: str) -> None:
    assert names.plain(name) == name
    assert read(names.in_message(name)) == name


@pytest.mark.parametrize(
    "name", ["", " ", "\u200d", "\u3164\u3164", "\u2800", "\u202e\u2069", "\u0301", "\ufe0f", "\n"]
)
def test_a_name_that_nobody_could_read_is_another(name: str) -> None:
    assert names.plain(name) == names.in_message(name) == "Player"


@given(st.lists(hostile_names(), min_size=10, max_size=10), st.integers(0, 600))
def test_names_are_cut_until_the_text_fits_and_do_nothing_then_either(given_names: list[str], room: int) -> None:
    def made(longest: int) -> str:
        return "\n".join(names.in_message(name, longest) for name in given_names)

    text = names.fitting(room, made)
    assert len(text) <= room or text == made(names.SHORTER[-1])
    assert active(text) == ["line"] * 9


# Where names may come from.

NAMES: Final = frozenset({"name", "seat_names", "winner", "scorer", "display_name", "global_name", "nick", "mention"})
NOT_PEOPLE: Final = frozenset(
    {"step", "option", "other", "self.group", "parameter", "file", "row", "command", "each.mark", "event", "record"}
)
"""Expressions in the code of `cogs` whose `name` isn't a person's. The `name` of an `info` isn't one either."""


def taken(path: Path) -> Iterator[str]:
    """The places where a module reads a person's name without passing it directly to `cogs.text.names`.

    A condition may ask whether there is a name.
    """
    nodes = [*ast.walk(parsed(path))]
    handed = set[ast.AST]()
    for node in nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="names")), args=arguments):
                handed.update(arguments)
            case ast.IfExp(test=condition):
                handed.add(condition)
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in NAMES and isinstance(node.ctx, ast.Load):
            owner = ast.unparse(node.value)
            of_thing = node.attr == "name" and (owner in NOT_PEOPLE or owner.split(".")[-1] == "info")
            if node not in handed and not of_thing and owner not in ("names", "pictures"):
                yield f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"


def test_nothing_takes_a_name_into_a_text_but_by_the_one_place_for_it() -> None:
    paths = [path for path in modules("cogs") if path.name != "names.py" and "preview" not in path.parts]
    assert [each for path in paths for each in taken(path)] == []


def test_no_sentence_of_the_host_holds_a_name() -> None:
    """Its sentences are shown unescaped to whoever asked."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
        for path in modules("matches")
        for text in ast.walk(parsed(path))
        if isinstance(text, ast.JoinedStr)
        for node in ast.walk(text)
        if isinstance(node, ast.Attribute)
        and node.attr in NAMES
        and not ast.unparse(node).endswith(("info.name", "deed.name"))
    ]
    assert found == []


# FOUND W4


def shown_at_a_table(*given_names: str, started: bool = False) -> list[str]:
    """How people sitting at one table are called."""
    seats = tuple(
        Seat(position=place, name=name, seat=SeatNumber(len(given_names) - 1 - place) if started else None)
        for place, name in enumerate(given_names)
    )
    return [names.called(seat) for seat in replace(AT_A_TABLE, everybody=seats).seats]


AT_A_TABLE: Final = view(
    Attempt.begin(made("day0003")), Person(UserId(1), "Ann"), ("Ann", "Bob"), PlayerSettings()
).match


@pytest.mark.parametrize(
    "alike",
    [
        *[("Ann", "Ann"), ("Ann", "ANN"), ("Ann", "\u0410nn"), ("Dave", "\U0001d56f\U0001d586\U0001d59b\U0001d58a")],
        *[("Ann", "A\u200bnn"), ("Ann", "Ann\ufe0f"), ("Ann Lee", "Ann\u00a0 Lee"), ("Ill", "lll"), ("Al", "A1")],
        *[("modern", "rnodem"), ("Bob", "B0b"), ("Ann", "#1 Ann"), ("Ann", "#12 Ann"), ("Player", "\u3164")],
        *[("Player 3", "Player 3"), ("\u0645\u062d\u0645\u062f", "\u0645\u062d\u0645\u062f"), ("Otter", "otter")],
        # Vowel marks that no picture shows; only the first letters are left where a name is cut.
        *[
            ("\u0645\u062d\u0645\u062f", "\u0645\u064f\u062d\u0645\u062f"),
            ("Alexander the First", "Alexander the Third"),
            ("Otter", "Otter (computer)"),
            ("Otter", "otter(easy C\u043emputer)"),
        ],
    ],
)
def test_names_that_look_alike_have_their_number_and_no_other_name_has_one(alike: tuple[str, str]) -> None:
    one, other = map(names.plain, alike)
    assert shown_at_a_table(one, "Zoe", other) == [f"#1 {one}", "Zoe", f"#3 {other}"]
    # The player's number, once there is one.
    assert shown_at_a_table(one, "Zoe", other, started=True) == [f"#3 {one}", "Zoe", f"#1 {other}"]
    assert shown_at_a_table(one, "Zoe") == [one, "Zoe"]


@pytest.mark.parametrize("other", ["Anna", "Ana", "An", "\u00c4nn", "Bnn", "A. Nn"])
def test_names_that_only_resemble_each_other_have_no_number(other: str) -> None:
    assert shown_at_a_table("Ann", other) == ["Ann", other]


def test_names_that_no_picture_can_show_have_their_numbers() -> None:
    assert shown_at_a_table("\u1826\u182f", "\u0f56\u0f7c\u0f51", "Ann") == [
        "#1 \u1826\u182f",
        "#2 \u0f56\u0f7c\u0f51",
        "Ann",
    ]


def test_a_number_stays_where_a_name_is_cut_and_on_its_badge() -> None:
    long = "Wolfgang Amadeus Mozart"
    (first, second) = shown_at_a_table(long, long)
    assert [names.in_message(each, 9) for each in (first, second)] == ["\\#1 Wolfg…", "\\#2 Wolfg…"]
    assert badges.texts((first, second, "Zoe")) == ("1", "2", "Z")
    assert emblems.emblem(Computer("#2 Otter"), 40, (0, 0, 0)) is not None


def test_no_output_takes_a_seats_name_without_its_number() -> None:
    # In a retry the names go into a table of its own, which numbers them.
    allowed = {"cogs/review/retrying.py", "cogs/text/names.py"}
    found = {
        str(path.relative_to(ROOT))
        for path in modules("cogs")
        if source(path).names & {"names", "plain"}
        for call in ast.walk(parsed(path))
        if isinstance(call, ast.Call) and ast.unparse(call.func) in ("names.plain", "names.in_message", "plain")
        for argument in call.args
        if re.fullmatch(r".*\bseats?\b.*\.name", ast.unparse(argument))
    }
    assert found <= allowed
