"""The part of the host for orders: the moves and instructions that people give in advance.

The decisions are in `matches/orders/giving.py`, the queries in `db/orders/kept.py`.

Everything here is made from what the person knows (`matches/orders/ahead.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from db.matches import log_lines
from db.model.ids import MatchId, Ply, SeatNumber, UserId
from db.orders.kept import Order
from games import GAMES
from games.core import Exclusion, Instruction, Move, Observation, Played, State
from games.log import Course, Line, in_force
from matches.computers.pool import Computers
from matches.computers.thinking import Advice
from matches.errors import NotAllowed, by_the_rules
from matches.orders import ahead, giving
from matches.records import fair
from matches.records.match import Match
from matches.records.seat import Seat
from matches.records.seen import Done, View, seen_of
from matches.table import rating
from matches.table.value import Table
from matches.work.part import FeaturePart, deed
from matches.work.unit_of_work import UnitOfWork


@dataclass(frozen=True)
class TheirView(View):
    """The position as the viewer sees it, with the moves of another player that the viewer can answer in advance."""

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the player whose turn it is."""
        return self.turn.moves


@dataclass(frozen=True)
class Prepared:
    """What the viewer has said in advance. It is shown to nobody else.

    `view` shows the match as it is. `next_view` shows it as if it were the viewer's turn now, `their_view` the moves
    that can be answered; ``None`` where that makes no sense. `exclusions` are what can keep an order from being carried
    out, `instructions` those that can be given now. `pending` is the order that is about to be carried out.
    """

    view: View
    orders: tuple[Order, ...]
    next_view: View | None
    their_view: TheirView | None
    exclusions: tuple[Exclusion, ...]
    instructions: tuple[Instruction, ...]
    pending: Order | None


_SEEDS: Final = 1 << 63

PLAYED: Final = "As you'd said in advance:"


class Orders(FeaturePart):
    """What people say in advance, and what they must see to choose that. All of it raises Unavailable."""

    give = deed(giving.give)
    instruct = deed(giving.instruct)
    change = deed(giving.change)
    drop = deed(giving.drop)
    drop_all = deed(giving.drop_all)

    def __init__(self, work: UnitOfWork, computers: Computers) -> None:
        super().__init__(work)
        self._computers = computers

    async def look(self, match_id: MatchId, user_id: UserId) -> Prepared:
        """Return what this person has said in advance, and what they could say.

        Raises NotFound, NotSeated, NotAllowed, WrongTime, Frozen.
        """
        table, _ = await self._work.snapshot(match_id)
        seat, number = giving.seated(table, user_id)
        course, advance = table.running(), GAMES[table.match.game].advance
        state = course.state
        waits = state.current_player != number
        own = tuple(each for each in giving.orders_at(table) if (each.seat, each.user_id) == (number, user_id))
        pending = giving.chosen(table) if own and not waits else None
        seen = state.observation(number)
        then = ahead.position(course, match_id, number) if waits else None
        theirs = ahead.replied(course, match_id, number) if waits else ()
        return Prepared(
            _view(View, table.match, course, seat, state),
            own,
            None if then is None else _view(View, table.match, course, seat, then),
            _view(TheirView, table.match, course, seat, state, theirs) if theirs else None,
            advance.exclusions,
            tuple(each for each in advance.instructions if waits and each.about(seen)),
            None if pending is None else pending.order,
        )

    async def done_for(self, match_id: MatchId, user_id: UserId) -> Done | None:
        """Return this person's latest move if they had said it in advance. Raises as `look` does."""
        table, lines = await self._work.snapshot(match_id, with_lines=lambda _: True)
        _, number = giving.seated(table, user_id)
        latest = max((line.ply for line in in_force(lines) if line.player == number), default=None)
        if latest is None or not await self._work.read(log_lines.was_ordered, match_id, Ply(latest)):
            return None
        return Done(Ply(latest), PLAYED)

    async def reply_view(self, match_id: MatchId, user_id: UserId, theirs: str, ply: Ply) -> View:
        """Return what this person would see after `theirs`, a move of the player before them, and their own moves.

        Raises Refused, Stale, and as `look` does.
        """
        table, state = await self._ahead(match_id, user_id, ply, theirs)
        seat, _ = giving.seated(table, user_id)
        view: View = _view(View, table.match, table.running(), seat, state)
        return view

    async def preview(
        self, match_id: MatchId, user_id: UserId, text: str, ply: Ply, theirs: str | None = None
    ) -> Observation | None:
        """Return what this person sees after the move that they would say in advance.

        ``None`` in games with hidden information. Raises as `reply_view` does.
        """
        table, state = await self._ahead(match_id, user_id, ply, theirs)
        if state.info.hidden_information:
            return None
        _, number = giving.seated(table, user_id)
        with by_the_rules():
            return state.apply_action(number, state.string_to_action(number, text)).observation(number)

    async def hint(self, match_id: MatchId, user_id: UserId, ply: Ply, theirs: str | None = None) -> Advice:
        """Return what a strong computer would say in advance for this person, and what speaks for it.

        It costs nothing yet: call `note_hint` before showing it. Raises as `reply_view` does.
        """
        table, lines = await self._work.snapshot(match_id, with_lines=Computers.remember)
        rating.check_hints(table.match)
        state, seen, seed = hint_asks(table, lines, user_id, ply, theirs)
        _, number = giving.seated(table, user_id)
        question = (match_id, ply, number, "ahead", theirs)
        owner = table.match.guild_id or user_id
        return await self._computers.hint(state, seen, seed, owner=owner, question=question)

    async def note_hint(self, match_id: MatchId, user_id: UserId, ply: Ply) -> None:
        """Store that a hint about a move in advance is about to be shown. It costs the same as a hint on their turn.

        Raises as `reply_view` does.
        """

        def shown(table: Table) -> Table:
            seat, _ = giving.seated(table, user_id)
            rating.check_hints(table.match)
            giving.check_waits(table, seat, ply)
            return rating.helped(table, user_id) if rating.costs_gain(table.match, seat) else table

        await self._work.change(match_id, shown)

    async def _ahead(
        self, match_id: MatchId, user_id: UserId, ply: Ply, theirs: str | None
    ) -> tuple[Table, State[Any]]:
        table, _ = await self._work.snapshot(match_id)
        return table, _position(table, user_id, ply, theirs)


