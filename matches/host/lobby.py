"""Host.lobby: matches that haven't started (P1-P3, P11).

The decisions are in `matches/table/lobby.py`; `render/lobby.py` draws a lobby.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from db import Connection
from db.matches import presses, queries
from db.model.enums import Status
from db.model.ids import MatchId, UserId
from db.people import lists, settings
from matches.computers.levels import Level
from matches.host import difference, stored
from matches.host.unit_of_work import UnitOfWork
from matches.records.match import Match
from matches.records.requests import NewMatch, Person
from matches.table import fair, lobby


class Lobby:
    """Opens lobbies, fills and starts them. An `interaction_id` that was carried out before changes nothing."""

    def __init__(self, work: UnitOfWork, entropy: Callable[[int], bytes]) -> None:
        self._work = work
        self._entropy = entropy

    async def open(self, request: NewMatch, host: Person, interaction_id: int | None = None) -> Match:
        """Open a lobby; the host sits down at once. An interaction that has opened one before opens no other.

        Raises NotFound (game), Refused (players, options) or TooSoon.
        """
        # Refused before the store is asked.
        lobby.check(request)
        seed = self._entropy(fair.SEED_BYTES)

        def work(connection: Connection) -> Match:
            return self._opened(connection, request, host, seed, interaction_id)

        return await self._work.write_once(work, interaction_id)

    def _opened(
        self, connection: Connection, request: NewMatch, host: Person, seed: bytes, interaction_id: int | None = None
    ) -> Match:
        if interaction_id is not None:
            known = presses.match_of(connection, interaction_id)
            if known is not None:
                return stored.read(connection, known)
        private, first_here, terms = None, False, request.terms
        rated, starts = False, terms.host_starts
        if request.guild_id is not None:
            chosen = settings.guild_settings(connection, request.guild_id)
            private, rated = chosen.private, terms.rated and not chosen.unrated
            first_here = queries.has_no_match(connection, request.guild_id)
        known_of, stranger = stored.known(connection, (host.user_id,), private)
        if starts is None:
            # For everybody alike, so that nobody finds out who is on the list.
            starts = lists.length(connection, host.user_id) > 0
        request = replace(request, terms=replace(terms, rated=rated, host_starts=starts))
        stored.wait_to_sit(connection, request.guild_id, (host.user_id,))
        now, reliable = self._work.now(), terms.reliable
        standing = stored.standing(
            connection, request.guild_id, (host.user_id,), now, reliable=reliable, lobby=MatchId(0)
        )
        table = lobby.opened(request, host, seed, now, known_of, stranger, standing, first_here=first_here)
        return difference.insert(connection, table, interaction_id).match

    async def join(
        self,
        match_id: MatchId,
        person: Person,
        interaction_id: int | None = None,
        *,
        shown: bool = True,
        anyway: bool = False,
    ) -> Match:
        """Sit down, as `table.lobby.join` says."""
        return await self._work.change(
            match_id,
            lambda table: lobby.join(table, person, shown=shown, anyway=anyway),
            interaction_id,
            people=(person.user_id,),
        )

    async def leave(
        self, match_id: MatchId, user_id: UserId, interaction_id: int | None = None, *, shown: bool = True
    ) -> Match:
        """Stand up before the start, as `table.lobby.leave` says."""
        return await self._work.change(match_id, lambda table: lobby.leave(table, user_id, shown=shown), interaction_id)

    async def watch(self, match_id: MatchId, by: UserId, interaction_id: int | None = None) -> Match:
        """The host gives up their seat and stays, as `table.lobby.watch` says."""
        return await self._work.change(match_id, lambda table: lobby.watch(table, by), interaction_id)

    async def remove(self, match_id: MatchId, by: UserId, user_id: UserId, interaction_id: int | None = None) -> Match:
        """The host removes somebody, as `table.lobby.remove` says."""
        return await self._work.change(match_id, lambda table: lobby.remove(table, by, user_id), interaction_id)

    async def add_computer(
        self, match_id: MatchId, by: UserId, level: str = Level.EASY, interaction_id: int | None = None
    ) -> Match:
        """The host adds a computer player, as `table.lobby.add_computer` says."""
        return await self._work.change(match_id, lambda table: lobby.add_computer(table, by, level), interaction_id)

    async def fill(
        self, match_id: MatchId, by: UserId, level: str = Level.EASY, interaction_id: int | None = None
    ) -> Match:
        """The host has computers take the seats that are missing, as `table.lobby.fill` says."""
        return await self._work.change(match_id, lambda table: lobby.fill(table, by, level), interaction_id)

    async def switch_place(self, match_id: MatchId, by: UserId, interaction_id: int | None = None) -> Match:
        """The host switches between thread and channel, as `table.lobby.switch_place` says."""
        return await self._work.change(match_id, lambda table: lobby.switch_place(table, by), interaction_id)

    async def switch_start(self, match_id: MatchId, by: UserId, interaction_id: int | None = None) -> Match:
        """The host switches how the match starts, as `table.lobby.switch_start` says."""
        return await self._work.change(match_id, lambda table: lobby.switch_start(table, by), interaction_id)

    async def remove_computer(self, match_id: MatchId, by: UserId, interaction_id: int | None = None) -> Match:
        """The host removes a computer player, as `table.lobby.remove_computer` says."""
        return await self._work.change(match_id, lambda table: lobby.remove_computer(table, by), interaction_id)

    async def start(self, match_id: MatchId, by: UserId, interaction_id: int | None = None) -> Match:
        """The host starts the match, as `table.lobby.start` says."""
        return await self._work.change(match_id, lambda table: lobby.start(table, by), interaction_id)

    async def rematch(
        self,
        match_id: MatchId,
        person: Person,
        channel_id: int | None = None,
        interaction_id: int | None = None,
        *,
        in_thread: bool = False,
    ) -> Match:
        """A new lobby for the same people at the same place, or in the channel (or thread) where it is asked for.

        Whoever asks after the first joins that one's lobby, which is drawn anew. A new one that computers fill waits
        for its host to start it: what decides the deals is not settled by who opens it.

        Raises WrongTime before the end, NotSeated for who did not play.
        """
        seed = self._entropy(fair.SEED_BYTES)

        def work(connection: Connection) -> tuple[Match, bool]:
            old = stored.table(connection, match_id, self._work.now(), lock=True)
            request = lobby.rematch(old, person, channel_id, in_thread=in_thread)
            made = queries.rematches(connection, match_id, (Status.LOBBY, Status.RUNNING))
            if made:
                return stored.read(connection, made[0]), not request.watching
            return self._opened(connection, request, person, seed, interaction_id), False

        match, joins = await self._work.write_once(work, interaction_id)
        return await self.join(match.id, person, interaction_id, shown=False) if joins else match
