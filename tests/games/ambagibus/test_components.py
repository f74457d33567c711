"""The deck of Ambagibus is the one of the rules page."""

from collections import Counter

from games.ambagibus.components import (
    CARD_OF,
    DECK,
    KIND,
    ROTATIONS,
    SPECIALS,
    TUNNELS,
    card_label,
    fitting_kinds,
    lying_label,
    ways,
)


def test_a_deck_has_forty_cards_two_bombs_and_two_cave_ins_among_them() -> None:
    count = Counter(DECK)
    assert len(DECK) == 40
    assert (count["bomb"], count["cave"]) == (2, 2)
    assert sum(TUNNELS.values()) == 36


def test_there_are_twenty_openings_of_each_priority() -> None:
    openings = Counter(priority for card in DECK if card in TUNNELS for priority in card)
    assert [openings[priority] for priority in "1234"] == [20, 20, 20, 20]


def test_the_deck_holds_the_cards_of_the_table() -> None:
    pairs = {"1000", "2000", "3000", "4000", "1040", "2030", "4100", "3200", "bomb", "cave"}
    singles = "1020 3040 1030 2040 1200 3400 1300 2400 2340 1340 1240 1230 4320 4310 4210 3210 1234 1324 1243 1432"
    assert Counter(DECK) == Counter({**dict.fromkeys(pairs, 2), **dict.fromkeys(singles.split(), 1)})


def test_a_card_as_it_lies_can_only_be_one_card_of_the_deck() -> None:
    assert sum(map(len, ROTATIONS.values())) == len(CARD_OF) - len(SPECIALS) == 4 * len(TUNNELS)
    assert CARD_OF["0201"] == "1020"
    assert ROTATIONS["1200"] == ("1200", "0120", "0012", "2001")


def test_a_card_fits_with_an_opening_where_one_is_needed_and_a_wall_where_one_is() -> None:
    north, east, south, west = 1, 2, 4, 8
    assert ways("1200", needed=south, closed=west) == ("0120",)
    assert set(ways("1020", needed=0, closed=0)) == set(ROTATIONS["1020"])
    assert ways("1020", needed=north | east, closed=0) == ()
    assert fitting_kinds(north | east | south | west, 0) == KIND["1234"]
    assert fitting_kinds(north | south, east) == KIND["1020"] | KIND["2340"]
    assert fitting_kinds(north | south, east | west) == KIND["1020"]


def test_every_card_has_a_label_of_its_own() -> None:
    assert len({card_label(card) for card in set(DECK)}) == len(set(DECK))
    assert card_label("4100") == "Corner IV-I"
    assert lying_label("0412") == "IV right, I down, II left"
