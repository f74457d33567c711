"""Ambagibus rule by rule (A1-A16), then the test positions of the rules page."""

import pytest

from games import GAMES
from games.ambagibus import AmbagibusState
from games.ambagibus.components import DECK
from games.ambagibus.state import new_match, opening
from games.core import CHANCE, TERMINAL
from tests.games.ambagibus.positions import maze, position
from tests.games.lines import legal, play
from tests.games.material import material

GAME = GAMES["ambagibus"]


def deck(*top: str) -> tuple[str, ...]:
    """A whole deck with these cards at the top."""
    rest = list(DECK)
    for card in top:
        rest.remove(card)
    return (*top, *rest)


def shuffle(word: str, *decks: tuple[str, ...]) -> str:
    return f"c {word} " + "/".join(map(",".join, decks))


def begun(*decks: tuple[str, ...], variant: str = "basic") -> AmbagibusState:
    """A match after its two shuffles, both with the decks in this order."""
    state = play(new_match(len(decks), {"variant": variant}), shuffle("decks", *decks))
    left = [list(cards) for cards in decks]
    left[state.starter or 0].remove(opening(decks).card)
    return play(state, shuffle("reshuffle", *map(tuple, left)))


def wins(state: AmbagibusState) -> tuple[int, ...]:
    outcome = state.outcome()
    return outcome.winners


def ending(state: AmbagibusState) -> str:
    outcome = state.outcome()
    return outcome.reason.split(":")[0]


# A1, A2: the beginning.


def test_a01_the_highest_total_starts() -> None:
    assert opening((deck("1020"), deck("2340"), deck("1240"))) == (1, "2340", (("1020",), ("2340",), ("1240",)))


def test_a01_special_cards_count_nothing() -> None:
    assert opening((deck("bomb"), deck("1000"))) == (1, "1000", (("bomb",), ("1000",)))


def test_a01_tied_leaders_reveal_one_more_each_and_compare_those_only() -> None:
    decks = deck("1240", "1000", "cave", "1000"), deck("4000", "1234"), deck("1240", "1000", "bomb", "2000")
    assert opening(decks) == (2, "2000", (decks[0][:4], ("4000",), decks[2][:4]))


def test_a02_the_starter_lays_their_last_revealed_card_as_it_is_written_and_the_next_seat_goes_on() -> None:
    decks = deck("1240"), deck("1000"), deck("1000")
    state = play(new_match(3, {"variant": "basic"}), shuffle("decks", *decks))
    assert state.current_player == CHANCE
    assert state.observation(None).maze == (((0, 0), "1240", 0),)
    assert state.observation(None).revealed == (("1240",), ("1000",), ("1000",))
    assert [len(cards.deck) for cards in state.cards] == [39, 40, 40]
    assert not state.check_chance(state.string_to_action(CHANCE, shuffle("reshuffle", *decks)[2:]))
    assert not state.check_chance(state.string_to_action(CHANCE, shuffle("decks", decks[0][1:], *decks[1:])[2:]))
    assert play(state, shuffle("reshuffle", decks[0][1:], *decks[1:])).current_player == 1


def test_a02_after_the_last_seat_the_turn_goes_to_seat_0() -> None:
    assert begun(deck("1000"), deck("1234")).current_player == 0


def test_a02_should_all_cards_tie_the_lowest_tied_seat_starts_with_its_last_tunnel_card() -> None:
    tied = deck("1234")
    assert tied[-5:] == ("4320", "bomb", "bomb", "cave", "cave")
    assert opening((deck("bomb"), tied, tied)) == (1, "4320", (("bomb",), tied, tied))


def test_a02_the_first_shuffle_holds_whole_decks() -> None:
    state = GAME.new_initial_state(2)
    good = state.string_to_action(CHANCE, shuffle("decks", deck("1000"), deck("bomb"))[2:])
    assert state.check_chance(good)
    for decks in ((deck(),), (deck()[1:], deck()), (("bomb", *deck()[1:]), deck())):
        assert not state.check_chance(state.string_to_action(CHANCE, shuffle("decks", *decks)[2:]))
    assert not state.check_chance(good._replace(again=True))


# A3-A6: where a tunnel card may lie.


def test_a03_openings_meet_openings_and_walls_meet_walls() -> None:
    # At 1,0 a card needs an opening to the left and a wall to the right.
    assert legal(position("0:0100 . 1:2000", "1200", "")) == {"0012@1,0", "2001@1,0"}
    assert legal(position("0:0100 . 1:2000", "1020", "")) == {"1020@2,1", "2010@2,1"}


def test_a03_a_cave_in_wants_a_wall() -> None:
    assert legal(position("0:0100 . 1:cave", "1200", "")) == {"0012@1,0", "2001@1,0"}


