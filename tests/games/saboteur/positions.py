"""Positions of Saboteur written as text pictures."""

from typing import Any

from games.grid import Cell
from games.saboteur import GAME, SaboteurState
from games.saboteur.board import survey
from games.saboteur.components import FINISH, START, START_CARD, TOOLS, TREASURE_CARD

TUNNEL = "*  EW  EW  EW  EW  EW  EW"
"""A tunnel from the start card to two places before the middle finish card: its end opens into 7,0."""


def cells(picture: str) -> dict[Cell, str]:
    """The cards of a picture: rows from top to bottom, places separated by spaces, ``*`` the start card,
    ``.`` nothing.
    """
    rows = [row.split() for row in picture.strip().splitlines()]
    top, left = next((y, row.index("*")) for y, row in enumerate(rows) if "*" in row)
    laid = {(x - left, top - y): card for y, row in enumerate(rows) for x, card in enumerate(row) if card != "."}
    return {**laid, START: START_CARD}


def position(
    picture: str = "*",
    *hands: str,
    goals: str = "NW,T,NE",
    roles: str = "DDS/D",
    stock: str = "",
    broken: str = "",
    turn: int = 0,
    **fields: Any,
) -> SaboteurState:
    """A turn of the first round. `hands` by seat (``EW map``); an omitted seat holds one ``n``.

    `broken` lists broken tools as ``P0 L2``. Other `fields` of the state are set as they are.
    """
    players = len(roles) - 2
    held = [tuple(sorted(hand.split())) for hand in hands] + [("n",)] * (players - len(hands))
    masks = tuple(sum(1 << int(each[1:]) for each in broken.split() if each[0] == tool) for tool in TOOLS)
    state = GAME.new_initial_state(players)
    assert isinstance(state, SaboteurState)
    return state.evolve(
        due="turn",
        current_player=turn,
        roles=roles.replace("/", ""),
        goals=tuple(goals.split(",")),
        maze=survey(cells(picture)),
        broken=masks,
        hands=tuple(held),
        stock=tuple(stock.split()),
        starter=0,
        **fields,
    )


def face_up(state: SaboteurState) -> dict[Cell, str]:
    """The face-up finish cards with their orientation."""
    return {cell: state.maze.cards[cell] for cell in FINISH if cell in state.maze.cards}


__all__ = ["START", "TREASURE_CARD", "TUNNEL", "cells", "face_up", "position"]
