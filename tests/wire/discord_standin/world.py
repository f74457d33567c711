"""What Discord stores: servers, people, channels, messages, interactions; and their JSON."""

import re
from dataclasses import dataclass, field
from typing import Any, Final

import discord

from .errors import Refusal
from .timing import Snowflakes, Timepiece

TEXT, DM, THREAD = 0, 1, 11
SCHEDULED, ACTIVE, COMPLETED, CANCELED = 1, 2, 3, 4
EXTERNAL: Final = 3
EPHEMERAL, LOADING, SUPPRESS_NOTIFICATIONS = 1 << 6, 1 << 7, 1 << 12

Json = dict[str, Any]
_MENTION: Final = re.compile(r"<@!?([0-9]{1,20})>")

ORDINARY: Final = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True, use_application_commands=True
)
"""Everybody's permissions, unless denied."""

MODERATING: Final = discord.Permissions(manage_messages=True)
MODERATORS, BOTS = 1, 2
"""Roles, by the number that is added to the server's snowflake."""


@dataclass
class User:
    """A person or the bot; `dms_open` says whether the bot may write to this person."""

    id: int
    username: str
    global_name: str | None = None
    bot: bool = False
    dms_open: bool = True

    def json(self) -> Json:
        """The JSON of the API."""
        return {
            "id": str(self.id),
            "username": self.username,
            "global_name": self.global_name,
            "discriminator": "0",
            "avatar": None,
            "bot": self.bot,
            "public_flags": 0,
            "flags": 0,
            "primary_guild": None,
        }


@dataclass
class Attachment:
    """A file of a message."""

    id: int
    filename: str
    data: bytes
    url: str
    description: str | None = None

    def json(self) -> Json:
        """The JSON of the API."""
        made: Json = {
            "id": str(self.id),
            "filename": self.filename,
            "size": len(self.data),
            "url": self.url,
            "proxy_url": self.url,
            "content_type": "image/png" if self.filename.endswith(".png") else "application/octet-stream",
        }
        return made if self.description is None else made | {"description": self.description}


@dataclass
class Message:
    """A message. `visible_to` is the one person who sees an ephemeral one, `pings` the people it pinged."""

    id: int
    channel_id: int
    author: User
    timestamp: str
    born: float
    content: str = ""
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    nonce: str | int | None = None
    visible_to: int | None = None
    pings: tuple[int, ...] = ()
    interaction_id: int | None = None
    edited: str | None = None
    webhook: bool = False

    @property
    def loading(self) -> bool:
        """Whether it is the empty answer of a deferred interaction."""
        return bool(self.flags & LOADING)

    def parts(self) -> list[Json]:
        """All buttons and menus, from top to bottom."""
        return [part for row in self.components for part in row.get("components", ()) if "custom_id" in part]


@dataclass(repr=False)
class Channel:
    """A text channel, a thread or a DM. `denied` are names of `discord.Permissions` that the bot lacks here.

    `hidden_from` are members who cannot see a text channel, `moderators` those who may manage messages in it alone.
    """

    id: int
    kind: int
    name: str = ""
    guild_id: int | None = None
    parent_id: int | None = None
    recipient: User | None = None
    denied: set[str] = field(default_factory=set)
    hidden_from: set[int] = field(default_factory=set)
    moderators: set[int] = field(default_factory=set)
    archived: bool = False
    locked: bool = False
    messages: dict[int, Message] = field(default_factory=dict)


@dataclass(repr=False)
class Event:
    """A scheduled event of a server that takes place somewhere else than in a voice channel."""

    id: int
    guild_id: int
    creator: User
    name: str
    start: str
    end: str
    location: str
    description: str | None = None
    status: int = SCHEDULED

    def json(self) -> Json:
        """The JSON of the API."""
        return {
            "id": str(self.id),
            "guild_id": str(self.guild_id),
            "channel_id": None,
            "creator_id": str(self.creator.id),
            "creator": self.creator.json(),
            "name": self.name,
            "description": self.description,
            "image": None,
            "scheduled_start_time": self.start,
            "scheduled_end_time": self.end,
            "privacy_level": 2,
            "status": self.status,
            "entity_type": EXTERNAL,
            "entity_id": None,
            "entity_metadata": {"location": self.location},
            "recurrence_rule": None,
            "guild_scheduled_event_exceptions": [],
        }


