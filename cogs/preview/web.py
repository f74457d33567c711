"""The preview's web page: a bar of members and places, and below it SimCord's page of the open place.

SimCord's page can't be embedded by another origin. So this server is a proxy for it, and both have one origin. Foreign
sites still can't embed or read it: every request must name this server as its host and, if it has an origin, as its
origin.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import aiohttp
import simcord
from aiohttp import web
from yarl import URL

from cogs.client import Client
from cogs.preview.world import World

log = logging.getLogger(__name__)

PAGE: Final = Path(__file__).with_name("page")
FILES: Final = {
    "/": ("index.html", "text/html"),
    "/ambit/page.css": ("page.css", "text/css"),
    "/ambit/page.js": ("page.js", "text/javascript"),
    "/ambit/frame.css": ("frame.css", "text/css"),
}
FRAME: Final = "/ambit/place"
"""The path of SimCord's page. SimCord's other paths stay the same."""

TICK: Final = 0.5
"""Seconds between two ticks of the simulated Discord's clock."""

NO_STORE: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
OURS: Final = {"Content-Security-Policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'"}
FORWARDED: Final = ("Content-Type", "X-Simcord-Capability", "X-Simcord-Context")
DROPPED: Final = frozenset({"content-length", "transfer-encoding", "connection", "date", "server", "x-frame-options"})

PICTURE: Final = re.compile(r"/api/assets/[^/]+")
BROWSERS_OWN: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""Pictures that a browser decodes itself. SimCord would start a process for each, one after another. While a place's
fifty pictures wait for that, the browser has no connection left for an action."""


class PreviewError(Exception):
    """The preview can't be served. The message is one plain sentence."""


async def serve(bot: Client, members: int, port: int, stop: asyncio.Event) -> None:
    """Serve the page on loopback until `stop` is set, and print its address. Port 0 means any free port.

    Raises PreviewError if the port is taken, or SimCord can't show its page.
    """
    with _listen(port) as listener:
        try:
            async with World(bot, members) as world, _running(Site(world), listener):
                await world.open_table()
                address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
                print(f"Ambit’s preview is at {address} (Ctrl+C ends it). Its database goes with it.", flush=True)
                await _pass_time(world, stop)
        except simcord.SetupError as error:
            raise PreviewError(f"SimCord can't show the preview: {error}") from error


def _listen(port: int) -> socket.socket:
    try:
        return socket.create_server(("127.0.0.1", port))
    except OSError as error:
        raise PreviewError(f"Port {port} can't be used ({error.strerror}). Choose another one with --port.") from error


