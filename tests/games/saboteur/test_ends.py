"""Saboteur rule by rule, S14-S21: finish cards, ends of rounds, gold."""

from random import Random

import pytest

from games.core import CHANCE, TERMINAL, Stage
from games.saboteur import SaboteurState
from games.saboteur.actions import HIDDEN_GOLD, Drop, Gold, Take
from games.saboteur.components import ROLE_NAMES
from games.saboteur.gold import GOLD, Round, pay_saboteurs, payment
from tests.conformance.matches import GOLDEN_LOGS, recorded
from tests.games.lines import legal, play, refusal
from tests.games.saboteur.positions import TUNNEL, face_up, position

GALLERY = """
.  ES  EW  EW  EW  EW  EW  EW
*  NW  .   .   .   .   .   .
"""
"""A tunnel one row above the middle finish card: its end opens into 8,1."""

LOST_TWICE = (Round("S", "DDDS", paid=((), (), ())),) * 2
"""Two rounds without a saboteur: nobody has got anything."""


# S14


@pytest.mark.parametrize(("goals", "lies"), [("T,NW,NE", "NW"), ("T,NE,NW", "SW")])
def test_s14_a_stone_is_turned_so_that_its_curve_meets_the_path(goals: str, lies: str) -> None:
    state = play(position(TUNNEL, "EW n", goals=goals), "0 EW@7,0")
    assert face_up(state) == {(8, 0): lies}
    assert state.observation(None).turned_up == ((8, 0),)
    assert state.observation(None).phase == "dig"


@pytest.mark.parametrize("stone", ["NW", "NE"])
def test_s14_from_above_a_stone_opens_upwards(stone: str) -> None:
    goals = f"T,{stone},{'NW' if stone == 'NE' else 'NE'}"
    state = play(position(GALLERY, "NE n", goals=goals), "0 SW@8,1")
    assert face_up(state) == {(8, 0): stone}


def test_s14_a_dead_end_does_not_reveal_a_finish_card() -> None:
    state = play(position(TUNNEL, "ew n", "EW n"), "0 ew@7,0")
    assert face_up(state) == {}
    assert refusal(state, "EW@8,1").startswith(("S6: ", "S7: "))


def test_s14_one_card_can_reach_two_finish_cards() -> None:
    state = play(position(GALLERY, "NES n", goals="NE,NW,T"), "0 NSW@8,1")
    assert face_up(state) == {(8, 2): "SW", (8, 0): "NW"}
    assert state.observation(None).turned_up == ((8, 2), (8, 0))


def test_s14_a_path_may_go_on_through_a_turned_up_stone() -> None:
    state = play(position(TUNNEL, "EW n", "NS n", goals="T,NW,NE"), "0 EW@7,0")
    assert "NS@8,1" in legal(state)
    assert face_up(play(state, "1 NS@8,1")) == {(8, 2): "NESW", (8, 0): "NW"}


def test_s14_looks_again_when_a_stone_leads_to_another_finish_card() -> None:
    bridge = "\n".join((". . . . . . . . NS", f"{TUNNEL} . ."))
    state = play(position(bridge, "EW n", goals="NE,NW,T"), "0 EW@7,0")
    assert state.observation(None).turned_up == ((8, 0), (8, 2))
    assert face_up(state) == {(8, 0): "NW", (8, 2): "SW"}


def test_s14_does_not_look_again_once_the_treasure_is_up() -> None:
    bridge = "\n".join((". . . . . . . . NS", f"{TUNNEL} . ."))
    state = play(position(bridge, "EW n"), "0 EW@7,0")
    assert face_up(state) == {(8, 0): "NESW"}


def test_s14_a_stone_may_misfit_its_other_neighbours() -> None:
    walled = "\n".join((". . . . . . . . EW", f"{TUNNEL} . ."))
    state = play(position(walled, "EW n", goals="T,NW,NE"), "0 EW@7,0")
    assert face_up(state) == {(8, 0): "NW"}
    assert state.observation(None).cut_off == {(8, 1)}


def test_s14_a_stone_reached_from_several_sides_turns_to_the_card_just_played() -> None:
    ring = "\n".join((". . . . . . . ES SW", f"{TUNNEL} . ."))
    from_left = play(position(ring, "NES NEW n", goals="T,NE,NW"), "0 NEW@7,0")
    assert face_up(from_left) == {(8, 0): "SW"}


