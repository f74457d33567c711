"""Ambiente Abissal: one test per rule D1-D12 and per test position of its rules page."""

from random import Random

import pytest

from games import GAMES
from games.abissal import AbissalState, RoundResult
from games.abissal.actions import string_to_action
from games.abissal.components import CARDS, DECKS, cards_of, mask_of
from games.abissal.state import new_match
from games.core import CHANCE, IllegalAction, InvalidAction
from tests.games.lines import legal, paths, play, refusal
from tests.games.material import material

GAME = GAMES["abissal"]


def table(*hands: str, leader: int = 0, results: tuple[RoundResult, ...] = ()) -> AbissalState:
    """The leader is to lead the trick. Three cards are left over, the others have been played."""
    held = [mask_of(hand.split()) for hand in hands]
    rest = cards_of(DECKS[len(hands)] & ~sum(held))
    return AbissalState(
        players=len(hands),
        current_player=leader,
        last=None,
        hands=tuple(held),
        aside=mask_of(rest[:3]),
        gone=mask_of(rest[3:]),
        leader=leader,
        results=results,
    )


def won(*points: int, leader: int = 0) -> RoundResult:
    """A finished round in which the seats got these points."""
    places = sorted(range(len(points)), key=lambda seat: -points[seat])
    return RoundResult(leader, tuple(places), points, ("G1",))


# D1, D2: the deal and the leader.


@pytest.mark.parametrize("players", [2, 3])
def test_d01_deals_eleven_cards_each_and_sets_three_aside_that_nobody_sees(players: int) -> None:
    state = new_match(players, {})
    state = state.child(CHANCE, state.sample_chance(Random(7)))
    seen = [state.observation(viewer) for viewer in (None, *range(players))]
    assert [view.counts for view in seen] == [(11,) * players] * (players + 1)
    assert [len(view.hand) for view in seen] == [0] + [11] * players
    assert all(view.hands is None and view.aside is None for view in seen)
    assert state.aside.bit_count() == 3
    assert not set(cards_of(state.aside)) & {card for view in seen for card in view.hand}


def test_d01_leaves_gray_and_sixes_out_of_the_game_for_two() -> None:
    assert len(material(GAME.new_initial_state(3))) == 36
    pack = set(material(GAME.new_initial_state(2)))
    assert len(pack) == 25
    assert not any(card[0] == "G" or card[1] == "6" for card in pack)


def deal(*hands: str) -> str:
    return "deal " + "/".join(hand.replace(" ", ",") for hand in hands)


ELEVEN = ("O1 O2 O3 O4 O5 Y1 Y2 Y3 Y4 Y5 T1", "T2 T3 T4 T5 B1 B2 B3 B4 B5 P1 P2")


@pytest.mark.parametrize(
    "hands",
    [
        (ELEVEN[0][:-3], ELEVEN[1]),
        (ELEVEN[0], ELEVEN[0]),
        (ELEVEN[0],),
        (*ELEVEN, "P3"),
        ("G1 O1 O2 O3 O4 O5 Y1 Y2 Y3 Y4 Y5", ELEVEN[1]),
        (ELEVEN[0].replace("O5", "O6"), ELEVEN[1]),
    ],
    ids=["ten cards", "the same cards twice", "one hand", "three hands", "a gray card", "a six"],
)
def test_d01_refuses_a_deal_that_could_not_have_been_drawn(hands: tuple[str, ...]) -> None:
    state = GAME.new_initial_state(2)
    assert state.check_chance(state.string_to_action(CHANCE, deal(*ELEVEN)))
    assert not state.check_chance(state.string_to_action(CHANCE, deal(*hands)))


def test_d01_hands_are_written_by_suit_and_number_only() -> None:
    state = GAME.new_initial_state(2)
    for text in (deal("O2 O1" + ELEVEN[0][5:], ELEVEN[1]), deal("O1 O1" + ELEVEN[0][5:], ELEVEN[1]), "deal", "first 3"):
        with pytest.raises(InvalidAction):
            state.string_to_action(CHANCE, text)


