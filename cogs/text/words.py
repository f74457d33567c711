"""Sentences about a match of any game: its title, whose turn it is, what happened."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import accumulate, dropwhile, pairwise
from types import MappingProxyType
from typing import Final, NamedTuple

import discord

from cogs.client import Client
from cogs.text import names
from games.core import CHANCE, Observation
from games.log import BRANCH, TABLE, UNDO
from matches.api import CutOff, Ended, Match, Ply, Seat, Shown, Status, UserId, View, Vote
from matches.features import said
from matches.records.seen import in_force
from render import RENDERERS, Mark, People
from render.grammar import listed
from render.sentences import seats as by_seat
from render.story import End, Passed, Story

_ENDINGS: Final = {
    Ended.RULES: "The match is over.",
    Ended.RESIGNED: "The match is over: a player resigned.",
    Ended.VOTE: "The table ended the match by a vote; nobody wins.",
    Ended.MODERATOR: "A moderator ended the match; nobody wins.",
    Ended.LEFT: "The match is over: nobody is left at the table.",
    Ended.HOST: "The host closed this table.",
    Ended.EXPIRED: "Nobody started this match in time, so the table was closed.",
    Ended.CALLED_OFF: "Too few people were ready in time, so the table was called off.",
    Ended.EVENT: "Its event was cancelled, and the table with it.",
    Ended.ABORTED: "A player left before their first move, or didn't make it. The match isn't rated.",
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
"""The verbs of the table's lines that change who plays a seat."""

OUT_OF_DATE: Final = "This button is out of date. Use the newest board post, or `/match`."

MAX_CONTENT: Final = 2000
_AND_MORE: Final = "… and {} more."

MORE: Final = "⋯"
"""The label of the button that has everything for which there is no button of its own."""

MAX_LINES: Final = 12
"""The most lines of what happened in a post. If there are more, only the latest are shown."""

_BEFORE: Final = 3 * MAX_LINES
"""The most lines of the log read for a post. It's more than `MAX_LINES`, because chance lines need no words."""


def title(match: Match) -> str:
    """Return the game's name and the match's number, in bold. If it's played on from another match, add that number."""
    origin = "" if match.branch_of is None else f" (played on from #{match.branch_of})"
    return f"**{match.info.name} #{match.id}**{origin}"


def link(match: Match) -> str:
    """Return a link to the place where the match is played. It works in a DM, too."""
    return f"[go to the table](https://discord.com/channels/{match.guild_id or '@me'}/{match.place_id})"


def moment(at: datetime) -> str:
    """Return a moment in everybody's own time, and how long it is until then."""
    return f"{discord.utils.format_dt(at, 'f')} ({discord.utils.format_dt(at, 'R')})"


def address(match: Match) -> str:
    """Return the address of a lobby's message, or of its channel."""
    message = "" if match.lobby_message_id is None else f"/{match.lobby_message_id}"
    return f"https://discord.com/channels/{match.guild_id or '@me'}/{match.channel_id}{message}"


def link_to(match: Match, message_id: int, text: str) -> str:
    """Return a link to a message in the place where the match is played."""
    return f"[{text}](https://discord.com/channels/{match.guild_id or '@me'}/{match.place_id}/{message_id})"


def because(match: Match) -> str:
    """Return why nothing can be posted where the match is played, as the end of a sentence; empty if it isn't known."""
    return f": {match.reason}" if match.lost is not None and match.reason else ""


def how_it_ended(match: Match, people: People | None = None) -> str:
    """Return one sentence on how a match ended or was closed, or why it is frozen; empty if it is open.

    `people`: the names by seat, by default those for a message.
    """
    if match.status is Status.FROZEN:
        return match.reason or "This match can't continue."
    if match.ended_by is None:
        return ""
    people = names.people(match) if people is None else people
    winners = [name for seat, name in zip(match.seats, people, strict=True) if seat.won]
    if winners and match.ended_by in (Ended.RULES, Ended.RESIGNED):
        return f"{_ENDINGS[match.ended_by].rstrip('.')}; {listed(winners)} won."
    return _about_somebody(match, winners, people) or _ENDINGS[match.ended_by]


def _about_somebody(match: Match, winners: Sequence[str], people: People) -> str:
    """Return how a match ended because of one person; empty if it ended otherwise."""
    left = next((name for seat, name in zip(match.seats, people, strict=True) if seat.resigned), "")
    absent = next((name for seat, name in zip(match.seats, people, strict=True) if seat.absent), "")
    if match.ended_by is Ended.ABORTED and absent:
        return f"{absent} didn't make their first move, so the match is called off. It isn't rated."
    if match.ended_by is Ended.ABORTED and left:
        return f"{left} left before their first move. The match isn't rated."
    if match.ended_by is Ended.VOTE and absent:
        return f"{absent} was absent, so the table ended the match; nobody wins."
    if match.ended_by is Ended.ABANDONED and match.awaited and absent:
        return f"{absent} didn't come back, so {f'{listed(winners)} wins' if winners else 'the match has ended'}."
    return ""


