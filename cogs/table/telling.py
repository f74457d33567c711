"""Tells the table and its players what the outbox says has to be told: lobby, board posts, hands, the end.

A telling has no content; it is made when it is sent, from the view of whoever receives it, so a board that is no longer
the latest is dropped and nothing secret is ever stored.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Final
from weakref import WeakValueDictionary

import aiohttp
import discord
from discord.ext import commands, tasks

from cogs.client import Client
from cogs.table import boards, lobby_post, pictures, places, words
from cogs.table.reply import Message
from matches import Dm, HostError, Kind, Match, Status, Telling

log = logging.getLogger(__name__)

LEASE: Final = timedelta(seconds=60)
"""How long a row of the outbox belongs to whoever sends it; after a crash another takes it then."""

TICK: Final = 5.0
"""Seconds between two looks at the clock and at what was left over."""

SOON: Final = timedelta(seconds=30)
LATER: Final = timedelta(minutes=10)
CLOSED_DM: Final = frozenset({50007, 50278, 40003})
"""This person takes no DMs, shares no server, or DMs are opened too fast."""
GONE: Final = frozenset({10003, 10008})
"""The channel or message does not exist any more."""
REFUSED: Final = frozenset({50001, 50013})
"""A permission is missing."""


class Teller(commands.Cog):
    """Sends what the outbox holds: right after each move, and every few seconds what was left over."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._send: dict[Kind, Callable[[Telling, Match], Awaitable[None]]] = {
            Kind.LOBBY: self._tell_lobby,
            Kind.BOARD: self._tell_board,
            Kind.END: self._tell_end,
            Kind.SECRETS: self._tell_secrets,
            Kind.HAND: self._tell_hand,
            Kind.REMIND: self._tell_reminder,
            Kind.VOTE: self._tell_vote,
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
            await self._send[row.kind](row, match)
        except discord.HTTPException as error:
            log.warning("match %s: telling %s at ply %s: %s", row.match_id, row.kind, row.ply, error)
            if error.code in GONE:
                await host.told(row.id)
            else:
                await host.retry(row.id, LATER if error.code in REFUSED else SOON)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("match %s: telling %s at ply %s: %s", row.match_id, row.kind, row.ply, error)
            await host.retry(row.id, SOON)
        except HostError as error:  # the store is busy, or the match stands still: its own telling says so
            log.warning("match %s: telling %s at ply %s: %s", row.match_id, row.kind, row.ply, error)
            await host.retry(row.id, LATER)
        except Exception as error:  # The boundary: one message that cannot be made must not keep the others back.
            log.exception("match %s: telling %s at ply %s", row.match_id, row.kind, row.ply, exc_info=error)
            await host.retry(row.id, LATER)
        else:
            await host.told(row.id)

    async def _tell_lobby(self, row: Telling, match: Match) -> None:
        if match.status is Status.RUNNING:
            await places.place_of(self.bot, match)  # makes the thread, so that the lobby message can link it
            match = await self.bot.host.match(match.id)
        await edit_lobby(self.bot, match)

    async def _tell_board(self, row: Telling, match: Match) -> None:
        if match.status is not Status.RUNNING or row.ply < match.board_ply:
            return
        view = await self.bot.host.view(match.id, None)
        message = await boards.board_post(self.bot, view)
        sent = await self._post(match, message, row, pictures.in_words(view))
        await self.bot.host.set_board_message(match.id, sent.id, view.ply)

    async def _tell_end(self, row: Telling, match: Match) -> None:
        view = await self.bot.host.view(match.id, None)
        message = await boards.end_post(self.bot, view)
        sent = await self._post(match, message, row, pictures.in_words(view))
        await self.bot.host.set_board_message(match.id, sent.id, view.ply)

    async def _tell_secrets(self, row: Telling, match: Match) -> None:
        await self._whisper_to_seat(row, match, boards.secrets_dm)

    async def _tell_hand(self, row: Telling, match: Match) -> None:
        if match.status is Status.RUNNING and row.ply == match.ply:
            await self._whisper_to_seat(row, match, boards.hand_dm)

    async def _tell_reminder(self, row: Telling, match: Match) -> None:
        if match.status is Status.RUNNING and row.ply == match.ply:
            await self._post(match, boards.reminder(match, row.seat), row, None)

    async def _tell_vote(self, row: Telling, match: Match) -> None:
        if match.status is Status.RUNNING:
            await self._post(match, boards.vote_post(match, row.seat), row, None)

    async def _post(
        self, match: Match, message: Message, row: Telling, instead_of_picture: str | None
    ) -> discord.Message:
        """One message to the match's place; where pictures are not allowed, the board in words.

        The row's id is the nonce, so that Discord refuses the twin after a crash between sending and noting it.
        """
        place = await places.place_of(self.bot, match)
        try:
            return await place.send(nonce=row.id, **message.arguments(edit=False))
        except discord.Forbidden as error:
            if error.code not in REFUSED or not message.pictures or instead_of_picture is None:
                raise
        plain = Message(words.fitted("", message.content, instead_of_picture), [], message.view, message.mentions)
        return await place.send(nonce=row.id, **plain.arguments(edit=False))

    async def _whisper_to_seat(
        self, row: Telling, match: Match, make: Callable[[Client, Any], Awaitable[Message]]
    ) -> None:
        """A DM to whoever has the row's seat; nobody waits for a closed one (P2)."""
        seat = next((seat for seat in match.seats if seat.seat == row.seat), None)
        if seat is None or seat.user_id is None or seat.computer is not None or seat.dm is Dm.CLOSED:
            return
        view = await self.bot.host.view(match.id, seat.user_id)
        await whisper_by_dm(self.bot, seat.user_id, await make(self.bot, view), nonce=row.id)


async def edit_lobby(bot: Client, match: Match) -> None:
    """Draw the lobby message anew, when that is not what was pressed."""
    if match.lobby_message_id is not None:
        post = bot.get_partial_messageable(match.channel_id).get_partial_message(match.lobby_message_id)
        await post.edit(**lobby_post.message(match).arguments(edit=True))


async def whisper_by_dm(bot: Client, user_id: int, message: Message, *, nonce: int | None = None) -> bool:
    """A silent DM; False, and remembered, where this person takes none."""
    try:
        channel = await bot.create_dm(discord.Object(user_id))
        arguments = message.arguments(edit=False)
        if nonce is not None:
            arguments["nonce"] = nonce
        await channel.send(silent=True, **arguments)
    except discord.Forbidden as error:
        if error.code not in CLOSED_DM:
            raise
        await bot.host.note_dm(user_id, False)
        return False
    return True


def teller(bot: Client) -> Teller:
    """The bot's one teller."""
    cog = bot.get_cog(Teller.__name__)
    assert isinstance(cog, Teller)
    return cog


async def drain(bot: Client, match_id: int) -> None:
    """Tell what one match has to tell, now."""
    await teller(bot).drain(match_id)
