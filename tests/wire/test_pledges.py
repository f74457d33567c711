"""Pledges on the wire: restarts and deaths, two processes, clocks, a bot that is thrown out, forged buttons (P40)."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from matches.api import Answer, Status
from matches.host.calls import STANDS

from .bot_process import BotProcess
from .discord_standin import Discord, Message, Moment, Person, Request
from .discord_standin.people import together
from .stored import Stored, settled
from .table import Table, labels, served_by_two
from .test_servers import guild_of

pytestmark = pytest.mark.wire

HOUR = 3600.0
MINUTE = 60.0
READY = "I'm ready"
CALLS = ("Ready for", "You're in", "Your table is open", "didn't come about", "not this time", "A table is open")
"""What a call says, or becomes."""
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.fixture
def table(discord: Discord) -> Table:
    return Table.of(discord, 4)


async def pledge(table: Table, *people: Person, **options: Any) -> Message:
    """These people say what they'd play. Return the last one's page."""
    wish = {"game": "saboteur", "players": "3", "pace": "live"} | options
    for person in people:
        answer = await person.command(table.channel, "match want", **wish)
    assert answer.message is not None
    return answer.message


def calls(person: Person) -> list[Message]:
    """Every message in their DM by which somebody was called, whatever it says by now."""
    return [each for each in person.dm.messages.values() if any(part in each.content for part in CALLS)]


def question(person: Person) -> Message | None:
    """The **Ready?** that they can answer."""
    return next((each for each in calls(person) if READY in labels(each)), None)


async def asked(table: Table, *people: Person) -> None:
    """Wait until these people are asked."""
    await table.discord.until(lambda: all(question(each) for each in people))


async def say(person: Person, label: str = READY) -> str:
    message = question(person)
    assert message is not None
    return (await person.press(message, label)).text


async def looked(table: Table, bot: BotProcess) -> None:
    """Wait until the bot has looked at this moment's pledges, and told what follows."""
    stored = Stored(bot.database)
    # While a process looks, the next look is due in a minute; afterwards in an hour.
    later = microseconds(datetime.now(UTC) + timedelta(seconds=bot.seconds_ahead + 2 * MINUTE))
    await table.discord.until(lambda: all(row["due"] > later for row in stored.rows("SELECT due FROM pledge_looks")))
    await settled(table, bot)


def microseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1e6)


def seated(bot: BotProcess) -> list[int]:
    return sorted(row["user_id"] for row in Stored(bot.database).rows("SELECT user_id FROM seats"))


def left(bot: BotProcess) -> list[dict[str, Any]]:
    """What is stored of pledges and of tables that come about from them."""
    stored = Stored(bot.database)
    return [*stored.rows("SELECT user_id FROM pledges"), *stored.rows("SELECT id FROM gatherings")]


@pytest.mark.slow
async def test_a_table_comes_about_although_the_bot_dies_after_every_step(
    table: Table, bot: BotProcess, discord: Discord
) -> None:
    people = table.people[:3]

    async def again() -> None:
        await bot.close()
        # A dead process may just have begun to look at the pledges.
        bot.ahead(bot.seconds_ahead + 61)
        await back(table, bot)

    await bot.start()
    for person in people:
        await pledge(table, person)
        await again()
    await asked(table, *people)
    await again()
    for person in people:
        await say(person)
        await again()
    await discord.until(lambda: seated(bot))
    await again()
    await started(table, bot)
    await again()
    await table.turn()
    assert [len(calls(person)) for person in people] == [1, 1, 1]
    assert seated(bot) == [person.id for person in people]
    assert left(bot) == []


async def back(table: Table, bot: BotProcess) -> None:
    """Start a bot again, and wait until people can press: a lobby waits through the time in which they can't."""
    stored = Stored(bot.database)
    noted = stored.rows("SELECT since FROM gaps WHERE until IS NULL")
    await bot.start()
    await table.discord.until(lambda: stored.rows("SELECT since FROM gaps WHERE until IS NULL") != noted)


