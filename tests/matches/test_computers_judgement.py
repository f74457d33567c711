"""What the computers know of each game beyond its rules."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from games.abissal import AbissalState
from games.abissal.actions import HIDDEN_HAND, PASS, Deal, play_of
from games.abissal.components import CARDS, Strength, mask_of
from games.ambush.actions import Place
from games.ambush.components import SQUARES
from games.core import CHANCE, HIDDEN, Played, Stage
from games.gambo import GamboState
from games.gambo.actions import Duel
from games.log import Header, initial_state
from games.saboteur import SaboteurState
from games.saboteur.actions import Dig, Drop, Roles, string_to_action
from games.saboteur.board import survey
from games.saboteur.components import DIGGER, FINISH, ROLES, SABOTEUR
from matches.computers.judgement import Judgement
from matches.computers.judgements.abissal import AbissalJudgement, passes, turns
from matches.computers.judgements.abissal.playing import EXACT, reply_from
from matches.computers.judgements.abissal.stakes import stakes
from matches.computers.judgements.ambush import captures
from matches.computers.judgements.gambo import GamboJudgement, likely_lead, promise
from matches.computers.judgements.saboteur import Front, SaboteurJudgement, believed
from matches.computers.judgements.saboteur.roles import Beliefs, Known, possible_roles
from matches.computers.levels import Level
from matches.computers.thinking import answer, judgement_of
from tests.conformance.matches import Setup
from tests.games.material import material
from tests.matches.imagined import decisions, question

SABOTEUR_5 = Setup("saboteur", 5)


def sensible(setup: Setup, seed: int) -> Iterator[Any]:
    """The positions of a match in which everybody plays the judgement's first choice."""
    rng = Random(seed)
    state: Any = initial_state(setup.header())
    while not state.is_terminal:
        yield state
        player = state.current_player
        if player == CHANCE:
            action = state.sample_chance(rng)
        else:
            judgement = judgement_of(setup.key)(state.resample_from_infostate(player, rng))
            action = state.default_action() or judgement.reply(state, rng)
        state = state.child(player, action)


# Ambush


def test_captures_at_stake_are_those_that_placements_make() -> None:
    compared = 0
    for state, _ in decisions(Setup("ambush", 2), 4):
        if state.pending:
            continue
        player = state.current_player
        made = {}
        for action in state.legal_actions(player):
            if isinstance(action, Place):
                gain = state.child(player, action).returns()[player] - state.returns()[player]
                if gain:
                    made[action.size, SQUARES.index(action.square)] = gain
        assert captures(state)[player] == made
        compared += len(made)
    assert compared > 5


def test_an_easy_computer_turns_no_coaster_that_captures_its_own_pyramids() -> None:
    tried = 0
    for seed in range(8):
        for state, log in decisions(Setup("ambush", 2), seed):
            player = state.current_player
            actions = state.legal_actions(player)
            lead = state.returns()[player] - state.returns()[1 - player]
            after = {state.action_to_string(action): state.child(player, action).returns() for action in actions}
            losing = {text for text, points in after.items() if points[player] - points[1 - player] < lead}
            if 0 < len(losing) < len(actions):
                judgement = judgement_of("ambush")(state)
                thrown = {state.action_to_string(each) for each in actions if judgement.throws_away(each)}
                assert {text for text in thrown if text not in losing and text[0] != "L"} == set()
                assert losing <= thrown
                assert answer(question(state, log, level=Level.EASY, effort=0.1)) not in losing
                tried += 1
    assert tried > 5


# FOUND V13
def test_below_hard_no_computer_leaves_a_large_pyramid_where_it_is_taken_at_once() -> None:
    tried = 0
    for seed in range(1):
        for state, log in decisions(Setup("ambush", 2), seed):
            player, actions = state.current_player, state.legal_actions(state.current_player)
            judgement = judgement_of("ambush")(state)
            thrown = [each for each in actions if judgement.throws_away(each)]
            large = [each for each in thrown if isinstance(each, Place) and each.size == "L"]
            if not large or len(thrown) == len(actions):
                continue
            for action in large:
                child = state.child(player, action)
                lead = state.returns()[player] - state.returns()[1 - player]
                answers = (child.child(1 - player, each).returns() for each in child.legal_actions(1 - player))
                assert min(points[player] - points[1 - player] for points in answers) <= lead - 3
            for level in (Level.EASY, Level.NORMAL):
                said = answer(question(state, log, level=level, effort=0.02))
                assert said not in [state.action_to_string(each) for each in large]
            tried += 1
    assert tried > 3


