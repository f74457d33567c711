"""The endpoints: what each does to the world, and what it refuses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from . import limits, rules
from .errors import Fault, Refusal
from .gateway import DIRECT_MESSAGES, GUILD_MESSAGES, GUILDS, SCHEDULED_EVENTS
from .world import (
    CANCELED,
    COMPLETED,
    DM,
    EPHEMERAL,
    LOADING,
    SCHEDULED,
    THREAD,
    Attachment,
    Channel,
    Event,
    Guild,
    Interaction,
    Message,
)

if TYPE_CHECKING:
    from .server import Discord

Json = dict[str, Any]

ACKNOWLEDGE_WITHIN, TOKEN_LIVES = 3.0, 15 * 60.0
OLD, NONCE_KEPT = 3600.0, 300.0
ANSWERS: Final = {2: {4, 5}, 3: {4, 5, 6, 7, 9}, 4: {8}, 5: {4, 5, 6, 7}}
"""Which types of callback fit which type of interaction."""


@dataclass(frozen=True)
class Call:
    """One request, taken apart."""

    discord: Discord
    values: dict[str, str]
    body: Any
    files: rules.Files
    query: dict[str, str]

    @property
    def place_id(self) -> int | None:
        """The channel that the request is about, ``None`` if it is about none."""
        if "channel_id" in self.values:
            return int(self.values["channel_id"])
        token = self.values.get("interaction_token") or self.values.get("webhook_token") or ""
        asked = self.discord.world.by_token.get(token)
        return None if asked is None else asked.channel.id

    def channel(self) -> Channel:
        """The channel of the path, which the bot must be able to see."""
        channel = self.discord.world.channel(int(self.values["channel_id"]))
        if not self.discord.world.may(channel, "view_channel"):
            raise Refusal(50001)
        return channel

    def message(self) -> tuple[Channel, Message]:
        """The message of the path."""
        channel = self.channel()
        return channel, self.discord.world.message(channel, int(self.values["message_id"]))

    def interaction(self) -> Interaction:
        """The interaction whose token is in the path, as long as the token lives."""
        world = self.discord.world
        found = world.by_token.get(self.values["webhook_token"])
        if found is None or world.time.now() - found.born > TOKEN_LIVES:
            raise Refusal(50027)
        if found.acknowledged is None or self.values["webhook_id"] != str(world.bot.id):
            raise Refusal(10015)
        return found

    def attachments(self) -> list[Attachment]:
        """The files, with what the body says about them."""
        body = self.body.get("data") or {} if "type" in self.body and "data" in self.body else self.body
        said = {str(each["id"]): each for each in body.get("attachments") or ()}
        made = []
        for field, (name, data) in self.files.items():
            about = said.get(field[6:-1], {})
            made.append(self.discord.store(about.get("filename") or name, data, about.get("description")))
        return made


Answer = tuple[int, Any]
Handler = Callable[[Call], Awaitable[Answer]]
Bucket = Callable[[Call], Iterable[tuple[str, limits.Rate]]]


def _check(faults: Iterable[Fault]) -> None:
    found = list(faults)
    if found:
        raise Refusal(50035, faults=found)


# Who and what the bot is.


async def me(call: Call) -> Answer:
    """GET /users/@me"""
    return 200, call.discord.world.bot.json() | {"mfa_enabled": False, "locale": "en-US", "verified": True}


async def application(call: Call) -> Answer:
    """GET /oauth2/applications/@me"""
    bot = call.discord.world.bot
    return 200, {
        "id": str(bot.id),
        "name": "Ambit",
        "description": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "owner": call.discord.owner.json(),
        "approximate_guild_count": len(call.discord.world.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "redirect_uris": [],
        "eligible_oauth2_scopes": [],
        **dict.fromkeys(("icon", "type", "interactions_endpoint_url", "role_connections_verification_url", "team")),
    }


async def gateway_bot(call: Call) -> Answer:
    """GET /gateway/bot"""
    start = {"total": 1000, "remaining": call.discord.logins_left, "reset_after": 86_400_000, "max_concurrency": 1}
    return 200, {
        "url": call.discord.world.address.replace("http", "ws", 1),
        "shards": call.discord.shards,
        "session_start_limit": start,
    }


async def put_commands(call: Call) -> Answer:
    """PUT /applications/{application_id}/commands"""
    world = call.discord.world
    _check(rules.command_faults(call.body))
    world.commands = [
        {"type": 1, "default_member_permissions": None, "description": ""}
        | {key: value for key, value in command.items() if value is not None}
        | {
            "id": str(world.snowflakes.new()),
            "application_id": str(world.bot.id),
            "version": str(world.snowflakes.new()),
        }
        for command in call.body
    ]
    return 200, world.commands


async def get_commands(call: Call) -> Answer:
    """GET /applications/{application_id}/commands"""
    return 200, call.discord.world.commands


# Channels and messages.


async def get_channel(call: Call) -> Answer:
    """GET /channels/{channel_id}"""
    return 200, call.discord.world.channel_json(call.channel())


async def edit_channel(call: Call) -> Answer:
    """PATCH /channels/{channel_id}: threads are archived, opened and renamed."""
    channel = call.channel()
    if channel.kind != THREAD:
        raise Refusal(50013)
    channel.archived = bool(call.body.get("archived", channel.archived))
    channel.name = call.body.get("name") or channel.name
    await call.discord.channel_event("THREAD_UPDATE", channel)
    return 200, call.discord.world.channel_json(channel)


async def create_dm(call: Call) -> Answer:
    """POST /users/@me/channels"""
    world = call.discord.world
    user = world.users.get(int(call.body.get("recipient_id") or 0))
    if user is None:
        raise Refusal(10013)
    return 200, world.channel_json(world.dm(user))


async def create_message(call: Call) -> Answer:
    """POST /channels/{channel_id}/messages"""
    world, channel = call.discord.world, call.channel()
    if channel.kind == DM:
        assert channel.recipient is not None
        if not world.shares_a_server(channel.recipient):
            raise Refusal(50278)
        if not channel.recipient.dms_open:
            raise Refusal(50007)
    needed = "send_messages_in_threads" if channel.kind == THREAD else "send_messages"
    if not world.may(channel, needed) or (call.files and not world.may(channel, "attach_files")):
        raise Refusal(50013)
    if channel.archived:
        if channel.locked:
            raise Refusal(50083)
        channel.archived = False
        await call.discord.channel_event("THREAD_UPDATE", channel)
    _check(rules.message_faults(call.body, call.files))
    if call.body.get("enforce_nonce"):
        for message in reversed(channel.messages.values()):
            if world.time.now() - message.born >= NONCE_KEPT:
                break
            if str(message.nonce) == str(call.body["nonce"]):
                return 200, world.message_json(message)
    message = world.post(channel, call.body, call.attachments())
    await call.discord.message_event("MESSAGE_CREATE", channel, message)
    return 200, world.message_json(message)


async def get_message(call: Call) -> Answer:
    """GET /channels/{channel_id}/messages/{message_id}"""
    return 200, call.discord.world.message_json(call.message()[1])


async def edit_message(call: Call) -> Answer:
    """PATCH /channels/{channel_id}/messages/{message_id}"""
    world = call.discord.world
    channel, message = call.message()
    if message.author is not world.bot:
        raise Refusal(50005)
    if channel.archived:
        raise Refusal(50083)
    if world.time.now() - message.born > OLD:
        call.discord.limits.take(f"old {channel.id}", limits.OLD_EDITS, code=30046)
    _check(rules.message_faults(call.body, call.files, before=message))
    world.fill(message, call.body, call.attachments())
    await call.discord.message_event("MESSAGE_UPDATE", channel, message)
    return 200, world.message_json(message)


async def delete_message(call: Call) -> Answer:
    """DELETE /channels/{channel_id}/messages/{message_id}"""
    channel, message = call.message()
    if message.author is not call.discord.world.bot:
        raise Refusal(50013)
    if channel.archived:
        raise Refusal(50083)
    del channel.messages[message.id]
    return 204, None


async def create_thread(call: Call) -> Answer:
    """POST /channels/{channel_id}/messages/{message_id}/threads"""
    world = call.discord.world
    channel, message = call.message()
    if channel.kind in (THREAD, DM):
        raise Refusal(50024)
    if not world.may(channel, "create_public_threads"):
        raise Refusal(50013)
    if message.id in world.channels:
        raise Refusal(160004)
    thread = world.thread(channel, call.body["name"], message.id)
    await call.discord.channel_event("THREAD_CREATE", thread)
    return 201, world.channel_json(thread)


# Interactions.


async def callback(call: Call) -> Answer:
    """POST /interactions/{interaction_id}/{interaction_token}/callback"""
    world = call.discord.world
    asked = world.interactions.get(int(call.values["interaction_id"]))
    if asked is None or asked.token != call.values["interaction_token"]:
        raise Refusal(10062)
    if asked.acknowledged is not None:
        raise Refusal(40060)
    if world.time.now() - asked.born > ACKNOWLEDGE_WITHIN:
        raise Refusal(10062)
    kind, data = call.body["type"], call.body.get("data") or {}
    if kind not in ANSWERS[asked.kind] or (kind in (6, 7) and asked.message is None):
        raise Refusal(50035, faults=[Fault("type", f"{kind} does not answer an interaction of type {asked.kind}.")])
    _check(rules.callback_faults(call.body, call.files, asked.message))
    asked.acknowledged, asked.body, asked.waited = kind, call.body, world.time.now() - asked.born
    message: Message | None = None
    if kind in (4, 5):
        message = _answer(call, asked, data, loading=kind == 5)
        asked.original_id, asked.unfilled = message.id, kind == 5
    elif kind in (6, 7):
        message = asked.message
        assert message is not None
        asked.original_id = message.id
        if kind == 7:
            world.fill(message, data, call.attachments())
    if call.query.get("with_response") not in ("1", "true"):
        return 204, None
    about: Json = {"id": str(asked.id), "type": asked.kind}
    if message is None:
        return 200, {"interaction": about}
    about |= {"response_message_id": str(message.id), "response_message_ephemeral": message.visible_to is not None}
    answer: Json = {"interaction": about | {"response_message_loading": message.loading}}
    if kind in (4, 7):
        answer["resource"] = {"type": kind, "message": world.message_json(message)}
    return 200, answer


def _answer(call: Call, asked: Interaction, body: Json, *, loading: bool = False) -> Message:
    flags = (body.get("flags") or 0) | (LOADING if loading else 0)
    seen_by = asked.user.id if flags & EPHEMERAL else None
    more: Json = {"visible_to": seen_by, "interaction_id": asked.id, "webhook": True}
    message = call.discord.world.post(asked.channel, body, call.attachments(), **more)
    message.flags |= flags
    return message


async def followup(call: Call) -> Answer:
    """POST /webhooks/{webhook_id}/{webhook_token}: the first one fills a deferred answer."""
    world, asked = call.discord.world, call.interaction()
    _check(rules.message_faults(call.body, call.files, ephemeral=True))
    if asked.channel.id not in world.channels:
        raise Refusal(10003)
    if asked.unfilled and asked.original_id is not None:
        message = asked.channel.messages[asked.original_id]
        asked.unfilled = False
        world.fill(message, call.body, call.attachments())
    else:
        message = _answer(call, asked, call.body)
        asked.followups.append(message.id)
    return (200, world.message_json(message)) if call.query.get("wait") else (204, None)


def _own(call: Call) -> tuple[Interaction, Message]:
    asked = call.interaction()
    wanted = call.values.get("message_id")
    id = asked.original_id if wanted is None else int(wanted)
    message = asked.channel.messages.get(id or 0)
    if message is None or id not in (asked.original_id, *asked.followups):
        raise Refusal(10008)
    return asked, message


async def edit_own(call: Call) -> Answer:
    """PATCH …/messages/@original and …/messages/{message_id}"""
    asked, message = _own(call)
    _check(rules.message_faults(call.body, call.files, before=message))
    if message.id == asked.original_id:
        asked.unfilled = False
    call.discord.world.fill(message, call.body, call.attachments())
    return 200, call.discord.world.message_json(message)


# Servers.


def _guild(call: Call) -> Guild:
    """The server of the path. The bot must be on it."""
    guild = call.discord.world.guilds.get(int(call.values["guild_id"]))
    if guild is None or call.discord.world.bot.id not in guild.members:
        raise Refusal(10004)
    return guild


async def get_guild(call: Call) -> Answer:
    """GET /guilds/{guild_id}"""
    return 200, call.discord.world.server_json(_guild(call))


async def get_channels(call: Call) -> Answer:
    """GET /guilds/{guild_id}/channels"""
    return 200, call.discord.world.guild_json(_guild(call))["channels"]


async def get_threads(call: Call) -> Answer:
    """GET /guilds/{guild_id}/threads/active"""
    threads = call.discord.world.guild_json(_guild(call))["threads"]
    return 200, {"threads": threads, "members": [], "has_more": False}


async def get_member(call: Call) -> Answer:
    """GET /guilds/{guild_id}/members/{user_id}"""
    guild = _guild(call)
    member = guild.members.get(int(call.values["user_id"]))
    if member is None:
        raise Refusal(10007)
    return 200, call.discord.world.member_json(guild, member) | {"banner": None}


# Scheduled events.


def _may_make_events(call: Call) -> Guild:
    guild = _guild(call)
    if "create_events" in guild.denied:
        raise Refusal(50013)
    return guild


def _event(call: Call, guild: Guild) -> Event:
    event = guild.events.get(int(call.values["guild_scheduled_event_id"]))
    if event is None:
        raise Refusal(10070)
    return event


async def get_events(call: Call) -> Answer:
    """GET /guilds/{guild_id}/scheduled-events"""
    return 200, [event.json() for event in _guild(call).events.values()]


async def get_event(call: Call) -> Answer:
    """GET /guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}"""
    return 200, _event(call, _guild(call)).json()


async def create_event(call: Call) -> Answer:
    """POST /guilds/{guild_id}/scheduled-events"""
    world, guild = call.discord.world, _may_make_events(call)
    _check(rules.event_faults(call.body, world.time.iso()))
    if len(guild.events) >= rules.MAX_EVENTS:
        raise Refusal(30038)
    event = Event(
        world.snowflakes.new(),
        guild.id,
        world.bot,
        call.body["name"],
        call.body["scheduled_start_time"],
        call.body["scheduled_end_time"],
        call.body["entity_metadata"]["location"],
        call.body.get("description"),
    )
    guild.events[event.id] = event
    await call.discord.scheduled_event("GUILD_SCHEDULED_EVENT_CREATE", event)
    return 200, event.json()


async def edit_event(call: Call) -> Answer:
    """PATCH /guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}"""
    guild = _may_make_events(call)
    event, body = _event(call, guild), call.body
    status = body.get("status") or event.status
    if status != event.status and (event.status, status) not in rules.EVENT_STEPS:
        raise Refusal(50035, faults=[Fault("status", f"{event.status} can't become {status}.")])
    if "scheduled_start_time" in body and event.status != SCHEDULED:
        raise Refusal(50035, faults=[Fault("scheduled_start_time", "The event has started.")])
    event.start = body.get("scheduled_start_time") or event.start
    event.end = body.get("scheduled_end_time") or event.end
    event.location = (body.get("entity_metadata") or {}).get("location") or event.location
    event.status = status
    if status in (COMPLETED, CANCELED):
        del guild.events[event.id]
    await call.discord.scheduled_event("GUILD_SCHEDULED_EVENT_UPDATE", event)
    return 200, event.json()


async def delete_event(call: Call) -> Answer:
    """DELETE /guilds/{guild_id}/scheduled-events/{guild_scheduled_event_id}"""
    guild = _may_make_events(call)
    event = _event(call, guild)
    del guild.events[event.id]
    await call.discord.scheduled_event("GUILD_SCHEDULED_EVENT_DELETE", event)
    return 204, None


async def leave_guild(call: Call) -> Answer:
    """DELETE /users/@me/guilds/{guild_id}"""
    guild = call.discord.world.guilds.get(int(call.values["guild_id"]))
    if guild is None or call.discord.world.bot.id not in guild.members:
        raise Refusal(10004)
    await call.discord.throw_out(guild.id)
    return 204, None


# Rate limits.


def _by_channel(kind: str) -> Bucket:
    return lambda call: [(f"{kind} {call.values['channel_id']}", limits.MESSAGES)]


def _none(_: Call) -> list[tuple[str, limits.Rate]]:
    return []


def _followups(call: Call) -> list[tuple[str, limits.Rate]]:
    asked = call.discord.world.by_token.get(call.values["webhook_token"])
    if asked is None:
        return []
    in_channel = (f"followups {asked.channel.id}", limits.CHANNEL_FOLLOWUPS)
    return [in_channel, (f"followups {asked.id}", limits.FOLLOWUPS)]


def _other(kind: str) -> Bucket:
    return lambda call: [(kind, limits.OTHER)]


class Route(NamedTuple):
    """One endpoint; `counted`: it needs the token and counts against the bot's 50 requests a second."""

    method: str
    path: str
    handler: Handler
    bucket: Bucket
    counted: bool = True


