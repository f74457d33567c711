"""Asks the people of a table whether they're ready before it starts (P26, P40).

`matches/pledges/gathering.py` decides which pledges make a table.
"""

from __future__ import annotations

from collections.abc import Collection

import discord

from cogs.delivery.posting import Deliverer
from cogs.lobby import lobby_post
from cogs.post import dms
from cogs.press.reply import Message
from cogs.process import faults
from cogs.process.faults import is_transient
from matches.api import CallPost, Dm, Match, Seat, Status, Telling, UserId
from matches.features import start_of


class Gathering(Deliverer):
    """Sends DMs to those who want them, and posts one message. It mentions the others, and those whose DM failed."""

    async def tell_ready(self, row: Telling, match: Match) -> CallPost | None:
        """Ask everybody whether they're ready, unless the answer would come too late."""
        start = start_of(match)
        until = match.turn_due if start is None else start.at
        if match.status is not Status.LOBBY or not match.asking or until is None or self.bot.host.now() >= until:
            return None
        waited_for = [seat for seat in match.everybody if not seat.ready]
        return await self.call(row, match, waited_for, lobby_post.ready_post(match), lobby_post.ready_dm(match))

    async def call(
        self, row: Telling, match: Match, seats: Collection[Seat], message: Message, dm: Message
    ) -> CallPost:
        """Send the DMs, then post the message, which mentions those whom no DM has reached."""
        reached = set()
        for seat in seats:
            if seat.rings_by_dm and seat.user_id is not None and await self._reached(row, seat, seat.user_id, dm):
                reached.add(seat.user_id)
        rung = [
            seat.user_id
            for seat in seats
            if seat.user_id is not None and (seat.rings_in_place or (seat.rings_by_dm and seat.user_id not in reached))
        ]
        message.mentions = discord.AllowedMentions(users=[discord.Object(user) for user in rung])
        sent = await self.posting.post(match, message, row)
        return CallPost(match.id, sent.id, match.turn_ply)

    async def _reached(self, row: Telling, seat: Seat, user_id: UserId, message: Message) -> bool:
        """Send a DM that rings, and return whether it arrived. A retry sends the same nonce, so nobody gets two."""
        nonce = f"{row.id}-{seat.position}"
        try:
            outcome = await dms.send(
                self.bot, user_id, message, seat=seat, asked=False, nonce=nonce, silent=not row.rings
            )
        except faults.FAILURES as error:
            if is_transient(error):
                raise
            return False
        return outcome.dm is Dm.OPEN
