"""Sends each kind of outbox row to Discord: lobby, boards, hands, the end, questions to the table.

A row has no content. The content is made when it is sent, from the receiver's view. So an outdated board is dropped,
and nothing secret is ever stored.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import discord

from cogs import drawing
from cogs.client import Client
from cogs.delivery import healing, lobbies, threads
from cogs.lobby import lobby_post
from cogs.post import boards, dms
from cogs.press import places
from cogs.press.reply import Message
from cogs.process import faults
from cogs.process.faults import Fault, fault_of, has_code, is_transient, may_pass, reason
from cogs.process.pace import on_behalf
from cogs.text import names, words
from matches.api import (
    BoardPost,
    Dm,
    Frozen,
    HandPost,
    Kind,
    Lost,
    Match,
    NotFound,
    Seat,
    Status,
    Telling,
    UserId,
    View,
    Vote,
)
from matches.delivery.dms import has_just_pressed
from matches.delivery.scheduler import MovedOn, Undelivered
from matches.table.questions import Asks, question

log = logging.getLogger(__name__)

PRIVATE: Final = frozenset({Kind.HAND, Kind.SECRETS, Kind.LOST, Kind.NEAR})
"""Kinds that are sent by DM. If that fails, it says nothing about the match's place."""

SILENT: Final = frozenset({Kind.AWAY, Kind.ROUND, Kind.NOT_ENDED, Kind.NOT_UNDONE, Kind.NOT_SEATED})
"""What nobody has to answer: Discord sends no notification for these posts."""


