"""The bot's store, read from outside, and what every person may know of it."""

from pathlib import Path
from typing import Any

from db import Database
from games.log import Header, Line, to_text
from matches.api import TIDYING, Host, Kind, Match, MatchId, NewMatch, Person, Status, UserId
from matches.ratings import Ratings
from tests.store import address, rows

from .bot_process import BotProcess
from .table import Table

ENDED = (Status.OVER, Status.CANCELLED)


class Stored:
    """The database of a bot, which may run meanwhile."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def rows(self, query: str, *values: object) -> list[dict[str, Any]]:
        """The rows of a query."""
        return rows(self.path, query, *values)

    def match(self, number: int) -> dict[str, Any]:
        """The row of a match."""
        return self.rows("SELECT * FROM matches WHERE id = ?", number)[0]

    def lines(self, number: int) -> list[Line]:
        """The log of a match."""
        query = "SELECT ply, player, action FROM log WHERE match_id = ? ORDER BY ply"
        return [Line(row["ply"], row["player"], row["action"]) for row in self.rows(query, number)]

    def log(self, number: int) -> str:
        """The log of a match as text."""
        match = self.match(number)
        seats = len(self.rows("SELECT 1 FROM seats WHERE match_id = ?", number))
        return to_text(Header(match["game"], seats, {}, match["rules_version"]), self.lines(number))

    def to_tell(self, number: int) -> list[dict[str, Any]]:
        """The rows of the outbox for which somebody waits."""
        query = "SELECT ply, kind, seat FROM outbox WHERE match_id = ? AND kind NOT IN (?, ?, ?)"
        return self.rows(query, number, *sorted(TIDYING))

    async def knowledge(self, number: int) -> dict[int | None, Any]:
        """What every person, and a spectator, may know: the log as they see it, the position, what was rated."""
        async with await Database.open(address(self.path)) as database:
            host = Host(database)
            match = await host.look.match(MatchId(number))
            everybody = [seat.user_id for seat in match.seats if seat.user_id is not None]
            return {
                user: (
                    tuple((line.ply, line.player, line.text) for line in await host.look.history(match.id, user)),
                    (await host.look.view(match.id, user)).observation,
                    await host.part(Ratings).changes(match.id),
                )
                for user in (None, *everybody)
            }


async def settled(table: Table, bot: BotProcess) -> None:
    """Wait until nothing is owed but the call of people to a table that has to stand for a while first."""
    stored = Stored(bot.database)
    await table.discord.until(lambda: stored.rows("SELECT 1 FROM outbox WHERE kind <> ?", Kind.STOOD) == [])


async def begun(host: Host, table: Table, game: str) -> Match:
    """A match with everybody of the table, put into the store without a bot."""
    first, *others = (Person(UserId(person.id), person.user.global_name or "") for person in table.people)
    request = NewMatch(game=game, channel_id=table.channel.id, guild_id=table.channel.guild_id)
    match = await host.lobby.open(request, first)
    for person in others:
        match = await host.lobby.join(match.id, person)
    return match if match.status is Status.RUNNING else await host.lobby.start(match.id, first.user_id)


async def ended(host: Host, table: Table, game: str, moves: int) -> Match:
    """The same, ended by the second person after this many moves."""
    match = await begun(host, table, game)
    for _ in range(moves):
        view = await host.look.view(match.id, match.mover.user_id)
        match = await host.play.act(match.id, UserId(match.mover.user_id or 0), view.moves[0].text)
    match = await host.play.resign(match.id, UserId(table.people[1].id))
    assert match.status is Status.OVER
    return match
