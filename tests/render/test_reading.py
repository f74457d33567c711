"""People who see no picture can play: the words alone tell every legal action (P24)."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games import GAMES
from games.ambagibus.observation import MazeCard
from games.core import CHANCE, State
from render import RENDERERS
from render.grammar import MAX_ALT_TEXT, MAX_TEXT_BOARD
from tests.conformance.matches import GOLDEN_LOGS, SETUPS, Match, Setup, played, recorded
from tests.conformance.policies import POLICIES, Policy, random_play
from tests.render.reading import JUDGES, READERS
from tests.render.reading.ambagibus import read_maze as read_paper_maze
from tests.render.reading.saboteur import read_maze as read_mine

FIRST_NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jon")
NAMES = tuple(f"{name} of the Very Long Name Indeed"[:32] for name in FIRST_NAMES)
"""The longest possible names, which leave the least room for words."""


def told(state: State[Any], player: int) -> tuple[str, str]:
    """A player's text board and hand in words; never the observation itself."""
    draw, seen, names = RENDERERS[state.info.key], state.observation(player), NAMES[: state.players]
    return draw.text_board(seen, names), draw.hand_text(seen, names) or ""


def texts(state: State[Any]) -> set[str]:
    """The legal actions."""
    return {state.action_to_string(action) for action in state.legal_actions(state.current_player)}


def assert_enough_to_play_by(match: Match, every: int = 1) -> None:
    """At every ply the reader of the words finds exactly the legal actions."""
    read = READERS[match.info.key]
    for ply, state in enumerate(match.states):
        if state.current_player < 0 or ply % every:
            continue
        board, hand = told(state, state.current_player)
        assert len(board) <= MAX_TEXT_BOARD
        found, legal = read(board, hand), texts(state)
        assert found == legal, f"{match.name} ply {ply}: {sorted(found ^ legal)} by\n{board}\n{hand}"


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_p24_the_words_are_enough_to_play_by(setup: Setup) -> None:
    assert_enough_to_play_by(played(setup, random_play, 1))


@pytest.mark.parametrize("path", GOLDEN_LOGS, ids=lambda path: path.stem)
def test_p24_the_words_of_recorded_matches_are_enough_to_play_by(path: Any) -> None:
    assert_enough_to_play_by(recorded(path))


@pytest.mark.soak
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_the_words_of_many_matches_are_enough_to_play_by(setup: Setup, policy: Policy) -> None:
    for seed in range(2, 12):
        assert_enough_to_play_by(played(setup, policy, seed))


def chosen(state: State[Any], rng: Random) -> Any:
    """The choice of a player who has only the words."""
    player, draw = state.current_player, RENDERERS[state.info.key]
    board, hand = told(state, player)
    role = draw.role_text(state.observation(player), NAMES[: state.players]) or ""
    actions = sorted(READERS[state.info.key](board, hand))
    rng.shuffle(actions)
    best = max(actions, key=lambda action: JUDGES[state.info.key](board, f"{hand}\n{role}", action))
    return state.string_to_action(player, best)


def end_of(setup: Setup, readers: set[int], seed: int) -> State[Any]:
    """The end of a match in which these seats read and the others play at random."""
    rng = Random(f"{setup} {seed}")
    state: State[Any] = GAMES[setup.key].new_initial_state(setup.players, dict(setup.options))
    while not state.is_terminal:
        player = state.current_player
        if player == CHANCE:
            action = state.sample_chance(rng)
        else:
            action = chosen(state, rng) if player in readers else random_play(state, rng)
        state = state.apply_action(player, action)
    return state


@pytest.mark.parametrize("name", ["abissal-2", "abissal-3", "ambagibus-2-advanced", "ambush-2", "gambo-2"])
def test_whoever_only_reads_plays_better_than_chance(name: str) -> None:
    setup, matches = next(setup for setup in SETUPS if str(setup) == name), 24
    seats = [number % setup.players for number in range(matches)]
    won = sum(seat in end_of(setup, {seat}, number).outcome().winners for number, seat in enumerate(seats))
    assert won / matches >= 0.65


@pytest.mark.parametrize("setup", [s for s in SETUPS if s.key == "saboteur"], ids=str)
def test_gold_diggers_who_only_read_reach_the_treasure_more_often(setup: Setup) -> None:
    def treasures(readers: set[int]) -> int:
        ends: list[Any] = [end_of(setup, readers, seed).observation(None) for seed in range(2)]
        return sum(result.winners == "D" for seen in ends for result in seen.results)

    assert treasures(set(range(setup.players))) > treasures(set())


def test_a_mine_that_winds_far_is_told_without_leaving_a_card_out() -> None:
    match = played(next(setup for setup in SETUPS if str(setup) == "saboteur-10"), random_play, 1)
    seen: Any = match.states[40].observation(0)
    stairs = {(-number // 2, -(number + 1) // 2): "nes" for number in range(40)} | {(0, 0): "NESW"}
    board = RENDERERS["saboteur"].text_board(replace(seen, maze=stairs), NAMES)
    assert len(board) <= MAX_TEXT_BOARD
    told_cells = {cell: sign.rstrip("*") for cell, sign in read_mine(board.splitlines()).items()}
    assert {cell: told_cells[cell] for cell in stairs} == stairs | {(0, 0): "UP"}
    assert {(8, 2), (8, 0), (8, -2)} <= set(told_cells)


def test_a_paper_maze_that_winds_far_is_told_without_leaving_a_card_out() -> None:
    match = played(next(setup for setup in SETUPS if str(setup) == "ambagibus-4-advanced"), random_play, 1)
    seen: Any = match.states[40].observation(0)
    stairs = tuple(MazeCard((number // 2, (number + 1) // 2), "1234", number % 4) for number in range(100))
    board = RENDERERS["ambagibus"].text_board(replace(seen, maze=stairs), NAMES[:4])
    assert len(board) <= MAX_TEXT_BOARD
    assert read_paper_maze(board.splitlines()) == {item.cell: ("ABCD"[item.owner], item.card) for item in stairs}


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_alternative_texts_say_what_happened_whose_turn_it_is_and_where_things_stand(setup: Setup) -> None:
    draw, names = RENDERERS[setup.key], FIRST_NAMES[: setup.players]
    for state in played(setup, random_play, 1).states:
        seen = state.observation(None)
        if state.current_player >= 0 and seen.last is not None:
            text = draw.alt_text(seen, names)
            assert len(text) <= MAX_ALT_TEXT
            assert draw.say(seen.last, seen, names) in text
            assert names[state.current_player] in text.split(draw.say(seen.last, seen, names))[1][:60]
