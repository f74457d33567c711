"""A proxy between a program and its PostgreSQL server that can fail like networks and servers."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Final, Self

from sqlalchemy.engine import make_url

_COMMIT: Final = b"COMMIT;\0"
_CHUNK: Final = 65536


class Proxy:
    """Listens on this machine and passes everything on to the server of an address, until told to fail.

    Use it as ``async with Proxy(url) as proxy``; `address(url)` leads through it to the database of an address.
    """

    def __init__(self, url: str) -> None:
        self._upstream = make_url(url)
        self._server: asyncio.Server | None = None
        self._port = 0
        self._links: set[asyncio.Task[None]] = set()
        self._open = asyncio.Event()
        self._open.set()
        self._cuts = 0
        self.connections = 0
        """How many connections there have been."""
        self.cut_commits = 0
        """How many commits have lost their answer."""
        self.round_trips = 0
        """How many round trips there have been."""
        self.delay = 0.0
        """Seconds by which it delays each of these."""

    async def __aenter__(self) -> Self:
        await self.listen()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.refuse()

    def address(self, url: str) -> str:
        """The address of the same database, through the proxy."""
        direct = make_url(url)
        through = direct.set(host="127.0.0.1", port=self._port, query={})
        return through.render_as_string(hide_password=False)

    async def listen(self) -> None:
        """Work normally, at the same address as ever."""
        if self._server is None:
            self._server = await asyncio.start_server(self._accepted, "127.0.0.1", self._port)
            self._port = self._server.sockets[0].getsockname()[1]
        self._open.set()

    async def refuse(self) -> None:
        """Stop listening, and cut all connections."""
        if self._server is not None:
            self._server.close()
            self._server = None
        await self.cut()

    async def cut(self) -> None:
        """Cut all connections without a word."""
        links = list(self._links)
        for link in links:
            link.cancel()
        await asyncio.gather(*links, return_exceptions=True)

    def be_silent(self) -> None:
        """Pass nothing on, in either direction; `listen` delivers what was held back."""
        self._open.clear()

    def cut_at_commits(self, count: int) -> None:
        """Lose the answers to the next commits with their connections; the commits themselves succeed."""
        self._cuts = count

    async def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        # A task of its own, because the connection's must not be cancelled.
        link = asyncio.create_task(self._linked(reader, writer))
        self._links.add(link)
        await asyncio.wait([link])
        self._links.discard(link)
        writer.transport.abort()

    async def _linked(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._open.wait()
        try:
            up_reader, up_writer = await self._connected()
        except OSError:
            return  # the server is down, which clients notice because they are cut off
        link = _Link()
        ways = [
            asyncio.create_task(self._requests(reader, up_writer, link)),
            asyncio.create_task(self._answers(up_reader, writer, link)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            up_writer.transport.abort()

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host = self._upstream.query.get("host") or self._upstream.host or "127.0.0.1"
        assert isinstance(host, str)
        port = self._upstream.port or 5432
        if host.startswith("/"):
            return await asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
        return await asyncio.open_connection(host, port)

    async def _requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, link: _Link) -> None:
        while data := await reader.read(_CHUNK):
            await self._open.wait()
            if self._cuts and _COMMIT in data:
                self._cuts -= 1
                link.is_cut = True
            link.is_asking = True
            writer.write(data)
            await writer.drain()

    async def _answers(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, link: _Link) -> None:
        while data := await reader.read(_CHUNK):
            await self._open.wait()
            if link.is_cut:
                self.cut_commits += 1
                return
            if link.is_asking:
                link.is_asking = False
                self.round_trips += 1
                if self.delay:
                    await asyncio.sleep(self.delay)
            writer.write(data)
            await writer.drain()


class _Link:
    """One connection. `is_cut`: drop the server's next answer. `is_asking`: the server has not answered."""

    is_cut = is_asking = False
