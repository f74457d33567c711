"""What a move costs in the store: the statements of whole moves through the real bot, on a real store."""

import random
from pathlib import Path
from typing import Any

import pytest

from games import GAMES
from matches.api import Status
from tests.cogs.table import play_by_panel, table
from tests.statements import statements
from tests.store import SERVER

OF_A_PRESS = 1
"""Every press reads the match: the store is the truth, and another process may have changed it."""

OF_A_MOVE = 12 if SERVER is None else 13
"""Reading the match, storing the move with all that follows (8), noting that the board was announced (2), and which it
replaces, to be tidied up (2). On a server one more statement locks it first.
"""

TO_FIND_THE_MATCH = 2
"""A command without a number: which matches are played in its place, and whether one of them is meant."""

OF_A_HAND = 5
"""Announcing the hand (3), and noting that the last player's direct message is to be tidied up (2)."""

TO_GREET = 1
"""Before somebody's first move in a match, one query asks if they have ever finished a match of the game."""

TO_ACT = 1
"""Somebody's first move in a match is noted at their seat: without one they aren't in the result (F2)."""

MOVES = 3
MATCHES = 8


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_move_asks_the_store_no_more_than_agreed(tmp_path: Path, game: str) -> None:
    info = GAMES[game].info
    agreed = OF_A_MOVE + (OF_A_HAND if info.hands else 0)
    async with table(tmp_path / "ambit.db", info.min_players) as room:
        presses: list[Any] = []

        async def pressed(interaction: Any) -> None:
            presses.append(interaction)

        room.bot.add_listener(pressed, "on_interaction")
        rng, counted = random.Random(4), 0
        while not counted:  # A match of Ambagibus may end with its first move.
            number, met = await room.begin(game, info.min_players), set[int]()
            for _ in range(MOVES):
                actor, board = room.to_play()
                presses.clear()
                first = 0 if actor.id in met else TO_GREET + TO_ACT
                met.add(actor.id)
                with statements() as made:
                    await play_by_panel(actor, board, rng)
                if (await room.bot.host.look.match(number)).status is not Status.RUNNING:
                    # The end of a match is counted, too.
                    break
                assert any(statement.startswith("INSERT INTO log") for statement in made)
                assert len(presses) >= 2
                assert len(made) <= agreed + first + OF_A_PRESS * len(presses), "\n".join(made)
                counted += 1
            assert counted or number < MATCHES, "the first move ended every match"


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_a_move_typed_as_it_is_written_asks_the_store_no_more_than_agreed(tmp_path: Path, game: str) -> None:
    info = GAMES[game].info
    agreed = OF_A_MOVE + (OF_A_HAND if info.hands else 0) + OF_A_PRESS + TO_FIND_THE_MATCH
    async with table(tmp_path / "ambit.db", info.min_players) as room:
        rng, counted = random.Random(4), 0
        while not counted:
            number, met = await room.begin(game, info.min_players), set[int]()
            for _ in range(MOVES):
                mover = (await room.bot.host.look.match(number)).mover
                assert mover.user_id is not None
                text = rng.choice((await room.bot.host.look.view(number, mover.user_id)).moves).text
                with statements() as made:
                    await room.person(mover.user_id).slash(room.channel, f"{game} play", move=text)
                if (await room.bot.host.look.match(number)).status is not Status.RUNNING:
                    break
                assert any(statement.startswith("INSERT INTO log") for statement in made)
                first = 0 if mover.user_id in met else TO_ACT
                met.add(mover.user_id)
                assert len(made) <= agreed + first, "\n".join(made)
                counted += 1
            assert counted or number < MATCHES, "the first move ended every match"
