"""Saboteur rule by rule, S1-S13, with the test positions of the rules page beside their rule."""

from random import Random

import pytest

from games.core import CHANCE, HIDDEN, Played
from games.saboteur import GAME, SaboteurState
from games.saboteur.actions import Deal, Dig, Drop, Goals, Roles
from games.saboteur.board import fitting
from games.saboteur.components import ACTION_CARDS, DECK, PATH_CARDS
from games.saboteur.state import new_match
from tests.games.lines import legal, play, refusal
from tests.games.saboteur.positions import TUNNEL, position

PLAYERS = range(3, 11)


def begun(players: int, seed: int = 0) -> SaboteurState:
    """The first turn of a match."""
    state, rng = GAME.new_initial_state(players), Random(seed)
    while state.current_player == CHANCE:
        state = state.apply_action(CHANCE, state.sample_chance(rng))
    assert isinstance(state, SaboteurState)
    return state


def places(state: SaboteurState, piece: str) -> set[str]:
    """The places where the current player may lay `piece`."""
    return {text.removeprefix(f"{piece}@") for text in legal(state) if text.startswith(f"{piece}@")}


# S1


@pytest.mark.parametrize(
    ("players", "saboteurs", "diggers"),
    [(3, 1, 3), (4, 1, 4), (5, 2, 4), (6, 2, 5), (7, 3, 5), (8, 3, 6), (9, 3, 7), (10, 4, 7)],
)
def test_s01_deals_a_role_each_and_leaves_one_over(players: int, saboteurs: int, diggers: int) -> None:
    state = begun(players)
    assert len(state.roles) == players + 1
    assert (state.roles.count("S"), state.roles.count("D")) == (saboteurs, diggers)


def test_s01_three_or_four_players_may_be_gold_diggers_all() -> None:
    for players in (3, 4):
        state = GAME.new_initial_state(players)
        assert state.check_chance(Roles("D" * players + "S"))


@pytest.mark.parametrize("roles", ["DDDD", "DDSS", "DDS", "DDDSS", ""])
def test_s01_refuses_roles_that_are_not_in_the_box(roles: str) -> None:
    assert not GAME.new_initial_state(3).check_chance(Roles(roles))


def test_s01_everybody_knows_their_own_role_and_no_other() -> None:
    state = begun(5, seed=3)
    for seat in range(5):
        seen = state.observation(seat)
        assert seen.role == state.roles[seat]
        assert seen.roles == tuple(state.roles[seat] if other == seat else None for other in range(5))
        assert seen.left_over is None
    assert state.observation(None).roles == (None,) * 5


# S2


def test_s02_lays_the_finish_cards_eight_to_the_right() -> None:
    state = play(new_match(3, {}), "c roles DDD/S", "c goals NW,T,NE")
    assert [card.cell for card in state.observation(None).finish_cards] == [(8, 2), (8, 0), (8, -2)]
    assert state.observation(None).maze == {(0, 0): "NESW"}


@pytest.mark.parametrize("goals", [("NW", "NW", "T"), ("T", "NE"), ("NE", "NW", "T", "T")])
def test_s02_refuses_finish_cards_that_are_not_the_three(goals: tuple[str, ...]) -> None:
    assert not play(GAME.new_initial_state(3), "c roles DDD/S").check_chance(Goals(goals))


def test_s02_the_grid_has_no_border() -> None:
    state = position("EW EW EW EW EW EW EW EW EW EW EW *", "EW")
    assert "EW@-12,0" in legal(state)


# S3


@pytest.mark.parametrize("players", PLAYERS)
def test_s03_deals_six_five_or_four_cards_and_makes_the_rest_the_stock(players: int) -> None:
    state = begun(players)
    size = 6 if players <= 5 else 5 if players <= 7 else 4
    assert [len(hand) for hand in state.hands] == [size] * players
    assert tuple(sorted([*sum(state.hands, ()), *state.stock])) == DECK


def test_s03_there_are_forty_path_cards_and_twenty_seven_action_cards() -> None:
    assert sum(PATH_CARDS.values()) == 40
    assert sum(ACTION_CARDS.values()) == 27


def test_s03_draws_the_first_player_at_random() -> None:
    assert {begun(4, seed).starter for seed in range(40)} == {0, 1, 2, 3}


