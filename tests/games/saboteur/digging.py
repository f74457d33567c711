"""Playing Saboteur so that somebody really reaches the finish cards, which random play never does."""

from random import Random

from games.saboteur import SaboteurState
from games.saboteur.actions import Action, Dig, Drop, Repair, RockFall
from games.saboteur.components import FINISH, SABOTEUR

MISCHIEF = 0.5
"""How often a saboteur plays at random instead of digging with the others."""
ROCK_FALLS = 0.3
"""How often somebody with a rock-fall plays it."""


def digging_play(state: SaboteurState, rng: Random) -> Action:
    """Lay the card that brings a tunnel closest to a finish card; otherwise repair one's own tools;
    otherwise discard.
    """
    player = state.current_player
    legal = state.legal_actions(player)
    if state.due == "take":
        return rng.choice(legal)
    if state.roles[player] == SABOTEUR and rng.random() < MISCHIEF:
        return rng.choice(legal)
    rocks = [action for action in legal if isinstance(action, RockFall)]
    if rocks and rng.random() < ROCK_FALLS:
        return rng.choice(rocks)
    now = distance(state)
    digs = [action for action in legal if isinstance(action, Dig)]
    best = min(digs, key=lambda action: (distance(state.child(player, action)), rng.random()), default=None)
    if best is not None and distance(state.child(player, best)) <= now:
        return best
    mends: list[Action] = [action for action in legal if isinstance(action, Repair) and action.seat == player]
    return rng.choice(mends or [action for action in legal if isinstance(action, Drop)])


def distance(state: SaboteurState) -> int:
    """Steps from the nearest end of a tunnel to a face-down finish card; 0 if there is none."""
    hidden = [cell for cell in FINISH if cell not in state.maze.cards]
    ends = [abs(x - end_x) + abs(y - end_y) for x, y in hidden for end_x, end_y in state.maze.frontier]
    return min(ends, default=0)
