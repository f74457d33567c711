"""Positions of Ambush as text pictures: stacks from the bottom up, player 0 (black) in capitals, player 1 (red) not."""

from typing import Any

from games.ambush.actions import Action, string_to_action
from games.ambush.board import EMPTY, Board, Stack, strength
from games.ambush.components import SQUARES
from games.ambush.state import AmbushState

ALL_SIZES = (2, 2, 1, 0)
"""Trees with pyramids of every size."""


def board(picture: str) -> Board:
    """The board of a picture whose rows begin with their numbers; an omitted row is empty."""
    rows = {words[0]: words[1:] for words in map(str.split, picture.strip().splitlines())}
    return tuple(stack(rows.get(square[1], ["."] * 6)["ABCDEF".index(square[0])]) for square in SQUARES)


def stack(text: str) -> Stack:
    """The stack on a square; ``.`` is an empty one."""
    if text == ".":
        return EMPTY
    assert text in (text.upper(), text.lower()), "a stack has one owner"
    return Stack(0 if text.isupper() else 1, text.upper(), strength(text.upper()))


def position(picture: str = "", *, to_move: int = 0, **fields: Any) -> AmbushState:
    """The position of a picture; both players can take every size unless `trees` says otherwise."""
    given = {"first": 0, "board": board(picture) if picture else (EMPTY,) * 36, "trees": (ALL_SIZES, ALL_SIZES)}
    return AmbushState(**{"players": 2, "current_player": to_move, "last": None, **given, **fields})


def play(state: AmbushState, *texts: str) -> AmbushState:
    """Play these lines, each by the player whose turn it is, each checked."""
    for text in texts:
        player = state.current_player
        state = state.apply_action(player, string_to_action(player, text))
    return state


def fallen(state: AmbushState, *texts: str) -> set[str]:
    """The squares that lose a pyramid by the last of these lines."""
    return {capture.square for capture in play(state, *texts).last_captures}


def legal(state: AmbushState) -> list[str]:
    """The texts of the current player's legal actions."""
    return [state.action_to_string(action) for action in state.legal_actions(state.current_player)]


def refusal(state: AmbushState, what: str | Action, player: int | None = None) -> str | None:
    """Why the current player (or `player`) can't do it."""
    player = state.current_player if player is None else player
    found = state.why_illegal(player, string_to_action(player, what) if isinstance(what, str) else what)
    return None if found is None else str(found)


def standing(state: AmbushState) -> dict[str, str]:
    """The board in the letters of the pictures."""
    return {
        square: there.sizes.lower() if there.owner else there.sizes
        for square, there in zip(SQUARES, state.board, strict=True)
        if there.sizes
    }
