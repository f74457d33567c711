"""What the bot doesn't keep of a server changes none of the permissions that it reads."""

import copy
from collections.abc import Callable
from functools import partial
from itertools import count
from random import Random
from typing import Any, Final

import discord
import pytest

from benchmarks import growth
from bot import Ambit
from cogs import internals
from cogs.process.slimming import KEPT, Slimming

GUILD, OWNER, ANN, BOT = 1000, 1, 2, 3
TEXT, VOICE, CATEGORY, FORUM = 0, 2, 4, 15
BITS: Final = tuple(1 << bit for bit in (1, 2, 3, 4, 6, 10, 11, 13, 14, 15, 16, 20, 21, 28, 34, 35, 38))
"""Permissions, of which the bot reads some: administrators, view, send, attach, manage messages or threads, …"""


class Cache:
    """A client that gets events, and the server that it keeps."""

    def __init__(self, *, slim: bool) -> None:
        self.client = discord.Client(intents=discord.Intents(guilds=True))
        self.state = self.client._connection
        self.state.user = discord.ClientUser(state=self.state, data=_user(BOT))
        if slim:
            Slimming(self.client)

    def hear(self, event: str, data: dict[str, Any]) -> None:
        internals.parsers(self.client)[event](copy.deepcopy(data))

    @property
    def guild(self) -> discord.Guild:
        guild = self.client.get_guild(GUILD)
        assert guild is not None
        return guild

    def permissions(self, member: dict[str, Any]) -> dict[str, int]:
        """The `KEPT` permissions of this member, everybody and the bot, in every place but categories."""
        person = discord.Member(data=copy.deepcopy(member), guild=self.guild, state=self.state)  # type: ignore[arg-type]
        found = {"server": person.guild_permissions.value & KEPT.value}
        places = [each for each in self.guild.channels if not isinstance(each, discord.CategoryChannel)]
        for place in (*places, *self.guild.threads):
            for who in (person, self.guild.default_role, self.guild.me):
                found[f"{place.id} {who.id}"] = place.permissions_for(who).value & KEPT.value
        return found


def _user(number: int) -> Any:
    return {"id": str(number), "username": "x", "discriminator": "0", "avatar": None, "global_name": None}


def member(rng: Random, number: int, roles: list[str]) -> dict[str, Any]:
    own = rng.sample(roles, rng.randrange(len(roles) + 1))
    return {"user": _user(number), "roles": own, "joined_at": None, "deaf": False, "mute": False, "flags": 0}


def some_bits(rng: Random) -> str:
    return str(sum(rng.sample(BITS, rng.choice((0, 0, 1, 2, 5)))))


def role(rng: Random, number: int) -> dict[str, Any]:
    return {"id": str(number), "name": f"role {number}", "position": number % 7, "permissions": some_bits(rng)}


def channel(rng: Random, number: int, ids: list[str]) -> dict[str, Any]:
    overwrites = [
        {"id": each, "type": int(each == str(ANN)), "allow": some_bits(rng), "deny": some_bits(rng)}
        for each in rng.sample([*ids, str(ANN)], rng.randrange(4))
    ]
    made = {"id": str(number), "type": rng.choice((TEXT, TEXT, VOICE, CATEGORY, FORUM)), "name": "n", "topic": "t"}
    made |= {"guild_id": str(GUILD), "position": number % 9, "permission_overwrites": overwrites, "flags": 0}
    return made | {"bitrate": 1, "user_limit": 0, "available_tags": []}


def thread(number: int, parent: str) -> dict[str, Any]:
    about = {"archived": False, "auto_archive_duration": 60, "archive_timestamp": "2026-01-01T00:00:00+00:00"}
    made = {"id": str(number), "type": 11, "name": "t", "parent_id": parent, "owner_id": str(BOT), "flags": 0}
    return made | {"guild_id": str(GUILD), "message_count": 0, "member_count": 0, "thread_metadata": about}


