"""Rounds that are lost for all diggers: what is proven holds whoever holds which cards, and everybody can see it."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from games.saboteur import GAME, SaboteurState, hopeless
from games.saboteur.actions import Dig, Drop
from games.saboteur.board import Maze, survey
from games.saboteur.components import CARD_OF, DECK, FINISH, FIXED, JOINED_CARDS, PIECES, ROCK
from games.saboteur.hopeless import is_lost
from tests.conformance.matches import LOGS, Setup, played, recorded
from tests.games.saboteur.digging import digging_play
from tests.games.saboteur.positions import TUNNEL, cells, position

NOTHING_LEFT = tuple(card for card in DECK if card in JOINED_CARDS)


def reaches(maze: Maze, left: Counter[str], plays: int) -> bool:
    """Whether somebody who holds all these cards turns up a finish card within so many turns, by the rules alone."""
    if not maze.frontier.keys().isdisjoint(FINISH):
        return True
    if not plays:
        return False
    for cell, fits in maze.frontier.items():
        for number, piece in enumerate(PIECES):
            card = CARD_OF[piece]
            held = piece.isupper() and left[card] and fits >> number & 1
            if held and reaches(maze.lay(cell, piece), left - Counter([card]), plays - 1):
                return True
    rocks = [cell for cell in maze.cards if cell not in FIXED] if left[ROCK] else []
    return any(reaches(maze.remove(cell), left - Counter([ROCK]), plays - 1) for cell in rocks)


def test_a_round_is_lost_when_too_few_cards_are_left_to_get_there() -> None:
    maze = cells(TUNNEL)
    assert is_lost(maze, (), 0)
    assert is_lost(maze, (), 1) is False, "one card is enough"
    short = cells("*  EW  EW  EW  EW")
    assert [is_lost(short, (), plays) for plays in (2, 3)] == [True, False]
    assert is_lost(cells("*"), (), len(DECK)) is False


def test_a_dead_end_is_no_end_while_a_rock_fall_may_come() -> None:
    blocked = {**cells(TUNNEL), (7, 0): "ew"}
    assert is_lost(blocked, (), 2) is False, "a rock-fall, and another card"
    assert is_lost(blocked, (ROCK,) * 3, 2), "all rock-falls have been played"
    assert [is_lost(blocked, (ROCK,) * 3, plays) for plays in (8, 9)] == [True, False], "there's a way around"
    assert is_lost(blocked, NOTHING_LEFT, 60), "no path card is left"


def test_a_finish_card_that_is_turned_up_leads_on_and_is_no_treasure() -> None:
    reached = {**cells(TUNNEL), (7, 0): "EW", (8, 0): "NW"}
    assert is_lost(reached, (), 1) is False
    assert is_lost(reached, (), 0)


def test_a_search_that_takes_too_long_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    hopeless._is_lost.cache_clear()
    monkeypatch.setattr(hopeless, "BUDGET", 1)
    blocked = {**cells(TUNNEL), (7, 0): "ew"}
    assert is_lost(blocked, (), 1) is None
    assert not position(TUNNEL.replace("EW", "ew")).is_lost
    hopeless._is_lost.cache_clear()


@pytest.mark.parametrize("seed", range(6))
def test_what_is_lost_is_lost_whatever_anybody_holds(seed: int) -> None:
    """Mazes that grew at random, with at most three cards to come: tried out by the rules alone."""
    rng, said = Random(seed), Counter[bool | None]()
    for _ in range(40):
        maze, left = survey(cells("*")), Counter(DECK)
        for _ in range(rng.randrange(4, 16)):
            ends = sorted(maze.frontier, key=lambda cell: -cell[0] + 2 * rng.random())
            fits = [(cell, piece) for cell in ends for n, piece in enumerate(PIECES) if maze.frontier[cell] >> n & 1]
            fits = [(cell, piece) for cell, piece in fits if left[CARD_OF[piece]]][:12]
            if not fits or not maze.frontier.keys().isdisjoint(FINISH):
                break
            cell, piece = rng.choice(fits)
            maze, left = maze.lay(cell, piece), left - Counter([CARD_OF[piece]])
        if not maze.frontier.keys().isdisjoint(FINISH):
            continue
        gone = rng.sample(sorted(left.elements()), rng.choice((0, 30, 45)))
        left -= Counter(gone)
        for plays in (1, 2):
            found = is_lost(maze.cards, gone, plays)
            said[found] += 1
            assert not (found and reaches(maze, left, plays))
    assert said[True]


@pytest.mark.parametrize("players", [3, 5, 10])
def test_from_then_on_nobody_reaches_the_treasure_and_everybody_sees_the_same(players: int) -> None:
    lost = rounds = 0
    for seed in range(3):
        was = False
        for state in played(Setup("saboteur", players), digging_play, seed).states:
            assert isinstance(state, SaboteurState)
            if state.due != "turn":
                assert not was or state.decided[-1].winners == "S"
                rounds += was
                was = False
                continue
            assert state.is_lost >= was, "it stays lost"
            was = state.is_lost
            lost += was
            first = state.hands[state.current_player][:1]
            assert state.default_action() == (Drop(first[0]) if was and first else None)
    assert lost
    assert rounds


def test_whether_it_is_lost_follows_from_what_everybody_sees() -> None:
    """Twins that differ only in what is hidden: hands, discards, the stock, roles, finish cards."""
    twins = lost = 0
    for path in sorted(LOGS.glob("saboteur-*.log")):
        for state in recorded(path).states[::3]:
            assert isinstance(state, SaboteurState)
            for viewer in (None, *range(state.players)):
                seen = state.observation(viewer)
                assert seen.is_lost == state.is_lost
                twin: Any = state.resample_from_infostate(None, Random(len(state.pile)))
                assert twin.is_lost == state.is_lost
                assert twin.observation(viewer).is_lost == state.is_lost
                twins += twin != state
            lost += state.is_lost
    assert twins
    assert lost


def test_the_instruction_discards_the_first_card_and_is_over_with_the_round() -> None:
    instruction = GAME.advance.instruction("lost")
    assert instruction is not None
    state = position("*", "EW map n", "NS", stock="")
    assert instruction.about(state.observation(0)) == "1"
    assert instruction.answer(state.observation(0), state.legal_actions(0)) == Drop("EW")
    early = GAME.new_initial_state(3)
    assert instruction.about(early.observation(0)) == ""
    near = position(TUNNEL, "EW n")
    assert instruction.about(near.observation(0)) == ""
    assert near.default_action() is None
    assert any(isinstance(action, Dig) for action in near.legal_actions(0))
