"""A hint says why, in what the game counts, and from what its reader knows."""

from __future__ import annotations

import re
from random import Random

import pytest

from cogs.text.reasons import TRIED, why
from games.core import CHANCE
from games.log import Course
from matches.analysis.reasons import About, Reason, reasons
from matches.computers.levels import Level
from matches.computers.thinking import Question, judgement_of, weighed
from render.grammar import YOU
from tests.conformance.matches import SETUPS, Setup


@pytest.mark.parametrize("about", [About.TURNS, About.CARDS, About.PATH])
def test_what_is_done_then_is_not_told_as_nought_of_something(about: About) -> None:
    (said,) = why([Reason(about, 2.0, 0.0)], "point", ("Ann", "Bob"), 0)
    assert not re.search(r"\b0\b", said)


@pytest.mark.parametrize("played", [True, False])
def test_no_reason_is_said_twice(played: bool) -> None:
    """A hand that is gone takes no more turns and has no more cards."""
    found = reasons({"gain": (0.0, 0.0), "turns": (2.0, 0.0), "cards": (5.0, 0.0)}, 0.2, hidden=True)
    said = why(found, "point", ("Ann", "Bob"), 0, played=played)
    assert said == ["It plays the whole hand."]


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_why_follows_from_what_the_player_knows_and_is_said_without_shares(setup: Setup) -> None:
    header, rng, told = setup.header(), Random(4), set[str]()
    course, asked, differed = Course.begin(header), 0, 0
    unit, hidden = judgement_of(header.game).unit, course.state.info.hidden_information
    while not course.state.is_terminal and asked < 6:
        state, player = course.state, course.state.current_player
        action = state.sample_chance(rng) if player == CHANCE else rng.choice(state.legal_actions(player))
        if player >= 0 and len(state.legal_actions(player)) > 1 and rng.random() < 0.3:
            people = tuple(YOU if seat == player else "Bob" for seat in range(state.players))
            said = []
            other = state.resample_from_infostate(player, rng)
            for world in (state, other):
                question = Question(world.resample_from_infostate(player, Random(1)), (), Level.EXPERT, asked, 0.001)
                advice = weighed(question, state.action_to_string(action))
                found = reasons(advice.facts, float(advice.wins), hidden=hidden, equal=True)
                said.append(why(found, unit, people, player, played=False) or [TRIED])
            assert said[0] == said[1]
            assert not any("%" in sentence or ", not " in sentence for sentence in said[0])
            told.update(said[0])
            differed += other != state
            asked += 1
        course = course.played(player, action)[1]
    assert told
    assert differed or not hidden
