"""What the command line does on the store of a running bot: for a person who asks by mail, and for whoever runs it.

It works as another process does: the bot's next tick announces what has changed. All functions raise DatabaseError.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from db import Database, DatabaseError
from db.model.ids import UserId
from db.store.addresses import address_of, file_at
from matches.engine.packing import Packed
from matches.engine.processes import Processes
from matches.errors import Unavailable
from matches.host.host import Host

NAME: Final = "mail"
"""The name of this process in the store. It leases nothing."""


async def export(url: str, user_id: UserId) -> Packed:
    """Return what **Give me my data** gives this person, however large it is."""
    async with _host(url) as host:
        return await host.privacy.packed(user_id, unlimited=True)


async def forget(url: str, user_id: UserId) -> str:
    """Delete everything about a person, as their own button does. Return a sentence that says so, when all is done."""
    async with _host(url) as host:
        count = len(await host.privacy.matches_kept(user_id))
        await host.privacy.forget_wholly(user_id)
    named = "no match named them" if not count else f"it was in {count} match{'es' if count > 1 else ''}"
    return f"Everything about {user_id} has been deleted; {named}."


async def operate(url: str, what: str, value: str | int | bool) -> str:
    """Do with `Host.operating` what a method of this name does, with this value (``True``: none). Raises HostError."""
    async with _host(url) as host:
        act = getattr(host.operating, what)
        sentence: str = await (act() if value is True else act(value))
        return sentence


@asynccontextmanager
async def _host(url: str) -> AsyncIterator[Host]:
    """Yield a host of the store at `url`, which has this program's schema already."""
    file = file_at(address_of(url))
    if file is not None and not file.is_file():
        raise DatabaseError(f"There is no database at {file}.")
    async with await Database.open(url, migrate=False) as database:
        processes = Processes(database)
        await processes.set_clock()
        try:
            yield Host(database, processes.clock, name=NAME)
        except Unavailable as error:
            cause = error.__cause__
            raise (cause if isinstance(cause, DatabaseError) else DatabaseError(str(error), passes=True)) from error
