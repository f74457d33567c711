"""This game's rules for people, by section, with the sections that a refusal names."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

import discord

from cogs.table import components, words
from cogs.table.ids import Ref
from cogs.table.reply import Interaction, Message, turn_into, whisper
from games import GAMES

_TITLE = re.compile(r"^## (?P<title>.+?)(?: \((?P<rules>[A-Z][0-9]+(?:[-, A-Z0-9]*))\))?$", re.MULTILINE)
_RULE = re.compile(r"^(?P<letter>[A-Z])(?P<number>[0-9]{1,2}): ")
_SPAN = re.compile(r"(?P<letter>[A-Z])(?P<first>[0-9]+)(?:-[A-Z]?(?P<last>[0-9]+))?")
_MAX_SECTION: Final = 1900


class Section(NamedTuple):
    """One section of a game's rules: its title, its text and the rule numbers that it covers."""

    title: str
    text: str
    rules: frozenset[tuple[str, int]]


@cache
def sections(game: str) -> tuple[Section, ...]:
    """The sections of ``games/rules/<game>.md``, in order."""
    text = resources.files("games").joinpath("rules", f"{game}.md").read_text("utf-8")
    titles = list(_TITLE.finditer(text))
    ends = [title.start() for title in titles[1:]] + [len(text)]
    return tuple(
        Section(title["title"], text[title.end() : end].strip()[:_MAX_SECTION], _covered(title["rules"] or ""))
        for title, end in zip(titles, ends, strict=True)
    )


def _covered(spans: str) -> frozenset[tuple[str, int]]:
    """``S5-S7, S9`` as the set of rules that it means."""
    return frozenset(
        (span["letter"], number)
        for span in _SPAN.finditer(spans)
        for number in range(int(span["first"]), int(span["last"] or span["first"]) + 1)
    )


def section_for_refusal(sentence: str) -> tuple[str, str] | None:
    """The game and the number of the section that explains a refusal such as ``S7: …``."""
    rule = _RULE.match(sentence)
    if rule is None:
        return None
    wanted = (rule["letter"], int(rule["number"]))
    for game in GAMES:
        for number, section in enumerate(sections(game)):
            if wanted in section.rules:
                return game, str(number)
    return None


def page(game: str, number: int) -> Message:
    """One section, with a menu of all of them."""
    info, all_sections = GAMES[game].info, sections(game)
    number = min(max(number, 0), len(all_sections) - 1)
    section = all_sections[number]
    options = [
        discord.SelectOption(label=each.title[:100], value=str(index), default=index == number)
        for index, each in enumerate(all_sections[:25])
    ]
    return Message(
        f"**{info.name}: {section.title}**\n{section.text}",
        view=components.view(components.menu(Ref("section", None, None, (game,)), options, "Another section")),
    )


async def open_rules(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """The button **Rules**, on a board (the game's first section) or under a refusal (the section it names)."""
    if ref.match is not None:
        game, number = (await interaction.client.host.match(ref.match)).game, "0"
    else:
        game, number = ref.path if len(ref.path) == 2 else ("", "")
    await whisper(interaction, _page_or_apology(game, number))


async def turn_to_section(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """The menu of sections."""
    message = _page_or_apology(ref.path[0] if ref.path else "", values[0] if values else "0")
    await turn_into(interaction, message)


def _page_or_apology(game: str, number: str) -> Message:
    return page(game, int(number)) if game in GAMES and number.isdecimal() else Message(words.OUT_OF_DATE)


HANDLERS: Final[dict[str, components.Handler]] = {"rules": open_rules, "section": turn_to_section}