# Gambo


def test_a_duel_is_judged_by_what_it_brings() -> None:
    ranked = 0
    for state, _ in decisions(Setup("gambo", 2), 3):
        actions = state.legal_actions(state.current_player)
        duels = [action for action in actions if isinstance(action, Duel)]
        opinions = GamboJudgement(state).opinions(state, duels)
        gains = [gain_of(state, duel) for duel in duels]
        assert sorted(gains) == [gain for _, gain in sorted(zip(opinions, gains, strict=True))]
        ranked += len(duels) > 1
    assert ranked > 3


def gain_of(state: GamboState, duel: Duel) -> float:
    """The points of a duel, as a difference, without the bonus for the last one."""
    fought = state.child(state.current_player, duel).duels[-1]
    return fought.points if fought.winner == state.current_player else -fought.points


def test_pieces_that_are_left_are_worth_what_they_would_win_from_each_other() -> None:
    assert promise(("E3", "C2")) == 6
    assert promise(("C2", "E3")) == -6
    assert promise(("E2", "E3", "", "", "M1", "M1")) == (-6 - 2 + 3 + 0) / 2
    assert promise(("", "", "", "")) == 0


def test_a_lead_in_gambo_is_seen_alike_from_both_sides() -> None:
    seen = set()
    for state, _ in decisions(Setup("gambo", 2), 3):
        lead = likely_lead(state)
        swapped = state.evolve(
            sides=state.sides[::-1], scores=state.scores[::-1], current_player=1 - state.current_player
        )
        assert likely_lead(swapped) == pytest.approx(-lead)
        seen.add(lead > 0)
        first, second = GamboJudgement(state).values(state)
        assert first + second == 1
        assert (first > 0.5) == (lead > 0)
    assert seen == {True, False}


def test_the_exact_search_is_asked_in_gambo_when_few_pieces_wait() -> None:
    asked = [GamboJudgement(state).may_settle() for state, _ in decisions(Setup("gambo", 2), 3)]
    assert asked == sorted(asked)
    assert not asked[0]
    assert asked[-1]


def test_an_easy_computer_attacks_nobody_who_is_stronger_as_long_as_there_is_anything_else_to_do() -> None:
    tried = 0
    for state, log in decisions(Setup("gambo", 2), 4):
        losing = {
            state.action_to_string(action)
            for action in state.legal_actions(state.current_player)
            if isinstance(action, Duel) and gain_of(state, action) < 0
        }
        if losing and len(losing) < len(state.legal_actions(state.current_player)):
            asked = question(state, log, level=Level.EASY, effort=1.0)
            assert answer(asked) not in losing
            tried += 1
    assert tried > 5


# Ambiente Abissal


def fewest_leads(cards: frozenset[str]) -> int:
    """The result of `turns`, found by trying every pair."""
    if not cards:
        return 0
    one, *others = sorted(cards)
    pairs = [card for card in others if card[0] == one[0] or card[1] == one[1]]
    rest = cards - {one}
    return 1 + min([fewest_leads(rest), *(fewest_leads(rest - {card}) for card in pairs)])


def test_the_turns_that_a_hand_needs_are_counted_as_by_trying() -> None:
    rng = Random(4)
    for size in (1, 2, 3, 5, 8, 8, 8):
        for _ in range(12):
            cards = rng.sample(CARDS, size)
            assert turns(mask_of(cards)) == fewest_leads(frozenset(cards)), cards


def test_samples_mostly_lead_the_weakest_cards_that_save_a_turn() -> None:
    hand, rng = mask_of(["G1", "G2", "O2", "O3"]), Random(1)
    led = Counter(reply_from((hand, hand), 0, None, PASS, rng) for _ in range(100))
    assert led[play_of(mask_of(["G1", "G2"]))] > 60
    assert led[play_of(mask_of(["G2", "O2"]))] < 20


