"""What one viewer may see of a match: its position, their legal actions, and the lines of its log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from db.model.ids import Ply, SeatNumber
from db.model.setting_rows import PlayerSettings
from games.core import CHANCE, Move, Observation, Outcome, Played, Stage, State, Turn
from games.log import TABLE, Line, branched, taken_back
from matches.errors import Refused, by_the_rules
from matches.records.match import NOT_PLAYING, Match


class Shown(NamedTuple):
    """A line of the log as one viewer may see it.

    `ply` is the line's own number, `player` a seat, `games.core.CHANCE` or `games.log.TABLE`; `played` is what was
    done, ``None`` for an event of the table's own; `text` is how the log writes it. `observation` is what the viewer
    sees after the line. `forced`: everybody could see that it was the player's only move.
    """

    ply: Ply
    player: int
    text: str
    played: Played[Any] | None
    observation: Observation
    forced: bool = False


class Offer(NamedTuple):
    """What a feature offers: the verb of its button, and the text on it.

    `row` 0: it stands under the public post itself. `ply`: where in the match it's about.
    """

    verb: str
    label: str
    row: int | None = None
    ply: Ply | None = None


class Done(NamedTuple):
    """What a feature has done for a person: it played line `ply`. The `label` says why."""

    ply: Ply
    label: str


@dataclass(frozen=True)
class View:
    """A running or finished match as one viewer may see it. Everything that people see is made from this.

    It holds no position of the game, so it can't tell what is hidden from the viewer.

    Attributes:
        seat: the viewer's own seat; ``None`` for a spectator.
        stage: how the table hears of the position.
        settings: the viewer's settings; ``None`` in a view for everybody.
        round_ply: the number of lines when the last round ended; 0 before that.
        turn: what the viewer can do, and why not.
        offers: what features offer to the viewer now.
        on_board: what they offer to everybody under the board.
    """

    match: Match
    seat: SeatNumber | None
    ply: Ply
    observation: Observation
    stage: Stage
    outcome: Outcome | None
    settings: PlayerSettings | None
    round_ply: Ply
    turn: Turn[Any]
    offers: tuple[Offer, ...] = ()
    on_board: tuple[Offer, ...] = ()

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Every way to pick each of the viewer's legal actions. Empty if it isn't their turn or a computer plays."""
        own = next((seat for seat in self.match.seats if seat.seat == self.seat), None)
        waits = self.seat is not None and self.seat == self.match.to_move and own is not None and own.present
        return self.turn.moves if waits else ()

    def parse(self, text: str) -> str:
        """Return the canonical text of what the viewer typed. Raises Refused with the reason.

        If it differs from `games.typed.undecorated(text)`, the text was read leniently (`Turn.parse_action`).
        """
        if self.seat is None:
            raise Refused(NOT_PLAYING)
        turn = self.turn
        with by_the_rules():
            return turn.notation.action_to_string(turn.parse_action(text))


def in_force(shown: Iterable[Shown]) -> tuple[Shown, ...]:
    """Return the lines of players and chance among these, without those that later ones of them took back."""
    kept: list[Shown] = []
    for line in shown:
        number = taken_back(Line(line.ply, line.player, line.text))
        if number is not None:
            kept = [each for each in kept if each.ply < number]
        elif line.played is not None:
            kept.append(line)
    return tuple(kept)


def seen_of(viewer: int | None, line: Line, state: State[Any], *, over: bool = False) -> Played[Any] | None:
    """Return what this viewer may see of a line, all of it once the match is `over`; `state` is any later position.

    ``None`` for a line of the table itself, which is no action.
    """
    if line.player == TABLE:
        return None
    action = state.string_to_action(line.player, line.text)
    return Played(line.player, action if over else state.seen_by(viewer, line.player, action))


def is_secret(line: Line, state: State[Any]) -> bool:
    """Whether a deal (or branch) told some viewers more than others. `state` is the position after the `line`."""
    if branched(line) is not None:
        return state.info.hands
    if line.player != CHANCE:
        return False
    action = state.string_to_action(CHANCE, line.text)
    public = state.seen_by(None, CHANCE, action)
    return any(state.seen_by(seat, CHANCE, action) != public for seat in range(state.players))
