"""How many taps a move takes on the panel, and how many private pictures people see on the way.

Matches of random players and of easy computers are played on the real host. Each move is looked up in the panel, from
**Play** to **Confirm**, both included. A button is one tap, an entry of a menu two: opening it, and the entry. The
panel stays open for a further move of the same turn, so that one needs no **Play**. A card is turned by as many taps on
**Turn** as it takes. The settings are the defaults.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from math import inf
from pathlib import Path
from random import Random
from statistics import mean, quantiles
from typing import Final, NamedTuple

import discord

from benchmarks.filling import begun, host_on, sqlite
from benchmarks.measure import Length, Report
from cogs.drawing import DRAWER
from cogs.play import panel
from cogs.play.panel_pages import TURN
from cogs.press.components import Item
from cogs.press.custom_ids import BETWEEN, parse
from games import GAMES
from games.core import Stage
from matches.api import Host, NewMatch, Person, Status, UserId, View
from matches.computers.levels import Level
from matches.computers.pool import Computers
from matches.computers.thinking import Question, answer
from matches.delivery.computer_turns import imagined

CEILINGS: Final = {"saboteur": 4.5, "ambush": 5.0, "gambo": 3.5, "ambagibus": 3.2, "abissal": 3.3}
"""Taps a move, on average."""

PICTURES_CEILING: Final = 3.0
"""Private pictures a move, on average."""


class Size(NamedTuple):
    """The number of matches of each kind of player, and the most moves of each match."""

    matches: int
    moves: int


WHOLE, QUICK, TINY = Size(8, 10_000), Size(1, 60), Size(1, 2)

Chooser = Callable[[Host, View, Random], Awaitable[str]]


class Way(NamedTuple):
    """The taps and pictures of one move."""

    taps: int
    pictures: int


def run(length: Length) -> bool:
    """Print the table. Returns whether every game keeps its ceilings."""
    return asyncio.run(_run(length))


async def _run(length: Length) -> bool:
    size, report = length.of(WHOLE, QUICK, TINY), Report(length, 26)
    report.head("game, players", "moves", "taps", "95 %", "pictures", "95 %", "at most")
    for key in GAMES:
        for kind, choose in (("random", _at_random), ("easy", _easily)):
            ways = [way for number in range(size.matches) for way in await _match(key, choose, number, size.moves)]
            taps, pictures = [way.taps for way in ways], [way.pictures for way in ways]
            ceiling = CEILINGS.get(key, inf)
            fits = mean(taps) <= ceiling and mean(pictures) <= PICTURES_CEILING
            cells = f"{mean(taps):.2f}", f"{_most(taps):.0f}", f"{mean(pictures):.2f}", f"{_most(pictures):.0f}"
            report.row(f"{key}, {kind}", f"{len(ways)}", *cells, f"{ceiling:.1f}", kept=fits)
    DRAWER.close()
    return report.kept


def _most(numbers: list[int]) -> float:
    return quantiles(numbers, n=20)[-1]


async def _at_random(host: Host, view: View, rng: Random) -> str:
    return rng.choice(sorted({move.text for move in view.moves}))


async def _easily(host: Host, view: View, rng: Random) -> str:
    told = imagined(*await host.work.snapshot(view.match.id, with_lines=Computers.remember))
    return answer(Question(told.position, told.lines, Level.EASY, told.seed))


async def _match(key: str, choose: Chooser, number: int, moves: int) -> list[Way]:
    info = GAMES[key].info
    players = info.min_players + number % (info.max_players - info.min_players + 1)
    ways: list[Way] = []
    with tempfile.TemporaryDirectory(prefix="ambit-bench-") as folder:
        async with host_on(sqlite(Path(folder) / "taps.db"), f"taps {key} {number}") as (_, host, rng):
            people = [Person(UserId(1000 + number), f"Player {number}") for number in range(players)]
            match = await begun(host, NewMatch(game=key, channel_id=1), people)
            open_already = False
            while match.status is Status.RUNNING and match.mover is not None and len(ways) < moves:
                user_id = match.mover.user_id
                assert user_id is not None
                view = await host.look.view(match, user_id)
                text = await choose(host, view, rng)
                way = await _walked(host, view, _path(view, text))
                ways.append(way._replace(taps=way.taps + (not open_already)))
                match = await host.play.act(match.id, user_id, text)
                after = await host.look.view(match, user_id)
                open_already = after.to_move == after.seat and after.stage is not Stage.TURN
    return ways


def _path(view: View, text: str) -> tuple[str, ...]:
    return next(tuple(choice.value for choice in move.choices) for move in view.moves if move.text == text)


async def _walked(host: Host, view: View, wanted: tuple[str, ...]) -> Way:
    """Walk from the open panel to **Confirm** of the move with these choices."""
    taps = pictures = number = 0
    path: tuple[str, ...] = ()
    while True:
        message = await panel.page(host, view, path, number)
        pictures += len(message.pictures)
        assert message.view is not None
        found = _next(message.view, wanted)
        if found is None:
            # The entry is on the next page of a menu.
            taps, number = taps + 1, number + 1
        elif found.confirms:
            return Way(taps + 1, pictures)
        else:
            taps, path, number = taps + found.taps, found.path, 0


class _Control(NamedTuple):
    taps: int
    path: tuple[str, ...]
    confirms: bool = False


def _next(view: discord.ui.View, wanted: tuple[str, ...]) -> _Control | None:
    """The control that leads to the wanted move; ``None`` if it is on another page of the menu."""
    turning: _Control | None = None
    for item in view.children:
        assert isinstance(item, Item)
        ref = parse(item.custom_id)
        assert ref is not None
        if isinstance(item.item, discord.ui.Button):
            if ref.verb == "confirm" and ref.path == wanted:
                return _Control(1, ref.path, confirms=True)
            if ref.verb == "pick" and wanted[: len(ref.path)] == ref.path:
                return _Control(1, ref.path)
            if item.item.label == TURN:
                turning = _Control(1, ref.path)
        else:
            for option in item.item.options:
                path = (*ref.path, *option.value.split(BETWEEN))
                if wanted[: len(path)] == path:
                    return _Control(2, path)
    return turning
