"""``/help``: what a newcomer needs first, then page by page what there is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import discord
from discord import app_commands

from cogs.client import Client
from cogs.commands import match
from cogs.commands.open_tables import hosted, new_table, players
from cogs.commands.slash import Choices, Command, Option
from cogs.press import components
from cogs.press.components import Style, Verb
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message, Press, answer
from cogs.text.words import first_that_fit
from games import GAMES
from games.typed import fold
from matches.api import NotAllowed

_VERB: Final = "help"

FIRST: Final = """**Ambit hosts tabletop games.** You play right here, with buttons, against people or computers.
• **Start a match** opens a table. Others press **Join**, or you add computers.
• **Learn a game** teaches it by playing, in a few minutes, just for you.
• **My matches** shows where it's your turn, like `/play`."""

_TABLE: Final = """**Start a match**
Pick a game in the menu below, and its table opens in this channel. Others press **Join**; **Add computer** gives you \
somebody to play against. The match starts when the table is full, or when you press **Start**.
`/<game> new` does the same, and also takes the number of players, people to invite, and `at`: the time at which the \
match starts. **Change …** at the table has the rest. `/tables` shows the tables that you can join."""
_TABLE_IN_DM: Final = """**Start a match**
Matches are played in the channels of a server. Go to one, and use `/play`."""

_TURN: Final = """**Your turn**
When it's your turn, the newest board mentions you.
• **Play** shows what you can do, step by step. Nothing is played until you press **Confirm**.
• **Hint**, in there, shows what a computer would play, and why. Rated matches between people have none.
• **⋯** has the rules with pictures, the log, a replay, the board as text, and what to do if somebody doesn't play on. \
**Bring the board down**, in there, posts the board once more at the bottom. `/match` shows the same.
`/<game> play` takes a move that you type. One in the rules' notation is played at once; anything else waits for \
**Confirm**. If you have several matches, I ask which one you mean."""

_CARDS: Final = """**Your cards**
• **My hand** shows your cards and your role, only to you.
• They may come by DM, too, and you can play from there. `/settings me` says which.
• You only ever see what you're allowed to know. People who watch see only what's public.
• Every deal can be checked afterwards: **Fair deal**."""

_AWAY: Final = """**If somebody doesn't play on**
• **⋯** has **Remind**, **Take back**, **Away**, **Leave**, **Resign** and **End …**. When somebody's time is up, the \
table is asked whether to wait, to let a computer play on, or to end the match.
• **Away** pauses your clocks in all your matches and tells your tables.
• If you leave a match of more than two, a computer takes your seat. You can come back with one button.
• **Take a seat** asks a table for a seat that a computer is playing. **Move here** under `/match` brings a match to \
the channel where you use it."""

_RANKS: Final = """**Ratings and profiles**
• **Finished matches** under `/match` shows what was played.
• **Replay** shows a match again, step by step. Once it's over, **Play on from here** lets you try another way.
• **Make it unrated** under **Change …** opens a table that doesn't count."""

_CHOICES: Final = """**Settings and privacy**
• `/settings me`: how you're notified, how your cards come, when you get a last look at your move, your quiet hours, \
and people to keep away from, who won't be told.
• `/settings server`, for people who manage the server: where and how matches are played, and who is barred.
• `/privacy`: what's stored about you, all of it as a file, and how to delete it."""

FORMER: Final = {
    "match list": "`/match`",
    "match board": "**Board** under `/match`",
    "match hand": "**My hand** under the board",
    "match log": "**Log** under `/match`",
    "match replay": "**Replay** under `/match`",
    "match verify": "**Fair deal** under `/match`",
    "match hint": "**Hint** under **Play**",
    "match undo": "**Take back** under `/match`",
    "match leave": "**Leave** under `/match`",
    "match resign": "**Resign** under `/match`",
    "match cancel": "**End …** under `/match`",
    "match away": "**Away** under `/match`",
    "match sit": "**Take a seat** under `/match`",
    "match move": "**Move here** under `/match`",
    "match advance": "**In advance** under `/match`",
    "match review": "**Review** under the end",
    "match reschedule": "**Another time …** under **Change …** at the table",
    "match history": "**Finished matches** under `/match`",
    "match stats": "**My statistics** under **Finished matches** of `/match`",
    "match open": "`/tables`",
    "match want": "**I'd play …** under `/tables`",
    "saboteur suspect": "**I suspect …** under `/match`",
    **{f"settings {was}": "**People to keep away from** in `/settings me`" for was in ("block", "unblock", "blocked")},
    **{f"settings {was}": "**Barred from matches** in `/settings server`" for was in ("bar", "unbar", "barred")},
    **{f"{key} board": "**Board** under `/match`" for key in GAMES},
    **{f"{key} hand": "**My hand** under the board" for key, game in GAMES.items() if game.info.hands},
}
"""Where people find now what a former command did (`docs/commands.md`)."""


