"""Ambush rule by rule (B1-B8, B10, B11), then the test positions of the rules page; B9 has a module of its own."""

import random

import pytest

from games.ambush.actions import Capture, First, Place, Rotate
from games.ambush.board import strength
from games.ambush.components import COASTERS
from games.ambush.state import new_match
from games.core import CHANCE, TERMINAL
from tests.games.ambush.positions import fallen, legal, play, position, refusal, standing


def test_b01_chance_decides_who_starts() -> None:
    state = new_match(2, {})
    drawn = {state.sample_chance(random.Random(seed)) for seed in range(20)}
    assert drawn == {First(0), First(1)}
    assert not state.check_chance(First(2))
    for first in (0, 1):
        begun = state.apply_action(CHANCE, First(first))
        assert (begun.current_player, begun.observation(None).first) == (first, first)


@pytest.mark.parametrize("turn", ["SB3", "NE90-S"])
def test_b01_a_turn_is_one_placement_or_one_rotation(turn: str) -> None:
    state = play(position(to_move=1), turn)
    assert state.current_player == 0


def test_b01_nobody_may_do_nothing() -> None:
    state, rng = position(), random.Random(3)
    while not state.is_terminal:
        legal_actions = state.legal_actions(state.current_player)
        assert {type(action) for action in legal_actions} in ({Place, Rotate}, {Capture})
        state = state.apply_action(state.current_player, rng.choice(legal_actions))


def test_b02_only_the_top_of_a_tree_can_be_taken() -> None:
    state = position(trees=((5, 0, 0, 0), (5, 0, 0, 0)))
    assert {text[0] for text in legal(state) if text[0] != "N"} == {"S"}
    state = play(state, "SB3", "SE5")
    assert state.trees == ((4, 1, 0, 0), (4, 1, 0, 0))
    state = play(state, "MB4")
    assert state.trees[0] == (4, 0, 1, 0)
    assert (refusal(state, "LA1") or "").startswith("B2:")


def test_b02_a_pyramid_goes_to_an_empty_square_or_onto_an_own_stack() -> None:
    state = position("1 M s . . . .")
    squares = {text[1:] for text in legal(state) if text[0] == "S" and "-" not in text}
    assert len(squares) == 35
    assert "B1" not in squares
    assert standing(play(state, "SA1")) == {"A1": "MS", "B1": "s"}


@pytest.mark.parametrize(
    ("sizes", "visible"), [("SL", 3), ("LS", 4), ("SML", 3), ("LMS", 6), ("MSS", 4), ("SMS", 3), ("MM", 4)]
)
def test_b03_a_pyramid_is_hidden_only_by_a_larger_one_above(sizes: str, visible: int) -> None:
    assert strength(sizes) == visible


@pytest.mark.parametrize(
    ("one", "target", "other"),
    [("B3", "C3", "D3"), ("C2", "C3", "C4"), ("B2", "C3", "D4"), ("B4", "C3", "D2"), ("D3", "C3", "B3")],
)
def test_b04_two_own_stacks_on_opposite_sides_capture_in_a_row_a_column_or_a_diagonal(
    one: str, target: str, other: str
) -> None:
    assert fallen(position(), f"S{one}", f"S{target}", f"S{other}") == {target}


def test_b04_equal_strength_is_not_enough() -> None:
    assert fallen(position("1 S m . . . ."), "SC1") == set()
    assert fallen(position("1 S m . . . ."), "MC1") == {"B1"}


def test_b04_captors_must_stand_directly_beside_the_target() -> None:
    assert fallen(position("1 S . s . . ."), "LD1") == set()
    assert fallen(position("1 S s s . . ."), "LD1") == set()


def test_b04_only_the_visible_pips_of_all_three_stacks_count() -> None:
    assert fallen(position("1 SM lm . . . ."), "LC1") == set()
    assert fallen(position("1 MS sml . . . ."), "SC1") == {"B1"}


def test_b05_only_the_top_pyramid_falls_and_its_pips_go_to_the_captor() -> None:
    state = play(position("1 L sm . . . ."), "LC1")
    assert standing(state) == {"A1": "L", "B1": "s", "C1": "L"}
    assert state.captured == ((0, 1, 0), (0, 0, 0))
    assert state.returns() == (2, 0)


