"""Tidies up old messages of the bot.

An old board loses **Play** and says what became of its turn, a call whose turn is over is deleted, and the direct
message about a turn says that it is over. None of this is urgent, because an old button does no harm. So tidying gives
way to all other requests, and a message that can't be changed stays as it is. `matches/table/tidying.py` decides what
is tidied up.
"""

from __future__ import annotations

import logging

from cogs import drawing
from cogs.client import Client
from cogs.delivery.posting import put_off
from cogs.post import boards
from cogs.process import faults
from cogs.process.faults import Fault, fault_of
from cogs.process.pace import on_behalf
from cogs.text import words
from matches.api import Dm, Kind, Match, Status, Telling
from matches.engine.fair_queue import Rank
from matches.host.scheduler import Undelivered

log = logging.getLogger(__name__)


class Tidying:
    """Changes or deletes old messages."""

    def __init__(self, bot: Client) -> None:
        self._bot = bot
        self._ways = {Kind.OLD_BOARD: self._old_board, Kind.OLD_POST: self._old_post, Kind.OLD_DM: self._old_dm}

    async def tell(self, row: Telling, match: Match) -> None:
        """Tidy up one message. Raises Undelivered if that may be possible later."""
        if self._bot.is_crowded():
            raise Undelivered("other requests wait", soon=True)
        on_behalf(match.guild_id, Rank.TIDYING)
        try:
            with drawing.for_nobody(match):
                await self._ways[row.kind](row, match)
        except faults.FAILURES as error:
            put_off(error)
            log.info("match %s: %s stays as it is: %s", match.id, row.kind, error)

    async def _old_board(self, row: Telling, match: Match) -> None:
        """Take **Play** off an old board, or all buttons once the match is over, and say what became of its turn."""
        if row.channel_id is None or row.message_id is None:
            return
        if match.status is Status.RUNNING and row.message_id == match.board_message_id:
            return
        view = boards.old_board_buttons(match) if match.status is Status.RUNNING else None
        content = await boards.old_board(self._bot, match, row.message_id, row.ply, row.channel_id)
        try:
            await self._edit(row.channel_id, row.message_id, content=content, view=view)
        except faults.FAILURES as error:
            if fault_of(error) is not Fault.FILTERED:
                raise
            await self._edit(row.channel_id, row.message_id, view=view)

    async def _old_post(self, row: Telling, match: Match) -> None:
        """Delete a message that has served its purpose. The question of a table that was closed says so instead."""
        if row.channel_id is None or row.message_id in (None, match.board_message_id):
            return
        assert row.message_id is not None
        if match.status is Status.CANCELLED:
            closed = f"{words.title(match)}: {words.how_it_ended(match)}"
            await self._edit(row.channel_id, row.message_id, content=closed, view=None)
            return
        await self._bot.get_partial_messageable(row.channel_id).get_partial_message(row.message_id).delete()

    async def _old_dm(self, row: Telling, match: Match) -> None:
        """Say in the direct message about a turn whose turn it is now, or how the match ended."""
        user_id = row.user_id
        seat = match.seat_of(user_id)
        if user_id is None or seat is None or seat.dm is Dm.CLOSED or match.waits_for(user_id):
            return
        look = self._bot.host.look
        if match.status is Status.FROZEN:
            message = boards.stopped_dm(match)
        else:
            message = await boards.idle_dm(await look.view(match, user_id))
        await self._edit(seat.dm_channel_id, seat.hand_message_id, **message.arguments(edit=True))
        # Their next turn may have begun meanwhile, and the hand may have arrived before this edit.
        if match.status is Status.RUNNING and (await look.match(match.id)).waits_for(user_id):
            hand = await boards.hand_dm(await look.view(match.id, user_id))
            await self._edit(seat.dm_channel_id, seat.hand_message_id, **hand.arguments(edit=True))

    async def _edit(self, channel_id: int | None, message_id: int | None, **arguments: object) -> None:
        if channel_id is not None and message_id is not None:
            message = self._bot.get_partial_messageable(channel_id).get_partial_message(message_id)
            await message.edit(**arguments)  # type: ignore[arg-type]