def test_d02_chance_names_the_first_leader_after_the_first_deal() -> None:
    state = play(new_match(2, {}), f"c {deal(*ELEVEN)}")
    assert state.current_player == CHANCE
    assert not state.check_chance(state.string_to_action(CHANCE, "first 2"))
    assert not state.check_chance(state.string_to_action(CHANCE, deal(*ELEVEN)))
    state = play(state, "c first 1")
    assert (state.current_player, state.observation(None).leader) == (1, 1)


def test_d02_whoever_has_the_lowest_score_leads_the_next_round_without_a_line_of_its_own() -> None:
    state = play(table("P5 B1", "O1"), "0 P5", "1 pass", "0 B1")
    assert (state.current_player, state.leader) == (CHANCE, 1)
    assert play(state, f"c {deal(*ELEVEN)}").current_player == 1


@pytest.mark.parametrize(
    ("previous", "lines", "leader"),
    [
        (0, ("0 G1", "1 P6", "2 pass", "0 pass", "2 G4+G2"), 0),
        (1, ("1 P6", "2 pass", "0 pass", "2 G4+G2"), 2),
        (2, ("2 G2", "0 pass", "1 P6", "2 pass", "2 G4"), 2),
    ],
)
def test_d02_of_equally_low_scores_the_first_clockwise_from_the_previous_leader_leads(
    previous: int, lines: tuple[str, ...], leader: int
) -> None:
    state = play(table("G1 G3", "P6", "G2 G4", leader=previous, results=(won(1, 2, 0),)), *lines)
    assert state.scores == (1, 4, 1)
    assert state.leader == leader


# D3-D7: what can be played.


def test_d03_the_leader_plays_one_card_or_two_of_a_suit_or_of_a_number() -> None:
    assert legal(table("O2 O4 Y4 B1", "P1")) == {"O2", "O4", "Y4", "B1", "O4+O2", "O4+Y4"}


def test_d04_whoever_follows_plays_as_many_cards_or_passes() -> None:
    state = table("Y2 O1 O3", "T2 T3 P3 P5", "G1")
    assert legal(play(state, "0 Y2")) == {"T2", "T3", "P3", "P5", "pass"}
    assert legal(play(state, "0 O3+O1")) == {"T3+T2", "P5+P3", "pass"}


def test_d04_whoever_has_passed_is_out_of_the_trick_and_the_leader_may_pass_later() -> None:
    state = play(table("O1 B6", "T2 P1", "Y1 Y3 P5"), "0 O1", "1 pass", "2 Y1")
    assert state.current_player == 0
    assert state.observation(None).passed == (1,)
    state = play(state, "0 pass")
    assert (state.current_player, state.observation(None).trick) == (2, ())


def test_d05_a_suit_pair_is_beaten_by_a_stronger_suit_whatever_the_numbers() -> None:
    state = play(table("Y5 Y4 P1", "O1 O2 T1 T2 B5 P5 Y1"), "0 Y5+Y4")
    assert legal(state) == {"T2+T1", "pass"}


def test_d05_a_number_pair_is_beaten_by_a_higher_number_whatever_the_suits() -> None:
    state = play(table("B3 P3 P1", "O4 Y4 T4 T2 B2 T3 Y3"), "0 B3+P3")
    assert legal(state) == {"O4+Y4", "O4+T4", "Y4+T4", "pass"}


def test_d06_yellow_two_beaten_by_teal_two_fixes_the_suit() -> None:
    state = play(table("Y2 O1 O2", "T2 G1 G2", "G6 Y6 T6 B1 P2"), "0 Y2", "1 T2")
    assert state.strength == "suit"
    assert legal(state) == {"B1", "P2", "pass"}


@pytest.mark.parametrize("second", ["O4", "Y4"])
def test_d06_yellow_two_beaten_by_a_four_of_no_stronger_suit_fixes_the_number(second: str) -> None:
    state = play(table("Y2 O1 O2", f"{second} G1 G2", "P4 P3 G5 T6"), "0 Y2", f"1 {second}")
    assert state.strength == "number"
    assert legal(state) == {"G5", "T6", "pass"}


def test_d06_a_card_stronger_in_both_leaves_it_open() -> None:
    state = play(table("Y2 O1 O2", "T3 G1 G2", "B1 G5 G3 Y3"), "0 Y2", "1 T3")
    assert state.strength == "open"
    assert legal(state) == {"B1", "G5", "pass"}
    assert play(state, "2 B1").strength == "suit"
    assert play(state, "2 G5").strength == "number"


