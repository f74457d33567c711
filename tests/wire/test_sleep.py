"""The bot sleeps for a day in the middle of five matches: what the people at their tables read then (P13).

``pytest -m soak -s tests/wire/test_sleep.py`` prints it all.
"""

from collections import Counter
from typing import Any, Final, NamedTuple

import pytest

from games import GAMES
from matches.api import Pace

from .bot_process import BotProcess
from .discord_standin import Discord
from .discord_standin.world import DM, SUPPRESS_NOTIFICATIONS
from .stored import Stored
from .table import OLD_BOARD, Table, labels
from .test_gaps import ASLEEP, OVERDUE, SLACK, WAITING

pytestmark = [pytest.mark.wire, pytest.mark.soak]

DAY: Final = 86_400.0
PACES: Final = {
    "ambagibus": Pace.LIVE,
    "ambush": Pace.SLOW,
    "saboteur": Pace.DAY,
    "abissal": Pace.DAY,
    "gambo": Pace.NONE,
}
PASSED: Final = [game for game, pace in PACES.items() if pace in (Pace.LIVE, Pace.DAY)]
"""The matches whose boards name a time that passes while the bot sleeps."""


class Read(NamedTuple):
    """What somebody could read: when by the bot's clock, where, whether it's a new post, whom it rang, the words."""

    hours: float
    place: str
    is_new: bool
    rang: tuple[str, ...]
    words: str

    def __str__(self) -> str:
        rings = f" (rings {' and '.join(self.rang)})" if self.rang else ""
        return f"{self.hours:7.2f} h  {self.place}{'' if self.is_new else ', edited'}{rings}: {self.words!r}"


class Reader:
    """Notes everything that the people at some tables can read from now on."""

    def __init__(self, tables: dict[str, Table], bot: BotProcess) -> None:
        self.bot, self.world = bot, bot.discord.world
        self.places = {table.channel.id: game for game, table in tables.items()}
        for game, table in tables.items():
            self.places |= {person.dm.id: f"{game}, DM to {person.user.global_name}" for person in table.people}
        self._seen = len(self.world.shown)

    def leave(self, game: str) -> None:
        """Read nothing of this table any more."""
        self.places = {place: name for place, name in self.places.items() if not name.startswith(game)}

    def news(self) -> list[Read]:
        """Return what is new since the last time, and print it."""
        shown, self._seen = self.world.shown[self._seen :], len(self.world.shown)
        found = [self._read(*each) for each in shown if each[1].visible_to is None and each[0].id in self.places]
        print("---", *found, sep="\n")
        return found

    def _read(self, place: Any, message: Any, kind: str, json: dict[str, Any]) -> Read:
        is_new = kind == "create"
        rung = message.pings if place.kind != DM else (place.recipient.id,)
        rang = rung if is_new and not json["flags"] & SUPPRESS_NOTIFICATIONS else ()
        names = tuple(str(self.world.users[each].global_name) for each in rang)
        buttons = "".join(f" [{label}]" for label in labels(message)) if is_new else ""
        return Read(self.bot.seconds_ahead / 3600, self.places[place.id], is_new, names, json["content"] + buttons)


async def told(discord: Discord, stored: Stored) -> None:
    """Wait until everything is told. Old posts may be tidied up later."""
    await discord.until(lambda: not any(stored.to_tell(number) for number in range(1, len(PACES) + 1)))


async def test_a_day_of_sleep_costs_nobody_anything(discord: Discord, bot: BotProcess) -> None:
    tables = {
        game: Table.of(discord, GAMES[game].info.min_players, number=number) for number, game in enumerate(PACES, 1)
    }
    stored = Stored(bot.database)
    await bot.start()
    for game, table in tables.items():
        await table.begin(game, pace=PACES[game])
        for _ in range(2 * len(table.people)):
            await table.turn()
    await told(discord, stored)
    reader = Reader(tables, bot)
    bot.kill()
    await bot.gone()
    before = stored.rows("SELECT * FROM matches ORDER BY id")
    bot.ahead(DAY)
    await bot.start()
    await discord.until(lambda: stored.rows("SELECT 1 FROM gaps WHERE over"))
    await told(discord, stored)

    woken = reader.news()
    new = [each for each in woken if each.is_new]
    assert sorted(each.place for each in new) == sorted(PASSED), "one board where its time is over, and nothing else"
    assert all(ASLEEP in each.words for each in new)
    assert [each.place for each in new if each.rang] == [game for game in PASSED if PACES[game] is Pace.LIVE]
    assert all(OLD_BOARD.search(each.words) for each in woken if not each.is_new)
    for was, now in zip(before, stored.rows("SELECT * FROM matches ORDER BY id"), strict=True):
        for clock in ("turn_at", "turn_due", "closes_at"):
            assert (was[clock] is None) == (now[clock] is None)
            assert was[clock] is None or DAY <= (now[clock] - was[clock]) / 1e6 < DAY + SLACK
        assert not now["awaited"], "nobody has waited for anybody"

    # Everybody has the time that they had left, is reminded once when most of it is over, and plays on.
    for pace in (Pace.LIVE, Pace.DAY, Pace.SLOW):
        games = [game for game in PACES if PACES[game] is pace]
        bot.ahead(DAY + 0.81 * pace.turn.total_seconds())
        await discord.until(lambda games=games: all(reminders(tables[game]) for game in games))
        await told(discord, stored)
        read = reader.news()
        assert Counter(each.place for each in read if each.rang) == Counter(games)
        assert all(WAITING in each.words and OVERDUE not in each.words for each in read if each.is_new)
        for game in games:
            await play_on(tables[game], stored)
            reader.leave(game)  # Nobody moves there from now on.
    await play_on(tables["gambo"], stored)
    assert not [each for each in reader.news() if OVERDUE in each.words]
    assert [row["awaited"] for row in stored.rows("SELECT awaited FROM matches WHERE id = 5")] == [0]


def reminders(table: Table) -> list[str]:
    return [message.content for message in table.place.messages.values() if WAITING in message.content]


async def play_on(table: Table, stored: Stored) -> None:
    """Whoever is called moves, from the newest post with **Play**."""
    board, (match,) = table.latest(), stored.rows("SELECT * FROM matches WHERE channel_id = ?", table.channel.id)
    (seat,) = stored.rows("SELECT user_id FROM seats WHERE match_id = ? AND seat = ?", match["id"], match["to_move"])
    assert board is not None
    await table.move_by_panel(table.person(seat["user_id"]), board)
    await table.discord.until(lambda: table.latest() is not board, place=table.place)
    await told(table.discord, stored)
