"""Reads what the bot's process says about itself: its measurements and its health."""

import asyncio
import socket
import time
from collections.abc import Callable
from typing import Any

import aiohttp
from prometheus_client.parser import text_string_to_metric_families


def free_port() -> int:
    """A port of this machine that nobody listens to."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Measured:
    """The samples of one scrape."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.families = list(text_string_to_metric_families(text))
        self.samples = [sample for family in self.families for sample in family.samples]

    def of(self, name: str, **labels: str) -> float:
        """The sum of the samples with this name and these labels."""
        return sum(
            sample.value for sample in self.samples if sample.name == name and labels.items() <= sample.labels.items()
        )


class Scraper:
    """Asks one process."""

    def __init__(self) -> None:
        self.address = f"127.0.0.1:{free_port()}"

    async def ask(self, page: str, seconds: float = 10.0) -> tuple[int, str]:
        """The status and the body of a page."""
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=seconds)) as session,
            session.get(f"http://{self.address}/{page}") as answer,
        ):
            return answer.status, await answer.text()

    async def measured(self) -> Measured:
        """The measurements now."""
        status, text = await self.ask("metrics")
        assert status == 200, text
        return Measured(text)

    async def until(self, holds: Callable[[Measured], Any], seconds: float = 30.0) -> Measured:
        """The measurements, once this holds."""
        end = time.monotonic() + seconds
        while not holds(found := await self.measured()):
            assert time.monotonic() < end, found.text
            await asyncio.sleep(0.2)
        return found
