"""What one viewer may see of a match: its position, what they could do there, and the lines of its log."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from db.model.ids import Ply, SeatNumber
from db.model.rows import PlayerSettings
from games.core import CHANCE, ActionError, Choice, InvalidAction, Observation, Outcome, Played, Refusal, Stage, State
from games.log import TABLE, Line
from matches.errors import Refused
from matches.records.match import NOT_PLAYING, Match


class Move(NamedTuple):
    """A legal action of the viewer: its canonical text, the steps in which a person picks it, and itself."""

    text: str
    choices: tuple[Choice, ...]
    action: Any


class Shown(NamedTuple):
    """A line of the log as one viewer may see it.

    `ply` is the line's own number, `player` a seat, `games.core.CHANCE` or `games.log.TABLE`; `played` is what was
    done, ``None`` for an event of the table's own; `text` is how the log writes it. `observation` is what the viewer
    sees after the line.
    """

    ply: Ply
    player: int
    text: str
    played: Played[Any] | None
    observation: Observation


@dataclass(frozen=True)
class View:
    """A running or finished match as one viewer may see it: all that is shown is made from this.

    `seat` is the viewer's own, ``None`` for a spectator; `to_move` the seat on turn, ``None`` once it is over;
    `stage` says how the position is told, `settings` what the viewer has set (``None`` where it is everybody's view),
    `round_ply` how many lines there were when the last round ended (0 while none has).
    """

    match: Match
    seat: SeatNumber | None
    ply: Ply
    observation: Observation
    to_move: SeatNumber | None
    stage: Stage
    outcome: Outcome | None
    settings: PlayerSettings | None
    round_ply: Ply
    _state: State[Any] = field(repr=False, compare=False)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The viewer's legal actions, each way to pick one; none for who is not on turn or has a computer play."""
        own = next((seat for seat in self.match.seats if seat.seat == self.seat), None)
        if self.seat is None or self.seat != self.to_move or own is None or not own.present:
            return ()
        state = self._state
        return tuple(
            Move(state.action_to_string(action), choices, action)
            for action in state.legal_actions(self.seat)
            for choices in (state.choices(action), *state.other_choices(action))
        )

    def parse(self, text: str) -> str:
        """The canonical text of what the viewer typed. Raises Refused with the reason.

        Unless it is what `games.typed.undecorated` leaves of `text` it was read leniently, as `parse_action` says.
        """
        if self.seat is None:
            raise Refused(NOT_PLAYING)
        try:
            return self._state.action_to_string(self._state.parse_action(self.seat, text))
        except ActionError as error:
            raise Refused(str(error), error.rule) from error

    def preview(self, text: str) -> View | None:
        """What the viewer's action, a canonical text, would lead to; ``None`` in games where anything is hidden.

        Raises Refused.
        """
        if self.match.info.hidden_information:
            return None
        if self.seat is None:
            raise Refused(NOT_PLAYING)
        refusal = self._why(text)
        if refusal is not None:
            raise Refused(str(refusal), refusal.rule)
        state = self._state.child(self.seat, self._state.string_to_action(self.seat, text))
        return replace(
            self,
            ply=Ply(self.ply + 1),
            observation=state.observation(self.seat),
            to_move=SeatNumber(state.current_player) if state.current_player >= 0 else None,
            stage=state.stage,
            outcome=state.outcome(),
            _state=state,
        )

    def why(self, text: str) -> str | None:
        """Why the viewer cannot play this canonical text now, in a sentence; ``None`` when they can."""
        refusal = self._why(text)
        return None if refusal is None else str(refusal)

    def _why(self, text: str) -> Refusal | None:
        if self.seat is None:
            return Refusal(None, NOT_PLAYING)
        try:
            return self._state.why_illegal(self.seat, self._state.string_to_action(self.seat, text))
        except InvalidAction as error:
            return Refusal(None, str(error))


def seen_of(viewer: int | None, line: Line, state: State[Any], *, over: bool = False) -> Played[Any] | None:
    """What this viewer may see of a line, all of it once the match is `over`; `state` stands somewhere after it.

    ``None`` for an event of the table's own, which is no action.
    """
    if line.player == TABLE:
        return None
    action = state.string_to_action(line.player, line.text)
    return Played(line.player, action if over else state.seen_by(viewer, line.player, action))


def is_secret(line: Line, state: State[Any]) -> bool:
    """Whether a chance line told something to somebody that it did not tell everybody; `state` stands after it."""
    if line.player != CHANCE:
        return False
    action = state.string_to_action(CHANCE, line.text)
    public = state.seen_by(None, CHANCE, action)
    return any(state.seen_by(seat, CHANCE, action) != public for seat in range(state.players))
