"""Whole matches of all games, driven by the host and its scheduler alone, and delivered to a list.

Discord has no part in it: `tests/test_imports.py` reads what this module imports.
"""

import asyncio
from collections import Counter
from datetime import timedelta
from random import Random

import pytest

from games import GAMES
from matches.api import BoardPost, Ended, Host, Kind, ManualClock, Match, MatchId, Status, Telling, UserId, Vote
from matches.host.scheduler import Scheduler
from tests.matches.tables import DAY, absent, lobby, others, play

LONG: dict[str, dict[str, str]] = {"ambagibus": {"variant": "advanced"}}
"""Options without which a match could end with its first move."""


class Told(list[Telling]):
    """The deliveries in order."""

    async def deliver(self, row: Telling, match: Match) -> BoardPost | None:
        self.append(row)
        return BoardPost(match.id, len(self), match.ply) if row.kind in (Kind.BOARD, Kind.END) else None


class Run:
    """One match with its scheduler. People act at the host, everything else follows by itself."""

    def __init__(self, host: Host, clock: ManualClock, number: int) -> None:
        self.host, self.clock, self.number = host, clock, number
        self.told = Told()
        self.scheduler = Scheduler(host, self.told.deliver)
        self.rng = Random(1)

    async def settled(self) -> Match:
        """The match when nothing is due any more."""
        while tasks := self.scheduler.tasks:
            await asyncio.wait(tasks)
        return await self.host.look.match(MatchId(self.number))

    async def later(self, by: timedelta) -> Match:
        """Let time pass, and the scheduler tick."""
        self.clock.advance(by)
        await self.scheduler.tick()
        return await self.settled()

    async def move(self) -> Match:
        """The person whose turn it is does something."""
        await play(self.host, await self.host.look.match(MatchId(self.number)), self.rng)
        return await self.settled()

    async def moves(self, count: int) -> Match:
        """Make this many actions of people."""
        for _ in range(count):
            match = await self.move()
        return match

    def kinds(self) -> Counter[Kind]:
        """How many of each kind were delivered."""
        return Counter(row.kind for row in self.told)


async def seat_given_to_a_computer(run: Run) -> UserId:
    """Somebody doesn't come: they are reminded, the table votes, and a computer plays for them."""
    gone = absent(await run.settled())
    await run.later(0.9 * DAY)
    assert run.kinds()[Kind.REMIND] == 1
    match = await run.later(0.1 * DAY)
    assert run.kinds()[Kind.VOTE] == 1
    for person in others(match):
        if (match := await run.host.look.match(MatchId(run.number))).mover.present:
            await run.host.votes.vote(MatchId(run.number), person, Vote.COMPUTER)
    ply = match.ply
    match = await run.settled()
    assert match.ply > ply
    assert match.status is not Status.RUNNING or absent(match) != gone
    return gone


async def clock_stopped_by_absence(run: Run) -> None:
    """Somebody is away longer than a turn may take, and nobody asks the table about them."""
    away = absent(await run.settled())
    asked = run.kinds()[Kind.VOTE]
    await run.host.absence.away(away, run.clock.now() + 3 * DAY)
    assert (absent(await run.later(2 * DAY)), run.kinds()[Kind.VOTE]) == (away, asked)
    assert run.kinds()[Kind.AWAY] == 1
    await run.host.absence.away(away, None)
    await run.settled()


@pytest.mark.parametrize("game", GAMES)
async def test_a_whole_match_with_computers_deadlines_votes_and_absences_is_delivered_to_a_list(
    host: Host, clock: ManualClock, game: str
) -> None:
    info = GAMES[game].info
    people = max(2, min(3, info.max_players - 1))
    match = await lobby(host, game, people, min(1, info.max_players - people), options=LONG.get(game, {}))
    run = Run(host, clock, match.id)
    if match.status is Status.LOBBY:
        await host.lobby.start(match.id, match.host_id)
    await run.later(timedelta(0))
    await run.moves(people)
    gone = await seat_given_to_a_computer(run)
    await host.play.take_back(match.id, gone)
    await clock_stopped_by_absence(run)
    match = await run.settled()
    while match.status is Status.RUNNING:
        match = await run.move()
    assert (match.status, match.ended_by) == (Status.OVER, Ended.RULES)
    assert run.kinds()[Kind.END] == 1
    assert len({row.id for row in run.told}) == len(run.told), "nothing is told twice"
    await run.later(timedelta(0))
    assert not await host.outbox.owes()
    assert (await host.look.verify(match.id)).ok
