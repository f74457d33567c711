"""Tells the table and its players what the outbox says has to be told: lobby, board posts, hands, the end.

A telling has no content; it is made when it is sent, from the view of whoever receives it, so a board that is no longer
the latest is dropped and nothing secret is ever stored.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any, Final
from weakref import WeakValueDictionary

import aiohttp
import discord
from discord.ext import commands, tasks

from cogs.client import Client
from cogs.table import boards, healing, lobby_post, pictures, places, words
from cogs.table.healing import GONE, REFUSED
from cogs.table.reply import Message
from games.core import Stage
from matches import BoardPost, Dm, HostError, Kind, Match, Ping, Seat, Status, Telling, Unavailable

log = logging.getLogger(__name__)

LEASE: Final = timedelta(seconds=60)
"""How long a row of the outbox belongs to whoever sends it; after a crash another takes it then."""

TICK: Final = 5.0
"""Seconds between two looks at the clock and at what was left over."""

SOON: Final = timedelta(seconds=30)
LATER: Final = timedelta(minutes=10)


class Teller(commands.Cog):
    """Sends what the outbox holds: right after each move, and every few seconds what was left over."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._ways: dict[Kind, Callable[[Telling, Match], Awaitable[BoardPost | None]]] = {
            Kind.LOBBY: self._tell_lobby,
            Kind.BOARD: self._tell_board,
            Kind.END: self._tell_end,
            Kind.SECRETS: self._tell_secrets,
            Kind.HAND: self._tell_hand,
            Kind.REMIND: self._tell_reminder,
            Kind.VOTE: self._tell_vote,
            Kind.AWAY: self._tell_away,
            Kind.SEAT: self._tell_application,
        }

    async def cog_load(self) -> None:
        self.tick.start()

    async def cog_unload(self) -> None:
        self.tick.stop()

    @tasks.loop(seconds=TICK)
    async def tick(self) -> None:
        """Carry out deadlines that are due and tell what nobody has told yet."""
        with self.bot.at_work():
            await self.drain()

    @tick.before_loop
    async def _wait_for_discord(self) -> None:
        await self.bot.wait_until_ready()

    @tick.error
    async def _survive(self, error: BaseException) -> None:
        """One bad tick must not end all later ones: it is logged, and the loop starts anew."""
        log.error("the teller's tick failed", exc_info=error)
        self.tick.restart()

    async def drain(self, match_id: int | None = None) -> None:
        """Tell everything that is due, of one match or of all, and let computers play that are on turn."""
        while True:
            rows = await self.bot.host.claim(LEASE, match_id)
            for row in rows:
                lock = self._locks.setdefault(row.match_id, asyncio.Lock())
                async with lock:
                    await self._tell(row)
            if not rows and not await self.bot.host.run_due():
                return

    async def _tell(self, row: Telling) -> None:
        host = self.bot.host
        try:
            match = await host.match(row.match_id)
            await host.told(row.id, await self._ways[row.kind](row, match))
        except discord.HTTPException as error:
            log.warning("match %s: telling %s at ply %s: %s", row.match_id, row.kind, row.ply, error)
            if error.code in (*GONE, *REFUSED) and row.kind not in (Kind.LOBBY, Kind.HAND, Kind.SECRETS):
                await healing.say_that_nothing_can_be_posted(self.bot, match)
            if error.code in GONE:
                await _noted(row, host.told(row.id))
            else:
                await _noted(row, host.retry(row.id, LATER if error.code in REFUSED else SOON))
        except (aiohttp.ClientError, OSError) as error:
            log.warning("match %s: telling %s at ply %s: %s", row.match_id, row.kind, row.ply, error)
            await _noted(row, host.retry(row.id, SOON))
        except HostError as error:  # the store is busy, or the match stands still: its own telling says so
            log.warning("match %s: telling %s at ply %s: %s", row.match_id, row.kind, row.ply, error)
            await _noted(row, host.retry(row.id, SOON if isinstance(error, Unavailable) else LATER))
        except Exception as error:  # The boundary: one message that cannot be made must not keep the others back.
            log.exception("match %s: telling %s at ply %s", row.match_id, row.kind, row.ply, exc_info=error)
            await _noted(row, host.retry(row.id, LATER))

    async def _tell_lobby(self, row: Telling, match: Match) -> None:
        if match.status is Status.RUNNING:
            await places.place_of(self.bot, match)  # makes the thread, so that the lobby message can link it
            match = await self.bot.host.match(match.id)
        await lobby_post.redraw(self.bot, match)

    async def _tell_board(self, row: Telling, match: Match) -> BoardPost | None:
        if match.status is Status.RUNNING and row.ply >= match.board_ply:
            return await self._post_board(row, match)
        return None

    async def _post_board(self, row: Telling, match: Match) -> BoardPost | None:
        view = await self.bot.host.view(match, None)
        message = await boards.board_post(self.bot, view)
        if match.of_computers and await self._redrawn(match, message):
            return None
        sent = await self._post(match, message, row, pictures.in_words(view))
        return BoardPost(match.id, sent.id, view.ply)

    async def _redrawn(self, match: Match, message: Message) -> bool:
        """Whether the one post that computers playing alone share was there to be changed (P26)."""
        if match.board_message_id is None:
            return False
        post = self.bot.get_partial_messageable(match.place_id).get_partial_message(match.board_message_id)
        try:
            await post.edit(**message.arguments(edit=True))
        except discord.NotFound:
            return False
        return True

    async def _tell_end(self, row: Telling, match: Match) -> BoardPost | None:
        if match.status is Status.FROZEN:
            await self._post(match, Message(f"{words.title(match)}: {words.how_it_ended(match)}"), row)
            return None
        view = await self.bot.host.view(match, None)
        message = await boards.end_post(self.bot, view)
        sent = await self._post(match, message, row, pictures.in_words(view))
        return BoardPost(match.id, sent.id, view.ply)

    async def _tell_secrets(self, row: Telling, match: Match) -> None:
        seat = _to_be_told_in_private(match, row)
        if seat is not None:
            rings = match.to_move == seat.seat and seat.rings_by_dm
            await self._whisper(row, match, seat, boards.secrets_dm, rings=rings)

    async def _tell_hand(self, row: Telling, match: Match) -> None:
        seat = _to_be_told_in_private(match, row)
        if seat is None or match.status is not Status.RUNNING or row.ply != match.ply:
            return
        view = await self.bot.host.view(match, None)
        # In a series of picks there is no post for every turn, so the DM has to ring (P7, P26).
        alone = view.stage is Stage.SERIES and match.board_ply < row.ply and seat.settings.ping is not Ping.NONE
        await self._whisper(row, match, seat, boards.hand_dm, rings=alone or seat.rings_by_dm)

    async def _tell_reminder(self, row: Telling, match: Match) -> BoardPost | None:
        seat = next((seat for seat in match.present if seat.seat == row.seat), None)
        if match.status is not Status.RUNNING or row.ply != match.ply or seat is None or seat.user_id is None:
            return None
        if await healing.has_left(self.bot, match, seat.user_id):
            await self.bot.host.note_gone(match.id, seat.user_id)
        elif await healing.board_is_gone(self.bot, match):
            return await self._post_board(row, match)
        else:
            await self._post(match, boards.reminder(match, seat), row)
            if seat.rings_by_dm and not seat.rings_in_place:
                await healing.by_dm(self.bot, seat.user_id, boards.reminder(match, seat, link=True), silent=False)
        return None

    async def _tell_vote(self, row: Telling, match: Match) -> None:
        if match.status is not Status.RUNNING:
            return
        if row.seat is None:
            await self._post(match, boards.cancel_vote_post(match), row)
            return
        seat = match.seats[row.seat]
        left = seat.user_id is not None and await healing.has_left(self.bot, match, seat.user_id)
        await self._post(match, boards.vote_post(match, seat, left=left), row)

    async def _tell_away(self, row: Telling, match: Match) -> None:
        if match.status is Status.RUNNING and row.seat is not None:
            await self._post(match, Message(words.away(match, match.seats[row.seat])), row, silent=True)

    async def _tell_application(self, row: Telling, match: Match) -> None:
        for application in match.applications:
            if match.status is Status.RUNNING and application.seat == row.seat and not application.agreed:
                await self._post(match, boards.application_post(match, application), row)

    async def _post(
        self,
        match: Match,
        message: Message,
        row: Telling,
        instead_of_picture: str | None = None,
        *,
        silent: bool = False,
    ) -> discord.Message:
        """One message to the match's place, or to the one that it still has."""
        try:
            sent = await self._send(match, message, row, instead_of_picture, silent=silent)
        except discord.HTTPException as error:
            match = await healing.mended(self.bot, match, error)
            for picture in message.pictures:
                picture.reset()
            sent = await self._send(match, message, row, instead_of_picture, silent=silent)
        if match.unreachable:
            await self.bot.host.note_unreachable(match.id, False)
        return sent

    async def _send(
        self, match: Match, message: Message, row: Telling, instead_of_picture: str | None, *, silent: bool
    ) -> discord.Message:
        """One message to the match's place; where pictures are not allowed, the board in words.

        The row's id is the nonce, so that Discord refuses the twin after a crash between sending and noting it.
        """
        place = await places.place_of(self.bot, match)
        plain = None
        if message.pictures and instead_of_picture is not None:
            content = words.fitted("", message.content, instead_of_picture)
            plain = Message(content, [], message.view, message.mentions)
        if plain is not None and not places.may_attach_in(self.bot, match):
            return await _sent(place, plain, row, silent=silent)
        try:
            return await _sent(place, message, row, silent=silent)
        except discord.Forbidden as error:
            if error.code not in REFUSED or plain is None:
                raise
        sent = await _sent(place, plain, row, silent=silent)
        places.note_refused_picture(self.bot, match)
        return sent

    async def _whisper(
        self,
        row: Telling,
        match: Match,
        seat: Seat,
        make: Callable[[Client, Any], Awaitable[Message]],
        *,
        rings: bool,
    ) -> None:
        """A DM to a seat's person; nobody waits for a closed one (P2), but then a ring is owed in the match's place."""
        assert seat.user_id is not None
        view = await self.bot.host.view(match, seat.user_id)
        message = await make(self.bot, view)
        if await healing.by_dm(self.bot, seat.user_id, message, nonce=row.id, silent=not rings):
            return
        if await healing.has_left(self.bot, match, seat.user_id):
            await self.bot.host.note_gone(match.id, seat.user_id)
        elif rings:
            await self._post(match, boards.call(match, seat), row)