class Page(NamedTuple):
    """A page of the help: its entry in the menu, and its text for a bot with these commands."""

    title: str
    text: Callable[[Client], str]


def games(bot: Client) -> str:
    """The games whose commands this bot has."""
    rows = [f"• `/{info.key} new` — {info.name}, {players(info)}: {info.summary}" for info in hosted(bot)]
    return "\n".join(("**The games**", *rows, "`/learn` teaches each of them, `/<game> rules` explains it."))


def commands(bot: Client) -> str:
    """All commands, those of the games once."""
    rows, of_games = ["**All commands**"], dict[str, None]()
    for command in sorted(bot.tree.get_commands(), key=lambda command: command.name):
        if isinstance(command, app_commands.Command):
            rows.append(f"• `/{command.name}`: {command.description}")
        elif isinstance(command, app_commands.Group) and command.name in GAMES:
            of_games |= dict.fromkeys(row.name for row in command.commands)
        elif isinstance(command, app_commands.Group):
            rows.append(f"• `/{command.name} …`: {', '.join(sorted(row.name for row in command.commands))}")
    rows.insert(1, f"• `/<game> …`: {', '.join(of_games)}")
    return "\n".join(rows)


PAGES: Final = {
    "turn": Page("Your turn", lambda _: _TURN),
    "games": Page("The games", games),
    "cards": Page("Your cards, and what others see", lambda _: _CARDS),
    "away": Page("If somebody doesn't play on", lambda _: _AWAY),
    "ranks": Page("Ratings and profiles", lambda _: _RANKS),
    "choices": Page("Settings and privacy", lambda _: _CHOICES),
    "commands": Page("All commands", commands),
}
_MINE: Final = "mine"
_START: Final = "start"
_HOME: Final = "home"


async def _help(press: Press, about: str | None = None) -> None:
    """The first page, or the one whose button was pressed or whose entry was picked, or that was searched for."""
    if about is not None and about not in PAGES:
        await answer(press, Message(_found(press.bot, about)))
        return
    (here, *_) = (*press.ref.path, *press.values, about or _HOME)
    in_server = press.interaction.guild_id is not None
    items: list[discord.ui.Item[Any]] = []
    if here == _START:
        text = _TABLE if in_server else _TABLE_IN_DM
        items = [*new_table(press)]
    elif here == _MINE:
        text, mine = await match.found(press)
        items = [*mine]
    elif here == _HOME:
        text = FIRST
    elif here in PAGES:
        text = PAGES[here].text(press.bot)
    else:
        raise NotAllowed("This page is out of date. Use `/help` again.")
    if here != _START or in_server:
        text = "\n".join((text, *(face.help[here] for face in press.bot.faces if here in face.help)))
    if here == "choices":
        items = [components.button(Ref("setme"), "My settings"), components.button(Ref("privacy"), "Privacy")]
    await answer(press, Message(text, view=components.view(*_beginning(press.bot, here), *items, _menu(here))))


def _beginning(bot: Client, here: str) -> list[components.Item]:
    """The buttons for what newcomers do first. The button of the open page is disabled."""
    offers = [offer for feature in bot.host.work.features for offer in feature.for_newcomers]
    return [
        components.button(Ref(_VERB, path=(_START,)), "Start a match", Style.success, disabled=here == _START),
        *(components.button(Ref(each.verb), each.label, Style.primary) for each in offers),
        components.button(Ref(_VERB, path=(_MINE,)), "My matches", disabled=here == _MINE),
    ]


def _menu(here: str) -> components.Item:
    titles = {_HOME: "Start here", **{name: page.title for name, page in PAGES.items()}}
    return components.menu(Ref(_VERB), titles, "More help …", {here} - {_HOME})


def _found(bot: Client, wanted: str) -> str:
    """Where the former command or the words that somebody writes are now."""
    typed = fold(wanted.strip().removeprefix("/"))
    rows = [f"• `/{name}` is now {now}." for name, now in FORMER.items() if typed and typed in fold(name)]
    if not rows:
        text = {key: page.text(bot) for key, page in PAGES.items()}
        lines = [line for page in text.values() for line in page.split("\n") if typed and typed in fold(line)]
        rows = lines or ["I know nothing about that. `/help` alone has all pages."]
    return first_that_fit(list(dict.fromkeys(rows)))


async def _offer(press: Press, current: str) -> Choices:
    """Pages of the help, and former commands, that have what is typed in them."""
    typed = fold(current.strip().removeprefix("/"))
    pages = [(page.title, key) for key, page in PAGES.items() if typed in fold(page.title)]
    return [*pages, *((f"/{name}", name) for name, now in FORMER.items() if typed and typed in fold(name))]


HANDLERS: Final[dict[str, Verb]] = {
    _VERB: Verb(_help, edits=True),
}
HELP: Final = Command(
    "help", "How to start and what you can do.", _help, {"about": Option(str, "What you look for.", _offer)}
)
