"""``/match want`` and **Ready?**: people who would play if others did; and calls to new tables (P40)."""

from __future__ import annotations

from functools import partial
from typing import Final

from cogs.client import Client
from cogs.delivery.hands import Hands
from cogs.face import Face
from cogs.pledges import calling, calls, want
from cogs.press import places
from matches.api import Kind, Match, Telling
from matches.pledges import Pledges


async def _end(by: Hands, row: Telling, match: Match) -> None:
    await calling.end(by.bot, row, match)


def _added(bot: Client) -> None:
    bot.host.part(Pledges).why_closed = partial(places.closed, bot)


FACE: Final = Face(
    verbs=want.HANDLERS,
    of_match=want.COMMANDS,
    help={
        "start": "Nobody there? `/match want` says that you'd play if others did: I ask you once there are enough. "
        "`/settings me call:` calls you when a table opens."
    },
    left_out="That table won't come about: I don't bring people together here any more.",
    of_people={"call": calls.CALL},
    whispers={Kind.CALL_OVER: _end, Kind.STOOD: calling.call_people, Kind.WANTED: calling.call},
    to_servers={Kind.CALL: calling.ask, Kind.CALL_OVER: calling.end},
    added=_added,
    opened=calls.opened,
    beside_tables=want.would_play,
)
