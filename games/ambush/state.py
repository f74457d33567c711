"""The positions of Ambush and its rules (games/rules/ambush.md, B1-B11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import compress
from typing import Any, ClassVar, Final, Self

from games.ambush import components
from games.ambush.actions import Action, Capture, First, Place, Rotate, action_to_string, read, string_to_action
from games.ambush.board import (
    EMPTY,
    FROM_SQUARE,
    SIDE,
    TURNED,
    Board,
    Stack,
    capturable,
    captures_in_any_order,
    with_top,
    without_top,
)
from games.ambush.choices import choices
from games.ambush.components import COASTERS, PIPS, PYRAMIDS, SIZES, SQUARE_NUMBER, SQUARES, TREES
from games.ambush.observation import AmbushObservation, Captured, Counts, Trees, Turned
from games.ambush.refusals import why_illegal
from games.core import CHANCE, TERMINAL, GameInfo, Notation, Rng, Stage, Step, lead
from games.perfect import PerfectInformationState, replaced

_ALL_TREES: Final[Trees] = (TREES, 0, 0, 0)
_NO_TREES: Final[Trees] = (0, 0, 0, TREES)
_SIZE_INDEX: Final = {size: index for index, size in enumerate(SIZES)}
_PLACEMENTS: Final = {size: tuple(Place(size, square) for square in SQUARES) for size in SIZES}
_CAPTURES: Final = {square: Capture(square) for square in SQUARES}


@cache
def _rotations(showing: tuple[str, ...], barred: str | None) -> tuple[Rotate, ...]:
    """Return all rotations of a player who can pay with `showing` and can't turn the coaster `barred` (B7, B8)."""
    return tuple(
        Rotate(coaster, angle, price)
        for coaster in COASTERS
        if coaster != barred
        for angle in components.ANGLES
        for price in showing
    )


@cache
def _taken(trees: Trees, size: str) -> Trees:
    """Return the trees after the top of one that shows `size` is taken (one of 56 ways to show five trees)."""
    counts = list(trees)
    counts[_SIZE_INDEX[size]] -= 1
    counts[_SIZE_INDEX[size] + 1] += 1
    return counts[0], counts[1], counts[2], counts[3]


def _stash(trees: Trees) -> Counts:
    """Return the pyramids that are still in the trees."""
    return trees[0], trees[0] + trees[1], trees[0] + trees[1] + trees[2]


def _pips(counts: Counts) -> int:
    return sum(count * PIPS[size] for size, count in zip(SIZES, counts, strict=True))


@cache
def _added(counts: Counts, size: str) -> Counts:
    small, medium, large = (count + (size == other) for other, count in zip(SIZES, counts, strict=True))
    return small, medium, large


def _take_tops(board: list[Stack], squares: Iterable[int]) -> tuple[Captured, ...]:
    """Take the top pyramid off each of the stacks (B5). This changes `board` in place."""
    made = []
    for square in squares:
        stack = board[square]
        made.append(Captured(SQUARES[square], stack.sizes[-1], stack.owner))
        board[square] = without_top(stack)
    return tuple(made)


