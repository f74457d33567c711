"""Reviews of Saboteur: what a spectator could believe, and rules of conduct by what a player could see."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import pytest

from games.core import CHANCE, Played
from games.log import Course, Header, Line
from games.saboteur import SaboteurState
from games.saboteur.actions import card_played, string_to_action
from games.saboteur.board import survey
from games.saboteur.components import DIGGER, ROLES, SABOTEUR
from matches.analysis.broken_rules import EARLY, FRIEND, IGNORED, LATE, THROWN, WASTED, Fault, Watch
from matches.analysis.progress import MOMENTS, VERSIONS
from matches.analysis.rounds import RoundsPlan, as_spectator, plan_of
from matches.computers.judgements.saboteur import SaboteurJudgement
from matches.computers.judgements.saboteur.roles import Beliefs
from matches.computers.judgements.saboteur.turns import Seen
from tests.matches.test_review import TINY, finished


@cache
def sensible(players: int, seed: int = 1, rounds: int = 1, most: int = 999) -> tuple[Line, ...]:
    """The lines of a match in which everybody chooses at random among the actions that their judgement considers."""
    rng, course, lines = Random(f"{players} {seed}"), Course.begin(Header("saboteur", players)), list[Line]()
    seen = list[Played[Any]]()
    while not course.state.is_terminal and len(vars(course.state)["decided"]) < rounds and len(lines) < most:
        state, player = course.state, course.state.current_player
        assert isinstance(state, SaboteurState)
        if player == CHANCE:
            action = state.sample_chance(rng)
        else:
            legal = state.legal_actions(player)
            shown = [Played(line.player, state.seen_by(player, *line)) for line in seen]
            action = rng.choice(SaboteurJudgement(state, shown).candidates(legal) if state.due == "turn" else legal)
        line, course = course.played(player, action)
        lines.append(line)
        seen.append(Played(player, action))
    return tuple(lines)


def plan(players: int, lines: tuple[Line, ...], seats: tuple[int, ...] = ()) -> RoundsPlan:
    made = plan_of(Header("saboteur", players), lines, frozenset(seats), TINY)
    assert isinstance(made, RoundsPlan)
    return made


def test_every_game_can_be_reviewed() -> None:
    assert {"gambo", "ambush", "abissal", "ambagibus", "saboteur"} <= VERSIONS.keys()
    assert not isinstance(plan_of(Header("gambo", 2), (), frozenset()), RoundsPlan)


@pytest.mark.parametrize("players", [3, 5, 10])
def test_what_is_believed_adds_up_to_the_role_cards(players: int) -> None:
    made = plan(players, sensible(players))
    (story,) = made.rounds(finished(made))
    assert len(story.believed) == len(story.odds) == len(story.plies) + 1
    count = ROLES[players].count(SABOTEUR)
    assert story.believed[0] == pytest.approx([count / (players + 1)] * players, abs=0.001)
    for row in story.believed:
        # One card is left over, and may be a saboteur's.
        assert count - 1 - 0.01 <= sum(row) <= count + 0.01
        assert all(0 <= each <= 1 for each in row)
    assert all(0 <= odds <= 1 for odds in story.odds)
    assert story.winners in ("D", "S")
    assert story.odds[-1] == (story.winners == DIGGER)
    assert len(story.parts) == players


def test_what_computers_do_tells_who_they_are() -> None:
    wrong = base = 0.0
    for seed in range(4):
        made = plan(7, sensible(7, seed))
        (story,) = made.rounds(finished(made))
        for chance, role in zip(story.believed[len(story.plies) // 2], story.parts, strict=True):
            wrong += (chance - (role == SABOTEUR)) ** 2
            base += (3 / 8 - (role == SABOTEUR)) ** 2
    assert wrong < base / 2


def other_truth(lines: tuple[Line, ...], seat: int | None) -> tuple[Line, ...]:
    """The same beginning of a round with other roles, finish cards and undrawn cards, and other discards.

    What `seat` knows stays.
    """
    course = Course.begin(Header("saboteur", 4))
    for line in lines:
        course = course.after(line, trusted=True)
    end = course.state
    assert isinstance(end, SaboteurState)
    texts = {line.ply: line.text for line in lines}
    for line in lines:
        if line.text.startswith("roles "):
            held, left = line.text.removeprefix("roles ").split("/")
            cards = list(held + left)
            places = [place for place in range(5) if place != seat]
            turned = [cards[place] for place in (*places[1:], places[0])]
            for place, card in zip(places, turned, strict=True):
                cards[place] = card
            texts[line.ply] = f"roles {''.join(cards[:-1])}/{cards[-1]}"
        elif line.text.startswith("goals "):
            goals = line.text.removeprefix("goals ").split(",")
            hidden = [number for number in range(3) if seat is None or not end.seen[number] >> seat & 1]
            for place, goal in zip(hidden, [goals[number] for number in (*hidden[1:], *hidden[:1])], strict=True):
                goals[place] = goal
            texts[line.ply] = f"goals {','.join(goals)}"
        elif line.text.startswith("deal "):
            hands, stock = line.text.split("|")
            drawn = stock.split(",")
            texts[line.ply] = f"{hands}|{','.join((*drawn[: end.drawn], *reversed(drawn[end.drawn :])))}"
    for line in lines:
        if line.text.startswith("drop ") and line.player != seat:
            # They discard a card that they held to the end, and hold the discarded one.
            card = line.text.removeprefix("drop ")
            before = Course.begin(Header("saboteur", 4))
            for each in lines:
                if each.ply < line.ply:
                    before = before.after(each, trusted=True)
            assert isinstance(before.state, SaboteurState)
            later = {
                card_played(before.state.string_to_action(each.player, each.text))
                for each in lines
                if each.ply > line.ply and each.player == line.player
            }
            kept = [held for held in before.state.hands[line.player] if held != card and held not in later]
            if kept and card not in later:
                texts[line.ply] = f"drop {kept[0]}"
                break
    return tuple(line._replace(text=texts[line.ply]) for line in lines)


@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_equal_sights_give_equal_reviews_whatever_is_hidden(viewer: int | None) -> None:
    """A match that people ended in the middle of a round: its roles stay secret."""
    lines = next(
        lines[:26]
        for lines in (sensible(4, seed, most=27) for seed in range(30))
        if len(lines) == 27 and all("T" not in line.text or line.ply < 4 for line in lines)
    )
    other = other_truth(lines, viewer)
    assert other != lines
    one, two = (plan(4, each, (0, 1, 2, 3)) for each in (lines, other))
    results = [finished(each) for each in (one, two)]
    stories = [each.rounds(found) for each, found in zip((one, two), results, strict=True)]
    assert stories[0] == stories[1]
    assert stories[0][0].parts == stories[0][0].winners == ""
    if viewer is not None:
        assert one.moments(results[0], viewer) == two.moments(results[1], viewer)


def test_what_is_believed_follows_from_what_was_seen_until_then() -> None:
    lines = sensible(3, rounds=2, most=85)
    short = tuple(line for line in lines if line.ply < 20)
    whole, part = (made.rounds(finished(made))[0] for made in (plan(3, lines), plan(3, short)))
    assert whole.believed[: len(part.believed)] == part.believed
    assert whole.odds[: len(part.odds)] == part.odds


def test_a_review_of_rounds_that_is_interrupted_ends_with_the_same_bytes() -> None:
    lines = sensible(3, rounds=2, most=85)
    made = plan(3, lines, (0, 1, 2))
    whole = finished(made)
    assert len(whole) == 2
    results: dict[str, Any] = {}
    shares = []
    while True:
        fresh = plan(3, lines, (0, 1, 2))
        shares.append(fresh.progress(results))
        if fresh.next_step(results) is None:
            break
        results = finished(fresh, json.loads(json.dumps(results)), 1)
    assert json.dumps(results) == json.dumps(whole)
    assert shares == [0, 1 / 2, 1]


def test_of_a_round_that_was_played_on_only_what_follows_is_told() -> None:
    header = Header("saboteur", 4)
    lines = sensible(4, 2, most=16)
    course = Course.begin(header)
    for line in lines:
        course = course.after(line)
    event, course = course.noted(f"branch {course.state.current_player} {'0' * 32}")
    after, rng = [*lines, event], Random(1)
    for _ in range(6):
        player = course.state.current_player
        line, course = course.played(player, rng.choice(course.state.legal_actions(player)))
        after.append(line)
    made = plan(4, tuple(after), (0, 1, 2, 3))
    (story,) = made.rounds(finished(made))
    assert min(story.plies) > event.ply
    assert len(story.plies) == 6
    assert all(fault.decision.ply > event.ply for fault in made.faults(finished(made)))


# The rules of conduct.


def turn(role: str, hand: tuple[str, ...], length: int = 2, **changes: Any) -> SaboteurState:
    """A position of five in which it is the turn of seat 0, with a straight path of this many cards."""
    course = Course.begin(Header("saboteur", 5))
    for line in sensible(5, most=4):
        course = course.after(line)
    state = course.state
    assert isinstance(state, SaboteurState)
    roles = "DSDSDD" if role == "D" else "SDSDDD"
    maze = survey({(x, 0): "NESW" for x in range(length + 1)})
    fields = {"roles": roles, "goals": ("NE", "T", "NW"), "hands": (hand, *state.hands[1:]), "maze": maze}
    return state.evolve(current_player=0, due="turn", **{**fields, **changes})


def told(state: SaboteurState, text: str, own: tuple[str, ...] = (), after: float = 0.9) -> dict[str, Fault]:
    """What the rules of conduct say about an action. `after` is how much the table then suspects its player."""
    watch = Watch(state.roles[:-1], state.players)
    for each in own:
        watch.played(0, string_to_action(0, each))
    beliefs = Beliefs(Seen.begin(as_spectator(state)))
    found = watch.judge(state, Line(30, 0, text), string_to_action(0, text), beliefs)
    watch.note(found, after)
    return {fault.rule: fault for fault in watch.faults()}


FAR = {"length": 0}
KNOWN = {"seen": (0, 1, 0)}
"""Seat 0 has looked at the finish card in the middle, the treasure."""


@pytest.mark.parametrize(
    ("rule", "role", "hand", "text", "changes", "good"),
    [
        (THROWN, "D", ("-P", "EW", "ew", "rock"), "drop EW", {}, "EW@3,0"),
        (THROWN, "S", ("EW", "EW", "NEW", "rock"), "drop rock", FAR, "EW@1,0"),
        (WASTED, "D", ("EW", "map", "ne"), "map@8,2", KNOWN, "EW@3,0"),
        (
            IGNORED,
            "D",
            ("NES", "EW", "ne"),
            "NES@2,2",
            {**KNOWN, "maze": survey({(0, 0): "NESW", (1, 0): "NESW", (2, 0): "NESW", (2, 1): "NESW"})},
            "EW@3,0",
        ),
        (FRIEND, "D", ("-P", "EW", "ne"), "-P>2", {}, "EW@3,0"),
        (EARLY, "S", ("-P", "EW", "ne"), "-P>1", FAR, "EW@1,0"),
        (LATE, "S", ("-P", "EW", "ne"), "drop EW", {"length": 6}, "-P>1"),
    ],
)
def test_each_rule_tells_who_breaks_it_and_nobody_who_keeps_it(
    rule: str, role: str, hand: tuple[str, ...], text: str, changes: dict[str, Any], good: str
) -> None:
    state = turn(role, hand, **changes)
    own = ("drop EW",)
    found = told(state, text, own)
    assert rule in found, found
    assert found[rule].decision.text == text
    better = string_to_action(0, found[rule].better)
    assert better in state.legal_actions(0)
    assert found[rule].better != text
    assert not told(state, good, own), told(state, good, own)
    assert Fault.from_json(json.loads(json.dumps(found[rule].as_json()))).better == found[rule].better


def test_a_friend_is_told_only_after_the_round_and_with_what_was_likely() -> None:
    state = turn("D", ("-P", "EW", "ne"))
    fault = told(state, "-P>2")[FRIEND]
    assert 0.5 < fault.numbers["friend"] < 0.8
    assert FRIEND not in told(state, "-P>1"), "that one was a saboteur"
    undecided = Watch("", 5)
    assert not undecided.judge(
        state, Line(30, 0, "-P>2"), string_to_action(0, "-P>2"), Beliefs(Seen.begin(as_spectator(state)))
    )


def test_an_attack_that_nobody_notices_is_not_too_early() -> None:
    state = turn("S", ("-P", "EW", "ne"), 0)
    assert EARLY not in told(state, "-P>1", ("drop EW",), after=0.35)
    assert told(state, "-P>1", ("drop EW",), after=0.85)[EARLY].weight > 0.4


def test_of_each_rule_the_clearest_case_is_told_and_at_most_three_of_a_seat() -> None:
    watch = Watch("", 5)
    state = turn("D", ("-P", "EW", "ew", "rock"))
    beliefs = Beliefs(Seen.begin(as_spectator(state)))
    for ply in (30, 35, 40):
        watch.note(watch.judge(state, Line(ply, 0, "drop EW"), string_to_action(0, "drop EW"), beliefs), 0.5)
    (fault,) = watch.faults()
    assert (fault.times, fault.decision.ply) == (3, 30)
    made = plan(3, sensible(3, rounds=2, most=85), (0, 1, 2))
    row = fault.as_json()
    stored = {f"round 0 {number}": [[], [], [row, row]] for number in range(2)}
    assert len(made.moments(stored, 0)) == MOMENTS
    assert not made.moments(stored, 1)


def test_computers_keep_the_rules() -> None:
    """They know less than the review about who is a friend, since they remember less."""
    broken = set[str]()
    for seed in range(3):
        made = plan(5, sensible(5, seed), (0, 1, 2, 3, 4))
        results = finished(made)
        broken |= {fault.rule for fault in made.faults(results)}
    assert broken <= {FRIEND}