def test_samples_take_the_trick_if_they_could_go_out_next_and_else_keep_what_is_dear() -> None:
    led, rng = play_of(mask_of(["G1"])), Random(1)

    def often(follows: str, *hand: str, others: int = 11) -> int:
        hands = (mask_of(hand), mask_of(CARDS[:others]))
        plays = Counter(reply_from(hands, 0, Strength.OPEN, led, rng) for _ in range(100))
        return plays[play_of(mask_of([follows]))]

    assert often("P5", "P5", "Y2", "T2") > 80
    assert often("T2", "P5", "Y2", "T2", "Y4", "B1") > 80
    assert often("B5", "P6", "P5", "B6", "B5") == 0
    assert often("B5", "P6", "P5", "B6", "B5", others=4) > 80


@pytest.mark.parametrize("players", [2, 3])
def test_a_sample_of_abissal_goes_as_positions_would(players: int) -> None:
    compared = 0
    for deal in range(3):
        for state, _ in islice(decisions(Setup("abissal", players), deal), 60):
            judgement = AbissalJudgement(state)
            world: Any = judgement.world(Random(deal))
            for action in world.legal_actions(world.current_player)[::5]:
                by_positions = Judgement.sample(judgement, world, action, Random(2))
                assert judgement.sample(world, action, Random(2)) == by_positions
                compared += 1
    assert compared > 100


def test_the_end_of_a_round_is_won_by_whom_trying_everything_says() -> None:
    won = Counter[bool]()
    for deal in range(12):
        for state, _ in decisions(Setup("abissal", 2), deal):
            if sum(hand.bit_count() for hand in state.hands) > 7:
                continue
            judgement = AbissalJudgement(state)
            actions = state.legal_actions(state.current_player)
            judgement.positions = 3000
            worlds = islice(judgement.ends(actions, Random(1)), 4)
            for number, (_, values) in enumerate(worlds):
                found = [
                    wins(judgement.worlds[number].child(state.current_player, action), judgement) for action in actions
                ]
                assert found == [bool(value) for value in values]
                won.update(found)
        if min(won[True], won[False]) > 100:
            return
    raise AssertionError(won)


def test_a_sample_stops_where_the_end_is_known() -> None:
    found = 0
    for deal in range(12):
        for state, _ in decisions(Setup("abissal", 2), deal):
            if state.strength is None or sum(hand.bit_count() for hand in state.hands) > EXACT[2] - 1:
                continue
            judgement = AbissalJudgement(state)
            judgement.positions = 1
            values = {judgement.sample(state, PASS, Random(seed)) for seed in range(5)}
            assert values == {float(wins(state.child(state.current_player, PASS), judgement))}
            found += 1
    assert found > 10


def wins(state: AbissalState, judgement: AbissalJudgement) -> bool:
    """Whether the judgement's player wins the round if both know all cards and try everything."""
    if judgement.is_decided(state):
        return state.results[-1].places[0] == judgement.player
    mover = state.current_player
    after = (wins(state.child(mover, action), judgement) for action in state.legal_actions(mover))
    return any(after) if mover == judgement.player else all(after)


def test_two_players_have_as_many_worlds_as_ways_to_lay_cards_aside() -> None:
    state = next(state for state, _ in decisions(Setup("abissal", 2), 1))
    assert isinstance(state, AbissalState)
    judgement, rng = AbissalJudgement(state), Random(1)
    for _ in range(1000):
        world = judgement.world(rng)
        assert world.hands[state.current_player] == state.hands[state.current_player]
        assert material(world) == material(state)
    assert len({world.aside for world in judgement.worlds}) == len(judgement.worlds) == 364


