"""What people read sounds like a friendly person: no "he" for a player, no phrase of a statute.

The tests check the texts in the code of every room (not docstrings, comments, log lines and messages of assertions),
the pages of the rules, the lessons, the README and the preview's page.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

import pytest

from tests.sources import PROGRAM, ROOT, modules

PAGES: Final = (
    "README.md",
    "games/rules/*.md",
    "games/rules/lessons/*.toml",
    "tests/sixth/rules/*.md",
    "tests/sixth/rules/lessons/*.toml",
    "cogs/preview/page/*.html",
    "cogs/preview/page/*.js",
)

GENDERED: Final = r"\b(he|she|him|his|her|hers|himself|herself)\b"
"""A player, host or moderator is "they", a piece or a card "it"."""

STILTED: Final[dict[str, str]] = {
    r"\bon turn\b": "it's Ann's turn",
    r"\bat present\b": "right now",
    r"\bjust now\b": "right now",
    r"\bbegun\b": "started",
    r"\bstands? still\b": "is frozen, is paused",
    r"\bmay not\b": "can't",
    r"\bcan ?not\b": "can't",
    r"\bshall\b": "should",
    r"\bwhom\b": "who",
    r"\b(is|are) to (?!\d)": "should, will",
    r"\b(do|does|did|is|are|was|were|has|have|had|will|would|could|should|need) not\b(?! null)": "the contraction",
    r"\bit is (your|not|the|his|her|their)\b": "it's",
    r"\b(is|are|was|were|has|have) (gone|passed|played|moved|over) already\b": "already first",
    r"\banew\b": "again",
    r"\ban own\b": "their own",
    r"\bfor (you|their owner|who) only\b": "shown only to you",
    r"\bif nobody says otherwise\b": "by default",
    r"\bif you choose nothing\b": "default: …",
    r"\bthe computer plays\b": "a computer plays",
    r"\b(sits?|sitting) (down|here|at)\b": "joins, is at the table",
    r"\b(stands?|standing) up\b": "leaves",
    r"\bbe rid of\b": "get rid of",
    r"\bmend(s|ed|ing)?\b": "repairs",
    r"\bbrings? the roof down\b": "removes",
    r"\b(for|to) who\b": "for people who",
    r"\bnever loses a match\b": "never loses track of a match",
    r"\byour press counts\b": "nothing: **Fair deal** shows it",
    r"\bwould play `": "the move in words",
    r"\bwhole moves below\b": "Your move?",
    r"\bor on which player\b": "Where?",
    r"\bother place\b": "something else",
    r"\bfill (with|the missing seats with) computers\b": "add missing computers",
    r"\band wins (\{\}|\d+) points?\b": "Ann's Cat 3 beats Bob's Cat 3: 9 points.",
    r"^the higher total wins\b|^more captured pips win\b|\blargest haul is worth\b": "the numbers: 26 : 14",
    r"\bsections? is the most\b": "6 sections to 3",
    r"\bgold cards? drawn for\b": "Four gold cards go round.",
    r"\bsays how far off\b": "a sign and its meaning: ? = still uncertain",
    r"\bmatch(es)? that counts? you're listed\b": "Four more rated matches and you're on the list.",
    r"\bthat could be several\b": "Which match?",
    r"\byou can do this again\b": "what they can do again: You can join again in 3 days.",
    r"\bfrom the first board to the last\b": "the whole match",
    r"\bbecause of that, this match\b": "You can't gain rating in this match any more.",
    r"\beverybody builds\b": "you all build",
    r"\bthe other player makes the first move\b": "the other player moves first",
}
"""Phrases that nobody says, and what people say instead."""

UNSAID: Final = re.compile(rf"\b(?:{'|'.join([GENDERED, *STILTED])})", re.IGNORECASE)
"""Any of them; each begins with a word."""


class Text(NamedTuple):
    """Something that people read, and its place."""

    where: str
    words: str


def in_code(source: str, name: str) -> Iterator[Text]:
    """The texts of a module that have more than one word, with ``{}`` for what an f-string fills in."""
    left: list[ast.AST] = [ast.parse(source)]
    while left:
        node = left.pop()
        match node:
            # Docstrings, assertions, log lines, patterns: nothing that people read.
            case ast.Expr(value=ast.Constant()) | ast.Assert():
                continue
            case ast.Call(func=ast.Attribute(value=ast.Name(id="log" | "logging" | "re"))):
                continue
            case ast.JoinedStr(values=parts):
                words = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
                left += (part for part in parts if not isinstance(part, ast.Constant))
            case ast.Constant(value=str(words)):
                pass
            case _:
                left += [*ast.iter_child_nodes(node)][::-1]
                continue
        if " " in words.strip():
            yield Text(f"{name}:{node.lineno}", " ".join(words.split()))


def on_page(source: str, name: str) -> Iterator[Text]:
    """The lines of a page, without comments of a script."""
    for number, line in enumerate(source.splitlines(), 1):
        if line.strip() and not line.strip().startswith("//"):
            yield Text(f"{name}:{number}", line)


@cache
def read_by_people() -> list[Text]:
    """Every text that people read."""
    found: list[Text] = []
    for module in modules(*PROGRAM, "tests/sixth"):
        found += in_code(module.read_text("utf-8"), str(module.relative_to(ROOT)))
    for pattern in PAGES:
        for page in sorted(ROOT.glob(pattern)):
            found += on_page(page.read_text("utf-8"), str(page.relative_to(ROOT)))
    return found


def phrases_in(words: str) -> list[str]:
    """The phrases in a text that nobody should read."""
    return [found[0] for found in UNSAID.finditer(words)]


def test_no_person_reads_he_or_she_for_a_player_nor_what_only_a_statute_says() -> None:
    wrong = {f"{text.where}: {text.words}": found for text in read_by_people() if (found := phrases_in(text.words))}
    assert not wrong, "\n".join(f"{found} in {text}" for text, found in wrong.items())


ONCE: Final = (
    *("Cleo is on turn.", "You have no matches at present.", "This match has not begun."),
    *("Whom would you like at the table?", "The winner scores his strength times the loser's strength."),
    *("Ann cannot move and passes.", "You may not swap now.", "The computer plays your seat."),
    *("Who is to stand up?", "A sentence for who may manage it.", "The bot never loses a match."),
    *("Your press counts in the deals as `join-1`.", "Hint: a computer would play `drop ew`."),
    *("Because of that, this match can lower your rating but not raise it.",),
    *("Which of your pieces? (whole moves below)", "Where, or on which player?", "Other place"),
    *("Fill with computers", "{} attacks {} and wins {} points.", "The higher total wins."),
    *("Three rounds are over, and the largest haul is worth {}.",),
    *("No open passage is left; 6 closed sections is the most.", "4 gold cards drawn for the gold-diggers."),
    *("± says how far off a rating may be.", "You have {}; after 4 more matches that count you're listed."),
    *("That could be several matches. Please add match:2.", "You can do this again in 3 days."),
    *("Gambo #1, from the first board to the last.", "Everybody builds one maze."),
    *("You can choose a row, and the other player makes the first move.",),
)
"""What was said to people once."""


@pytest.mark.parametrize("words", ONCE)
def test_what_was_said_once_would_be_found(words: str) -> None:
    assert phrases_in(words)


def test_texts_are_found_where_people_read_them_and_only_there() -> None:
    source = '''
"""A docstring in which he shall not be found."""
KEPT = f"You are in {count} at present."
"""What is said of it, at present."""
class Thing:
    """He."""
    def __init__(self):
        log.info("he cannot be found")
        assert self, "whom it concerns"
        raise Refused("This one shall " "be found.")
'''
    assert [text.words for text in in_code(source, "thing.py")] == [
        "You are in {} at present.",
        "This one shall be found.",
    ]
    read = [text.words for text in read_by_people()]
    for said in (
        "Only the host can do that.",
        "Add computer",
        "A new path card must continue a tunnel that runs back to the ladder.",
    ):
        assert said in read
    assert any("takes over for" in words for words in read)
    assert any(words.startswith("A trick is over as soon as") for words in read)
    assert any(text.where.startswith("games/rules/lessons/") for text in read_by_people())
