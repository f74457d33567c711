"""Short ways to pledge, and to let the scheduler's work on pledges happen."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from db import Database, features
from db.model.ids import UserId
from db.pledges import kept as pledges
from matches.api import Host, Kind, ManualClock, Match, Pace, Person, Status, Telling
from matches.pledges import Pledged, PledgeRow, Pledges
from matches.pledges.starting import starts_by
from tests.matches.tables import CHANNEL, DAY

GUILD: Final = 500
HOUR: Final = timedelta(hours=1)
MINUTE: Final = timedelta(minutes=1)


def wish(host: Host, person: Person, *, game: str = "saboteur", guild_id: int = GUILD, **more: Any) -> Pledged:
    """Three to five people for Saboteur, live, for the next days."""
    usual: dict[str, Any] = {"name": person.name, "channel_id": CHANNEL, "everywhere": True, "since": host.now()}
    usual |= {"fewest": 3, "most": 5, "pace": Pace.LIVE, "until": host.now() + 3 * DAY}
    return Pledged(guild_id, person.user_id, game, PledgeRow(**usual | more))


async def pledge(host: Host, *people: Person, **more: Any) -> None:
    """These people pledge one after another."""
    for person in people:
        await host.part(Pledges).pledge(wish(host, person, **more))


async def look(host: Host) -> None:
    """Look at every server that is due, as the scheduler would, until none is."""
    for _ in range(20):
        due = await host.part(Pledges).due(100)
        if not due:
            return
        for guild_id in due:
            await host.part(Pledges).go_on(guild_id)
    raise AssertionError("the host doesn't stop looking")


async def calls(host: Host, kind: Kind = Kind.CALL) -> list[Telling]:
    """Claim and deliver what is to be told, and return the rows of this kind."""
    rows = await host.outbox.claim(timedelta(seconds=30), None, 1000)
    for row in rows:
        await host.outbox.told(row.id)
    return [row for row in rows if row.kind is kind]


async def asked(host: Host, database: Database) -> dict[int, int]:
    """Who is in a gathering, and its number."""
    rows = await database.read(lambda connection: [
        (each.user_id, each.row.gathering)
        for guild_id in features.guilds(connection)
        for each in pledges.page(connection, guild_id, (UserId(0), ""), 1000)
    ])  # fmt: skip
    return {user_id: number for user_id, number in rows if number is not None}


async def started(host: Host, clock: ManualClock, match: Match) -> Match:
    """Note that the lobby is posted, and let its time come. Return the match, which wasn't cancelled."""
    await host.outbox.set_lobby_message(match.id, 10**6 + match.id)
    at = starts_by(match)
    assert at is not None
    clock.advance(max(timedelta(0), at - clock.now()))
    for row in await host.time.claim_due():
        await host.time.happen(row)
    after = await host.look.match(match.id)
    assert after.status is not Status.CANCELLED
    return after
