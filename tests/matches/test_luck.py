"""Luck apart from play: the figures add up, favour no seat, and follow from what everybody could see."""

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from games.abissal import AbissalState
from games.abissal.actions import Deal, First
from games.abissal.components import DECKS, HAND_SIZE, indices
from games.core import CHANCE, State
from games.log import Course, Header
from matches.analysis import luck
from matches.analysis.outline import final
from matches.analysis.progress import LUCK, Plan
from matches.computers.judgements.abissal import AbissalJudgement
from matches.computers.judgements.abissal.playing import played_on
from matches.computers.judgements.abissal.stakes import ODDS, leads_ahead
from matches.computers.judgements.abissal.turns import strength_of
from matches.computers.thinking import judgement_of
from tests.matches.test_review import finished, played

SETUPS = (
    Header("abissal", 2),
    Header("abissal", 3),
    Header("ambagibus", 2, {"variant": "basic"}),
    Header("ambagibus", 2, {"variant": "advanced"}),
    Header("ambagibus", 3, {"variant": "advanced"}),
)
TINY = 0.01
PART = 0.1


def whole(header: Header) -> Plan:
    """The plan of a short match that was played out."""
    logs = (played(header, seed, 300) for seed in range(50))
    plans = (Plan(header, lines, frozenset(), TINY) for lines in logs)
    return next(plan for plan in plans if plan.moves and len(plan.moves) < 150)


@pytest.mark.parametrize("header", SETUPS, ids=str)
def test_the_four_figures_are_the_result(header: Header) -> None:
    plan = whole(header)
    results = finished(plan)
    told = plan.luck(results)
    assert told.worth > 0
    for share in told.shares:
        figures = share[1:5]
        assert sum(figure.value for figure in figures) == pytest.approx(share.result, abs=1e-3)
    assert tuple(share.result for share in told.shares) == final(plan.before(plan.kept[-1].ply + 1)[0])
    if header.players == 2:
        one, other = told.shares
        assert one.start.value == one.start.error == 0
        for first, second in zip(one[1:5], other[1:5], strict=True):
            assert first.value == pytest.approx(-second.value, abs=1e-4)
            assert first.error == pytest.approx(second.error, abs=1e-4)
    # Whatever was interrupted ends with the same bytes.
    again: dict[str, Any] = {}
    while plan.next_step(again) is not None:
        again = finished(Plan(header, plan.lines, plan.seats, TINY), json.loads(json.dumps(again)), 4)
    assert again == results
    # As long as a part is missing, nothing is said.
    last = next(key for key in reversed(results) if key.startswith(LUCK))
    assert plan.luck({key: found for key, found in results.items() if key != last}) is None


def test_nothing_is_said_of_a_match_that_was_not_played_out_or_has_no_luck() -> None:
    for header in SETUPS:
        assert not Plan(header, played(header, 1, 6), frozenset(), TINY).moves
    for key in ("gambo", "ambush"):
        plan = Plan(Header(key, 2), played(Header(key, 2), 1), frozenset(), TINY)
        assert plan.before(len(plan.lines))[0].is_terminal
        assert not plan.moves
        assert plan.luck({}) is None


@pytest.mark.parametrize("header", SETUPS[2:], ids=str)
def test_what_nobody_could_know_changes_nothing(header: Header) -> None:
    course, rng, changed = Course.begin(header), Random(2), 0
    for line in played(header, 5, 9):
        state = course.state
        if line.player >= 0:
            other = state.resample_from_infostate(None, rng)
            changed += other != state
            assert luck.changed(state, line.text, 8) == luck.changed(other, line.text, 8)
        course = course.after(line, trusted=True)
    assert changed > 3


def dealt(hands: tuple[int, ...], leader: int) -> AbissalState:
    state: Any = Course.begin(Header("abissal", len(hands))).state
    state = state.child(CHANCE, Deal(hands)).child(CHANCE, First(leader))
    assert isinstance(state, AbissalState)
    return state


def round_of(state: AbissalState, rng: Random) -> tuple[list[tuple[State[Any], Any]], AbissalState]:
    """The positions of a round with what was done there, at random, and the position after it."""
    lines = list[tuple[State[Any], Any]]()
    while not state.rounds_over:
        action = rng.choice(state.legal_actions(state.current_player))
        lines.append((state, action))
        state = state.child(state.current_player, action)
    return lines, state