def events(rng: Random) -> tuple[list[tuple[str, dict[str, Any]]], list[str]]:
    """A server, what happens to it afterwards, and the ids of all its roles."""
    ids = [str(GUILD), *(str(number) for number in range(2000, 2008))]
    roles = [role(rng, int(each)) for each in ids]
    channels = [channel(rng, number, ids) for number in range(3000, 3010)]
    channels[0]["type"] = TEXT
    server = {"id": str(GUILD), "name": "s", "owner_id": str(OWNER), "roles": roles, "channels": channels}
    server |= {"members": [member(rng, BOT, ids[1:])], "threads": [thread(4000, channels[0]["id"])]}
    happened: list[tuple[str, dict[str, Any]]] = [("GUILD_CREATE", server)]
    alive, gone = list(ids), {name: server[name] for name in ("channels", "threads", "members")}

    new = count(3010)

    def created() -> dict[str, Any]:
        alive.append(str(rng.randrange(2008, 2012)))
        return {"guild_id": str(GUILD), "role": role(rng, int(alive[-1]))}

    def deleted() -> dict[str, Any]:
        # Discord says nothing more of a role that is gone, and everybody's role stays.
        which = rng.choice(alive[1:])
        alive[:] = [each for each in alive if each != which]
        return {"guild_id": str(GUILD), "role_id": which}

    say: dict[str, Callable[[], dict[str, Any]]] = {
        "GUILD_ROLE_CREATE": created,
        "GUILD_ROLE_UPDATE": lambda: {"guild_id": str(GUILD), "role": role(rng, int(rng.choice(alive)))},
        "GUILD_ROLE_DELETE": deleted,
        "CHANNEL_UPDATE": lambda: {**channel(rng, 3000, ids), "type": TEXT},
        "CHANNEL_CREATE": lambda: channel(rng, next(new), ids),
        "CHANNEL_DELETE": lambda: {"guild_id": str(GUILD), "id": str(rng.randrange(3001, 3013)), "type": TEXT},
        "GUILD_UPDATE": lambda: (
            {key: value for key, value in server.items() if key not in gone}
            | {"roles": [role(rng, int(each)) for each in dict.fromkeys(alive)]}
        ),
    }
    for _ in range(12):
        name = rng.choice(list(say))
        happened.append((name, say[name]()))
    return happened, [*ids, *(str(number) for number in range(2008, 2012))]


@pytest.mark.parametrize("seed", range(15))
def test_what_is_left_out_changes_no_permission_that_is_read(seed: int) -> None:
    rng = Random(seed)
    happened, ids = events(rng)
    whole, slim = Cache(slim=False), Cache(slim=True)
    told = 0
    for event, data in happened:
        for cache in (whole, slim):
            cache.hear(event, data)
        for _ in range(3):
            who = member(rng, rng.choice((OWNER, ANN, ANN)), ids[1:])
            expected, found = whole.permissions(who), slim.permissions(who)
            assert found == expected, (event, data)
            told += len({*expected.values()}) > 1
    assert told, "the server distinguishes somebody"
    assert len(slim.guild._roles) <= len(whole.guild._roles)


def test_names_topics_categories_and_empty_roles_are_not_kept_and_the_rest_is() -> None:
    slim = Cache(slim=True)
    nothing, everybody = role(Random(1), 2000) | {"permissions": "64"}, role(Random(1), GUILD) | {"permissions": "1024"}
    overwrites = [
        {"id": "2000", "type": 0, "allow": "1024", "deny": "0"},
        {"id": "7", "type": 0, "allow": "64", "deny": "0"},
    ]
    channels = [
        {**channel(Random(1), number, []), "type": kind, "permission_overwrites": overwrites}
        for number, kind in ((3000, CATEGORY), (3001, TEXT), (3002, TEXT), (3003, VOICE))
    ]
    server = {
        "id": str(GUILD),
        "name": "A server",
        "owner_id": "1",
        "roles": [everybody, nothing],
        "channels": channels,
    }
    event = {"id": "5000", "guild_id": str(GUILD), "name": "e", "privacy_level": 2, "status": 1, "entity_type": 3}
    event |= {"scheduled_start_time": "2026-01-01T00:00:00+00:00", "entity_metadata": {"location": "here"}}
    server |= {"guild_scheduled_events": [event]}
    slim.hear("GUILD_CREATE", server)
    kept = slim.guild
    assert [each.id for each in kept.channels] == [3001, 3002, 3003]
    assert [each.id for each in kept.roles] == [GUILD]
    assert [each.id for each in kept.scheduled_events] == [5000]
    text = kept.get_channel(3001)
    assert isinstance(text, discord.TextChannel)
    assert (kept.name, text.name, text.topic) == ("A server", "", None)
    assert len({id(each._overwrites) for each in kept.channels}) == 1
    assert [each.id for each in text._overwrites] == [2000]
    slim.hear("CHANNEL_UPDATE", {**channels[1], "permission_overwrites": []})
    assert [len(each._overwrites) for each in kept.channels] == [0, 1, 1], "the others keep theirs"
    slim.hear("GUILD_ROLE_UPDATE", {"guild_id": str(GUILD), "role": {**nothing, "permissions": "8"}})
    assert {each.id for each in kept.roles} == {GUILD, 2000}


async def test_the_bot_keeps_less_of_a_server_than_is_promised() -> None:
    parse = internals.parsers(Ambit())["GUILD_CREATE"]
    assert isinstance(parse, partial)
    assert isinstance(parse.func.__self__, Slimming)
    assert growth.of_a_server() < growth.A_SERVER < growth.of_a_server(whole=True)