def test_s03_refuses_a_deal_that_could_not_have_been() -> None:
    state = play(new_match(3, {}), "c roles DDD/S", "c goals NW,T,NE")
    hands, stock = (DECK[:6], DECK[6:12], DECK[12:18]), DECK[18:]
    assert state.check_chance(Deal(hands, stock))
    assert not state.check_chance(Deal((DECK[:6][::-1], *hands[1:]), stock))
    assert not state.check_chance(Deal((DECK[:5], *hands[1:]), (*stock, DECK[5])))
    assert not state.check_chance(Deal(hands, stock[:-1]))
    assert not state.check_chance(Deal((*hands[:2], hands[1]), stock))
    assert not state.check_chance(Deal(hands[:2], (*stock, *hands[2])))


def test_s03_the_first_card_of_the_stock_is_drawn_first() -> None:
    state = play(position("*", "map n", "n map", stock="EW NS"), "0 drop n", "1 drop n")
    assert state.hands[:2] == (("EW", "map"), ("NS", "map"))


# S4


def test_s04_takes_everything_back_for_the_next_round_but_gold() -> None:
    state = play(position("* EW", "n", "", "", broken="P1", pile=("map",), roles="DDS/D"), "0 drop n")
    assert state.gold_of(2) == (1, 3)
    state = play(state, "c roles SDD/D", "c goals T,NE,NW")
    assert state.maze.cards == {(0, 0): "NESW"}
    assert state.broken == (0, 0, 0)
    assert state.gold_of(2) == (1, 3)
    assert len(state.gold_stock) == 26
    state = state.apply_action(CHANCE, state.sample_chance(Random(1)))
    assert tuple(sorted([*sum(state.hands, ()), *state.stock])) == DECK


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_s04_the_left_neighbour_of_whoever_took_the_last_turn_begins(turn: int) -> None:
    hands = ["n" if seat == turn else "" for seat in range(3)]
    state = play(position("*", *hands, turn=turn), f"{turn} drop n", "c roles SDD/D", "c goals T,NE,NW")
    state = state.apply_action(CHANCE, state.sample_chance(Random(1)))
    assert state.current_player == (turn + 1) % 3


def test_s04_taking_gold_is_no_turn() -> None:
    state = play(position(TUNNEL, "n", "EW", turn=1, roles="DDD/S"), "1 EW@7,0", "c gold 1,2,3")
    state = play(state, "1 take 3", "0 take 2", "2 take 1", "c roles SDD/D", "c goals T,NE,NW")
    state = state.apply_action(CHANCE, state.sample_chance(Random(1)))
    assert state.current_player == 2


# S5


def test_s05_a_turn_is_one_card_and_a_draw() -> None:
    state = play(position("*", "EW map", stock="NS NE"), "0 EW@1,0")
    assert state.hands[0] == ("NS", "map")
    assert state.observation(None).stock_size == 1
    assert state.current_player == 1


def test_s05_nobody_draws_from_an_empty_stock() -> None:
    state = play(position("*", "EW map"), "0 drop EW")
    assert state.hands[0] == ("map",)


def test_s05_whoever_has_cards_may_not_pass() -> None:
    assert refusal(position("*", "n"), "pass").startswith("S5: ")


def test_s05_without_cards_a_player_passes() -> None:
    state = position("*", "", "n")
    assert legal(state) == {"pass"}
    assert state.forced_action() is not None
    assert play(state, "0 pass").current_player == 1


def test_s05_only_held_cards_can_be_played_or_discarded() -> None:
    state = position("* EW", "map", broken="P1")
    for text in ("EW@2,0", "drop EW", "-P>2", "+P>1", "rock@1,0"):
        assert refusal(state, text).startswith("S5: You don't have the card ")


# S6


def test_s06_the_first_card_beside_the_start() -> None:
    state = position("*", "EW NS")
    assert "EW@1,0" in legal(state)
    assert refusal(state, "NS@1,0").startswith("S6: ")
    assert "NS@0,1" in legal(state)


def test_s06_a_card_may_be_turned_by_180_degrees_only() -> None:
    state = position("*", "NW")
    assert places(state, "NW") == {"0,-1", "1,0"}
    assert places(state, "ES") == {"-1,0", "0,1"}
    assert {text[:2] for text in legal(state) if "@" in text} == {"NW", "ES"}


