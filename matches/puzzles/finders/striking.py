"""Saboteur: where the gold can still be, so that a card of the solver's hand turns it up in this turn.

What the solver has seen rules places out, and the maze and the hand do the rest. A stone that is turned up may lead on
to the next finish card, so every order of the finish cards that the solver holds possible is tried.
"""

from __future__ import annotations

from typing import Final

from games.core import CHANCE
from games.saboteur import SaboteurState
from games.saboteur.actions import Dig
from games.saboteur.components import FINISH, TREASURE
from matches.puzzles.finders.digging import possible, symmetry
from matches.puzzles.finders.found import Dropped, Found, least
from matches.puzzles.puzzle import RULED_OUT, TOO_FAR, Places

FEWEST_DIGS: Final = 8


def find(state: SaboteurState) -> Found:
    """Return the puzzle at a position. Raises Dropped.

    Its `share` is 1 divided by the number of ways to try a path card in a possible order of the finish cards.
    """
    player = state.current_player
    if player == CHANCE or state.due != "turn" or state.decided:
        raise Dropped("not a turn")
    digs = [action for action in state.legal_actions(player) if isinstance(action, Dig)]
    if len(digs) < FEWEST_DIGS:
        raise Dropped("few places to dig")
    if max(x for x, _ in state.maze.cards) < FINISH[0][0] - 1:
        raise Dropped("far from the finish cards")
    worlds = possible(state)
    treasures = {world.goals.index(TREASURE) for world in worlds}
    if not 1 < len(treasures) < len(FINISH):
        raise Dropped("everything or nothing is known")
    closed = {*FINISH} - {*state.maze.cards}
    if not any(closed & {*world.child(player, action).maze.cards} for action in digs for world in worlds):
        raise Dropped("no finish card is within reach")

    def reason(number: int) -> str:
        there = [world for world in worlds if world.goals.index(TREASURE) == number]
        found = (action for action in digs if any(world.child(player, action).decided for world in there))
        return RULED_OUT if not there else next(map(state.action_to_string, found), TOO_FAR)

    found = Places(tuple(map(reason, range(len(FINISH)))))
    alike = tuple(symmetry(state, FINISH[number]) for number in sorted(treasures))
    return Found("gold", found, least([alike, alike[::-1]]), 1 / (len(digs) * len(worlds)))
