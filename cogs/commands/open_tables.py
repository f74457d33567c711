"""``/match open``: the tables of this server that still have a free seat, and **Join** for each."""

from __future__ import annotations

from typing import Final

from discord import app_commands
from discord.ext import commands

from cogs.client import Client
from cogs.lobby import lobby_picture
from cogs.press import components, rights
from cogs.press.boundary import answered
from cogs.press.ids import LISTED, Ref
from cogs.press.reply import Interaction, Message, in_time, whisper
from cogs.text import names, words
from matches import Match, UserId

MAX_LISTED: Final = 10
NONE: Final = "No table that you can see has a free seat. `/help` explains how to open one."


class OpenTablesCommands(commands.Cog):
    """The part of ``/match`` that finds a table to sit down at."""

    bot: Client

    @app_commands.command(
        name="open", description="Tables on this server that you can join, in channels that you can see."
    )
    async def open_tables(self, interaction: Interaction) -> None:
        """``/match open``."""
        async with answered(interaction):
            found = await in_time(interaction, self.bot.host.look.lobbies(rights.server(interaction)))
            seen = [match for match in found if match.has_room and rights.may_look(interaction, match)]
            rows = [_row(match, UserId(interaction.user.id)) for match in seen[:MAX_LISTED]]
            more = f"-# And {len(seen) - MAX_LISTED} more." if len(seen) > MAX_LISTED else ""
            buttons = [
                components.button(Ref("join", match.id, None, (LISTED,)), f"Join {match.info.name} #{match.id}")
                for match in seen[:MAX_LISTED]
                if match.seat_of(UserId(interaction.user.id)) is None
            ]
            view = components.view(*buttons) if buttons else None
            await whisper(interaction, Message(words.first_that_fit(rows or [NONE], more), view=view))


def _row(match: Match, user_id: UserId) -> str:
    sitting = ", ".join(names.of(seat) for seat in match.seats) or "nobody yet"
    seats = f"{len(match.seats)} of {match.size or match.info.max_players} seats taken"
    yours = " You're at this table." if match.seat_of(user_id) is not None else ""
    return f"{words.title(match)} in <#{match.place_id}>: {seats} ({sitting}), {lobby_picture.agreed(match)}.{yours}"
