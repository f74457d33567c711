"""No headline of a picture is cut in the middle of what happened, whatever people are called."""

from typing import Any

import pytest

from games.ambush.state import AmbushState
from games.core import CHANCE, Outcome, State
from render import RENDERERS, People, Style
from render.fonts import ISOLATE, ISOLATE_END
from render.sentences import seats
from tests.conformance.matches import SETUPS, Setup, played
from tests.conformance.policies import random_play

NAMES = (
    "Wolfgangamadeusmozartundbeethove",
    "W" * 32,
    "Bartholomew the Extraordinary IV",
    "Konstantinopolitanischer Dudelsa",
    "勅使河原・長谷川　弥次郎兵衛喜多八之助太郎左衛門尉勅使河原勅使",
    "Mississippi Steamboat Captain 77",
    "M" * 32,
    "Ζωή Παπαδοπούλου της Θεσσαλονίκη",
    "Hippopotamus Rhinoceros Elephant",
    "Christopher Columbus of Genoa 42",
)
assert all(len(name) == 32 for name in NAMES[:4])


def what_happened(state: State[Any]) -> list[str]:
    """The words on the bar of a board that aren't names."""
    seen, draw = state.observation(None), RENDERERS[state.info.key]
    if seen.outcome is not None:
        return seen.outcome.reason.split()
    if seen.last is None:
        return []
    sentence = draw.say(seen.last, seen, seats(state.players))
    return [word for word in sentence.split() if "{" not in word]


def check(setup: Setup, seed: int) -> None:
    """Every board of a match says all of what happened; each sentence is looked at once."""
    known: set[tuple[str, ...]] = set()
    names = (NAMES[seed % 5 :] + NAMES)[: setup.players]
    for state in played(setup, random_play, seed).states[1:]:
        if state.current_player == CHANCE:
            continue
        said = tuple(what_happened(state))
        if said in known:
            continue
        known.add(said)
        assert_told(state, names)


def assert_told(state: State[Any], names: People) -> None:
    """The board says all of what happened."""
    said = what_happened(state)
    canvas = RENDERERS[state.info.key].paint(state.observation(None), names, (), Style(600))
    written = " ".join(placed.text for placed in canvas.labels if placed.y < canvas.px(144))
    missing = [word for word in said if word not in written]
    assert not missing, f"{missing} of {' '.join(said)!r} isn't in {written!r}"


def some_setups(key: str, count: int) -> list[tuple[Setup, int]]:
    """A setup and a seed for each of this many matches of a game, with its setups in turn."""
    setups = [setup for setup in SETUPS if setup.key == key]
    return [(setups[number % len(setups)], number) for number in range(count)]


KEYS = sorted(RENDERERS)


@pytest.mark.parametrize("key", KEYS)
def test_no_headline_is_cut_in_ten_matches(key: str) -> None:
    for setup, seed in some_setups(key, 10):
        check(setup, seed)


@pytest.mark.soak
@pytest.mark.parametrize("key", KEYS)
def test_no_headline_is_cut_in_two_hundred_matches(key: str) -> None:
    for setup, seed in some_setups(key, 200):
        check(setup, seed)


@pytest.mark.parametrize("winners", [(0, 1), (0, 2, 3), tuple(range(10))])
def test_everybody_who_shares_a_victory_is_named_or_counted(winners: tuple[int, ...]) -> None:
    state = played(Setup("saboteur", 10), random_play, 1).states[-1]
    seen = state.observation(None).closed(Outcome(winners, "Six nuggets each."))
    for names in (NAMES, tuple("ABCDEFGHIJ")):
        canvas = RENDERERS["saboteur"].paint(seen, names, (), Style(600))
        head = next(placed.text for placed in canvas.labels if placed.text.endswith(" win"))
        shown = head.replace(ISOLATE, "").replace(ISOLATE_END, "")
        named = all(names[seat][0] in shown for seat in winners)
        assert named or shown == f"{len(winners)} players win"


def test_two_captures_by_a_turn_are_told_whole() -> None:
    """This sentence of Ambush is the longest that isn't shortened to a number, and used to lose its last word."""
    states = played(Setup("ambush", 2), random_play, 22).states
    ambush = [state for state in states if isinstance(state, AmbushState)]
    fallen = [state for state in ambush if len(state.last_captures) == 2 and "paying" in what_happened(state)]
    assert fallen
    for state in fallen:
        for name in NAMES:
            assert_told(state, (name, name))


def test_a_sentence_that_is_cut_would_be_noticed() -> None:
    """A turn of a coaster that captures pyramids makes a long sentence of Ambush: it takes two lines."""
    setup = Setup("ambush", 2)
    state = next(
        state
        for seed in range(20)
        for state in played(setup, random_play, seed).states
        if isinstance(state, AmbushState) and state.last and len(state.last[1]) == 3 and state.last_captures
    )
    draw, said = RENDERERS["ambush"], what_happened(state)
    bar = [each for each in draw.paint(state.observation(None), NAMES[:2], (), Style(600)).labels if each.y < 72]
    assert sum(any(word in each.text for word in said) for each in bar) >= 2
