"""Orders: what people have said in advance, when that applies, and when it ends.

People give orders while it isn't their turn: their next move, answers to each move of the player before them, or an
instruction of the game. `matches/orders/asking.py` has the methods for that, `db/orders/kept.py` the queries, and
`games/core/advance.py` says what a game offers.

Whether an order applies follows from what its owner sees (`Turn` holds no position). It is decided in the transaction
that makes it their turn. One that applies is carried out later, at a deadline (`Due.ORDER`). This is drawn at random
once, when the turn begins, and stored. It follows from nothing that is published, neither the seed nor an id.
Where none applies, nothing happens then: the person is asked as always.

So that nobody learns who has said what:

* Orders are no part of `Match`, from which everything public is made.
* For a turn that an order will answer, the board's post looks as always, but pings nobody (`Telling.quiet`). Its
  player gets no message about the turn, but one about what was played.
* Giving, changing and deleting orders writes no line, tells nobody, moves no clock, and doesn't count as having acted
  at the table (`Table.heard_of`).
* At a fast pace the delay is at most half of a turn's time, so no reminder comes before it.

One thing can be learned before the move is made: that an order applies, but not which one, or how many there are.
Discord notifies people by a mention, and tells bots and clients whom each post mentions. So somebody who runs one, or
searches for mentions, may notice that a turn was called without a ping. The board never mentions people who are rung by
DM alone, so nobody can notice it about them. No other way keeps people from being rung: a silent post carries a flag, a
later ping rings everybody late, and an edit rings nobody. That an order did *not* apply can't be learned: then the turn
is called as always.

Some instructions make sense by what everybody sees (`Instruction.at_once`), as discarding in a round that is lost for
all. Everybody at the table is offered them, also in their own turn. They are carried out in the transaction that makes
it their owner's turn, so consecutive ones share a post. That somebody has given one can be seen then. It reveals
nothing, and it isn't told to them move by move.

An order ends

* when it was carried out (an instruction: when what it is about is over),
* when the turn that it was meant for has come and it doesn't apply,
* when cards were dealt or drawn by chance since (an instruction goes on),
* when its owner makes a move by hand, resigns, leaves, is forgotten or replaced, or a computer takes their seat,
* when any move of the match is taken back: nothing that was said for another position stands then, and a line that was
  taken back brings no order back,
* when the match ends or freezes, as after a change of its rules.

An instruction survives a move that the program makes because its owner has no other.

Blocks don't touch orders: they keep people from new tables only. The orders of a person who is away are carried out,
which ends the pause of their clock. A question about the turn (votes, reminders) can be asked while an order waits;
whichever comes first decides. While the match can't be reached nothing is carried out, and the deadline is as much
later afterwards (`reach.found`).
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from db.matches.outbox import News
from db.model.enums import Due, Kind, Status
from db.model.ids import Ply, SeatNumber, UserId
from db.orders.kept import KEPT, Order, OrderKind
from games import GAMES
from games.core import CHANCE, ActionError, Advance, Observation, State, Turn
from games.log import TABLE, branched, taken_back
from matches.errors import NotAllowed, NotFound, Stale, WrongTime
from matches.orders import ahead
from matches.records.match import Match
from matches.records.seat import Seat
from matches.records.seen import Offer
from matches.table.events import Fires, Told
from matches.table.limits import Limit, Per
from matches.table.play import understood
from matches.table.value import STAYS_OUT_OF_REACH, Table

_CHANGED: Final = "You've changed what you say in advance many times in a row."
ORDER: Final = Limit("order", 40, timedelta(seconds=15), _CHANGED, Per.MATCH)
"""Somebody says a move in advance, or changes that."""

BRANCHES: Final = 4
"""How many moves somebody may say in advance, of which one is made."""

OPEN_DELAY: Final = (timedelta(seconds=20), timedelta(minutes=3))
HIDDEN_DELAY: Final = (timedelta(minutes=1), timedelta(minutes=10))
"""The shortest and the longest time until an order is carried out, without and with secret hands."""

NOT_THERE: Final = "You haven't said that in advance, or it's over already."

_BY_RANK: Final = (OrderKind.REPLY, OrderKind.NEXT, OrderKind.STANDING)
_FOR_ONE_TURN: Final = (OrderKind.REPLY, OrderKind.NEXT)

KEY: Final = KEPT.key

IN_ADVANCE: Final = "In advance"


class Chosen(NamedTuple):
    """The order that applies to the present turn, and the action that it stands for."""

    order: Order
    action: Any


def orders_at(table: Table) -> tuple[Order, ...]:
    """Return what people have said in advance at a table, by seat and number. Nobody else may learn of it."""
    found: tuple[Order, ...] = table.kept.get(KEY, ())
    return found


def offers(match: Match, seat: SeatNumber | None) -> tuple[Offer, ...]:
    """Return the button of somebody who waits for their turn: they can say now what they'd play."""
    own = next((each for each in match.present if each.seat == seat), None)
    waits = match.status is Status.RUNNING and match.to_move != seat and own is not None
    return (Offer("orders", IN_ADVANCE),) if waits else ()