async def started(table: Table, bot: BotProcess) -> None:
    """Let a lobby that starts by itself be posted, and its time come."""
    stored = Stored(bot.database)
    posted = "SELECT 1 FROM matches WHERE lobby_message_id IS NOT NULL"
    await table.discord.until(lambda: stored.rows(posted), 30)
    bot.ahead(bot.seconds_ahead + 2 * MINUTE)
    await table.called()


def _asks(request: Request) -> bool:
    return request.method == "POST" and "Ready for Saboteur" in _content(request)


def _opens(request: Request) -> bool:
    return request.method == "POST" and "Starts by itself" in _content(request)


def _says_that_it_opened(request: Request) -> bool:
    return request.method == "PATCH" and "Your table is open" in _content(request)


def _content(request: Request) -> str:
    return str(request.body.get("content") or "") if isinstance(request.body, dict) else ""


@pytest.mark.slow
@pytest.mark.parametrize("moment", Moment)
@pytest.mark.parametrize("what", [_asks, _opens, _says_that_it_opened])
async def test_a_bot_that_dies_at_a_request_asks_nobody_twice_and_opens_one_table(
    table: Table, bot: BotProcess, discord: Discord, what: Any, moment: Moment
) -> None:
    people = table.people[:3]
    await bot.start()
    discord.faults.once(moment, lambda _: bot.kill(), which=what, skip=1 if what is _asks else 0)

    async def alive() -> None:
        if not bot.alive:
            await back(table, bot)

    await pledge(table, *people)
    if what is _asks:
        await bot.gone()
        await alive()
    await asked(table, *people)
    for person in people[:2]:
        await say(person)
    message = question(people[2])
    assert message is not None
    await people[2].press(message, READY, wait=what is _asks)
    if what is not _asks:
        await bot.gone()
        await alive()
    await started(table, bot)
    assert [len(calls(person)) for person in people] == [1, 1, 1]
    assert len(Stored(bot.database).rows("SELECT id FROM matches")) == 1
    assert seated(bot) == [person.id for person in people]


@pytest.mark.slow
async def test_two_processes_match_at_once_and_nobody_is_asked_twice_or_sits_at_two_tables(
    two_bots: tuple[Discord, BotProcess, BotProcess],
) -> None:
    discord, first, second = two_bots
    table = await served_by_two(two_bots, 6)
    await together(*(pledge(table, person) for person in table.people))
    await asked(table, *table.people)
    numbers = Counter(row["gathering"] for row in Stored(first.database).rows("SELECT gathering FROM pledges"))
    assert sorted(numbers.values()) == [3, 3]
    await together(*(say(person) for person in table.people))
    await discord.until(lambda: len(seated(first)) == 6)
    assert seated(first) == [person.id for person in table.people]
    assert [len(calls(person)) for person in table.people] == [1] * 6
    stored = Stored(first.database)
    assert len(stored.rows("SELECT id FROM matches")) == 2
    # Until their tables start, what they'd play is set aside: it leads to no other table.
    aside = stored.rows("SELECT answer, gathering FROM pledges")
    assert aside == [{"answer": Answer.SEATED, "gathering": None}] * 6
    assert stored.rows("SELECT id FROM gatherings") == []
    await discord.until(lambda: stored.rows("SELECT 1 FROM matches WHERE lobby_message_id IS NULL") == [])
    for each in (first, second):
        each.ahead(2 * MINUTE)
    await discord.until(lambda: left(first) == [])
    assert {row["status"] for row in stored.rows("SELECT status FROM matches")} == {Status.RUNNING}
    assert seated(first) == [person.id for person in table.people]
    assert [len(calls(person)) for person in table.people] == [1] * 6


