"""Sentences about a match that are the same for every game: its name, whose turn it is, what happened."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import accumulate
from types import MappingProxyType
from typing import Final

import discord

from cogs.client import Client
from cogs.text import names
from games.log import UNDO
from matches.api import Ended, Match, Pace, Ply, Seat, Shown, Status, UserId, View, Vote
from render import RENDERERS, Mark
from render.grammar import listed

_ENDINGS: Final = {
    Ended.RULES: "The match is over.",
    Ended.RESIGNED: "The match is over: a player resigned.",
    Ended.VOTE: "The table ended the match by a vote; nobody wins.",
    Ended.MODERATOR: "A moderator ended the match; nobody wins.",
    Ended.LEFT: "The match is over: nobody is left at the table.",
    Ended.HOST: "The host closed this table.",
    Ended.EXPIRED: "Nobody started this match in time, so the table was closed.",
    Ended.ABORTED: "A player left before their first move. The match isn't rated.",
    Ended.ABANDONED: "Nobody played on for a long time, so the match has ended; nobody wins.",
}

_HOW: Final = {
    Ended.MODERATOR.value: "A moderator ended the match.",
    Ended.HOST.value: "The host ended the match.",
    Ended.LEFT.value: "Nobody is left at the table.",
    Ended.ABANDONED.value: "Nobody played on for a long time, so the match has ended.",
}

_TAKES_OVER: Final = "computer"
_CHANGES: Final = frozenset({_TAKES_OVER, "return", "person"})
"""The table's lines after which a computer plays a seat, or a person does again."""

OUT_OF_DATE: Final = "This button is out of date. Use the newest board post, or `/match board`."

MAX_CONTENT: Final = 2000
_MORE: Final = "… and {} more."

MAX_LINES: Final = 12
"""Lines of what happened that fit a post; of more, the latest are told."""


def title(match: Match) -> str:
    """The match's name and number, in bold."""
    return f"**{match.info.name} #{match.id}**"


def link(match: Match) -> str:
    """A link to the place where the match is played, that works in a DM too."""
    return f"[go to the table](https://discord.com/channels/{match.guild_id or '@me'}/{match.place_id})"


def fair_deals(match: Match) -> str:
    """All of what the deals of the match are bound to, in small print."""
    return f"-# Fair deals: `{match.commitment}` (check them afterwards with `/match verify`)"


def how_it_ended(match: Match) -> str:
    """One sentence on a match that is over, closed or frozen; empty for any other."""
    if match.status is Status.FROZEN:
        return match.reason or "This match can't continue."
    if match.ended_by is None:
        return ""
    winners = [names.of(seat) for seat in match.seats if seat.won]
    if winners and match.ended_by in (Ended.RULES, Ended.RESIGNED):
        return f"{_ENDINGS[match.ended_by].rstrip('.')}; {listed(winners)} won."
    return _about_somebody(match) or _ENDINGS[match.ended_by]


def _about_somebody(match: Match) -> str:
    """The sentence on how a match ended where it ended because of one person; whose list says what changes nothing."""
    left = next((names.of(seat) for seat in match.seats if seat.resigned), "")
    absent = next((names.of(seat) for seat in match.seats if seat.absent), "")
    winners = [names.of(seat) for seat in match.seats if seat.won]
    if match.ended_by is Ended.ABORTED and left:
        return f"{left} left before their first move. The match isn't rated."
    if match.ended_by is Ended.VOTE and absent:
        return f"{absent} was absent, so the table ended the match; nobody wins."
    if match.ended_by is Ended.ABANDONED and match.awaited and absent:
        return f"{absent} didn't come back, so {f'{listed(winners)} wins' if winners else 'the match has ended'}."
    return ""


def headline(view: View) -> str:
    """Who has won a match that is over, and by what score, as a sentence."""
    match = view.match
    people = names.people(match)
    if match.ended_by is Ended.RULES:
        return RENDERERS[match.game].headline(view.observation, people)
    winners = [people[seat] for seat in (view.outcome.winners if view.outcome is not None else ())]
    if match.ended_by is Ended.RESIGNED and winners:
        return f"{listed(winners)} wins: {listed([name for name in people if name not in winners])} has resigned."
    return how_it_ended(match)