class Tellings:
    """Sends outbox rows to Discord. The scheduler calls `deliver`."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self._ways: dict[Kind, Callable[[Telling, Match], Awaitable[BoardPost | HandPost | None]]] = {
            Kind.LOBBY: self._tell_lobby,
            Kind.BOARD: self._tell_board,
            Kind.REFRESH: self._tell_refresh,
            Kind.END: self._tell_end,
            Kind.SECRETS: self._tell_secrets,
            Kind.HAND: self._tell_hand,
            Kind.REMIND: self._tell_reminder,
            Kind.VOTE: self._tell_vote,
            Kind.LOST: self._tell_lost,
            Kind.NEAR: self._tell_near,
            Kind.ROUND: self._tell_round,
            Kind.WATCH: self._tell_board,
            **dict.fromkeys((Kind.SEAT, Kind.UNDO, Kind.AWAY), self._tell_notice),
            **dict.fromkeys((Kind.NOT_ENDED, Kind.NOT_UNDONE, Kind.NOT_SEATED), self._tell_notice),
        }

    async def deliver(self, row: Telling, match: Match) -> BoardPost | HandPost | None:
        """Send what a row announces, and return the board or hand posted. Raises Undelivered, MovedOn, HostError."""
        on_behalf(match.guild_id, match.rank)
        try:
            with drawing.for_table(match):
                return await self._ways[row.kind](row, match)
        except faults.FAILURES as error:
            await self._refused(row, match, error)
            return None

    async def _refused(self, row: Telling, match: Match, error: Exception) -> None:
        """After a failed request, note a place that is closed to the bot (P17). Drop the row if no retry can succeed.

        Raises Undelivered if a retry may succeed.
        """
        fault = fault_of(error)
        if fault is Fault.TRANSIENT:
            raise Undelivered(reason(error), soon=True) from error
        lasting = not may_pass(error)
        closed = fault is Fault.GONE or (fault is Fault.REFUSED and lasting)
        if closed and row.kind is not Kind.LOBBY and row.kind not in PRIVATE:
            with suppress(NotFound, Frozen):  # A frozen match has no clocks to stop.
                await self.bot.host.reach.lose(match.id)
        if not lasting:
            raise Undelivered(reason(error), soon=False) from error
        level = logging.ERROR if fault is Fault.MALFORMED else logging.WARNING
        what = "match %s: telling %s at ply %s is dropped (%s): %s"
        log.log(level, what, match.id, row.kind, row.ply, fault, error)

    async def _view(self, match: Match, user_id: UserId | None) -> View:
        """Return the match as this person may see it. Raises MovedOn if it is no longer at the ply of `match`."""
        view = await self.bot.host.look.view(match, user_id)
        if view.ply != match.ply:
            raise MovedOn
        return view

    async def _tell_lobby(self, row: Telling, match: Match) -> None:
        """Redraw the lobby message until it matches the current state. Presses may edit it meanwhile."""
        shown = None
        while shown != lobby_post.message(match).content or match.owes_thread:
            if match.status is Status.RUNNING or match.owes_thread:
                try:
                    await threads.place_of(self.bot, match)  # makes the thread, so that the lobby message can link it
                except faults.FAILURES:
                    if match.owes_thread:
                        await lobbies.redraw(self.bot, match, row.id)  # People see who has joined even without it.
                    raise
                match = await self.bot.host.look.match(match.id)
            shown = lobby_post.message(match).content
            await lobbies.redraw(self.bot, match, row.id)
            match = await self.bot.host.look.match(match.id)
        await threads.close_unused(self.bot, match, row.id)

    async def _tell_board(self, row: Telling, match: Match) -> BoardPost | None:
        if match.status is Status.RUNNING and row.ply >= match.board_ply:
            return await self._post_board(row, match)
        return None

    async def _post_board(self, row: Telling, match: Match) -> BoardPost | None:
        view = await self._view(match, None)
        message = await boards.board_post(self.bot, view, rings=row.rings)
        # Computers that play alone share one post (P26).
        if match.of_computers and await self._edited_board(match, **message.arguments(edit=True)):
            return None
        sent = await self._post(match, message, row)
        return BoardPost(match.id, sent.id, view.ply)

    async def _tell_refresh(self, row: Telling, match: Match) -> BoardPost | None:
        """Update the buttons of the latest board, unless a newer board is due. If it is gone, post it again."""
        if row.seat is not None:
            await self._refresh_hand(row, match)
            return None
        if match.status is not Status.RUNNING or match.board_ply >= match.ply or match.of_computers:
            return None
        buttons = boards.board_buttons(await self._view(match, None))
        if await self._edited_board(match, view=buttons):
            return None
        return await self._post_board(row, match)

    async def _refresh_hand(self, row: Telling, match: Match) -> None:
        seat = _whose(match, row)
        if seat is None or seat.dm is Dm.CLOSED or not _is_of_this_turn(row, match):
            return
        view = await self._view(match, seat.user_id)
        # If the person has deleted it, nothing is lost: **Play** is under the board, too.
        await self._edited(seat.dm_channel_id, seat.hand_message_id, view=boards.private_buttons(view))

    async def _edited_board(self, match: Match, **arguments: Any) -> bool:
        return await self._edited(match.place_id, match.board_message_id, **arguments)

    async def _edited(self, channel_id: int | None, message_id: int | None, **arguments: Any) -> bool:
        """Edit a message of the bot's, and return whether that worked. If not, the caller sends a new one.

        Raises one of `faults.FAILURES` if a new message would fail, too.
        """
        if channel_id is None or message_id is None:
            return False
        try:
            await self.bot.get_partial_messageable(channel_id).get_partial_message(message_id).edit(**arguments)
        except faults.FAILURES as error:
            if fault_of(error) in (Fault.TRANSIENT, Fault.MALFORMED):
                raise
            return False
        return True

    async def _tell_end(self, row: Telling, match: Match) -> BoardPost | None:
        if match.status is Status.FROZEN:
            await self._post(match, Message(f"{words.title(match)}: {words.how_it_ended(match)}"), row)
            return None
        view = await self._view(match, None)
        sent = await self._post(match, await boards.end_post(self.bot, view), row)
        # Otherwise the last board would keep its buttons for ever.
        with suppress(*faults.FAILURES):
            await self._edited_board(match, view=None)
        return BoardPost(match.id, sent.id, view.ply)

    async def _tell_secrets(self, row: Telling, match: Match) -> HandPost | None:
        seat = _whose(match, row)
        return None if seat is None else await self._whisper(row, match, seat, boards.secrets_dm)

    async def _tell_hand(self, row: Telling, match: Match) -> HandPost | None:
        seat = _whose(match, row)
        if seat is None or not _is_of_this_turn(row, match):
            return None
        # Only a ring needs a new message: Discord doesn't notify anybody of an edit.
        if not row.rings and seat.dm is not Dm.CLOSED and None not in (seat.dm_channel_id, seat.hand_message_id):
            message = await boards.hand_dm(await self._view(match, seat.user_id))
            if await self._edited(seat.dm_channel_id, seat.hand_message_id, **message.arguments(edit=True)):
                return None
        return await self._whisper(row, match, seat, boards.hand_dm)

    async def _tell_reminder(self, row: Telling, match: Match) -> BoardPost | None:
        seat = match.mover
        if not _is_of_this_turn(row, match) or seat is None or seat.user_id is None:
            return None
        if await healing.has_left(self.bot, match, seat.user_id):
            await self.bot.host.absence.note_gone(match.id, seat.user_id)
        elif await healing.board_is_gone(self.bot, match):
            return await self._post_board(row, match)
        else:
            if seat.rings_by_dm and not seat.rings_in_place:
                reminder = boards.reminder(match, seat, link=True)
                # Discord takes a second message under the same nonce for the first one.
                _, dm = await self._dm(seat, reminder, f"{row.id}-dm", silent=False)
                seat = replace(seat, dm=dm)  # If the DM didn't arrive, the post pings them.
            await self._post(match, boards.reminder(match, seat), row)
        return None

    async def _tell_vote(self, row: Telling, match: Match) -> None:
        if row.seat is None:
            await self._tell_notice(row, match)
        elif _is_of_this_turn(row, match):
            seat = match.seats[row.seat]
            left = seat.user_id is not None and await healing.has_left(self.bot, match, seat.user_id)
            await self._post(match, boards.vote_post(match, seat, left=left), row)

    async def _tell_notice(self, row: Telling, match: Match) -> None:
        message = _notice(row, match, self.bot.host.now()) if match.status is Status.RUNNING else None
        if message is not None:
            await self._post(match, message, row)

    async def _tell_round(self, row: Telling, match: Match) -> None:
        """Post how a round ended, from what everybody may know, whatever has happened since."""
        moment = await self.bot.host.look.round_end(match.id, row.ply)
        if moment is not None:
            await self._post(match, await boards.round_post(match, moment), row)

    async def _tell_lost(self, row: Telling, match: Match) -> None:
        """Tell the players by DM, since the bot can't post where the match is played."""
        if match.lost is not Lost.PLACE:
            return
        for seat in match.present:
            await self._dm_or_never(seat, boards.lost(match), f"{row.id}-{seat.position}")

    async def _tell_near(self, row: Telling, match: Match) -> None:
        """Tell a person by DM that somebody has joined whom they keep away from. Nobody else can notice."""
        own = None if row.user_id is None else match.seat_of(row.user_id)
        if own is None or row.user_id is None or match.status not in (Status.LOBBY, Status.RUNNING):
            return
        others = [seat.user_id for seat in match.seats if seat.user_id is not None and seat is not own]
        near = await self.bot.host.settings.near(row.user_id, others)
        who = [names.of(seat) for seat in match.seats if seat.user_id in near]
        if who:
            await self._dm_or_never(own, boards.near(match, who), str(row.id))

    async def _post(self, match: Match, message: Message, row: Telling) -> discord.Message:
        """Post a message in the match's place. If that fails, retry in the place that the match still has."""
        try:
            sent = await self._send(match, message, row)
        except faults.FAILURES as error:
            match = await healing.recover_place(self.bot, match, error)
            for picture in message.pictures:
                picture.reset()
            sent = await self._send(match, message, row)
        if match.lost is not None:
            await self.bot.host.reach.find(match.id)
        return sent

    async def _send(self, match: Match, message: Message, row: Telling) -> discord.Message:
        """Send a message to the match's place. Where pictures are forbidden, send the board in words.

        The row's id is the nonce, so that Discord refuses a duplicate after a crash between sending and storing.
        """
        place = await threads.place_of(self.bot, match)
        in_words = None
        if message.in_words is not None:
            in_words = replace(message, content=words.fitted("", message.content, message.in_words), pictures=[])
        if in_words is not None and not places.may_attach_in(self.bot, match):
            return await _sent(place, in_words, row)
        try:
            return await _sent(place, message, row)
        except faults.FAILURES as error:
            forbidden = has_code(error, *faults.NO_PICTURES)
            if in_words is None or not (forbidden or fault_of(error) is Fault.MALFORMED):
                raise
            if not forbidden:
                log.error("match %s: Discord refuses a picture at ply %s: %s", match.id, row.ply, error)
        sent = await _sent(place, in_words, row)
        if forbidden:
            places.note_refused_picture(self.bot, match)
        return sent

    async def _whisper(
        self, row: Telling, match: Match, seat: Seat, make: Callable[[View], Awaitable[Message]]
    ) -> HandPost | None:
        """Send a DM to a seat's person. If their DMs are closed, or can't be opened now, go on without it (P2, P32).

        **My hand** shows everything private, too. But if the row rings, the match's place gets a ping instead.
        """
        user_id = seat.user_id
        assert user_id is not None

        async def message() -> Message:
            return await make(await self._view(match, user_id))

        asked = row.kind is Kind.SECRETS and has_just_pressed(row, match)
        sent, dm = await self._dm(seat, message, row.id, silent=not row.rings, asked=asked)
        if sent is not None:
            return HandPost(match.id, seat.position, sent.id)
        turned_out_closed = dm is Dm.CLOSED and seat.dm is not Dm.CLOSED
        if turned_out_closed and await healing.has_left(self.bot, match, user_id):
            await self.bot.host.absence.note_gone(match.id, user_id)
        elif row.rings and _is_of_this_turn(row, match):
            await self._post(match, boards.call(match, seat), row)
        return None

    async def _dm_or_never(self, seat: Seat, message: Message, nonce: str) -> None:
        """Send a DM, and drop it if Discord refuses it: `/match list` shows the same."""
        try:
            await self._dm(seat, message, nonce, silent=True)
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