def told_of(state: AbissalState, start: luck.Rows, rng: Random, worlds: int) -> luck.Luck:
    """The luck, apart from play, of a round that is played at random from this position."""
    lines, end = round_of(state, rng)
    assert state.leader is not None
    result = leads_ahead(end.scores, 1, state.leader)
    rows = [luck.changed(each, each.action_to_string(action), worlds, PART) for each, action in lines]
    return luck.apart(result, start, rows)


CARDS = sorted(indices(DECKS[2]), key=lambda card: strength_of(1 << card))
WEAK, STRONG = (sum(1 << card for card in cards) for cards in (CARDS[:HAND_SIZE], CARDS[-HAND_SIZE:]))
EQUAL = [[0.0, 0.0, 0.0, 0.0, 10.0]] * 2


def test_where_no_cards_turn_up_there_is_no_luck() -> None:
    for seed in range(3):
        state = dealt((WEAK, STRONG), 0)
        for share in told_of(state, luck.begun(state, False, PART), Random(seed), 150).shares:
            assert abs(share.luck.value) <= 4 * share.luck.error + 1e-5


def test_a_good_hand_is_luck_whoever_has_it() -> None:
    for seed in range(2):
        one = told_of(dealt((STRONG, WEAK), 0), EQUAL, Random(seed), 150).shares[0].luck
        other = told_of(dealt((WEAK, STRONG), 1), EQUAL, Random(seed), 150).shares[1].luck
        assert one.value > 5 * one.error
        # Seats that swap their cards swap their luck.
        assert abs(one.value - other.value) <= 4 * (one.error**2 + other.error**2) ** 0.5 + 1e-5


def test_a_round_is_played_from_its_deal_alone() -> None:
    """Its end counts by what the players then have, and by what they can expect of later rounds."""
    state, played = dealt((STRONG, WEAK), 1), list[AbissalState]()

    def first(each: AbissalState) -> Any:
        played.append(each)
        return each.legal_actions(each.current_player)[0]

    leads = AbissalJudgement(state).after_deal(first)
    end = played[-1].child(played[-1].current_player, first(played[-1]))
    assert end.rounds_over
    assert leads == leads_ahead(end.scores, 1, 1)
    assert AbissalJudgement(played[1]).after_deal(first) is None
    ambagibus = Course.begin(SETUPS[2]).state
    assert judgement_of("ambagibus")(ambagibus).after_deal(first) is None


def test_luck_is_told_only_where_it_is_known() -> None:
    def told(by_luck: float, error: float, rest: float) -> list[bool]:
        rows = [[0.0, 0.0, by_luck, error**2, rest, 0.0], [0.0, 0.0, -by_luck, error**2, -rest, 0.0]]
        return [share.is_known for share in luck.apart((0.0, 0.0), EQUAL, [rows]).shares]

    assert told(3.0, 1.0, 0.5) == [True, True]
    assert told(1.9, 1.0, 0.5) == [False, False]
    assert told(3.0, 1.0, 1.1) == [False, False]
    assert told(0.0, 0.0, 0.0) == [False, False]


def test_a_long_match_costs_no_more_than_a_bound() -> None:
    for lines in (1, 80, 81, 240, 2000):
        assert lines * luck.worlds_for(lines) <= max(luck.MOST_WORLDS, lines * luck.FEWEST)
    assert luck.worlds_for(10) == luck.WORLDS


@pytest.mark.parametrize("players", [2, 3])
def test_the_leader_of_a_round_wins_as_often_as_it_is_written(players: int) -> None:
    rng, deals, found = Random(players), 3000, Counter[tuple[int, ...]]()
    start = Course.begin(Header("abissal", players)).state
    for _ in range(deals):
        state: Any = start.child(CHANCE, start.sample_chance(rng))
        state = state.child(CHANCE, First(0))
        reply = AbissalJudgement(state).reply(state, rng)
        found[tuple(played_on(state, reply, None, rng, for_all=True))] += 1
    assert sum(ODDS[players].values()) == pytest.approx(1)
    for order, chance in ODDS[players].items():
        assert abs(found[order] / deals - chance) < 4.5 * (chance * (1 - chance) / deals) ** 0.5
