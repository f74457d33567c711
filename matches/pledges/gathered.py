"""Brings tables together within a transaction: asks people, and opens the lobby of those who are ready (P40).

The decisions are in `matches/pledges/gathering.py`. `asking` calls this, one transaction at a time for
each server (`lock`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from db import Connection
from db.matches import outbox, queries
from db.matches.outbox import News
from db.model.enums import Kind, Status, Where
from db.model.ids import NO_LINES, MatchId, UserId
from db.model.rows import Terms
from db.people import bars, lists, settings
from db.pledges import kept as pledges
from db.pledges.kept import About, Pledged
from db.pledges.rows import Answer, GatheringRow, PledgedTable
from db.results import tallies
from db.store.transactions import wait_for_turn
from matches.errors import NotAllowed
from matches.pledges import gathering, resting
from matches.pledges.gathering import Gathering
from matches.pledges.matching import Apart, Party
from matches.pledges.pledge import READY, Pledge, shared_sizes
from matches.pledges.starting import KEY
from matches.records import quiet
from matches.records.match import Match
from matches.records.requests import NewMatch, Person
from matches.table.feature import Missed
from matches.table.limits import OPEN_TABLES

_NOBODY: Final = About()

Opens: TypeAlias = Callable[[Connection, NewMatch, Person], Match]
"""Opens a lobby within a transaction (`UnitOfWork.open_within`)."""


def lock(connection: Connection, guild_id: int) -> None:
    """Let no other transaction decide about this server's pledges until this one ends."""
    wait_for_turn(connection, "pledges", guild_id)


def values(connection: Connection, guild_id: int, found: Sequence[Pledged], now: datetime) -> tuple[Pledge, ...]:
    """Return stored pledges as values, with what decides whether their people can be called."""
    people = {each.user_id for each in found}
    known, barred = pledges.about(connection, people), bars.among(connection, guild_id, people)
    busy = pledges.busy(connection, people)
    return tuple(
        Pledge.stored(
            *each[1:],
            quiet=quiet.stored(of.quiet, of.zone),
            playing=of.playing,
            at_once=of.at_once,
            busy=each.user_id in busy,
            barred=barred.get(each.user_id, now) > now,
        )
        for each, of in ((each, known.get(each.user_id, _NOBODY)) for each in found)
    )


def loaded(connection: Connection, guild_id: int, row: GatheringRow, now: datetime) -> Gathering:
    """Return a gathering with its people."""
    members = pledges.of_gathering(connection, row.id)
    said = {each.user_id: each.row.answer for each in members}
    people = values(connection, guild_id, members, now)
    return Gathering(
        pace=row.pace,
        size=row.size,
        until=row.until,
        ready=tuple(each for each in people if said[each.user_id] is Answer.YES),
        asked=tuple(each for each in people if said[each.user_id] is Answer.ASKED),
        rounds=row.rounds,
        is_open=row.match_id is not None,
    )


def begin(connection: Connection, guild_id: int, party: Party, now: datetime) -> bool:
    """Ask the people of a party, and return whether that was possible. Something may have changed since it was found.

    If somebody has been called too often, the party isn't asked. Their pledges rest, so they aren't found again.
    """
    lock(connection, guild_id)
    if not _is_still_possible(connection, guild_id, party.people, (), now):
        return False
    until = now + READY[party.pace]
    same = {"game": party.game, "pace": party.pace, "size": len(party.people)}
    number = pledges.open_gathering(connection, guild_id, **same, until=until, rounds=1)
    _ask(connection, guild_id, number, party.people, now)
    return True


def go_on(
    connection: Connection,
    guild_id: int,
    number: int,
    free: Collection[Pledge],
    apart: Apart,
    now: datetime,
    opens: Opens,
    closed: Mapping[int, str],
) -> Match | None:
    """Do what follows for a gathering: leave people out, ask others, open its lobby, or end it. Return a new lobby.

    `free` are the pledges of people who aren't in a gathering, and `apart` who keeps away from whom among all. Both may
    have changed since they were read.
    """
    found = pledges.gathering(connection, number)
    if found is None:
        return None
    row, match = found[1], None
    now_there = loaded(connection, guild_id, row, now)
    follows = gathering.decided(now_there, free, now, apart)
    for each in follows.left_out:
        leave_out(connection, guild_id, number, each.user_id, gathering.rests_until(now_there, now), now)
    if follows.called:
        kept = (*now_there.ready, *(each for each in now_there.asked if each not in follows.left_out))
        if _is_still_possible(connection, guild_id, follows.called, kept, now):
            until = now + READY[row.pace]
            pledges.change_gathering(connection, number, until=until, rounds=row.rounds + 1)
            _ask(connection, guild_id, number, follows.called, now)
    if follows.opens:
        try:
            match = open_lobby(connection, guild_id, number, now, opens, closed)
        except NotAllowed:
            end(connection, guild_id, number, now)
            return None
    if follows.ends:
        end(connection, guild_id, number, now)
    return match


