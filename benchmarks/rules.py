"""How fast the rules are: random play against OpenSpiel's Python tic-tac-toe, Saboteur's moves against python-chess.

OpenSpiel's ``python_tic_tac_toe`` is the unit, because it is like our games: rules in plain Python behind a protocol
for all games. A playout is a whole match of uniformly random moves, chosen in the same way on both sides. The floors
are ratios of *moves* per second (`legal_actions`, choice, `child`). Ratios of whole matches would say little: a match
of Saboteur has some two hundred moves, tic-tac-toe eight. The table shows them too. Lines of chance take time but don't
count as moves.

`legal_actions` of a late Saboteur board (the last third of a round, many cards in the maze, a player who can lay one)
is compared with the legal moves of python-chess at ply 30. A position caches its legal actions, so every call is timed
on a new position.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from benchmarks import measure
from benchmarks.measure import CLOCK, Counts, Length, Rates, Report, Sample, Subject, middle, ratio
from games import GAMES
from games.core import CHANCE, TERMINAL, Game, State
from games.saboteur.actions import Dig

FLOORS: Final = {"saboteur": 1.0, "gambo": 1.5, "ambush": 0.7, "ambagibus": 0.5, "abissal": 2.5}
"""Moves per second, as multiples of tic-tac-toe's."""

LEGAL_CEILING: Final = 1.0
"""Time for a late Saboteur board's legal actions, as a multiple of python-chess's."""

PLAYERS: Final = {"saboteur": 5, "ambagibus": 4, "abissal": 3}
"""Number of players; two in the other games."""

CHESS_PLY: Final = 30
LATE_CARDS: Final = 15
"""Least number of face-up cards on a late Saboteur board."""

POSITIONS: Final = 200
"""Number of late boards, and of chess positions, in a run."""

PEER: Final = "tic-tac-toe"
CHESS: Final = "python-chess"
LATE: Final = "late Saboteur board"


def run(length: Length) -> bool:
    """Print both tables. Returns whether every figure kept its floor. Raises PeerMissing."""
    rounds, seconds = length.of((11, 0.4), (3, 0.1), (1, 0.0))
    report, positions = Report(length, 22), length.of(POSITIONS, POSITIONS, 2)
    rng = random.Random(2024)
    matches = {PEER: measure.timed(_tic_tac_toe(rng))}
    matches |= {key: measure.timed(_playouts(game, PLAYERS.get(key, 2), rng)) for key, game in GAMES.items()}
    boards = {CHESS: _chess_moves(rng, positions), LATE: _late_moves(rng, positions)}
    _print_playouts(report, measure.interleaved(matches, rounds, seconds), rounds)
    _print_legal(report, measure.interleaved(boards, rounds, seconds))
    return report.kept


def _print_playouts(report: Report, rates: Rates, rounds: int) -> None:
    """Print the table of random play."""
    print(f"Random play against OpenSpiel's python_tic_tac_toe, medians of {rounds} interleaved rounds")
    report.head("", "moves/s", "ratio", "floor", "matches/s", "ratio")
    report.row(PEER, f"{middle(rates, PEER):,.0f}", "1.00", "", f"{middle(rates, PEER, 1):,.1f}", "1.00")
    for key, game in GAMES.items():
        moves, matches, floor = ratio(rates, key, PEER), ratio(rates, key, PEER, 1), FLOORS[key]
        cells = f"{middle(rates, key):,.0f}", f"{moves:.2f}", f"{floor:.2f}", f"{middle(rates, key, 1):,.1f}"
        report.row(game.info.name, *cells, f"{matches:.3f}", kept=moves >= floor)


def _print_legal(report: Report, rates: Rates) -> None:
    """Print the table of legal moves."""
    times = 1 / ratio(rates, LATE, CHESS)
    report.head("Legal moves", "µs", "ratio", "ceiling")
    report.row(f"{CHESS}, ply {CHESS_PLY}", f"{1e6 / middle(rates, CHESS):.1f}", "1.00")
    cells = f"{1e6 / middle(rates, LATE):.1f}", f"{times:.2f}", f"{LEGAL_CEILING:.2f}"
    report.row(LATE, *cells, kept=times <= LEGAL_CEILING)


def _playouts(game: Game, players: int, rng: random.Random) -> Callable[[], Counts]:
    """Play one random match a call. Counts moves and matches."""
    draw = rng.random

    def playout() -> Counts:
        state = game.new_initial_state(players)
        moves = 0
        while (player := state.current_player) != TERMINAL:
            if player == CHANCE:
                state = state.child(player, state.sample_chance(rng))
            else:
                actions = state.legal_actions(player)
                state = state.child(player, actions[int(draw() * len(actions))])
                moves += 1
        return moves, 1

    return playout


def _tic_tac_toe(rng: random.Random) -> Callable[[], Counts]:
    """Play one random match of OpenSpiel's Python tic-tac-toe a call. Counts moves and matches."""
    measure.peer("open_spiel.python.games.tic_tac_toe", "open_spiel")  # importing it registers the game
    game = measure.peer("pyspiel", "open_spiel").load_game("python_tic_tac_toe")
    draw = rng.random

    def playout() -> Counts:
        state = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
            moves += 1
        return moves, 1

    return playout


def _late_moves(rng: random.Random, count: int) -> Subject:
    """Find the legal actions of late Saboteur boards. Makes each position anew by its last move, untimed."""
    before = _late_boards(rng, count)

    def calls() -> Sample:
        fresh = [state.child(player, action) for state, player, action in before]
        begun = CLOCK()
        for state in fresh:
            state.legal_actions(state.current_player)
        return (len(fresh),), CLOCK() - begun

    return calls


def _late_boards(rng: random.Random, count: int) -> list[tuple[State[Any], int, Any]]:
    """Moves of random matches that lead to late boards, as position, player and action."""
    late: list[tuple[State[Any], int, Any]] = []
    while len(late) < count:
        state = GAMES["saboteur"].new_initial_state(PLAYERS["saboteur"])
        rounds: list[list[tuple[State[Any], int, Any]]] = []
        while (player := state.current_player) != TERMINAL:
            if player == CHANCE:
                action = state.sample_chance(rng)
                rounds.append([])
            else:
                action = rng.choice(state.legal_actions(player))
                rounds[-1].append((state, player, action))
            state = state.child(player, action)
        late += [move for moves in rounds for move in moves[2 * len(moves) // 3 :] if _is_late(*move)]
    return late[:count]


def _is_late(state: State[Any], player: int, action: Any) -> bool:
    """Whether the action leads to a board with many cards on which the next player can lay one."""
    following: Any = state.child(player, action)
    moves = following.legal_actions(following.current_player)
    return len(following.maze.cards) >= LATE_CARDS and any(isinstance(move, Dig) for move in moves)


def _chess_moves(rng: random.Random, count: int) -> Subject:
    """Find the legal moves in positions of python-chess after `CHESS_PLY` random plies."""
    chess = measure.peer("chess", "python-chess")
    boards: list[Any] = []
    while len(boards) < count:
        board = chess.Board()
        while board.ply() < CHESS_PLY and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over():
            boards.append(board)

    def calls() -> Counts:
        for board in boards:
            list(board.legal_moves)
        return (len(boards),)

    return measure.timed(calls)