def test_s14_else_it_turns_to_the_first_side_reached_in_the_order_of_the_compass() -> None:
    ring = "\n".join((". . . . . . . ES SW", "*  . EW EW EW EW EW NEW .", ". . . . . . . . ."))
    state = play(position(ring, "EW n", goals="T,NE,NW"), "0 EW@1,0")
    assert face_up(state) == {(8, 0): "NE"}


def test_s14_filling_a_gap_turns_up_what_is_reached_wherever_it_lies() -> None:
    state = play(position("* . EW EW EW EW EW EW .", "EW n", goals="T,NW,NE"), "0 EW@1,0")
    assert face_up(state) == {(8, 0): "NW"}


# S15


def test_s15_the_treasure_ends_the_round_at_once_and_no_card_is_drawn() -> None:
    state = play(position(TUNNEL, "EW n", stock="NS NE"), "0 EW@7,0")
    assert state.current_player == CHANCE
    assert state.hands[0] == ("n",)
    assert state.observation(None).stock_size == 2
    result = state.observation(None).results[-1]
    assert (result.winners, result.reached_by, result.pay) == ("D", 0, 0)


def test_s15_the_very_last_card_can_reach_the_treasure() -> None:
    state = play(position(TUNNEL, "EW", "", ""), "0 EW@7,0")
    assert state.observation(None).results[-1].winners == "D"


def test_s15_whoever_played_the_card_reached_it_however_far_away() -> None:
    state = play(position("* . EW EW EW EW EW EW", "n", "n", "EW", turn=2), "2 EW@1,0")
    assert state.observation(None).results[-1].reached_by == 2


# S16


def test_s16_the_round_is_lost_when_the_last_card_is_gone() -> None:
    state = play(position("*", "n", "EW", ""), "0 drop n")
    assert state.observation(None).results == ()
    state = play(state, "1 EW@1,0")
    assert state.observation(None).results[-1].winners == "S"
    assert state.observation(None).results[-1].reached_by is None


def test_s16_while_the_stock_lasts_the_round_goes_on() -> None:
    assert play(position("*", "n", "", "", stock="EW"), "0 drop n").observation(None).results == ()


# S17


# FOUND V8
def test_s17_all_roles_and_finish_cards_are_shown() -> None:
    state = play(position("* EW", "n", "", "", roles="DSD/D"), "0 drop n")
    seen = state.observation(None)
    assert (seen.roles, seen.left_over) == (("D", "S", "D"), "D")
    assert (seen.results[-1].roles, seen.results[-1].left_over) == (("D", "S", "D"), "D")
    assert tuple(card.kind for card in seen.finish_cards) == state.goals
    assert [card.card for card in seen.finish_cards] == [None] * 3, "the path didn't reach them"


def test_s17_what_a_map_has_told_is_shown_to_everybody_after_the_round_and_forgotten_in_the_next() -> None:
    state = play(position("*", "map", "n", ""), "0 map@8,0")
    assert [state.observation(seat).finish_cards[1].kind for seat in range(3)] == ["T", None, None]
    state = play(state, "1 drop n")
    assert [state.observation(seat).finish_cards[1].kind for seat in range(3)] == ["T", "T", "T"]
    assert [card.seen_by for card in state.observation(None).finish_cards] == [()] * 3
    state = play(state, "c roles DDS/D")
    assert not state.observation(0).finish_cards
    state = play(state, "c goals T,NE,NW")
    assert [card.kind for seat in range(3) for card in state.observation(seat).finish_cards] == [None] * 9


def test_s17_the_old_table_stays_until_roles_are_dealt_again() -> None:
    state = play(position("* EW", "n", "", "", broken="P1"), "0 drop n")
    assert state.observation(None).maze == {(0, 0): "NESW", (1, 0): "EW"}
    assert state.observation(None).broken == ("", "P", "")
    assert state.observation(None).round_number == 1
    state = play(state, "c roles DDS/D")
    assert state.observation(None).maze == {(0, 0): "NESW"}
    assert state.observation(None).round_number == 2
    assert state.observation(None).roles == (None,) * 3
    assert state.observation(None).last is None


