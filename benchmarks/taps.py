"""How many taps a move takes, and how many private pictures are shown on the way: by the panel that people press.

Matches of random players and of easy computers are played on the real host. Each move is looked for in the panel from
**Play** to **Confirm**, both counted: a button is one tap, an entry of a menu two (opening it, and the entry). A move
that comes in the same turn, after which the panel stays open, needs no **Play**. Where a move can be picked in several
ways the shortest counts. The settings are everybody's.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from statistics import mean, quantiles
from typing import Final, NamedTuple

import discord

from benchmarks.measure import UNDER
from cogs.drawing import DRAWER
from cogs.play import panel
from cogs.press.components import Pick, Press
from cogs.press.custom_ids import BETWEEN, parse
from db import Database
from games import GAMES
from games.core import Stage
from matches.api import Host, Match, NewMatch, Person, Status, UserId, View
from matches.computers.levels import Level
from matches.computers.pool import Computers
from matches.computers.thinking import Question, answer
from matches.delivery.computer_turns import imagined

CEILINGS: Final = {"saboteur": 4.5, "ambush": 5.0, "gambo": 3.5, "ambagibus": 3.2, "abissal": 3.3}
"""Taps a move, on average."""

PICTURES_CEILING: Final = 3.0
"""Private pictures a move, on average."""

MATCHES: Final = {True: 1, False: 8}
"""Matches of each kind of player, quick and whole."""

MOST_MOVES: Final = {True: 60, False: 10_000}
"""Moves of a match that are looked at."""

Chooser = Callable[[Host, View, Random], Awaitable[str]]


class Way(NamedTuple):
    """What one move took."""

    taps: int
    pictures: int


def run(quick: bool) -> bool:
    """Print the table; whether every game keeps its ceilings."""
    return asyncio.run(_run(quick))


async def _run(quick: bool) -> bool:
    print(f"{'game, players':26}{'moves':>7}{'taps':>8}{'95 %':>7}{'pictures':>10}{'95 %':>7}{'at most':>9}")
    kept = True
    for key in GAMES:
        for kind, choose in (("random", _at_random), ("easy", _easily)):
            ways = [way for number in range(MATCHES[quick]) for way in await _match(key, choose, number, quick)]
            taps, pictures = [way.taps for way in ways], [way.pictures for way in ways]
            fits = mean(taps) <= CEILINGS[key] and mean(pictures) <= PICTURES_CEILING
            kept = kept and fits
            print(
                f"{f'{key}, {kind}':26}{len(ways):7}{mean(taps):8.2f}{_most(taps):7.0f}"
                f"{mean(pictures):10.2f}{_most(pictures):7.0f}{CEILINGS[key]:9.1f}{'' if fits else f' {UNDER}'}",
                flush=True,
            )
    DRAWER.close()
    return kept


def _most(numbers: list[int]) -> float:
    return quantiles(numbers, n=20)[-1]


async def _at_random(host: Host, view: View, rng: Random) -> str:
    return rng.choice(sorted({move.text for move in view.moves}))


async def _easily(host: Host, view: View, rng: Random) -> str:
    told = imagined(*await host.work.looked_at(view.match.id, with_lines=Computers.remember))
    return answer(Question(told.position, told.lines, Level.EASY, told.seed))


async def _match(key: str, choose: Chooser, number: int, quick: bool) -> list[Way]:
    rng = Random(f"taps {key} {number}")
    info = GAMES[key].info
    players = info.min_players + number % (info.max_players - info.min_players + 1)
    ways: list[Way] = []
    with tempfile.TemporaryDirectory(prefix="ambit-bench-") as folder:
        async with await Database.open(f"sqlite+aiosqlite:///{Path(folder) / 'taps.db'}") as database:
            host = Host(database, entropy=rng.randbytes)
            match = await _begun(host, key, players)
            open_already = False
            while match.status is Status.RUNNING and match.mover is not None and len(ways) < MOST_MOVES[quick]:
                user_id = match.mover.user_id
                assert user_id is not None
                view = await host.look.view(match, user_id)
                text = await choose(host, view, rng)
                ways.append(await _shortest(view, text, open_already))
                match = await host.play.act(match.id, user_id, text)
                after = await host.look.view(match, user_id)
                open_already = after.to_move == after.seat and after.stage is not Stage.TURN
    return ways


async def _begun(host: Host, key: str, players: int) -> Match:
    people = [Person(UserId(1000 + number), f"Player {number}") for number in range(players)]
    match = await host.lobby.open(NewMatch(game=key, channel_id=1), people[0])
    for person in people[1:]:
        match = await host.lobby.join(match.id, person)
    return match if match.status is Status.RUNNING else await host.lobby.start(match.id, people[0].user_id)


async def _shortest(view: View, text: str, open_already: bool) -> Way:
    paths = [tuple(choice.value for choice in move.choices) for move in view.moves if move.text == text]
    taps, pictures = min([await _walked(view, path) for path in paths])
    return Way(taps + (not open_already), pictures)


async def _walked(view: View, wanted: tuple[str, ...]) -> Way:
    """From the open panel to **Confirm** for the move with these choices, pressing what leads there."""
    taps = pictures = number = 0
    path: tuple[str, ...] = ()
    while True:
        message = await panel.page(view, path, number)
        pictures += len(message.pictures)
        assert message.view is not None
        found = _next(message.view, wanted)
        if found is None:
            # Only a menu has a page after this one.
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
    """The control that leads to the wanted move; ``None`` where it is on another page of the menu."""
    for item in view.children:
        if isinstance(item, Press):
            ref = parse(item.item.custom_id or "")
            assert ref is not None
            if ref.verb == "confirm" and ref.path == wanted:
                return _Control(1, ref.path, confirms=True)
            if ref.verb == "pick" and wanted[: len(ref.path)] == ref.path:
                return _Control(1, ref.path)
        elif isinstance(item, Pick):
            ref = parse(item.item.custom_id)
            assert ref is not None
            for option in item.item.options:
                path = (*ref.path, *option.value.split(BETWEEN))
                if wanted[: len(path)] == path:
                    return _Control(2, path)
    return None