_MESSAGE: Final = "/channels/{channel_id}/messages/{message_id}"
_WEBHOOK: Final = "/webhooks/{webhook_id}/{webhook_token}"
_EVENTS: Final = "/guilds/{guild_id}/scheduled-events"
_EVENT: Final = _EVENTS + "/{guild_scheduled_event_id}"
_COMMANDS: Final = "/applications/{application_id}/commands"

ROUTES: Final = (
    Route("GET", "/users/@me", me, _other("me")),
    Route("GET", "/oauth2/applications/@me", application, _other("application")),
    Route("GET", "/gateway/bot", gateway_bot, _other("gateway")),
    Route("PUT", _COMMANDS, put_commands, _other("commands")),
    Route("GET", _COMMANDS, get_commands, _other("commands")),
    Route("POST", "/users/@me/channels", create_dm, _other("dm")),
    Route("DELETE", "/users/@me/guilds/{guild_id}", leave_guild, _other("leave")),
    Route("GET", "/guilds/{guild_id}", get_guild, _other("guild")),
    Route("GET", "/guilds/{guild_id}/channels", get_channels, _other("channels")),
    Route("GET", "/guilds/{guild_id}/threads/active", get_threads, _other("active threads")),
    Route("GET", "/guilds/{guild_id}/members/{user_id}", get_member, _other("member")),
    Route("GET", _EVENTS, get_events, _other("events")),
    Route("POST", _EVENTS, create_event, _other("events")),
    Route("GET", _EVENT, get_event, _other("event")),
    Route("PATCH", _EVENT, edit_event, _other("event")),
    Route("DELETE", _EVENT, delete_event, _other("event")),
    Route("GET", "/channels/{channel_id}", get_channel, _other("channel")),
    Route("PATCH", "/channels/{channel_id}", edit_channel, _other("channel")),
    Route("POST", "/channels/{channel_id}/messages", create_message, _by_channel("send")),
    Route("GET", _MESSAGE, get_message, _other("message")),
    Route("PATCH", _MESSAGE, edit_message, _by_channel("edit")),
    Route("DELETE", _MESSAGE, delete_message, _by_channel("delete")),
    Route("POST", _MESSAGE + "/threads", create_thread, _other("threads")),
    Route("POST", "/interactions/{interaction_id}/{interaction_token}/callback", callback, _none, counted=False),
    Route("POST", _WEBHOOK, followup, _followups, counted=False),
    Route("PATCH", _WEBHOOK + "/messages/@original", edit_own, _followups, counted=False),
    Route("PATCH", _WEBHOOK + "/messages/{message_id}", edit_own, _followups, counted=False),
)

EVENTS: Final = {
    "scheduled event": SCHEDULED_EVENTS,
    "channel": GUILDS,
    "guild message": GUILD_MESSAGES,
    "direct message": DIRECT_MESSAGES,
}