def test_a03_a_card_joins_every_open_passage_that_leads_to_its_space() -> None:
    assert legal(position("0:0100 . 1:0003", "1020", "")) == {"0102@1,0", "0201@1,0"}


def test_a04_an_own_passage_goes_before_anybody_elses() -> None:
    assert legal(position("0:0400 . . 1:1000", "1000", "")) == {"0001@1,0"}


def test_a05_of_own_passages_the_lowest_goes_first() -> None:
    assert legal(position("0:0203 . . 0:0400", "1000", "")) == {"0001@1,0"}


def test_a05_without_an_own_passage_the_lowest_of_all_goes_first() -> None:
    assert legal(position("2:0300 . . 1:1000 . 2:0100", "1000", "", "")) == {"0010@3,1", "0001@6,0"}


def test_a06_the_lowest_passage_that_can_be_built_on_counts() -> None:
    # The I leads to a space that no crossing fits.
    assert legal(position("0:0103 . 1:2000", "1234", "")) == {
        f"{card}@-1,0" for card in ("1234", "4123", "3412", "2341")
    }


# A7-A10: the basic game.


def test_a07_the_current_player_has_drawn_for_all_to_see() -> None:
    state = begun(deck("1234"), deck("1000", "1020"), deck("2000"))
    assert state.observation(None).rows == ((), ("1000",), ())
    assert state.observation(None).deck_sizes == (39, 39, 40)
    state = play(state, "1 0010@0,1")
    assert state.observation(None).rows == ((), (), ("2000",))


def test_a07_what_cannot_be_played_goes_to_the_bottom_and_the_turn_ends() -> None:
    state = position("0:0100 . 1:0002", "1200", "", decks=("1000 2000", "1020 3000"))
    assert legal(state) == {"bury 1200"}
    state = play(state, "0 bury 1200")
    assert state.current_player == 1
    view = state.observation(None)
    assert (view.rows, view.deck_sizes, view.bottoms) == (((), ("1020",)), (3, 1), (("1200",), ()))
    assert state.cards[0].deck == ("1000", "2000", "1200")


def test_a08_a_bomb_must_be_played_on_any_own_card_a_cave_in_too() -> None:
    state = position("0:0102 1:0301 0:cave", "bomb", "")
    assert legal(state) == {"bomb@0,0", "bomb@2,0"}


def test_a08_without_an_own_card_the_bomb_goes_to_the_bottom() -> None:
    assert legal(position("1:0100", "bomb", "")) == {"bury bomb"}


def test_a08_what_is_bombed_leaves_the_game_and_openings_towards_it_are_open_again() -> None:
    state = position("1:0300 0:0102 1:0001", "bomb", "")
    before = material(state)
    assert state.observation(None).passages == ()
    state = play(state, "0 bomb@1,0")
    assert [(passage.cell, passage.priority) for passage in state.observation(None).passages] == [
        ((0, 0), 3),
        ((2, 0), 1),
    ]
    assert sorted(state.gone) == [(0, "1020"), (0, "bomb")]
    assert material(state) == before


def test_a09_a_cave_in_must_be_played_on_an_own_tunnel_card_with_an_open_passage() -> None:
    picture = """
        0:0100 1:0301 0:0001
        0:0100 .      1:0003
        0:cave .      .
    """
    assert legal(position(picture, "cave", "")) == {"cave@0,-1"}
    assert legal(position("0:0100 1:0301", "cave", "")) == {"bury cave"}


def test_a09_a_space_that_is_caved_in_stays_its_owners_without_openings_and_counts_nothing() -> None:
    state = play(position("0:0102 1:0403", "cave", ""), "0 cave@0,0")
    view = state.observation(None)
    assert view.maze[0] == ((0, 0), "cave", 0)
    assert [(passage.cell, passage.edge) for passage in view.passages] == [((1, 0), "E")]
    assert view.closed_sections == ((), ())
    assert state.gone == ()


def test_a09_openings_towards_a_cave_in_are_closed_and_make_no_card_eligible_for_another() -> None:
    state = position("0:0100 0:cave . 1:1000", "cave", "")
    assert state.observation(None).closed_sections == ((((0, 0),),), ())
    assert legal(state) == {"bury cave"}


def test_a09_a_bombed_cave_in_leaves_a_plain_empty_space() -> None:
    state = position("0:0100 0:cave . 1:1000", "bomb", "", decks=("1000", "1000"))
    before = material(state)
    state = play(state, "0 bomb@1,0")
    assert (1, 0) not in state.maze.tiles
    assert [passage.leads_to for passage in state.observation(None).passages] == [(1, 0), (3, 1)]
    assert material(state) == before


def test_a10_a_player_without_any_card_passes() -> None:
    state = play(position("0:0100", "1020", "", decks=("", "1020 1000")), "0 0201@1,0", "1 0201@2,0")
    assert legal(state) == {"pass"}
    state = play(state, "0 pass")
    assert (state.current_player, state.last) == (1, (0, state.string_to_action(0, "pass")))