def test_d07_once_decided_only_that_strength_counts() -> None:
    state = play(table("Y2 B1 P3", "T2 G6 G5", "B2 G2 G3"), "0 Y2", "1 T2", "2 B2")
    assert legal(state) == {"P3", "pass"}
    state = play(table("Y2 O5 P3", "O4 G1 G2", "G5 G3 G2"), "0 Y2", "1 O4", "2 G5")
    assert legal(state) == {"pass"}


@pytest.mark.parametrize(("best", "players"), [("P5", 2), ("P6", 3)])
def test_the_strongest_card_can_be_beaten_by_nobody(best: str, players: int) -> None:
    others = ("P4 B5 T5", "O3 O4")[: players - 1]
    state = play(table(f"{best} O1", *others), f"0 {best}")
    while state.observation(None).trick:
        assert legal(state) == {"pass"}
        state = play(state, f"{state.current_player} pass")
    assert state.current_player == 0


# D8, D9: tricks.


def test_d08_the_last_to_play_leads_the_next_trick_and_the_kind_of_the_last_means_nothing() -> None:
    state = play(table("O1 O2 Y6", "T1 T2 G4", "B3 G5"), "0 O2+O1", "1 T2+T1", "2 pass", "0 pass")
    assert (state.current_player, state.strength) == (1, None)
    assert legal(state) == {"G4"}


def test_d08_a_play_can_end_the_trick() -> None:
    state = play(table("Y4", "G1 G2", "B4 G6 T1"), "0 Y4", "1 pass", "2 B4")
    assert (state.current_player, state.observation(None).trick) == (2, ())
    assert state.observation(None).last == (2, string_to_action(2, "B4"))


def test_d08_when_who_played_last_is_out_the_next_player_leads_even_if_they_had_passed() -> None:
    state = play(table("T4", "G1 G2", "O1 O2"), "0 T4", "1 pass", "2 pass")
    assert state.current_player == 1
    assert "G2+G1" in legal(state)


def test_d09_a_player_without_cards_is_skipped() -> None:
    state = play(table("T4", "G1 G2", "O1 O2"), "0 T4", "1 pass", "2 pass", "1 G1", "2 O1")
    assert state.current_player == 1


def test_d09_when_the_last_play_was_somebodys_last_the_others_may_still_beat_it() -> None:
    state = play(table("T4", "G1 G2", "B4 G3"), "0 T4")
    assert (state.current_player, state.out) == (1, (0,))
    state = play(state, "1 pass")
    assert legal(state) == {"B4", "pass"}
    assert play(state, "2 pass").current_player == 1


def test_d09_two_who_are_still_in_go_on_with_the_trick() -> None:
    state = play(table("Y4", "T4 G2", "B4 P1 G3"), "0 Y4", "1 T4", "2 B4")
    assert (state.current_player, len(state.trick)) == (1, 3)


# D10-D12: rounds, scores, the table.


def test_d10_with_two_the_round_ends_with_the_first_who_is_out_and_nobody_answers() -> None:
    state = play(table("O1", "P5 P4"), "0 O1")
    assert state.current_player == CHANCE
    assert state.observation(None).results == ((0, (0, 1), (1, 0), ("P4", "P5")),)


def test_d10_with_two_the_winner_of_a_round_scores_its_number_and_ten_wins() -> None:
    four = (won(1, 0), won(0, 2), won(3, 0), won(0, 4))
    state = play(table("O1", "P5 P4", results=four), "0 O1")
    assert state.scores == (9, 6)
    assert not state.is_terminal
    three = (won(1, 0), won(2, 0), won(3, 0))
    state = play(table("O1", "P5 P4", results=three), "0 O1")
    assert state.returns() == (10.0, 0.0)
    outcome = state.outcome()
    assert outcome.winners == (0,)


def test_d10_with_three_the_round_ends_with_the_second_who_is_out() -> None:
    state = play(table("G1", "O1", "P5 P4"), "0 G1")
    assert state.current_player == 1
    state = play(state, "1 O1")
    assert state.current_player == CHANCE
    assert state.observation(2).results == ((0, (0, 1, 2), (2, 1, 0), ("P4", "P5")),)