@asynccontextmanager
async def _running(site: Site, listener: socket.socket) -> AsyncIterator[None]:
    runner = web.AppRunner(site.app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.SockSite(runner, listener).start()
        yield
    finally:
        await runner.cleanup()


async def _pass_time(world: World, stop: asyncio.Event) -> None:
    """Let SimCord's clock, which we must move, follow the real one until `stop` is set."""
    before = time.monotonic()
    while not stop.is_set():
        try:
            await asyncio.wait_for(stop.wait(), TICK)
        except TimeoutError:
            now = time.monotonic()
            try:
                await world.tick(now - before)
            except TimeoutError as error:
                log.warning("the bot is still at work: %s", error)
            before = now


class Site:
    """The routes of the page.

    One place is open at a time, so only the tab that asked last has the page. Other tabs say so and close theirs.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._tab = ""
        self.app = web.Application(middlewares=[_own_visitors_only])
        self.app.on_response_prepare.append(_nothing_kept)
        for path in FILES:
            self.app.router.add_get(path, self._file)
        self.app.router.add_get("/ambit/state", self._state)
        self.app.router.add_post("/ambit/here", self._here)
        self.app.router.add_post("/ambit/open", self._open)
        self.app.router.add_route("*", "/{path:.*}", self._simcord)
        self.app.cleanup_ctx.append(self._client)

    async def _client(self, _: web.Application) -> AsyncIterator[None]:
        async with aiohttp.ClientSession(auto_decompress=False) as self._session:
            yield

    async def _file(self, request: web.Request) -> web.Response:
        name, kind = FILES[request.path]
        return web.Response(text=(PAGE / name).read_text("utf-8"), content_type=kind, headers=OURS)

    async def _state(self, request: web.Request) -> web.Response:
        await self._world.look()
        return web.json_response(state(self._world) | {"tab": self._tab}, headers=OURS)

    async def _here(self, request: web.Request) -> web.Response:
        """Give the page to a tab. The previous one finds that out when it asks for the state."""
        self._tab = str((await request.json())["tab"])
        return await self._state(request)

    async def _open(self, request: web.Request) -> web.Response:
        wanted = await request.json()
        try:
            if wanted.get("tab", "") != self._tab:
                raise web.HTTPConflict(text="The preview is open in another tab.")
            await self._world.open(int(wanted["member"]), int(wanted["place"]))
        except (AttributeError, LookupError, TypeError, ValueError):
            raise web.HTTPNotFound(text="There's no such place.") from None
        return await self._state(request)

    async def _simcord(self, request: web.Request) -> web.Response:
        """Forward a request to SimCord, actions one at a time."""
        if request.method == "POST":
            async with self._world.acting():
                return await self._forwarded(request)
        return await self._forwarded(request)

    async def _forwarded(self, request: web.Request) -> web.Response:
        closed = web.HTTPGone(text="This place was closed.")
        try:
            return await self._answered(request)
        except aiohttp.ClientError as error:
            if request.method != "GET":
                raise closed from error
        # The open place is being replaced by another one. Send a GET to that one, so that a loading page completes.
        async with self._world.busy:
            pass
        try:
            return await self._answered(request)
        except aiohttp.ClientError as error:
            raise closed from error

    async def _answered(self, request: web.Request) -> web.Response:
        """Return SimCord's answer. Raises ClientError if there is none."""
        path = URL(request.raw_path, encoded=True)
        if request.method == "GET" and PICTURE.fullmatch(path.path) and not path.query:
            answer = await self._asked(request, path.with_query(download="1"))
            if answer.content_type in BROWSERS_OWN:
                return answer
        is_page = path.path == FRAME
        answer = await self._asked(request, URL("/") if is_page else path)
        if is_page and isinstance(answer.body, bytes):
            answer.body = answer.body.replace(b"</head>", b'<link rel="stylesheet" href="/ambit/frame.css"></head>', 1)
        return answer

    async def _asked(self, request: web.Request, path: URL) -> web.Response:
        target = self._world.address.with_fragment(None).join(path)
        headers = {name: request.headers[name] for name in FORWARDED if name in request.headers}
        async with self._session.request(
            request.method, target, headers=headers, data=await request.read() or None
        ) as answer:
            return web.Response(status=answer.status, body=await answer.read(), headers=_embeddable(answer.headers))


def _embeddable(headers: Any) -> dict[str, str]:
    kept = {name: value for name, value in headers.items() if name.lower() not in DROPPED}
    policy = "Content-Security-Policy"
    if policy in kept:
        kept[policy] = kept[policy].replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    return kept


async def _nothing_kept(_: web.Request, answer: web.StreamResponse) -> None:
    """Let the browser cache no answer."""
    answer.headers.update(NO_STORE)


@web.middleware
async def _own_visitors_only(request: web.Request, handler: Any) -> web.StreamResponse:
    """Refuse requests to another host name (DNS rebinding), and from another site's page."""
    host = URL(f"http://{request.host}")
    origin = request.headers.get("Origin", f"http://{request.host}")
    if host.host not in ("127.0.0.1", "localhost") or origin != f"http://{request.host}":
        raise web.HTTPForbidden(text="This page is for this machine only.")
    response: web.StreamResponse = await handler(request)
    return response


def state(world: World) -> dict[str, Any]:
    """Return what the bar shows, for JSON. Ids are strings, because they are too large for JavaScript's numbers."""
    names = {member.id: member.user.global_name or member.name for member in world.members}
    member_id, place_id = world.shown
    return {
        "opened": world.opened,
        "frame": f"{FRAME}?{world.opened}#{world.address.raw_fragment}",
        "member": str(member_id),
        "place": str(place_id),
        "turns": [
            {"match": turn.match, "name": names[turn.member], "member": str(turn.member), "place": str(turn.place)}
            for turn in world.turns
        ],
        "thinking": world.thinking,
        "alone": "/play",
        "members": [
            {
                "id": str(member.id),
                "name": names[member.id],
                "places": [_place(world, member.id, place) for place in world.places(member.id)],
            }
            for member in world.members
        ],
    }


def _place(world: World, member_id: int, place: Any) -> dict[str, Any]:
    unread, meant = world.unread(member_id, place)
    return {"id": str(place.id), "kind": place.kind, "name": place.name, "unread": unread, "meant": meant}
