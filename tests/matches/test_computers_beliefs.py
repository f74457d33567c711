"""What can be believed of the players of Saboteur: by what everybody sees, and never too much at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log as ln
from random import Random
from typing import Any

import pytest

from benchmarks.strength.by_sides import Plain
from games.core import CHANCE, Played
from games.log import Course, Header, Line
from games.saboteur import SaboteurState
from games.saboteur.actions import Dig, LookAt
from games.saboteur.components import DIGGER, FINISH, ROLES, SABOTEUR
from matches.computers.judgements.saboteur import SaboteurJudgement
from matches.computers.judgements.saboteur.roles import HABITS, MOST, Beliefs, Known
from matches.computers.judgements.saboteur.turns import FACTS, GROUPS, Deed, Seen, Turn
from tests.matches.test_review_rounds import sensible

Lines = list[tuple[int, Any]]


def turns(players: int, lines: tuple[Line, ...] | None = None) -> Iterator[tuple[SaboteurState, Lines]]:
    """The positions of a match, by default of sensible players, in which it is somebody's turn.

    Each comes with the lines before it.
    """
    course, log = Course.begin(Header("saboteur", players)), Lines()
    for line in lines or sensible(players):
        state = course.state
        assert isinstance(state, SaboteurState)
        if line.player != CHANCE and state.due == "turn":
            yield state, list(log)
        log.append((line.player, state.string_to_action(line.player, line.text)))
        course = course.after(line, trusted=True)


def at_random(players: int, seed: int) -> tuple[Line, ...]:
    """The lines of a round in which everybody plays at random."""
    rng, course, lines = Random(seed), Course.begin(Header("saboteur", players)), list[Line]()
    while not vars(course.state)["decided"]:
        state, player = course.state, course.state.current_player
        action = state.sample_chance(rng) if player == CHANCE else rng.choice(state.legal_actions(player))
        line, course = course.played(player, action)
        lines.append(line)
    return tuple(lines)


def as_seen(state: SaboteurState, log: Lines, viewer: int | None) -> list[Played[Any]]:
    return [Played(player, state.seen_by(viewer, player, action)) for player, action in log]


@pytest.mark.parametrize("players", [3, 5, 10])
def test_no_turn_changes_any_odds_by_more_than_a_factor(players: int) -> None:
    """Neither a spectator's nor a digger's, whoever plays: computers, or somebody who does anything at all."""
    largest = 0.0
    for lines in (sensible(players), at_random(players, 1)):
        digger = lines[0].text.removeprefix("roles ").index(DIGGER)
        for viewer in (None, digger):
            before, old = list[float](), 0
            for state, log in turns(players, lines):
                # Without what this digger's maps have shown, since that isn't what a turn says.
                known = None if viewer is None else Known(range(3), viewer, DIGGER)
                chances = Beliefs.of(state, as_seen(state, log, None)).saboteurs(known)
                now = [log_odds(each) for seat, each in enumerate(chances) if seat != viewer]
                shown = sum(cell in state.maze.cards for cell in FINISH)
                # Nor is what a finish card shows that is turned up.
                if before and shown == old:
                    largest = max(largest, *(abs(new - last) for last, new in zip(before, now, strict=True)))
                before, old = now, shown
    assert ln(2) < largest < ln(MOST) + 1e-6


def log_odds(chance: float) -> float:
    return ln(chance / (1 - chance))


def check_imagined(players: int, every: int, worlds: int) -> None:
    """Check at every so many turns that what is believed is the same in all worlds that look alike."""
    rng, others = Random(5), 0
    for number, (state, log) in enumerate(turns(players)):
        if number % every:
            continue
        actions = state.legal_actions(state.current_player)
        for viewer in (None, state.current_player):
            lines = as_seen(state, log, viewer)
            told = believed(state, lines, viewer, actions)
            for _ in range(worlds):
                other = state.resample_from_infostate(viewer, rng)
                others += other.roles != state.roles
                assert believed(other, lines, viewer, actions) == told
    assert others


def believed(state: SaboteurState, lines: list[Played[Any]], viewer: int | None, actions: Sequence[Any]) -> Any:
    """What a viewer can believe, what these actions would tell everybody, and a player's choice.

    For a player these are the beliefs of their computer, and those that it ascribes to the table.
    """
    if viewer is None:
        beliefs = Beliefs.of(state, lines)
        return beliefs.saboteurs(), beliefs.treasures(), beliefs.told(state.current_player, actions)
    judgement = SaboteurJudgement(state, lines)
    told = judgement._beliefs.suspicions(Known.by(state, viewer)), judgement._beliefs.told(viewer, actions)
    return judgement.suspected, judgement._exposed(), told, judgement.planned(Random(1))


@pytest.mark.parametrize("players", [3, 7])
def test_beliefs_and_bluffs_are_the_same_in_every_world_that_looks_alike(players: int) -> None:
    check_imagined(players, 12, 20)


@pytest.mark.soak
@pytest.mark.parametrize("players", [3, 5, 7, 10])
def test_beliefs_and_bluffs_are_the_same_in_200_worlds_at_each_turn(players: int) -> None:
    check_imagined(players, 1, 200)


def test_what_an_action_would_tell_is_what_it_tells() -> None:
    for lines in (sensible(3), at_random(5, 2)):
        before: tuple[Any, dict[Any, float], float] | None = None
        for state, log in turns(lines[0].text.index("/") - len("roles "), lines):
            beliefs = Beliefs.of(state, as_seen(state, log, None))
            if before and log[-1][1] in before[1] and not isinstance(log[-1][1], LookAt | Dig):
                seat, told, old = before[0], before[1], before[2]
                assert beliefs.suspicions()[seat] - old == pytest.approx(told[log[-1][1]])
            seat = state.current_player
            before = seat, dict(beliefs.told(seat, state.legal_actions(seat))), beliefs.suspicions()[seat]


def test_a_digger_avoids_what_looks_like_sabotage() -> None:
    """Where it changes what they do that the table sees it, they look more like a digger."""
    changed = 0
    for state, log in turns(5, at_random(5, 9)):
        seat = state.current_player
        if state.roles[seat] == DIGGER:
            lines = as_seen(state, log, seat)
            seen, unseen = (kind(state, lines).planned(Random(1)) for kind in (SaboteurJudgement, Plain))
            told = Beliefs.of(state, lines).told(seat, (seen, unseen))
            assert told[seen] < told[unseen] or seen == unseen
            changed += seen != unseen
    assert changed


def test_a_discard_says_the_same_whatever_was_discarded() -> None:
    """A player sees their own discards, but the table doesn't."""
    for state, log in turns(5):
        seat = state.current_player
        own, table = (Beliefs.of(state, as_seen(state, log, viewer)) for viewer in (seat, None))
        assert own.saboteurs() == table.saboteurs()


