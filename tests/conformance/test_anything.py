"""Whatever people type, in any position of any game, is read or refused with a sentence; positions don't change."""

from __future__ import annotations

import os
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.core import CHANCE, ActionError, InvalidAction, Observation, State
from render import RENDERERS
from tests.conformance.checks import seen_by
from tests.conformance.matches import SETUPS, Match, played
from tests.conformance.policies import POLICIES

EXAMPLES = 60 * int(os.environ.get("AMBIT_SEEDS", "1"))
SENTENCE = 400
"""The longest reply to what a person typed."""

matches = st.builds(played, st.sampled_from(SETUPS), st.sampled_from(POLICIES), st.integers(0, 3))
PICTURES = 25 * int(os.environ.get("AMBIT_SEEDS", "1"))
widely = settings(max_examples=EXAMPLES, derandomize=True)


@st.composite
def positions(draw: st.DrawFn) -> State[object]:
    """A position of a played match in which somebody is to move."""
    match: Match = draw(matches)
    moving = [state for state in match.states if state.current_player >= 0]
    return moving[draw(st.integers(0, len(moving) - 1))]


@st.composite
def garbled(draw: st.DrawFn) -> tuple[State[object], str]:
    """A position and a text near one of its actions: cut, doubled, with something strange in it."""
    state = draw(positions())
    texts = [state.action_to_string(action) for action in state.legal_actions(state.current_player)]
    text = draw(st.sampled_from(texts))
    cut = draw(st.integers(0, len(text)))
    return state, draw(st.sampled_from((text[:cut], text[cut:], text[:cut] + draw(st.text(max_size=3)) + text[cut:])))


def check_sentence(told: str) -> None:
    """Check for one short line. A zero-width space keeps typed mentions from pinging anybody."""
    assert told.replace("\u200b", "").isprintable()
    assert 10 < len(told) <= SENTENCE


def answer(state: State[object], text: str) -> None:
    player, before = state.current_player, repr(state)
    try:
        action = state.parse_action(player, text)
    except ActionError as error:
        check_sentence(str(error))
    else:
        assert action in state.legal_actions(player)
    for reader in (player, CHANCE):
        try:
            assert state.action_to_string(state.string_to_action(reader, text)) == text
        except InvalidAction as error:
            check_sentence(str(error))
    assert repr(state) == before


@widely
@given(positions(), st.text(max_size=60))
def test_any_text_is_answered(state: State[object], text: str) -> None:
    answer(state, text)


@widely
@given(garbled())
def test_nearly_right_text_is_answered(near: tuple[State[object], str]) -> None:
    answer(*near)


@widely
@given(matches, st.floats(0, 1), st.integers(0, 2**32), st.data())
def test_at_any_ply_no_viewer_sees_what_they_cannot_know(
    match: Match, when: float, seed: int, data: st.DataObject
) -> None:
    ply = round(when * len(match.lines))
    viewer = data.draw(st.sampled_from(match.viewers))
    state = match.states[ply]
    other = state.resample_from_infostate(viewer, Random(seed))
    true, possible = (seen_by(viewer, match, ply, each, Random(seed)) for each in (state, other))
    assert possible == true


@settings(widely, max_examples=PICTURES)
@given(matches, st.floats(0, 1), st.integers(0, 2**32), st.data())
def test_pictures_and_words_show_nobody_what_they_cannot_know(
    match: Match, when: float, seed: int, data: st.DataObject
) -> None:
    viewer = data.draw(st.sampled_from(match.viewers))
    state = match.states[round(when * len(match.lines))]
    other = state.resample_from_infostate(viewer, Random(seed))
    true, possible = (shown(match, each.observation(viewer)) for each in (state, other))
    assert possible == true


def shown(match: Match, seen: Observation) -> list[object]:
    """Everything that a renderer makes of an observation."""
    renderer = RENDERERS[match.info.key]
    people = tuple(f"Player {seat}" for seat in range(match.header.players))
    words = [renderer.alt_text(seen, people), renderer.text_board(seen, people), renderer.hand_text(seen, people)]
    if seen.last is not None:
        words.append(renderer.say(seen.last, seen, people))
    if seen.outcome is not None:
        words.append(renderer.end_text(seen, people))
    return [*words, renderer.draw(seen, people), renderer.draw_hand(seen, people), renderer.draw_role(seen, people)]
