"""The whole bot under load, `matches/host/host.py` and all around it, against a Discord on this machine; pictures on.

Many people play matches of all games at once by the panel. The bot runs as it is and in a *plain* way by turns (see
`benchmarks.host_bot`: pictures in RGB saved with Pillow's defaults, every statement committed by itself), on copies of
the same file. Then, on a file with very many open matches, its start is measured against one on an empty file, and
many moves are confirmed in the same moment. What those who play notice of others who ask for hints and animations is
in `benchmarks.host_crowding`, what of tables without people in `benchmarks.host_watched`, what of others who ask for a
server's results in `benchmarks.host_results`, what a match takes of the store in `benchmarks.host_growth`, what a
server instead of a file costs in `benchmarks.host_server` (also by itself, as ``server``); what commands cost with very
many matches is a benchmark of its own.

Moves a second and waiting times are by the clock on the wall, so whatever else the machine does counts; ratios are
taken round by round. CPU and memory are those of the bot's process and of the processes that it has started. Discord's
pace is switched off: it would be the only thing measured. Requests that count are those against a bot's 50 a second;
what a deal must tell everybody in private is no move's, and told apart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from benchmarks import host_crowding, host_growth, host_porter, host_results, host_server, host_watched
from benchmarks.host_crowd import (
    KEYS,
    Asked,
    Crowd,
    copy_on,
    crowd,
    fill,
    nothing_to_tell,
    percentiles,
    usage,
    with_bots,
)
from benchmarks.measure import UNDER
from db import Database
from games import GAMES
from tests.wire.bot_process import BotProcess, Nursery
from tests.wire.discord_standin import Discord
from tests.wire.table import Table

MOVES_FLOOR: Final = 2.0
"""Moves a second, as a multiple of the plain way's."""

ACKNOWLEDGED_WITHIN: Final = 1500.0
"""Milliseconds in which 99 of 100 people are answered when many confirm at once."""

START_CEILING: Final = 1.5
"""The start with very many open matches, as a multiple of the start with none."""

REQUESTS: Final = {False: 1.0, True: 2.0}
"""Counted requests a move, in open games and in games with hands."""

OPEN: Final = 10_000
BURST: Final = 200
LOOKED_AT: Final = 2_000
"""Matches that somebody looks at before the memory is read a second time: twice as many as the bot keeps."""

AT_ONCE: Final = 50
OURS, PLAIN = "ours", "plain"


@dataclass(frozen=True)
class Size:
    """How much is measured: different matches, rounds, seconds a round, and bursts."""

    matches: int
    rounds: int
    seconds: float
    bursts: int
    starts: int


FULL: Final = Size(matches=100, rounds=3, seconds=15.0, bursts=3, starts=5)
QUICK: Final = Size(matches=25, rounds=1, seconds=6.0, bursts=1, starts=3)


@dataclass(frozen=True)
class Round:
    """One bot's part of a round."""

    moves: dict[str, int]
    counted: dict[str, Asked]
    seconds: float
    processor: float
    waits: tuple[float, ...]

    @property
    def rate(self) -> float:
        """Moves a second."""
        return sum(self.moves.values()) / self.seconds

    @property
    def milliseconds(self) -> float:
        """Of the processor, for a move."""
        return 1e3 * self.processor / sum(self.moves.values())


def run(quick: bool) -> bool:
    """Print the tables; whether every figure keeps its floor."""
    size = QUICK if quick else FULL
    return with_bots(lambda nursery, folder: _measured(nursery, folder, size))


async def _measured(nursery: Nursery, folder: Path, size: Size) -> bool:
    played = folder / "played.db"
    await fill(played, size.matches)
    rounds: dict[str, list[Round]] = {OURS: [], PLAIN: []}
    for number in range(size.rounds):
        for way, made in rounds.items():
            async with crowd(nursery, folder / f"{way}{number}", played, size.matches, plain=way == PLAIN) as some:
                made.append(await _round(some, size.seconds))
    kept = _print_rounds(rounds, size)
    kept = _print_requests(rounds[OURS]) and kept
    kept = await host_porter.run(nursery, folder, played, size.matches, size.rounds, size.seconds) and kept
    many = folder / "many.db"
    many.write_bytes(played.read_bytes())
    copy_on(many, OPEN, BURST)
    kept = await _burst(nursery, folder, many, size) and kept
    kept = await host_crowding.measured(nursery, folder, size is QUICK) and kept
    kept = await host_results.measured(nursery, folder, size is QUICK) and kept
    kept = await host_watched.measured(nursery, folder, size is QUICK) and kept
    kept = await host_growth.measured(folder, size is QUICK) and kept
    kept = await _starts(nursery, folder, many, size) and kept
    return await host_server.told(nursery, folder, size is QUICK) and kept


async def _round(some: Crowd, seconds: float) -> Round:
    """All tables play; the first move of each is not counted (whoever is on turn may have his hand from the deal)."""
    await some.once()
    before, counted = dict(some.made), some.counted()
    waits, used, begun = len(some.waits()), usage(some.bot.pid), perf_counter()
    await some.play(seconds)
    passed, after = perf_counter() - begun, usage(some.bot.pid)
    await some.settled()
    return Round(
        {key: some.made[key] - before[key] for key in KEYS},
        {
            key: Asked(asked.moves - counted[key].moves, asked.deals - counted[key].deals)
            for key, asked in some.counted().items()
        },
        passed,
        after.seconds - used.seconds,
        tuple(some.waits()[waits:]),
    )


