"""Gambo rule by rule (G1-G13), then the test positions of the rules page."""

import random

import pytest

from games import GAMES
from games.core import CHANCE, TERMINAL
from games.gambo.actions import Deal
from games.gambo.components import PIECES, result
from games.gambo.state import GamboState
from tests.games.gambo.positions import legal, play, position, refusal

FULL = """
north       E1    E2    E3    C1    C2    C3    M1    M2    M3
corridor .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. ..
south    M3    M2    M1    C3    C2    C1    E3    E2    E1
"""

FACING = """
north       E1    E2    E3    C1    ..    ..    M1    M2    M3
corridor .. .. .. .. .. .. .. .. C2 C2 .. C3 .. .. .. .. .. ..
south    M3    M2    M1    C3    ..    C1    E3    E2    E1
"""

SACRIFICE = """
north       E1    C2    E3    C1    ..    C3    M1    M2    M3
corridor .. .. .. .. .. .. .. .. C2 E2 .. .. .. .. .. .. .. ..
south    M3    M2    M1    C3    ..    C1    E3    E2    E1
"""

LAST_DUEL = """
north       ..    ..    ..    ..    ..    ..    ..    ..    ..
corridor .. .. .. .. .. .. C2 .. .. M3 .. .. .. .. .. .. .. ..
south    ..    ..    ..    ..    ..    ..    ..    ..    ..
"""

ONE_SIDE_OUT = """
north       E1    E2    E3    C1    C2    C3    M1    M2    M3
corridor M3 .. M2 .. M1 .. C3 .. C2 .. C1 .. E3 .. E2 .. E1 ..
south    ..    ..    ..    ..    ..    ..    ..    ..    ..
"""


def dealt(seed: int = 1) -> GamboState:
    state = GAMES["gambo"].new_initial_state(2)
    assert isinstance(state, GamboState)
    return state.apply_action(CHANCE, state.sample_chance(random.Random(seed)))


def test_g01_each_row_is_one_full_set_in_an_order_of_its_own() -> None:
    shown = dealt().observation(None)
    assert sorted(shown.north) == sorted(shown.south) == sorted(PIECES)
    assert shown.north != shown.south
    assert dealt(2).observation(None).north != shown.north


def test_g01_a_deal_that_is_not_two_full_sets_could_not_have_been_drawn() -> None:
    state = GAMES["gambo"].new_initial_state(2)
    doubled = ("E1", "E1", *PIECES[2:])
    assert state.check_chance(Deal(PIECES, PIECES))
    assert not state.check_chance(Deal(doubled, PIECES))
    assert not state.check_chance(Deal(PIECES, doubled))
    assert not state.check_chance(Deal(PIECES, PIECES[1:]))


@pytest.mark.parametrize(("side", "other"), [("north", "south"), ("south", "north")])
def test_g01_player_0_chooses_a_side_and_player_1_has_the_other_and_the_first_move(side: str, other: str) -> None:
    state = dealt()
    assert (state.current_player, legal(state)) == (0, ["side north", "side south"])
    before = state.observation(None)
    state = play(state, f"0 side {side}")
    after = state.observation(None)
    assert after.sides == (side, other)
    assert state.current_player == 1
    assert (after.north, after.south) == (before.north, before.south)


def test_g02_a_turn_is_an_advance_a_duel_or_a_swap() -> None:
    kinds = {text.split()[0] for text in legal(position(FACING))}
    assert kinds == {"adv", "duel", "swap"}


def test_g02_whoever_has_no_legal_action_passes_and_nobody_else_may() -> None:
    stuck = position(ONE_SIDE_OUT, last=(1, "swap E1 E2"))
    assert legal(stuck) == ["pass"]
    assert "pass" not in legal(position(ONE_SIDE_OUT))
    assert (refusal(position(ONE_SIDE_OUT), "pass") or "").startswith("G2:")


def test_g03_an_advance_ends_on_the_corridor_square_in_front_of_the_starting_square() -> None:
    fronts = {}
    for side, player in (("south", 0), ("north", 1)):
        state = position(FULL, to_move=player)
        row = getattr(state.observation(None), side)
        for number, piece in enumerate(row, start=1):
            corridor = play(state, f"{player} adv {piece}").observation(None).corridor
            (square,) = (square for square, standing in enumerate(corridor, start=1) if standing)
            assert corridor[square - 1] == piece
            fronts[f"{side[0]}{number}"] = square
    assert fronts == {f"s{i}": 2 * i - 1 for i in range(1, 10)} | {f"n{i}": 2 * i for i in range(1, 10)}


