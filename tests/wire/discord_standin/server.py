"""The stand-in as a whole: one server on a free port, and what every request goes through."""

import asyncio
import base64
import contextlib
import json
import secrets
from collections.abc import Callable
from typing import Any, Final, Self, TypeVar

from aiohttp import web

from .errors import Fault, Refusal
from .faults import Failed, Faults, Moment, Request
from .gateway import Gateway
from .limits import Limits, Reading, TooFast
from .people import Person
from .routes import EVENTS, ROUTES, Call, Route
from .rules import MAX_REQUEST
from .spec import Spec
from .world import CANCELED, COMPLETED, DM, Attachment, Channel, Event, Interaction, Message, World

API: Final = "/api/v10"
LOOK_AGAIN, LOOK_AGAIN_IN_PLACE = 0.05, 0.5
T = TypeVar("T")


class Discord:
    """Discord on 127.0.0.1, as an asynchronous context.

    `violations` lists every body, of the bot's or of ours, that breaks Discord's description of its API or its written
    rules. A test that ends with one has failed. `requests` are all requests in order.
    """

    def __init__(self, *, spec: Spec | None = None, paced: bool = False, shards: int = 1) -> None:
        self.world = World()
        self.owner = self.world.user("Owner")
        self.token = f"{base64.urlsafe_b64encode(str(self.world.bot.id).encode()).decode().rstrip('=')}.AAAAAA.wire"
        self.spec, self.shards = spec, shards
        self.logins_left = 1000
        self.limits = Limits(self.world.time, paced)
        self.faults = Faults()
        self._news = asyncio.Event()
        self._news_of: dict[int, asyncio.Event] = {}
        self.gateway = Gateway(self.world, self.token, self.changed)
        self.requests: list[Request] = []
        self.violations: list[str] = []
        self.port = 0
        self.impatient = False
        """Whether people give an interaction up as soon as no bot is connected, instead of waiting 3 seconds."""
        self._app = web.Application(client_max_size=MAX_REQUEST + 1024 * 1024)
        for route in ROUTES:
            self._app.router.add_route(route.method, API + route.path, self._handler(route))
        self._app.router.add_get("/cdn/{name}", self._file)
        self._app.router.add_get("/", self.gateway.serve)
        self._runner = web.AppRunner(self._app, access_log=None, shutdown_timeout=0.1)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]
        self.world.address = f"http://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self.faults.clear()
        await self.gateway.drop()
        await self._runner.cleanup()

    def person(self, name: str, id: int | None = None) -> Person:
        """A new person."""
        return Person(self, self.world.user(name, id))

    # News.

    def changed(self, place: int | None = None) -> None:
        """Note that something happened that somebody may be waiting for, in one channel or (``None``) anywhere."""
        news, self._news = self._news, asyncio.Event()
        news.set()
        for each in (place,) if place is not None else tuple(self._news_of):
            if (event := self._news_of.pop(each, None)) is not None:
                event.set()

    async def until(self, find: Callable[..., T], seconds: float = 20.0, *, place: Channel | None = None) -> T:
        """Wait until `find` returns something true, and return that. Raises TimeoutError.

        Checked with every event (of that place, if one is given, so that many tables don't wake each other), and now
        and then without any: nobody announces a change in a file.
        """
        loop = asyncio.get_running_loop()
        deadline, pause = loop.time() + seconds, LOOK_AGAIN if place is None else LOOK_AGAIN_IN_PLACE
        while not (found := find()):
            if loop.time() >= deadline:
                raise TimeoutError(f"It did not come to that within {seconds} seconds.")
            news = self._news if place is None else self._news_of.setdefault(place.id, asyncio.Event())
            # One timeout: Python 3.11's wait_for inside a timeout loses the timeout if an event comes at that moment.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(min(deadline, loop.time() + pause)):
                    await news.wait()
        return found

    async def connected(self, count: int = 1, seconds: float = 20.0) -> None:
        """Wait until this many sessions are connected."""
        await self.until(lambda: self.gateway.connected() >= count, seconds)

    async def channel_event(self, event: str, channel: Channel) -> None:
        """A channel or thread was created, changed or deleted."""
        data = self.world.channel_json(channel)
        await self.gateway.dispatch(event, data, channel.guild_id, intent=EVENTS["channel"])

    async def throw_out(self, guild_id: int) -> None:
        """Remove the bot from this server."""
        del self.world.guilds[guild_id].members[self.world.bot.id]
        await self.gateway.dispatch("GUILD_DELETE", {"id": str(guild_id)}, guild_id, intent=EVENTS["channel"])

    async def invite(self, guild_id: int) -> None:
        """Invite the bot to this server (again)."""
        guild = self.world.guilds[guild_id]
        guild.members[self.world.bot.id] = self.world.bot
        data = self.world.guild_json(guild)
        # Discord says whether a server is available only if the bot was on it before.
        del data["unavailable"]
        await self.gateway.dispatch("GUILD_CREATE", data, guild_id, intent=EVENTS["channel"])

    async def fail(self, guild_id: int) -> None:
        """An outage: this server can't be reached."""
        self.gateway.unavailable.add(guild_id)
        data = {"id": str(guild_id), "unavailable": True}
        await self.gateway.dispatch("GUILD_DELETE", data, guild_id, intent=EVENTS["channel"])

    async def recover(self, guild_id: int) -> None:
        """The outage is over."""
        self.gateway.unavailable.discard(guild_id)
        guild = self.world.guild_json(self.world.guilds[guild_id])
        await self.gateway.dispatch("GUILD_CREATE", guild, guild_id, intent=EVENTS["channel"])

    async def hide(self, channel: Channel, person: Person, *, hidden: bool = True) -> None:
        """A moderator hides a channel from this person, or shows it to them again."""
        (channel.hidden_from.add if hidden else channel.hidden_from.discard)(person.id)
        await self.channel_event("CHANNEL_UPDATE", channel)

    async def scheduled_event(self, event: str, about: Event) -> None:
        """A scheduled event was created, changed or deleted."""
        await self.gateway.dispatch(event, about.json(), about.guild_id, intent=EVENTS["scheduled event"])
        self.changed()

    async def change_event(self, event: Event, **changes: Any) -> None:
        """A moderator changes a scheduled event: its `start`, or its `status`."""
        vars(event).update(changes)
        if event.status in (COMPLETED, CANCELED):
            del self.world.guilds[event.guild_id].events[event.id]
        await self.scheduled_event("GUILD_SCHEDULED_EVENT_UPDATE", event)

    async def delete_event(self, event: Event) -> None:
        """A moderator deletes a scheduled event."""
        del self.world.guilds[event.guild_id].events[event.id]
        await self.scheduled_event("GUILD_SCHEDULED_EVENT_DELETE", event)

    async def message_event(self, event: str, channel: Channel, message: Message) -> None:
        """A message was sent or changed: only sessions that asked for messages hear of it."""
        kind = "direct message" if channel.kind == DM else "guild message"
        data = self.world.message_json(message) | ({} if channel.kind == DM else {"guild_id": str(channel.guild_id)})
        await self.gateway.dispatch(event, data, channel.guild_id, intent=EVENTS[kind])

    # What people cause.

    def interact(
        self, person: Person, channel: Channel, kind: int, data: dict[str, Any], message: Message | None = None
    ) -> Interaction:
        """Record an interaction; `deliver` sends it to the bot."""
        made = Interaction(
            self.world.snowflakes.new(),
            secrets.token_urlsafe(48),
            kind,
            person.user,
            channel,
            self.world.time.now(),
            data,
            message,
        )
        self.world.interactions[made.id] = self.world.by_token[made.token] = made
        return made

    async def deliver(self, interaction: Interaction) -> None:
        """Send INTERACTION_CREATE, to the shard of the server or, from a DM, to shard 0."""
        world, channel = self.world, interaction.channel
        payload: dict[str, Any] = {
            "id": str(interaction.id),
            "application_id": str(world.bot.id),
            "type": interaction.kind,
            "token": interaction.token,
            "version": 1,
            "channel_id": str(channel.id),
            "channel": world.channel_json(channel) | {"permissions": "0"},
            "data": interaction.data,
            "locale": "en-US",
            "app_permissions": str(world.bot_permissions(channel)),
            "entitlements": [],
            "attachment_size_limit": 10 * 1024 * 1024,
            "context": 1 if channel.kind == DM else 0,
        }
        if channel.guild_id is None:
            owners = {"0": "0"}
            payload["user"] = interaction.user.json()
        else:
            guild = world.guilds[channel.guild_id]
            owners = {"0": str(guild.id)}
            payload |= {
                "member": world.member_json(guild, interaction.user, channel),
                "guild_id": str(guild.id),
                "guild": {"id": str(guild.id), "locale": "en-US", "features": []},
                "guild_locale": "en-US",
            }
        payload["authorizing_integration_owners"] = owners
        if interaction.message is not None:
            payload["message"] = world.message_json(interaction.message)
            if interaction.forged is not None:
                payload["message"]["components"] = interaction.forged
        await self.gateway.dispatch("INTERACTION_CREATE", payload, channel.guild_id)

    # Requests.

    def store(self, name: str, data: bytes, description: str | None) -> Attachment:
        """Store a file where it can be fetched."""
        id = self.world.snowflakes.new()
        self.world.cdn[f"{id}-{name}"] = data
        return Attachment(id, name, data, f"{self.world.address}/cdn/{id}-{name}", description)

    async def _file(self, request: web.Request) -> web.Response:
        data = self.world.cdn.get(request.match_info["name"])
        return web.Response(status=404) if data is None else web.Response(body=data, content_type="image/png")

    def _handler(self, route: Route) -> Callable[[web.Request], Any]:
        async def handle(request: web.Request) -> web.StreamResponse:
            body, files = await _read(request)
            values = dict(request.match_info)
            seen = Request(len(self.requests), route.method, route.path, values, body, route.counted)
            self.requests.append(seen)
            call = Call(self, values, body, files, dict(request.query))
            headers: dict[str, str] = {}
            try:
                await self.faults.strike(seen, Moment.BEFORE)
                status, answer = await self._answer(route, call, request, headers)
                self.changed(call.place_id)
                await self.faults.strike(seen, Moment.AFTER)
            except Failed as failed:
                self.changed(call.place_id)
                if failed.status is None:
                    request.transport.abort()
                    return web.Response()
                if isinstance(failed.body, str):
                    return web.Response(status=failed.status, text=failed.body, content_type="text/html")
                more = {"Via": "1.1 stand-in", "X-RateLimit-Scope": "user"} if failed.status == 429 else {}
                return _json(failed.status, failed.body, headers | more)
            self._judge(route, str(status), answer)
            return _json(status, answer, headers)

        return handle

    async def _answer(self, route: Route, call: Call, request: web.Request, headers: dict[str, str]) -> tuple[int, Any]:
        try:
            if route.counted:
                if request.headers.get("Authorization") != f"Bot {self.token}":
                    raise Refusal(0)
                self.limits.take_of_all()
            for bucket, rate in route.bucket(call):
                reading: Reading = self.limits.take(bucket, rate)
                headers.update(reading.headers())
            self._judge(route, "request", call.body)
            return await route.handler(call)
        except TooFast as error:
            headers |= {"Via": "1.1 stand-in", "X-RateLimit-Scope": error.scope, "Retry-After": str(error.retry_after)}
            body = {"message": "You are being rate limited.", "retry_after": error.retry_after, "code": error.code}
            return 429, body | {"global": error.scope == "global"}
        except Refusal as error:
            if error.code == 50035:
                self.violations += [f"{route.method} {route.path}: {where}: {what}" for where, what in error.faults]
            return error.status, error.body()

    def _judge(self, route: Route, what: str, body: Any) -> None:
        """Check a body against the file. Raises Refusal 50035 for one of the bot's."""
        if self.spec is None or body is None:
            return
        faults: list[Fault] = self.spec.faults(route.method, route.path, what, body)
        if what == "request" and faults:
            raise Refusal(50035, faults=faults)
        self.violations += [f"our answer {what} to {route.method} {route.path}: {fault}" for fault in faults]


async def _read(request: web.Request) -> tuple[Any, dict[str, tuple[str, bytes]]]:
    """The JSON of a request, plain or as `payload_json` beside files."""
    if not request.content_type.startswith("multipart/"):
        text = await request.text()
        return (json.loads(text) if text else None), {}
    body: Any = {}
    files: dict[str, tuple[str, bytes]] = {}
    for name, value in (await request.post()).items():
        if isinstance(value, web.FileField):
            files[name] = (value.filename, value.file.read())
        elif name == "payload_json":
            body = json.loads(str(value))
    return body, files


def _json(status: int, body: Any, headers: dict[str, str]) -> web.Response:
    """An answer; clients compare the whole of `Content-Type`, so it names no character set."""
    if status == 204:
        return web.Response(status=204, headers=headers)
    data = json.dumps(body).encode()
    return web.Response(status=status, body=data, headers=headers | {"Content-Type": "application/json"})