def test_d11_with_three_six_points_end_the_game_and_the_most_win() -> None:
    ahead = (won(2, 1, 0), won(2, 0, 1))
    state = play(table("G1", "O1", "P5 P4", results=ahead), "0 G1", "1 O1")
    assert state.returns() == (6.0, 2.0, 1.0)
    outcome = state.outcome()
    assert outcome.winners == (0,)


def test_d11_of_equal_totals_the_better_place_in_the_last_round_wins() -> None:
    level = (won(2, 1, 0), won(2, 1, 0), won(1, 2, 0))
    state = play(table("O1", "G1", "P5 P4", leader=1, results=level), "1 G1", "2 pass", "0 O1")
    assert state.returns() == (6.0, 6.0, 0.0)
    outcome = state.outcome()
    assert outcome.winners == (1,)


def test_d12_shows_the_present_trick_only() -> None:
    state = play(table("O1 O2 Y6", "T1 T2 G4", "B3 G5"), "0 O2+O1", "1 T2+T1")
    view = state.observation(None)
    assert view.trick == ((0, ("O2", "O1")), (1, ("T2", "T1")))
    assert view.strength == "suit pair"
    assert view.last == (1, string_to_action(1, "T2+T1"))
    view = play(state, "2 pass", "0 pass").observation(None)
    assert (view.trick, view.strength, view.passed) == ((), None, ())


# What viewers see, and what they don't.


def test_everybodys_cards_and_the_left_over_ones_are_shown_after_the_match() -> None:
    state = play(table("O1", "P5 P4", results=(won(4, 0), won(5, 0))), "0 O1")
    view = state.observation(None)
    assert view.hands == ((), ("P4", "P5"))
    assert view.aside is not None
    assert len(view.aside) == 3
    assert state.resample_from_infostate(None, Random(1)) == state


def test_a_deal_is_told_to_each_viewer_with_only_their_own_hand() -> None:
    state = GAME.new_initial_state(2)
    action = state.string_to_action(CHANCE, deal(*ELEVEN))
    hidden = ",".join("?" * 11)
    assert state.line_for(None, CHANCE, action) == f"deal {hidden}/{hidden}"
    assert state.line_for(1, CHANCE, action) == f"deal {hidden}/{ELEVEN[1].replace(' ', ',')}"


@pytest.mark.parametrize("viewer", [None, 0, 1, 2])
def test_resampling_keeps_what_the_viewer_knows_and_does_not_depend_on_the_truth(viewer: int | None) -> None:
    one = play(table("O1 O2 Y6", "T1 T2 G4", "B3 G5 P1"), "0 O1", "1 T1")
    other = one if viewer is not None else play(table("B3 O1 P1", "T1 Y6 G4", "T2 G5 O2"), "0 O1", "1 T1")
    drawn = one.resample_from_infostate(viewer, Random(3))
    assert drawn.observation(viewer) == one.observation(viewer)
    assert material(drawn) == material(one)
    assert drawn != one
    again = drawn.resample_from_infostate(viewer, Random(4))
    assert again.resample_from_infostate(viewer, Random(3)) == drawn
    assert other.resample_from_infostate(viewer, Random(3)) == drawn


def test_a_pass_is_forced_only_where_everybody_can_see_it() -> None:
    hidden = play(table("T4 G1 G2", "G3 G4 O1", "O2 O3 P1"), "0 T4")
    assert legal(hidden) == {"pass"}
    assert hidden.forced_action() is None
    unbeatable = play(table("P6 G1 G2", "G3 G4 O1", "O2 O3 P1"), "0 P6")
    assert unbeatable.forced_action() == unbeatable.string_to_action(1, "pass")
    one_card_left = play(table("O1 O2 G1", "P1", "O3 O4"), "0 O2+O1")
    assert one_card_left.forced_action() == one_card_left.string_to_action(1, "pass")
    last_card = table("O1", "P1", "O3 O4")
    assert last_card.forced_action() == last_card.string_to_action(0, "O1")
    assert table("O1 O2", "P1", "O3 O4").forced_action() is None
    assert GAME.new_initial_state(2).forced_action() is None


# Refusals, typing, choosing.

