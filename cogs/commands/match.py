"""``/match``: somebody's matches and those of this place, each with its page. ``/play``: those that wait for them.

`Match` is in `matches/records/match.py`.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Final

import discord

from cogs.commands import archive, finding
from cogs.commands.open_tables import new_table
from cogs.commands.slash import Command
from cogs.look import match_page
from cogs.play.panel import PLAY as PLAY_VERB
from cogs.press import components, rights
from cogs.press.asking_again import MATCH as OPTION
from cogs.press.components import Verb
from cogs.press.custom_ids import Ref, id_in
from cogs.press.reply import Message, Press, answer
from cogs.text import words
from matches.api import Match, MatchId, NotFound, Status, UserId
from matches.features import start_of

_VERB: Final = "match"
NONE: Final = "You have no matches right now, and none is played here. `/play` starts one."


async def _match(press: Press, match: int | None) -> None:
    """Show the page of a match, or all that can be picked."""
    if match is None:
        text, items = await found(press)
        await answer(press, Message(text, view=components.view(*items)))
        return
    await match_page.show(press, await _moderated(press, match) or await finding.find_match(press, match))


async def _moderated(press: Press, number: int) -> Match | None:
    """The match with this number if this person moderates its place, from anywhere on its server."""
    with suppress(NotFound):  # `find_match` says so, as to everybody else.
        match = await press.host.look.match(MatchId(number))
        return match if await rights.is_moderator(press, match) else None
    return None


async def found(press: Press) -> tuple[str, list[components.Item]]:
    """All matches of a person, those that wait for them first, and those of this place, with a button each."""
    matches, now = await finding.near(press), press.host.now()
    rows = [row(match, press.person, now) for match in matches]
    items = finding.picking(press, matches, Ref(_VERB)) if matches else []
    items.append(components.button(Ref(archive.FINISHED), "Finished matches"))
    if matches:
        items.append(components.button(Ref("away"), "Away"))
    return words.first_that_fit(rows or [NONE]), items


def row(match: Match, user_id: UserId, now: datetime) -> str:
    """A match in a line of a list."""
    start = start_of(match)
    state = {
        Status.LOBBY: "not started" if start is None else f"starts {words.moment(start.at)}",
        Status.FROZEN: "frozen",
    }.get(match.status, "**your turn**" if match.waits_for(user_id) else "waiting for others")
    if match.at_table(user_id) is None and match.status is Status.RUNNING:
        state = "under way"
    # If the player was away, their turn counts from later on: `turn_at` may still lie ahead.
    at = match.turn_at
    since = f", the turn began {discord.utils.format_dt(at, 'R')}" if at is not None and at <= now else ""
    lost = "; I can't post there: **Move here** in another channel" if match.lost is not None else ""
    return f"{words.title(match)}: {state}{since} ({words.link(match)}{lost})"


async def _picked(press: Press) -> None:
    """A match was picked: show its page."""
    if press.match is None:
        ref = press.ref._replace(match=MatchId(id_in(press.picked)))
        press = replace(press, match=await rights.match_named(replace(press, ref=ref)))
    if press.match is not None:
        await match_page.show(press, press.match)


async def _play(press: Press) -> None:
    """Show where it's this person's turn, with **Play** for each, and the games of which they can open a table."""
    matches, now = await press.host.look.matches_of(press.person), press.host.now()
    waiting = [match for match in matches if match.waits_for(press.person)]
    rows = [row(match, press.person, now) for match in waiting] or ["It isn't your turn anywhere."]
    items = finding.picking(press, waiting, Ref(PLAY_VERB)) if waiting else []
    await answer(press, Message(words.first_that_fit(rows), view=components.view(*items, *new_table(press))))


MATCH: Final = Command("match", "Your matches and those played here.", _match, {OPTION: finding.match_option()})
PLAY: Final = Command("play", "Make your move, or start a match.", _play)
HANDLERS: Final[dict[str, Verb]] = {_VERB: Verb(_picked)}