def test_s06_every_side_beside_a_face_up_card_must_fit() -> None:
    state = position(
        """
        .   ES  SW
        *   NW  .
        """,
        "NS NW NESW",
    )
    assert places(state, "NS") >= {"2,0"}
    assert refusal(state, "NW@2,0").startswith("S6: An opening would meet a wall on the left")
    assert refusal(state, "NESW@2,0").startswith("S6: An opening would meet a wall on the left")
    assert refusal(position("* EW", "NS"), "NS@2,0").startswith("S6: A wall would meet an opening on the left")


def test_s06_a_place_with_a_card_is_not_empty() -> None:
    state = position("* EW", "EW")
    assert refusal(state, "EW@1,0").startswith("S6: ")
    assert refusal(state, "EW@0,0").startswith("S6: ")
    assert refusal(state, "EW@8,0") == "S6: There is a finish card there."


def test_s06_a_card_must_touch_a_face_up_card() -> None:
    state = position("*", "EW")
    assert refusal(state, "EW@5,5").startswith("S6: A path card must touch")
    assert refusal(state, "EW@7,0").startswith("S6: A path card must touch")


def test_s06_a_wall_may_stand_against_a_face_down_finish_card() -> None:
    state = position(TUNNEL, "NW")
    assert "NW@7,0" in legal(state)
    assert play(state, "0 NW@7,0").observation(None).finish_cards[1].card is None


def test_s06_a_turned_up_finish_card_must_be_fitted() -> None:
    stone_up = position(TUNNEL + " EW SW", "NS NESW EW")
    assert "NS@8,-1" in legal(stone_up)
    assert refusal(stone_up, "NESW@8,1").startswith("S6: An opening would meet a wall below")


# S7


def test_s07_a_card_that_only_fits_is_not_enough() -> None:
    state = position("* EW", "EW NW")
    assert refusal(state, "EW@1,1") == "S7: A new path card must continue a tunnel that runs back to the ladder."


def test_s07_nothing_can_be_built_behind_a_dead_end() -> None:
    assert refusal(position("* ew", "EW"), "EW@2,0").startswith("S7: ")


def test_s07_a_dead_end_goes_where_a_path_arrives() -> None:
    assert places(position("*", "ew"), "ew") == {"1,0", "-1,0"}


def test_s07_cards_cut_off_by_a_rock_fall_stay_but_cannot_be_built_on() -> None:
    state = play(position("* EW EW EW", "rock n", "EW NS"), "0 rock@2,0")
    assert state.observation(None).cut_off == {(3, 0)}
    assert refusal(state, "EW@4,0").startswith("S7: ")
    assert refusal(state, "NS@2,0").startswith("S6: ")
    assert "EW@2,0" in legal(state)


def test_s07_filling_the_gap_brings_the_far_part_back() -> None:
    state = play(position("* EW . EW", "EW n", "EW n"), "0 EW@2,0")
    assert state.observation(None).cut_off == set()
    assert "EW@4,0" in legal(state)


def test_s07_a_dead_end_at_the_end_of_a_path_is_not_cut_off() -> None:
    assert position("* ew").observation(None).cut_off == set()
    assert position("* . ew").observation(None).cut_off == {(2, 0)}


# S8


@pytest.mark.parametrize("tool", "PLW")
def test_s08_with_a_broken_tool_no_path_cards_can_be_laid(tool: str) -> None:
    state = position("* EW", "EW map rock -P +PL", broken=f"{tool}0")
    assert refusal(state, "EW@2,0").startswith("S8: ")
    assert not places(state, "EW")
    assert {"map@8,0", "rock@1,0", "-P>1", "drop EW"} <= legal(state)


def test_s08_other_people_s_broken_tools_do_not_matter() -> None:
    assert places(position("*", "EW", broken="P1 L2"), "EW") == {"1,0", "-1,0"}


# S9


def test_s09_a_tool_can_be_broken_for_anybody_once() -> None:
    state = position("*", "-P", broken="P1 L0")
    assert legal(state) == {"-P>0", "-P>2", "drop -P"}
    assert refusal(state, "-P>1").startswith("S9: ")
    assert refusal(state, "-P>3").startswith("S9: ")


