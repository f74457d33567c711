"""Playing lines of a log in a test, for any game."""

from __future__ import annotations

from typing import Any, TypeVar

from games.core import CHANCE, State

S = TypeVar("S", bound=State[Any])


def play(state: S, *lines: str) -> S:
    """The position after some lines, each ``seat action`` or ``c action``, every one checked."""
    for line in lines:
        name, text = line.split(" ", 1)
        player = CHANCE if name == "c" else int(name)
        state = state.apply_action(player, state.string_to_action(player, text))
    return state


def legal(state: State[Any]) -> set[str]:
    """The legal actions of the player whose turn it is."""
    return {state.action_to_string(action) for action in state.legal_actions(state.current_player)}


def refusal(state: State[Any], text: str) -> str:
    """Why the current player can't do what `text` says."""
    player = state.current_player
    reason = state.why_illegal(player, state.string_to_action(player, text))
    assert reason is not None, f"{text} is legal"
    return str(reason)


def paths(state: State[Any]) -> dict[str, tuple[str, ...]]:
    """For every legal action the values of the choices that lead to it."""
    return {
        state.action_to_string(action): tuple(choice.value for choice in state.choices(action))
        for action in state.legal_actions(state.current_player)
    }
