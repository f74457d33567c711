"""The match that is played on in place, compared with the positions of the same match, line by line."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from games import GAMES
from games.ambagibus import AmbagibusState
from games.ambagibus.gaps import cell_of, place_of
from games.ambagibus.simulation import Simulation, worlds
from games.core import CHANCE

SETUPS = [(variant, players) for variant in ("basic", "advanced") for players in (2, 3, 4)]


def match(variant: str, players: int, seed: int) -> list[tuple[AmbagibusState, Any]]:
    """The positions of a random match after its shuffles, each with the action that follows; ``None`` at the end."""
    rng = Random(seed)
    state: Any = GAMES["ambagibus"].new_initial_state(players, {"variant": variant})
    found = []
    while not state.is_terminal:
        mover = state.current_player
        action = state.sample_chance(rng) if mover == CHANCE else rng.choice(state.legal_actions(mover))
        if mover != CHANCE:
            found.append((state, action))
        state = state.child(mover, action)
    return [*found, (state, None)]


def compare(simulation: Simulation, state: AmbagibusState) -> None:
    """Check that both are the same position."""
    maze = state.maze
    assert {cell_of(place) for place in simulation.gaps} == set(maze.spaces)
    assert simulation.is_terminal == state.is_terminal
    passages = Counter(passage.owner for passage in maze.passages())
    for seat in range(state.players):
        sections = [number for number in simulation.passages if simulation.owners[number] == seat]
        closed = maze.closed_sections(seat)
        assert simulation.closed[seat] == len(closed)
        sizes = sorted(
            (simulation.sizes[number] for number in sections if not simulation.passages[number]), reverse=True
        )
        assert sizes == [len(section) for section in closed]
        assert sum(simulation.passages[number] for number in sections) == passages[seat]
    outcome = state.outcome()
    if outcome is not None:
        assert simulation.winners() == list(outcome.winners)
        return
    player = simulation.current_player
    assert player == state.current_player
    assert [tuple(row) for row in simulation.rows] == [own.row for own in state.cards]
    assert [tuple(reversed(deck)) for deck in simulation.decks] == [own.deck for own in state.cards]
    actions = simulation.legal_actions(player)
    assert len(actions) == len(set(actions))
    assert set(actions) == set(state.legal_actions(player))


@pytest.mark.parametrize(("variant", "players"), SETUPS)
def test_it_goes_on_as_the_positions_of_a_match_do(variant: str, players: int) -> None:
    for seed in range(5):
        (first, action), *rest = match(variant, players, seed)
        simulation = Simulation(first)
        compare(simulation, first)
        for state, following in rest:
            simulation.apply(action)
            compare(simulation, state)
            action = following


@pytest.mark.parametrize(("variant", "players"), SETUPS)
def test_it_can_begin_at_any_position(variant: str, players: int) -> None:
    for seed in range(20, 23):
        for state, action in match(variant, players, seed):
            simulation = Simulation(state)
            compare(simulation, state)
            if action is not None:
                compare(simulation.child(state.current_player, action), state.child(state.current_player, action))
                compare(simulation, state)


def test_its_worlds_look_like_the_position_and_differ_in_what_nobody_knows() -> None:
    for variant in ("basic", "advanced"):
        state, _ = match(variant, 2, 3)[12]
        draw, rng = worlds(state), Random(1)
        decks = set()
        for _ in range(5):
            world = draw(rng)
            decks.add(str(world.decks))
            assert world.rows == [list(own.row) for own in state.cards]
            for deck, own in zip(world.decks, state.cards, strict=True):
                assert sorted(deck) == sorted(own.deck)
                assert deck[: own.known] == list(reversed(own.deck))[: own.known]
        assert len(decks) == 5


def test_worlds_do_not_depend_on_the_true_order_of_the_decks() -> None:
    state, _ = match("basic", 2, 3)[12]
    other = state.resample_from_infostate(0, Random(8))
    assert other != state
    assert worlds(other)(Random(1)).decks == worlds(state)(Random(1)).decks


def test_cells_and_places_are_the_same() -> None:
    for cell in ((0, 0), (3, -2), (-1, 5), (-80, -80), (80, 80)):
        assert cell_of(place_of(cell)) == cell