def test_a_place_in_the_round_is_worth_what_it_brings_in_the_match() -> None:
    assert stakes((3, 1), (1,)) == (0.0, 1.0)
    assert stakes((0, 0, 0), (0, 1)) == stakes((0, 0, 0), (0, 1, 2))
    first, second, third = stakes((0, 0, 0), (0, 1))
    assert first > second > third
    assert first + second + third == pytest.approx(1.5)
    # Seat 1 has five points, so any second place ends the match. Seat 0 wins with the first place.
    assert stakes((4, 5, 2), (0, 1)) == (1.0, 0.5, 0.0)
    assert stakes((4, 5, 2), (0, 2)) == (1.0, 0.5, 0.0)
    assert stakes((4, 5, 2), (1, 0)) == (0.5, 1.0, 0.0)
    # Equal totals: the better place of the round decides, and the points tie for the others.
    assert stakes((4, 5, 0), (0, 1)) == (1.0, 0.5, 0.0)
    assert stakes((2, 2, 4), (2, 0)) == (0.5, 0.0, 1.0)
    assert stakes((5, 1, 1), (1, 2))[1] > stakes((5, 1, 1), (2, 1))[1]


def test_the_last_card_is_played_where_it_can_be() -> None:
    found = 0
    for seed in range(12):
        for state, log in decisions(Setup("abissal", 2), seed):
            if state.hands[state.current_player].bit_count() == 1:
                found += 1
                assert answer(question(state, log, level=Level.EXPERT)) != "pass"
    assert found > 5


def test_what_somebody_held_when_they_passed_is_what_they_hold_now_and_what_they_have_laid_since() -> None:
    compared = 0
    for players in (2, 3):
        state: Any = initial_state(Setup("abissal", players).header())
        rng, log, passed = Random(players), list[tuple[int, Any]](), list[tuple[int, Any, int]]()
        while len(state.results) < 2:
            player = state.current_player
            if player == CHANCE:
                action = state.sample_chance(rng)
                passed.clear()
            else:
                mine: Any = question(state, log)
                truth = [each for each in passed if each[0] != player]
                found = passes(mine.position, mine.lines)
                assert [(each.seat, each.last) for each in found] == [(seat, last) for seat, last, _ in truth]
                assert [state.hands[each.seat] | each.later for each in found] == [hand for *_, hand in truth]
                compared += len(found)
                action = rng.choice(state.legal_actions(player))
                if not action.cards:
                    passed.append((player, state.trick[-1][1], state.hands[player]))
            log.append((player, action))
            state = state.child(player, action)
    assert compared > 50


def test_a_hand_with_which_somebody_would_have_followed_is_drawn_less_often() -> None:
    """Seat 0 led a three, so whoever passed probably holds nothing that beats it in suit or number."""
    state: Any = initial_state(Setup("abissal", 2).header())
    weak, strong = mask_of(["O1", "O2", "Y1"]), mask_of(["P5", "B5", "T5"])
    mine = mask_of(["T3", "Y3"])
    rest = mask_of(["O3", "O4", "B1"])
    lines: list[Any] = [Played(CHANCE, Deal((mine, HIDDEN_HAND))), Played(0, play_of(mask_of(["T3"]))), Played(1, PASS)]
    state = state.evolve(
        hands=(mask_of(["Y3"]), weak), aside=strong | rest, gone=mask_of(["T3"]), leader=0, current_player=0
    )
    plain, knowing = AbissalJudgement(state), AbissalJudgement(state, lines)
    share = [
        sum(bool(judgement.world(rng).hands[1] & strong) for rng in map(Random, range(300))) / 300
        for judgement in (plain, knowing)
    ]
    assert share[0] > 0.7
    assert 0.3 < share[1] < 0.65


def test_only_an_expert_goes_by_what_was_passed_on() -> None:
    remembering = {level for level in Level if AbissalJudgement.strengths[level].recalls}
    assert remembering == {Level.EXPERT}
    changed = Counter[Level]()
    positions = (taken for deal in (6, 7, 8) for taken in islice(decisions(Setup("abissal", 2), deal), 6, 60, 3))
    for state, log in positions:
        for level in Level:
            recalled, forgotten = (answer(question(state, each, 1, level, 0.01)) for each in (log, ()))
            changed[level] += recalled != forgotten
        if changed[Level.EXPERT] > 1:
            break
    assert changed[Level.EXPERT] == changed.total() > 1