async def _noted(row: Telling, noting: Awaitable[None]) -> None:
    """Store how a telling went. Where that fails its lease runs out by itself, and Discord knows the row's number."""
    try:
        await noting
    except HostError as error:
        log.warning("match %s: noting %s at ply %s: %s", row.match_id, row.kind, row.ply, error)


async def _sent(place: discord.PartialMessageable, message: Message, row: Telling, *, silent: bool) -> discord.Message:
    """The message, as it stands on Discord under the number of the row.

    Where the answer to an earlier try was lost Discord gives back what that has posted. If the match has gone on since,
    that is made to show what is the case now: it will count as having told it.
    """
    sent = await place.send(nonce=row.id, silent=silent, **message.arguments(edit=False))
    wanted = message.view.to_components() if message.view is not None else []
    if _custom_ids(part.to_dict() for part in sent.components) != _custom_ids(wanted):
        for picture in message.pictures:
            picture.reset()
        await sent.edit(**message.arguments(edit=True))
    return sent


def _custom_ids(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Of all buttons in these rows."""
    return [part["custom_id"] for row in rows for part in row.get("components", ()) if "custom_id" in part]


def _to_be_told_in_private(match: Match, row: Telling) -> Seat | None:
    """The seat of the row, where a person plays it who takes DMs."""
    return next((seat for seat in match.present if seat.seat == row.seat and seat.dm is not Dm.CLOSED), None)


def teller(bot: Client) -> Teller:
    """The bot's one teller."""
    cog = bot.get_cog(Teller.__name__)
    assert isinstance(cog, Teller)
    return cog


async def drain(bot: Client, match_id: int) -> None:
    """Tell what one match has to tell, now; what cannot be told now comes later (whoever acted has his answer)."""
    try:
        await teller(bot).drain(match_id)
    except HostError as error:
        log.warning("match %s: telling comes later: %s", match_id, error)
    except ExceptionGroup as error:
        log.exception("match %s: telling comes later", match_id, exc_info=error)
