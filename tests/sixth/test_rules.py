"""Moor by its numbered rules (moor.md)."""

from __future__ import annotations

from random import Random

import pytest

from games.core import CHANCE, TERMINAL, IllegalAction
from tests.sixth.game import GAME
from tests.sixth.game.actions import Deal
from tests.sixth.game.state import MoorState, new_match


def dealt(tokens: str, *moves: str, most: str = "3") -> MoorState:
    """The position after these tokens are dealt and these moves made, each by the player whose turn it is."""
    state = new_match(len(tokens), {"most": most}).apply_action(CHANCE, Deal(tuple(tokens)))
    for move in moves:
        state = state.apply_action(state.current_player, state.string_to_action(state.current_player, move))
    return state


def refusal(state: MoorState, move: str) -> str:
    with pytest.raises(IllegalAction) as refused:
        state.apply_action(state.current_player, state.string_to_action(state.current_player, move))
    return str(refused.value)


def test_m01_everybody_gets_another_token_of_four() -> None:
    state = GAME.new_initial_state(3)
    deals = {state.sample_chance(Random(seed)).tokens for seed in range(500)}
    assert len(deals) == 4 * 3 * 2
    for wrong in ("AA", "AAB", "AB", "ABCD"):
        assert not state.check_chance(Deal(tuple(wrong)))
    assert dealt("ABC").observation(None).stones == (3, 4, 5, 6)


@pytest.mark.parametrize("most", ["2", "3"])
def test_m02_one_takes_from_one_cairn_as_many_stones_as_agreed(most: str) -> None:
    state = dealt("AB", most=most)
    texts = {state.action_to_string(action) for action in state.legal_actions(0)}
    assert texts == {f"{cairn}-{count}" for cairn in "ABCD" for count in range(1, int(most) + 1)}
    assert refusal(state, f"D-{int(most) + 1}") == f"M2: You may take at most {most} stones."
    assert [dealt("ABC", *["D-1"] * moves).current_player for moves in range(5)] == [0, 1, 2, 0, 1]


def test_m03_no_more_can_be_taken_than_lies_there() -> None:
    assert refusal(dealt("AB", "A-2"), "A-2") == "M3: 1 stone can be taken from cairn A."
    assert refusal(dealt("AB", "A-3"), "A-1") == "M3: No stones can be taken from cairn A."


def test_m04_the_last_stone_of_a_cairn_is_worth_two_points() -> None:
    assert dealt("BC", "A-2").returns() == (0.0, 0.0)
    assert dealt("BC", "A-2", "A-1").returns() == (0.0, 2.0)


OVER = ("A-3", "B-3", "B-1", "C-3", "C-2", "D-3", "D-2", "D-1")
"""Seat 0 takes the cairns A, B and C, seat 1 takes D."""


@pytest.mark.parametrize(("tokens", "returns"), [("DC", (6.0, 2.0)), ("AC", (9.0, 2.0)), ("AD", (9.0, 5.0))])
def test_m05_whoever_has_the_cairn_of_the_own_token_gets_three_points_more(
    tokens: str, returns: tuple[float, ...]
) -> None:
    assert dealt(tokens, *OVER[:-1]).returns() == (6.0, 0.0), "before the end a token would be told by its points"
    assert dealt(tokens, *OVER).returns() == returns


def test_m06_the_highest_total_wins_and_equal_ones_share_the_victory() -> None:
    alone, shared = dealt("AD", *OVER), dealt("BD", "A-3", "B-3", "C-3", "C-2", "B-1", "D-3", "D-2", "D-1")
    assert (alone.current_player, alone.outcome().winners) == (TERMINAL, (0,))
    assert shared.returns() == (7.0, 7.0)
    assert shared.outcome().winners == (0, 1)


@pytest.mark.parametrize("typed", ["B-2", "b 2", "2 b", "two stones from B", "Take 2 from cairn b.", "b2"])
def test_m02_words_are_read_as_well(typed: str) -> None:
    state = dealt("AB")
    assert state.action_to_string(state.parse_action(0, typed)) == "B-2"