def fitted(before: str, happened: str, after: str, limit: int = MAX_CONTENT) -> str:
    """Three parts under each other; where they are too long together, the oldest of what `happened` is left out."""
    room = limit - len(before) - len(after) - 2
    lines = happened.split("\n") if happened else []
    while lines and sum(len(line) + 1 for line in lines) > room:
        lines.pop(0)
    return "\n".join(part for part in (before, *lines, after) if part)[:limit]


def first_that_fit(rows: Sequence[str], rest: str = "") -> str:
    """The first of some rows under each other, as many as a message holds, and how many more there are; then `rest`."""
    ends = list(accumulate(len(row) + 1 for row in rows))
    room = MAX_CONTENT - len(rest)
    shown, more = len(rows), ""
    if ends and ends[-1] > room:
        shown = bisect_right(ends, room - len(_MORE.format(len(rows))) - 1)
        more = _MORE.format(len(rows) - shown)
    return "\n".join(part for part in (*rows[:shown], more, rest) if part)


async def what_happened(bot: Client, match: Match, user_id: UserId | None, *, since: int) -> str:
    """The lines of the log from ply `since` on, in words, as this person may see them (``None``: anybody)."""
    return lines_in_words(match, await bot.host.look.history(match, user_id, since), up_to_now=True)


async def since_the_post(bot: Client, match: Match, since: int) -> tuple[str, tuple[Mark, ...]]:
    """What happened from ply `since` on, that of the last post, and where; several moves are numbered alike in both.

    A single move is marked by the picture itself, and so is the latest where computers play alone, a post for all.
    """
    shown = await bot.host.look.history(match, None, since)
    draw, places = RENDERERS[match.game], dict[Ply, str]()
    for line in shown[-MAX_LINES:]:
        if line.observation.last is None:
            # A new deal: what was played before it lies on the table no more.
            places.clear()
        elif line.played is not None and line.player >= 0 and (place := draw.place_of(line.played, line.observation)):
            places[line.ply] = place
    if len(places) < 2 or match.of_computers:
        return lines_in_words(match, shown, up_to_now=True), ()
    numbers = {ply: number for number, ply in enumerate(places, 1)}
    marks = tuple(Mark(numbers[ply], place, aside=True) for ply, place in places.items())
    return lines_in_words(match, shown, up_to_now=True, numbers=numbers), marks


def lines_in_words(
    match: Match, shown: Sequence[Shown], *, up_to_now: bool = False, numbers: Mapping[Ply, int] = MappingProxyType({})
) -> str:
    """Lines of the log as sentences, one below the other, some of them with `numbers`; of many, the latest."""
    told = zip(shown, sentences(match, shown, up_to_now=up_to_now), strict=True)
    lines = [f"**{numbers[line.ply]}** · {text}" if line.ply in numbers else text for line, text in told if text]
    if len(lines) > MAX_LINES:
        lines = ["…", *lines[-MAX_LINES:]]
    return "\n".join(lines)


def sentences(match: Match, shown: Sequence[Shown], *, up_to_now: bool = False) -> list[str]:
    """Lines of the log, one after the other, as a sentence each; empty for a line of which there is nothing to say.

    Those whom a computer played then are called computers. Who played before the first of the lines is known from
    them, and of whom none of them tells, from the match where the lines go on `up_to_now`.
    """
    say, told = RENDERERS[match.game].say, []
    seats = [seat if seat.user_id is None or up_to_now else replace(seat, computer=None) for seat in match.seats]
    changes = [line.text.split(" ") for line in shown if line.played is None]
    for verb, number, *_ in reversed([change for change in changes if change[0] in _CHANGES]):
        seats[int(number)] = replace(seats[int(number)], computer=None if verb == _TAKES_OVER else "")
    people = tuple(map(names.of, seats))
    for line in shown:
        if line.played is not None:
            told.append(say(line.played, line.observation, people))
            continue
        told.append(_host_event(match, line.text))
        verb, *rest = line.text.split(" ")
        if verb in _CHANGES:
            seats[int(rest[0])] = replace(seats[int(rest[0])], computer=rest[1] if verb == _TAKES_OVER else None)
            people = tuple(map(names.of, seats))
    return told


