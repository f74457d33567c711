"""The last look before a move is confirmed shows the move, and nothing that it may reveal."""

import random
from typing import Any

import pytest

from games import GAMES
from games.core import CHANCE
from games.saboteur.actions import Dig
from render import RENDERERS


@pytest.mark.parametrize("game", ["saboteur", "ambagibus"])
def test_the_card_lies_on_the_board_and_nothing_else_is_known(game: str) -> None:
    rng = random.Random(6)
    state, renderer, people = GAMES[game].new_initial_state(3), RENDERERS[game], ("Ann", "Bob", "Cleo")
    looked = 0
    for _ in range(120):
        player = state.current_player
        if state.is_terminal:
            break
        if player == CHANCE:
            state = state.apply_action(player, state.sample_chance(rng))
            continue
        action = rng.choice(state.legal_actions(player))
        text, seen = state.action_to_string(action), state.observation(player)
        if "@" in text and not text.startswith(("map", "bomb", "rock")):
            foreseen: Any = renderer.foresee(seen, action)
            assert foreseen.last == (player, action)
            assert len(foreseen.maze) == len(vars(seen)["maze"]) + (not text.startswith("cave"))
            changed = {name for name, value in vars(seen).items() if vars(foreseen)[name] != value}
            assert changed <= {"maze", "passages", "last_cell", "removed", "turned_up", "last"}
            assert renderer.draw(foreseen, people) != renderer.draw(seen, people)
            looked += 1
        state = state.apply_action(player, action)
    assert looked > 2


def test_what_is_played_by_somebody_else_is_not_foreseen() -> None:
    state = GAMES["saboteur"].new_initial_state(3)
    spectator = state.observation(None)
    assert RENDERERS["saboteur"].foresee(spectator, Dig("NESW", (0, 1))) == spectator