def test_b06_the_square_just_played_captures_in_all_eight_directions_at_once() -> None:
    state = position(
        """
        1 M . M . M .
        2 . s s s . .
        3 M s . s M .
        4 . s s s . .
        5 M . M . M .
        """
    )
    everything = {"B2", "C2", "D2", "B3", "D3", "B4", "C4", "D4"}
    after = play(state, "SC3")
    assert {capture.square for capture in after.last_captures} == everything
    assert after.captured[0] == (8, 0, 0)


def test_b06_each_direction_is_judged_by_itself() -> None:
    state = position(
        """
        1 L . S . . .
        2 . m m . . .
        3 . . . . . .
        """
    )
    assert fallen(state, "SC3") == {"B2"}


def test_b06_captures_that_do_not_start_from_the_square_just_played_are_not_made() -> None:
    state = position(
        """
        1 S s S . . .
        2 . . . . . .
        """
    )
    assert fallen(state, "SF6") == set()
    assert fallen(state, "SC1") == {"B1"}


def test_b06_only_the_mover_captures_so_moving_between_two_enemies_is_safe_for_now() -> None:
    state = play(position("1 l . l . . ."), "SB1")
    assert state.last_captures == ()
    assert standing(state) == {"A1": "l", "B1": "S", "C1": "l"}
    assert fallen(state, "SC1") == {"B1"}


@pytest.mark.parametrize(
    ("turn", "places"),
    [
        ("NW90-S", {"A1": "C1", "C1": "C3", "C3": "A3", "A3": "A1", "B1": "C2", "C2": "B3", "B3": "A2", "A2": "B1"}),
        ("NW180-S", {"A1": "C3", "B1": "B3", "C1": "A3", "A2": "C2"}),
        ("NW270-S", {"A1": "A3", "A3": "C3", "C3": "C1", "C1": "A1", "B1": "A2", "A2": "B3"}),
        ("NE90-S", {"D1": "F1", "F1": "F3", "F3": "D3", "D3": "D1", "E1": "F2"}),
        ("SW90-S", {"A4": "C4", "C4": "C6", "C6": "A6", "A6": "A4", "B4": "C5"}),
        ("SE90-S", {"D4": "F4", "F4": "F6", "F6": "D6", "D6": "D4", "E4": "F5"}),
    ],
)
def test_b07_a_coaster_turns_clockwise_with_everything_on_it(turn: str, places: dict[str, str]) -> None:
    for origin, destination in places.items():
        row, column = int(origin[1]), "ABCDEF".index(origin[0])
        picture = f"{row} {'. ' * column}LM{' .' * (5 - column)}"
        state = play(position(picture), turn)
        assert standing(state) == {destination: "LM"}
        assert state.observation(None).turned == (turn[:2], int(turn[2:-2]))


def test_b07_the_centre_and_the_other_coasters_stay() -> None:
    picture = """
        2 . S . . M .
        5 . m . . s .
    """
    assert standing(play(position(picture), "NW90-S")) == {"B2": "S", "E2": "M", "B5": "m", "E5": "s"}


def test_b07_the_price_leaves_the_game_and_scores_for_nobody() -> None:
    state = play(position(), "SE270-M")
    assert state.trees[0] == (2, 1, 2, 0)
    assert state.paid == ((0, 1, 0), (0, 0, 0))
    assert state.returns() == (0, 0)


def test_b07_an_empty_coaster_may_turn_by_all_three_angles() -> None:
    rotations = {text for text in legal(position()) if "-" in text}
    assert rotations == {f"{c}{angle}-{size}" for c in COASTERS for angle in (90, 180, 270) for size in "SML"}


def test_b08_the_coaster_that_the_opponent_has_just_rotated_is_barred_and_only_that_one() -> None:
    state = play(position(), "NE90-S")
    assert {text[:2] for text in legal(state) if "-" in text} == {"NW", "SW", "SE"}
    assert (refusal(state, "NE90-S") or "").startswith("B8:")


def test_b08_after_another_turn_it_is_free_again() -> None:
    assert "NE90-S" in legal(play(position(), "NE90-S", "SA1"))
    assert "NE90-S" in legal(play(position(), "NE90-S", "SW90-S"))


