"""Captures after a rotation and their order (B9)."""

import random
from collections.abc import Iterator

from games.ambush.board import ACROSS, Board, Stack, captures_in_any_order, strength
from games.ambush.components import COASTERS, SQUARES
from games.core import TERMINAL, Stage
from tests.games.ambush.positions import fallen, legal, play, position, refusal, standing

ONE_OR_THE_OTHER = """
    1 . . . s S .
    3 S s . . . .
"""
"""Half a turn of NW brings s to B1 and S to C1: then C1 can fall, or D1, but not one after the other."""

TWICE_ONE_OR_THE_OTHER = """
    1 S s . s S .
    3 S s . s S .
"""


def test_b09_both_colours_capture_and_each_keeps_what_their_own_stacks_captured() -> None:
    state = play(
        position(
            """
            1 l . . m S .
            3 L . . S s .
            """
        ),
        "NW180-S",
    )
    assert {(capture.square, capture.size, capture.owner) for capture in state.turn_captures} == {
        ("D1", "M", 1),
        ("D3", "S", 0),
    }
    assert state.captured == ((0, 1, 0), (1, 0, 0))
    assert (state.current_player, state.pending) == (1, ())


def test_b09_the_mover_may_lose_their_own_pyramid() -> None:
    state = play(position("1 . . . S s . \n 3 s . . . . ."), "NW180-S")
    assert state.captured == ((0, 0, 0), (1, 0, 0))
    assert state.current_player == 1


def test_b09_lines_wholly_on_or_wholly_off_the_turned_coaster_are_not_looked_at() -> None:
    assert fallen(position("2 S s S . . ."), "NW180-S") == set()
    assert fallen(position("5 . . . S s S"), "NW180-S") == set()
    assert fallen(position("1 . . . S s S"), "NW90-S") == set()


def test_b09_a_line_across_the_edge_counts_even_where_the_rotation_left_it_as_it_was() -> None:
    picture = """
        1 . . S s S .
        3 S . . . . .
    """
    assert fallen(position(picture), "NW180-S") == {"D1"}
    assert fallen(position(picture), "NE90-S") == set()
    assert fallen(position("1 . . S s S . \n 6 . . . . . ."), "SW90-S") == set()


def test_b09_a_square_loses_at_most_one_pyramid_in_a_turn() -> None:
    state = play(position("1 . . . ss L . \n 3 L . . . . ."), "NW180-S")
    assert standing(state) == {"C1": "L", "D1": "s", "E1": "L"}


def test_b09_one_capture_may_open_another() -> None:
    # Red takes the L off the stack that comes to C1. Then it counts 4, not 3, and with E1 more than the 4 of D1.
    state = position(
        """
        1 . . . ls S .
        3 MML l . . . .
        """
    )
    state = play(state, "NW180-S")
    assert [capture.square for capture in state.last_captures] == ["C1", "D1"]
    assert state.captured == ((1, 0, 0), (0, 0, 1))
    assert standing(state) == {"B1": "l", "C1": "MM", "D1": "l", "E1": "S"}
    assert state.current_player == 1


def test_b09_where_all_orders_capture_the_same_no_line_is_asked() -> None:
    state = position(
        """
        1 S . . s S .
        3 S . . s S .
        """
    )
    assert fallen(state, "NW180-S") == {"D1", "D3"}
    assert play(state, "NW180-S").current_player == 1


def test_b09_where_orders_differ_the_mover_names_the_next_capture() -> None:
    state = play(position(ONE_OR_THE_OTHER), "NW180-S")
    assert state.current_player == 0
    assert state.stage is Stage.STEPS
    assert legal(state) == ["xC1", "xD1"]
    assert state.observation(None).pending == ("C1", "D1")
    assert state.last_captures == ()
    one, other = play(state, "xC1"), play(state, "xD1")
    assert standing(one) == {"B1": "s", "D1": "s", "E1": "S"}
    assert standing(other) == {"B1": "s", "C1": "S", "E1": "S"}
    assert (one.captured, other.captured) == (((0, 0, 0), (1, 0, 0)), ((1, 0, 0), (0, 0, 0)))
    assert one.current_player == other.current_player == 1
    assert one.stage is Stage.TURN


