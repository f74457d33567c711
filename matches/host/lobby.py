"""Host.lobby: matches that haven't started (P1-P3, P11).

The decisions are in `matches/table/lobby.py` and `opening.py`; `render/lobby.py` draws a lobby.
"""

from __future__ import annotations

from dataclasses import replace

from db import Connection
from db.matches import presses, queries
from db.model.enums import Status
from db.model.ids import MatchId
from db.people import lists, settings
from matches.host import difference, stored
from matches.host.operating import check_open
from matches.host.part import Part, deed
from matches.records.match import Match
from matches.records.requests import NewMatch, Once, Person
from matches.table import fair, lobby, opening, silence


class Lobby(Part):
    """Opens lobbies, fills and starts them."""

    join = deed(lobby.join, may_sit=True)
    leave = deed(lobby.leave)
    watch = deed(lobby.watch)
    remove = deed(lobby.remove)
    add_computer = deed(lobby.add_computer)
    fill = deed(lobby.fill)
    switch_place = deed(lobby.switch_place)
    switch_start = deed(lobby.switch_start)
    switch_rated = deed(lobby.switch_rated)
    remove_computer = deed(lobby.remove_computer)
    start = deed(lobby.start)
    note_press = deed(silence.pressed)
    hand_on = deed(lobby.hand_on)

    async def open(self, request: NewMatch, host: Person) -> Match:
        """Open a lobby, in which the host sits down at once. An interaction that has opened one opens no other.

        Raises NotFound (game), Refused (players, options), TooSoon or NotAllowed, also while no new tables open.
        """
        # Refused before the store is asked.
        opening.check(request)
        seed = self._work.entropy(fair.SEED_BYTES)
        return await self._work.write(self._opened, request, host, seed, idempotent=request.interaction_id is not None)

    def open_within(self, connection: Connection, request: NewMatch, host: Person) -> Match:
        """Do as `open` within a transaction of the caller's."""
        return self._opened(connection, request, host, self._work.entropy(fair.SEED_BYTES))

    def _opened(self, connection: Connection, request: NewMatch, host: Person, seed: bytes) -> Match:
        if request.interaction_id is not None:
            known = presses.match_of(connection, request.interaction_id)
            if known is not None:
                return stored.read(connection, known)
        check_open(connection)
        private, first_here, terms = None, False, request.terms
        rated, starts = False, terms.host_starts
        if request.guild_id is not None:
            chosen = settings.guild_settings(connection, request.guild_id)
            private, rated = chosen.private, terms.rated and not chosen.unrated
            first_here = queries.has_no_match(connection, request.guild_id)
        people = (host.user_id, *(person.user_id for person in request.seated))
        known_of, stranger = stored.known(connection, people, private)
        if starts is None and terms.appointed is None:
            # A host who has a list starts the match themselves, whoever joins. So nobody can find out who is on it.
            starts = lists.length(connection, host.user_id) > 0
        request = replace(request, terms=replace(terms, rated=rated, host_starts=starts))
        stored.wait_to_sit(connection, request.guild_id, people)
        now, reliable = self._work.now(), terms.reliable
        appointed = terms.appointed is not None
        standing = stored.standing(
            connection, request.guild_id, people, now, reliable=reliable, lobby=MatchId(0), appointed=appointed
        )
        table = opening.opened(request, host, seed, now, known_of, stranger, standing, first_here=first_here)
        return difference.insert(connection, table).match

    async def rematch(
        self, match_id: MatchId | Once, person: Person, channel_id: int | None = None, *, in_thread: bool = False
    ) -> Match:
        """Open a new lobby for the same people at the same place, or in the given channel (or thread).

        The second person who asks joins the lobby of the first, which is redrawn. If computers fill a new lobby, it
        waits for its host to start it: whoever opens it must not decide the deals.

        Raises WrongTime before the end, and NotSeated for a person who didn't play.
        """
        match_id, interaction_id = match_id if isinstance(match_id, Once) else (match_id, None)
        seed = self._work.entropy(fair.SEED_BYTES)

        def work(connection: Connection) -> tuple[Match, bool]:
            old = stored.table(connection, match_id, self._work.now(), lock=True)
            request = opening.rematch(old, person, channel_id, in_thread=in_thread)
            made = queries.rematches(connection, match_id, (Status.LOBBY, Status.RUNNING))
            if made:
                return stored.read(connection, made[0]), not request.watching
            return self._opened(connection, replace(request, interaction_id=interaction_id), person, seed), False

        match, joins = await self._work.write(work, idempotent=interaction_id is not None)
        return await self.join(Once(match.id, interaction_id), person, shown=False) if joins else match