LAST = (0, 0, 1, 4)
NONE = (0, 0, 0, 5)


@pytest.mark.parametrize("turn", ["LA1", "NE90-L"])
def test_b10_the_match_ends_with_the_last_pyramid_of_whoever_went_second(turn: str) -> None:
    state = play(position(to_move=1, trees=(LAST, (0, 0, 2, 3))), turn)
    assert state.current_player == 0
    state = play(state, "LB6")
    assert state.current_player == 1
    state = play(state, "LC6")
    assert state.current_player == TERMINAL
    assert state.trees == (NONE, NONE)


def test_b10_each_has_fifteen_turns() -> None:
    for first in (0, 1):
        state, rng = new_match(2, {}).apply_action(CHANCE, First(first)), random.Random(first)
        turns = []
        while not state.is_terminal:
            player = state.current_player
            if not state.observation(None).pending:
                turns.append(player)
            state = state.apply_action(player, rng.choice(state.legal_actions(player)))
        assert turns == [first, 1 - first] * 15


@pytest.mark.parametrize(
    ("captured", "winners"),
    [(((3, 0, 0), (0, 1, 0)), (0,)), (((0, 1, 0), (0, 0, 1)), (1,)), (((3, 0, 0), (0, 0, 1)), (0, 1))],
)
def test_b11_most_captured_pips_win_and_equal_is_a_draw(captured: object, winners: tuple[int, ...]) -> None:
    state = position(to_move=1, trees=(NONE, LAST), captured=captured)
    assert state.outcome() is None
    outcome = play(state, "LA1").outcome()
    assert outcome.winners == winners
    assert ("draw" in outcome.reason) == (len(winners) == 2)


# The test positions of the rules page.


def capturing(picture: str, square: str, to_move: int) -> dict[str, set[str]]:
    """What falls for each size that is placed on `square`."""
    return {size: fallen(position(picture, to_move=to_move), size + square) for size in "SML"}


def test_position_1_medium_or_large_captures_a_large_against_a_medium() -> None:
    picture = """
        1 . M . . . .
        2 . l . . . .
    """
    assert capturing(picture, "B3", 0) == {"S": set(), "M": {"B2"}, "L": {"B2"}}


def test_position_2_diagonals() -> None:
    picture = """
        1 m . s . . .
        2 . L . . . .
    """
    assert capturing(picture, "C3", 1) == {"S": set(), "M": {"B2"}, "L": {"B2"}}
    assert capturing(picture, "A3", 1) == {"S": set(), "M": set(), "L": {"B2"}}


def test_position_3_one_pyramid_captures_twice() -> None:
    picture = """
        1 l . . . . .
        2 S . . . . .
        3 . S l . . .
    """
    assert capturing(picture, "A3", 1) == {key: {"A2", "B3"} for key in "SML"}


def test_position_4_a_column_and_a_row() -> None:
    picture = """
        1 . M . . . .
        2 . l S . . .
    """
    assert capturing(picture, "B3", 0) == {"S": set(), "M": {"B2"}, "L": {"B2"}}
    assert capturing(picture, "A2", 0) == {"S": set(), "M": set(), "L": {"B2"}}


def test_position_5_only_the_top_of_a_stack_falls_and_the_rest_stays_until_black_adds_again() -> None:
    picture = """
        1 M . . . . .
        2 ms . . . . .
    """
    assert capturing(picture, "A3", 0) == {"S": set(), "M": {"A2"}, "L": {"A2"}}
    state = play(position(picture), "MA3")
    assert standing(state)["A2"] == "m"
    assert standing(play(state, "SF6"))["A2"] == "m"
    for adding in ("SA1", "SA3"):
        assert fallen(state, "SF6", adding) == {"A2"}
    assert fallen(state, "SF6", "SE6") == set()


@pytest.mark.parametrize("adding", ["A1", "C1"])
def test_position_6_moving_in_between_is_safe_until_red_adds(adding: str) -> None:
    picture = "1 m . s . . ."
    assert capturing(picture, "B1", 0) == {key: set() for key in "SML"}
    assert fallen(position(picture), "SB1", f"S{adding}") == {"B1"}
    assert fallen(position(picture), "MB1", f"S{adding}") == {"B1"}
