"""Buttons, menus and forms. What they mean stands in their custom_id, so the router needs nothing else of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

import discord

from cogs import internals
from cogs.press.custom_ids import BUTTON, FORM, MENU, Ref
from cogs.press.reply import Message, Press
from cogs.text.words import OUT_OF_DATE
from matches.api import Match, NotAllowed

MAX_PICKED: Final = 25
"""Discord's limit for the entries that are picked in one menu."""

MAX_WRITTEN: Final = 100
"""The most characters that somebody can write in a form."""

_TYPE = discord.ChannelType
Style = discord.ButtonStyle
WITH_MESSAGES: Final = (_TYPE.text, _TYPE.news, _TYPE.voice, _TYPE.stage_voice, _TYPE.forum)
"""The kinds of channels in which, or in whose threads, a match can be played."""

Edits = bool | Callable[[Ref], bool]
Item: TypeAlias = discord.ui.Item[Any]


class Form(NamedTuple):
    """A form with one line that somebody fills in: its title, the question, and what could be written there."""

    title: str
    question: str
    example: str

    def modal(self, ref: Ref) -> discord.ui.Modal:
        """The form as Discord shows it. Like a button it is kept nowhere: its custom_id says what it's about."""
        line = discord.ui.TextInput[Any](custom_id=FORM, placeholder=self.example, max_length=MAX_WRITTEN)
        made = discord.ui.Modal(title=self.title, custom_id=ref.custom_id(FORM))
        made.add_item(discord.ui.Label(text=self.question, component=line))
        made.stop()
        return made


class Verb(NamedTuple):
    """What buttons and menus with this verb do.

    `edits`: whether the answer replaces the pressed message, always or for some buttons. Otherwise the answer is
    private. A deferral must say which of the two follows. The router checks that the person may look at the match, if
    the button names one.

    `form`: a button without a path, or a menu's entry `TYPED`, opens it. The handler finds what was sent in
    `Press.written`.
    """

    handler: Callable[[Press], Awaitable[None]]
    edits: Edits = False
    form: Form | None = None


def of_match(
    body: Callable[[Press, Match], Awaitable[None]], *, edits: Edits = False, form: Form | None = None
) -> Verb:
    """A verb whose buttons name a match. Commands run the same `body` with the match that they have found."""

    async def handler(press: Press) -> None:
        if press.match is None:
            raise NotAllowed(OUT_OF_DATE)
        await body(press, press.match)

    return Verb(handler, edits, form)


def button(
    ref: Ref, label: str, style: Style = Style.secondary, *, row: int | None = None, disabled: bool = False
) -> Item:
    """A button with this meaning."""
    custom_id = ref.custom_id(BUTTON)
    return discord.ui.Button(label=label, style=style, custom_id=custom_id, row=row, disabled=disabled)


def link(address: str, label: str) -> discord.ui.Button[Any]:
    """A button that opens a web page."""
    return discord.ui.Button(label=label, url=address)


def menu(
    ref: Ref,
    offered: Mapping[str, str],
    placeholder: str,
    now: Collection[str] = (),
    *,
    about: Mapping[str, str] = MappingProxyType({}),
    any_number: bool = False,
) -> Item:
    """A menu of 1 to 25 values, each `offered` in words, from which one is picked, or `any_number` of them.

    `now`: those that are shown as picked. `about`: what stands below the words of a value.
    """
    least, most = (0, len(offered)) if any_number else (1, 1)
    return discord.ui.Select[Any](
        custom_id=ref.custom_id(MENU),
        options=[
            discord.SelectOption(label=label[:100], value=value, description=about.get(value), default=value in now)
            for value, label in offered.items()
        ],
        placeholder=placeholder[:150],
        min_values=least,
        max_values=most,
    )


def channel_menu(ref: Ref, chosen: Iterable[int], placeholder: str, at_most: int = MAX_PICKED) -> Item:
    """A menu of the server's channels from which some are picked, 25 at most, with those `chosen` so far."""
    known = [discord.SelectDefaultValue.from_channel(discord.Object(each)) for each in chosen]
    return discord.ui.ChannelSelect(
        custom_id=ref.custom_id(MENU),
        placeholder=placeholder,
        channel_types=list(WITH_MESSAGES),
        max_values=min(at_most, MAX_PICKED),
        default_values=known if len(known) <= MAX_PICKED else [],
    )


def person_menu(ref: Ref, placeholder: str) -> Item:
    """A menu of the server's people from which one is picked."""
    return discord.ui.UserSelect(custom_id=ref.custom_id(MENU), placeholder=placeholder)


def question(text: str, yes: Ref, label: str) -> Message:
    """Ask whether somebody really wants something that can't be undone, with a red button."""
    return Message(text, view=view(button(yes, label, Style.danger)))


def choice(text: str, ref: Ref, offered: Mapping[str, str], placeholder: str) -> Message:
    """Let somebody pick one value of `offered` in a menu, which shows the words for each value."""
    return Message(text, view=view(menu(ref, offered, placeholder)))


def view(*items: discord.ui.Item[Any]) -> discord.ui.View:
    """A message's components. Nothing of it is kept in memory: a press finds its meaning by its custom_id."""
    made = discord.ui.View(timeout=None)
    for item in items:
        made.add_item(item)
        internals.unlink_item(item)
    # discord.py would wait a quarter of an hour for presses on every private message, with a task of its own for each.
    made.stop()
    return made
