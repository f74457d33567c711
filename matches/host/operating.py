"""Host.operating: what whoever runs the bot can do to all of it while it runs.

`python bot.py` and `/operator` both call it. All of it is in the store, so every process follows, also after a restart.
Each method returns a sentence that says what follows.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from db import Connection
from db.matches import gaps, outbox
from db.matches.outbox import News
from db.model.enums import Kind
from db.model.ids import NO_LINES, UserId
from db.people import bars
from matches.errors import NotAllowed
from matches.work import notices
from matches.work.barring import bar
from matches.work.notices import ANNOUNCED, PAUSED, Said
from matches.work.part import Part
from matches.work.unit_of_work import UnitOfWork

LONGEST: Final = 300
"""How many characters an announcement, or the reason for a pause, may have."""

ANNOUNCED_FOR: Final = timedelta(days=3)
"""A match whose next board is posted later doesn't carry an announcement any more."""

REREAD: Final = timedelta(seconds=10)
"""Each process looks for an announcement this often. It begins after that, so all begin at once."""


def one_line(text: str) -> str:
    """Return the text in one line. Raises NotAllowed if it's too long."""
    # A command line can contain bytes that aren't text.
    text = " ".join(text.encode("utf-8", "replace").decode().split())
    if len(text) > LONGEST:
        raise NotAllowed(f"That's too long: it may have {LONGEST} characters, and has {len(text)}.")
    return text


class Operating(Part):
    """Pauses, announces, leaves and bars. All of it raises Unavailable."""

    def __init__(self, work: UnitOfWork) -> None:
        super().__init__(work)
        self._read_at: datetime | None = None
        self._announced: Said | None = None

    async def pause(self, why: str) -> str:
        """Open no new tables until `resume`. Everybody who tries reads why. Raises NotAllowed if that's too long."""

        def work(connection: Connection) -> None:
            before = notices.paused(connection)
            notices.say(connection, PAUSED, Said(self._work.now() if before is None else before.since, why))

        why = one_line(why)
        await self._work.write(work, idempotent=True)
        return "No new tables open from now on. Those that are open go on, and everybody who tries reads why."

    async def resume(self) -> str:
        """Let new tables open again. Whoever was being asked to play has as much time to answer as before the pause."""

        def work(connection: Connection) -> bool:
            pause = notices.paused(connection)
            if pause is None:
                return False

            def missed(guild_id: int) -> tuple[datetime, datetime]:
                # If nobody there can press right now, the rest of the pause is given back with that gap.
                return pause.since, gaps.open_since(connection, guild_id, self._work.now())

            notices.say(connection, PAUSED, None)
            for feature in self._work.features:
                feature.given_back(connection, missed)
            return True

        was = await self._work.write(work)
        return "New tables open again." if was else "New tables open already."

    async def announce(self, text: str) -> str:
        """Have the next board that each match posts carry this text; an empty one takes it back. Raises NotAllowed."""
        text = one_line(text)
        said = Said(self._work.now() + REREAD, text) if text else None
        await self._work.write(notices.say, ANNOUNCED, said, idempotent=True)
        if said is None:
            return "No board carries an announcement any more."
        return f"The next board that each match posts in {ANNOUNCED_FOR.days} days carries that once."

    async def announcement(self, last_board: datetime | None) -> str:
        """Return what a board carries that is posted now, if the match's last one was posted then; mostly nothing."""
        now = self._work.now()
        if self._read_at is None or abs(now - self._read_at) >= REREAD:
            self._announced = await self._work.read(notices.said, ANNOUNCED)
            self._read_at = now
        said = self._announced
        if said is None or not said.since <= now < said.since + ANNOUNCED_FOR:
            return ""
        return said.text if last_board is None or last_board < said.since else ""

    async def leave(self, guild_id: int) -> str:
        """Leave a server, as if its people had removed the bot. Its matches can go on if they invite it again."""
        row = News(Kind.LEAVE)
        await self._work.write(lambda c: outbox.put(c, None, guild_id, NO_LINES, [row], self._work.now()))
        return f"The bot leaves the server {guild_id} within seconds, if it's there."

    async def bar(self, user_id: UserId) -> str:
        """Bar this person from new matches on all servers. They leave all lobbies. Running matches go on."""
        await bar(self._work, bars.EVERYWHERE, user_id, bars.FOREVER)
        return f"{user_id} can't open or join matches any more, on any server. Running matches go on."

    async def unbar(self, user_id: UserId) -> str:
        """Let this person play again. What servers have decided stays."""
        was = await self._work.write(bars.remove, bars.EVERYWHERE, user_id)
        return f"{user_id} can play again." if was else f"{user_id} isn't barred everywhere."
