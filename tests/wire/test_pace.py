"""All processes together send no more requests than Discord accepts from a token: through a proxy, or
each its share.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import aiohttp
from aiohttp import web

from cogs.process.pace import UNCOUNTED, Pace

from .bot_process import BotProcess
from .discord_standin import Discord
from .table import Table

OVERALL_LIMIT: Final = 12
"""Discord accepts this many requests a second here instead of fifty, so that two tables are already too many."""

SECONDS: Final = 2.2
"""The window is longer here: on a busy machine one request overtakes another by more than half a second."""

HEADERS_READ: Final = ("x-", "via", "retry-after", "content-type")
"""Prefixes of the headers that a client of Discord reads."""


class Proxy:
    """Speaks Discord's API, delays counted requests until their turn, and passes them on to Discord."""

    def __init__(self, discord: Discord, session: aiohttp.ClientSession) -> None:
        self._discord, self._session = discord, session
        self._pace = Pace(OVERALL_LIMIT, SECONDS)
        self.passed = 0

    async def pass_on(self, request: web.Request) -> web.Response:
        """Pass on one request and its answer."""
        if not request.path.removeprefix("/api/v10").startswith(UNCOUNTED):
            self.passed += 1
            await self._pace.take()
        kept = {name: request.headers[name] for name in ("Authorization", "Content-Type") if name in request.headers}
        where = f"{self._discord.world.address}{request.path_qs}"
        async with self._session.request(request.method, where, data=await request.read(), headers=kept) as answer:
            read = {name: text for name, text in answer.headers.items() if name.lower().startswith(HEADERS_READ)}
            return web.Response(status=answer.status, body=await answer.read(), headers=read)


@asynccontextmanager
async def proxy_to(discord: Discord) -> AsyncIterator[tuple[Proxy, str]]:
    """A proxy on this machine, and its address."""
    async with aiohttp.ClientSession() as session:
        proxy = Proxy(discord, session)
        app = web.Application(client_max_size=1 << 25)
        app.router.add_route("*", "/{path:.*}", proxy.pass_on)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            yield proxy, f"http://127.0.0.1:{runner.addresses[0][1]}"
        finally:
            await runner.cleanup()


async def play(discord: Discord, bots: list[BotProcess], **settings: str) -> None:
    """Two tables, one with each process, begin at once and play a turn."""
    discord.limits.overall, discord.limits.overall_kept = (OVERALL_LIMIT, 1.0), True
    # The bots hear of servers that exist before they connect.
    tables = [Table.of(discord, 5, number=number) for number in (2, 3)]
    for bot in bots:
        bot.settings |= settings
        await bot.start()
    await asyncio.gather(*(table.begin("saboteur") for table in tables))
    for table in tables:
        await table.turn()
        await table.hand_told()


async def test_a_proxy_keeps_the_pace_of_two_processes(two_bots: tuple[Discord, BotProcess, BotProcess]) -> None:
    discord, *bots = two_bots
    async with proxy_to(discord) as (proxy, address):
        await play(discord, bots, AMBIT_API=address)
        assert proxy.passed >= 2 * OVERALL_LIMIT
        # The proxy may just have passed on what Discord has not read yet.
        await discord.until(lambda: proxy.passed == sum(request.counted for request in discord.requests))
    assert discord.limits.refused == 0


async def test_without_a_proxy_each_process_keeps_its_share(two_bots: tuple[Discord, BotProcess, BotProcess]) -> None:
    discord, *bots = two_bots
    await play(discord, bots, WIRE_PACE=f"{OVERALL_LIMIT} {SECONDS}")
    assert sum(request.counted for request in discord.requests) >= 2 * OVERALL_LIMIT
    assert discord.limits.refused == 0


async def test_a_proxy_that_does_not_run_is_one_sentence(bot: BotProcess) -> None:
    bot.settings["AMBIT_API"] = "http://127.0.0.1:1"
    await bot.start(connect=False)
    assert await bot.gone() == 75
    assert bot.log().splitlines()[-1] == "Discord can't be reached: does the proxy at AMBIT_API run?"
