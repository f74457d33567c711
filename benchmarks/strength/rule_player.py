"""The yardstick of Saboteur: an expert that follows rules, without search and without hiding its role.

It only uses what its seat may know: its own cards and role, what it has looked at, and what was done openly.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from benchmarks.strength.behaviour import missing, open_goals, possible_goals
from games.core import CHANCE, State
from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Dig, Drop, LookAt, Repair, RockFall, Roles
from games.saboteur.components import DIGGER, JOINED_CARDS, MAP, ROCK

_SUSPECT: Final = 2
"""A player who has done so much more against the diggers than for them has to be stopped."""


def by_rules(state: State[Any], player: int, lines: Sequence[tuple[int, Any]], rng: Random) -> Any:
    """The action that the expert's rules value most; one of the best at random."""
    assert isinstance(state, SaboteurState)
    actions = state.legal_actions(player)
    default = state.default_action()
    if default is not None or len(actions) == 1:
        return default or actions[0]
    digs = state.roles[player] == DIGGER
    worth = {action: (_digger if digs else _saboteur)(state, action, harm(lines, state.players)) for action in actions}
    best = max(worth.values())
    return rng.choice([action for action in actions if worth[action] == best])


def harm(lines: Sequence[tuple[int, Any]], players: int) -> list[int]:
    """By seat: what it has done against the diggers in this round, minus what it has done for them."""
    begin = max((number for number, (_, action) in enumerate(lines) if isinstance(action, Roles)), default=0)
    found, dead = [0] * players, set()
    for player, action in lines[begin:]:
        if player == CHANCE:
            continue
        match action:
            case Dig(piece, cell):
                found[player] += 2 if piece.islower() else -1
                if piece.islower():
                    dead.add(cell)
            case RockFall(cell):
                found[player] += -2 if cell in dead else 2
            case Break(_, seat) if seat != player:
                found[player] += -1 if found[seat] >= _SUSPECT else 1
            case Repair(_, seat) if seat != player:
                found[player] += 1 if found[seat] >= _SUSPECT else -1
    return found


def _gain(state: SaboteurState, action: Any, player: int) -> tuple[int, bool]:
    """By how many cards the path gets nearer to where the treasure may be, and whether a finish card is turned up."""
    goals = possible_goals(state, player)
    after = state.child(player, action)
    return missing(state.maze, goals) - missing(after.maze, goals), bool(after.effect.turned_up)


def _digger(state: SaboteurState, action: Any, harmful: Sequence[int]) -> float:
    player = state.current_player
    match action:
        case Repair(card, seat):
            return 90 - len(card) if seat == player else 40 if harmful[seat] < 0 else 5
        case Dig():
            gain, turns_up = _gain(state, action, player)
            return 95 if turns_up else 70 + gain if gain > 0 and action.piece.isupper() else 1
        case LookAt(cell):
            goals = possible_goals(state, player)
            return 80 if len(goals) > 1 and cell in goals else 3
        case Break(_, seat):
            blocked = any(seats >> seat & 1 for seats in state.broken)
            return 0 if seat == player else 75 if harmful[seat] >= _SUSPECT and not blocked else 4
        case RockFall(cell):
            return 60 if state.maze.cards[cell].islower() and _gain(state, action, player)[0] > 0 else 2
        case Drop(card):
            return 10 if card in JOINED_CARDS else 30 if card.islower() and card not in (MAP, ROCK) else 20
        case _:
            return 0


def _saboteur(state: SaboteurState, action: Any, harmful: Sequence[int]) -> float:
    player = state.current_player
    near = missing(state.maze, open_goals(state))
    match action:
        case Break(_, seat):
            blocked = any(seats >> seat & 1 for seats in state.broken)
            return 0 if seat == player or blocked else 60 - harmful[seat]
        case RockFall():
            return 70 - _gain(state, action, player)[0] if near <= 4 and _gain(state, action, player)[0] < 0 else 3
        case Dig():
            gain, turns_up = _gain(state, action, player)
            return 0 if turns_up or gain > 0 else 65 - gain if gain < 0 else 15
        case LookAt():
            return 25 if len(possible_goals(state, player)) > 1 else 4
        case Repair(_, seat):
            return 35 if seat == player else 1
        case Drop(card):
            return 20 if card in JOINED_CARDS or card == MAP or card[0] == "+" else 10
        case _:
            return 0
