"""The rules for people by section: a game's page read, and which section a rule's number leads to."""

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
    """One section of a game's rules: its title, its text, the rule numbers that it covers and its pictures."""

    title: str
    text: str
    rules: frozenset[str]
    illustrations: tuple[Illustration, ...]


@cache
def sections(game: str) -> tuple[Section, ...]:
    """The sections of a game's page, in order."""
    text = pages.page(game)
    titles = list(_TITLE.finditer(text))
    ends = [title.start() for title in titles[1:]] + [len(text)]
    found = []
    for title, end in zip(titles, ends, strict=True):
        prose, illustrations = split_illustrations(text[title.end() : end])
        found.append(Section(title["title"], prose[:_MAX_SECTION], _covered(title["rules"] or ""), illustrations))
    return tuple(found)


def _covered(spans: str) -> frozenset[str]:
    """``S5-S7, S9`` as the set of rules that it means."""
    return frozenset(
        f"{span['letter']}{number}"
        for span in _SPAN.finditer(spans)
        for number in range(int(span["first"]), int(span["last"] or span["first"]) + 1)
    )


def section_for_rule(rule: str) -> tuple[str, str] | None:
    """The game and the number of the section that explains a rule such as ``S7``."""
    for game in GAMES:
        for number, section in enumerate(sections(game)):
            if rule in section.rules:
                return game, str(number)
    return None
