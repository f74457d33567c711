"""What computers think about: a position as a seat may know it, and what they would do there."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from db import Connection
from db import matches as queries
from games.core import Played, State
from games.log import HOST, Line
from matches import fair
from matches.computers import Computers
from matches.desk import Desk
from matches.errors import NotYourTurn
from matches.records import Match
from matches.views import text_for

_SEEDS: Final = 1 << 63


class Imagined(NamedTuple):
    """What the computer players are told of a match: `position` is drawn anew from what the seat on turn may know."""

    position: State[Any]
    lines: tuple[Played, ...]
    seed: int


class Thinker(Desk):
    """The part of the host that asks the computer players. They are never shown the true position."""

    _computers: Computers

    async def hint(self, match_id: int, user_id: int) -> str:
        """The canonical text of what a strong computer would do in the place of this person, who is on turn.

        Equal for equal positions. Raises NotFound, NotSeated, NotYourTurn, WrongTime, Frozen, Unavailable.
        """
        async with self._sitting(match_id) as sitting:
            sitting.running()
            seat = sitting.seated(user_id)
            if sitting.match.mover != seat or not seat.present:
                raise NotYourTurn(f"{sitting.match.info.turn_rule}: It is not your turn.")
            imagined = await self._imagined(sitting.connection, sitting.match, sitting.seed)
        return await self._computers.hint(*imagined)

    async def _imagined(self, connection: Connection, match: Match, seed: bytes) -> Imagined:
        """The position of a running match and its lines, as the seat on turn may know them. Raises LogError."""
        course = await self._course(connection, match)
        state, seat = course.state, course.state.current_player
        numbers = fair.computer(seed, match.id, course.ply)
        rows = await queries.lines(connection, match.id) if Computers.remember(match.game) else []
        lines = (Line(*row) for row in rows)
        seen = tuple(Played(line.player, text_for(seat, line, state)) for line in lines if line.player != HOST)
        return Imagined(state.resample_from_infostate(seat, numbers), seen, numbers.randrange(_SEEDS))
