"""Values that are updated step by step equal their definition, computed from scratch at every position."""

from pathlib import Path
from random import Random

import pytest

from games.grid import EDGES, OPPOSITE, Cell, neighbours
from games.saboteur import SaboteurState
from games.saboteur.actions import Dig
from games.saboteur.board import survey
from games.saboteur.components import FINISH, PIECES_OF
from tests.conformance.checks import CHECKS, Check
from tests.conformance.matches import LOGS, Match, Setup, played, recorded
from tests.conformance.policies import random_play
from tests.games.saboteur.digging import digging_play

PLAYERS = range(3, 11)


def reached_by_search(cards: dict[Cell, str]) -> set[Cell]:
    """The cards whose inside is joined with the start card's."""
    reached, to_visit = {(0, 0)}, [(0, 0)]
    while to_visit:
        cell = to_visit.pop()
        for edge, beside in enumerate(neighbours(cell)):
            leads = EDGES[edge] in cards[cell] and EDGES[OPPOSITE[edge]] in cards.get(beside, "")
            if leads and beside not in reached:
                reached.add(beside)
                to_visit.append(beside)
    return reached


def digs_by_definition(state: SaboteurState) -> set[Dig]:
    """S6, S7 and S8 tried on every place near the cards, for every piece of every card in hand."""
    cards = dict(state.maze.cards)
    player = state.current_player
    if any(seats >> player & 1 for seats in state.broken):
        return set()
    reached = reached_by_search(cards)
    near = {beside for cell in cards for beside in neighbours(cell)} - cards.keys() - set(FINISH)
    pieces = {piece for card in state.hands[player] for piece in PIECES_OF.get(card, ())}
    return {Dig(piece, cell) for cell in near for piece in pieces if fits(cards, reached, piece, cell)}


def fits(cards: dict[Cell, str], reached: set[Cell], piece: str, cell: Cell) -> bool:
    joins = False
    for edge, beside in enumerate(neighbours(cell)):
        if beside in cards:
            mine, theirs = EDGES[edge] in piece.upper(), EDGES[OPPOSITE[edge]] in cards[beside].upper()
            if mine != theirs:
                return False
            joins |= mine and beside in reached
    return joins


@pytest.mark.parametrize("policy", [random_play, digging_play])
@pytest.mark.parametrize("players", [3, 6, 10])
def test_legal_path_cards_are_those_of_the_rules(players: int, policy: object) -> None:
    laid = 0
    for state in played(Setup("saboteur", players), policy, 0).states:
        if isinstance(state, SaboteurState) and state.due == "turn":
            digs = {action for action in state.legal_actions(state.current_player) if isinstance(action, Dig)}
            assert digs == digs_by_definition(state)
            laid += len(digs)
    assert laid > 100


@pytest.mark.parametrize("path", sorted(LOGS.glob("saboteur-*.log")), ids=lambda path: path.stem)
def test_the_maze_kept_step_by_step_is_the_maze_surveyed_again(path: Path) -> None:
    stranded = 0
    for state in recorded(path).states:
        assert isinstance(state, SaboteurState)
        assert state.maze == survey(state.maze.cards)
        stranded += len(state.maze.stranded)
    assert stranded


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("players", PLAYERS)
def test_a_match_in_which_gold_is_found_holds_to(players: int, check: Check) -> None:
    matches = (played(Setup("saboteur", players), digging_play, seed) for seed in range(20))
    check(next(match for match in matches if finds_gold(match)), Random(players))


def finds_gold(match: Match) -> bool:
    state = match.states[-1]
    assert isinstance(state, SaboteurState)
    return any(past.reached_by is not None for past in state.decided)


def test_actions_are_shared_between_positions() -> None:
    states = (
        state for state in played(Setup("saboteur", 3), random_play, 0).states if isinstance(state, SaboteurState)
    )
    first, *_, later = (state for state in states if state.due == "turn")
    shared = {id(action) for action in first.legal_actions(first.current_player)}
    again = first.evolve(hands=first.hands)
    assert {id(action) for action in again.legal_actions(again.current_player)} == shared
    assert later.legal_actions(later.current_player)