# S18


def reached(seat: int, roles: str) -> SaboteurState:
    """A win of the diggers by a card of `seat`."""
    hands = ["EW" if each == seat else "n" for each in range(len(roles) - 2)]
    return play(position(TUNNEL, *hands, turn=seat, roles=roles), f"{seat} EW@7,0")


@pytest.mark.parametrize(("roles", "cards"), [("DDS/D", 3), ("DDDSDDSSD/D", 9), ("DDDSDDSSDS/D", 9)])
def test_s18_as_many_gold_cards_as_players_but_nine_for_ten(roles: str, cards: int) -> None:
    state = reached(0, roles)
    draw = state.sample_chance(Random(1))
    assert len(draw.cards) == cards
    assert not state.check_chance(Gold((*draw.cards, 3)))
    assert not state.check_chance(Gold(draw.cards[1:]))


def test_s18_refuses_gold_that_is_not_there() -> None:
    state = reached(0, "DDDDD/S").evolve(gold_stock=(1, 1, 1, 2, 2, 3))
    assert state.check_chance(Gold((1, 1, 2, 2, 3)))
    assert not state.check_chance(Gold((1, 1, 2, 3, 3)))
    assert not state.check_chance(Gold((1, 2, 1, 2, 3)))


def test_s18_gold_goes_round_against_the_turns_from_digger_to_digger() -> None:
    state = play(reached(1, "DDSDD/S"), "c gold 1,1,2,2,3")
    takers = []
    while state.due == "take":
        takers.append(state.current_player)
        state = state.apply_action(state.current_player, state.legal_actions(state.current_player)[-1])
    assert takers == [1, 0, 4, 3, 1]
    assert [state.gold_of(seat) for seat in range(5)] == [(2,), (1, 3), (), (1,), (2,)]


def test_s18_a_saboteur_who_reached_it_gets_nothing_and_the_next_digger_begins() -> None:
    state = play(reached(2, "DDSDD/S"), "c gold 1,1,2,2,3")
    assert state.current_player == 1
    assert state.observation(2).offered == ()


def test_s18_the_last_card_is_forced_and_gold_is_one_series() -> None:
    state = play(reached(0, "DDS/D"), "c gold 1,1,2")
    assert state.stage is Stage.SERIES
    assert legal(state) == {"take 1", "take 2"}
    assert (state.forced_action(), state.default_action()) == (None, state.string_to_action(0, "take 2"))
    state = play(state, "0 take 1")
    assert refusal(state, "take 3").startswith("S18: ")
    assert refusal(state, "drop n").startswith("S18: ")
    state = play(state, "1 take 2")
    assert state.forced_action() == state.string_to_action(0, "take 1")
    assert play(state, "0 take 1").current_player == CHANCE


def test_s18_there_is_nothing_to_take_during_a_round() -> None:
    assert refusal(position(), "take 1").startswith("S18: ")


# S19


@pytest.mark.parametrize(
    ("roles", "gold"),
    [
        ("DSD/D", [(), (1, 3), ()]),
        ("DSSDD/D", [(), (3,), (3,), (), ()]),
        ("SSSDDDD/D", [(3,), (3,), (3,), (), (), (), ()]),
        ("SSSSDDDDDD/D", [(2,), (2,), (2,), (2,), (), (), (), (), (), ()]),
    ],
)
def test_s19_saboteurs_get_four_three_or_two_nuggets(roles: str, gold: list[tuple[int, ...]]) -> None:
    hands = ["n", *[""] * (len(roles) - 3)]
    state = play(position("*", *hands, roles=roles), "0 drop n")
    assert [state.gold_of(seat) for seat in range(len(gold))] == gold
    assert sorted([*state.gold_stock, *sum(gold, ())]) == list(GOLD)
    assert state.observation(None).gold_counts == tuple(map(len, gold))
    assert state.observation(None).results[-1].gold_cards == tuple(map(len, gold))


def test_s19_four_players_none_of_them_a_saboteur_get_nothing() -> None:
    state = play(position("*", "n", "", "", "", roles="DDDD/S"), "0 drop n")
    assert state.observation(None).gold_counts == (0, 0, 0, 0)
    assert state.observation(None).results[-1].pay == 0


