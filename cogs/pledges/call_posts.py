"""The question **Ready?** to a person whose pledge fits those of others, and what it becomes (P40)."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import discord

from cogs.lobby.lobby_picture import PACES
from cogs.press import components
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message
from cogs.text import words
from games import GAMES
from matches.api import Match, Status, UserId
from matches.pledges import Call, Readiness
from matches.pledges.starting import starts_by

NOT_THIS_TIME: Final = (
    "That table didn't come about, or your answer came too late. What you'd play stays: `/tables` shows it."
)
NOT_NOW: Final = "OK, not this time. What you'd play stays, and I won't ask you again for a while: `/tables` shows it."


def question(call: Call, server: str, *, mention: bool) -> Message:
    """Ask a person of this server whether they're ready; `mention`: in a channel, where others can read it."""
    table, guild_id = call.table, call.pledged.guild_id
    name = GAMES[table.game].info.name
    place = f"https://discord.com/channels/{guild_id}/{call.pledged.row.channel_id}"
    lines = [
        f"**Ready for {name}?** {table.size} people would play, {PACES[table.pace]}.",
        f"Say yes and you're in. You can answer until {_moment(table.until)}.",
    ]
    if mention:
        lines[0] = f"<@{call.pledged.user_id}>: {lines[0]}"
    else:
        lines.append(f"-# You said you'd play on [{server}]({place}): `/tables` there changes that.")
    view = components.view(
        components.button(Ref("willplay", path=(str(table.id),)), "I'm ready", components.Style.success),
        components.button(Ref("wontplay", path=(str(table.id),)), "Not now"),
    )
    rung = [discord.Object(call.pledged.user_id)] if mention else []
    return Message("\n".join(lines), view=view, mentions=discord.AllowedMentions(users=rung))


def _moment(until: datetime) -> str:
    return f"{discord.utils.format_dt(until, 't')} ({discord.utils.format_dt(until, 'R')})"


def answered(readiness: Readiness) -> Message:
    """What a person reads after saying yes."""
    table, match = readiness
    if match is not None:
        return opened(match)
    return Message(
        f"**You're in** for {GAMES[table.game].info.name}. The table opens as soon as enough people are ready; the "
        f"others can answer until {_moment(table.until)}.",
        view=components.view(components.button(Ref("wontplay", path=(str(table.id),)), "I can't after all")),
    )


def opened(match: Match) -> Message:
    """What a person reads once their table has opened, and once it has started."""
    if match.status not in (Status.LOBBY, Status.CANCELLED):
        return Message(f"{words.title(match)} has started: {words.link(match)}.")
    # The time itself may change, and nobody edits this then.
    when = "" if starts_by(match) is None else " It starts by itself; the lobby says when."
    return Message(f"**Your table is open**: {words.title(match)} ({words.link(match)}).{when}")


def wanted(match: Match, user_id: UserId, *, mention: bool) -> Message:
    """Call a person who wants to know that a table of this game is open."""
    whom = f"<@{user_id}>: a" if mention else "A"
    text = f"{whom} table is open: {words.title(match)} ({words.link(match)})."
    if not mention:
        text += "\n-# You're called because you chose that in `/settings me` there, once a day at most."
    rung = [discord.Object(user_id)] if mention else []
    return Message(text, mentions=discord.AllowedMentions(users=rung))