def test_g03_the_starting_square_is_empty_afterwards() -> None:
    shown = play(position(FULL), "0 adv C2").observation(None)
    assert shown.south[4] == ""
    assert [(moved.piece, moved.origin, moved.destination) for moved in shown.moved] == [("C2", "s5", "9")]


def test_g04_a_piece_in_the_corridor_can_go_back_only_by_a_swap() -> None:
    state = position(FACING)
    assert not [text for text in legal(state) if text == "adv C2"]
    shown = play(state, "0 swap E1 C2").observation(None)
    assert (shown.south[8], shown.corridor[8]) == ("C2", "E1")


def test_g05_a_piece_attacks_along_empty_squares_only_whatever_the_distance() -> None:
    state = position(
        """
        north       ..    E2    ..    C1    C2    C3    M1    M2    M3
        corridor .. E1 .. .. .. E3 .. .. .. .. .. .. .. .. .. .. E1 ..
        south    M3    M2    M1    C3    C2    C1    E3    E2    ..
        """
    )
    assert [text for text in legal(state) if text.startswith("duel")] == ["duel E1xE3"]
    assert (refusal(state, "duel E1xE1") or "").startswith("G5:")
    assert "Elephant 3" in (refusal(state, "duel E1xE1") or "")


def test_g05_an_own_piece_in_between_blocks_too() -> None:
    state = position(
        """
        north       ..    E2    E3    C1    C2    C3    M1    M2    M3
        corridor .. E1 M2 .. M1 .. .. .. .. .. .. .. .. .. .. .. .. ..
        south    M3    ..    ..    C3    C2    C1    E3    E2    E1
        """
    )
    assert [text for text in legal(state) if text.startswith("duel")] == ["duel M2xE1"]
    assert "Mouse 2" in (refusal(state, "duel M1xE1") or "")


def test_g05_pieces_on_starting_squares_neither_attack_nor_are_attacked() -> None:
    state = position(FACING)
    assert (refusal(state, "duel E1xC2") or "").startswith("G5:")
    assert (refusal(state, "duel C2xE1") or "").startswith("G5:")


@pytest.mark.parametrize(
    ("attacker", "target", "attacker_wins"),
    [
        ("E1", "C3", True),
        ("C3", "E1", False),
        ("C1", "M3", True),
        ("M3", "C1", False),
        ("M1", "E3", True),
        ("E3", "M1", False),
        ("M3", "M2", True),
        ("M2", "M3", False),
        ("C2", "C2", True),
    ],
)
def test_g06_kind_decides_then_strength_then_the_attack(attacker: str, target: str, attacker_wins: bool) -> None:
    assert result(attacker, target)[0] is attacker_wins


def test_g06_every_kind_beats_one_other_and_loses_to_the_third_whatever_the_strengths() -> None:
    beaten = {(one[0], other[0]) for one in PIECES for other in PIECES if one[0] != other[0] and result(one, other)[0]}
    assert beaten == {("E", "C"), ("C", "M"), ("M", "E")}


def test_g06_an_attack_that_loses_is_allowed() -> None:
    assert "duel C2xE2" in legal(position(SACRIFICE))


def test_g07_both_pieces_leave_and_the_winner_scores_the_product_even_when_attacked() -> None:
    state = play(position(SACRIFICE), "0 duel C2xE2")
    shown = state.observation(None)
    assert shown.scores == (0, 4)
    assert shown.corridor[8:10] == ("", "")
    assert [(fought.attacker, fought.target, fought.winner, fought.points) for fought in shown.duels] == [
        ("C2", "E2", 1, 4)
    ]
    assert [(moved.player, moved.piece, moved.origin, moved.destination) for moved in shown.moved] == [
        (0, "C2", "9", None),
        (1, "E2", "10", None),
    ]


@pytest.mark.parametrize("scores", [(0, 0), (5, 0), (0, 5)])
def test_g08_after_an_advance_a_swap_or_a_pass_the_opponent_plays_whatever_the_scores(scores: tuple[int, int]) -> None:
    assert play(position(FULL, scores=scores), "0 adv E1").current_player == 1
    assert play(position(FULL, scores=scores), "0 swap E1 E2").current_player == 1
    stuck = position(ONE_SIDE_OUT, scores=scores, last=(1, "swap E1 E2"))
    assert play(stuck, "0 pass").current_player == 1


