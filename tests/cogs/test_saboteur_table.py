"""Whole matches of Saboteur in SimCord, through commands and buttons alone."""

from __future__ import annotations

import random
import time
from pathlib import Path

from matches import Status
from tests.cogs.table import play_by_panel, table


async def test_whole(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        number = await room.begin("saboteur", 3)
        rng = random.Random(1)
        t = time.time()
        for i in range(1000):
            match = await room.bot.host.match(number)
            if match.status is not Status.RUNNING:
                break
            board = room.latest("Play")
            actor = room.on_turn(board)
            mover = next(s for s in match.seats if s.seat == match.to_move)
            if actor is None or actor.id != mover.user_id:
                print("mismatch", board.content, mover)
                actor = room.person(mover.user_id).user
                board = room.latest("Play", actor.dm_channel)
            await play_by_panel(actor, board, rng)
        print(i, time.time() - t)
        print(room.channel.history()[-1].content)
        print((await room.bot.host.verify(number)))
        assert 0