def proposed(match: Match, seen: Observation) -> tuple[Offer, ...]:
    """Return the button of an instruction that needs no time, for everybody at the table."""
    running = match.status is Status.RUNNING
    offered = (each for each in _advance(match).instructions if running and each.at_once and each.about(seen))
    return tuple(Offer("atonce", each.says, row=0) for each in offered)


# What people ask.


def give(
    table: Table,
    by: UserId,
    mine: str,
    *,
    ply: Ply,
    theirs: str | None = None,
    unless: Collection[str] = (),
) -> Table:
    """Say one's next move in advance, or the answer to a move (`theirs`) of the player before. Texts are canonical.

    It replaces what one has said for the same case. `ply` is that of the board: any other than the match's raises
    Stale. Raises WrongTime (also when it's one's own turn), NotSeated, NotAllowed (also for more than four), Refused,
    TooSoon, Frozen.
    """
    seat, number = _waiting(table, by, ply)
    course = table.running()
    turn = ahead.turn(course, table.match.id, number, theirs)
    if turn is None:
        raise NotAllowed("You can't say that in advance here.")
    action = understood(mine, turn.string_to_action, turn.why_illegal)
    kind = OrderKind.NEXT if theirs is None else OrderKind.REPLY
    kept = tuple(each for each in orders_at(table) if (each.seat, each.kind, each.theirs) != (number, kind, theirs))
    if sum(each.seat == number and each.kind in _FOR_ONE_TURN for each in kept) >= BRANCHES:
        raise NotAllowed(f"You've already said {BRANCHES} moves in advance. Delete one of them first.")
    order = _new(table, seat, number, kind, theirs, mine, unless, action, "")
    return _with(table.using(ORDER, by), kept, order)


def instruct(table: Table, by: UserId, key: str, *, ply: Ply, unless: Collection[str] = ()) -> Table:
    """Give one of the game's instructions, which replaces an earlier one. Raises as `give` does.

    One that needs no time can be given in one's own turn, too, and replaces all that one has said.
    """
    instruction = _advance(table.match).instruction(key)
    needs_time = instruction is None or not instruction.at_once
    seat, number = _waiting(table, by, ply) if needs_time else seated(table, by)
    seen = table.running().state.observation(number)
    about = "" if instruction is None else instruction.about(seen)
    if not about:
        raise NotAllowed("You can't say that in advance now.")
    replaced = (OrderKind.STANDING,) if needs_time else tuple(OrderKind)
    kept = tuple(each for each in orders_at(table) if each.seat != number or each.kind not in replaced)
    order = _new(table, seat, number, OrderKind.STANDING, None, key, unless, None, about)
    return at_once(_with(table.using(ORDER, by), kept, order))


def change(table: Table, by: UserId, number: int, *, unless: Collection[str]) -> Table:
    """Change the exclusions of one's order, as seen from the present position. Raises NotFound, and as `give` does."""
    order = _own(table, by, number)
    _, of_seat = _waiting(table, by, table.match.ply)
    state = table.running().state
    seen = state.observation(of_seat)
    action = None if order.kind is OrderKind.STANDING else state.string_to_action(of_seat, order.mine)
    keys = _keys(table.match, unless)
    noted = _baselines(_advance(table.match), keys, seen, action)
    changed = order._replace(unless=keys, noted=noted)
    kept = tuple(changed if each == order else each for each in orders_at(table))
    return _set(table.using(ORDER, by), kept)


def drop(table: Table, by: UserId, number: int) -> Table:
    """Delete one's order. Raises NotFound, NotSeated, WrongTime, Frozen."""
    order = _own(table, by, number)
    return _set(table, tuple(each for each in orders_at(table) if each != order))


def drop_all(table: Table, by: UserId) -> Table:
    """Delete all of one's orders. Raises NotSeated, WrongTime, Frozen."""
    table.running()
    return withdrawn(table, table.match.own_seat(by))


# What follows.


def withdrawn(table: Table, seat: Seat) -> Table:
    """Return the table without the orders of this seat, whose person acts by hand."""
    return _set(table, tuple(each for each in orders_at(table) if each.seat != seat.seat))


