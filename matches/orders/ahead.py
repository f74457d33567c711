"""The positions from which people choose what they say in advance: made only of what they know."""

from __future__ import annotations

from typing import Any, Final

from db.model.ids import MatchId, SeatNumber
from games import GAMES
from games.core import CHANCE, TERMINAL, State, Turn
from games.log import Course
from matches.errors import Refused, by_the_rules
from matches.records import fair

_NOBODY: Final = (CHANCE, TERMINAL)


def imagined(course: Course, match_id: MatchId, seat: SeatNumber) -> State[Any]:
    """Return the position as this seat may know it. It is resampled without a secret."""
    numbers = fair.Stream(b"", match_id, f"ahead-{course.ply}")
    return course.state.resample_from_infostate(seat, numbers)


def turn(course: Course, match_id: MatchId, seat: SeatNumber, theirs: str | None = None) -> Turn[Any] | None:
    """Return the turn for which this seat says a move in advance: its next one, or the one after the move `theirs`.

    ``None`` where nothing can be said, such as where the person doesn't know their next card. Raises Refused if the
    player before them can't make that move, or if it doesn't end their turn.
    """
    found = position(course, match_id, seat, theirs)
    return None if found is None else found.turn(seat)


def position(course: Course, match_id: MatchId, seat: SeatNumber, theirs: str | None = None) -> State[Any] | None:
    """Return the position of `turn`."""
    now = imagined(course, match_id, seat)
    advance = GAMES[course.header.game].advance
    then = None if now.current_player in (seat, *_NOBODY) else advance.next_turn(now, seat)
    if then is None or not then.legal_actions(seat):
        return None
    if theirs is None:
        return then
    if not advance.replies:
        return None
    with by_the_rules():
        action = now.string_to_action(now.current_player, theirs)
    if action not in now.legal_actions(now.current_player):
        raise Refused("They can't make that move now.")
    after = now.child(now.current_player, action)
    if after.current_player != seat:
        raise Refused("After that move it isn't your turn yet.")
    return after


def replied(course: Course, match_id: MatchId, seat: SeatNumber) -> tuple[Any, ...]:
    """Return the moves of the player to move that this seat may answer in advance: it would be its turn after them."""
    now = imagined(course, match_id, seat)
    advance = GAMES[course.header.game].advance
    if not advance.replies or now.current_player in (seat, *_NOBODY) or advance.next_turn(now, seat) is None:
        return ()
    player = now.current_player
    return tuple(each for each in now.legal_actions(player) if now.child(player, each).current_player == seat)