# Saboteur


def first_turn(seat: int = 0, seed: int = 1, players: int = 5) -> SaboteurState:
    """A position before the first turn, in which it is the turn of `seat`."""
    state: Any = initial_state(Setup("saboteur", players).header())
    rng = Random(seed)
    while state.current_player == CHANCE:
        state = state.child(CHANCE, state.sample_chance(rng))
    assert isinstance(state, SaboteurState)
    return state.evolve(current_player=seat)


def test_a_path_card_is_judged_by_how_near_it_brings_the_path() -> None:
    front = Front(first_turn().maze, FINISH)
    nearer, same, blocked = (front.after(Dig(piece, (1, 0))) for piece in ("EW", "NW", "ew"))
    assert nearer < front.distance
    assert nearer < same < blocked or nearer < same == blocked


def test_an_end_counts_from_where_a_card_can_lead_on() -> None:
    open_end = survey({(0, 0): "NESW", (1, 0): "EW"})
    walled = survey({**open_end.cards, (3, 0): "NS", (2, 1): "EW"})
    straight, detour = (Front(maze, ((8, 0),)) for maze in (open_end, walled))
    assert straight.after(Dig("EW", (2, 0))) < straight.distance
    assert detour.distance > straight.distance


def test_a_card_that_fills_the_gap_of_a_rock_fall_brings_back_all_the_path_behind_it() -> None:
    whole = survey({(x, 0): "NESW" for x in range(6)})
    front = Front(whole.remove((2, 0)), FINISH)
    assert front.missing > 2
    assert front.missing_after(Dig("EW", (2, 0))) == Front(whole, FINISH).missing == 2
    assert front.missing_after(Dig("NW", (2, 0))) > 2
    assert front.after(Dig("EW", (2, 0))) < front.after(Dig("NE", (1, 1)))


def test_the_odds_follow_the_path_and_what_is_held_for_and_against_it() -> None:
    state = digger_knows()
    goal = FINISH[state.goals.index("T")]
    near = state.evolve(maze=survey({(0, 0): "NESW", **{(x, 0): "NESW" for x in range(1, 6)}}))

    def odds(at: SaboteurState) -> float:
        return SaboteurJudgement(state).values(at)[0]

    assert goal not in near.maze.cards
    assert odds(near) > odds(state)

    def holding(*cards: str) -> SaboteurState:
        seats = zip(state.roles[:-1], state.hands, strict=True)
        return near.evolve(hands=tuple(cards if role == SABOTEUR else hand for role, hand in seats))

    assert odds(holding("rock", "-P")) < odds(holding("map", "+P"))
    late = near.evolve(drawn=len(near.stock), hands=tuple(hand[:1] for hand in near.hands))
    assert odds(late) < odds(near)


def test_an_easy_computer_errs_but_throws_nothing_away() -> None:
    """They break none of their own tools and discard no useful map. Easy ones overlook what experts see."""
    state = digger_knows()
    foolish = state.evolve(hands=(("-P", "EW", "NESW", "map"), *state.hands[1:]))
    several = state.evolve(hands=(("-P", "EW", "NESW", "NW"), *state.hands[1:]))
    surest = {}
    for level in Level:
        chosen = {answer(question(foolish, (), seed, level, 0.02)) for seed in range(40)}
        assert not chosen & {"-P>0", "drop map"}
        taken = Counter(answer(question(several, (), seed, level, 0.02)) for seed in range(40))
        surest[level] = max(taken.values())
    assert surest[Level.EASY] < surest[Level.EXPERT]


def wins_the_round(state: SaboteurState, action: Dig) -> bool:
    """Whether it reaches the treasure. False if the round only ends because it was the last card."""
    after = state.child(state.current_player, action)
    return len(after.decided) > len(state.decided) and after.decided[-1].winners == DIGGER


