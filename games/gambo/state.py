"""The positions of Gambo and its rules (games/rules/gambo.md, G1-G13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from typing import Any, ClassVar, Final, Self

from games.core import CHANCE, TERMINAL, GameInfo, Notation, Rng, Step, shuffled
from games.gambo import actions
from games.gambo.actions import PASS, Action, Advance, Deal, Duel, Pass, Side, Swap
from games.gambo.board import ALL_WAITING, CORRIDOR_SQUARES, LANES, NORTH, SIDES, SOUTH, START_SQUARES
from games.gambo.choices import choices
from games.gambo.components import BONUS, DUELS_IN_A_MATCH, PIECES, result
from games.gambo.observation import Fought, GamboObservation, Moved, totals, worst
from games.gambo.refusals import why_illegal
from games.perfect import PerfectInformationState, replaced

SWAPS_IN_A_ROW: Final = 3

_CHOOSE_SIDE: Final = (Side("north"), Side("south"))
_ONLY_PASS: Final = (PASS,)
_ADVANCES: Final = {piece: Advance(piece) for piece in PIECES}
_DUELS: Final = {own: {other: Duel(own, other) for other in PIECES} for own in PIECES}
_SWAPS: Final = {pieces: Swap(pieces) for pieces in combinations(PIECES, 2)}
_RESULTS: Final = {duel: result(*duel) for duels in _DUELS.values() for duel in duels.values()}


@cache
def _swaps_among(pieces: frozenset[str]) -> tuple[Swap, ...]:
    """Return all swaps of a side with these pieces left (one of 512 sets)."""
    return tuple(swap for pair, swap in _SWAPS.items() if pieces.issuperset(pair))


@dataclass(frozen=True)
class GamboState(PerfectInformationState[Action]):
    """A position of Gambo.

    Attributes:
        pieces: the piece of each lane, ``""`` once it has left the board; empty before the deal.
        waiting: by side the lanes whose piece is on its starting square, from the left.
        corridor: the lanes whose piece is in the corridor, from the left.
        sides: the side of each player, empty until it is chosen.
    """

    notation: ClassVar = Notation(
        actions.action_to_string, actions.string_to_action, actions.read, why_illegal, choices
    )
    info: ClassVar[GameInfo] = GameInfo(
        key="gambo",
        name="Gambo",
        summary="Elephants, cats and mice duel in a narrow corridor.",
        min_players=2,
        max_players=2,
        rules_version=1,
        # Two lines of set-up, then 18 advances and 9 duels. At most seven other lines come before each of these. If
        # both sides can advance or duel, an advance or a duel follows every swap (G10). If one side can't, it passes
        # and the other side swaps in turn, at most three times (G11), after at most one more pass.
        max_game_length=2 + (LANES + DUELS_IN_A_MATCH) * 8,
        turn_rule="G8",
        end_rule="G12",
        key_rule="Pieces can only attack across empty squares.",
        hands=False,
        hidden_information=False,
        steps=(
            Step("side", "Which side do you take?"),
            Step("piece", "Which piece? To swap two, start with the left one."),
            Step("deed", "What does it do?", joins=8),
        ),
    )

    pieces: tuple[str, ...] = ()
    waiting: tuple[tuple[int, ...], tuple[int, ...]] = ALL_WAITING
    corridor: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    scores: tuple[int, int] = (0, 0)
    swaps_in_a_row: tuple[int, int] = (0, 0)
    duels: tuple[Fought, ...] = ()

    def _legal_actions(self, player: int) -> tuple[Action, ...]:
        if not self.sides:
            return _CHOOSE_SIDE
        side = self.sides[player]
        pieces = self.pieces
        actions: list[Action] = [_ADVANCES[pieces[lane]] for lane in self.waiting[side]]
        for left, right in pairwise(self.corridor):
            if (left ^ right) & 1:
                if left & 1 == side:
                    actions.append(_DUELS[pieces[left]][pieces[right]])
                else:
                    actions.append(_DUELS[pieces[right]][pieces[left]])
        if self.swap_bar(player) is None:
            actions += _swaps_among(frozenset(pieces[side::2]))
        return tuple(actions) or _ONLY_PASS

    def swap_bar(self, player: int) -> str | None:
        """Return the rule, G10 or G11, that would forbid `player` to swap if it were their turn now, or ``None``."""
        if self.last is not None and isinstance(self.last[1], Swap):
            return "G10"
        return "G11" if self.swaps_in_a_row[player] >= SWAPS_IN_A_ROW else None

    def _lane(self, player: int, piece: str) -> int:
        """Return the lane of a piece that is on the board."""
        side = self.sides[player]
        return 2 * self.pieces[side::2].index(piece) + side

    def _square(self, lane: int) -> str:
        return START_SQUARES[lane] if lane in self.waiting[lane % 2] else CORRIDOR_SQUARES[lane]

    # Actions.

    def _apply_action(self, player: int, action: Action) -> Self:
        if isinstance(action, Swap):
            return self._swap(player, action)
        if isinstance(action, Advance):
            return self._advance(player, action)
        if isinstance(action, Duel):
            return self._duel(player, action)
        if isinstance(action, Pass):
            return self.evolve(
                current_player=1 - player,
                last=(player, action),
                swaps_in_a_row=replaced(self.swaps_in_a_row, player, 0),
            )
        if isinstance(action, Side):
            side = SIDES.index(action.side)
            return self.evolve(current_player=1, last=(player, action), sides=(side, 1 - side))
        pieces = tuple(piece for lane in zip(action.south, action.north, strict=True) for piece in lane)
        return self.evolve(current_player=0, pieces=pieces)

    def _swap(self, player: int, action: Swap) -> Self:
        one, other = action.pieces
        pieces = list(self.pieces)
        pieces[self._lane(player, one)], pieces[self._lane(player, other)] = other, one
        return self.evolve(
            current_player=1 - player,
            last=(player, action),
            pieces=tuple(pieces),
            swaps_in_a_row=replaced(self.swaps_in_a_row, player, self.swaps_in_a_row[player] + 1),
        )

    def _advance(self, player: int, action: Advance) -> Self:
        side = self.sides[player]
        lane = self._lane(player, action.piece)
        south, north = self.waiting
        still = tuple([other for other in self.waiting[side] if other != lane])
        return self.evolve(
            current_player=1 - player,
            last=(player, action),
            waiting=(still, north) if side == SOUTH else (south, still),
            corridor=tuple(sorted((*self.corridor, lane))),
            swaps_in_a_row=replaced(self.swaps_in_a_row, player, 0),
        )

    def _duel(self, player: int, action: Duel) -> Self:
        own, other = self._lane(player, action.attacker), self._lane(1 - player, action.target)
        wins, points = _RESULTS[action]
        winner = player if wins else 1 - player
        fought = Fought(
            player, action.attacker, CORRIDOR_SQUARES[own], action.target, CORRIDOR_SQUARES[other], winner, points
        )
        pieces = list(self.pieces)
        pieces[own] = pieces[other] = ""
        over = len(self.duels) + 1 == DUELS_IN_A_MATCH
        scores = replaced(self.scores, winner, self.scores[winner] + points + (BONUS if over else 0))
        if over:
            following = TERMINAL
        elif scores[0] == scores[1]:
            following = player
        else:
            following = 0 if scores[0] < scores[1] else 1
        return self.evolve(
            current_player=following,
            last=(player, action),
            pieces=tuple(pieces),
            corridor=tuple([lane for lane in self.corridor if lane != own and lane != other]),
            scores=scores,
            swaps_in_a_row=replaced(self.swaps_in_a_row, player, 0),
            duels=(*self.duels, fought),
        )

    # Chance.

    def sample_chance(self, rng: Rng) -> Action:
        """Shuffle both rows (G1)."""
        return Deal(shuffled(PIECES, rng), shuffled(PIECES, rng))

    def check_chance(self, action: Action) -> bool:
        """Return whether each row is one full set (G1)."""
        return isinstance(action, Deal) and all(sorted(row) == sorted(PIECES) for row in action)

    # What people see.

    def observation(self, player: int | None) -> GamboObservation:
        """Return the whole position: nothing is hidden."""
        return GamboObservation(
            *self.common_facts(player),
            sides=tuple(SIDES[side] for side in self.sides),
            north=self._starting_row(NORTH),
            south=self._starting_row(SOUTH),
            corridor=tuple(piece if lane in self.corridor else "" for lane, piece in enumerate(self.pieces)),
            scores=self.scores,
            duels=self.duels,
            moved=self._moved(),
            swaps_in_a_row=self.swaps_in_a_row,
            swap_bars=tuple(self.swap_bar(seat) for seat in range(self.players)),
        )

    def _starting_row(self, side: int) -> tuple[str, ...]:
        waiting = self.waiting[side]
        return tuple(self.pieces[lane] if lane in waiting else "" for lane in ALL_WAITING[side] if self.pieces)

    def _moved(self) -> tuple[Moved, ...]:
        """Return what the latest action did to the pieces that it touched."""
        match self.last:
            case (player, Advance(piece)):
                lane = self._lane(player, piece)
                return (Moved(player, piece, START_SQUARES[lane], CORRIDOR_SQUARES[lane]),)
            case (player, Swap((one, other))):
                here, there = (self._square(self._lane(player, piece)) for piece in (one, other))
                return Moved(player, one, there, here), Moved(player, other, here, there)
            case (player, Duel()):
                fought = self.duels[-1]
                return (
                    Moved(player, fought.attacker, fought.attacker_square, None),
                    Moved(1 - player, fought.target, fought.target_square, None),
                )
        return ()

    def returns(self) -> tuple[float, ...]:
        """Return both totals."""
        return tuple(map(float, self.scores))

    def scored(self) -> tuple[tuple[int, ...], ...]:
        """Return both totals after each duel (G12)."""
        return totals(self.duels)

    def merits(self) -> tuple[tuple[int, bool], ...]:
        """Return both totals, each with whether that player won the last duel (G13)."""
        last = self.duels[-1].winner if self.duels else None
        return tuple((score, seat == last) for seat, score in enumerate(self.scores))

    def _reason(self, winners: tuple[int, ...], merits: tuple[Any, ...]) -> str:
        """Return the score with the winner's worst score before, or with what breaks a tie (G13)."""
        (winner,) = winners
        score = f"{self.scores[winner]} : {self.scores[1 - winner]}"
        if self.scores[0] == self.scores[1]:
            return f"{score}, and the last duel decides."
        own, other = worst(self.duels, winner)
        return f"{score}, after {own} : {other}." if own < other else f"{score}, never behind."

    def __str__(self) -> str:
        """The board as on the table, then what it doesn't show."""
        shown = self.observation(None)
        north, corridor, south = (
            [piece or ".." for piece in row] for row in (shown.north, shown.corridor, shown.south)
        )
        return "\n".join(
            (
                f"north       {'    '.join(north)}",
                f"corridor {' '.join(corridor)}",
                f"south    {'    '.join(south)}",
                f"sides {' '.join(shown.sides)}; scores {self.scores}; duels {len(self.duels)}; "
                f"swaps in a row {self.swaps_in_a_row}; to move {self.current_player}",
            )
        )


def new_match(players: int, options: Mapping[str, str]) -> GamboState:
    """Return the position before the deal. The game has no options."""
    return GamboState(players=players, current_player=CHANCE, last=None)
