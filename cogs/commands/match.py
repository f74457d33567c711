"""``/match``: the commands that every game shares (P18).

The value is in `matches/records/match.py`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal

import discord
from discord import app_commands
from discord.ext import commands

from cogs.client import Client
from cogs.commands import finding
from cogs.commands.absence import AbsenceCommands
from cogs.commands.archive import ArchiveCommands
from cogs.commands.open_tables import OpenTablesCommands
from cogs.look import private, replay
from cogs.play import ending, hint, seats
from cogs.press.boundary import answered
from cogs.press.reply import Interaction, Message, whisper
from cogs.text import words
from matches.api import Match, NotAllowed, Status, UserId

EVERYWHERE: Final = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)

_match = app_commands.describe(match=finding.MATCH)
_autocomplete = finding.complete_match


class MatchCog(
    AbsenceCommands,
    ArchiveCommands,
    OpenTablesCommands,
    commands.GroupCog,
    group_name="match",
    group_description="Your matches.",
):
    """``/match list|board|hand|log|replay|hint|undo|resign|cancel|verify``, and what the bases add."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        assert self.app_command is not None
        self.app_command.allowed_contexts = EVERYWHERE

    @app_commands.command(name="list", description="All your matches; the ones waiting for you come first.")
    async def list_matches(self, interaction: Interaction) -> None:
        """``/match list``."""
        async with answered(interaction) as press:
            matches = await self.bot.host.look.matches_of(press.person)
            now = self.bot.host.now()
            rows = [_row(match, press.person, now) for match in matches]
            none = ["You have no matches right now. `/help` explains how to start one."]
            await whisper(press, Message(words.first_that_fit(rows or none)))

    @app_commands.command(description="The current board, shown only to you.")
    @app_commands.autocomplete(match=_autocomplete)
    @_match
    async def board(self, interaction: Interaction, match: int | None = None) -> None:
        """``/match board``."""
        async with answered(interaction) as press:
            found = await finding.find_match(press, match, recent=True)
            await private.show_board(press, found)

    @app_commands.command(description="Your cards and everything only you know.")
    @app_commands.autocomplete(match=_autocomplete)
    @_match
    async def hand(self, interaction: Interaction, match: int | None = None) -> None:
        """``/match hand``."""
        async with answered(interaction) as press:
            found = await finding.find_match(press, match, seated=True)
            await private.show_hand(press, found)

    @app_commands.command(description="What has happened so far, as far as you may see it.")
    @app_commands.autocomplete(match=_autocomplete)
    @app_commands.describe(match=finding.MATCH, file="The whole log of a finished match as a file.")
    async def log(
        self, interaction: Interaction, match: int | None = None, file: Literal["yes", "no"] | None = None
    ) -> None:
        """``/match log``."""
        async with answered(interaction) as press:
            found = await finding.find_match(press, match, recent=True)
            await private.show_log(press, found, file)

    @app_commands.command(description="What a computer would play in your place, shown only to you.")
    @app_commands.autocomplete(match=_autocomplete)
    @_match
    async def hint(self, interaction: Interaction, match: int | None = None) -> None:
        """``/match hint``."""
        async with answered(interaction) as press:
            found = await finding.find_match(press, match, seated=True)
            await hint.show(press, found)

    @app_commands.command(description="Replay a match step by step.")
    @app_commands.autocomplete(match=_autocomplete)
    @_match
    async def replay(self, interaction: Interaction, match: int | None = None) -> None:
        """``/match replay``."""
        async with answered(interaction) as press:
            found = await finding.find_match(press, match, recent=True)
            await replay.show(press, found)

    @app_commands.command(description="Take the last move back, if everybody who plays agrees.")
    @app_commands.autocomplete(match=_autocomplete)
    @_match
    async def undo(self, interaction: Interaction, match: int | None = None) -> None:
        """``/match undo``."""
        async with answered(interaction) as press:
            await seats.take_move_back(press, await finding.find_match(press, match, seated=True))

    @app_commands.command(description="Resign from a match.")
    @app_commands.autocomplete(match=_autocomplete)
    @_match
    async def resign(self, interaction: Interaction, match: int | None = None) -> None:
        """``/match resign``."""
        async with answered(interaction) as press:
            await seats.ask_resign(press, await finding.find_match(press, match, seated=True))

    @app_commands.command(description="Close a table; once the match has started, a majority of its players decides.")
    @app_commands.autocomplete(match=_autocomplete)
    @_match
    async def cancel(self, interaction: Interaction, match: int | None = None) -> None:
        """``/match cancel``."""
        async with answered(interaction) as press:
            await ending.ask_cancel(press, await finding.find_match(press, match))

    @app_commands.command(description="Check that the deals of a finished match were fair.")
    @app_commands.autocomplete(match=_autocomplete)
    @_match
    async def verify(self, interaction: Interaction, match: int | None = None) -> None:
        """``/match verify``."""
        async with answered(interaction) as press:
            found = await finding.find_match(press, match, recent=True)
            if found.status is not Status.OVER:
                raise NotAllowed("A match's seed is revealed when it's over; then anyone can check the deals.")
            proof = await self.bot.host.look.verify(found.id)
            rest = "what's left" if found.is_pruned else "everything"
            verdict = f"{rest} checks out" if proof.ok else "something doesn't match"
            how = (
                "If somebody kept this match's file: `python verify_deals.py FILE SUM` checks its deals."
                if found.is_pruned
                else f"`/match log match:{found.id} file:yes` has everything you need to check this without me."
            )
            text = (
                f"{words.title(found)}: {verdict}. {proof.explanation}\n"
                f"Seed: `{proof.seed}`\nCommitment: `{proof.commitment}`\nSum: `{proof.sum}`\n"
                f"-# {how}"
            )
            await whisper(press, Message(text))


def _row(match: Match, user_id: UserId, now: datetime) -> str:
    state = {
        Status.LOBBY: "not started",
        Status.FROZEN: "frozen",
    }.get(match.status, "**your turn**" if match.waits_for(user_id) else "waiting for others")
    # While somebody is away the time that others have waited for them begins later.
    waited = match.turn_at is not None and match.turn_at <= now
    since = f" {discord.utils.format_dt(match.turn_at, 'R')}" if match.turn_at is not None and waited else ""
    lost = "; I can't post there; use `/match move` in another channel" if match.lost is not None else ""
    return f"{words.title(match)}: {state}{since} ({words.link(match)}{lost})"
