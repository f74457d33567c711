"""The legal plays of random matches, compared with a word-by-word reading of the rules from the cards on the table.

Slow and simple on purpose: every placement of every card in every rotation is tried on every cell near the maze.
"""

from collections.abc import Iterator
from random import Random

import pytest

from games.ambagibus import AmbagibusState
from games.ambagibus.actions import Bury, Pass
from games.ambagibus.board import survey
from games.ambagibus.state import new_match
from games.core import CHANCE
from games.grid import Cell, neighbours
from tests.games.lines import legal

Table = dict[Cell, tuple[str, int]]


def opening(table: Table, cell: Cell, edge: int) -> int | None:
    """What a cell shows at an edge: a priority, 0 for a wall, ``None`` for an empty cell."""
    if cell not in table:
        return None
    card, _ = table[cell]
    return 0 if card == "cave" else int(card[edge])


def joined(table: Table, cell: Cell, card: str) -> list[tuple[int, int]] | None:
    """Priority and owner of the open passages that a card laid here joins, ``None`` if A3 forbids it."""
    if cell in table:
        return None
    found = []
    for edge, beside in enumerate(neighbours(cell)):
        shown = opening(table, beside, (edge + 2) % 4)
        if shown is None:
            continue
        if (shown > 0) != (card[edge] != "0"):
            return None
        if shown:
            found.append((shown, table[beside][1]))
    return found or None


def sifted(table: Table, player: int, row: tuple[str, ...]) -> set[str]:
    """The tunnel plays of all cards in the row together (A3, then A4, then A5)."""
    cells = {beside for cell in table for beside in neighbours(cell)}
    turned = {card[k:] + card[:k] for card in row if card not in ("bomb", "cave") for k in range(4)}
    if not table:
        return {f"{card}@0,0" for card in turned}
    allowed = {(card, cell): joins for card in turned for cell in cells if (joins := joined(table, cell, card))}
    own = {
        play: [(number, owner) for number, owner in joins if owner == player]
        for play, joins in allowed.items()
        if any(owner == player for _, owner in joins)
    }
    allowed = own or allowed
    values = {play: min(number for number, _ in joins) for play, joins in allowed.items()}
    return {f"{card}@{x},{y}" for (card, (x, y)), value in values.items() if value == min(values.values())}


def specials(table: Table, player: int, row: tuple[str, ...]) -> Iterator[str]:
    for (x, y), (card, owner) in table.items():
        if owner != player:
            continue
        if "bomb" in row:
            yield f"bomb@{x},{y}"
        open_passage = any(
            opening(table, (x, y), edge) and beside not in table for edge, beside in enumerate(neighbours((x, y)))
        )
        if "cave" in row and card != "cave" and open_passage:
            yield f"cave@{x},{y}"


def by_definition(state: AmbagibusState) -> set[str]:
    player = state.current_player
    view = state.observation(None)
    table = {cell: (card, owner) for cell, card, owner in view.maze}
    row = view.rows[player]
    plays = sifted(table, player, row) | set(specials(table, player, row))
    return plays or {f"bury {card}" for card in row} or {"pass"}


def over_by_definition(state: AmbagibusState) -> bool:
    """A15: no open passage in a non-empty maze, or nobody has a card that could be played."""
    table = {cell: (card, owner) for cell, card, owner in state.observation(None).maze}
    closed = not any(
        opening(table, cell, edge) and beside not in table
        for cell in table
        for edge, beside in enumerate(neighbours(cell))
    )
    left = [own.row + own.deck for own in state.cards]
    return (closed and bool(table)) or not any(
        sifted(table, player, cards) or any(specials(table, player, cards)) for player, cards in enumerate(left)
    )


@pytest.mark.parametrize("variant", ["basic", "advanced"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_legal_plays_are_those_that_the_rules_define(players: int, variant: str) -> None:
    rng = Random(players)
    for _ in range(6):
        state = new_match(players, {"variant": variant})
        while not state.is_terminal:
            player = state.current_player
            if player == CHANCE:
                state = state.child(CHANCE, state.sample_chance(rng))
                continue
            assert legal(state) == by_definition(state), str(state)
            assert survey(state.observation(None).maze).spaces == state.maze.spaces, str(state)
            if isinstance(state.legal_actions(player)[0], Bury | Pass):
                assert not over_by_definition(state), str(state)
            state = state.child(player, rng.choice(state.legal_actions(player)))
        assert over_by_definition(state), str(state)
