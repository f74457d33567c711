"""Every outage of the table is made on the wire; people and operators notice it as the table says, and in time."""

import asyncio
import json
import os
import re
import signal
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
import pytest_asyncio

from tests.files import asked_by
from tests.store import of_sqlite, outsider

from .bot_process import ROOT, BotProcess, Nursery
from .discord_standin import Discord, Message, Moment, Person, Request, Spec
from .discord_standin.faults import Failed
from .discord_standin.people import Unanswered
from .outages import HEALING, HEALTHY, NONE, OUTAGES, Outage
from .scraping import Measured, Scraper
from .stored import Stored
from .table import Table
from .test_faults import STEP
from .test_nights import ALERTS, COMPARED, fires

pytestmark = pytest.mark.wire

SOON: Final = 15
"""Seconds for what is noticed where it happens."""

PLACES: Final = 10
"""As many tables as it takes to tell Discord's trouble from a place's."""

NOISE: Final = "Can't keep up, shard ID"
"""discord.py says so now and then of a gateway that answers within microseconds."""

WITHIN, HEALING_WITHIN = 180, 300
"""Seconds within which an alert must fire."""


@dataclass
class Room:
    """One bot with some tables, which several outages share."""

    discord: Discord
    bot: BotProcess
    scraper: Scraper
    tables: list[Table]
    store: Path
    names: Path
    changes: int = 0

    async def press(self, count: int = 1) -> str:
        """People press **⋯**; what the last of them sees."""
        seen = [self._pressed(table) for table in self.tables[:count]]
        return (await asyncio.gather(*seen))[-1]

    async def _pressed(self, table: Table) -> str:
        board = await table.called()
        try:
            return (await table.people[0].press(board, "⋯")).text
        except Unanswered:
            return "This interaction failed"

    async def change(self) -> str:
        """Somebody presses what must be stored; what they see."""
        self.changes += 1
        person, place = self.tables[0].people[0], self.tables[0].channel
        return (await person.command(place, "settings me", quiet=("22-8", "23-7")[self.changes % 2])).text

    async def confirmable(self) -> list[tuple[Person, Message]]:
        """Who can confirm a move at each table, and their panels, once the boards of the last outage are there."""
        stored, found = Stored(self.bot.database), []
        numbers = range(1, len(self.tables) + 1)
        await self.discord.until(lambda: not any(stored.to_tell(number) for number in numbers))
        for table in self.tables:
            board, mover = await table.called(), table.on_turn()
            found.append((mover, await table.panel_before_confirm(mover, board)))
        return found

    async def calm(self) -> None:
        """Wait until all is well again, with a new process if the last one has ended."""
        self.discord.faults.clear()
        if not self.bot.alive:
            await self.bot.start()
        self.bot.ahead(self.bot.seconds_ahead + STEP)
        # Until somebody presses again, nobody knows that answers get through.
        assert "failed" not in await self.press()
        await self.discord.until(lambda: all(table.mover() is not None for table in self.tables))
        await self.until(lambda report: report["healthy"], SOON)

    async def until(self, holds: Callable[[dict[str, Any]], bool], seconds: float = SOON) -> None:
        """Ask `/healthz` until this holds."""
        end = time.monotonic() + seconds
        while not holds(report := json.loads((await self.scraper.ask("healthz"))[1])):
            assert time.monotonic() < end, report
            await asyncio.sleep(0.1)


@asynccontextmanager
async def opened(spec: Spec | None, nursery: Nursery, folder: Path, tables: int, shards: int) -> AsyncIterator[Room]:
    scraper, store, names = Scraper(), folder / "store", folder / "names"
    settings = {"AMBIT_METRICS": scraper.address, "AMBIT_LOG_LEVEL": "INFO"}
    settings |= {"WIRE_STORE": str(store), "WIRE_DNS": str(names)}
    async with Discord(spec=spec, shards=shards) as discord:
        bot = BotProcess(discord, folder, nursery, sessions=shards, **settings)
        made = [Table.of(discord, 2, number=number) for number in range(1, tables + 1)]
        try:
            await bot.start()
            for table in made:
                await table.begin("gambo")
            yield Room(discord, bot, scraper, made, store, names)
        finally:
            await bot.close()
        assert bot.complaints() == [], bot.log()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def many(spec: Spec | None, nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Room]:
    """Room for outages of Discord's, opened when the first needs it."""
    async with opened(spec, nursery, tmp_path_factory.mktemp("many"), PLACES, 2) as room:
        yield room


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def one(spec: Spec | None, nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Room]:
    """Room for all other outages."""
    async with opened(spec, nursery, tmp_path_factory.mktemp("one"), 1, 1) as room:
        yield room


# How each is made. Within the block it lasts, and the block gets what a table sees.

Outages = AsyncIterator[str]


