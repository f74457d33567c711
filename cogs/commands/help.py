"""``/help``: what a newcomer needs first, then page by page what there is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import discord
from discord import app_commands

from cogs.client import Client
from cogs.commands.match import my_matches
from cogs.commands.slash import Command, short
from cogs.lobby import lobby_buttons
from cogs.press import components
from cogs.press.components import Style, Verb
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message, Press, answer
from games import GAMES
from games.core import GameInfo
from matches.api import NotAllowed

_VERB: Final = "help"
_NEW: Final = "newtable"

FIRST: Final = """**Ambit hosts tabletop games.** You play right here, with buttons, against people or computers.
• **Start a match** opens a table. Others press **Join**, or you add computers.
• **Learn a game** teaches it by playing, in a few minutes, just for you.
• **My matches** shows where it's your turn."""

_TABLE: Final = """**Start a match**
Pick a game in the menu below, and its table opens in this channel. Others press **Join**; **Add computer** gives you \
somebody to play against. The match starts when the table is full, or when you press **Start**.
`/<game> new` does the same, and also takes the number of players, the pace, people to invite, and `at`: the time at \
which the match starts. `/match open` shows the tables that you can join."""
_TABLE_IN_DM: Final = """**Start a match**
Matches are played in the channels of a server. Go to one, and use `/<game> new`."""

_TURN: Final = """**Your turn**
When it's your turn, the newest board mentions you.
• **Play** shows what you can do, step by step. Nothing is played until you press **Confirm**.
• **Hint**, in there, shows what a computer would play. Rated matches between people have none.
• **⋯** has the rules with pictures, the log, a replay, the board as text, and what to do if somebody doesn't play on. \
**Bring the board down**, in there, posts the board once more at the bottom.
`/<game> play` does the same. A move typed in the rules' notation is played at once; anything else waits for \
**Confirm**. If you have several matches, I ask which one you mean."""

_CARDS: Final = """**Your cards**
• **My hand** shows your cards and your role, only to you.
• They may come by DM, too, and you can play from there. `/settings me` says which.
• You only ever see what you're allowed to know. People who watch see only what's public.
• Every deal can be checked afterwards: **Fair deal**, or `/match verify`."""

_AWAY: Final = """**If somebody doesn't play on**
• **⋯** has **Remind**, **Take back**, **Away** (your clocks pause, and I tell your tables), **Leave** and **Resign**. \
When somebody's time is up, the table is asked whether to wait, to let a computer play on, or to end the match.
• If you leave a match of more than two, a computer takes your seat. You can come back with one button.
• `/match sit` asks a table for a seat that a computer is playing, `/match move` brings a match to another channel."""

_RANKS: Final = """**Ratings and profiles**
• `/match history` and `/match stats` show what was played.
• **Replay** shows a match again, step by step. Once it's over, **Play on from here** lets you try another way.
• Open a table with `rated:no` if it shouldn't count."""

_CHOICES: Final = """**Settings and privacy**
• `/settings me`: how you're notified, how your cards come, when you get a last look at your move, your quiet \
hours, and people to keep you away from. They won't be told.
• `/settings server`, for people who manage the server: where and how matches are played. Moderators bar people there.
• `/privacy`: what's stored about you, all of it as a file, and how to delete it."""


class Page(NamedTuple):
    """A page of the help: its entry in the menu, and its text for a bot with these commands."""

    title: str
    text: Callable[[Client], str]


def games(bot: Client) -> str:
    """The games whose commands this bot has."""
    rows = [f"• `/{info.key} new` — {info.name}, {_players(info)}: {info.summary}" for info in _hosted(bot)]
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


def _hosted(bot: Client) -> list[GameInfo]:
    return [game.info for key, game in GAMES.items() if bot.tree.get_command(key) is not None]


def _players(info: GameInfo) -> str:
    least, most = info.min_players, info.max_players
    return f"{least} players" if least == most else f"{least} to {most} players"


async def _help(press: Press) -> None:
    """The first page, or the one whose button was pressed or whose entry was picked."""
    (here, *_) = (*press.ref.path, *press.values, _HOME)
    in_server = press.interaction.guild_id is not None
    items: list[discord.ui.Item[Any]] = []
    if here == _START:
        text = _TABLE if in_server else _TABLE_IN_DM
        items = [_games_menu(press.bot)] if in_server else []
    elif here == _MINE:
        text = await my_matches(press)
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


def _games_menu(bot: Client) -> components.Item:
    games = _hosted(bot)
    offered = {info.key: f"{info.name}, {_players(info)}" for info in games}
    about = {info.key: short(info.summary) for info in games}
    return components.menu(Ref(_NEW), offered, "Open a table for …", about=about)


def _menu(here: str) -> components.Item:
    titles = {_HOME: "Start here", **{name: page.title for name, page in PAGES.items()}}
    return components.menu(Ref(_VERB), titles, "More help …", {here} - {_HOME})


async def _open_table(press: Press) -> None:
    """Open a table for the picked game in this channel, like ``/<game> new``."""
    if press.picked not in GAMES:
        raise NotAllowed("This page is out of date. Use `/help` again.")
    await lobby_buttons.open_lobby(press, press.picked, {})


HANDLERS: Final[dict[str, Verb]] = {
    _VERB: Verb(_help, edits=True),
    _NEW: Verb(_open_table),
}
HELP: Final = Command("help", "How to start a match and what you can do in one.", _help)