def headline(match: Match, seen: Observation, people: People) -> str:
    """Return who won a match that is over, and by what score, as a sentence; `seen` is its last position."""
    if match.ended_by is Ended.RULES:
        return RENDERERS[match.game].headline(seen, people)
    return _what_people_decided(match, people)


def _what_people_decided(match: Match, people: People) -> str:
    winners = [name for seat, name in zip(match.seats, people, strict=True) if seat.won]
    if match.ended_by is Ended.RESIGNED and winners:
        return f"{listed(winners)} wins: {listed([name for name in people if name not in winners])} has resigned."
    return how_it_ended(match, people)


def story(match: Match, lines: Sequence[Shown]) -> Story:
    """Return what the pictures of a round or a match that is over tell; `lines` are a spectator's, all in force."""
    course = tuple(Passed(line.played, line.observation) for line in lines if line.played is not None)
    over = len(course[-1].observation.unmasked_by_round) if course else 0
    suspicions = tuple(word for word in said(match) if word.round <= over)
    marks, _ = marks_of(match, [line for line in lines if line.ply >= match.board_ply - 1])
    if match.status is not Status.OVER or not course:
        return Story(course, None, suspicions, marks)
    end = ended_by_people(match) or RENDERERS[match.game].ended(course[-1].observation)
    return Story(course, end, suspicions, marks)


def ended_by_people(match: Match) -> End | None:
    """Return how people ended a match; ``None`` if it was played to its end."""
    if match.ended_by is Ended.RULES:
        return None
    winners = tuple(number for number, seat in enumerate(match.seats) if seat.won)
    return End(winners, _what_people_decided(match, by_seat(len(match.seats))), by_rules=False)


def fitted(before: str, happened: str, after: str) -> str:
    """Join three parts as the lines of a message. If that is too long, drop the oldest lines of `happened`."""
    room = MAX_CONTENT - len(before) - len(after) - 2
    lines = happened.split("\n") if happened else []
    while lines and sum(len(line) + 1 for line in lines) > room:
        lines.pop(0)
    return "\n".join(part for part in (before, *lines, after) if part)[:MAX_CONTENT]


def first_that_fit(rows: Sequence[str], rest: str = "") -> str:
    """Join as many rows as fit a message, the number of the others, and `rest`."""
    ends = list(accumulate(len(row) + 1 for row in rows))
    room = MAX_CONTENT - len(rest)
    shown, more = len(rows), ""
    if ends and ends[-1] > room:
        shown = bisect_right(ends, room - len(_AND_MORE.format(len(rows))) - 1)
        more = _AND_MORE.format(len(rows) - shown)
    return "\n".join(part for part in (*rows[:shown], more, rest) if part)


async def what_happened(bot: Client, match: Match, user_id: UserId | None, *, since: int) -> str:
    """Return the log from ply `since` on in words, as this person may see it (``None``: anybody)."""
    return lines_in_words(match, await bot.host.look.history(match, user_id, since), up_to_now=True)


class Since(NamedTuple):
    """What happened since the last post: in words, as marks for the picture, and the caption of a big moment."""

    happened: str
    marks: tuple[Mark, ...]
    caption: str | None


async def since_the_post(bot: Client, match: Match, since: int, *, earliest: int | None = None) -> Since:
    """Return what happened from ply `since` on, which is the ply of the last post.

    Several moves have the same numbers in words and marks, a single one has none. Moves of computers playing alone,
    which share one post, have no numbers either, nor do the last moves of a match, since the first of them may be left
    out. Of several big moments the caption is the latest one's. `earliest`: what happened before, from that ply on,
    stands above in small print, as far as there is room.
    """
    first = since if earliest is None else max(earliest, min(since, match.ply - _BEFORE))
    read = await bot.host.look.history(match, None, max(first - 1, 0))
    found = captions(match, [line for line in read if line.ply >= since - 1])
    # The picture shows the deal of a round. What else the host wrote before the first one is no news, either.
    told_by_picture = (CHANCE, TABLE) if first == 0 else (CHANCE,)
    history = [line for line in read if line.ply >= first]
    history = list(dropwhile(lambda line: line.player in told_by_picture, history))
    marks, done = marks_of(match, [line for line in read if line.ply >= since - 1])
    counted = len(done) > 1 and match.status is Status.RUNNING
    numbers = {ply: number for number, ply in enumerate(done, 1)} if counted else {}
    happened = lines_in_words(match, history, up_to_now=True, numbers=numbers, new_from=since)
    return Since(happened, marks, found[max(found)] if found else None)


