"""Which server is told which day's puzzle, and when (P26).

It puts rows into the outbox; `cogs/puzzles/__init__.py` sends them. The queries are in `db/puzzles/kept.py`. A
*number* is a day's puzzle, counted from 1.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from db import Connection
from db.matches import outbox
from db.matches.outbox import News
from db.model.enums import Kind
from db.model.ids import Ply
from db.puzzles import kept as puzzles
from db.puzzles.rows import A_DAY, PuzzlePostRow, number_at
from db.store.transactions import wait_for_turn
from matches.puzzles import calendar, shelves
from matches.puzzles.book import Book, day_of
from matches.puzzles.standing import DayResult
from matches.work.part import Part

UNTRUSTED: Final = timedelta(minutes=20)
"""While the clock can't be trusted, no number's time is ended. The server is checked again after this time."""

CHECKED_EACH: Final = timedelta(hours=6)
"""A server is checked at least this often. So a later due time was stored by a clock that was ahead."""

REMEMBERED: Final = 30
"""The store remembers for this many numbers that a server was told them, in case the clock is set back."""


class PuzzlePosts(Part):
    """Tells servers of the day's puzzles. All of it raises Unavailable."""

    book: Book = shelves

    async def channel(self, guild_id: int) -> int | None:
        """Return the channel in which a server wants the day's puzzles, if it does."""
        return await self._work.read(puzzles.channel, guild_id)

    async def set_channel(self, guild_id: int, channel_id: int | None) -> None:
        """Note where a server wants the day's puzzles (``None``: nowhere)."""

        def work(connection: Connection) -> None:
            before = puzzles.channel(connection, guild_id)
            puzzles.set_channel(connection, guild_id, channel_id)
            if channel_id not in (None, before):
                puzzles.set_next_check(connection, guild_id, self._work.now())

        await self._work.write(work, idempotent=True)

    async def due(self, at_most: int = 1) -> tuple[int, ...]:
        """Return at most this many servers that are due to be told something."""
        now = self._work.now()
        return tuple(await self._work.read(puzzles.due, now, now + CHECKED_EACH, at_most))

    async def go_on(self, guild_id: int) -> None:
        """Have a server told, once each, the newest number and the results of numbers whose time is over."""
        await self._work.write(self._check, guild_id, idempotent=True)

    def _check(self, connection: Connection, guild_id: int) -> None:
        now = self._work.now()
        wait_for_turn(connection, "puzzle_looks", guild_id)
        due = puzzles.next_check(connection, guild_id)
        if due is None or now < due <= now + CHECKED_EACH:
            return  # Another process was faster.
        channel_id, newest = puzzles.channel(connection, guild_id), number_at(now)
        posts = puzzles.posts(connection, guild_id)
        # Once a post says that its number's time is over, that can't be taken back.
        trusted = self._work.trust.holds()
        over = {number: post for number, post in posts.items() if now >= calendar.closes_at(number) and not post.over}
        for number, post in over.items() if trusted else ():
            if post.message_id is not None:
                news = News(Kind.PUZZLE_OVER, message_id=post.message_id, channel_id=post.channel_id)
                outbox.put(connection, None, guild_id, Ply(number), [news], now)
            puzzles.put_post(connection, guild_id, number, post._replace(over=True))
        if trusted:
            puzzles.remove_posts(connection, guild_id, newest - REMEMBERED)
        told = newest in posts and posts[newest].channel_id == channel_id
        at = calendar.opens_at(newest) + calendar.spread(guild_id)
        # A server that was told the previous number waits for its own time of day. One that has just asked doesn't.
        early = now < at and newest - 1 in posts
        if channel_id is not None and not told and not early and day_of(self.book, newest) is not None:
            outbox.put(connection, None, guild_id, Ply(newest), [News(Kind.PUZZLE, channel_id=channel_id)], now)
            puzzles.put_post(connection, guild_id, newest, PuzzlePostRow(channel_id))
        if channel_id is None and all(post.over or (trusted and number in over) for number, post in posts.items()):
            puzzles.stop_checks(connection, guild_id)
            return
        waits = over and not trusted
        following = at if early else at + A_DAY
        puzzles.set_next_check(connection, guild_id, min(following, now + (UNTRUSTED if waits else CHECKED_EACH)))

    async def note_post(self, guild_id: int, number: int, channel_id: int, message_id: int) -> None:
        """Note the message with which a server was told a number."""
        row = PuzzlePostRow(channel_id, message_id)
        await self._work.write(puzzles.note_post, guild_id, number, row, idempotent=True)

    async def lose_channel(self, guild_id: int, channel_id: int) -> None:
        """Note that the channel for puzzles is gone: none is posted until the server names another one."""
        await self._work.write(puzzles.forget_channel, channel_id, idempotent=True)

    async def result(self, guild_id: int, number: int) -> DayResult | None:
        """Return how a number went on a server; ``None`` if its puzzle isn't known any more."""
        puzzle = day_of(self.book, number)
        if puzzle is None:
            return None

        def look(connection: Connection) -> DayResult:
            tries, names = puzzles.quickest(connection, number, guild_id, 1000)
            here, everywhere = puzzles.tally(connection, number, guild_id), puzzles.tally(connection, number)
            return DayResult(number, puzzle, here, everywhere, tries, tuple(names))

        return await self._work.read(look)
