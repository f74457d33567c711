"""Sends each kind of outbox row to Discord: lobby, boards, the end, questions to the table.

`board_posts.py` sends boards, `hands.py` direct messages; `tidying.py` changes old messages.

A row has no content. The content is made when it is sent, from the receiver's view. So an outdated board is dropped,
and nothing secret is ever stored.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

from cogs import drawing
from cogs.client import Client
from cogs.delivery import healing, lobbies, threads
from cogs.delivery.board_posts import BoardPosts
from cogs.delivery.gathering import Gathering
from cogs.delivery.hands import Hands, is_of_this_turn
from cogs.delivery.posting import Posting, put_off
from cogs.delivery.tidying import Tidying
from cogs.lobby import lobby_post
from cogs.post import boards, vote_posts
from cogs.press import places
from cogs.press.reply import Message
from cogs.process import faults
from cogs.process.faults import Fault, fault_of, may_pass, why
from cogs.process.looks import Looks, look
from cogs.process.pace import on_behalf
from cogs.text import words
from matches.api import TIDYING, BoardPost, CallPost, Frozen, Kind, Match, NotFound, Posted, Status, Telling, Vote
from matches.host.scheduler import DeliverToServer
from matches.table.questions import Asks, question
from matches.table.reach import OF_NO_SERVER, OPEN

log = logging.getLogger(__name__)

ToServer = Callable[[Client, Telling], Awaitable[None]]
"""Delivers a row about a server. Raises Undelivered."""

PRIVATE: Final = frozenset({Kind.HAND, Kind.SECRETS, Kind.LOST, Kind.NEAR, Kind.CUT_OFF})
"""Kinds that are sent by DM. A failed DM doesn't mean that the match's place is closed."""


class Tellings:
    """Sends outbox rows to Discord. The scheduler calls `deliver`.

    Features have what delivers theirs (`cogs/face.py`). `left_out`: what is said instead of the news of features that
    this bot doesn't have, by kind.
    """

    def __init__(self, bot: Client, left_out: Mapping[Kind, str]) -> None:
        self.bot = bot
        self._private = PRIVATE.union(left_out, *(face.whispers for face in bot.faces))
        self._of_no_server = OF_NO_SERVER.union(*(each.undropped for each in bot.host.work.features))
        self._posting = Posting(bot)
        self._looks = Looks(bot)
        self._boards = BoardPosts(bot, self._posting)
        self._hands = Hands(bot, self._posting)
        self._gathering = Gathering(bot, self._posting)
        self.to_servers: dict[Kind, DeliverToServer] = {
            Kind.LEAVE: self._leave,
            **{kind: partial(tell, bot) for face in bot.faces for kind, tell in face.to_servers.items()},
            **{kind: partial(self._say_over, sentence) for kind, sentence in left_out.items()},
        }
        """What delivers the rows that are about a server, by kind."""
        self._ways: dict[Kind, Callable[[Telling, Match], Awaitable[Posted | None]]] = {
            Kind.LOBBY: self._tell_lobby,
            Kind.BOARD: self._tell_board,
            Kind.WATCH: self._boards.tell,
            Kind.ANEW: self._boards.tell_anew,
            Kind.REFRESH: self._tell_refresh,
            Kind.END: self._tell_end,
            Kind.SECRETS: self._hands.tell_secrets,
            Kind.HAND: self._hands.tell,
            Kind.REMIND: self._tell_reminder,
            Kind.VOTE: self._tell_vote,
            Kind.LOST: self._hands.tell_lost,
            Kind.NEAR: self._hands.tell_near,
            Kind.CUT_OFF: self._hands.tell_cut_off,
            Kind.ROUND: self._tell_round,
            Kind.READY: self._gathering.tell_ready,
            **{kind: partial(tell, self._hands) for face in bot.faces for kind, tell in face.news.items()},
            **{kind: partial(self._tell_left_out, sentence) for kind, sentence in left_out.items()},
            **dict.fromkeys(TIDYING, Tidying(bot).tell),
            **dict.fromkeys((Kind.SEAT, Kind.UNDO, Kind.AWAY), self._tell_notice),
            **dict.fromkeys((Kind.NOT_ENDED, Kind.NOT_UNDONE, Kind.NOT_SEATED), self._tell_notice),
        }

    async def _leave(self, row: Telling) -> None:
        """Leave a server, as whoever runs the bot wants. Raises Undelivered."""
        assert row.guild_id is not None
        try:
            await self.bot.http.leave_guild(row.guild_id)
        except faults.FAILURES as error:
            put_off(error)
            log.warning("server %s: it can't be left: %s", row.guild_id, error)
        else:
            log.info("server %s: the bot has left it, as its operator wanted", row.guild_id)

    async def _say_over(self, sentence: str, row: Telling) -> None:
        """Say in a message of a feature that this bot doesn't have that it's over. Raises Undelivered."""
        if not sentence or row.channel_id is None or row.message_id is None:
            return
        post = self.bot.get_partial_messageable(row.channel_id).get_partial_message(row.message_id)
        try:
            await post.edit(**Message(sentence).arguments(edit=True))
        except faults.FAILURES as error:
            put_off(error)

    async def deliver(self, row: Telling, match: Match) -> Posted | None:
        """Send what a row announces, and return the message if it matters. Raises Undelivered, MovedOn, HostError."""
        away = match.guild_id is not None and match.status in OPEN and self.bot.servers.lacks(match.guild_id)
        if away and row.kind not in self._of_no_server:
            # The porter hasn't come to this server yet since the start. The row is dropped with it.
            await self.bot.host.reach.leave_server(match.id)
            return None
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
        put_off(error)
        fault = fault_of(error)
        lasting = not may_pass(error)
        closed = fault is Fault.GONE or (fault in (Fault.REFUSED, Fault.FILTERED) and lasting)
        is_posted = row.kind is Kind.LOBBY and match.lobby_message_id is not None
        if closed and not is_posted and row.kind not in self._private and match.lost is None:
            known = fault is Fault.GONE and match.guild_id is not None
            missing = await places.closed(self.bot, match.guild_id or 0, match.place_id) if known else ""
            with suppress(NotFound, Frozen):  # A frozen match has no clocks to stop.
                await self.bot.host.reach.lose(match.id, missing or why(error))
        put_off(error, for_long=True)
        level = logging.ERROR if fault is Fault.MALFORMED else logging.WARNING
        what = "match %s: telling %s at ply %s is dropped (%s): %s"
        log.log(level, what, match.id, row.kind, row.ply, fault, error)

    async def _lobby_text(self, match: Match) -> str:
        """What a lobby message says, with what its picture shows."""
        return (await lobby_post.message(self.bot, match)).without_pictures().content

    async def _tell_lobby(self, row: Telling, match: Match) -> None:
        """Redraw the lobby message until it matches the current state. Presses may edit it meanwhile."""
        shown = None
        while (text := await self._lobby_text(match)) != shown or match.owes_thread:
            if match.status is Status.RUNNING or match.owes_thread:
                try:
                    await threads.place_of(self.bot, match)  # makes the thread, so that the lobby message can link it
                except faults.FAILURES:
                    if match.owes_thread:
                        await lobbies.redraw(self.bot, match, row.id)  # People see who has joined even without it.
                    raise
                match = await self.bot.host.look.match(match.id)
                text = await self._lobby_text(match)
            shown = text
            await lobbies.redraw(self.bot, match, row.id)
            match = await self.bot.host.look.match(match.id)
        await threads.close_unused(self.bot, match, row.id)

    async def _tell_board(self, row: Telling, match: Match) -> BoardPost | None:
        sent = await self._boards.tell(row, match)
        self._looks.soon(match)
        return sent

    async def _tell_refresh(self, row: Telling, match: Match) -> BoardPost | None:
        if row.seat is None:
            return await self._boards.tell_refresh(row, match)
        await self._hands.refresh(row, match)
        return None

    async def _tell_end(self, row: Telling, match: Match) -> BoardPost | None:
        if match.status is Status.FROZEN:
            await self._posting.post(match, Message(f"{words.title(match)}: {words.how_it_ended(match)}"), row)
            return None
        view = await self._posting.view(match, None)
        sent = await self._posting.post(match, await boards.end_post(self.bot, view), row)
        return BoardPost(match.id, sent.id, view.ply)

    async def _tell_reminder(self, row: Telling, match: Match) -> BoardPost | CallPost | None:
        seat = match.mover
        if not is_of_this_turn(row, match) or seat is None or seat.user_id is None:
            return None
        match = await look(self.bot, match, seat.user_id)
        if match.cut_off is not None or not (await self.bot.host.look.details(match.id)).reminded:
            return None
        if await healing.board_is_gone(self.bot, match):
            return await self._boards.show(row, match, anew=True)
        if seat.rings_by_dm and not seat.rings_in_place:
            # If the DM didn't arrive, the post pings them.
            seat = replace(seat, dm=await self._hands.remind(row, match, seat))
        sent = await self._posting.post(match, boards.reminder(match, seat), row)
        return CallPost(match.id, sent.id, match.turn_ply)

    async def _tell_vote(self, row: Telling, match: Match) -> CallPost | None:
        if row.seat is None:
            await self._tell_notice(row, match)
        elif is_of_this_turn(row, match):
            seat = match.seats[row.seat]
            if seat.user_id is not None:
                match = await look(self.bot, match, seat.user_id)
            if match.stands_until is None or match.stands_until <= self.bot.host.now():
                post = vote_posts.vote_post(match, await self.bot.host.look.details(match.id), seat)
                sent = await self._posting.post(match, post, row)
                return CallPost(match.id, sent.id, match.turn_ply)
        return None

    async def _tell_notice(self, row: Telling, match: Match) -> None:
        message = _notice(row, match, self.bot.host.now()) if match.status is Status.RUNNING else None
        if message is not None:
            await self._posting.post(match, message, row)

    async def _tell_left_out(self, sentence: str, row: Telling, match: Match) -> None:
        """Tell a person, or everybody at the table if it rings, that something has ended which isn't offered now."""
        if row.user_id is not None:
            await self._hands.tell_left_out(sentence, row, match)
        elif row.rings:
            everybody = " ".join(f"<@{seat.user_id}>" for seat in match.everybody if seat.user_id is not None)
            post, dm = Message(f"{words.title(match)}: {sentence} {everybody}"), f"{boards.opening(match)} {sentence}"
            await self._gathering.call(row, match, match.everybody, post, Message(dm))

    async def _tell_round(self, row: Telling, match: Match) -> None:
        """Post how a round ended, from what everybody may know, whatever has happened since."""
        moment = await self.bot.host.look.round_end(match.id, row.ply)
        if moment is not None:
            await self._posting.post(match, await boards.round_post(match, moment), row)


def _notice(row: Telling, match: Match, now: datetime) -> Message | None:
    """What the table is told or asked about a question or somebody's absence; ``None`` if that is out of date."""
    match row.kind:
        case Kind.VOTE if question(match, now, Asks.CANCEL) is not None:
            return vote_posts.cancel_vote_post(match, now)
        case Kind.UNDO if any(ballot.vote is Vote.UNDO for ballot in match.ballots):
            return vote_posts.undo_post(match, now)
        case Kind.SEAT:
            asking = next((each for each in match.applications if each.user_id == row.user_id), None)
            return None if asking is None or asking.agreed else vote_posts.application_post(match, asking, now)
        case Kind.AWAY if row.seat is not None:
            return Message(words.away(match, match.seats[row.seat], now))
        case Kind.NOT_ENDED | Kind.NOT_UNDONE:
            return vote_posts.question_closed(match, row)
        case Kind.NOT_SEATED if row.user_id is not None:
            return vote_posts.question_closed(match, row)
    return None
