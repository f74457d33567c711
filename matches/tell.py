"""What has to be told to whom after some lines were stored: the rows of the outbox, decided in one place.

P3, P4, P7, P26, P28. Pure: it looks at the match and the positions before and after, and at nothing else.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from games.core import Stage, State
from matches.records import Dm, Kind, Match, Seat, Status

Row = tuple[Kind, int | None]

_OF_A_TURN: Final = frozenset({Kind.HAND, Kind.REMIND, Kind.VOTE})


class News(NamedTuple):
    """What to tell, in this order; which older rows of the match it makes pointless; whether a board is now owed.

    A board is owed while computers move: their consecutive moves share the post that comes with the next person's
    turn (P26). Where computers play alone there is none, so their moves share one post that is kept up to date.
    """

    rows: tuple[Row, ...]
    outdated: frozenset[Kind]
    board_owed: bool


# The match is over, or frozen: nothing told before matters any more.
FINAL: Final = News(((Kind.END, None), (Kind.LOBBY, None)), frozenset(Kind), False)
# A lobby was closed.
CLOSED: Final = News(((Kind.LOBBY, None),), frozenset(Kind), False)


def news(
    match: Match, before: State[Any] | None, state: State[Any], *, secrets: bool, board_owed: bool, new_turn: bool
) -> News:
    """What follows from lines that led from `before` (``None``: the match was just started) to `state`.

    `match` stands after the lines. `secrets` says that a deal told something in private, `board_owed` that an
    earlier board was left out, `new_turn` that somebody (perhaps the same person anew) is to decide now.
    """
    if match.status is not Status.RUNNING:
        return FINAL
    rows: list[Row] = [(Kind.LOBBY, None)] if before is None else []
    mover = match.mover
    computer = mover is None or not mover.present
    owed = computer and not match.of_computers
    quiet = not board_owed and before is not None and before is not state and _is_quiet(match, before, state)
    if not owed and not quiet:
        rows.append((Kind.BOARD, None))
    if secrets:
        rows += [(Kind.SECRETS, seat.seat) for seat in match.present]
    elif mover is not None and not computer and state.stage is not Stage.STEPS and _is_due_a_dm(mover, state):
        rows.append((Kind.HAND, mover.seat))
    outdated = _OF_A_TURN if new_turn else frozenset({Kind.HAND})
    if before is None:
        outdated |= {Kind.LOBBY}
    if owed or not quiet:
        outdated |= {Kind.BOARD}
    if secrets:
        outdated |= {Kind.SECRETS}
    return News(tuple(rows), outdated, owed)


def _is_due_a_dm(mover: Seat, state: State[Any]) -> bool:
    """Whether a new turn comes by a direct message too: where there is a hand to see, and to who wants it so (P26)."""
    return state.info.hands or mover.rings_by_dm


def _is_quiet(match: Match, before: State[Any], state: State[Any]) -> bool:
    """Whether the table need not be told: the same player is still in his turn, or a series of picks goes on.

    Whoever picks in a series is told in private; where that is impossible, in public after all.
    """
    if state.stage is Stage.SERIES:
        return before.stage is Stage.SERIES and match.mover is not None and match.mover.dm is not Dm.CLOSED
    return state.stage is Stage.STEPS