def marks_of(match: Match, shown: Sequence[Shown]) -> tuple[tuple[Mark, ...], list[Ply]]:
    """Return the marks of actions for a picture, and the plies of these actions, among consecutive lines.

    The first line only says what a spectator saw before the second. Of computers playing alone, the picture marks the
    latest move by itself.
    """
    if match.of_computers or not shown:
        return (), []
    first, *_ = shown
    lines = [line for line in in_force(shown) if line is not first]
    begun = max((line.ply for line in lines if line.observation.last is None), default=-1)
    done = [line.ply for line in lines if line.player >= 0 and line.ply > begun]
    return RENDERERS[match.game].marked(_passed(lines), first.observation), done


def _passed(lines: Iterable[Shown]) -> tuple[Passed, ...]:
    """The lines in force."""
    return tuple(Passed(line.played, line.observation) for line in in_force(lines) if line.played is not None)


def captions(match: Match, shown: Sequence[Shown]) -> dict[Ply, str]:
    """Return the captions of the big moments among consecutive lines, by ply, as sentences of `render.story`.

    The first line only says what a spectator saw before the second.
    """
    moment, found = RENDERERS[match.game].moment, dict[Ply, str]()
    stands = {line.ply for line in in_force(shown)}
    for before, line in pairwise(shown):
        if line.played is not None and line.ply in stands:
            caption = moment(before.observation, Passed(line.played, line.observation))
            if caption is not None:
                found[line.ply] = caption
    return found


def lines_in_words(
    match: Match,
    shown: Sequence[Shown],
    *,
    up_to_now: bool = False,
    numbers: Mapping[Ply, int] = MappingProxyType({}),
    new_from: int = 0,
) -> str:
    """Return lines of the log as sentences, one a line, with `numbers` by ply. If they are many, only the latest.

    Lines before ply `new_from` are in small print, and only as many as there is room for.
    """
    told = [each for each in zip(shown, sentences(match, shown, up_to_now=up_to_now), strict=True) if each[1]]
    old = [f"-# {text}" for line, text in told if line.ply < new_from]
    new = [(line.ply, text) for line, text in told if line.ply >= new_from]
    lines = [f"**{numbers[ply]}** · {text}" if ply in numbers else text for ply, text in new]
    if len(lines) > MAX_LINES:
        return "\n".join(("…", *lines[-MAX_LINES:]))
    room = MAX_LINES - len(lines)
    return "\n".join((*old[max(0, len(old) - room) :], *lines))


def sentences(match: Match, shown: Sequence[Shown], *, up_to_now: bool = False) -> list[str]:
    """Return a sentence for each of these consecutive lines of the log; empty if there is nothing to say.

    A seat that a computer played at that time is named as a computer. Lines about a change of the seat's player tell
    who had it before and after. A seat without such lines is named as it is now if the lines go `up_to_now`, otherwise
    as its person. In lines that were copied from another match, seats have no names.
    """
    say, told = RENDERERS[match.game].say, []
    seats = [seat if seat.user_id is None or up_to_now else replace(seat, computer=None) for seat in match.seats]
    begun = match.branch_ply or 0
    changes = [line.text.split(" ") for line in shown if line.played is None]
    for verb, number, *_ in reversed([change for change in changes if change[0] in _CHANGES]):
        seats[int(number)] = replace(seats[int(number)], computer=None if verb == _TAKES_OVER else "")
    people, before = tuple(map(names.of, seats)), names.of_nobody(match)
    for line in shown:
        if line.played is not None:
            said = say(line.played, line.observation, before if line.ply < begun else people)
            told.append(f"{said.removesuffix('.')} (only move)." if line.forced else said)
            continue
        told.append(_host_event(match, line.text, copied=line.ply < begun))
        verb, *rest = line.text.split(" ")
        if verb in _CHANGES:
            seats[int(rest[0])] = replace(seats[int(rest[0])], computer=rest[1] if verb == _TAKES_OVER else None)
            people = tuple(map(names.of, seats))
    return told


def _host_event(match: Match, text: str, *, copied: bool = False) -> str:
    """Return a sentence for a line of the table's own, such as ``resign 2``, ``computer 2 normal`` or ``undo 9``."""
    verb, _, rest = text.partition(" ")
    if verb == UNDO:
        return "The last move was taken back."
    if verb == BRANCH:
        return _played_on(match, int(rest), copied=copied)
    number, _, level = rest.partition(" ")
    if not number.isdecimal():
        return _HOW.get(rest, "The table ended the match.") if verb == "end" else ""
    seat = match.seats[int(number)]
    name, late = names.person_at(seat), "didn't make" if seat.absent else "left before"
    return {
        "resign": f"{name} has resigned.",
        "abort": f"{name} {late} their first move.",
        _TAKES_OVER: f"A {level} computer takes over for {name}.",
        "return": f"{name} is back.",
        "forced": f"I made {name}'s move, because they had no other.",
        "person": f"{name} takes over this seat from a computer.",
    }.get(verb, "")


