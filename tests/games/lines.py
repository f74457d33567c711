"""Playing lines of a log in a test, for any game."""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

from games import GAMES
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


def refusing_rules(game: str, everything: Sequence[Any], rng: Random) -> set[str | None]:
    """The rules that refuse any of these actions in random matches of two. What none refuses has to be legal."""
    seen = set[str | None]()
    for _ in range(12):
        state = GAMES[game].new_initial_state(2)
        state = state.apply_action(CHANCE, state.sample_chance(rng))
        while not state.is_terminal:
            player = state.current_player
            legal = state.legal_actions(player)
            reasons = {action: state.why_illegal(player, action) for action in everything}
            assert all((reason is None) == (action in legal) for action, reason in reasons.items())
            seen |= {reason.rule for reason in reasons.values() if reason is not None}
            state = state.apply_action(player, rng.choice(legal))
    return seen
