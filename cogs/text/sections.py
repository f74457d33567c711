"""The rules by section: reads a game's page, and finds the section of a rule."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from games import GAMES, pages
from games.illustrations import Illustration, split_illustrations

_TITLE = re.compile(r"^## (?P<title>.+?)(?: \((?P<rules>[A-Z][0-9]+(?:[-, A-Z0-9]*))\))?$", re.MULTILINE)
_SPAN = re.compile(r"(?P<letter>[A-Z])(?P<first>[0-9]+)(?:-[A-Z]?(?P<last>[0-9]+))?")
_MAX_SECTION: Final = 1900


class Section(NamedTuple):
    """A section of a game's rules: its title, text, rule numbers and pictures."""

    title: str
    text: str
    rules: frozenset[str]
    illustrations: tuple[Illustration, ...]


@cache
def sections(game: str) -> tuple[Section, ...]:
    """Return the sections of a game's page, in order."""
    text = pages.page(game)
    titles = list(_TITLE.finditer(text))
    ends = [title.start() for title in titles[1:]] + [len(text)]
    found = []
    for title, end in zip(titles, ends, strict=True):
        prose, illustrations = split_illustrations(text[title.end() : end])
        found.append(Section(title["title"], prose[:_MAX_SECTION], _covered(title["rules"] or ""), illustrations))
    return tuple(found)


def _covered(spans: str) -> frozenset[str]:
    """Return the set of rules that a text such as ``S5-S7, S9`` names."""
    return frozenset(
        f"{span['letter']}{number}"
        for span in _SPAN.finditer(spans)
        for number in range(int(span["first"]), int(span["last"] or span["first"]) + 1)
    )


def section_for_rule(rule: str) -> tuple[str, str] | None:
    """Return the game, and the number of the section, for a rule such as ``S7``."""
    for game in GAMES:
        for number, section in enumerate(sections(game)):
            if rule in section.rules:
                return game, str(number)
    return None