def test_before_the_first_turn_everybody_is_as_likely_a_saboteur_as_the_role_cards_say() -> None:
    for players, roles in ROLES.items():
        assert Beliefs(Seen(players)).saboteurs() == pytest.approx([roles.count(SABOTEUR) / (players + 1)] * players)


def test_a_round_can_be_watched_from_the_middle() -> None:
    """What everybody sees there is the same. Only who did what before is missing."""
    for state, log in list(turns(4))[:20:5]:
        whole, part = Beliefs.of(state, as_seen(state, log, None)).seen, Seen.begin(state)
        for field in ("maze", "_broken", "_looked", "_hands", "_stock", "_unseen"):
            assert getattr(whole, field) == getattr(part, field), field


def test_every_deed_is_in_one_group_and_all_that_is_possible_adds_up() -> None:
    assert sorted(deed for group in GROUPS for deed in group) == list(Deed)
    rng = Random(1)
    for _ in range(5):
        facts = rng.getrandbits(FACTS)
        chances = [HABITS.chances(Turn(deed, facts)) for deed in Deed]
        for side in (0, 1):
            for kind in range(len(HABITS.kinds)):
                assert sum(each[side][kind] for each in chances) == pytest.approx(1, abs=0.01)
    assert sum(HABITS.kinds) == pytest.approx(1)