def _print_rounds(rounds: dict[str, list[Round]], size: Size) -> bool:
    rates = [ours.rate / plain.rate for ours, plain in zip(rounds[OURS], rounds[PLAIN], strict=True)]
    costs = [plain.milliseconds / ours.milliseconds for ours, plain in zip(rounds[OURS], rounds[PLAIN], strict=True)]
    print(f"{size.matches} matches of all games at once, medians of {size.rounds} rounds by turns\n")
    print(f"{'':34}{'moves/s':>9}{'CPU ms a move':>15}{'answered p50 ms':>17}{'p99 ms':>9}")
    for way, made in rounds.items():
        waits = percentiles([wait for each in made for wait in each.waits])
        print(
            f"{way:34}{median(each.rate for each in made):9.1f}"
            f"{median(each.milliseconds for each in made):15.1f}{waits[0]:17.0f}{waits[1]:9.0f}"
        )
    kept = median(rates) >= MOVES_FLOOR
    print(f"{'ours, times as good as plain':34}{median(rates):9.2f}{median(costs):15.2f}{'' if kept else f'  {UNDER}'}")
    return kept


def _print_requests(made: Sequence[Round]) -> bool:
    print(f"\n{'Counted requests a move':34}{'':9}{'ceiling':>15}{'besides, for deals':>21}")
    kept = True
    for key, game in GAMES.items():
        moves = sum(each.moves[key] for each in made)
        asked = sum(each.counted[key].moves for each in made) / max(moves, 1)
        dealt = sum(each.counted[key].deals for each in made) / max(moves, 1)
        ceiling = REQUESTS[game.info.hands]
        low = asked > ceiling
        kept = kept and not low
        print(f"{game.info.name:34}{asked:9.2f}{ceiling:15.0f}{dealt:21.2f}{f'  {UNDER}' if low else ''}")
    return kept


async def _burst(nursery: Nursery, folder: Path, many: Path, size: Size) -> bool:
    """Many people press **Confirm** in the same moment, on a bot with very many open matches."""
    bursts = []
    for number in range(size.bursts):
        async with crowd(nursery, folder / f"burst{number}", many, BURST) as some:
            panels = await some.panels()
            answers = await some.confirm_at_once(panels)
            bursts.append(percentiles([answer.interaction.waited for answer in answers]))
    half, most = median(each[0] for each in bursts), median(each[1] for each in bursts)
    low = most > ACKNOWLEDGED_WITHIN
    print(f"\n{f'{BURST} moves confirmed at once':34}{'p50 ms':>9}{'p99 ms':>15}{'ceiling':>17}")
    print(
        f"{f'with {OPEN:,} open matches':34}{half:9.0f}{most:15.0f}{ACKNOWLEDGED_WITHIN:17.0f}"
        f"{f'  {UNDER}' if low else ''}"
    )
    return not low


async def _starts(nursery: Nursery, folder: Path, many: Path, size: Size) -> bool:
    """From the start of the process, without its imports, until somebody's command is answered."""
    nothing_to_tell(many)
    none = folder / "none.db"
    await (await Database.open(f"sqlite+aiosqlite:///{none}")).close()
    seconds: dict[str, list[float]] = {"none": [], "many": []}
    memory: dict[str, float] = {}
    async with Discord() as discord:
        table = Table.of(discord, 4, number=1)
        bots = {}
        for name, file in (("none", none), ("many", many)):
            place = folder / f"starts-{name}"
            place.mkdir()
            bots[name] = BotProcess(discord, place, nursery, AMBIT_LOG_LEVEL="ERROR")
            file.replace(bots[name].database)
            await bots[name].start()  # tells Discord the commands, and notes that it did
            await bots[name].close()
        for _ in range(size.starts):
            for name, bot in bots.items():
                begun = perf_counter()
                await bot.start()
                await table.people[0].command(table.channel, "match list")
                seconds[name].append(perf_counter() - begun)
                memory[name] = usage(bot.pid).memory / 1e6
                await bot.close()
        await bots["many"].start()
        await _look_at_many(discord, table)
        memory["looked at"] = usage(bots["many"].pid).memory / 1e6
        await bots["many"].close()
    times = {name: median(each) for name, each in seconds.items()}
    share = median(many / none for none, many in zip(seconds["none"], seconds["many"], strict=True))
    low = share > START_CEILING
    print(f"\n{'Start, and memory':34}{'ms':>9}{'MB':>15}{'/none':>17}{'ceiling':>9}")
    print(f"{'no match':34}{1e3 * times['none']:9.0f}{memory['none']:15.0f}")
    print(
        f"{f'{OPEN:,} open matches':34}{1e3 * times['many']:9.0f}{memory['many']:15.0f}{share:17.2f}"
        f"{START_CEILING:9.1f}{f'  {UNDER}' if low else ''}"
    )
    print(f"{f'… {LOOKED_AT:,} of them looked at':34}{'':9}{memory['looked at']:15.0f}")
    return not low


async def _look_at_many(discord: Discord, table: Table) -> None:
    """Somebody asks for the board in words of one match after the other."""
    message = discord.world.post(table.channel, {"content": "Here"}, [])
    for first in range(1, LOOKED_AT + 1, AT_ONCE):
        numbers = range(first, first + AT_ONCE)
        await asyncio.gather(*(table.people[0].forge(message, f"b:inwords:{number}:::") for number in numbers))