@dataclass(frozen=True)
class AmbushState(PerfectInformationState[Action]):
    """A position of Ambush. The fields mean what they mean in `AmbushObservation`.

    `pending` are numbers of squares.
    """

    notation: ClassVar = Notation(action_to_string, string_to_action, read, why_illegal, choices)
    info: ClassVar[GameInfo] = GameInfo(
        key="ambush",
        name="Ambush",
        summary="Pyramids on turning coasters capture what stands between them.",
        min_players=2,
        max_players=2,
        rules_version=1,
        # The draw of who starts, a turn for every pyramid, and at most one line for every captured pyramid (B9).
        max_game_length=1 + 2 * PYRAMIDS + 2 * PYRAMIDS,
        turn_rule="B1",
        end_rule="B10",
        key_rule="Pyramids go on empty squares or your own stacks.",
        hands=False,
        hidden_information=False,
        steps=(
            Step("deed", "What do you do?"),
            Step("coaster", "On which coaster?", joins=20),
            Step("square", "Which square?", named=True),
            Step("angle", "How far does it turn?"),
            Step("price", "Which pyramid do you pay with?", joins=20),
        ),
    )

    first: int | None = None
    board: Board = (EMPTY,) * len(SQUARES)
    trees: tuple[Trees, Trees] = (_ALL_TREES, _ALL_TREES)
    paid: tuple[Counts, Counts] = ((0, 0, 0), (0, 0, 0))
    captured: tuple[Counts, Counts] = ((0, 0, 0), (0, 0, 0))
    turned: Turned | None = None
    turn_captures: tuple[Captured, ...] = ()
    last_captures: tuple[Captured, ...] = ()
    pending: tuple[int, ...] = ()

    def _legal_actions(self, player: int) -> tuple[Action, ...]:
        if self.pending:
            return tuple(_CAPTURES[SQUARES[square]] for square in self.pending)
        opponent = 1 - player
        free = [stack.owner != opponent for stack in self.board]
        showing = tuple(compress(SIZES, self.trees[player]))
        actions: list[Action] = []
        for size in showing:
            actions += compress(_PLACEMENTS[size], free)
        return (*actions, *_rotations(showing, self.turned and self.turned.coaster))

    # Actions.

    def _apply_action(self, player: int, action: Action) -> Self:
        if isinstance(action, Place):
            return self._place(player, action)
        if isinstance(action, Rotate):
            return self._rotate(player, action)
        if isinstance(action, Capture):
            board = list(self.board)
            return self._resolve(player, action, board, _take_tops(board, (SQUARE_NUMBER[action.square],)))
        return self.evolve(current_player=action.player, first=action.player)

    def _rotate(self, player: int, action: Rotate) -> Self:
        """Turn a coaster (B7), then resolve the captures."""
        paying = self.evolve(
            trees=replaced(self.trees, player, _taken(self.trees[player], action.price)),
            paid=replaced(self.paid, player, _added(self.paid[player], action.price)),
            turned=Turned(action.coaster, action.angle),
            turn_captures=(),
        )
        board = list(TURNED[action.coaster, action.angle](self.board))
        return paying._resolve(player, action, board, ())

    def _place(self, player: int, action: Place) -> Self:
        """Put a pyramid on a square (B2), then capture in every direction with that square as one captor (B6)."""
        board = list(self.board)
        square = SQUARE_NUMBER[action.square]
        captor = board[square] = with_top(board[square], player, action.size)
        targets = [
            target
            for target, far in FROM_SQUARE[square]
            if board[far].owner == player
            and board[target].owner == 1 - player
            and captor.strength + board[far].strength > board[target].strength
        ]
        made = _take_tops(board, targets)
        trees = replaced(self.trees, player, _taken(self.trees[player], action.size))
        return self.evolve(
            current_player=self._next_player(player, trees),
            last=(player, action),
            board=tuple(board),
            trees=trees,
            captured=self._captured_with(made),
            turned=None,
            turn_captures=made,
            last_captures=made,
        )

    def _resolve(self, player: int, action: Action, board: list[Stack], made: tuple[Captured, ...]) -> Self:
        """Make all captures that don't depend on the order, after a rotation or a capture `made` by a line (B9)."""
        assert self.turned is not None, "there is no order of captures but after a rotation"
        coaster = self.turned.coaster
        fallen = {SQUARE_NUMBER[capture.square] for capture in self.turn_captures + made}
        order = captures_in_any_order(board, coaster, fallen)
        if order:
            made += _take_tops(board, order)
        pending = capturable(board, coaster, fallen) if order is None else ()
        return self.evolve(
            current_player=player if pending else self._next_player(player, self.trees),
            last=(player, action),
            board=tuple(board),
            captured=self._captured_with(made),
            turn_captures=self.turn_captures + made,
            last_captures=made,
            pending=pending,
        )

    def _next_player(self, player: int, trees: tuple[Trees, Trees]) -> int:
        """Return who is next after a turn of `player`: nobody if the other player has no pyramid left (B10)."""
        return TERMINAL if trees[1 - player] == _NO_TREES else 1 - player

    def _captured_with(self, made: tuple[Captured, ...]) -> tuple[Counts, Counts]:
        captured = self.captured
        for capture in made:
            captor = 1 - capture.owner
            captured = replaced(captured, captor, _added(captured[captor], capture.size))
        return captured

    @property
    def stage(self) -> Stage:
        """`STEPS` while the current player must still choose the next capture of their rotation (B9), else `TURN`."""
        return Stage.STEPS if self.pending else Stage.TURN

    # Chance.

    def sample_chance(self, rng: Rng) -> Action:
        """Draw who starts (B1)."""
        return First(rng.randrange(self.players))

    def check_chance(self, action: Action) -> bool:
        """Return whether the action names one of the players."""
        return isinstance(action, First) and action.player in range(self.players)

    # What people see.

    def observation(self, player: int | None) -> AmbushObservation:
        """Return the whole position: nothing is hidden."""
        return AmbushObservation(
            *self.common_facts(player),
            first=self.first,
            board=self.board,
            trees=self.trees,
            stash=tuple(map(_stash, self.trees)),
            paid=self.paid,
            captured=self.captured,
            scores=tuple(map(_pips, self.captured)),
            turned=self.turned,
            turn_captures=self.turn_captures,
            last_captures=self.last_captures,
            pending=tuple(SQUARES[square] for square in self.pending),
        )

    def returns(self) -> tuple[float, ...]:
        """Return the captured pips of both players (B5)."""
        return tuple(float(_pips(counts)) for counts in self.captured)

    def _reason(self, winners: tuple[int, ...], merits: tuple[Any, ...]) -> str:
        """Return the captured pips, and whether it is a draw (B11)."""
        pips = lead([round(merit) for merit in merits], "pip")
        return f"{pips}." if len(winners) == 1 else f"{pips}: a draw."

    def __str__(self) -> str:
        """The board, then what it doesn't show. Stacks are from the bottom up, those of player 1 in small letters."""
        cells = [(stack.sizes.lower() if stack.owner else stack.sizes) or "." for stack in self.board]
        rows = [
            f"{row} {' '.join(f'{cell:5}' for cell in cells[SIDE * index : SIDE * (index + 1)])}".rstrip()
            for index, row in enumerate(components.ROWS)
        ]
        return "\n".join(
            (
                "  " + "     ".join(components.COLUMNS),
                *rows,
                *(
                    f"{player}: trees {self.trees[player]}, paid {self.paid[player]}, captured {self.captured[player]}"
                    for player in range(self.players)
                ),
                f"turned {self.turned and ' by '.join(map(str, self.turned))}; to move {self.current_player}"
                f"; pending {' '.join(SQUARES[square] for square in self.pending) or '-'}",
            )
        )


def new_match(players: int, options: Mapping[str, str]) -> AmbushState:
    """Return the position before chance draws who starts. The game has no options."""
    return AmbushState(players=players, current_player=CHANCE, last=None)
