"""Who seems to be a saboteur, by everybody's public actions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import exp
from typing import Any, NamedTuple

from games.core import Played
from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Dig, Repair, RockFall, Roles
from games.saboteur.board import NEW_MAZE, Maze
from games.saboteur.components import DIGGER, FINISH, ROLES, SABOTEUR
from matches.computers.judgements.saboteur.paths import Front


def possible_roles(
    position: SaboteurState, player: int | None, suspicion: Sequence[float]
) -> tuple[list[str], list[float]]:
    """Return all possible deals of the roles, given the role of `player` (``None``: a spectator), and their weights.

    `suspicion` is each seat's log likelihood ratio: how much likelier its behaviour is for a saboteur than for a
    digger.
    """
    places = range(position.players + 1)
    possible, weights = [], []
    for saboteurs in combinations(places, ROLES[position.players].count(SABOTEUR)):
        if player is None or (player in saboteurs) == (position.roles[player] == SABOTEUR):
            possible.append("".join(SABOTEUR if place in saboteurs else DIGGER for place in places))
            weights.append(exp(sum(suspicion[seat] for seat in saboteurs if seat < position.players)))
    return possible, weights


def likely_saboteurs(roles: Sequence[str], weights: Sequence[float], players: int) -> list[float]:
    """Return by seat the probability that it is a saboteur, given the possible `roles` and their weights."""
    total = sum(weights)
    return [
        sum(weight for lying, weight in zip(roles, weights, strict=True) if lying[seat] == SABOTEUR) / total
        for seat in range(players)
    ]


class Sign(NamedTuple):
    """What an action says about the role of `seat`: log odds of being a saboteur.

    If the action is for or against a `target`, the `odds` are scaled by how trustworthy that seat seemed.
    """

    seat: int
    odds: float
    target: int | None = None


def sign(maze: Maze, seat: int, action: Any) -> Sign | None:
    """Return what an action in this maze says about the role of `seat`; ``None`` if nothing."""
    if isinstance(action, Dig):
        front = Front(maze, tuple(cell for cell in FINISH if cell not in maze.cards))
        gain = max(min(front.distance - front.after(action), 2), -2)
        return Sign(seat, 1.2 if action.piece.islower() else 0.2 - 0.5 * gain)
    if isinstance(action, RockFall):
        return Sign(seat, -0.8 if maze.cards[action.cell].islower() else 1.0)
    if isinstance(action, (Break, Repair)) and action.seat != seat:
        return Sign(seat, -0.6 if isinstance(action, Repair) else 0.9, action.seat)
    return None


def weighed(position: SaboteurState, player: int | None, signs: Iterable[Sign]) -> list[float]:
    """Return each seat's log likelihood ratio of being a saboteur, by these signs in their order.

    An action against or for somebody counts by how suspicious that seat was at the time. `player` (``None``: a
    spectator) knows their own role.
    """
    suspicion = [0.0] * position.players
    certain = 3.0 if player is not None and position.roles[player] == SABOTEUR else -3.0
    for seat, odds, target in signs:
        if target is not None:
            trust = 1 - 2 / (1 + exp(-(certain if target == player else suspicion[target])))
            odds *= trust
        suspicion[seat] += odds
    if player is not None:
        suspicion[player] = 0.0
    return suspicion


def suspicions(position: SaboteurState, player: int | None, lines: Sequence[Played[Any]]) -> list[float]:
    """Return each seat's log likelihood ratio of being a saboteur, by its actions in this round; see `weighed`."""
    found, maze = list[Sign](), NEW_MAZE
    for seat, action in of_this_round(lines):
        said = sign(maze, seat, action)
        if said is not None:
            found.append(said)
        if isinstance(action, Dig):
            maze = _with_finish_cards(maze.lay(action.cell, action.piece), position)
        elif isinstance(action, RockFall):
            maze = maze.remove(action.cell)
    return weighed(position, player, found)


def of_this_round(lines: Sequence[Played[Any]]) -> Sequence[Played[Any]]:
    """Return the lines since the roles were last dealt."""
    begin = max((number for number, line in enumerate(lines) if isinstance(line.action, Roles)), default=0)
    return lines[begin:]


def _with_finish_cards(maze: Maze, position: SaboteurState) -> Maze:
    """Return the maze with the finish cards that its paths have reached, as they lie in `position` (S14)."""
    reached = [cell for cell in FINISH if cell in maze.frontier and cell in position.maze.cards]
    for cell in reached:
        maze = maze.lay(cell, position.maze.cards[cell])
    return _with_finish_cards(maze, position) if reached else maze