@dataclass(repr=False)
class Guild:
    """A server; `moderators` are members who may manage messages.

    `denied` are names of `discord.Permissions` that the bot lacks on the whole server. `silenced`: members who are
    timed out, and until when, as Discord writes it.
    """

    id: int
    name: str
    owner_id: int
    members: dict[int, User] = field(default_factory=dict)
    moderators: set[int] = field(default_factory=set)
    channels: dict[int, Channel] = field(default_factory=dict)
    events: dict[int, Event] = field(default_factory=dict)
    denied: set[str] = field(default_factory=set)
    silenced: dict[int, str] = field(default_factory=dict)


@dataclass(repr=False)
class Interaction:
    """Something that a person did. `acknowledged` is the type of the callback, once there was one.

    `waited`: how many seconds the person had waited then. `forged`: the components that a hostile client pretends to
    have seen under the message.
    """

    id: int
    token: str
    kind: int
    user: User
    channel: Channel
    born: float
    data: Json
    message: Message | None = None
    acknowledged: int | None = None
    waited: float = 0.0
    body: Json | None = None
    original_id: int | None = None
    unfilled: bool = False
    forged: list[Json] | None = None
    followups: list[int] = field(default_factory=list)


_NOT_SET: Final = (
    *("icon", "description", "home_header", "splash", "discovery_splash", "banner", "application_id", "max_presences"),
    *("afk_channel_id", "system_channel_id", "widget_channel_id", "rules_channel_id", "safety_alerts_channel_id"),
    *("public_updates_channel_id", "vanity_url_code", "incidents_data"),
)
"""Fields of a server that aren't set on this one."""

_EMPTY: Final = ("emojis", "stickers", "features", "presences", "voice_states", "stage_instances")
_ZERO: Final = (
    *("default_message_notifications", "explicit_content_filter", "mfa_level", "nsfw_level", "premium_tier"),
    *("premium_subscription_count", "system_channel_flags", "verification_level"),
)


