"""How computers behave in Saboteur: who hides, when they strike, and what they do first."""

from collections import Counter, defaultdict
from random import Random
from typing import Any

import pytest

from benchmarks.strength import behaviour
from games import GAMES
from games.core import CHANCE, HIDDEN, Played
from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Dig, Drop, LookAt, Repair, RockFall, Roles, string_to_action
from games.saboteur.board import Maze, survey
from matches.computers.judgements.saboteur import SaboteurJudgement
from matches.computers.levels import Level
from matches.computers.thinking import answer
from tests.matches.imagined import question
from tests.matches.test_computers_judgement import first_turn

DEALT = Played(CHANCE, Roles(HIDDEN))
HAND = ("-P", "EW", "NESW", "map", "ne", "rock")


def path(length: int) -> Maze:
    """A straight path of this many cards, which may branch everywhere."""
    return survey({(x, 0): "NESW" for x in range(length + 1)})


def turn(role: str, hand: tuple[str, ...] = HAND, length: int = 0, **changes: Any) -> SaboteurState:
    """A position in which it is the turn of seat 0 of five, with this role, this hand and a path of this many cards."""
    state = first_turn()
    return state.evolve(
        roles="DSDSDD" if role == "D" else "SDSDDD",
        goals=("NE", "T", "NW"),
        hands=(hand, *state.hands[1:]),
        maze=path(length),
        **changes,
    )


def candidates(state: SaboteurState, *own: str) -> list[Any]:
    """The considered actions after these earlier turns of the player."""
    lines = [DEALT, *(Played(0, string_to_action(0, text)) for text in own)]
    return list(SaboteurJudgement(state, lines).candidates(state.legal_actions(0)))


def is_open(action: Any) -> bool:
    """Whether everybody sees that the action is hostile."""
    return isinstance(action, Break | RockFall) or (isinstance(action, Dig) and action.piece.islower())


def test_a_saboteur_far_from_the_treasure_does_nothing_that_the_table_could_suspect() -> None:
    for hand in (HAND, HAND[:3], ("-P", "rock", "ne", "ew"), ("EW", "EW", "rock")):
        assert not any(map(is_open, candidates(turn("S", hand))))


def test_a_saboteur_first_looks_and_digs_as_a_digger_would() -> None:
    assert all(isinstance(action, LookAt) for action in candidates(turn("S")))
    assert {type(action) for action in candidates(turn("S", ("-P", "EW", "rock")))} == {Dig}


def test_between_such_turns_a_saboteur_discards_what_would_help_the_others() -> None:
    found = candidates(turn("S", ("-P", "EW", "rock", "ne")), "EW@1,0")
    assert found == [Drop("EW")]


def test_a_saboteur_strikes_when_the_path_is_near() -> None:
    found = candidates(turn("S", ("-P", "EW", "rock", "ne"), length=4), "EW@1,0")
    assert found
    assert all(map(is_open, found))


def test_among_many_a_saboteur_strikes_sooner_but_not_on_the_first_turn() -> None:
    state = first_turn(players=8)
    state = state.evolve(roles="SDSDSDDDD", hands=(("-P", "rock", "ne", "NS"), *state.hands[1:]))
    assert all(map(is_open, candidates(state, "drop EW")))
    assert not any(map(is_open, candidates(state)))
    assert not any(map(is_open, candidates(turn("S", ("-P", "rock", "ne", "NS")), "drop EW")))


def test_a_saboteur_who_is_found_out_strikes_however_far_the_path_is() -> None:
    maze = survey({(0, 0): "NESW", (1, 0): "ew", (-1, 0): "ew", (0, 1): "ns"})
    state = turn("S", ("-P", "rock", "ne")).evolve(maze=maze)
    assert any(map(is_open, candidates(state, "ew@1,0", "ew@-1,0", "ns@0,1")))


@pytest.mark.parametrize("role", ["D", "S"])
@pytest.mark.parametrize("length", [0, 5])
def test_own_tools_are_mended_before_all_else(role: str, length: int) -> None:
    state = turn(role, (*HAND, "+P"), length, broken=(1, 0, 0))
    assert candidates(state) == [Repair("+P", 0, "P")]
    assert answer(question(state, level=Level.EXPERT)) == "+P>0"


def test_a_map_is_looked_at_as_long_as_it_tells_something() -> None:
    assert all(isinstance(action, LookAt) for action in candidates(turn("D")))
    assert not any(isinstance(action, LookAt) for action in candidates(turn("D", seen=(0, 1, 0))))


def test_a_digger_lays_no_path_card_for_nothing() -> None:
    state = turn("D", ("NS", "ns", "NESW"), length=3)
    digs = [action for action in candidates(state) if isinstance(action, Dig)]
    assert digs
    assert all(action.piece == "NESW" and action.cell[0] == 4 for action in digs)
    assert all(isinstance(action, Drop) for action in candidates(turn("D", ("NS", "ns"), length=3)))


def test_a_treasure_that_can_be_reached_for_certain_is() -> None:
    found = candidates(turn("D", ("NESW", "+P", "-P"), length=6, seen=(0, 1, 0)))
    assert found
    assert all(isinstance(action, Dig) and action.cell == (7, 0) for action in found)


def chosen(role: str, hand: tuple[str, ...], *lines: str, **changes: Any) -> str:
    """What an expert does in seat 0, whose turn it is. The treasure is at 8,0, and everybody in seat 0 has seen it.

    The path ends at a dead end on 4,0, but branches at 3,0.
    """
    walled = survey({(0, 0): "NESW", (1, 0): "EW", (2, 0): "EW", (3, 0): "NEW", (4, 0): "ew"})
    state = turn(role, hand).evolve(**{"maze": walled, "seen": (0, 1, 0)} | changes)
    said = (Played(int(each[0]), string_to_action(int(each[0]), each[2:])) for each in lines)
    return answer(question(state, (DEALT, *said), level=Level.EXPERT))


