"""How many taps a move takes on the panel, and how many private pictures people see on the way.

Matches of random players and of easy computers are played on the real host. Each move is looked up in the panel, from
**Play** to **Confirm**, both included. A button is one tap, an entry of a menu two: opening it, and the entry. The
panel stays open for a further move of the same turn, so that one needs no **Play**. A card is turned by as many taps on
**Turn** as it takes. The settings are the defaults.

In the random matches, the player who comes next also says their next move in advance. In games in which people can
answer each move in advance, they answer the move that follows, too. The taps count from **In advance** until the move
or the answer is kept, including those that choose the move that it answers.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from functools import partial
from math import inf
from pathlib import Path
from random import Random
from statistics import mean
from typing import Final, NamedTuple

import discord

from benchmarks.filling import begun, host_on, sqlite
from benchmarks.measure import Length, Report, quantile_of
from cogs.drawing import DRAWER
from cogs.orders import order_pages
from cogs.play import panel
from cogs.play.panel_pages import TURN
from cogs.play.panel_steps import position
from cogs.press.custom_ids import BETWEEN, Ref, parse
from cogs.press.reply import Message
from games import GAMES
from games.core import Stage
from matches.api import Host, Match, NewMatch, Person, Status, Terms, UserId, View
from matches.computers.levels import Level
from matches.computers.pool import Computers
from matches.computers.thinking import Question, answer
from matches.delivery.computer_turns import imagined
from matches.orders import Orders

ADVANCED: Final = "ambagibus, advanced"

OPTIONS: Final = {"ambagibus": {"variant": "basic"}, ADVANCED: {"variant": "advanced"}}
"""The options of those games that have some, by row."""

CEILINGS: Final = {
    "saboteur": 4.5,
    "ambush": 5.0,
    "gambo": 3.5,
    "abissal": 3.3,
    "ambagibus": 3.2,
    ADVANCED: 4.0,
}
"""Taps a move, on average, by row."""

NEXT_CEILINGS: Final = {"saboteur": 3.5, "ambush": 4.0, "gambo": 3.5, "abissal": 3.3, ADVANCED: 3.2}
"""Taps of one's next move when it's said in advance, on average. In basic Ambagibus nobody knows their next card."""

ANSWER_CEILINGS: Final = {"ambush": 7.0, "gambo": 6.0, ADVANCED: 6.0}
"""Taps of an answer that is given in advance, on average."""

PICTURES_CEILING: Final = 3.0
"""Private pictures a move, on average."""

NEXT_MOVE, ANSWER = "next move in advance", "answer in advance"
"""What people say in advance."""


Chooser = Callable[[Host, View, Random], Awaitable[str]]
Page = Callable[[tuple[str, ...], int], Awaitable[Message]]
"""The page of a panel after some choices, with this number."""


class Way(NamedTuple):
    """The taps and pictures of one move."""

    taps: int
    pictures: int


def run(length: Length) -> bool:
    """Print the table. Returns whether every game keeps its ceilings."""
    return asyncio.run(_run(length))


async def _run(length: Length) -> bool:
    # The matches of each kind of player, and the most moves of each match.
    matches, moves = length.of((8, 10_000), (1, 60), (1, 2))
    report = Report(length, 42)
    report.head("game, players", "moves", "taps", "95 %", "pictures", "95 %", "at most")
    for key in sorted({*GAMES, *CEILINGS}):
        for kind, choose in (("random", _at_random), ("easy", _easily)):
            ways = [way for number in range(matches) for way in await _match(key, choose, number, moves)]
            _told(report, f"{key}, {kind}", ways, CEILINGS.get(key, inf), PICTURES_CEILING)
    for what, ceilings in ((NEXT_MOVE, NEXT_CEILINGS), (ANSWER, ANSWER_CEILINGS)):
        for key, ceiling in ceilings.items():
            ways = [way for each in range(matches) for way in await _match(key, _at_random, each, moves, what)]
            _told(report, f"{key}, {what}", ways, ceiling, inf)
    DRAWER.close()
    return report.kept


def _told(report: Report, name: str, ways: list[Way], ceiling: float, pictures_ceiling: float) -> None:
    taps, pictures = [way.taps for way in ways], [way.pictures for way in ways]
    fits = mean(taps) <= ceiling and mean(pictures) <= pictures_ceiling
    cells = [cell for each in (taps, pictures) for cell in (f"{mean(each):.2f}", f"{quantile_of(each, 95):.0f}")]
    report.row(name, f"{len(ways)}", *cells, f"{ceiling:.1f}", kept=fits)


async def _at_random(host: Host, view: View, rng: Random) -> str:
    return rng.choice(sorted({move.text for move in view.moves}))


async def _easily(host: Host, view: View, rng: Random) -> str:
    told = imagined(*await host.work.snapshot(view.match.id, with_lines=Computers.remember))
    return answer(Question(told.position, told.lines, Level.EASY, told.seed))


async def _match(row: str, choose: Chooser, number: int, moves: int, ahead: str = "") -> list[Way]:
    """The ways to the moves of a match of a row's game, or to what is said `ahead` of each of them."""
    key = row.partition(",")[0]
    info = GAMES[key].info
    players = info.min_players + number % (info.max_players - info.min_players + 1)
    ways: list[Way] = []
    with tempfile.TemporaryDirectory(prefix="ambit-bench-") as folder:
        async with host_on(sqlite(Path(folder) / "taps.db"), f"taps {row} {number}") as (_, host, rng):
            people = [Person(UserId(1000 + number), f"Player {number}") for number in range(players)]
            match = await begun(host, NewMatch(key, 1, Terms(options=OPTIONS.get(row, {}))), people)
            open_already = False
            while match.status is Status.RUNNING and match.mover is not None and len(ways) < moves:
                user_id = match.mover.user_id
                assert user_id is not None
                view = await host.look.view(match, user_id)
                text = await choose(host, view, rng)
                if ahead:
                    ways += await _said(host, match, text if ahead == ANSWER else None, rng)
                else:
                    way = await _walked(partial(panel.page, host, view), _path(view, text))
                    ways.append(way._replace(taps=way.taps + (not open_already)))
                match = await host.play.act(match.id, user_id, text)
                after = await host.look.view(match, user_id)
                open_already = after.match.to_move == after.seat and after.stage is not Stage.TURN
    return ways


