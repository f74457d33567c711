"""Typed text that is no move is answered with the most similar move."""

import random
from typing import Any

import pytest

from games import GAMES
from games.core import CHANCE, InvalidAction, State


def under_way(game: str, seed: int = 4, moves: int = 6) -> State[Any]:
    """A position after some random moves."""
    rng = random.Random(seed)
    state = GAMES[game].new_initial_state(GAMES[game].info.min_players)
    while state.current_player == CHANCE or moves > 0:
        mover = state.current_player
        action = state.sample_chance(rng) if mover == CHANCE else rng.choice(state.legal_actions(mover))
        state, moves = state.child(mover, action), moves - (mover != CHANCE)
    return state


def answer(state: State[Any], typed: str) -> str:
    with pytest.raises(InvalidAction) as refused:
        state.parse_action(state.current_player, typed)
    return str(refused.value)


@pytest.mark.parametrize(
    ("game", "typed", "likely"),
    [
        ("saboteur", "NES", "Did you mean `NES@"),
        ("saboteur", "discard", "Did you mean `drop "),
        ("gambo", "advance", "Did you mean `adv "),
        ("ambush", "rotate NE", "`NE90-S`"),
    ],
)
def test_the_example_is_the_move_that_is_most_like_it(game: str, typed: str, likely: str) -> None:
    assert likely in answer(under_way(game), typed)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("typed", ["", "🂡", "what now"])
def test_nonsense_gets_a_legal_move_as_an_example(game: str, typed: str) -> None:
    state = under_way(game)
    legal = {state.action_to_string(action) for action in state.legal_actions(state.current_player)}
    assert any(f"Moves look like `{text}`." in answer(state, typed) for text in legal)


def test_a_card_at_its_place_comes_before_the_same_card_thrown_away() -> None:
    for seed in range(5):
        state = under_way("saboteur", seed, 3)
        texts = [state.action_to_string(action) for action in state.legal_actions(state.current_player)]
        for card in {text.partition("@")[0] for text in texts if "@" in text and f"drop {text[:3]}" in texts}:
            assert f"`{card}@" in answer(state, card)
