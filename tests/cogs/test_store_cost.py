"""What a move costs in the store: the statements of whole moves through the real bot, on a real file."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from games import GAMES
from tests.cogs.table import play_by_panel, table
from tests.statements import statements

OF_A_PRESS = 1
"""Every press asks how the match stands: the store is the truth, and another process may have changed it."""

OF_A_MOVE = 11
"""To read the match and store the move with all that follows (8), and to tell the board (3)."""

OF_A_HAND = 3
MOVES = 3


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_move_asks_the_store_no_more_than_agreed(tmp_path: Path, game: str) -> None:
    info = GAMES[game].info
    agreed = OF_A_MOVE + (OF_A_HAND if info.hands else 0)
    async with table(tmp_path / "ambit.db", info.min_players) as room:
        presses: list[Any] = []

        async def pressed(interaction: Any) -> None:
            presses.append(interaction)

        room.bot.add_listener(pressed, "on_interaction")
        await room.begin(game, info.min_players)
        rng = random.Random(4)
        for _ in range(MOVES):
            actor, board = room.to_play()
            presses.clear()
            with statements() as made:
                await play_by_panel(actor, board, rng)
            assert any(statement.startswith("INSERT INTO log") for statement in made)
            assert len(presses) >= 2
            assert len(made) <= agreed + OF_A_PRESS * len(presses), "\n".join(made)
