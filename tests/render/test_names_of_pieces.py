"""A piece has one name, in the rules, the lessons, on buttons, in the log, in refusals and in the words of pictures."""

import re
from functools import cache

import pytest

from games.core import CHANCE, Played
from render import RENDERERS
from tests.conformance.checks import movers_turn
from tests.conformance.matches import played, setups_of
from tests.conformance.policies import random_play
from tests.render.looks import LOOKS, Look
from tests.render.positions import KEYS
from tests.test_english import ROOT, Text, in_code, on_page

NAMES = tuple(f"Name{letter}" for letter in "ABCDEFGHIJ")
TYPED = re.compile(r"`[^`]*`|\(position: [^)]*\)")
"""What people type, and where a picture comes from: not what a piece is called."""
PROSE = re.compile(r"(title|before|right|otherwise|words) = ")
"""The beginning of a line of a lesson that people read."""


@cache
def on_pages(key: str) -> tuple[Text, ...]:
    """The rules of a game, and what its lessons say."""
    rules, lessons = f"games/rules/{key}.md", f"games/rules/lessons/{key}.toml"
    found = [*on_page((ROOT / rules).read_text("utf-8"), rules)]
    found += [text for text in on_page((ROOT / lessons).read_text("utf-8"), lessons) if PROSE.match(text.words)]
    return tuple(Text(where, TYPED.sub("", words)) for where, words in found)


@cache
def in_modules(key: str) -> tuple[Text, ...]:
    """The texts in the modules of a game."""
    found: list[Text] = []
    for folder in (f"games/{key}", f"render/{key}"):
        for module in sorted((ROOT / folder).glob("*.py")):
            found += in_code(module.read_text("utf-8"), f"{folder}/{module.name}")
    return tuple(found)


@cache
def said(key: str) -> tuple[Text, ...]:
    """What is said in a match: the log, the buttons, the hands and the alternative texts."""
    setup = max((setup for setup in setups_of(key) if setup.players <= 4), key=lambda setup: setup.players)
    match, draw = played(setup, random_play, 1), RENDERERS[key]
    names = NAMES[: match.header.players]
    found: dict[str, None] = {}
    for number, (before, player, action, after) in enumerate(match.moves()):
        if player != CHANCE:
            if number % 5 == 0:
                found |= dict.fromkeys(choice.label for move in movers_turn(before).moves for choice in move.choices)
            found[draw.say(Played(player, action), after.observation(player), names)] = None
        if number % 10 == 0:
            found[draw.alt_text(after.observation(None), names)] = None
            found[draw.hand_text(after.observation(max(player, 0)), names) or ""] = None
    return tuple(Text("in a match", words) for words in found)


def second_names(look: Look, words: str) -> list[str]:
    """The names in a text that aren't the one name of a piece, with the right one."""
    wrong = [
        f"{found[0]} (it's called {name})"
        for pattern, name in look.not_called.items()
        if (found := re.search(rf"\b({pattern})\b", words, re.IGNORECASE))
    ]
    for name in look.pieces:
        if name != name.lower():
            wrong += [each for each in re.findall(rf"\b{name}\b", words, re.IGNORECASE) if each != name]
    return wrong


@pytest.mark.parametrize("key", KEYS)
def test_no_piece_has_a_second_name(key: str) -> None:
    texts = (*on_pages(key), *in_modules(key), *said(key))
    wrong = {f"{where}: {words}": found for where, words in texts if (found := second_names(LOOKS[key], words))}
    assert not wrong, "\n".join(f"{found} in {text}" for text, found in wrong.items())


@pytest.mark.parametrize("key", KEYS)
def test_every_piece_is_called_so_where_it_is_explained_and_where_it_is_played(key: str) -> None:
    pages, match = ("\n".join(text.words for text in texts) for texts in (on_pages(key), said(key)))
    for name in LOOKS[key].pieces:
        assert re.search(rf"\b{name}", pages, re.IGNORECASE), f"no page explains {name}"
        assert re.search(rf"\b{name}", match, re.IGNORECASE), f"nobody says {name}"


def test_a_second_name_would_be_found() -> None:
    look = LOOKS["saboteur"]
    for wrong in ("a three-way tunnel (NES)", "a path from the start card", "the largest haul", "Diggers share gold"):
        assert second_names(look, wrong)
    assert not second_names(look, "Gold-diggers share gold, and a fork (NES) leads to the ladder.")
    assert second_names(LOOKS["gambo"], "Ann sends cat 3 to 7.") == ["cat 3"]
    assert not second_names(LOOKS["gambo"], "Ann sends Cat 3 to 7.")
