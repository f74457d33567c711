"""**Finished matches** under ``/match``, and statistics: one's own and the server's.

The pages over `matches/host/archive.py`.
"""

from __future__ import annotations

from typing import Final

import discord

from cogs.press import components, rights
from cogs.press.components import Verb
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message, Press, answer
from cogs.text import names, words
from games import GAMES
from matches.api import Ended, Match, NotAllowed, Tally

FINISHED: Final = "finished"
LIST, STATS = "list", "stats"
MINE, SERVER = "mine", "server"
STATS_REST: Final = "-# Matches ended by a vote, or that someone left for good, don't count."
MAX_LISTED: Final = 15


async def _finished(press: Press) -> None:
    """Show the last matches that are over, or what has been played: one's own, or the server's."""
    (what, whose, *_) = (*press.ref.path, LIST, MINE)
    if what not in (LIST, STATS) or whose not in (MINE, SERVER):
        raise NotAllowed(words.OUT_OF_DATE)
    rows = await (_list(press, whose) if what == LIST else _stats(press, whose))
    text = words.first_that_fit(rows, STATS_REST if what == STATS else "")
    offered = {
        (LIST, MINE): "My matches",
        (LIST, SERVER): "This server's",
        (STATS, MINE): "My statistics",
        (STATS, SERVER): "This server's statistics",
    }
    in_server = press.interaction.guild_id is not None
    items = [
        components.button(Ref(FINISHED, path=path), label, disabled=path == (what, whose))
        for path, label in offered.items()
        if in_server or path[1] == MINE
    ]
    await answer(press, Message(text, view=components.view(*items)))


async def _list(press: Press, whose: str) -> list[str]:
    archive = press.host.archive
    if whose == SERVER:
        found = await archive.finished_in(rights.server(press), MAX_LISTED, await rights.sight(press))
    else:
        found = await archive.recent(press.person, MAX_LISTED)
    return [_line(match) for match in found] or ["No finished matches yet."]


async def _stats(press: Press, whose: str) -> list[str]:
    archive, server = press.host.archive, whose == SERVER
    tallies = await (archive.tally_in(rights.server(press)) if server else archive.tally_of(press.person))
    return [_tally(tally, server=server) for tally in tallies] or ["No matches that count have finished yet."]


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


HANDLERS: Final[dict[str, Verb]] = {FINISHED: Verb(_finished, edits=True)}