def test_s09_three_different_tools_may_be_broken() -> None:
    state = play(position("*", "-P n", "-L n", "-W n"), "0 -P>1", "1 -L>1", "2 -W>1")
    assert state.observation(None).broken == ("", "PLW", "")


# S10


def test_s10_mends_a_matching_tool_of_anybody() -> None:
    state = position("*", "+L n", broken="L0 L2 P1")
    assert {text for text in legal(state) if text[0] == "+"} == {"+L>0", "+L>2"}
    assert play(state, "0 +L>2").observation(None).broken == ("L", "P", "")
    assert refusal(state, "+L>1").startswith("S10: ")
    assert refusal(state, "+L>7").startswith("S10: ")


def test_s10_a_double_card_mends_one_of_two() -> None:
    state = position("*", "+LW n", broken="L1 W1 P1")
    assert {text for text in legal(state) if text[0] == "+"} == {"+LW>1:L", "+LW>1:W"}
    assert play(state, "0 +LW>1:W").observation(None).broken == ("", "PL", "")
    assert refusal(position("*", "+LW"), "+LW>1:W").startswith("S10: ")


def test_s10_both_cards_go_to_the_pile() -> None:
    assert play(position("*", "+LW n", broken="L1"), "0 +LW>1:L").pile == ("+LW", "-L")


# S11


def test_s11_removes_any_path_card_but_start_and_finish() -> None:
    state = position(TUNNEL + " ew", "rock n")
    assert {text for text in legal(state) if text[0] == "r"} == {f"rock@{x},0" for x in range(1, 8)}
    assert refusal(state, "rock@0,0").startswith("S11: ")
    assert refusal(state, "rock@8,0").startswith("S11: ")
    assert refusal(state, "rock@4,4").startswith("S11: ")


def test_s11_a_turned_up_finish_card_stays_too() -> None:
    assert refusal(position(TUNNEL + " EW SW", "rock"), "rock@8,0").startswith("S11: ")


def test_s11_the_place_becomes_empty_again_and_what_lay_there_is_told() -> None:
    state = play(position("* EW SW", "rock n", "EW n"), "0 rock@2,0")
    assert (2, 0) not in state.maze.cards
    assert state.observation(None).removed == "SW"
    assert state.pile == ("rock", "NE")
    assert "EW@2,0" in legal(state)


# S12


def test_s12_the_player_alone_learns_what_a_finish_card_is() -> None:
    state = play(position("*", "map n"), "0 map@8,0")
    assert [card.kind for card in state.observation(0).finish_cards] == [None, "T", None]
    for viewer in (1, 2, None):
        assert [card.kind for card in state.observation(viewer).finish_cards] == [None, None, None]
        assert [card.seen_by for card in state.observation(viewer).finish_cards] == [(), (0,), ()]


def test_s12_a_finish_card_may_be_looked_at_again_but_not_when_it_is_turned_up() -> None:
    state = position(TUNNEL + " EW SW", "map n", "map n")
    assert {text for text in legal(state) if text[0] == "m"} == {"map@8,2", "map@8,-2"}
    assert refusal(state, "map@8,0").startswith("S12: ")
    assert refusal(state, "map@1,0").startswith("S12: ")
    state = play(position("*", "map map n"), "0 map@8,2", "1 drop n", "2 drop n")
    assert "map@8,2" in legal(state)


# S13


def test_s13_a_discard_is_secret_until_the_match_is_over() -> None:
    state = play(position("*", "EW n"), "0 drop EW")
    assert state.observation(1).last == Played(0, Drop(HIDDEN))
    assert state.observation(None).last == Played(0, Drop(HIDDEN))
    assert state.observation(0).last == Played(0, Drop("EW"))
    assert (state.observation(0).discards, state.observation(1).discards) == (("EW",), ())


def test_s13_a_played_card_is_public() -> None:
    state = play(position("*", "EW n"), "0 EW@1,0")
    assert state.observation(None).last == Played(0, Dig("EW", (1, 0)))


def test_s13_discards_are_named_as_in_the_table() -> None:
    assert legal(position("*", "NE")) >= {"drop NE"}
    assert "drop SW" not in legal(position("*", "NE"))


def test_a_finish_card_that_is_face_down_asks_nothing_of_its_neighbours() -> None:
    assert fitting(position(TUNNEL).maze.cards, (8, 1)) == fitting({}, (8, 1))
