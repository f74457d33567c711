"""Answers `/livez`, `/healthz` and `/metrics` at AMBIT_METRICS. Without that setting nobody imports this."""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import os
from functools import partial
from types import TracebackType
from typing import Final, Self

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from cogs.process.environment import Address
from cogs.process.exits import EXIT_LATER, StartError
from cogs.process.health import Doctor
from cogs.process.lag import Lag
from cogs.process.metrics import Metrics

log = logging.getLogger(__name__)

AGAIN: Final = 0.2
"""Seconds between two attempts to listen at an address that another process still has."""

_written: Final = partial(json.dumps, indent=2, ensure_ascii=False)


class Endpoint:
    """A small web server inside the bot. Use it as ``async with Endpoint(…)``; raises StartError on entering.

    It answers from the beginning, unless the address is in use: the previous process may still be ending. Call `insist`
    once this process is alone.
    """

    def __init__(self, address: Address, doctor: Doctor) -> None:
        self._address = address
        self._doctor = doctor
        self._lag = Lag()
        self._metrics = Metrics(doctor, self._lag)
        pages = web.Application()
        pages.router.add_get("/livez", self._live)
        pages.router.add_get("/healthz", self._health)
        pages.router.add_get("/metrics", self._measurements)
        self._runner = web.AppRunner(pages, access_log=None)
        self._listens = False

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        try:
            await self._listen()
        except StartError as refusal:
            if refusal.code != EXIT_LATER:
                await self._runner.cleanup()
                raise
        self._lag.start()
        return self

    async def insist(self, patience: float = 0.0) -> None:
        """Wait for the address for so many seconds. Raises StartError if it's still in use then."""
        while not self._listens:
            try:
                await self._listen()
            except StartError:
                if patience <= 0:
                    raise
                patience -= AGAIN
                await asyncio.sleep(AGAIN)

    async def _listen(self) -> None:
        try:
            await web.TCPSite(self._runner, self._address.host, self._address.port, shutdown_timeout=1.0).start()
        except OSError as error:
            # asyncio's own sentence repeats the address.
            why = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
            raise StartError(
                f"AMBIT_METRICS: {self._address} can't be listened to ({why}).", passes=error.errno == errno.EADDRINUSE
            ) from error
        self._listens = True
        log.info("measurements are at http://%s/metrics", self._address)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lag.stop()
        await self._runner.cleanup()

    async def _live(self, _: web.Request) -> web.Response:
        """Answer. That alone shows that the event loop runs."""
        return web.Response(text="alive\n")

    async def _health(self, _: web.Request) -> web.Response:
        report = await self._doctor.report()
        return web.json_response(report, status=200 if report["healthy"] else 503, dumps=_written)

    async def _measurements(self, _: web.Request) -> web.Response:
        return web.Response(body=await self._metrics.text(), headers={"Content-Type": CONTENT_TYPE_LATEST})