def eve_of_changed_clocks() -> datetime:
    """21:00 in Berlin on the next evening, from tomorrow on, before a night in which the clocks change."""
    day = datetime.now(BERLIN).date() + timedelta(days=1)
    while True:
        evening, morning = (datetime.combine(day, time(21), BERLIN), datetime.combine(day, time(9), BERLIN))
        morning += timedelta(days=1)
        if evening.utcoffset() != morning.utcoffset():
            return evening
        day += timedelta(days=1)


@pytest.mark.slow
async def test_quiet_hours_and_days_follow_the_clocks_of_their_zone_in_the_night_in_which_these_change(
    table: Table, bot: BotProcess, discord: Discord
) -> None:
    ann, bob, cleo, _ = table.people
    evening = eve_of_changed_clocks()

    def at(moment: datetime) -> None:
        bot.ahead((moment - datetime.now(UTC)).total_seconds())

    def on_the_next_day(hour: int, minute: int) -> datetime:
        return datetime.combine(evening.date() + timedelta(days=1), time(hour, minute), BERLIN)

    at(evening)
    await bot.start()
    await ann.command(table.channel, "settings me", quiet="22-8", zone="Europe/Berlin")
    day_after = evening.date() + timedelta(days=2)
    midnight = datetime.combine(day_after, time(0), BERLIN)
    # A day is shown as it was understood before it counts.
    asks = await pledge(table, ann, until=day_after.isoformat())
    moment = f"<t:{int(midnight.timestamp())}:F>"
    assert f"“{day_after.isoformat()}” is {moment}" in asks.content
    assert left(bot) == []
    await pledge(table, ann, until=moment)
    (row,) = Stored(bot.database).rows("SELECT until FROM pledges")
    assert row["until"] == microseconds(midnight)
    at(evening + timedelta(hours=1, minutes=5))
    await pledge(table, bob, cleo)
    for moment in (evening + timedelta(hours=2), on_the_next_day(3, 30), on_the_next_day(7, 50)):
        at(moment)
        await looked(table, bot)
        assert not any(calls(person) for person in table.people)
    at(on_the_next_day(8, 1))
    await asked(table, ann, bob, cleo)


async def test_a_clock_that_jumps_calls_nobody_twice_and_keeps_nobody_waiting(
    table: Table, bot: BotProcess, discord: Discord
) -> None:
    people = table.people[:3]
    await bot.start()
    bot.jump(20 * 24 * HOUR)
    await pledge(table, *people[:2], until="5 days")
    await looked_once(table, bot)
    bot.jump(0)
    await pledge(table, people[2])
    await asked(table, *people)
    await say(people[0])
    bot.jump(-3 * HOUR)
    await say(people[1])
    # A clock that is only set ahead ends no question: nobody had that time.
    bot.ahead(4 * HOUR)
    await discord.until(lambda: not any(question(person) for person in people))
    assert [len(calls(person)) for person in people] == [1, 1, 1]
    assert not seated(bot)


async def looked_once(table: Table, bot: BotProcess) -> None:
    stored = Stored(bot.database)
    await table.discord.until(lambda: stored.rows("SELECT 1 FROM pledge_looks WHERE counted_at IS NOT NULL"))


async def test_a_bot_that_is_thrown_out_while_a_table_comes_about_forgets_it_and_begins_anew(
    table: Table, bot: BotProcess, discord: Discord
) -> None:
    people = table.people[:3]
    await bot.start()
    await pledge(table, *people)
    await asked(table, *people)
    await say(people[0])
    await discord.throw_out(guild_of(table))
    await discord.until(lambda: left(bot) == [])
    for person in people[1:]:
        assert "This call is over" in await say(person)
    await discord.invite(guild_of(table))
    await pledge(table, *people)
    await discord.until(lambda: all(len(calls(person)) == 2 for person in people))
    assert not seated(bot)


