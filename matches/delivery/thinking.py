"""What computers think about: a position as a seat may know it, and what they would do there; and their turns."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final, NamedTuple

from db import Connection, deadlines
from db import matches as queries
from db.deadlines import DeadlineRow
from games.core import Played, State
from games.log import Line, LogError
from matches import fair, stored
from matches.computers import Computers
from matches.delivery.time import Timekeeper, raise_together
from matches.errors import Frozen, NotFound, NotYourTurn
from matches.records import Due, Match, Status
from matches.views import seen_of

_SEEDS: Final = 1 << 63


class Imagined(NamedTuple):
    """What the computer players are told of a match: `position` is drawn anew from what the seat on turn may know."""

    position: State[Any]
    lines: tuple[Played[Any], ...]
    seed: int


class Thinker(Timekeeper):
    """The part of the host that asks the computer players. They are never shown the true position."""

    _computers: Computers

    async def hint(self, match_id: int, user_id: int) -> str:
        """The canonical text of what a strong computer would do in the place of this person, who is on turn.

        Equal for equal positions, which are thought about once. Raises NotFound, NotSeated, NotYourTurn, WrongTime,
        Frozen, Unavailable.
        """
        async with self._sitting(match_id) as sitting:
            sitting.running()
            seat = sitting.seated(user_id)
            if sitting.match.mover != seat or not seat.present:
                raise NotYourTurn(sitting.match.info.not_your_turn, sitting.match.mover)
            imagined = await self._imagined(sitting.connection, sitting.match, sitting.seed)
        question = (match_id, sitting.match.ply, seat.seat)
        return await self._computers.hint(*imagined, person=user_id, question=question)

    async def run_due(self) -> bool:
        """Carry out everything that is due: what time brings, and computers' turns; True if there was anything.

        For whoever drives matches without lanes of delivery; failures are raised together, as by `run_time`.
        """
        by_time = await self.run_time()
        rows = await self.claim_due((Due.COMPUTER,))
        raise_together(await asyncio.gather(*(self.computers_turn(row) for row in rows), return_exceptions=True))
        return by_time or bool(rows)

    def is_needed(self, row: DeadlineRow, match: Match) -> bool:
        """Whether the computer's turn that was claimed is still that of the match, which may have gone on since."""
        return match.status is Status.RUNNING and match.turn_ply == row.ply and match.lost is None

    async def computers_turn(self, row: DeadlineRow) -> None:
        """A computer thinks, outside the lock, and plays if the match is still where it was.

        It may take as long as it wants, as long as its lease is renewed; cancelling it stops the thought.
        """
        # A match whose log does not replay is frozen by being looked at: that is all there is to do.
        with suppress(NotFound, Frozen):
            await self._computers_turn(row)

    async def _computers_turn(self, row: DeadlineRow) -> None:
        async with self._reading() as connection:
            match, seed, _ = await stored.read(connection, row.match_id)
            if not self.is_needed(row, match) or match.mover is None:
                return
            imagined = None
            with suppress(LogError):
                imagined = await self._imagined(connection, match, seed)
        mover = match.mover
        text = None
        if imagined is not None and mover.computer is not None:
            text = await self._computers.choose(mover.computer, *imagined)
        async with self._sitting(row.match_id) as sitting:
            same = self.is_needed(row, sitting.match) and sitting.match.mover == mover
            if same and mover.seat is not None and text is not None:
                sitting.play(mover.seat, sitting.running().state.string_to_action(mover.seat, text))
            else:
                await deadlines.free(sitting.connection, [(row.match_id, row.kind)])

    async def _imagined(self, connection: Connection, match: Match, seed: bytes) -> Imagined:
        """The position of a running match and its lines, as the seat on turn may know them. Raises LogError."""
        course = await self._course(match, await self._behind(connection, match))
        state, seat = course.state, course.state.current_player
        numbers = fair.computer(seed, match.id, course.ply)
        rows = await queries.lines(connection, match.id) if Computers.remember(match.game) else []
        seen = tuple(played for row in rows if (played := seen_of(seat, Line(*row), state)))
        return Imagined(state.resample_from_infostate(seat, numbers), seen, numbers.randrange(_SEEDS))