@pytest.mark.parametrize(("scores", "following"), [((0, 0), 1), ((0, 5), 0), ((0, 4), 0), ((9, 0), 1), ((0, 3), 1)])
def test_g08_after_a_duel_the_lower_total_plays_and_on_equal_totals_the_attacker_again(
    scores: tuple[int, int], following: int
) -> None:
    state = play(position(FACING, scores=scores), "0 duel C2xC2")
    assert state.scores == (scores[0] + 4, scores[1])
    assert state.current_player == following


def test_g08_after_the_ninth_duel_nobody_plays() -> None:
    state = play(position(LAST_DUEL, scores=(0, 50)), "0 duel C2xM3")
    assert state.current_player == TERMINAL
    assert [state.legal_actions(player) for player in (0, 1)] == [(), ()]


@pytest.mark.parametrize(
    ("swap", "squares"),
    [
        ("swap E1 E2", {"s8": "E1", "s9": "E2"}),
        ("swap E1 C2", {"s9": "C2", "9": "E1"}),
        ("swap C2 C3", {"9": "C3", "7": "C2"}),
    ],
)
def test_g09_a_swap_is_between_any_two_places(swap: str, squares: dict[str, str]) -> None:
    state = position(
        """
        north       E1    E2    E3    C1    C2    C3    M1    M2    M3
        corridor .. .. .. .. .. .. C3 .. C2 .. .. .. .. .. .. .. .. ..
        south    M3    M2    M1    ..    ..    C1    E3    E2    E1
        """
    )
    shown = play(state, f"0 {swap}").observation(None)
    standing = {f"s{i}": piece for i, piece in enumerate(shown.south, start=1)}
    standing |= {str(i): piece for i, piece in enumerate(shown.corridor, start=1)}
    assert {square: standing[square] for square in squares} == squares
    assert {(moved.piece, moved.destination) for moved in shown.moved} == {(piece, at) for at, piece in squares.items()}
    assert {moved.origin for moved in shown.moved} == set(squares)


def test_g09_a_swap_is_written_once_and_needs_two_pieces() -> None:
    swaps = [text for text in legal(position(FULL)) if text.startswith("swap")]
    assert len(swaps) == 36
    assert "swap E1 C1" in swaps
    assert "swap C1 E1" not in swaps
    assert not [text for text in legal(position(LAST_DUEL)) if text.startswith("swap")]


def test_g10_no_swap_right_after_a_swap() -> None:
    state = play(position(FULL), "0 swap E1 E2")
    assert not [text for text in legal(state) if text.startswith("swap")]
    assert (refusal(state, "swap E1 E2") or "").startswith("G10:")
    assert state.observation(None).swap_bars == ("G10", "G10")


def test_g10_a_forced_pass_in_between_lifts_it() -> None:
    state = play(position(ONE_SIDE_OUT, to_move=1), "1 swap E1 E2", "0 pass")
    assert "swap E1 E2" in legal(state)


def test_g10_an_own_duel_in_between_lifts_it() -> None:
    state = play(position(FACING, to_move=1, scores=(0, 9)), "1 swap M1 M2", "0 duel C2xC2")
    assert state.current_player == 0
    assert "swap E1 E2" in legal(state)


def test_g11_after_three_own_swaps_in_a_row_the_next_own_action_is_no_swap() -> None:
    state = position(FULL)
    for piece in ("E1", "E2", "E3"):
        state = play(state, "0 swap E1 E2", f"1 adv {piece}")
    assert not [text for text in legal(state) if text.startswith("swap")]
    assert (refusal(state, "swap E1 E2") or "").startswith("G11:")
    assert state.observation(None).swap_bars == ("G11", None)


@pytest.mark.parametrize(
    ("state", "lines"),
    [
        (position(FACING, swaps_in_a_row=(3, 0)), ["0 adv E1", "1 adv E1"]),
        (position(FACING, swaps_in_a_row=(3, 0), scores=(0, 9)), ["0 duel C2xC2"]),
        (position(ONE_SIDE_OUT, swaps_in_a_row=(3, 0)), ["0 pass", "1 adv E1", "0 duel M3xE1", "1 adv E2"]),
    ],
    ids=["advance", "duel", "pass"],
)
def test_g11_an_own_advance_duel_or_pass_resets_the_count(state: GamboState, lines: list[str]) -> None:
    assert not [text for text in legal(state) if text.startswith("swap")]
    state = play(state, *lines)
    assert state.current_player == 0
    assert [text for text in legal(state) if text.startswith("swap")]


