"""Host.look: a match, its position and its log as one viewer may see them."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from cachetools import LRUCache

from db import Connection
from db.matches import log_lines, queries
from db.matches.queries import LobbyRow
from db.model.enums import Status
from db.model.ids import MatchId, Ply, SeatNumber, UserId
from db.model.rows import Details
from db.people import settings
from games import GAMES
from games.core import Observation, Turn
from games.log import Course, Line, LogError
from matches.engine.shared import Shared
from matches.errors import Frozen, Pruned, Refused, WrongTime, by_the_rules
from matches.records.fair import Draws
from matches.records.match import NOT_PLAYING, Match
from matches.records.replay import Moment, Replay, ended_for, outcome_of
from matches.records.seen import Shown, View
from matches.records.verification import Verification, exported, verified
from matches.work import stored
from matches.work.unit_of_work import UnitOfWork

MOVES_KEPT: Final = 10_000
"""How many legal moves are cached with the words in which people pick them: those of some hundred turns."""

_OPEN: Final = (Status.LOBBY, Status.RUNNING, Status.FROZEN)
_MANY: Final = 1000
_IN_PLACE: Final = 50


class OpenTable(LobbyRow):
    """A summary of a lobby: where it is, and whether it has room."""

    __slots__ = ()

    @property
    def has_room(self) -> bool:
        """Whether somebody can sit down."""
        return self.taken < (self.size or GAMES[self.game].info.max_players)

    @property
    def place_id(self) -> int:
        """The thread or channel where it is."""
        return self.channel_id


class Look:
    """Answers questions about matches. It changes nothing, but freezes a match whose log doesn't replay.

    All of it raises Unavailable.
    """

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work
        # Requests are coalesced, not cached: the next one is about another moment.
        self._open_tables: Shared[tuple[OpenTable, ...]] = Shared(0)
        self._matches: Shared[tuple[Match, ...]] = Shared(0)
        self._turns: LRUCache[tuple[MatchId, int, SeatNumber | None], Turn[Any]] = LRUCache(
            MOVES_KEPT, lambda turn: len(turn.legal)
        )

    async def match(self, match_id: MatchId) -> Match:
        """Return the match as it is stored now. Raises NotFound."""
        return await self._work.read(stored.read, match_id)

    async def view(self, of: MatchId | Match, user_id: UserId | None) -> View:
        """Return the position as this person may see it. Without a seat (or ``None``) it's a spectator's view.

        `of` is the number of a match, or a match that was just read or stored. If the position of that match is cached,
        the view shows that moment and needs no query. Otherwise it shows the present. Raises NotFound, Frozen, Pruned,
        and WrongTime before the start.
        """
        match, course = await self._work.position(of)
        seat = match.seat_of(user_id)
        viewer, own = (None, None) if seat is None else (seat.seat, seat.settings)
        if seat is None and user_id is not None:
            own = await self._work.read(settings.player_settings, user_id)
        state, features, turn = course.state, self._work.features, self._turn(match.id, course, viewer)
        seen = ended_for(match, state, turn.seen)
        return View(
            match=match,
            seat=viewer,
            ply=Ply(course.ply),
            observation=seen,
            stage=state.stage,
            outcome=outcome_of(match, state),
            settings=own,
            round_ply=Ply(course.round_ply),
            turn=turn if seen is turn.seen else replace(turn, seen=seen),
            offers=tuple(offer for each in features for offer in each.offers(match, viewer)),
            on_board=tuple(offer for each in features for offer in each.on_board(match, seen)),
        )

    def _turn(self, match_id: MatchId, course: Course, viewer: SeatNumber | None) -> Turn[Any]:
        """Return what a viewer sees and can do. For whoever can do something, it is made once a turn."""
        key = match_id, course.ply, viewer
        turn = self._turns.get(key)
        if turn is None:
            turn = course.state.turn(viewer)
            if turn.legal:
                self._turns[key] = turn
        return turn

    async def preview(self, view: View, text: str) -> Observation | None:
        """Return what the viewer sees after their action with this canonical text, before they take it.

        ``None`` in games with hidden information, and if the match has moved on since the view. Raises Refused.
        """
        if view.match.info.hidden_information:
            return None
        if view.seat is None:
            raise Refused(NOT_PLAYING)
        _, course = await self._work.position(view.match)
        if course.ply != view.ply:
            return None
        with by_the_rules():
            action = view.turn.string_to_action(text)
            return course.state.apply_action(view.seat, action).observation(view.seat)

    async def matches_of(self, user_id: UserId) -> tuple[Match, ...]:
        """Return this person's matches that aren't over: first those that wait for them, then the newest first."""
        found = await self._work.read(lambda c: stored.read_all(c, queries.open_of(c, user_id, _OPEN, _MANY)))
        playing = [match for match in found if not _has_left(match, user_id)]
        return tuple(sorted(playing, key=lambda match: not match.waits_for(user_id)))

    async def matches_in(self, place_id: int) -> tuple[Match, ...]:
        """Return the lobbies and running matches of a channel or thread, newest first (at most 50)."""
        return await self._in(place_id, (Status.LOBBY, Status.RUNNING))

    async def _in(self, place_id: int, statuses: Collection[Status]) -> tuple[Match, ...]:
        return await self._work.read(
            lambda c: stored.read_all(c, queries.matches_shown_in(c, place_id, statuses, _IN_PLACE))
        )

    async def open_tables(self, guild_id: int) -> tuple[OpenTable, ...]:
        """Return the server's lobbies with a free seat, newest first.

        Requests that arrive at the same time share one query.
        """

        async def look() -> tuple[OpenTable, ...]:
            return tuple(
                map(OpenTable._make, await self._work.read_at_length(guild_id, queries.lobbies_of_guild, guild_id))
            )

        return tuple(each for each in await self._open_tables.get(guild_id, look) if each.has_room)

    async def matches(self, numbers: Sequence[MatchId]) -> tuple[Match, ...]:
        """Return these matches in this order, without deleted ones. Equal requests at the same time share one query."""
        wanted = tuple(numbers)
        return await self._matches.get(wanted, lambda: self._work.read(stored.read_all, wanted))

    async def is_taken(self, channel_id: int, but: MatchId | None = None) -> bool:
        """Whether a match is being played in this channel, so that another one gets a thread (P3).

        With `but`, only matches that were opened before that one count.
        """
        others = await self._in(channel_id, (Status.RUNNING,))
        return any((but is None or other.id < but) and other.place_id == channel_id for other in others)

    async def history(
        self, of: MatchId | Match, user_id: UserId | None, since: int = 0, until: int | None = None
    ) -> tuple[Shown, ...]:
        """Return the lines from number `since` to before `until`, as this person may see them.

        Once the match is over, everybody sees them whole. `of` is as in `view`. Raises NotFound, Frozen, Pruned, and
        WrongTime before the start.
        """
        match, course = await self._work.position(of)
        before, recent = course.before(max(since, 0)), course.since(since)
        if recent is None or (recent and before is None):
            replay = await self.replay(match.id, user_id)
            end = course.ply if until is None else min(until, course.ply)
            return await asyncio.to_thread(lambda: tuple(replay.shown(since, end)))
        told = Replay.of(match, course, user_id, ())
        return tuple(
            told.line(line, earlier, state)
            for earlier, (line, state) in zip([before, *(state for _, state in recent)], recent, strict=False)
            if earlier is not None and (until is None or line.ply < until)
        )

    async def round_end(self, match_id: MatchId, ply: Ply) -> Moment | None:
        """Return what everybody saw at the end of the last round before this ply, with the lines of that round.

        The lines of the rounds before it are there, too (`Moment.before`). ``None`` if no round was over by then.
        Raises NotFound, Frozen, Pruned, WrongTime.
        """
        replay = await self.replay(match_id, None)
        return await asyncio.to_thread(replay.round_end, ply)

    async def course(self, match_id: MatchId) -> tuple[Shown, ...]:
        """Return the lines in force of the match so far, as everybody may see them (`Replay.in_force`).

        Raises NotFound, Frozen, Pruned, and WrongTime before the start.
        """
        replay = await self.replay(match_id, None)
        return await asyncio.to_thread(replay.in_force)

    async def replay(self, match_id: MatchId, user_id: UserId | None, *, everything: bool = False) -> Replay:
        """Return the match from the beginning as this person may see it. `everything`: with all that was hidden.

        Raises NotFound, Frozen, Pruned, and WrongTime before the start (for `everything`: before the end).
        """
        table, lines = await self._work.snapshot(match_id, with_lines=lambda _: True)
        match = table.match
        if everything and match.status is not Status.OVER:
            raise WrongTime("Hidden information is revealed when the match is over.")
        return Replay.of(match, table.course, user_id, lines, everything=everything)

    async def details(self, match_id: MatchId) -> Details:
        """Return what only single pages ask of a match. Raises NotFound."""
        return (await self._work.read(stored.table, match_id, self._work.now())).details

    async def seed(self, match_id: MatchId) -> bytes | None:
        """Return the match's seed once it's no secret any more. Raises NotFound."""
        table = await self._work.read(stored.table, match_id, self._work.now())
        return table.hidden.seed if table.match.status in (Status.OVER, Status.CANCELLED) else None

    async def verify(self, match_id: MatchId) -> Verification:
        """Check commitment, seats and every chance line of a finished match against its seed.

        If its lines were deleted, only commitment and seats are checked. Raises NotFound, WrongTime while the seed is
        secret, and Frozen if the log doesn't replay.
        """
        match, draws, lines = await self._work.read_at_length(match_id, _finished, match_id, self._work.now())
        try:
            return await asyncio.to_thread(verified, match, draws, lines)
        except LogError as error:
            raise Frozen(f"This match can no longer be checked. {error}") from error

    async def exported(self, match_id: MatchId) -> str:
        """Return the whole log of a finished match as a file that allows anybody to check its deals.

        Raises NotFound, Pruned, and WrongTime before the end.
        """
        match, draws, lines = await self._work.read_at_length(match_id, _finished, match_id, self._work.now())
        if match.is_pruned:
            raise Pruned(match_id)
        return exported(match, draws, lines)


def _finished(connection: Connection, match_id: MatchId, now: datetime) -> tuple[Match, Draws, list[Line]]:
    """Return a finished match, its draws and its log. Raises NotFound and WrongTime."""
    table = stored.table(connection, match_id, now)
    match = table.match
    if match.status is not Status.OVER:
        raise WrongTime("The seed and the whole log are secret until the match is over.")
    return match, table.draws, [Line(*row) for row in log_lines.lines(connection, match.id)]


def _has_left(match: Match, user_id: UserId) -> bool:
    seat = match.at_table(user_id)
    return seat is None or seat.resigned