@asynccontextmanager
async def full(room: Room) -> Outages:
    room.bot.limit_files(4096)
    yield await room.change()
    room.bot.limit_files(-1)


@asynccontextmanager
async def read_only(room: Room) -> Outages:
    room.store.write_text("refused")
    yield await room.change()
    room.store.unlink()


@asynccontextmanager
async def gone(room: Room) -> Outages:
    away = room.bot.database.with_suffix(".away")
    room.bot.database.rename(away)
    yield await room.change()
    away.rename(room.bot.database)


@asynccontextmanager
async def locked(room: Room) -> Outages:
    with outsider(room.bot.database) as other:
        other.lock()
        yield await room.change()
        other.let_go()


@asynccontextmanager
async def slow(room: Room) -> Outages:
    room.store.write_text("1.2")
    assert "Discord" not in await room.press()
    yield "the answer"
    room.store.unlink()


@asynccontextmanager
async def killed(room: Room) -> Outages:
    table = room.tables[0]
    while (await room.scraper.measured()).of("ambit_worker_deaths_total") == 0:
        # One that is killed while it has nothing to do is simply replaced.
        boards = (person.at_match(table.channel, 1, "Board") for person in table.people for _ in range(4))
        asked = asyncio.gather(*boards)
        await room.discord.until(lambda: room.bot.workers)
        for worker in room.bot.workers:
            os.kill(worker, signal.SIGKILL)
        assert not [answer for answer in await asked if "went wrong" in answer.text]
    shown = (await table.people[0].at_match(table.channel, 1, "Board")).message
    assert shown.attachments
    yield "nothing"


@asynccontextmanager
async def jumped(room: Room) -> Outages:
    room.bot.jump(7200)
    yield "times change"
    # It goes on from there: back would be another jump.


@asynccontextmanager
async def nameless(room: Room) -> Outages:
    async def cut(_: Request, moment: Moment) -> None:
        if moment is Moment.BEFORE:
            raise Failed(None)

    before = len(room.bot.log())
    room.names.touch()
    # Connections that are open need no name.
    room.discord.faults.watchers.append(cut)
    yield await room.press(PLACES)
    # Each failed press left two lines once. Now there's one a minute and kind.
    assert sum(" interaction " in line for line in lines(room.bot.log()[before:])) < PLACES
    room.names.unlink()


async def played(room: Room, panels: list[tuple[Person, Message]]) -> None:
    await asyncio.gather(*(mover.press(panel, "Confirm", wait=False) for mover, panel in panels))


@asynccontextmanager
async def failing(room: Room) -> Outages:
    panels = await room.confirmable()
    room.discord.faults.answer(503)
    await played(room, panels)
    yield await room.press()


@asynccontextmanager
async def limited(room: Room) -> Outages:
    panels = await room.confirmable()
    shown = [table.latest() for table in room.tables]
    room.discord.faults.answer(429, which=lambda asked: asked.method == "POST" and asked.path.endswith("/messages"))
    await played(room, panels)
    yield "the board comes"
    assert [table.latest() for table in room.tables] == shown


@asynccontextmanager
async def barred(room: Room) -> Outages:
    before = len(room.discord.requests)
    room.discord.faults.shut(429)
    await room.press()
    yield await room.press(PLACES)
    # FOUND O8
    assert len(room.discord.requests) - before == 1
    room.discord.faults.clear()
    # Only a probe ends it.
    async with asyncio.timeout(60):
        while "failed" in await room.press():
            pass  # Somebody who gets no answer has waited for three seconds.


@asynccontextmanager
async def cut(room: Room) -> Outages:
    await room.discord.gateway.drop()
    assert "failed" not in await room.press(PLACES)
    yield "the answer comes"


@asynccontextmanager
async def headless(room: Room) -> Outages:
    gateway = room.discord.gateway
    held = gateway.held[1] = asyncio.Event()
    await gateway.drop(gone=True, shard=1)
    yield await room.press()
    held.set()
    del gateway.held[1]


@asynccontextmanager
async def deleted(room: Room) -> Outages:
    table = room.tables.pop()
    await room.discord.channel_event("CHANNEL_DELETE", table.channel)
    room.discord.world.delete_channel(table.channel)
    told = table.people[0].dm.messages
    await room.discord.until(lambda: any("the channel was deleted" in each.content for each in told.values()))
    yield "the channel was deleted"


@asynccontextmanager
async def replaced(room: Room) -> Outages:
    room.discord.world.commands = []
    assert "failed" not in await room.press()
    await room.bot.stop()
    await room.bot.start()
    yield "the commands are gone"
    assert room.discord.world.commands


@asynccontextmanager
async def revoked(room: Room) -> Outages:
    gateway = room.discord.gateway
    gateway.refusal = 4004
    await gateway.drop(code=4004)
    assert await room.bot.gone() == 2
    gateway.refusal = None
    yield "This interaction failed"