@pytest.mark.parametrize(("attacks", "scores"), [("0 duel C2xM3", (6 + 4, 0)), ("1 duel M3xC2", (6 + 4, 0))])
def test_g12_the_ninth_duel_ends_the_game_and_gives_its_winner_four_more(attacks: str, scores: tuple[int, int]) -> None:
    state = play(position(LAST_DUEL, to_move=int(attacks[0])), attacks)
    assert state.is_terminal
    assert state.returns() == scores
    assert state.duels[-1].points == 6


def test_g12_earlier_duels_give_no_bonus() -> None:
    assert play(position(FACING), "0 duel C2xC2").returns() == (4, 0)


@pytest.mark.parametrize(("before", "winner"), [((0, 9), 0), ((0, 11), 1), ((11, 0), 0)])
def test_g13_the_higher_total_wins_bonus_included(before: tuple[int, int], winner: int) -> None:
    outcome = play(position(LAST_DUEL, scores=before), "0 duel C2xM3").outcome()
    assert outcome.winners == (winner,)
    assert outcome.reason.startswith(f"{before[winner] + 10 * (winner == 0)} : ")


@pytest.mark.parametrize(("attack", "winner"), [("0 duel C2xM3", 0), ("1 duel M3xC2", 0)])
def test_g13_on_equal_totals_the_winner_of_the_last_duel_wins(attack: str, winner: int) -> None:
    state = play(position(LAST_DUEL, to_move=int(attack[0]), scores=(0, 10)), attack)
    assert state.returns() == (10, 10)
    outcome = state.outcome()
    assert outcome.winners == (winner,)
    assert outcome.reason == "10 : 10, and the last duel decides."


def test_nobody_has_won_before_the_ninth_duel() -> None:
    assert position(LAST_DUEL, scores=(99, 0)).outcome() is None


# The test positions of the rules page.


@pytest.mark.parametrize(("attacker", "target", "points"), [("E1", "C2", 2), ("M3", "E3", 9), ("C2", "C2", 4)], ids=str)
def test_position_points_of_a_duel(attacker: str, target: str, points: int) -> None:
    state = position(
        f"""
        north       ..    ..    ..    ..    ..    ..    ..    ..    E2
        corridor .. .. .. .. {attacker} .. .. .. .. {target} .. .. .. .. .. .. .. ..
        south    ..    ..    ..    ..    ..    ..    ..    ..    E2
        """
    )
    assert play(state, f"0 duel {attacker}x{target}").scores == (points, 0)


def test_position_a_sacrifice_at_0_0_keeps_the_turn() -> None:
    state = position(
        """
        north       E1    E2    E3    C1    C2    ..    M1    M2    M3
        corridor .. .. .. .. M1 .. .. .. .. .. .. C3 .. .. .. .. .. ..
        south    M3    M2    ..    C3    C2    C1    E3    E2    E1
        """
    )
    state = play(state, "0 duel M1xC3")
    assert state.scores == (0, 3)
    assert state.current_player == 0


def test_position_nine_in_the_corridor_against_none_may_swap_or_else_pass() -> None:
    free = legal(position(ONE_SIDE_OUT))
    assert len(free) == 36
    assert all(text.startswith("swap") for text in free)
    assert legal(position(ONE_SIDE_OUT, last=(1, "swap E1 E2"))) == ["pass"]
    assert legal(position(ONE_SIDE_OUT, swaps_in_a_row=(3, 0))) == ["pass"]
    answer = legal(play(position(ONE_SIDE_OUT), "0 swap E1 E2"))
    assert len(answer) == 9
    assert all(text.startswith("adv") for text in answer)


def test_position_after_three_swaps_answered_by_passes_the_swapper_must_advance() -> None:
    state = position(ONE_SIDE_OUT, to_move=1)
    for _ in range(3):
        state = play(state, "1 swap E1 E2", "0 pass")
    assert len(legal(state)) == 9
    assert all(text.startswith("adv") for text in legal(state))
