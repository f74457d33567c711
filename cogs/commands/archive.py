"""``/match history`` and ``/match stats``: finished matches, one's own and the server's.

The commands over `matches/host/archive.py`.
"""

from __future__ import annotations

from typing import Final, Literal

import discord

from cogs.commands.slash import Command, Option
from cogs.press import rights
from cogs.press.reply import Message, Press, whisper
from cogs.text import names, words
from games import GAMES
from matches.api import Ended, Match, Tally

MAX_LISTED: Final = 15
SERVER: Final = "server"


async def _history(press: Press, whose: str | None) -> None:
    archive = press.host.archive
    if whose == SERVER:
        server = rights.server(press)
        found = await archive.finished_in(server, MAX_LISTED, await rights.sight(press))
    else:
        found = await archive.recent(press.person, MAX_LISTED)
    rows = [_line(match) for match in found]
    await whisper(press, Message(words.first_that_fit(rows or ["No finished matches yet."])))


async def _stats(press: Press, whose: str | None) -> None:
    archive, server = press.host.archive, whose == SERVER
    tallies = await (archive.tally_in(rights.server(press)) if server else archive.tally_of(press.person))
    rows = [_tally(tally, server=server) for tally in tallies]
    rest = "-# Matches ended by a vote, or that someone left for good, don't count."
    none = ["No matches that count have finished yet."]
    await whisper(press, Message(words.first_that_fit(rows or none, rest)))


def _line(match: Match) -> str:
    winners = [names.person_at(seat) for seat in match.seats if seat.won]
    result = f"won by {' and '.join(winners)}" if winners else words.how_it_ended(match)
    points = [seat.points for seat in match.seats if seat.won and seat.points is not None]
    score = f" ({max(points)})" if points and match.ended_by is Ended.RULES else ""
    when = f" {discord.utils.format_dt(match.ended_at, 'd')}" if match.ended_at is not None else ""
    return f"{words.title(match)}{when}, {len(match.seats)} players: {result}{score}"


def _tally(tally: Tally, *, server: bool) -> str:
    what = f"**{GAMES[tally.game].info.name}**, {tally.players} players: {tally.played} played"
    if not server:
        return f"{what}, {tally.won} won, best score {tally.best}"
    most = f", most wins: {tally.won} ({names.in_message(tally.winner)})" if tally.won else ""
    best = f", best score: {tally.best} ({names.in_message(tally.scorer)})" if tally.scorer else ""
    return f"{what}{most}{best}"


def _whose(explained: str) -> dict[str, Option]:
    return {"whose": Option(Literal["mine", SERVER], explained)}


COMMANDS: Final = (
    Command(
        "history",
        "Recently finished matches and who won.",
        _history,
        _whose("Yours (default), or the server's in channels that you can see."),
    ),
    Command(
        "stats",
        "Matches played and won, and best scores, by game and number of players.",
        _stats,
        _whose("Yours (default), or all of this server's together."),
    ),
)