# A11-A14: the advanced game.


def test_a11_everybody_draws_three_the_starter_too_and_up_to_three_after_their_turn() -> None:
    state = begun(deck("1234"), deck("1000", "1020", "2000", "1030"), variant="advanced")
    assert [len(row) for row in state.observation(None).rows] == [3, 3]
    assert state.observation(None).deck_sizes == (36, 37)
    state = play(state, "1 0010@0,1")
    assert state.observation(None).rows[1] == ("1020", "2000", "1030")
    assert state.observation(None).deck_sizes == (36, 36)


def test_a11_with_an_empty_deck_the_row_gets_shorter() -> None:
    state = position("0:0100 . 1:1000", "1020 1000 2000", "1000", variant="advanced", decks=("", "1000"))
    state = play(state, "0 0001@1,0")
    assert state.observation(None).rows[0] == ("1020", "2000")


def test_a12_all_face_up_tunnel_cards_are_sifted_together() -> None:
    # Only the dead end fits the player's own IV; without it the lowest passage of all is the other's I at 5,1.
    picture = "0:0400 . 1:2000 . . 1:1000"
    assert legal(position(picture, "1234 1020 1000", "", variant="advanced")) == {"0001@1,0"}
    assert legal(position(picture, "1234 1020", "", variant="advanced")) == {
        f"{card}@5,1" for card in ("1234", "4123", "3412", "2341", "1020", "2010")
    }
    # Only the dead end fits the player's own I, so the crossing may not go to their III.
    assert legal(position("0:0100 . 1:2000 . 0:0300", "1234 1000", "", variant="advanced")) == {"0001@1,0"}


def test_a13_face_up_bombs_and_cave_ins_may_be_played_beside_everything_else() -> None:
    state = position("0:0100 . 1:1000", "1000 bomb cave", "", variant="advanced")
    assert legal(state) == {"0001@1,0", "bomb@0,0", "cave@0,0"}


def test_a14_only_when_nothing_at_all_can_be_played_one_card_of_choice_is_buried() -> None:
    state = position("1:0100 . 1:0002", "1000 bomb bomb", "", variant="advanced", decks=("2000 3000", "1020"))
    assert legal(state) == {"bury 1000", "bury bomb"}
    state = play(state, "0 bury bomb")
    assert state.cards[0] == (("1000", "bomb", "2000"), ("3000", "bomb"), 1)
    with_a_card_to_play = position("1:0100 . 1:0002", "1020 bomb bomb", "", variant="advanced")
    assert not any(text.startswith("bury") for text in legal(with_a_card_to_play))


def test_a14_with_an_empty_deck_the_buried_card_comes_straight_back() -> None:
    state = play(position("1:0100 . 1:0002", "1000 bomb", "", variant="advanced", decks=("", "1020")), "0 bury 1000")
    assert state.cards[0] == (("bomb", "1000"), (), 0)
    assert state.current_player == 1


# A15, A16: the end.


def test_a15_ends_when_no_open_passage_is_left() -> None:
    state = play(position("0:0100", "1000", ""), "0 0001@1,0")
    assert (state.is_terminal, ending(state)) == (True, "The maze is closed")


def test_a15_ends_when_nobody_has_a_card_left() -> None:
    state = play(position("0:0100", "1020", "", decks=("", "")), "0 0201@1,0")
    assert (state.is_terminal, ending(state)) == (True, "All cards have been played")


@pytest.mark.parametrize(
    ("left", "over"),
    [("1000", True), ("1200 3000", True), ("1000 1020", False), ("1000 bomb", False), ("1000 cave", False)],
)
def test_a15_ends_when_no_card_that_is_left_could_be_played(left: str, over: bool) -> None:
    # The only space needs two openings that face each other.
    state = play(position("0:0100 . 1:0002", "1000", "", decks=("", left)), "0 bury 1000")
    assert state.is_terminal == over
    assert not over or ending(state) == "None of the cards that are left can be played"


@pytest.mark.parametrize("useless", ["bomb", "cave"])
def test_a15_special_cards_of_whoever_has_nothing_in_the_maze_keep_no_match_alive(useless: str) -> None:
    assert play(position("1:0100 . 1:0002", useless, "", decks=("", "1000")), f"0 bury {useless}").is_terminal


def test_a15_is_checked_after_a_pass_too() -> None:
    state = position("0:0100 . 1:0002", "", "", decks=("", "1000"))
    assert play(state, "0 pass").is_terminal