MADE: Final = dict(
    zip(
        (outage.name for outage in OUTAGES),
        (
            *(full, read_only, gone, locked, slow, killed, jumped),
            *(nameless, failing, limited, barred, cut, headless, deleted, replaced, revoked),
        ),
        strict=True,
    )
)
OF_A_FILE: Final = (full, read_only, gone, locked, slow, jumped)
OF_DISCORD: Final = (nameless, failing, limited, barred, cut, headless, deleted)


def holds(condition: str, measured: Measured) -> bool:
    """Whether a condition such as ``ambit_matches{status="frozen"} > 0`` holds of any sample."""
    whole = re.fullmatch(r"(\w+)(?:\{(\w+)=\"(\w+)\"\})? (\S+) (\S+)", condition)
    assert whole is not None, condition
    name, label, value, how, threshold = whole.groups()
    samples = (each for each in measured.samples if each.name == name and (not label or each.labels[label] == value))
    return any(COMPARED[how](each.value, float(threshold)) for each in samples)


def lines(log: str, *, worse: bool = False) -> Iterator[str]:
    """The messages of a log, without what a start and a stop say. `worse`: not those of INFO."""
    for line in log.splitlines():
        said = re.sub(r"^\[[^]]+\] \[\w+ *\] [\w.]+: ", "", line)
        usual = said.startswith((NOISE, "Ambit 0", "measurements are at", "healthy again"))
        if not usual and not (worse and "[INFO " in line):
            yield said


def pattern(words: str) -> re.Pattern[str]:
    return re.compile(".+?".join(map(re.escape, words.split("…"))))


def of(where: Collection[Callable[[Room], Any]]) -> list[Any]:
    """The outages that are made by these functions."""
    return [
        pytest.param(outage, id=outage.name, marks=of_sqlite if make in OF_A_FILE else ())
        for outage, make in zip(OUTAGES, MADE.values(), strict=True)
        if make in where
    ]


# FOUND O1, O8
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("outage", of(OF_DISCORD))
async def test_an_outage_of_discords_is_noticed_as_the_table_says(outage: Outage, many: Room) -> None:
    await is_noticed(outage, many)


# FOUND O6, O7, O12, O13
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("outage", of(set(MADE.values()) - set(OF_DISCORD)))
async def test_an_outage_of_the_machine_is_noticed_as_the_table_says(outage: Outage, one: Room) -> None:
    await is_noticed(outage, one)


async def is_noticed(outage: Outage, room: Room) -> None:
    """Make the outage, check what is noticed of it and in which time, and wait until all is well again."""
    make = MADE[outage.name]
    await room.calm()
    before = len(room.bot.log())
    said, began = outage.says[0], time.monotonic()
    measured: dict[str, float] = {}
    async with make(room) as seen:
        assert seen in outage.sees or any(each in seen for each in re.findall("“(.+?)”", outage.sees)), seen
        if outage.line[0] != NONE:
            words = pattern(outage.line[0])
            # Nobody asks how the bot is until the log has said it by itself.
            await room.discord.until(lambda: any(map(words.match, lines(room.bot.log()[before:]))), outage.line[1])
            measured["log"] = time.monotonic() - began
            log = room.bot.log()[before:]
            worse = any(map(words.match, lines(log, worse=True)))
            first = next(lines(log, worse=worse))
            assert words.match(first), first
        began = time.monotonic()
        if said == HEALTHY:
            await room.until(lambda report: bool(report["healthy"]))
        elif said != NONE:
            await room.until(
                lambda report: any(each.startswith(said) for each in (*report["problems"], *report["warnings"])),
                outage.says[1],
            )
        assert said == NONE or (await room.scraper.ask("livez"))[0] == 200, "nothing restarts the bot"
        measured["/healthz"] = time.monotonic() - began
        if outage.metric[0] != NONE:
            found = await room.scraper.until(lambda found: holds(outage.metric[0], found), outage.metric[1])
            measured["metric"] = time.monotonic() - began
            if outage.alert[0] != NONE:
                assert asked_by(ALERTS[outage.alert[0]]).series == asked_by(outage.metric[0]).series
                assert fires(outage.alert[0], found)
    print(outage.name, {name: round(seconds, 1) for name, seconds in measured.items()}, f"alert {outage.alert[1]}")
    if make is not revoked:
        await room.calm()


def test_the_page_says_after_how_many_seconds_each_alert_fires() -> None:
    assert "## Outages\n" in (ROOT / "docs" / "runbook.md").read_text("utf-8")
    alerted = [outage for outage in OUTAGES if outage.alert[0] != NONE]
    assert [outage.alert[1] for outage in alerted] == [outage.alerted for outage in alerted]
    assert all(each.alerted <= (HEALING_WITHIN if each.name in HEALING else WITHIN) for each in alerted)
