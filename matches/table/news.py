"""Decides which outbox rows follow from new lines of the log (P3, P4, P7, P26, P28).

Pure: it depends on the match and on the positions before and after the lines, and on nothing else.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final, NamedTuple

from db.matches.outbox import News as Row
from db.model.enums import Dm, Kind, Lost, Ping, Status
from games.core import Stage, State
from matches.records.match import Match
from matches.records.seat import Seat

WATCHED_EVERY: Final = timedelta(seconds=5)
"""The shortest time between two changes of a post for spectators. The porter looks for changes at this interval."""

_OF_A_TURN: Final = frozenset({Kind.HAND, Kind.REMIND, Kind.VOTE, Kind.UNDO})


class News(NamedTuple):
    """New outbox rows in order, the kinds of older rows that they make `outdated`, and whether a board is owed now.

    A board is owed while computers move: their consecutive moves share the post of the next person's turn (P26). If
    computers play alone, their moves share one post, which is edited at most once in `every`.
    """

    rows: tuple[Row, ...]
    outdated: frozenset[Kind]
    board_owed: bool
    every: timedelta | None = None


# The match is over or frozen. Earlier rows are obsolete, except the summary of a finished round, and old messages.
_STAYING: Final = {Kind.ROUND, Kind.OLD_BOARD, Kind.OLD_POST, Kind.OLD_DM}
FINAL: Final = News((Row(Kind.END), Row(Kind.LOBBY)), frozenset(Kind) - _STAYING, False)
# A lobby was closed.
CLOSED: Final = News((Row(Kind.LOBBY),), frozenset(Kind), False)
# It ended on a server that the bot has left.
UNTOLD: Final = News((), frozenset(Kind), False)


def last_news(before: Match, status: Status, lasting: frozenset[Kind], undropped: frozenset[Kind]) -> News:
    """Return the news when a match ends, freezes or is closed: it has this status now.

    Rows of `lasting` kinds stay if it has an end that people are told of, and rows of `undropped` kinds in any case.
    """
    told = UNTOLD if before.lost is Lost.SERVER else CLOSED if status is Status.CANCELLED else FINAL
    stays = undropped | lasting if told is FINAL else undropped
    return told._replace(outdated=told.outdated - stays)


def news(
    match: Match,
    before: State[Any] | None,
    state: State[Any],
    *,
    moved: bool,
    called: bool,
    secrets: bool,
    board_owed: bool,
    new_turn: bool,
    answered: bool = False,
) -> News:
    """Return the news of lines that led from `before` (``None``: the match has just started) to `state`.

    `match` is the match after the lines. `moved`: the position has changed. `called`: the player to move was pinged in
    this turn. `secrets`: a deal revealed something in private. `board_owed`: an earlier board was skipped.
    `new_turn`: a decision is due now, perhaps by the same person. `answered`: a feature makes this decision for the
    player, so nothing rings them. Everybody else sees the same as always.
    """
    if match.status is not Status.RUNNING:
        return FINAL
    mover = match.mover
    rows = [Row(Kind.LOBBY)] if before is None else []
    computer = mover is None or not mover.present
    to_ring = None if computer or called else mover
    owed = computer and not match.of_computers
    if before is not None and state.rounds_over > before.rounds_over and not match.of_computers:
        rows.append(Row(Kind.ROUND))
    stands = before is not None and not moved and not board_owed and to_ring is None
    quiet = stands or (before is not None and moved and not board_owed and _is_quiet(match, before, state))
    later = match.of_computers and match.board_message_id is not None
    if not owed and not quiet:
        rows.append(Row(Kind.WATCH) if later else _board(mover, to_ring)._replace(quiet=answered))
    elif stands and not owed:
        rows.append(Row(Kind.REFRESH))
        if mover is not None and not computer and mover.hand_message_id is not None:
            rows.append(Row(Kind.REFRESH, mover.seat, mover.user_id))
    if secrets:
        rows += [_secrets(seat, None if answered else to_ring) for seat in match.present]
    elif mover is not None and not computer and not stands and not answered and state.stage is not Stage.STEPS:
        alone = state.stage is Stage.SERIES and quiet
        if state.info.hands or mover.rings_by_dm:
            rows.append(_hand(mover, to_ring, alone=alone))
    outdated = set(_OF_A_TURN) if new_turn else {Kind.REFRESH if stands else Kind.HAND}
    if before is None:
        outdated |= {Kind.LOBBY, Kind.READY}
    if owed or not quiet:
        outdated |= {Kind.BOARD, Kind.REFRESH, Kind.WATCH}
    if secrets:
        outdated.add(Kind.SECRETS)
    return News(tuple(rows), frozenset(outdated), owed, WATCHED_EVERY if later else None)


def _board(mover: Seat | None, to_ring: Seat | None) -> Row:
    """A board post. It pings the player to move if they want that and weren't pinged in this turn (P26)."""
    user_id = None if mover is None else mover.user_id
    return Row(Kind.BOARD, None, user_id, to_ring is not None and to_ring.rings_in_place)


def _secrets(seat: Seat, to_ring: Seat | None) -> Row:
    return Row(Kind.SECRETS, seat.seat, seat.user_id, seat == to_ring and seat.rings_by_dm)


def _hand(mover: Seat, to_ring: Seat | None, *, alone: bool) -> Row:
    """A fresh hand. In a series of picks not every turn has a post, so there the hand pings (P7, P26)."""
    wanted = mover.rings_by_dm or (alone and mover.settings.ping is not Ping.NONE)
    return Row(Kind.HAND, mover.seat, mover.user_id, to_ring is not None and wanted)


def _is_quiet(match: Match, before: State[Any], state: State[Any]) -> bool:
    """Whether no post is needed: the same player is still in their turn, or a series of picks goes on.

    The next player of a series is told by direct message; if that is impossible, by a post.
    """
    if state.stage is Stage.SERIES:
        return before.stage is Stage.SERIES and match.mover is not None and match.mover.dm is Dm.OPEN
    return state.stage is Stage.STEPS