def heeded(table: Table, before: Table) -> Table:
    """Return the table without the orders that have ended, and with the time at which one is carried out."""
    if not orders_at(before) and not orders_at(table):
        return table
    table = _set(table, _left(table))
    now, then = chosen(table), chosen(before)
    if now is not None and now.order.kind in _FOR_ONE_TURN:
        others = (each for each in orders_at(table) if each.seat != now.order.seat or each.kind not in _FOR_ONE_TURN)
        table = _set(table, tuple(sorted((*others, now.order), key=_place)))
    if (now is None) == (then is None) and (now is None or not table.moved):
        return table
    return table.with_event(Fires(Due.ORDER, None if now is None else within(table)))


def left_out(table: Table) -> Table:
    """Return the table without orders. Whoever had some is told so, and is rung if it's their turn now."""
    theirs = {each.seat for each in orders_at(table)}
    to_move = table.match.to_move
    rows = [News(Kind.ORDERED, s.seat, s.user_id, s.seat == to_move) for s in table.match.present if s.seat in theirs]
    table = _set(table, ()).with_event(Fires(Due.ORDER, None))
    return table.with_event(Told(tuple(rows), table.match.ply, (Kind.ORDERED,)))


def chosen(table: Table) -> Chosen | None:
    """Return the order that applies to the present turn, ``None`` if none does."""
    match, course = table.match, table.course
    if match.status is not Status.RUNNING or course is None or not orders_at(table):
        return None
    number = course.state.current_player
    seat = next((each for each in match.present if each.seat == number), None)
    if seat is None:
        return None
    own = [each for each in orders_at(table) if each.seat == number and each.user_id == seat.user_id]
    turn = course.state.turn(number) if own else None
    for order in sorted(own, key=lambda each: _BY_RANK.index(each.kind)):
        assert turn is not None
        action = answer(_advance(match), order, turn)
        if action is not None:
            return Chosen(order, action)
    return None


def answer(advance: Advance, order: Order, turn: Turn[Any]) -> Any | None:
    """Return the action that an order stands for in its owner's turn, ``None`` if it doesn't apply."""
    seen = turn.seen
    if order.kind is OrderKind.STANDING:
        instruction = advance.instruction(order.mine)
        if instruction is None or instruction.about(seen) != order.about:
            return None
        if _is_excluded(advance, order, turn, None):
            return None
        return instruction.answer(seen, turn.legal)
    if order.kind is OrderKind.REPLY:
        last = seen.last
        if last is None or last.player == seen.viewer or turn.notation.action_to_string(last.action) != order.theirs:
            return None
    try:
        action = turn.string_to_action(order.mine)
    except ActionError:
        return None
    return action if action in turn.legal and not _is_excluded(advance, order, turn, action) else None


def carried_out(table: Table) -> Table:
    """Make the move that the player to move has said in advance, and tell them so."""
    found = chosen(table)
    if found is None:
        return table
    line, order = table.match.ply, found.order
    return _made(table, found).with_event(Told((News(Kind.ORDERED, order.seat, order.user_id),), line))


def at_once(table: Table) -> Table:
    """Make the moves of all players in turn whose instruction needs no time. Its owners needn't be told of each."""
    if not orders_at(table):
        return table
    table = _set(table, _left(table))
    while (found := chosen(table)) is not None:
        instruction = _advance(table.match).instruction(found.order.mine)
        if found.order.kind is not OrderKind.STANDING or instruction is None or not instruction.at_once:
            break
        table = _made(table, found)
    return table


def _made(table: Table, found: Chosen) -> Table:
    """Return the table after the move that somebody has said in advance."""
    order, action = found
    seat = next(each for each in table.match.seats if each.seat == order.seat)
    if order.kind is not OrderKind.STANDING:
        table = _set(table, tuple(each for each in orders_at(table) if each != order))
    table = table.played(order.seat, action, by_order=True)
    return table if seat.acted or seat.replaced else table.set_seat(seat.position, acted=True)


def within(table: Table) -> tuple[datetime, datetime]:
    """Return between which times an order that applies now is carried out: later if the match can't be reached."""
    shortest, longest = HIDDEN_DELAY if table.match.info.hands else OPEN_DELAY
    if table.match.pace.turn is not None:
        longest = min(longest, table.match.pace.turn / 2)
    now = table.now if table.match.lost is None else table.now + STAYS_OUT_OF_REACH
    return now + shortest, now + longest


def _left(table: Table) -> tuple[Order, ...]:
    """Return the orders that haven't ended by the lines of this decision, or by what has become of their owners."""
    match, course = table.match, table.course
    if match.status is not Status.RUNNING:
        return ()
    lines = table.lines
    if any(taken_back(line) is not None or branched(line) is not None for line in lines):
        return ()
    present = {seat.seat: seat.user_id for seat in match.present}
    left = tuple(each for each in orders_at(table) if each.user_id == present.get(each.seat))
    # A decision that needs no position writes no line.
    if course is None or all(line.player == TABLE for line in lines):
        return left
    dealt = any(line.player == CHANCE for line in lines)
    acted = {line.player for line in lines}
    ends: dict[tuple[SeatNumber, int], bool] = {}
    for each in left:
        ends[each.seat, each.number] = _ends(each, course.state, dealt=dealt, acted=each.seat in acted)
    return tuple(each for each in left if not ends[each.seat, each.number])


