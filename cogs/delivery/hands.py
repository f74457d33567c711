"""Sends the direct messages of a match: hands and secrets, reminders, and what only one person may learn (P2, P32).

Each person has one such message for each match. It is edited, or replaced by a new one if it should ring.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from cogs.delivery.posting import Deliverer
from cogs.post import boards, dms
from cogs.press.reply import Message
from cogs.process import faults
from cogs.process.faults import is_transient
from cogs.process.looks import look
from cogs.text import names, words
from matches.api import CallPost, CutOff, Dm, HandPost, Kind, Lost, Match, Ping, Seat, Status, Telling, View


class Hands(Deliverer):
    """Sends direct messages about matches."""

    async def tell(self, row: Telling, match: Match) -> HandPost | CallPost | None:
        """Send the player whose turn it is a fresh hand."""
        seat = whose(match, row)
        if seat is None or not is_of_this_turn(row, match):
            return None
        return await self._tell(row, match, seat, boards.hand_dm)

    async def tell_secrets(self, row: Telling, match: Match) -> HandPost | CallPost | None:
        """Send a person what a deal gave to them."""
        seat = whose(match, row)
        return None if seat is None else await self._tell(row, match, seat, boards.secrets_dm)

    async def refresh(self, row: Telling, match: Match) -> None:
        """Update the buttons of the message to the player whose turn it is."""
        seat = whose(match, row)
        if seat is None or seat.dm is Dm.CLOSED or not is_of_this_turn(row, match):
            return
        view = await self.posting.view(match, seat.user_id)
        # If the person has deleted it, nothing is lost: **Play** is under the board, too.
        await self.posting.edited(seat.dm_channel_id, seat.hand_message_id, view=boards.private_buttons(view))

    async def remind(self, row: Telling, match: Match, seat: Seat) -> Dm:
        """Remind the player whose turn it is, by a message that rings. Returns whether they accept it."""

        async def message() -> Message:
            return await boards.hand_dm(await self.posting.view(match, seat.user_id), reminds=True)

        # Discord takes a second message under the same nonce for the first one.
        sent, dm = await self._dm(seat, message, f"{row.id}-dm", silent=False)
        if sent is not None:
            await self.bot.host.outbox.note(HandPost(match.id, seat.position, sent.id, sent.channel.id))
        return dm

    async def tell_lost(self, row: Telling, match: Match) -> None:
        """Tell the players that the bot can't post where the match is played."""
        if match.lost is not Lost.PLACE and match.cut_off is not CutOff.REFUSED:
            return
        for seat in match.present:
            await self.dm_or_never(seat, boards.lost(match), f"{row.id}-{seat.position}")

    async def tell_cut_off(self, row: Telling, match: Match) -> None:
        """Tell the player to move why they can't press anything where they play. Nobody else learns that."""
        seat = match.mover
        if seat is not None and seat.user_id == row.user_id and match.cut_off is not None:
            await self.dm_or_never(seat, Message(words.cut_off(match, seat, self.bot.host.now())), str(row.id))

    async def tell_near(self, row: Telling, match: Match) -> None:
        """Tell a person that somebody on their list of people to keep away from has joined. Nobody else can notice."""
        own = None if row.user_id is None else match.at_table(row.user_id)
        if own is None or row.user_id is None or match.status not in (Status.LOBBY, Status.RUNNING):
            return
        others = [seat.user_id for seat in match.everybody if seat.user_id is not None and seat is not own]
        blocked = await self.bot.host.settings.blocked_among(row.user_id, others)
        who = [names.of(seat) for seat in match.everybody if seat.user_id in blocked]
        if who:
            await self.dm_or_never(own, boards.near(match, who), str(row.id))

    async def tell_left_out(self, sentence: str, row: Telling, match: Match) -> None:
        """Tell a person that something has ended for them which this bot doesn't offer any more."""
        seat = whose(match, row)
        if sentence and seat is not None and seat.user_id == row.user_id:
            await self.dm_or_never(seat, Message(f"{boards.opening(match)} {sentence}"), str(row.id), rings=row.rings)

    async def _tell(
        self, row: Telling, match: Match, seat: Seat, make: Callable[[View], Awaitable[Message]]
    ) -> HandPost | CallPost | None:
        """Edit the person's message of the match. If the row rings, send a new one: Discord announces no edit."""
        if not row.rings and seat.dm is not Dm.CLOSED and None not in (seat.dm_channel_id, seat.hand_message_id):
            message = await make(await self.posting.view(match, seat.user_id))
            if await self.posting.edited(seat.dm_channel_id, seat.hand_message_id, **message.arguments(edit=True)):
                return None
        return await self._whisper(row, match, seat, make)

    async def _whisper(
        self, row: Telling, match: Match, seat: Seat, make: Callable[[View], Awaitable[Message]]
    ) -> HandPost | CallPost | None:
        """Send a DM to a seat's person. If their DMs are closed, or can't be opened now, go on without it (P2, P32).

        **My hand** shows everything private, too. But if the row rings, and the board doesn't, the match's place gets a
        ping instead.
        """
        user_id = seat.user_id
        assert user_id is not None

        async def message() -> Message:
            return await make(await self.posting.view(match, user_id))

        asked = row.kind is Kind.SECRETS and await self.bot.host.dms.has_just_pressed(row, match)
        sent, dm = await self._dm(seat, message, row.id, silent=not row.rings, asked=asked)
        if sent is not None:
            return HandPost(match.id, seat.position, sent.id, sent.channel.id)
        if dm is Dm.CLOSED and seat.dm is not Dm.CLOSED:
            match = await look(self.bot, match, user_id)
        if match.cut_off not in (None, CutOff.REFUSED):
            return None
        if row.rings and seat.settings.ping is not Ping.BOTH and is_of_this_turn(row, match):
            call = await self.posting.post(match, boards.call(match, seat), row)
            return CallPost(match.id, call.id, match.turn_ply)
        return None

    async def dm_or_never(self, seat: Seat, message: Message, nonce: str, *, rings: bool = False) -> None:
        """Send a DM, and drop it if Discord refuses it: `/match` shows the same."""
        try:
            await self._dm(seat, message, nonce, silent=not rings)
        except faults.FAILURES as error:
            if is_transient(error):
                raise

    async def _dm(
        self,
        seat: Seat,
        message: Message | Callable[[], Awaitable[Message]],
        nonce: int | str,
        *,
        silent: bool,
        asked: bool = False,
    ) -> dms.Outcome:
        if seat.dm is Dm.CLOSED:
            return dms.Outcome(None, Dm.CLOSED)
        assert seat.user_id is not None
        return await dms.send(self.bot, seat.user_id, message, seat=seat, asked=asked, nonce=nonce, silent=silent)


def whose(match: Match, row: Telling) -> Seat | None:
    """Return the row's seat if its person plays it."""
    return next((seat for seat in match.present if seat.seat == row.seat), None)


def is_of_this_turn(row: Telling, match: Match) -> bool:
    """Whether the row's turn still goes on. The table's own lines begin no new turn."""
    about = row.user_id is None or (match.mover is not None and match.mover.user_id == row.user_id)
    return match.status is Status.RUNNING and row.ply >= match.turn_ply and match.to_move == row.seat and about


Whisper: TypeAlias = Callable[[Hands, Telling, Match], Awaitable[None]]
"""Delivers a feature's news of a match."""
