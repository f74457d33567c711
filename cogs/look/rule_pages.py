"""The pages of a game's rules for people: the game in five lines, then section by section (P9)."""

from __future__ import annotations

from typing import Final

from cogs.post import boards, pictures
from cogs.press import components, places
from cogs.press.components import Style, Verb
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message, Press, answer
from cogs.text import words
from cogs.text.sections import sections
from games import GAMES


async def show(press: Press, game: str, number: int) -> None:
    """One section, with a menu of all of them and its pictures: a new private message, or the pressed one changed."""
    await answer(press, await _page(press, game, number))


async def _page(press: Press, game: str, number: int) -> Message:
    number = min(max(number, 0), len(sections(game)) - 1)
    titles = {str(index): each.title for index, each in enumerate(sections(game)[:25])}
    shown = sections(game)[number].illustrations if places.may_attach(press) else ()
    settings = await press.host.settings.player_settings(press.person)
    offers = number == 0 and game not in await press.host.known_games(press.person)
    return Message(
        text(game, number, with_pictures=bool(shown)),
        await pictures.illustrations(shown, settings),
        components.view(
            components.menu(Ref("section", None, None, (game,)), titles, "Another section", (str(number),)),
            _turning(game, number - 1, "◀ Back"),
            _turning(game, number + 1, "Next ▶"),
            *(boards.of_game(press.bot, game, Style.success) if offers else []),
        ),
    )


def _turning(game: str, number: int, label: str) -> components.Item:
    """A button to the section before or after; disabled if there is none."""
    nowhere = not 0 <= number < len(sections(game))
    return components.button(Ref("section", None, None, (game, str(max(0, number)))), label, disabled=nowhere)


def text(game: str, number: int, *, with_pictures: bool = True) -> str:
    """A section in words. Below it are captions of its pictures, or examples for people who see no pictures (P29)."""
    section = sections(game)[number]
    kind, several = "Picture" if with_pictures else "Example", len(section.illustrations) > 1
    captions = (
        f"-# {kind}{f' {which}' if several else ''}: {shown.alt}"
        for which, shown in enumerate(section.illustrations, 1)
    )
    return "\n".join((f"**{GAMES[game].info.name}: {section.title}**", section.text, *captions))


async def open_rules(press: Press) -> None:
    """The button **Rules**, on a board (the game's first section) or under a refusal (the section it names)."""
    if press.match is not None:
        game, number = press.match.game, "0"
    else:
        game, number = press.ref.path if len(press.ref.path) == 2 else ("", "")
    await _show_or_apologize(press, game, number)


async def turn_to_section(press: Press) -> None:
    """The menu of sections, and the buttons beside it, which carry the section that they lead to."""
    game, *named = press.ref.path or ("",)
    (number, *_) = (*press.values, *named, "0")
    await _show_or_apologize(press, game, number)


async def _show_or_apologize(press: Press, game: str, number: str) -> None:
    if game in GAMES and number.isdecimal():
        await show(press, game, int(number))
    else:
        await answer(press, Message(words.OUT_OF_DATE))


HANDLERS: Final[dict[str, Verb]] = {"rules": Verb(open_rules), "section": Verb(turn_to_section, edits=True)}