def _host_event(match: Match, text: str) -> str:
    """In words a line of the table's own: ``resign 2``, ``computer 2 normal``, ``undo 9``, ``end vote`` and so on."""
    verb, _, rest = text.partition(" ")
    if verb == UNDO:
        return "The last move was taken back."
    number, _, level = rest.partition(" ")
    if not number.isdecimal():
        return _HOW.get(rest, "The table ended the match.") if verb == "end" else ""
    name = names.in_message(match.seats[int(number)].name)
    return {
        "resign": f"{name} has resigned.",
        "abort": f"{name} left before their first move.",
        _TAKES_OVER: f"A {level} computer takes over for {name}.",
        "return": f"{name} is back.",
        "forced": f"{name} had only one move, so I made it.",
        "person": f"{name} takes over this seat from a computer.",
    }.get(verb, "")


def cancelled(match: Match, now: datetime) -> str:
    """What somebody reads who wanted to close a table or end a match."""
    if match.status is not Status.RUNNING:
        return how_it_ended(match)
    votes = sum(1 for ballot in match.ballots if ballot.vote is Vote.CANCEL)
    people = len(match.electorate(Vote.CANCEL, now))
    return f"your vote to end the match has been counted ({votes} of {people}; more than half must agree)."


def away(match: Match, seat: Seat, now: datetime) -> str:
    """What the table is told when somebody goes away, or is back (P16)."""
    if seat.away_until is None:
        return f"{title(match)}: {names.of(seat)} is back."
    until = discord.utils.format_dt(seat.away_until, "f")
    left = match.away_left(seat, now)
    paused = "their clock is paused until then."
    if left <= timedelta(0):
        paused = "their time away in this match is used up, so their clock keeps running."
    elif now + left < seat.away_until:
        paused = f"their clock is paused for at most {span(left)} of that."
    return f"{title(match)}: {names.of(seat)} is away until {until}; {paused}"


def pauses(match: Match, seat: Seat, until: datetime, now: datetime) -> str | None:
    """What somebody who is away until then reads of a match in which their clock stands still for less (P16)."""
    left = match.away_left(seat, now)
    if now + left >= until:
        return None
    if left <= timedelta(0):
        return f"{title(match)}: your time away is used up there, so your clock keeps running."
    return f"{title(match)}: your clock is paused there for at most {span(left)} more."


def span(time: timedelta) -> str:
    """How long something takes, in its largest unit, rounded down: “3 days”, “10 minutes”."""
    for unit, name in ((timedelta(days=2), "day"), (timedelta(hours=2), "hour")):
        if time >= unit:
            return f"{time // (unit / 2)} {name}s"
    minutes = max(1, time // timedelta(minutes=1))
    return "1 minute" if minutes == 1 else f"{minutes} minutes"


def whose_turn(view: View, *, ping: bool) -> str:
    """One line: who is to act, with a mention where that person wants one."""
    seat = next((seat for seat in view.match.seats if seat.seat == view.to_move), None)
    if seat is None:
        return ""
    if ping and seat.present and seat.rings_in_place:
        return f"<@{seat.user_id}>, it's your turn."
    return turn_of(seat)


def play_by(match: Match) -> str:
    """Until when the person on turn has to play, as a sentence to them; empty where there is no hurry."""
    if match.offered_until is not None:
        made = discord.utils.format_dt(match.offered_until, "R")
        return f"There's only one move left. If you don't make it, I'll make it for you {made}."
    if match.turn_due is None:
        return ""
    style: discord.utils.TimestampStyle = "t" if match.pace is Pace.LIVE else "f"
    due = match.turn_due
    return f"Play by {discord.utils.format_dt(due, style)} ({discord.utils.format_dt(due, 'R')})."


def turn_of(seat: Seat) -> str:
    """Whose turn it is, as a sentence that mentions nobody."""
    return f"It's {names.of(seat)}'s turn."
