"""Computers' turns and hints: a computer chooses an action, and sees only what the seat to move may know."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final, NamedTuple

from db.model import schema
from db.model.enums import Status
from db.model.ids import MatchId, Ply, UserId
from db.model.rows import DeadlineRow
from db.store import leases
from db.store.leases import Lease
from games.core import Played, State
from games.log import Line, in_force
from matches.computers.pool import Computers
from matches.computers.thinking import Advice
from matches.errors import Frozen, NotFound, WrongTime
from matches.records.match import Match
from matches.records.seat import NotYourTurn
from matches.records.seen import seen_of
from matches.table import rating
from matches.table.play import computers_turn
from matches.table.value import Table
from matches.work.unit_of_work import UnitOfWork

_SEEDS: Final = 1 << 63


class Imagined(NamedTuple):
    """What a computer is told about a match. `position` is resampled from what the seat to move may know."""

    position: State[Any]
    lines: tuple[Played[Any], ...]
    seed: int


class Thinker:
    """The part of the host that asks the computers. They never see the true position."""

    def __init__(self, work: UnitOfWork, computers: Computers) -> None:
        self._work = work
        self.computers = computers

    async def hint(self, match_id: MatchId, user_id: UserId, ply: Ply | None = None) -> Advice:
        """Return what a strong computer would do for this person, whose turn it is, and what speaks for it.

        Each position is computed only once. The hint costs nothing yet: call `note_hint` before showing it. Raises
        WrongTime (also if the match isn't at `ply`), NotAllowed, NotFound, NotSeated, NotYourTurn, Frozen, Unavailable.
        """
        table, lines = await self._work.snapshot(match_id, with_lines=Computers.remember)
        hint_costs(table.match, user_id, ply)
        question = (match_id, table.match.ply, table.match.to_move)
        # Servers take turns: on one of them, each person waits for one hint at a time.
        owner = table.match.guild_id or user_id
        return await self.computers.hint(*imagined(table, lines), owner=owner, question=question)

    async def note_hint(self, match_id: MatchId, user_id: UserId, ply: Ply) -> None:
        """Store that a hint about the position at `ply` is about to be shown. If the match is rated, it costs any gain.

        So nobody sees a hint that isn't stored, and a hint that failed or came too late costs nothing. If showing it
        fails, the person can ask for it again. Raises as `hint` does.
        """

        def shown(table: Table) -> Table:
            return rating.helped(table, user_id) if hint_costs(table.match, user_id, ply) else table

        await self._work.change(match_id, shown)

    def is_needed(self, row: DeadlineRow, match: Match) -> bool:
        """Whether the match still waits for the computer's turn that was claimed."""
        return match.status is Status.RUNNING and match.turn_ply == row.ply and match.lost is None

    async def computers_turn(self, row: DeadlineRow) -> None:
        """Let a computer think, outside the lock, and play if the match is still at the same ply.

        It may take as long as its lease is renewed. Cancelling it stops the search.
        """
        # Reading a match whose log doesn't replay freezes it. The match may also be over. Then there is nothing to do.
        with suppress(NotFound, Frozen, WrongTime):
            await self._computers_turn(row)

    async def _computers_turn(self, row: DeadlineRow) -> None:
        table, lines = await self._work.snapshot(row.match_id, with_lines=Computers.remember)
        mover = table.match.mover
        if not self.is_needed(row, table.match) or mover is None:
            return
        text = None
        if mover.computer is not None:
            match = table.match
            asked = imagined(table, lines)
            text = await self.computers.choose(mover.computer, *asked, owner=match.host_id, rank=match.rank)

        def decide(table: Table) -> Table:
            same = self.is_needed(row, table.match) and table.match.mover == mover
            return computers_turn(table, mover, text) if same and text is not None else table

        effect = await self._work.change(row.match_id, decide, tells=True)
        if not effect.table.events:
            ours = Lease(self._work.name, self._work.now() + self._work.lease)
            await self._work.write(leases.release, schema.deadlines, [(row.match_id, row.kind)], ours)


def hint_costs(match: Match, user_id: UserId, ply: Ply | None = None) -> bool:
    """Whether a hint costs this person, whose turn it is, their rating gain in this match.

    Raises NotSeated, NotYourTurn, Frozen, NotAllowed in a rated match between people, and WrongTime, also if the match
    isn't at `ply`.
    """
    match.check_running()
    seat = match.own_seat(user_id)
    rating.check_hints(match)
    if ply is not None and ply != match.ply:
        raise WrongTime("The match has moved on. Please ask again when it's your turn.")
    if match.mover != seat or not seat.present:
        raise NotYourTurn(match.info.not_your_turn, match.mover)
    return rating.costs_gain(match, seat)


def imagined(table: Table, lines: list[Line]) -> Imagined:
    """Return the position and lines of a running match, as the seat to move may know them."""
    course = table.running()
    state, seat = course.state, course.state.current_player
    numbers = table.draws.computer(Ply(course.ply), course.draws)
    seen = tuple(played for line in in_force(lines) if (played := seen_of(seat, line, state)))
    return Imagined(state.resample_from_infostate(seat, numbers), seen, numbers.randrange(_SEEDS))
