"""Saboteur: reach the treasure with the cards in hand, in as few turns as possible, if the others only discard.

The solver has to know where the treasure is, by what they have seen. What they can't know is tried in every way that is
still possible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import permutations
from typing import Any, Final

from games.core import CHANCE
from games.grid import Cell
from games.saboteur import SaboteurState
from games.saboteur.actions import Dig, Drop, Repair, RockFall, card_played
from games.saboteur.components import CARD_OF, DIGGER, FINISH, TOOLS, TREASURE
from matches.puzzles.finders.found import Dropped, Found, least, of_few_steps
from matches.puzzles.puzzle import Step, Way

MOST_TURNS: Final = 3
FEWEST_ACTIONS: Final = 12
LARGEST_SHARE: Final = 0.15
MOST_WAYS: Final = 6

Worlds = tuple[SaboteurState, ...]
"""Every position that the solver holds possible, as far as it matters: they differ in the face-down finish cards."""


def find(state: SaboteurState) -> Found:
    """Return the puzzle at a position. Raises Dropped."""
    player = state.current_player
    if player == CHANCE or state.due != "turn" or state.decided or state.roles[player] != DIGGER:
        raise Dropped("not a digger's turn")
    worlds = possible(state)
    treasures = {world.goals.index(TREASURE) for world in worlds}
    if len(treasures) > 1:
        raise Dropped("the treasure could be elsewhere")
    target = FINISH[treasures.pop()]
    actions = state.legal_actions(player)
    if len(actions) < FEWEST_ACTIONS:
        raise Dropped("few actions")
    hand = Counter(state.hands[player])
    for turns in range(1, MOST_TURNS + 1):
        right = [*_right(worlds, hand, turns, target)]
        if right:
            break
    else:
        raise Dropped("out of reach")
    share = len(right) / len(actions)
    if share > LARGEST_SHARE or len(right) > MOST_WAYS:
        raise Dropped("many actions reach it")
    if turns == 1 and sum(isinstance(action, Dig) for action in actions) < FEWEST_ACTIONS:
        raise Dropped("reached at once, with few places to dig")
    first = of_few_steps(_step(state, worlds, turns, target))
    return Found("treasure", first, symmetry(state, target), share, turns)


def possible(state: SaboteurState) -> Worlds:
    """Return the position with the face-down finish cards in every order that the current player holds possible."""
    seen = state.observation(state.current_player).finish_cards
    known = [card.kind for card in seen]
    goals = {
        order
        for order in permutations(state.goals)
        if all(kind is None or kind == goal for kind, goal in zip(known, order, strict=True))
    }
    return tuple(state.evolve(goals=order) for order in sorted(goals))


def _right(worlds: Worlds, hand: Counter[str], turns: int, target: Cell) -> Iterator[Any]:
    """Yield the actions after which the treasure is reached within these turns, this one included, in every world."""
    player = worlds[0].current_player
    if _near(worlds[0], player, turns, target):
        yield from (each for each in _useful(worlds[0], player) if _reaches(worlds, each, hand, turns, target))


def _reaches(worlds: Worlds, action: Any, hand: Counter[str], turns: int, target: Cell) -> bool:
    card = card_played(action)
    if card is None or not hand[card] or (turns == 1 and not isinstance(action, Dig)):
        return False
    player = worlds[0].current_player
    after = [world.child(player, action) for world in worlds]
    open_ones = [world for world in after if not world.decided]
    if not open_ones:
        return True
    if turns == 1:
        return False
    left = hand - Counter([card])
    # What was turned up tells the worlds apart.
    groups: dict[Hashable, list[SaboteurState]] = {}
    for world in open_ones:
        mine = world.evolve(current_player=player)
        groups.setdefault(repr(mine.observation(player).finish_cards), []).append(mine)
    return all(any(_right(tuple(group), left, turns - 1, target)) for group in groups.values())


def _near(state: SaboteurState, player: int, turns: int, target: Cell) -> bool:
    """Return whether a path could at best reach the target in these turns, perhaps through face-down stones."""
    digs = turns - sum(state.broken[number] >> player & 1 for number in range(len(TOOLS)))
    if digs <= 0:
        return False
    if state.maze.stranded:
        return True
    # The finish cards are two cells apart, so a card between them leads from a stone to the next one.
    stones = [(cell, abs(cell[1] - target[1]) // 2) for cell in FINISH if cell not in state.maze.cards]
    return any(
        abs(x - cell[0]) + abs(y - cell[1]) + between <= digs
        for x, y in state.maze.frontier
        for cell, between in stones
    )


def _useful(state: SaboteurState, player: int) -> list[Any]:
    """Return the actions that can help to reach anything: path cards, rock-falls, and repairs of the player's tools."""
    return [
        action
        for action in state.legal_actions(player)
        if isinstance(action, Dig | RockFall) or (isinstance(action, Repair) and action.seat == player)
    ]


def _step(state: SaboteurState, worlds: Worlds, turns: int, target: Cell) -> Step:
    player = state.current_player
    right = [*_right(worlds, Counter(state.hands[player]), turns, target)]
    if len(right) > MOST_WAYS:
        raise Dropped("many actions reach it")
    return Step(tuple(_way(state, action, turns, target) for action in right))


def _way(state: SaboteurState, action: Any, turns: int, target: Cell) -> Way:
    """Return how a right action goes on: the others discard."""
    player = state.current_player
    text, then = state.action_to_string(action), []
    after = state.child(player, action)
    if after.decided:
        return Way(text)
    while after.current_player != player:
        other = after.current_player
        reply = next(
            (each for each in after.legal_actions(other) if isinstance(each, Drop)), after.legal_actions(other)[0]
        )
        then.append(f"{other} {after.action_to_string(reply)}")
        after = after.child(other, reply)
        if after.decided:
            raise Dropped("the round ends before")
    return Way(text, tuple(then), _step(after, possible(after), turns - 1, target))


def symmetry(state: SaboteurState, target: Cell) -> Hashable:
    """Return a key that is the same for positions that differ only in names, or in a reflection up and down."""
    player = state.current_player
    hand = state.hands[player]
    broken = tuple(tools >> player & 1 for tools in state.broken)
    alike = []
    for sign in (1, -1):
        cards = sorted(((x, sign * y), flipped(piece, sign)) for (x, y), piece in state.maze.cards.items())
        held = sorted(CARD_OF[flipped(card, sign)] if card in CARD_OF else card for card in hand)
        alike.append((cards, held, sign * target[1]))
    return repr((least(alike), broken))


_MIRROR: Final = str.maketrans("NSns", "SNsn")


def flipped(piece: str, sign: int) -> str:
    """Return a piece reflected up and down if `sign` is negative, with its edges in the order N E S W."""
    if sign > 0:
        return piece
    edges: Sequence[str] = "NESW" if piece.isupper() else "nesw"
    mirrored = piece.translate(_MIRROR)
    return "".join(edge for edge in edges if edge in mirrored)