class World:
    """Everything that exists, and a permanent record of what was shown to whom."""

    def __init__(self) -> None:
        self.time = Timepiece()
        self.snowflakes = Snowflakes(self.time)
        self.bot = User(self.snowflakes.new(), "ambit", "Ambit", bot=True)
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.interactions: dict[int, Interaction] = {}
        self.by_token: dict[str, Interaction] = {}
        self._dms: dict[int, Channel] = {}
        self.commands: list[Json] = []
        self.cdn: dict[str, bytes] = {}
        self.address = ""
        self.shown: list[tuple[Channel, Message, str, Json]] = []
        """Everything that was ever visible: the place, the message, `create` or `edit`, and its JSON at that moment."""

    # Creating things.

    def user(self, name: str, id: int | None = None) -> User:
        """A new person, in no server yet."""
        user = User(id or self.snowflakes.new(), name.lower().replace(" ", "_"), name)
        self.users[user.id] = user
        return user

    def guild(self, name: str, *members: User, id: int | None = None) -> Guild:
        """A new server, to which the bot and these people belong."""
        guild = Guild(id or self.snowflakes.new(), name, members[0].id if members else self.bot.id)
        guild.members = {member.id: member for member in (*members, self.bot)}
        self.guilds[guild.id] = guild
        return guild

    def text_channel(self, guild: Guild, name: str, id: int | None = None) -> Channel:
        """A new text channel."""
        return self._add(Channel(id or self.snowflakes.new(), TEXT, name, guild.id))

    def thread(self, parent: Channel, name: str, id: int) -> Channel:
        """A new public thread; one that begins at a message has that message's id."""
        return self._add(Channel(id, THREAD, name, parent.guild_id, parent.id, denied=parent.denied))

    def dm(self, user: User) -> Channel:
        """The DM of the bot and this person, created if there is none."""
        if user.id not in self._dms:
            self._dms[user.id] = self._add(Channel(self.snowflakes.new(), DM, recipient=user))
        return self._dms[user.id]

    def _add(self, channel: Channel) -> Channel:
        self.channels[channel.id] = channel
        if channel.guild_id is not None:
            self.guilds[channel.guild_id].channels[channel.id] = channel
        return channel

    def delete_channel(self, channel: Channel) -> None:
        """Delete it like a moderator; its threads go with it."""
        for each in [each for each in self.channels.values() if each is channel or each.parent_id == channel.id]:
            del self.channels[each.id]
            if each.guild_id is not None:
                self.guilds[each.guild_id].channels.pop(each.id)

    # Looking things up.

    def channel(self, id: int) -> Channel:
        """Raises Refusal 10003."""
        try:
            return self.channels[id]
        except KeyError:
            raise Refusal(10003) from None

    def message(self, channel: Channel, id: int) -> Message:
        """Raises Refusal 10008; for the API an ephemeral message doesn't exist."""
        message = channel.messages.get(id)
        if message is None or message.visible_to is not None:
            raise Refusal(10008)
        return message

    def parent(self, place: Channel) -> Channel:
        """The channel of a thread, or else the place itself."""
        return self.channels.get(place.parent_id, place) if place.parent_id else place

    def shares_a_server(self, user: User) -> bool:
        """Whether the bot and this person have a server in common."""
        return any(user.id in guild.members for guild in self.guilds.values())

    def may(self, channel: Channel, permission: str) -> bool:
        """Whether the bot has a permission here."""
        if channel.guild_id is None:
            return True
        return permission not in channel.denied and self.bot.id in self.guilds[channel.guild_id].members

    # Messages.

    def post(self, channel: Channel, body: Json, files: list[Attachment], **more: Any) -> Message:
        """Put a new message there and ping whom it mentions."""
        message = Message(
            self.snowflakes.new(),
            channel.id,
            self.bot,
            self.time.iso(),
            self.time.now(),
            nonce=body.get("nonce"),
            **more,
        )
        channel.messages[message.id] = message
        self.fill(message, body, files, kind="create")
        return message

    def fill(self, message: Message, body: Json, files: list[Attachment], *, kind: str = "edit") -> None:
        """Write a body into a message; fields that the body doesn't name stay."""
        message.content = body.get("content") or "" if "content" in body else message.content
        if "components" in body:
            message.components = _numbered(body.get("components") or [])
        if "attachments" in body or files:
            kept = {str(each.get("id")) for each in body.get("attachments") or ()}
            message.attachments = [each for each in message.attachments if str(each.id) in kept] + files
        message.flags |= body.get("flags") or 0
        if kind == "create" or message.loading:
            message.pings = self._rung_for(message, body.get("allowed_mentions"))
        else:
            message.edited = self.time.iso()
        message.flags &= ~LOADING
        self.note(message, kind)

    def note(self, message: Message, kind: str) -> None:
        """Add what is visible now to the permanent record."""
        channel = self.channels.get(message.channel_id)
        if channel is not None:
            self.shown.append((channel, message, kind, self.message_json(message)))

    def _rung_for(self, message: Message, allowed: Json | None) -> tuple[int, ...]:
        named = dict.fromkeys(int(user) for user in _MENTION.findall(message.content))
        if message.flags & SUPPRESS_NOTIFICATIONS:
            return ()
        if allowed is None or "users" in (allowed.get("parse") or ()):
            return tuple(named)
        listed = {int(user) for user in allowed.get("users") or ()}
        return tuple(user for user in named if user in listed)

    # JSON.

    def message_json(self, message: Message) -> Json:
        """A message as the API shows it."""
        made: Json = {
            "id": str(message.id),
            "type": 0,
            "channel_id": str(message.channel_id),
            "author": message.author.json(),
            "content": message.content,
            "mentions": [self.users[user].json() for user in message.pings if user in self.users],
            "mention_roles": [],
            "mention_everyone": False,
            "attachments": [each.json() for each in message.attachments],
            "embeds": [],
            "components": message.components,
            "timestamp": message.timestamp,
            "edited_timestamp": message.edited,
            "flags": message.flags,
            "pinned": False,
            "tts": False,
        }
        if message.nonce is not None:
            made["nonce"] = message.nonce
        if message.webhook:
            made |= {"webhook_id": str(self.bot.id), "application_id": str(self.bot.id)}
        return made

    def channel_json(self, channel: Channel) -> Json:
        """A channel, thread or DM as the API shows it."""
        made: Json = {"id": str(channel.id), "type": channel.kind, "flags": 0}
        if channel.kind == DM:
            return made | {"recipients": [channel.recipient.json()], "last_message_id": None}
        made |= {"guild_id": str(channel.guild_id), "name": channel.name, "last_message_id": None}
        if channel.kind == THREAD:
            return made | {
                "parent_id": str(channel.parent_id),
                "owner_id": str(self.bot.id),
                "message_count": len(channel.messages),
                "member_count": 1,
                "total_message_sent": len(channel.messages),
                "rate_limit_per_user": 0,
                "thread_metadata": {
                    "archived": channel.archived,
                    "archive_timestamp": self.time.iso(),
                    "auto_archive_duration": 10080,
                    "locked": channel.locked,
                },
            }
        overwrites = [
            _overwrite(user, allow=user in channel.moderators, deny=user in channel.hidden_from)
            for user in sorted(channel.moderators | channel.hidden_from)
        ]
        made |= {"permission_overwrites": overwrites}
        return made | {"position": 0, "parent_id": None, "nsfw": False, "topic": None}

    def guild_json(self, guild: Guild) -> Json:
        """A server as GUILD_CREATE shows it."""
        moderating = discord.Permissions(ORDINARY.value | MODERATING.value)
        roles: list[Json] = [
            {"id": str(id), "name": name, "permissions": str(permissions.value)}
            | {"color": 0, "hoist": False, "position": position, "managed": False, "mentionable": False, "flags": 0}
            | {"colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None}}
            | {"icon": None, "unicode_emoji": None}
            for position, (id, name, permissions) in enumerate(
                (
                    (guild.id, "@everyone", ORDINARY),
                    (guild.id + MODERATORS, "Moderators", moderating),
                    (guild.id + BOTS, "Ambit", discord.Permissions.all()),
                )
            )
        ]
        plain = [each for each in guild.channels.values() if each.kind == TEXT]
        threads = [each for each in guild.channels.values() if each.kind == THREAD and not each.archived]
        return {
            "id": str(guild.id),
            "name": guild.name,
            "owner_id": str(guild.owner_id),
            "member_count": len(guild.members),
            "members": [self.member_json(guild, self.bot)],
            "channels": [self.channel_json(each) for each in plain],
            "threads": [self.channel_json(each) for each in threads],
            "roles": roles,
            "guild_scheduled_events": [event.json() for event in guild.events.values()],
            "preferred_locale": "en-US",
            "afk_timeout": 300,
            "max_members": 500_000,
            "max_video_channel_users": 25,
            "max_stage_video_channel_users": 50,
            "region": "deprecated",
            **{name: [] for name in _EMPTY},
            **dict.fromkeys(_ZERO, 0),
            **dict.fromkeys(("premium_progress_bar_enabled", "widget_enabled", "nsfw", "unavailable"), False),
        } | dict.fromkeys(_NOT_SET)

    def server_json(self, guild: Guild) -> Json:
        """A server as the API shows it: without its channels and people."""
        made = self.guild_json(guild)
        for name in ("member_count", "members", "channels", "threads", "presences", "voice_states", "unavailable"):
            del made[name]
        for name in ("stage_instances", "guild_scheduled_events"):
            del made[name]
        return made

    def member_json(self, guild: Guild, user: User, channel: Channel | None = None) -> Json:
        """A member as interactions in a channel show it."""
        permissions = discord.Permissions(ORDINARY.value)
        place = None if channel is None else self.parent(channel)
        moderators = guild.moderators | (place.moderators if place is not None else set())
        permissions.manage_messages = user.id in moderators
        permissions.manage_guild = user.id in guild.moderators
        roles = (
            [guild.id + BOTS] if user is self.bot else [guild.id + MODERATORS] if user.id in guild.moderators else []
        )
        return {
            "user": user.json(),
            "nick": None,
            "avatar": None,
            "roles": [str(role) for role in roles],
            "joined_at": "2024-01-01T00:00:00+00:00",
            "premium_since": None,
            "deaf": False,
            "mute": False,
            "flags": 0,
            "pending": False,
            "communication_disabled_until": guild.silenced.get(user.id),
            "permissions": str(permissions.value),
        }

    def bot_permissions(self, channel: Channel) -> int:
        """The bot's permissions in a channel, as interactions say it."""
        permissions = discord.Permissions.all()
        on_server = set() if channel.guild_id is None else self.guilds[channel.guild_id].denied
        permissions.update(**dict.fromkeys(channel.denied | on_server, False))
        return permissions.value


def _overwrite(user: int, *, allow: bool, deny: bool) -> Json:
    """How one member's permissions differ from everybody's."""
    allowed, denied = MODERATING.value * allow, discord.Permissions(view_channel=True).value * deny
    return {"id": str(user), "type": 1, "allow": str(allowed), "deny": str(denied)}


def _numbered(components: list[Json]) -> list[Json]:
    """Components as the API returns them: every one with an id, defaults filled in."""
    counter = iter(range(1, 10_000))

    def made(component: Json) -> Json:
        copy = {key: value for key, value in component.items() if value is not None}
        copy["id"] = component.get("id") or next(counter)
        if "components" in component:
            copy["components"] = [made(each) for each in component["components"]]
        if component["type"] == 3:
            copy.setdefault("min_values", 1)
            copy.setdefault("max_values", 1)
            copy["disabled"] = component.get("disabled", False)
        return copy

    return [made(component) for component in components]
