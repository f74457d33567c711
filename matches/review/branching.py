"""Host.branching: playing on from a moment of a finished match, at a table of its own (P38).

The log of the new match begins with a copy of the lines up to there. Then a line of its own says from which seat it is
played on, and from which seed everything that this seat couldn't know is drawn again (`games.log.Branch`).
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import NamedTuple

from db import Connection
from db.matches import log_lines, presses, queries
from db.model.enums import Pace
from db.model.ids import MatchId, Ply, SeatNumber, UserId
from games.log import Course, branched, copied
from matches.errors import NotAllowed, NotSeated
from matches.records.match import Match
from matches.records.replay import ONLY_PLAYERS, Replay
from matches.records.requests import NewMatch, Person, PlayOn
from matches.table import lobby
from matches.table.limits import PRIVATE_TABLES
from matches.work import stored
from matches.work.part import FeaturePart
from matches.work.unit_of_work import Effect


class Offer(NamedTuple):
    """Where somebody can play on: after `ply` lines of `match`, from one of these `seats`, their own first."""

    match: Match
    ply: Ply
    seats: tuple[SeatNumber, ...]


class _Beginning(NamedTuple):
    """Where a match is played on, and the position there."""

    branch: PlayOn
    course: Course


class Branching(FeaturePart):
    """Opens tables at which finished matches are played on. All of it raises Unavailable."""

    async def offer(self, match_id: MatchId, ply: Ply, user_id: UserId) -> Offer:
        """Return from which seats this person can play on there.

        Raises NotFound, Pruned, Frozen, WrongTime, NotSeated.
        """
        table, lines = await self._work.snapshot(match_id, with_lines=lambda _: True)
        return Offer(table.match, ply, Replay.of(table.match, table.course, user_id, lines).seats_from(ply))

    async def alone(
        self, match_id: MatchId, ply: Ply, seat: SeatNumber, person: Person, level: str, request: NewMatch
    ) -> Match:
        """Play on at a private table, where computers of this level have all other seats. It starts at once.

        `request` says where it is shown. An interaction that has opened a table opens no other. Raises as `offer` does,
        NotAllowed (no such level, or too many private tables), TooSoon.
        """
        beginning = await self._beginning(match_id, ply, seat, person)

        def work(connection: Connection) -> Effect | Match:
            press = request.interaction_id
            known = None if press is None else log_lines.match_of_line(connection, press)
            if known is not None:
                return stored.read(connection, known)
            origin = _checked(connection, match_id, seat, person)
            lobby.check_level(origin.game, origin.options, len(origin.seats), level)
            if queries.count_private(connection, person.user_id) >= PRIVATE_TABLES:
                raise NotAllowed(
                    f"You already have {PRIVATE_TABLES} private tables running. Finish one of them first, or end it "
                    "with **End …** under `/match`."
                )
            terms = replace(request.terms, pace=Pace.NONE, host_starts=True)
            computers = (level,) * (len(origin.seats) - 1)
            whole = replace(_of(origin, beginning.branch, replace(request, terms=terms)), computers=computers)
            number = self._work.open_within(connection, whole, person).id
            return self._work.change_within(
                connection,
                number,
                lambda table: lobby.start(table, person.user_id),
                course=beginning.course,
                interaction_id=press,
            )

        done = await self._work.write(work, idempotent=request.interaction_id is not None)
        if isinstance(done, Match):
            return done
        self._work.announce(done)
        return done.match

    async def opened(self, match_id: MatchId, ply: Ply, seat: SeatNumber, person: Person, request: NewMatch) -> Match:
        """Open a lobby to play on with whoever joins. The host has that seat, and the others are drawn at the start.

        `request` says where it is shown, and the terms. An interaction that has opened a table opens no other. Raises
        as `offer` does, TooSoon, NotAllowed.
        """
        beginning = await self._beginning(match_id, ply, seat, person)

        def work(connection: Connection) -> Match:
            press = request.interaction_id
            known = None if press is None else presses.match_of(connection, press)
            if known is not None:
                return stored.read(connection, known)
            origin = _checked(connection, match_id, seat, person)
            return self._work.open_within(connection, _of(origin, beginning.branch, request), person)

        return await self._work.write(work, idempotent=request.interaction_id is not None)

    async def _beginning(self, match_id: MatchId, ply: Ply, seat: SeatNumber, person: Person) -> _Beginning:
        table, lines = await self._work.snapshot(match_id, with_lines=lambda _: True)
        if seat not in Replay.of(table.match, table.course, person.user_id, lines).seats_from(ply):
            raise NotSeated(ONLY_PLAYERS)

        def replayed() -> _Beginning:
            kept, of = copied(lines[:ply]), match_id
            last = None if not kept else branched(kept[-1])
            if last is not None and last.seat == seat:
                # This match itself was played on from here, so the new one branches from the same place of its origin.
                kept, of = kept[:-1], table.match.branch_of or of
            return _Beginning(PlayOn(of, seat, kept), Course.begin(table.match.header).through(kept))

        return await asyncio.to_thread(replayed)


def _checked(connection: Connection, match_id: MatchId, seat: SeatNumber, person: Person) -> Match:
    """Return the match that is played on. Raises NotSeated if the seat isn't this person's any more, NotFound."""
    origin = stored.read(connection, match_id)
    own = origin.seat_of(person.user_id)
    if origin.info.hidden_information and (own is None or own.seat != seat):
        raise NotSeated(ONLY_PLAYERS)
    return origin


def _of(origin: Match, branch: PlayOn, request: NewMatch) -> NewMatch:
    """Return the request with the game, options and size of the match that is played on. It is unrated."""
    terms = replace(request.terms, options=origin.options, size=len(origin.seats), rated=False)
    return replace(request, game=origin.game, terms=terms, branch=branch)
