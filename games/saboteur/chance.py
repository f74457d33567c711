"""What chance draws in Saboteur, and whether a draw is possible (S1-S4, S18)."""

from __future__ import annotations

from collections import Counter

from games.core import Rng, shuffled
from games.saboteur.actions import Action, Deal, First, Goals, Gold, Roles
from games.saboteur.components import DECK, GOALS, HAND_SIZE, ROLES
from games.saboteur.gold import MOST_DRAWN
from games.saboteur.position import SaboteurPosition


def sample(state: SaboteurPosition, rng: Rng) -> Action:
    """Draw what is due. Raises ValueError if chance has nothing to draw."""
    players = state.players
    match state.due:
        case "roles":
            return Roles("".join(shuffled(ROLES[players], rng)))
        case "goals":
            return Goals(shuffled(GOALS, rng))
        case "deal":
            cards, size = shuffled(DECK, rng), HAND_SIZE[players]
            hands = tuple(tuple(sorted(cards[size * seat : size * (seat + 1)])) for seat in range(players))
            return Deal(hands, cards[size * players :])
        case "first":
            return First(rng.randrange(players))
        case "gold":
            return Gold(tuple(sorted(shuffled(state.gold_stock, rng)[: _gold_drawn(players)])))
        case _:
            raise ValueError("chance has nothing to draw here")


def check(state: SaboteurPosition, action: Action) -> bool:
    """Return whether `action` is the draw that is due, made of the right cards."""
    players = state.players
    if action.kind != state.due:
        return False
    match action:
        case Roles(roles):
            return "".join(sorted(roles)) == ROLES[players]
        case Goals(goals):
            return tuple(sorted(goals)) == GOALS
        case Deal(hands, stock):
            sizes = [len(hand) for hand in hands]
            sorted_hands = all(hand == tuple(sorted(hand)) for hand in hands)
            whole = sorted([*stock, *(card for hand in hands for card in hand)])
            return sizes == [HAND_SIZE[players]] * players and sorted_hands and tuple(whole) == DECK
        case First(seat):
            return 0 <= seat < players
        case Gold(cards):
            there = len(cards) == _gold_drawn(players) and Counter(cards) <= Counter(state.gold_stock)
            return there and cards == tuple(sorted(cards))
        case _:
            return False


def _gold_drawn(players: int) -> int:
    """Return how many gold cards chance draws after a diggers' win (S18)."""
    return min(players, MOST_DRAWN)
