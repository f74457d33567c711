"""Host.lobby: matches that haven't started (P1-P3, P11).

The decisions are in `matches/table/lobby.py` and `opening.py`; `render/lobby.py` draws a lobby.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from db import Connection
from db.matches import queries
from db.model.enums import Status
from db.model.ids import MatchId
from matches.records import fair
from matches.records.match import Match
from matches.records.requests import NewMatch, Once, Person
from matches.table import lobby, opening, silence
from matches.work import stored
from matches.work.part import Part, deed


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
    agree = deed(lobby.agree, may_sit=True)
    remove_computer = deed(lobby.remove_computer)
    start = deed(lobby.start)
    ready = deed(lobby.ready)
    note_press = deed(silence.pressed)
    hand_on = deed(lobby.hand_on)

    async def open(self, request: NewMatch, host: Person) -> Match:
        """Open a lobby, in which the host sits down at once. An interaction that has opened one opens no other.

        Raises NotFound (game), Refused (players, options), TooSoon or NotAllowed, also while no new tables open.
        """
        # Refused before the store is asked.
        opening.check(request)
        seed = self._work.entropy(fair.SEED_BYTES)
        return await self._work.write(
            self._work.open_within, request, host, seed, idempotent=request.interaction_id is not None
        )

    async def rematch(
        self,
        match_id: MatchId | Once,
        person: Person,
        channel_id: int | None = None,
        *,
        in_thread: bool = False,
        shown: Mapping[str, Any] = MappingProxyType({}),
    ) -> Match:
        """Open a new lobby for the same people at the same place, or in the given channel (or thread).

        The second person who asks joins the lobby of the first, which is redrawn. If computers fill a new lobby, it
        waits for its host to start it: whoever opens it must not decide the deals.

        `shown`: what features keep of the lobby. Then it's for another time, so the second person only learns of it.

        Raises WrongTime before the end, and NotSeated for a person who didn't play.
        """
        match_id, interaction_id = match_id if isinstance(match_id, Once) else (match_id, None)
        seed = self._work.entropy(fair.SEED_BYTES)

        def work(connection: Connection) -> tuple[Match, bool]:
            old = stored.table(connection, match_id, self._work.now(), lock=True)
            request = opening.rematch(old, person, channel_id, in_thread=in_thread)
            statuses = (Status.LOBBY,) if shown else (Status.LOBBY, Status.RUNNING)
            for number in queries.rematches(connection, match_id, statuses):
                made = stored.read(connection, number)
                if made.shown.keys() == shown.keys():
                    return made, not (request.watching or shown)
            request = replace(request, interaction_id=interaction_id, shown=shown)
            return self._work.open_within(connection, request, person, seed), False

        match, joins = await self._work.write(work, idempotent=interaction_id is not None)
        return await self.join(Once(match.id, interaction_id), person, shown=False) if joins else match