def test_a15_an_empty_maze_takes_the_next_tunnel_card_freely_at_the_origin() -> None:
    state = play(position("0:0100", "bomb", "", decks=("", "cave 1200"), corner=(3, 2)), "0 bomb@3,2")
    assert not state.maze.tiles
    assert legal(state) == {"bury cave"}
    state = play(state, "1 bury cave", "0 pass")
    assert legal(state) == {"1200@0,0", "0120@0,0", "0012@0,0", "2001@0,0"}
    assert play(state, "1 0012@0,0").observation(None).maze == (((0, 0), "0012", 1),)


def test_a15_an_empty_maze_ends_the_match_where_only_special_cards_are_left() -> None:
    state = play(position("0:0100", "bomb", "", decks=("", "cave bomb")), "0 bomb@0,0")
    assert (state.is_terminal, ending(state)) == (True, "None of the cards that are left can be played")


def test_a15_cave_ins_alone_are_a_maze_without_open_passages() -> None:
    state = play(position("0:0100", "cave", ""), "0 cave@0,0")
    assert (state.is_terminal, ending(state)) == (True, "The maze is closed")


def over(picture: str, players: int = 2) -> AmbagibusState:
    return position(picture, *("",) * players).evolve(current_player=TERMINAL)


def test_a16_most_closed_sections_win_however_small() -> None:
    state = over("0:0100 1:0102 1:0304 1:0102 0:0001")
    assert (state.returns(), wins(state)) == ((2.0, 1.0), (0,))


def test_a16_a_tie_goes_to_the_largest_section() -> None:
    assert wins(over("0:0100 1:0102 1:0001")) == (1,)


def test_a16_then_to_the_second_largest() -> None:
    state = over("0:0100 0:0001 . 0:0100 0:0001 . 1:0100 1:0001 . 1:cave 1:0001")
    assert state.observation(None).scores == (2, 2)
    assert wins(state) == (0,)


def test_a16_still_tied_the_victory_is_shared() -> None:
    assert wins(over("0:0100 1:0001 . 2:cave", 3)) == (0, 1)
    assert wins(over("0:cave 1:cave", 2)) == (0, 1)


def test_a16_an_open_section_counts_nothing() -> None:
    state = over("0:0100 0:0102 . 1:0100 1:0001")
    assert (state.returns(), wins(state)) == ((0.0, 1.0), (1,))


# The test positions of the rules page.


def test_the_lowest_own_passage_that_a_card_can_be_built_on() -> None:
    # The player owns II, II and III; a wall faces each II, so that a crossing fits the III only.
    picture = "0:0200 . 1:2000 . 0:0200 . 1:3000 . 0:0300"
    assert legal(position(picture, "1000", "")) == {"0001@1,0", "0001@5,0"}
    assert legal(position(picture, "1234", "")) == {f"{card}@9,0" for card in ("1234", "4123", "3412", "2341")}


def test_a_card_that_joins_only_anothers_passages_goes_to_the_lowest() -> None:
    assert legal(position("1:0100 . . 1:0300", "1000", "")) == {"0001@1,0"}


def test_bombing_a_card_between_two_others_opens_both() -> None:
    state = play(position("0:0100 0:0201 1:0003 . 1:1000", "bomb", ""), "0 bomb@1,0")
    assert {passage.cell for passage in state.observation(None).passages} == {(0, 0), (2, 0), (4, 0)}


def test_a_cave_in_closes_a_passage_and_can_complete_a_section() -> None:
    state = position("0:0100 0:0102 . 1:1000", "cave", "")
    assert state.observation(None).scores == (0, 0)
    assert play(state, "0 cave@1,0").observation(None).closed_sections[0] == (((0, 0),),)


def test_two_colours_crossing_each_count_their_own_side_only() -> None:
    picture = """
        .      0:0010 .
        1:0100 0:1234 1:0001
        .      0:1000 .
    """
    sections = maze(picture).closed_sections
    assert sections(0) == (((1, -2), (1, -1), (1, 0)),)
    assert sections(1) == (((0, -1),), ((2, -1),))


def test_joining_an_own_four_and_anothers_one_counts_as_four() -> None:
    picture = """
        0:3000 .
        .      .
        .      .
        .      .
        .      1:0010
        0:0400 .
    """
    assert legal(position(picture, "1200", "", corner=(0, 5))) == {"0120@0,6", "0012@0,6"}


@pytest.mark.parametrize(
    ("picture", "players", "told"),
    [
        ("0:0100 0:0001 . 0:0100 0:0001 . 1:0100 1:0001", 3, "2 sections to 1."),
        ("0:0100 1:0102 1:0001", 2, "1 section each, and their sizes decide."),
        ("0:0100 1:0001 . 2:cave", 3, "2 players with 1 section each, of the same sizes."),
        ("0:cave", 2, "nobody has a closed section."),
    ],
)
def test_a16_the_reason_is_told_in_numbers(picture: str, players: int, told: str) -> None:
    outcome = over(picture, players).outcome()
    assert outcome.reason == f"The maze is closed: {told}"