def _played_on(match: Match, seat: int, *, copied: bool) -> str:
    """Return a sentence for the line with which a match is played on from another one.

    `copied`: that other one had itself been played on there.
    """
    if copied:
        return f"Player {seat + 1} played on from another match here."
    name = names.person_at(match.seats[seat])
    again = " Everything they couldn't know was dealt again." if match.info.hidden_information else ""
    origin = "another match" if match.branch_of is None else f"#{match.branch_of}"
    return f"**{name} plays on from {origin} here**, as Player {seat + 1}.{again}"


LEFT_TO_OTHERS: Final = "you've left. The others had said they'd play, so they keep the table."


def cancelled(match: Match, now: datetime) -> str:
    """Return the answer to somebody who wants to close a table or end a match."""
    if match.status is Status.LOBBY:
        return LEFT_TO_OTHERS
    if match.status is not Status.RUNNING:
        return how_it_ended(match)
    votes = sum(1 for ballot in match.ballots if ballot.vote is Vote.CANCEL)
    people = len(match.electorate(Vote.CANCEL, now))
    return f"your vote to end the match has been counted ({votes} of {people}; more than half must agree)."


GIVEN_BACK: Final = "-# I couldn't hear you for a while, so the clock stood still meanwhile."

_CUT_OFF: Final = {
    CutOff.SILENCED: ("you're timed out on that server", "Play on as soon as the timeout is over."),
    CutOff.UNSEEN: ("you can't see the channel where it's played", "Please ask a moderator there to let you see it."),
    CutOff.GONE: ("you're not on that server any more", "Come back there to play on."),
    CutOff.REFUSED: ("I can't post where it's played", "`/match` in another channel has **Move here**."),
}


def away(match: Match, seat: Seat, now: datetime) -> str:
    """Return the post that somebody is away, or back (P16)."""
    if seat.away_until is None and match.cut_off is not None and seat.seat == match.to_move:
        most = span(match.away_left(seat, now))
        return f"{title(match)}: {names.of(seat)} can't play right now, so their clock is paused for at most {most}."
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


def cut_off(match: Match, seat: Seat, now: datetime) -> str:
    """Return why the player to move can't press anything, and what that means. It is for them alone."""
    why, what_now = _CUT_OFF[match.cut_off or CutOff.REFUSED]
    left = match.away_left(seat, now)
    clock = "The others decide how it goes on."
    if left > timedelta(0):
        clock = f"Your clock is paused for at most {span(left)}; after that, the others decide how it goes on."
    return f"{title(match)} ({link(match)}): it's your turn, but {why}. {clock} {what_now}"


def pauses(match: Match, seat: Seat, until: datetime, now: datetime) -> str | None:
    """Return the warning that somebody's clock pauses for less than their time away; ``None`` if it doesn't (P16)."""
    left = match.away_left(seat, now)
    if now + left >= until:
        return None
    if left <= timedelta(0):
        return f"{title(match)}: your time away is used up there, so your clock keeps running."
    return f"{title(match)}: your clock is paused there for at most {span(left)} more."


def span(time: timedelta) -> str:
    """Return a duration in its largest unit: “3 days”, “10 minutes”, also when a few seconds of them have passed."""
    time += timedelta(seconds=30)
    for unit, name in ((timedelta(days=2), "day"), (timedelta(hours=2), "hour")):
        if time >= unit:
            return f"{time // (unit / 2)} {name}s"
    minutes = max(1, time // timedelta(minutes=1))
    return "1 minute" if minutes == 1 else f"{minutes} minutes"


def whose_turn(view: View, *, ping: bool) -> str:
    """Return whose turn it is, in one line. With `ping` it mentions them, if they want pings here."""
    seat = view.match.mover
    if seat is None:
        return ""
    if ping and seat.present and seat.rings_in_place:
        return f"<@{seat.user_id}>, it's your turn."
    return turn_of(seat)


def play_by(match: Match) -> str:
    """Return until when the player must act, as a sentence to them; empty without a time limit."""
    if match.offered_until is not None:
        made = discord.utils.format_dt(match.offered_until, "R")
        return f"You have only one move. If you don't make it, I'll make it for you {made}."
    if match.turn_due is None:
        return ""
    return f"Due {discord.utils.format_dt(match.turn_due, 'R')}."


def turn_of(seat: Seat) -> str:
    """Return whose turn it is, without a mention."""
    return f"It's {names.of(seat)}'s turn."
