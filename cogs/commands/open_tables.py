"""``/tables``: the tables of this server that still have a free seat, with **Join** for each, and **New table**.

Features add what else they know of players here.
"""

from __future__ import annotations

from typing import Final

from cogs.client import Client
from cogs.commands.slash import Command, short
from cogs.lobby import lobby_buttons, lobby_picture
from cogs.press import components, rights
from cogs.press.components import Verb
from cogs.press.custom_ids import Ref
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Message, Press, whisper
from cogs.text import names, words
from games import GAMES
from games.core import GameInfo
from matches.api import Match, NotAllowed, Status, UserId
from matches.features import start_of

MAX_LISTED: Final = 10
NONE: Final = "No table that you can see has a free seat."
_NEW: Final = "newtable"


async def _tables(press: Press) -> None:
    with one_at_a_time(press, Long.TABLES):
        listed, others = await found(press, rights.server(press))
    rows = [_row(match, press.person) for match in listed]
    beside = [await face.beside_tables(press, listed) for face in press.bot.faces]
    more = "\n".join(filter(None, (f"-# And {others} more." if others else "", *(text for text, _ in beside))))
    buttons = [lobby_buttons.to_join(match) for match in listed if match.at_table(press.person) is None]
    buttons += [item for _, items in beside for item in items]
    view = components.view(*buttons, *new_table(press))
    await whisper(press, Message(words.first_that_fit(rows or [NONE], more), view=view))


async def found(press: Press, server: int) -> tuple[tuple[Match, ...], int]:
    """The newest tables with a free seat that this person can see, and how many others there are.

    Only the listed tables are read whole, and each place's permissions are computed once.
    """
    look, user = press.host.look, press.person
    visible: dict[tuple[int, int | None], bool] = {}
    seen = []
    for each in await look.open_tables(server):
        place = (each.channel_id, each.thread_id)
        if place not in visible:
            visible[place] = await rights.may_see(press, each)
        if visible[place] or user in each.seated:
            seen.append(each.id)
    listed = await look.matches(seen[:MAX_LISTED])
    return tuple(match for match in listed if match.has_room and match.status is Status.LOBBY), len(seen[MAX_LISTED:])


def _row(match: Match, user_id: UserId) -> str:
    sitting = ", ".join(map(names.in_list, match.seats)) or "nobody yet"
    seats = f"{len(match.seats)} of {match.size or match.info.max_players} seats taken"
    yours = " You're at this table." if match.seat_of(user_id) is not None else ""
    start = start_of(match)
    when = "" if start is None else f"starts {words.moment(start.at)}, "
    agreed = lobby_picture.agreed(match)
    return f"{words.title(match)} in <#{match.place_id}>: {when}{seats} ({sitting}), {agreed}.{yours}"


def hosted(bot: Client) -> list[GameInfo]:
    """The games that this bot has."""
    return [game.info for key, game in GAMES.items() if bot.tree.get_command(key) is not None]


def players(info: GameInfo) -> str:
    """How many people can play a game, in words."""
    least, most = info.min_players, info.max_players
    return f"{least} players" if least == most else f"{least} to {most} players"


def new_table(press: Press) -> list[components.Item]:
    """**New table**: the menu of games. It is empty in a direct message."""
    if press.interaction.guild_id is None:
        return []
    games = hosted(press.bot)
    offered = {info.key: f"{info.name}, {players(info)}" for info in games}
    return [components.menu(Ref(_NEW), offered, "New table", about={info.key: short(info.summary) for info in games})]


async def _open(press: Press) -> None:
    """Open a table for the picked game in this channel, like ``/<game> new``."""
    if press.picked not in GAMES:
        raise NotAllowed(words.OUT_OF_DATE)
    await lobby_buttons.open_lobby(press, press.picked, {})


TABLES: Final = Command("tables", "Tables that you can join or open, and what you'd play.", _tables)
HANDLERS: Final[dict[str, Verb]] = {_NEW: Verb(_open)}