def _ends(order: Order, state: State[Any], *, dealt: bool, acted: bool) -> bool:
    """Whether an order has ended by lines that led to this position. One that applies now hasn't."""
    advance = GAMES[state.info.key].advance
    if order.kind is OrderKind.STANDING:
        instruction = advance.instruction(order.mine)
        return instruction is None or instruction.about(state.observation(order.seat)) != order.about
    if dealt or acted:
        return True
    if state.current_player == order.seat:
        return answer(advance, order, state.turn(order.seat)) is None
    return order.kind is OrderKind.REPLY


# The parts.


def _advance(match: Match) -> Advance:
    return GAMES[match.game].advance


def _waiting(table: Table, by: UserId, ply: Ply) -> tuple[Seat, SeatNumber]:
    """Return the seat of a person who waits for their turn, and its number in the game."""
    seat, number = seated(table, by)
    check_waits(table, seat, ply)
    return seat, number


def seated(table: Table, by: UserId) -> tuple[Seat, SeatNumber]:
    """Return the seat that this person plays, and its number in the game."""
    table.running()
    seat = table.check_present(by)
    assert seat.seat is not None
    return seat, seat.seat


def check_waits(table: Table, seat: Seat, ply: Ply) -> None:
    """Raise Stale if the match has moved on since this ply, and WrongTime if it's this seat's turn."""
    if ply != table.match.ply:
        raise Stale("The match has moved on. Please look at the newest board.")
    if table.match.to_move == seat.seat:
        raise WrongTime("It's your turn now, so you can simply make your move.")


def _own(table: Table, by: UserId, number: int) -> Order:
    """Return this person's order with this number. Nobody can find out by it whether others have any."""
    table.running()
    seat = table.match.own_seat(by)
    for each in orders_at(table):
        if (each.seat, each.number, each.user_id) == (seat.seat, number, by):
            return each
    raise NotFound(NOT_THERE)


def _keys(match: Match, unless: Collection[str]) -> tuple[str, ...]:
    """Return these keys of exclusions in the game's order. Raises NotAllowed for one that it doesn't have."""
    known = [each.key for each in _advance(match).exclusions]
    if not set(unless) <= set(known):
        raise NotAllowed("That's no exception that this game has.")
    return tuple(key for key in known if key in unless)


def _baselines(advance: Advance, keys: Collection[str], seen: Observation, action: Any) -> tuple[str, ...]:
    """Return what each of these exclusions must remember of the present moment."""
    found = (advance.exclusion(key) for key in keys)
    return tuple(each.baseline(seen, action) for each in found if each is not None)


def _is_excluded(advance: Advance, order: Order, turn: Turn[Any], action: Any) -> bool:
    """Whether something has happened that the order excludes.

    An exclusion that this version of the game doesn't know counts as happened.
    """
    for key, baseline in zip(order.unless, order.noted, strict=True):
        exclusion = advance.exclusion(key)
        if exclusion is None or exclusion.has_happened(baseline, turn.seen, action):
            return True
    return False


def _new(
    table: Table,
    seat: Seat,
    number: SeatNumber,
    kind: OrderKind,
    theirs: str | None,
    mine: str,
    unless: Collection[str],
    action: Any,
    about: str,
) -> Order:
    """Return a new order. Its number is that of no earlier order of the seat, so that old buttons don't mean it."""
    match, keys = table.match, _keys(table.match, unless)
    seen = table.running().state.observation(number)
    since = table.details.started_at or table.details.created_at
    later = 1 + max((each.number for each in orders_at(table) if each.seat == number), default=0)
    return Order(
        seat=number,
        number=max(later, (table.now - since) // timedelta(seconds=1)),
        user_id=seat.user_id or UserId(0),
        kind=kind,
        theirs=theirs,
        mine=mine,
        unless=keys,
        noted=_baselines(_advance(match), keys, seen, action),
        about=about,
        ply=match.ply,
        given_at=table.now,
    )


def _with(table: Table, kept: tuple[Order, ...], order: Order) -> Table:
    return _set(table, tuple(sorted((*kept, order), key=_place)))


def _set(table: Table, orders: tuple[Order, ...]) -> Table:
    """Return the table with these orders; the same one if nothing changes."""
    return table.keeping(KEY, orders) if orders or orders_at(table) else table


def _place(order: Order) -> tuple[int, int]:
    """Return the key by which the store sorts orders."""
    return order.seat, order.number