def test_a_digger_who_can_reach_the_treasure_that_they_have_seen_does_so() -> None:
    found = 0
    for seed in range(40):
        for state in sensible(SABOTEUR_5, seed):
            player = state.current_player
            if player == CHANCE or state.stage is Stage.SERIES or state.roles[player] != DIGGER:
                continue
            wins = [
                state.action_to_string(action)
                for action in state.legal_actions(player)
                if isinstance(action, Dig) and wins_the_round(state, action)
            ]
            if wins and len(believed(state, player)) == 1:
                found += 1
                assert answer(question(state, level=Level.EXPERT)) in wins
        if found >= 5:
            return
    raise AssertionError("too few such positions")


def test_the_highest_gold_card_is_taken() -> None:
    found = 0
    for seed in range(10):
        for state in sensible(SABOTEUR_5, seed):
            if state.stage is Stage.SERIES and state.current_player != CHANCE:
                found += 1
                assert answer(question(state)) == f"take {max(state.decided[-1].passing)}"
    assert found > 5


@pytest.mark.parametrize(
    ("lines", "suspect"),
    [
        (["1 EW@1,0", "2 ew@2,0"], 2),
        (["1 EW@1,0", "2 rock@1,0"], 2),
        (["1 EW@1,0", "2 -P>1"], 2),
        (["1 ew@1,0", "2 -P>1"], 1),
        (["1 -P>0", "2 +P>0"], 1),
    ],
)
def test_whoever_harms_the_path_or_its_friends_is_suspected(lines: list[str], suspect: int) -> None:
    state = digger_knows()
    said = [ROLES_DEALT, *(done(int(line[0]), line[2:]) for line in lines)]
    found = Beliefs.of(state, said).suspicions(Known.by(state, 0))
    assert max(range(5), key=found.__getitem__) == suspect
    assert found[suspect] > found[3] == 0


ROLES_DEALT = Played(CHANCE, Roles(HIDDEN))


def done(seat: int, text: str) -> Played[Any]:
    """What a seat has done openly."""
    return Played(seat, string_to_action(seat, text))


def digger_knows() -> SaboteurState:
    """A position in which it is the turn of seat 0, a digger."""
    return first_turn().evolve(roles="DDSDSDD"[:6])


def test_what_was_done_before_the_roles_were_dealt_again_is_forgotten() -> None:
    lines = [ROLES_DEALT, done(1, "ew@1,0"), ROLES_DEALT, Played(2, Drop(HIDDEN))]
    beliefs = Beliefs.of(digger_knows(), lines)
    assert [number for number, each in enumerate(beliefs.suspicions()) if each] == [2]


def test_every_way_in_which_the_roles_can_lie_is_thought_of() -> None:
    roles, weights = possible_roles(5, [0.0] * 5, Known((), 0, DIGGER))
    assert len(set(roles)) == len(roles) == 10
    assert {"".join(sorted(each)) for each in roles} == {ROLES[5]}
    assert {each[0] for each in roles} == {DIGGER}
    assert len(set(weights)) == 1


def test_worlds_in_which_a_suspect_is_a_saboteur_are_drawn_more_often() -> None:
    lines = [ROLES_DEALT, done(1, "ew@1,0")]
    judgement = SaboteurJudgement(digger_knows(), lines)
    rng = Random(1)
    worlds = [judgement.world(rng).roles for _ in range(300)]
    share = sum(roles[1] == SABOTEUR for roles in worlds) / len(worlds)
    assert share > 0.5
    assert share == pytest.approx(judgement.suspected[1], abs=0.1)
    assert judgement.suspected[1] > judgement.suspected[3]


def test_samples_go_on_after_exact_ends_have_used_up_their_positions() -> None:
    rng = Random(3)
    state: Any = initial_state(Header("abissal", 2))
    while state.is_terminal or sum(hand.bit_count() for hand in state.hands) not in range(6, 9):
        player = state.current_player
        action = state.sample_chance(rng) if player == CHANCE else rng.choice(state.legal_actions(player))
        state = state.child(player, action)
    judgement = AbissalJudgement(state)
    judgement.positions = 10**9
    actions = state.legal_actions(state.current_player)
    world = judgement.world(rng)
    found = judgement.ends(actions, rng)
    next(found)
    judgement._ends.most = judgement._ends.looked
    list(found)
    for seed in range(50):
        assert 0 <= judgement.gauge(world, actions[0], Random(seed)).value <= 1
