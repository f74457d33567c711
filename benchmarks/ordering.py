"""What a move costs while orders stand, that is, moves that people have said in advance.

Two people play one match of Gambo after the other. The same moves are made by turns in three stores, each with a host
of its own: without any orders, with many orders in other matches, and with four orders of which one may answer the
move. The figure is the CPU time of the process for storing a move, whatever the host does for it.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from random import Random
from statistics import median
from time import process_time
from typing import Final

from benchmarks.crowd import Bench
from benchmarks.filling import begun_at, host_on, sqlite
from db import Connection, Database
from db.model.ids import NO_LINES, MatchId, SeatNumber, UserId
from db.orders import kept as orders
from matches.api import Host, Match, Status
from matches.orders import Order, OrderKind, Orders

GAME: Final = "gambo"
NONE, OTHERS, ANSWERED = "without any", "with those of others", "where one of four answers"

CEILINGS: Final[Mapping[str, float]] = {OTHERS: 1.05, ANSWERED: 1.5}
"""The cost of a move, as a multiple of that without orders."""

SEATS_AT: Final = 100

_WHEN: Final = datetime(2026, 1, 1, tzinfo=UTC)


async def measure(bench: Bench) -> None:
    """Print the table."""
    # The orders of others, and the moves that are measured in each store.
    standing, moves = bench.length.of((10_000, 600), (10_000, 200), (200, 4))
    async with AsyncExitStack() as stack:
        hosts: dict[str, tuple[Host, Database, Random]] = {}
        for number, way in enumerate((NONE, OTHERS, ANSWERED)):
            opened = host_on(sqlite(bench.folder / f"orders{number}.db"), "ordering")
            database, host, seeds = await stack.enter_async_context(opened)
            hosts[way] = host, database, seeds
            await begun_at(host, 1, GAME, 2)
            # In every store, because a match's number counts in its draws.
            others = [(await begun_at(host, each, GAME, 2)).id for each in range(2, 10)]
            if way == OTHERS:
                await database.write(_put, others, standing)
        gc.collect()
        gc.freeze()
        try:
            costs = await _played(hosts, moves)
        finally:
            gc.unfreeze()
    report = bench.report
    report.head(f"A move while {standing:,} orders stand", "ms", "ratio", "ceiling")
    report.row(NONE, f"{1e3 * median(costs[NONE]):.2f}", "", "")
    for way, ceiling in CEILINGS.items():
        share = median(costs[way]) / median(costs[NONE])
        report.row(way, f"{1e3 * median(costs[way]):.2f}", f"{share:.2f}", f"{ceiling:.2f}", kept=share <= ceiling)


def _put(connection: Connection, others: list[MatchId], count: int) -> None:
    """Store orders in these matches, as if many people had given them there."""
    for number in range(count):
        order = _order(number // SEATS_AT, number, 1, OrderKind.NEXT, None, "adv C1")
        orders.put(connection, others[number % len(others)], order)


async def _played(hosts: Mapping[str, tuple[Host, Database, Random]], moves: int) -> dict[str, list[float]]:
    """Return the seconds that each move took, by way. When a match is over, the same one begins in each store."""
    rng, costs = Random("moves"), dict[str, list[float]]({way: [] for way in hosts})
    at: dict[str, Match] = {way: await host.look.match(MatchId(1)) for way, (host, *_) in hosts.items()}
    tables = 10
    while len(costs[NONE]) < moves:
        if at[NONE].status is not Status.RUNNING:
            tables += 1
            for way, (host, _, seeds) in hosts.items():
                # Where orders stand, the host has drawn their moments from it, too.
                seeds.seed(tables)
                at[way] = await begun_at(host, tables, GAME, 2)
        number = rng.randrange(1 << 30)
        for way, (host, database, _) in hosts.items():
            if way == ANSWERED:
                await _answer(host, database, at[way])
            mover = at[way].mover
            assert mover is not None
            assert mover.user_id is not None
            view = await host.look.view(at[way], mover.user_id)
            text = view.moves[number % len(view.moves)].text
            before = process_time()
            at[way] = await host.play.act(at[way].id, mover.user_id, text)
            costs[way].append(process_time() - before)
    return costs


async def _answer(host: Host, database: Database, match: Match) -> None:
    """Store four answers of the person who waits, if there can be any here. The host would refuse so many at once."""
    seat = next(each for each in match.seats if each.seat != match.to_move)
    assert seat.user_id is not None
    assert seat.seat is not None
    known = await host.part(Orders).look(match.id, seat.user_id)
    said = []
    for number, move in enumerate(known.their_view.moves[:4] if known.their_view is not None else ()):
        view = await host.part(Orders).reply_view(match.id, seat.user_id, move.text, match.ply)
        said.append(_order(seat.seat, number, seat.user_id, OrderKind.REPLY, move.text, view.moves[0].text))

    def put(connection: Connection) -> None:
        for order in said:
            orders.put(connection, match.id, order)

    await database.write(put)


def _order(seat: int, number: int, user_id: int, kind: OrderKind, theirs: str | None, mine: str) -> Order:
    return Order(SeatNumber(seat), number, UserId(user_id), kind, theirs, mine, (), (), "", NO_LINES, _WHEN)