LED = {
    "nothing": table("Y2 O4 O2 B4 T3", "G1 G2", "P1 P2"),
    "a card": play(table("Y2 G1 G2", "Y1 O1 O2 T3 T4", "P1 P2"), "0 Y2"),
    "two": play(table("Y2 O4 O1", "B3 P2"), "0 Y2"),
    "by suit": play(table("Y2 G1 G2", "T1 O1", "O6 B1 B2 T6"), "0 Y2", "1 T1"),
    "by number": play(table("Y2 G1 G2", "O4 O1", "O3 P4 B6 T2"), "0 Y2", "1 O4"),
    "suit pair": play(table("Y2 Y1 G2", "O4 O5 T3 B3 P3 P4", "G3 G4"), "0 Y2+Y1"),
    "number pair": play(table("Y2 B2 G2", "O2 T2 T3 B3 P1 G1", "G3 G4"), "0 Y2+B2"),
}
REFUSED = [
    ("two", "G1", "D1"),
    ("two", "B6", "D1"),
    ("nothing", "pass", "D3"),
    ("nothing", "P5", "D3"),
    ("nothing", "B4+O2", "D3"),
    ("nothing", "O4+B4+Y2", "D3"),
    ("a card", "P6", "D4"),
    ("a card", "T4+T3", "D4"),
    ("suit pair", "T3", "D4"),
    ("suit pair", "O5+O4", "D5"),
    ("suit pair", "T3+B3", "D5"),
    ("number pair", "T3+T2", "D5"),
    ("number pair", "G1+P1", "D5"),
    ("number pair", "O2+T2", "D5"),
    ("a card", "Y1", "D6"),
    ("a card", "O2", "D6"),
    ("by suit", "O6", "D7"),
    ("by suit", "T6", "D7"),
    ("by number", "P4", "D7"),
    ("by number", "O3", "D7"),
]


@pytest.mark.parametrize(("position", "text", "rule"), REFUSED)
def test_a_refusal_names_its_rule(position: str, text: str, rule: str) -> None:
    assert refusal(LED[position], text).startswith(f"{rule}: ")


def test_every_rule_that_can_refuse_is_refused_by_somewhere() -> None:
    assert {rule for _, _, rule in REFUSED} == {f"D{number}" for number in (1, 3, 4, 5, 6, 7)}
    state = LED["a card"]
    assert str(state.why_illegal(0, state.string_to_action(0, "pass"))) == "D4: It's not your turn."
    over = play(table("O1", "P5 P4", results=(won(10, 0),)), "0 O1")
    assert str(over.why_illegal(0, over.string_to_action(0, "pass"))) == "D10: The match is over."
    dealing = GAME.new_initial_state(2)
    with pytest.raises(IllegalAction, match="D1: Only chance deals"):
        state.apply_action(1, dealing.sample_chance(Random(1)))


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("b4", "B4"),
        ("Blue 4", "B4"),
        ("4 blue", "B4"),
        ("play teal 3", "T3"),
        ("b4 + o4", "O4+B4"),
        ("o2, o4", "O4+O2"),
        ("orange 2 and orange 4", "O4+O2"),
        ("4 blue with 4 orange", "O4+B4"),
    ],
)
def test_typed_cards_are_read_in_words_and_in_any_order(typed: str, text: str) -> None:
    state = LED["nothing"]
    assert state.action_to_string(state.parse_action(0, typed)) == text


def test_typed_nonsense_is_refused_with_a_sentence() -> None:
    state = LED["nothing"]
    for typed in ("b9", "blue", "B4+B4", "4", ""):
        with pytest.raises(InvalidAction):
            state.parse_action(0, typed)
    with pytest.raises(IllegalAction, match="D3: You lead"):
        state.parse_action(0, "skip")
    with pytest.raises(IllegalAction, match="D3: You don't have Gray 5"):
        state.parse_action(0, "grey 5")


def test_a_play_is_chosen_card_by_card_the_stronger_of_a_pair_first() -> None:
    state = LED["nothing"]
    assert paths(state)["B4"] == ("B4", "alone")
    assert paths(state)["O4+O2"] == ("O4", "O2")
    assert paths(state)["O4+B4"] == ("B4", "O4")
    assert paths(LED["a card"])["pass"] == ("pass",)


def test_every_card_has_its_place_and_text() -> None:
    assert [mask_of([card]) for card in CARDS] == [1 << index for index in range(36)]
    assert str(LED["by suit"]).count("T1") == 1