def test_b09_it_is_judged_again_after_each_named_capture() -> None:
    state = play(position(TWICE_ONE_OR_THE_OTHER), "NW180-S")
    assert legal(state) == ["xC1", "xD1", "xC3", "xD3"]
    state = play(state, "xC1")
    assert state.current_player == 0
    assert legal(state) == ["xC3", "xD3"]
    state = play(state, "xD3")
    assert state.current_player == 1
    assert [capture.square for capture in state.turn_captures] == ["C1", "D3"]
    assert [capture.square for capture in state.last_captures] == ["D3"]


def test_b09_captures_that_fall_in_every_order_are_named_too_while_there_is_a_choice() -> None:
    state = position(
        """
        1 S . . s S .
        3 S s . s S .
        """
    )
    state = play(state, "NW180-S")
    assert legal(state) == ["xC1", "xD1", "xD3"]
    for first in ("C1", "D1"):
        assert {capture.square for capture in play(state, f"x{first}").turn_captures} == {first, "D3"}
    assert legal(play(state, "xD3")) == ["xC1", "xD1"]


def test_b09_a_line_of_order_is_no_turn_and_does_not_lift_the_bar_on_the_coaster() -> None:
    state = play(position(ONE_OR_THE_OTHER), "NW180-S", "xC1")
    assert {text[:2] for text in legal(state) if "-" in text} == {"NE", "SW", "SE"}
    assert state.trees[0] == (1, 3, 1, 0)


def test_b09_nothing_else_may_be_done_while_a_capture_is_to_be_named() -> None:
    state = play(position(ONE_OR_THE_OTHER), "NW180-S")
    for text in ("SA6", "SE90-S", "xE1"):
        assert (refusal(state, text) or "").startswith("B9:")


def test_b10_the_match_ends_only_when_all_captures_are_made() -> None:
    state = play(position(TWICE_ONE_OR_THE_OTHER, to_move=1, trees=((0, 0, 0, 5), (0, 0, 1, 4))), "NW180-L")
    assert (state.current_player, state.outcome()) == (1, None)
    state = play(state, "xC1")
    assert not state.is_terminal
    state = play(state, "xC3")
    assert state.current_player == TERMINAL


def test_only_twelve_squares_are_the_middle_of_a_line_across_an_edge() -> None:
    assert [len({target for _, target, _ in ACROSS[coaster]}) for coaster in COASTERS] == [12] * 4


# Compared with another formulation: squares as coordinates, every order followed without a shortcut.


def _all_orders(stacks: Board, coaster: str, order: tuple[str, ...] = ()) -> Iterator[frozenset[str]]:
    """The sets of squares that fall, order by order, by the words of B4 and B9 alone."""
    at = {(ord(square[0]) - 65, int(square[1]) - 1): there for square, there in zip(SQUARES, stacks, strict=True)}
    left, top = 3 * ("E" in coaster), 3 * ("S" in coaster)
    following = set()
    for (x, y), target in at.items():
        square = SQUARES[6 * y + x]
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            line = ((x - dx, y - dy), (x, y), (x + dx, y + dy))
            on = [left <= column < left + 3 and top <= row < top + 3 for column, row in line]
            if not all(place in at for place in line) or all(on) or not any(on):
                continue
            captors = at[line[0]], at[line[2]]
            if (
                target.owner >= 0
                and all(captor.owner == 1 - target.owner for captor in captors)
                and sum(captor.strength for captor in captors) > target.strength
            ):
                following.add(square)
    following -= set(order)
    if not following:
        yield frozenset(order)
    for square in following:
        index = SQUARES.index(square)
        sizes = stacks[index].sizes[:-1]
        rest = Stack(stacks[index].owner if sizes else -1, sizes, strength(sizes))
        yield from _all_orders((*stacks[:index], rest, *stacks[index + 1 :]), coaster, (*order, square))


def test_b09_agrees_with_following_every_order_by_hand_on_random_boards() -> None:
    rng, asked, several = random.Random(8), 0, 0
    for _ in range(400):
        pieces = [rng.choice(["", "", "S", "M", "SS", "MML", "LS"]) for _ in SQUARES]
        stacks = tuple(Stack(rng.randrange(2) if sizes else -1, sizes, strength(sizes)) for sizes in pieces)
        coaster = rng.choice(COASTERS)
        ends = set(_all_orders(stacks, coaster))
        order = captures_in_any_order(stacks, coaster, ())
        if len(ends) > 1:
            asked += 1
            assert order is None
        else:
            several += len(order or ()) > 1
            assert {frozenset(SQUARES[square] for square in order or ())} == ends
    assert asked > 20
    assert several > 20