async def test_whoever_deletes_their_data_while_they_are_asked_leaves_their_place_to_the_next(
    table: Table, bot: BotProcess, discord: Discord
) -> None:
    ann, bob, cleo, dan = table.people
    await bot.start()
    await pledge(table, *table.people)
    await asked(table, ann, bob, cleo)
    old = question(ann)
    assert old is not None
    for person in (ann, bob):
        await say(person)
    page = await ann.command(table.channel, "privacy")
    assert page.message is not None
    sure = await ann.press(page.message, "Delete my data …")
    assert sure.message is not None
    await ann.press(sure.message, "Yes, delete everything about me")
    await asked(table, dan)
    assert READY not in labels(old)
    for person in (cleo, dan):
        await say(person)
    await discord.until(lambda: seated(bot))
    assert seated(bot) == [bob.id, cleo.id, dan.id]
    stored = Stored(bot.database)
    for name in ("pledges", "call_me", "player_settings"):
        assert not stored.rows(f"SELECT 1 FROM {name} WHERE user_id = ?", ann.id)


async def test_whoever_was_not_asked_changes_nothing_with_forged_buttons(
    table: Table, bot: BotProcess, discord: Discord
) -> None:
    ann, bob, cleo, dan = table.people
    await bot.start()
    await pledge(table, ann, bob, cleo)
    await asked(table, ann, bob, cleo)
    await settled(table, bot)
    stored = Stored(bot.database)
    everything = "SELECT user_id, answer, gathering, rests_until FROM pledges"
    before = stored.rows(everything)
    (number,) = {row["gathering"] for row in before}
    page = (await dan.command(table.channel, "match want")).message
    assert page is not None
    for path in (str(number), str(number + 1), "0", str(2**62), "-1", "x", "9" * 40, f"{number}|{ann.id}"):
        for verb in ("willplay", "wontplay"):
            await dan.forge(page, f"b:{verb}::::{path}")
    for path in (
        "saboteur|3|live|1|near|1",
        f"saboteur|3|live|{2**62}|near|{table.channel.id}",
        "chess|3|live|1|any|1",
    ):
        await dan.forge(page, f"b:wantcall::::{path}")
    await dan.forge(page, "s:wantset::::saboteur|pace", "day")
    await dan.forge(page, "b:unwant::::saboteur")
    assert stored.rows(everything) == before
    assert seated(bot) == []


@pytest.mark.slow
async def test_nobody_is_called_more_than_twice_a_day_whatever_is_opened_withdrawn_and_cancelled(
    table: Table, bot: BotProcess, discord: Discord
) -> None:
    ann, bob, *_ = table.people

    async def stands() -> None:
        """Wait until it's stored that the new table calls people later."""
        await discord.until(lambda: Stored(bot.database).rows("SELECT 1 FROM outbox WHERE kind = 'stood'"))

    await bot.start()
    await bob.command(table.channel, "settings me", call="gambo")
    await bob.command(table.channel, "settings me", call="ambush")
    for round in range(6):
        bot.ahead(round * 3 * HOUR)
        for game in ("gambo", "ambush"):
            lobby = await table.opened(game)
            if not round:
                await stands()
                bot.ahead(STANDS.total_seconds())
                await discord.until(lambda: calls(bob))
            await ann.press(lobby, "Cancel")
        for person in (ann, bob):
            page = await pledge(table, person, game="gambo", players="2")
        await looked(table, bot)
        for person in (ann, bob):
            page = (await person.command(table.channel, "match want")).message
            assert page is not None
            await person.press(page, "I don't want Gambo any more")
    assert len([each for each in calls(bob) if "A table is open" in each.content]) == 1
    assert [len(calls(person)) for person in (ann, bob)] == [1, 2], "Ann's other partner can't be called any more"
    bot.ahead(25 * HOUR)
    await table.opened("gambo")
    await stands()
    bot.ahead(25 * HOUR + STANDS.total_seconds())
    await discord.until(lambda: len(calls(bob)) == 3)
