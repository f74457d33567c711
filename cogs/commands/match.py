"""``/match``: the commands that every game shares (P18).

`Match` is in `matches/records/match.py`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final, Literal

import discord

from cogs.commands import absence, archive, open_tables
from cogs.commands.finding import Which, match_command
from cogs.commands.slash import Command, Group, Option
from cogs.look import fair_deal, private, replay
from cogs.play import ending, hint, seats
from cogs.press.reply import Message, Press, whisper
from cogs.text import words
from matches.api import Match, Status, UserId
from matches.features import start_of


async def _list(press: Press) -> None:
    await whisper(press, Message(await my_matches(press)))


async def my_matches(press: Press) -> str:
    """All matches of a person, those that wait for them first."""
    matches, now = await press.host.look.matches_of(press.person), press.host.now()
    rows = [_row(match, press.person, now) for match in matches]
    return words.first_that_fit(rows or ["You have no matches right now. `/help` explains how to start one."])


def _row(match: Match, user_id: UserId, now: datetime) -> str:
    start = start_of(match)
    state = {
        Status.LOBBY: "not started" if start is None else f"starts {words.moment(start.at)}",
        Status.FROZEN: "frozen",
    }.get(match.status, "**your turn**" if match.waits_for(user_id) else "waiting for others")
    # If the player was away, their turn counts from later on: `turn_at` may still lie ahead.
    waited = match.turn_at is not None and match.turn_at <= now
    since = f" {discord.utils.format_dt(match.turn_at, 'R')}" if match.turn_at is not None and waited else ""
    lost = "; I can't post there; use `/match move` in another channel" if match.lost is not None else ""
    return f"{words.title(match)}: {state}{since} ({words.link(match)}{lost})"


_FILE: Final = Option(Literal["yes", "no"], "The whole log of a finished match as a file.")


MATCH: Final = Group(
    "match",
    "Your matches.",
    (
        *open_tables.COMMANDS,
        *archive.COMMANDS,
        *absence.COMMANDS,
        Command("list", "All your matches; the ones waiting for you come first.", _list),
        match_command("board", "The current board, shown only to you.", private.show_board, Which.RECENT),
        match_command("hand", "Your cards and everything only you know.", private.show_hand, Which.SEATED),
        match_command(
            "log",
            "What has happened so far, as far as you may see it.",
            private.show_log,
            Which.RECENT,
            after={"file": _FILE},
        ),
        match_command("hint", "What a computer would play in your place, shown only to you.", hint.show, Which.SEATED),
        match_command("replay", "Replay a match step by step.", replay.show, Which.RECENT),
        match_command(
            "undo", "Take the last move back, if everybody who plays agrees.", seats.take_move_back, Which.SEATED
        ),
        match_command("resign", "Resign from a match.", seats.ask_resign, Which.SEATED),
        match_command(
            "cancel", "Close a table; once the match has started, a majority of its players decides.", ending.ask_cancel
        ),
        match_command("verify", "Check that the deals of a match were fair.", fair_deal.show, Which.RECENT),
    ),
)