def _is_still_possible(
    connection: Connection, guild_id: int, people: Sequence[Pledge], others: Sequence[Pledge], now: datetime
) -> bool:
    """Whether these people can be called as they were found, to a table with the `others`. Counts a call of each."""
    known = {each.user_id for each in people}
    rows = [each for each in pledges.of_people(connection, guild_id, known) if each.game == people[0].game]
    if set(values(connection, guild_id, rows, now)) != set(people):
        return False
    apart = lists.among(connection, known | {each.user_id for each in others})
    if any(one in known or other in known for one, other in apart):
        return False
    rests = {each: until for each in sorted(known) if (until := resting.resting(connection, each, now)) is not None}
    for user_id, until in rests.items():
        pledges.rest(connection, user_id, until)
    if rests:
        return False
    for user_id in sorted(known):
        until = resting.use_call(connection, user_id, now)
        if until is not None:
            pledges.rest(connection, user_id, until)
    return True


def _ask(connection: Connection, guild_id: int, number: int, people: Sequence[Pledge], now: datetime) -> None:
    for each in people:
        asked = {"gathering": number, "answer": Answer.ASKED}
        pledges.change(connection, guild_id, each.user_id, each.game, **asked)
    rows = [News(Kind.CALL, None, each.user_id, rings=True) for each in people]
    outbox.put(connection, None, guild_id, NO_LINES, rows, now)


def leave_out(
    connection: Connection, guild_id: int, number: int, user_id: UserId, rests_until: datetime, now: datetime
) -> None:
    """Take somebody out of a gathering. Their pledge stays, behind those of others, and rests for a while."""
    for each in pledges.of_gathering(connection, number):
        if each.user_id == user_id:
            _over(connection, guild_id, [each], now)
            rests = max(rests_until, each.row.rests_until or rests_until)
            pledges.free(connection, guild_id, user_id, each.game, rests_until=rests, since=now)


def leave(connection: Connection, pledged: Pledged, now: datetime) -> None:
    """Take somebody out of the gathering that they are in, if they are in one. If they had said yes, they rest."""
    row = pledged.row
    if row.gathering is None:
        return
    found = pledges.gathering(connection, row.gathering)
    until = now + gathering.LEFT_OUT if found is None else max(now + gathering.LEFT_OUT, found[1].until)
    leave_out(connection, pledged.guild_id, row.gathering, pledged.user_id, until, now)
    if row.answer is Answer.YES:
        resting.rest(connection, pledged.user_id, now)
    pledges.check_soon(connection, pledged.guild_id, now)


def own(connection: Connection, guild_id: int, user_id: UserId, game: str) -> Pledged | None:
    """Return what a person would play of this game on a server."""
    found = pledges.of_people(connection, guild_id, [user_id])
    return next((each for each in found if each.game == game), None)


def withdraw(connection: Connection, guild_id: int, user_id: UserId, game: str, now: datetime) -> bool:
    """Delete a pledge, and return whether there was one.

    If the person has said that they're ready, that counts as not coming (`resting.MISS`).
    """
    lock(connection, guild_id)
    found = own(connection, guild_id, user_id, game)
    if found is None:
        return False
    leave(connection, found, now)
    return pledges.remove(connection, guild_id, user_id, game)


def end(connection: Connection, guild_id: int, number: int, now: datetime) -> None:
    """End a gathering. People who are still in it keep their pledges and their places in the queue."""
    left = pledges.of_gathering(connection, number)
    _over(connection, guild_id, left, now)
    for each in left:
        pledges.free(connection, guild_id, each.user_id, each.game)
    pledges.end_gathering(connection, number)


def all_over(connection: Connection, now: datetime) -> None:
    """End all gatherings, and withdraw all pledges."""
    for guild_id in pledges.gathering_guilds(connection):
        lock(connection, guild_id)
        for row in pledges.gatherings(connection, guild_id):
            end(connection, guild_id, row.id, now)
    pledges.withdraw_all(connection)


def _over(
    connection: Connection, guild_id: int, people: Sequence[Pledged], now: datetime, match_id: MatchId | None = None
) -> None:
    """Have the messages that asked these people edited: the question is over. `match_id`: the lobby that opened."""
    rows = [
        News(Kind.CALL_OVER, None, each.user_id, message_id=each.row.message_id, channel_id=each.row.message_in)
        for each in people
        if each.row.message_id is not None
    ]
    outbox.put(connection, match_id, guild_id, NO_LINES, rows, now)