async def _sent(place: discord.PartialMessageable, message: Message, row: Telling) -> discord.Message:
    """Send a message with the row's id as its nonce, and return it.

    If the answer to an earlier try was lost, Discord returns the message of that try. If the match has moved on since,
    this edits that message to show the current state, since it will count as delivered.
    """
    sent = await place.send(nonce=row.id, silent=row.kind in SILENT, **message.arguments(edit=False))
    wanted = message.view.to_components() if message.view is not None else []
    if _custom_ids(part.to_dict() for part in sent.components) != _custom_ids(wanted):
        for picture in message.pictures:
            picture.reset()
        await sent.edit(**message.arguments(edit=True))
    return sent


def _notice(row: Telling, match: Match, now: datetime) -> Message | None:
    """What the table is told or asked about a question or somebody's absence; ``None`` if that is out of date."""
    match row.kind:
        case Kind.VOTE if question(match, now, Asks.CANCEL) is not None:
            return boards.cancel_vote_post(match, now)
        case Kind.UNDO if any(ballot.vote is Vote.UNDO for ballot in match.ballots):
            return boards.undo_post(match, now)
        case Kind.SEAT:
            asking = next((each for each in match.applications if each.user_id == row.user_id), None)
            return None if asking is None or asking.agreed else boards.application_post(match, asking, now)
        case Kind.AWAY if row.seat is not None:
            return Message(words.away(match, match.seats[row.seat], now))
        case Kind.NOT_ENDED | Kind.NOT_UNDONE:
            return boards.question_closed(match, row)
        case Kind.NOT_SEATED if row.user_id is not None:
            return boards.question_closed(match, row)
    return None


def _custom_ids(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the custom_ids of all buttons in these rows."""
    return [part["custom_id"] for row in rows for part in row.get("components", ()) if "custom_id" in part]


def _whose(match: Match, row: Telling) -> Seat | None:
    """Return the row's seat if its person plays it."""
    return next((seat for seat in match.present if seat.seat == row.seat), None)


def _is_of_this_turn(row: Telling, match: Match) -> bool:
    """Whether the row's turn still goes on. The table's own lines begin no new turn."""
    about = row.user_id is None or (match.mover is not None and match.mover.user_id == row.user_id)
    return match.status is Status.RUNNING and row.ply >= match.turn_ply and match.to_move == row.seat and about