def _path(view: View, text: str) -> tuple[str, ...]:
    return next(tuple(choice.value for choice in move.choices) for move in view.moves if move.text == text)


async def _said(host: Host, match: Match, theirs: str | None, rng: Random) -> list[Way]:
    """The way of the next player to their next move, or to an answer to `theirs`; none if they can't say it."""
    mover = match.mover
    assert mover is not None
    assert mover.seat is not None
    user_id = match.seats[(mover.seat + 1) % len(match.seats)].user_id
    assert user_id is not None
    prepared = await host.part(Orders).look(match.id, user_id)
    offered = prepared.next_view if theirs is None else prepared.their_view
    if offered is None or theirs not in (None, *(move.text for move in offered.moves)):
        return []
    stage = order_pages.NEXT if theirs is None else order_pages.reply_to(theirs)
    view = await order_pages.choosing(host, prepared, stage)
    text = rng.choice(sorted({move.text for move in view.moves}))
    asked = [] if theirs is None else [(order_pages.IF, offered, theirs)]
    ways = [
        await _walked(partial(order_pages.page, host, prepared, each), _path(of, move), of)
        for each, of, move in (*asked, (stage, view, text))
    ]
    # **In advance** opens the panel of the next move, from which a button leads to answers. What is kept is shown.
    return [Way(len(ways) + sum(way.taps for way in ways), len(ways) + sum(way.pictures for way in ways))]


async def _walked(page: Page, wanted: tuple[str, ...], kept_from: View | None = None) -> Way:
    """Walk from the open panel to **Confirm** of the move with these choices.

    A move of `kept_from` is kept without **Confirm**. Its card is turned after that.
    """
    taps = pictures = number = 0
    path: tuple[str, ...] = ()
    while True:
        message = await page(path, number)
        pictures += len(message.pictures)
        assert message.view is not None
        found = _next(message.view, wanted)
        if found is None:
            # The entry is on the next page of a menu.
            taps, number = taps + 1, number + 1
        elif found.confirms:
            return Way(taps + found.taps, pictures)
        elif (turns := _turns(kept_from, found.path, wanted)) is not None:
            return Way(taps + found.taps + turns, pictures + turns)
        else:
            taps, path, number = taps + found.taps, found.path, 0


def _turns(kept_from: View | None, path: tuple[str, ...], wanted: tuple[str, ...]) -> int | None:
    """How often the card is turned after a move is kept; ``None`` if these choices don't make a move that is kept."""
    place = None if kept_from is None else position(kept_from, path)
    if place is None or place.move is None:
        return None
    return [place.path, *(entry.path for entry in place.turned)].index(wanted)


def _choices(ref: Ref) -> tuple[str, ...]:
    """The choices so far that a button carries. In advance, what is asked comes before them."""
    return ref.path[1:] if ref.verb.startswith("order") else ref.path


class _Control(NamedTuple):
    taps: int
    path: tuple[str, ...]
    confirms: bool = False


def _next(view: discord.ui.View, wanted: tuple[str, ...]) -> _Control | None:
    """The control that leads to the wanted move; ``None`` if it is on another page of the menu."""
    turning: _Control | None = None
    for item in view.children:
        assert isinstance(item, discord.ui.Button | discord.ui.Select)
        ref = parse(item.custom_id or "")
        assert ref is not None
        if isinstance(item, discord.ui.Button):
            path = _choices(ref)
            if ref.verb.endswith("confirm") and path == wanted:
                return _Control(1, path, confirms=True)
            if ref.verb.endswith("pick") and wanted[: len(path)] == path:
                return _Control(1, path)
            if item.label == TURN:
                turning = _Control(1, path)
        else:
            for option in item.options:
                path = (*_choices(ref), *option.value.split(BETWEEN))
                if wanted[: len(path)] == path:
                    return _Control(2, path)
    return turning