def open_lobby(
    connection: Connection, guild_id: int, number: int, now: datetime, opens: Opens, closed: Mapping[int, str]
) -> Match | None:
    """Open the lobby of those who said yes, and return it. Their pledges are set aside (`resting.seats_changed`).

    Somebody who can't sit down right now (too many open tables) is left out. If too few remain, no lobby opens.
    `closed`: the channels of theirs in which nothing can be posted, and why. Raises NotAllowed if no other is left.
    """
    found = pledges.gathering(connection, number)
    assert found is not None
    row = found[1]
    gathered = loaded(connection, guild_id, row, now)
    members = {each.user_id: each for each in pledges.of_gathering(connection, number)}
    people = [each.user_id for each in gathered.ready]
    times = queries.lobby_times(connection, people, guild_id, MatchId(0))
    waiting = {user_id: sum(starts_at is None for _, starts_at in lobbies) for user_id, lobbies in times.items()}
    unable = {each.user_id for each in gathered.ready if each.barred or waiting.get(each.user_id, 0) >= OPEN_TABLES}
    for user_id in sorted(unable):
        leave_out(connection, guild_id, number, user_id, gathering.rests_until(gathered, now), now)
    gathered = replace(gathered, ready=tuple(each for each in gathered.ready if each.user_id not in unable))
    if not gathering.is_enough(gathered.ready, now):
        return None
    host = _host(members, gathered, closed)
    said = members[host.user_id].row
    if why := closed.get(said.channel_id):
        raise NotAllowed(f"I can't open the table in <#{said.channel_id}>: {why}.")
    match = opens(connection, _request(connection, guild_id, row, gathered, members, host, now), host)
    pledges.change_gathering(connection, number, match_id=match.id)
    _over(connection, guild_id, [members[each.user_id] for each in gathered.ready], now, match.id)
    for each in gathered.ready:
        pledges.seat(connection, guild_id, each.user_id, each.game)
    if not gathered.asked:
        pledges.end_gathering(connection, number)
    return match


def _host(members: dict[UserId, Pledged], gathered: Gathering, closed: Mapping[int, str]) -> Person:
    """Return the lobby's host, in whose channel it opens: the person who has waited longest, if it can be used."""

    def order(each: Pledge) -> tuple[bool, datetime, UserId]:
        return members[each.user_id].row.channel_id in closed, each.since, each.user_id

    first = min(gathered.ready, key=order)
    return Person(first.user_id, members[first.user_id].row.name)


def _request(
    connection: Connection,
    guild_id: int,
    row: GatheringRow,
    gathered: Gathering,
    members: dict[UserId, Pledged],
    by: Person,
    now: datetime,
) -> NewMatch:
    host = by.user_id
    said, server = members[host].row, settings.guild_settings(connection, guild_id)
    taken = queries.matches_shown_in(connection, said.channel_id, (Status.RUNNING,), 1)
    # As in any lobby: a person's first match of a game doesn't count.
    played = (tallies.of_person(connection, each.user_id) for each in gathered.ready)
    known = all(any(tally.game == row.game for tally in of_one) for of_one in played)
    _, most = shared_sizes(gathered.ready, now)
    return NewMatch(
        game=row.game,
        channel_id=said.channel_id,
        terms=Terms(
            size=max(len(gathered.ready), min(most, row.size) if gathered.asked else len(gathered.ready)),
            pace=row.pace,
            where=Where.CHANNEL if said.in_thread else Where.THREAD if taken else server.where,
            rated=known,
            host_starts=False,
        ),
        guild_id=guild_id,
        in_thread=said.in_thread,
        seated=tuple(
            Person(each.user_id, members[each.user_id].row.name) for each in gathered.ready if each.user_id != host
        ),
        shown={KEY: PledgedTable(gathering.starts_by(gathered, now))},
    )


def given_back(connection: Connection, missed: Missed) -> None:
    """Give everybody who is asked whether they're ready the time back that was `missed` on their server."""
    for guild_id in pledges.gathering_guilds(connection):
        since, until = missed(guild_id) or (None, None)
        if since is None or until is None:
            continue
        lock(connection, guild_id)
        for row in pledges.gatherings(connection, guild_id):
            by = until - max(since, row.until - READY[row.pace])
            if row.until > since and by > timedelta(0):
                pledges.change_gathering(connection, row.id, until=row.until + by)


def joins(connection: Connection, guild_id: int, number: int, pledged: Pledged, match: Match, now: datetime) -> None:
    """Note that somebody who was asked has joined the lobby: their pledge is set aside, or over if the match starts."""
    _over(connection, guild_id, [pledged], now, match.id)
    (pledges.seat if match.status is Status.LOBBY else pledges.remove)(
        connection, guild_id, pledged.user_id, pledged.game
    )
    if not pledges.of_gathering(connection, number):
        pledges.end_gathering(connection, number)