@pytest.mark.parametrize(
    ("hand", "lines", "broken", "action"),
    [
        (("NES", "NS"), (), 0, "NES@3,1"),
        (("-P", "NES"), ("1 EW@1,0", "1 -P>0"), 0, "NES@3,1"),
        (("-P", "NS", "ne"), ("1 ew@1,0", "1 -L>0", "1 -L>2"), 0, "-P>1"),
        (("NS", "+P", "rock"), (), 0, "rock@4,0"),
        (("NS", "+P", "ne"), (), 0, "drop ne"),
        (("EW", "+P", "ne"), ("2 EW@1,0",), 1 << 2, "+P>2"),
    ],
)
def test_an_expert_digs_around_obstacles_stops_attackers_and_frees_friends(
    hand: tuple[str, ...], lines: tuple[str, ...], broken: int, action: str
) -> None:
    assert chosen("D", hand, *lines, broken=(broken, 0, 0)) == action


def test_an_expert_fills_the_gap_of_a_rock_fall_and_a_saboteur_closes_it() -> None:
    gap = path(6).remove((3, 0))
    assert chosen("D", ("NESW", "EW"), maze=gap) in ("NESW@3,0", "EW@3,0")
    assert chosen("S", ("nesw", "-P", "rock"), "0 EW@1,0", maze=gap) == "nesw@3,0"


def sabotaging(hand: tuple[str, ...], length: int, *lines: str, players: int = 5) -> str:
    """What an expert saboteur does on seat 0 on a straight path of this many cards, after these lines."""
    state = first_turn(players=players)
    roles = "S" + "D" * (players - 2) + ("SD" if players > 4 else "DD")
    state = state.evolve(roles=roles, hands=(hand, *state.hands[1:]), maze=path(length), seen=(7, 7, 7))
    said = (Played(int(each[0]), string_to_action(int(each[0]), each[2:])) for each in lines)
    return answer(question(state, (DEALT, *said), level=Level.EXPERT))


def test_a_saboteur_digs_or_discards_while_it_is_cheap_and_strikes_when_the_round_can_still_be_lost() -> None:
    hand = ("NESW", "-P", "rock", "+W")
    for near in (False, True):
        found = string_to_action(0, sabotaging(hand, 5 if near else 0, "1 EW@1,0", "2 EW@2,0", "0 EW@3,0"))
        assert is_open(found) is near


def test_a_saboteur_breaks_whom_the_table_suspects_rather_than_whom_it_trusts() -> None:
    """Among three there is one saboteur at most, so that both others are certainly diggers."""
    for suspect, trusted in ((1, 2), (2, 1)):
        lines = (f"{suspect} drop EW", f"{suspect} drop EW", f"{trusted} EW@1,0", f"{trusted} EW@2,0", "0 EW@3,0")
        assert sabotaging(("-P", "ne", "map"), 3, *lines, players=3) == f"-P>{suspect}"


def test_a_saboteur_frees_a_fellow_who_is_found_out_but_nobody_else() -> None:
    for seat, freed in ((1, True), (2, False)):
        lines = ("2 EW@1,0", "3 EW@2,0", "1 -L>2", "2 EW@3,0", "3 EW@4,0", "1 -L>3", "0 ew@0,1")
        found = chosen("S", ("+P", "NE"), *lines, maze=path(4), broken=(1 << seat, 0, 0))
        assert (found == f"+P>{seat}") is freed


def test_a_rock_fall_of_a_saboteur_falls_where_few_cards_close_the_gap() -> None:
    """Between two dead ends only a crossing does."""
    walled = {**path(5).cards, (2, 0): "NESW", (2, 1): "ns", (2, -1): "ns"}
    assert chosen("S", ("rock", "NE"), "0 EW@1,0", maze=survey(walled)) == "rock@2,0"


def assert_sensible(effort: float, deals: int) -> None:
    """Check every bound for all tables together. Each number of players adds its own share to the upper limit."""
    together: Counter[str] = Counter()
    most: defaultdict[str, float] = defaultdict(float)
    for players in behaviour.PLAYERS:
        counts: Counter[str] = Counter()
        for deal in range(deals):
            counts.update(behaviour.behaviour(behaviour.Match(players, deal, Level.EXPERT, effort)))
        together.update(counts)
        for bound in behaviour.BOUNDS:
            most[bound.counted] += behaviour.high(bound, players) * counts[bound.of]
    for bound in behaviour.BOUNDS:
        counted = together[bound.counted]
        assert bound.low * together[bound.of] <= counted <= most[bound.counted], (bound.what, together)
    assert 3 <= together["missing at a strike"] / together["strikes"] <= 5.5


def test_experts_among_themselves_behave_like_sensible_people() -> None:
    assert_sensible(0.005, 4)


@pytest.mark.soak
def test_experts_behave_like_sensible_people_in_many_matches() -> None:
    assert_sensible(0.1, 20)


def test_who_asks_from_outside_may_tell_the_lines_as_texts() -> None:
    state: Any = GAMES["saboteur"].new_initial_state(5)
    rng = Random(4)
    lines, texts = list[Played[Any]](), list[Played[Any]]()
    for _ in range(40):
        player = state.current_player
        if player == CHANCE:
            action = state.sample_chance(rng)
        else:
            action = rng.choice(state.legal_actions(player))
            told = SaboteurJudgement(state, texts).suspected
            assert told == SaboteurJudgement(state, lines).suspected
        lines.append(Played(player, state.seen_by(None, player, action)))
        texts.append(Played(player, state.line_for(None, player, action)))
        state = state.child(player, action)
    assert len(set(told)) > 1