def test_s19_nine_players_with_eight_twos_and_two_threes_left() -> None:
    paid, left = pay_saboteurs((2,) * 8 + (3,) * 2, "DSDSDDSDD" + "D")
    assert [paid[seat] for seat in (1, 3, 6)] == [(3,), (3,), (2,)]
    assert left == (2,) * 7


@pytest.mark.parametrize(
    ("stock", "owed", "cards"),
    [
        ((1, 2, 2, 3), 4, (1, 3)),
        ((1, 2, 2), 4, (2, 2)),
        ((1, 1, 2), 4, (1, 1, 2)),
        ((3, 3), 4, (3,)),
        ((2, 3), 4, (3,)),
        ((1, 1, 1), 3, (1, 1, 1)),
        ((1, 2, 3), 3, (3,)),
        ((1, 1, 3), 2, (1, 1)),
        ((3, 3), 2, ()),
        ((), 4, ()),
    ],
)
def test_s19_most_worth_then_fewest_cards_then_the_highest(
    stock: tuple[int, ...], owed: int, cards: tuple[int, ...]
) -> None:
    assert payment(stock, owed) == cards


# S20


def test_s20_only_the_taker_sees_the_gold_that_is_passed_and_what_they_take() -> None:
    state = play(reached(0, "DDS/D"), "c gold 1,1,2")
    assert state.observation(0).offered == (1, 1, 2)
    assert all(state.observation(viewer).offered == () for viewer in (1, 2, None))
    assert state.observation(None).gold_passing == 3
    state = play(state, "0 take 2")
    assert state.observation(0).gold == (2,)
    for viewer in (1, 2, None):
        seen = state.observation(viewer)
        assert seen.last == (0, Take(HIDDEN_GOLD))
        assert seen.gold_counts == (1, 0, 0)
        assert seen.gold == ()


def test_s20_all_gold_is_shown_when_the_match_is_over() -> None:
    state = play(position("* EW", "n", "", "", decided=LOST_TWICE), "0 drop n")
    uncovered = state.observation(None).uncovered
    assert uncovered.gold == (((), (), ()), ((), (), ()), ((), (), (1, 3)))
    assert uncovered.totals == (0, 0, 4)
    assert uncovered.discards == (("n",), (), ())
    assert [card.kind for card in state.observation(None).finish_cards] == ["NW", "T", "NE"]
    assert state.observation(1).last == (0, Drop("n"))


def test_s20_before_the_end_nothing_is_uncovered() -> None:
    assert position().observation(0).uncovered is None


# S21


def test_s21_the_most_nuggets_win_after_the_third_round() -> None:
    state = play(position("*", "n", "", "", decided=LOST_TWICE), "0 drop n")
    assert state.current_player == TERMINAL
    outcome = state.outcome()
    assert outcome.winners == (2,)
    assert state.returns() == (0, 0, 4)


def test_s21_ties_share_the_first_place() -> None:
    lost = (Round("S", "DDDDDD", paid=((),) * 5),) * 2
    state = play(position("*", "n", "", "", "", "", roles="DSDSD/D", decided=lost), "0 drop n")
    outcome = state.outcome()
    assert outcome.winners == (1, 3)


def test_s21_the_match_is_over_then() -> None:
    state = play(position("*", "n", "", "", decided=LOST_TWICE), "0 drop n")
    assert str(state.why_illegal(0, state.string_to_action(0, "pass"))) == "S21: The match is over."
    assert state.legal_actions(0) == ()


def test_s21_the_parts_that_everybody_played_are_told_with_who_won_them() -> None:
    (state,) = [recorded(path).states[-1] for path in GOLDEN_LOGS if path.stem == "saboteur-3-players"]
    assert isinstance(state, SaboteurState)
    for seat, parts in enumerate(state.parts()):
        assert [part.name for part in parts] == [ROLE_NAMES[past.roles[seat]] for past in state.decided]
        assert [part.won for part in parts] == [past.roles[seat] == past.winners for past in state.decided]
    assert {part.name for parts in state.parts() for part in parts} == {"gold-digger", "saboteur"}
    assert state.merits() == state.returns()
