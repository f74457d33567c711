"""``/match want`` and **Ready?**: people who would play if others did; and calls to new tables (P40)."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Final

from cogs.client import Client
from cogs.commands.setting_pages import Choice, Kept, Setting
from cogs.delivery.hands import Hands
from cogs.face import Face
from cogs.pledges import calling, want
from cogs.post import dms
from cogs.press import places
from cogs.press.reply import Message, Press, whisper
from games import GAMES
from matches.api import Kind, Match, NotAllowed, Telling
from matches.pledges import CallMeRow, Pledges
from matches.pledges.calls import STANDS

NONE: Final = "none"
CALLED_HERE: Final = "As you've chosen with `/settings me`, I'll call you here when a table opens."
CALLED_BY_MENTION: Final = "Your DMs are closed to me, so I'll mention you at the table, where everybody can see it."
CALLING: Final = (
    "Some people here want to know of new {0} tables. If yours still has room in {1} minutes, I'll call those I may. "
    "I do that for one {0} table of yours a day."
)


async def opened(press: Press, match: Match) -> None:
    """Have a table that somebody has just opened call people who want that, and tell its host if several do."""
    everywhere = await places.is_open(press, match.channel_id)
    if await press.host.part(Pledges).call_later(match.id, press.person, everywhere=everywhere):
        await whisper(press, Message(CALLING.format(match.info.name, STANDS // timedelta(minutes=1))))


async def _keep(press: Press, word: str | None) -> Kept:
    """Store which games' new tables a person is called to here.

    `word`: the key of one more game, or "none"; ``None`` changes nothing.
    """
    guild_id, channel_id, pledges = press.interaction.guild_id, press.interaction.channel_id, press.host.part(Pledges)
    if guild_id is None or channel_id is None:
        if word is not None:
            raise NotAllowed("That's for each server: use `/settings me` on the server whose tables you mean.")
        return Kept((), "none", "None")
    note, before = "", await pledges.called_for(guild_id, press.person)
    if word == NONE:
        for game in before:
            await pledges.call_me(guild_id, press.person, game, None)
    elif word is not None:
        mention = not await dms.hears_calls(press.bot, press.person, CALLED_HERE)
        note = CALLED_BY_MENTION if mention else ""
        await pledges.call_me(guild_id, press.person, word, CallMeRow(channel_id, mention))
    found = await pledges.called_for(guild_id, press.person)
    games = tuple(key for key in GAMES if key in found)
    named = ", ".join(GAMES[key].info.name for key in games)
    return Kept(games, named or "none", named or "None", note)


CALL: Final = Setting(
    "Call me",
    "Call me when somebody opens a table of this game here, once a day at most.",
    "New tables here that I call you to: {}",
    "",
    (
        Choice(NONE, "None", (), "none", "I don't call you to new tables"),
        *(Choice(key, GAMES[key].info.name, key, f"a new table of {GAMES[key].info.name}") for key in GAMES),
    ),
    keep=_keep,
)


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
    of_people={"call": CALL},
    whispers={Kind.CALL_OVER: _end, Kind.STOOD: calling.call_people, Kind.WANTED: calling.call},
    to_servers={Kind.CALL: calling.ask, Kind.CALL_OVER: calling.end},
    added=_added,
    opened=opened,
    beside_tables=want.would_play,
)
