"""``/match open``: the tables of this server that still have a free seat, and **Join** for each.

Features add what else they know of players here.
"""

from __future__ import annotations

from typing import Final

from cogs.commands.slash import Command
from cogs.lobby import lobby_picture
from cogs.press import components, rights
from cogs.press.custom_ids import LISTED, Ref
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Message, Press, whisper
from cogs.text import names, words
from matches.api import Match, Status, UserId
from matches.features import start_of

MAX_LISTED: Final = 10
NONE: Final = "No table that you can see has a free seat. `/help` explains how to open one."


async def _open(press: Press) -> None:
    with one_at_a_time(press, Long.TABLES):
        listed, others = await _found(press, rights.server(press))
    rows = [_row(match, press.person) for match in listed]
    told = [await face.beside_tables(press) for face in press.bot.faces]
    more = "\n".join(filter(None, (f"-# And {others} more." if others else "", *told)))
    buttons = [
        components.button(Ref("join", match.id, None, (LISTED,)), f"Join {match.info.name} #{match.id}")
        for match in listed
        if match.at_table(press.person) is None
    ]
    view = components.view(*buttons) if buttons else None
    await whisper(press, Message(words.first_that_fit(rows or [NONE], more), view=view))


async def _found(press: Press, server: int) -> tuple[tuple[Match, ...], int]:
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


COMMANDS: Final = (Command("open", "Tables on this server that you can join, in channels that you can see.", _open),)
