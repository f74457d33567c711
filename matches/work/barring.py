"""Bars a person from new matches. `matches/host/settings.py` does it for servers, `operating.py` for all of them."""

from __future__ import annotations

from datetime import datetime

from db import Connection
from db.matches import queries
from db.model.ids import UserId
from db.people import bars
from matches.table import lobby
from matches.work.unit_of_work import Effect, UnitOfWork


async def bar(work: UnitOfWork, guild_id: int, user_id: UserId, until: datetime) -> None:
    """Bar this person from new matches on this server until then. They leave its lobbies. Running matches go on.

    `bars.EVERYWHERE` stands for all servers.
    """

    def barred(connection: Connection) -> list[Effect]:
        if work.trust.holds():
            bars.lapse(connection, guild_id, work.now())
        bars.put(connection, guild_id, user_id, until)
        waiting = queries.lobbies_with(connection, user_id, guild_id)
        return [
            work.change_within(connection, number, lambda table: lobby.barred(table, user_id)) for number in waiting
        ]

    work.announce(*await work.write(barred, idempotent=True))