def hint_asks(
    table: Table, lines: Sequence[Line], user_id: UserId, ply: Ply, theirs: str | None
) -> tuple[State[Any], list[Played[Any]], int]:
    """Return what a computer is told when it's asked for a hint: the position, the lines as seen, and its seed.

    All of it follows from what the person knows. Raises as `reply_view` does.
    """
    state = _position(table, user_id, ply, theirs)
    _, number = giving.seated(table, user_id)
    now = table.running().state
    seen = [played for line in in_force(lines) if (played := seen_of(number, line, now)) is not None]
    if theirs is not None:
        seen.append(Played(now.current_player, now.string_to_action(now.current_player, theirs)))
    seed = fair.Stream(b"", table.match.id, f"ahead-hint-{ply}").randrange(_SEEDS)
    return state, seen, seed


def _position(table: Table, user_id: UserId, ply: Ply, theirs: str | None) -> State[Any]:
    """Return the position from which this person would say a move in advance."""
    seat, number = giving.seated(table, user_id)
    giving.check_waits(table, seat, ply)
    found = ahead.position(table.running(), table.match.id, number, theirs)
    if found is None:
        raise NotAllowed("You can't say that in advance here.")
    return found


def _view(
    kind: type[View], match: Match, course: Course, seat: Seat, state: State[Any], legal: tuple[Any, ...] | None = None
) -> Any:
    """Return a position as the person at this seat sees it. `legal`: what can be picked, by default their own moves."""
    turn = state.turn(seat.seat)
    return kind(
        match=replace(match, to_move=SeatNumber(state.current_player)),
        seat=seat.seat,
        ply=Ply(course.ply),
        observation=turn.seen,
        stage=state.stage,
        outcome=None,
        settings=seat.settings,
        round_ply=Ply(course.round_ply),
        turn=turn if legal is None else replace(turn, legal=legal),
    )
