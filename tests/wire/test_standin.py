"""The stand-in refuses what Discord refuses, so that what it accepts means something."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from .discord_standin import Channel, Discord, Message, Moment, Person, Spec
from .discord_standin.rules import command_faults

Json = dict[str, Any]
ROW: dict[str, Any] = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Go", "custom_id": "go"}]}


class Client:
    """A bot that only sends requests."""

    def __init__(self, discord: Discord, session: aiohttp.ClientSession) -> None:
        self.discord, self.session = discord, session
        self.headers: dict[str, str] = {}

    async def ask(self, method: str, path: str, body: Any = None, *, token: bool = True) -> tuple[int, Any]:
        """The status and JSON of one request."""
        headers = {"Authorization": f"Bot {self.discord.token}"} if token else {}
        url = f"{self.discord.world.address}/api/v10{path}"
        async with self.session.request(method, url, json=body, headers=headers) as answer:
            self.headers = dict(answer.headers)
            text = await answer.text()
            return answer.status, json.loads(text) if text else None

    async def code(self, method: str, path: str, body: Any = None, **how: Any) -> int:
        """Discord's code of the error."""
        status, answer = await self.ask(method, path, body, **how)
        assert status >= 400, answer
        return int(answer["code"])


@pytest.fixture
async def client(discord: Discord) -> AsyncIterator[Client]:
    async with aiohttp.ClientSession() as session:
        yield Client(discord, session)


@pytest.fixture
def ann(discord: Discord) -> Person:
    return discord.person("Ann")


@pytest.fixture
def channel(discord: Discord, ann: Person) -> Channel:
    return discord.world.text_channel(discord.world.guild("Club", ann.user), "games")


async def pressed(discord: Discord, ann: Person, channel: Channel) -> tuple[str, str, Message]:
    """A button that Ann has pressed: the callback's path, the webhook's path, the message."""
    message = discord.world.post(channel, {"content": "Hi", "components": [ROW]}, [])
    answer = await ann.press(message, "Go", wait=False)
    asked = answer.interaction
    return (
        f"/interactions/{asked.id}/{asked.token}/callback",
        f"/webhooks/{discord.world.bot.id}/{asked.token}",
        message,
    )


async def test_a_wrong_token_is_refused(client: Client) -> None:
    assert await client.ask("GET", "/users/@me", token=False) == (401, {"message": "401: Unauthorized", "code": 0})


async def test_an_interaction_is_acknowledged_once(
    discord: Discord, client: Client, ann: Person, channel: Channel
) -> None:
    callback, _, _ = await pressed(discord, ann, channel)
    answer = {"type": 4, "data": {"content": "Yes", "flags": 64}}
    status, body = await client.ask("POST", f"{callback}?with_response=1", answer, token=False)
    assert (status, body["resource"]["message"]["content"]) == (200, "Yes")
    assert await client.code("POST", callback, answer, token=False) == 40060


async def test_after_three_seconds_an_interaction_is_unknown(
    discord: Discord, client: Client, ann: Person, channel: Channel
) -> None:
    callback, _, _ = await pressed(discord, ann, channel)
    discord.world.time.advance(3.1)
    assert await client.code("POST", callback, {"type": 6}, token=False) == 10062


async def test_after_fifteen_minutes_its_token_is_invalid(
    discord: Discord, client: Client, ann: Person, channel: Channel
) -> None:
    callback, webhook, _ = await pressed(discord, ann, channel)
    assert await client.code("POST", webhook, {"content": "early"}, token=False) == 10015
    assert await client.ask("POST", callback, {"type": 6}, token=False) == (204, None)
    discord.world.time.advance(15 * 60)
    assert await client.code("POST", webhook, {"content": "late"}, token=False) == 50027


async def test_the_first_followup_fills_a_deferred_answer_and_keeps_its_privacy(
    discord: Discord, client: Client, ann: Person, channel: Channel
) -> None:
    callback, webhook, _ = await pressed(discord, ann, channel)
    await client.ask("POST", callback, {"type": 5, "data": {"flags": 64}}, token=False)
    _, first = await client.ask("POST", f"{webhook}?wait=true", {"content": "one"}, token=False)
    _, second = await client.ask("POST", f"{webhook}?wait=true", {"content": "two"}, token=False)
    assert first["flags"] == 64
    assert second["flags"] == 0
    assert first["id"] != second["id"]
    assert await client.code("GET", f"/channels/{channel.id}/messages/{first['id']}") == 10008
    ben = discord.person("Ben")
    discord.world.guilds[channel.guild_id or 0].members[ben.id] = ben.user
    assert [message.content for message in ben.sees(channel)] == ["Hi", "two"]


async def test_closed_dms_and_strangers_are_not_written_to(discord: Discord, client: Client, ann: Person) -> None:
    discord.world.guild("Club", ann.user)
    _, dm = await client.ask("POST", "/users/@me/channels", {"recipient_id": ann.id})
    send = f"/channels/{dm['id']}/messages"
    assert (await client.ask("POST", send, {"content": "Hi"}))[0] == 200
    ann.user.dms_open = False
    assert await client.code("POST", send, {"content": "Hi"}) == 50007
    _, stranger = await client.ask("POST", "/users/@me/channels", {"recipient_id": str(discord.owner.id)})
    assert await client.code("POST", f"/channels/{stranger['id']}/messages", {"content": "Hi"}) == 50278


async def test_permissions_and_unknown_things_have_their_numbers(
    discord: Discord, client: Client, ann: Person, channel: Channel
) -> None:
    send = f"/channels/{channel.id}/messages"
    assert await client.code("POST", "/channels/5/messages", {"content": "Hi"}) == 10003
    assert await client.code("PATCH", f"{send}/5", {"content": "Hi"}) == 10008
    message = discord.world.post(channel, {"content": "Hi"}, [])
    channel.denied = {"send_messages", "create_public_threads"}
    assert await client.code("POST", send, {"content": "Hi"}) == 50013
    assert await client.code("POST", f"{send}/{message.id}/threads", {"name": "Hi"}) == 50013
    channel.denied = {"view_channel"}
    assert await client.code("POST", send, {"content": "Hi"}) == 50001


async def test_archived_threads_open_themselves_unless_locked(
    discord: Discord, client: Client, channel: Channel
) -> None:
    message = discord.world.post(channel, {"content": "Hi"}, [])
    path = f"/channels/{channel.id}/messages/{message.id}/threads"
    status, thread = await client.ask("POST", path, {"name": "Match"})
    assert status == 201
    assert await client.code("POST", path, {"name": "Match"}) == 160004
    place = discord.world.channel(int(thread["id"]))
    place.archived = True
    assert (await client.ask("POST", f"/channels/{place.id}/messages", {"content": "Hi"}))[0] == 200
    place.archived = place.locked = True
    assert await client.code("POST", f"/channels/{place.id}/messages", {"content": "Hi"}) == 50083


async def test_old_messages_are_edited_slowly(discord: Discord, client: Client, channel: Channel) -> None:
    discord.limits.paced = True
    message = discord.world.post(channel, {"content": "Hi"}, [])
    discord.world.time.advance(3601)
    path = f"/channels/{channel.id}/messages/{message.id}"
    answers = [await client.ask("PATCH", path, {"content": str(number)}) for number in range(4)]
    assert [status for status, _ in answers] == [200, 200, 200, 429]
    assert answers[-1][1]["code"] == 30046
    assert "Via" in client.headers


async def test_buckets_tell_what_is_left_and_then_refuse(discord: Discord, client: Client, channel: Channel) -> None:
    discord.limits.paced = True
    path = f"/channels/{channel.id}/messages"
    left = []
    for number in range(5):
        assert (await client.ask("POST", path, {"content": str(number)}))[0] == 200
        left.append(client.headers["X-RateLimit-Remaining"])
    status, body = await client.ask("POST", path, {"content": "6"})
    assert (left, status, body["global"]) == (["4", "3", "2", "1", "0"], 429, False)
    assert 0 < body["retry_after"] <= 5


async def test_followups_are_paced_by_interaction_and_by_channel(
    discord: Discord, client: Client, ann: Person, channel: Channel
) -> None:
    discord.limits.paced = True
    statuses = []
    for _ in range(7):
        callback, webhook, _ = await pressed(discord, ann, channel)
        await client.ask("POST", callback, {"type": 6}, token=False)
        statuses += [(await client.ask("POST", webhook, {"content": "x"}, token=False))[0] for _ in range(5)]
    assert statuses == [204] * 30 + [429] * 5
    callback, webhook, _ = await pressed(discord, ann, discord.world.dm(ann.user))
    await client.ask("POST", callback, {"type": 6}, token=False)
    assert [(await client.ask("POST", webhook, {"content": "x"}, token=False))[0] for _ in range(6)] == [204] * 5 + [
        429
    ]


async def test_the_global_limit_does_not_count_interactions(
    discord: Discord, client: Client, ann: Person, channel: Channel
) -> None:
    discord.limits.paced = True
    asked = [await pressed(discord, ann, channel) for _ in range(60)]
    for callback, _, _ in asked:
        assert (await client.ask("POST", callback, {"type": 6}, token=False))[0] == 204
    statuses = [(await client.ask("GET", f"/channels/{channel.id}"))[0] for _ in range(51)]
    assert 429 in statuses
    assert statuses[:40] == [200] * 40


async def test_an_enforced_nonce_makes_a_repeat_the_same_message(client: Client, channel: Channel) -> None:
    body = {"content": "Board", "nonce": "17", "enforce_nonce": True}
    path = f"/channels/{channel.id}/messages"
    first, second = await client.ask("POST", path, body), await client.ask("POST", path, body)
    assert first == second
    assert len(channel.messages) == 1


async def test_only_allowed_mentions_ping(client: Client, ann: Person, channel: Channel) -> None:
    text = f"<@{ann.id}> @everyone"
    for allowed, rung in (({"parse": []}, 0), ({"users": [ann.id], "parse": []}, 1), ({"parse": ["users"]}, 1)):
        body: Json = {"content": text, "allowed_mentions": allowed}
        _, message = await client.ask("POST", f"/channels/{channel.id}/messages", body)
        assert len(message["mentions"]) == rung


BAD_MESSAGES: list[Json] = [
    {},
    {"content": " "},
    {"content": "x" * 2001},
    {"content": "x", "flags": 64},
    {"content": "x", "flags": 1 << 15},
    {"content": "x", "components": [ROW] * 6},
    {"content": "x", "components": [ROW, ROW]},
    {"content": "x", "components": [{"type": 1, "components": []}]},
    {"content": "x", "components": [{"type": 1, "components": [{"type": 2, "style": 1, "custom_id": "a"}]}]},
    {"content": "x", "components": [{"type": 1, "components": [{"type": 2, "style": 1, "label": "a"}]}]},
    {"content": "x", "components": [{"type": 1, "components": [{"type": 2, "style": 5, "label": "a"}]}]},
    {"content": "x", "components": [{"type": 10, "content": "x"}]},
    {"content": "x", "attachments": [{"id": "0", "filename": "a.png"}]},
    {"content": "x", "embeds": [{"title": "x"}]},
    {"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
]


def menu(**changes: Any) -> Json:
    """A message with one menu."""
    made = {"type": 3, "custom_id": "m", "options": [{"label": "A", "value": "a"}, {"label": "B", "value": "b"}]}
    return {"content": "x", "components": [{"type": 1, "components": [made | changes]}]}


BAD_MESSAGES += [
    menu(min_values=2, max_values=1),
    menu(max_values=3),
    menu(options=[{"label": "A", "value": "a"}] * 2),
    menu(options=[{"label": " ", "value": "a"}]),
]


@pytest.mark.parametrize("body", BAD_MESSAGES, ids=range(len(BAD_MESSAGES)))
async def test_a_bad_message_is_refused(discord: Discord, client: Client, channel: Channel, body: Json) -> None:
    assert await client.code("POST", f"/channels/{channel.id}/messages", body) == 50035
    assert discord.violations
    discord.violations.clear()


UNDESCRIBED: list[Json] = [
    {"content": "x", "colour": "red"},
    {"content": "x", "components": [{"type": 1, "components": [ROW["components"][0] | {"label": "x" * 81}]}]},
    {"content": "x", "components": [{"type": 1, "components": [ROW["components"][0] | {"custom_id": "x" * 101}]}]},
    menu(options=[{"label": str(number), "value": str(number)} for number in range(26)]),
    menu(options=[{"label": "x" * 101, "value": "a"}]),
    {"content": "x", "allowed_mentions": {"users": ["x"]}},
]


@pytest.mark.parametrize("body", UNDESCRIBED, ids=range(len(UNDESCRIBED)))
async def test_a_message_that_the_api_does_not_describe_is_refused(
    needs_spec: Spec, discord: Discord, client: Client, channel: Channel, body: Json
) -> None:
    assert await client.code("POST", f"/channels/{channel.id}/messages", body) == 50035
    discord.violations.clear()


COMMAND = {"name": "play", "description": "Play.", "type": 1}
TEXT = {"name": "card", "description": "Card.", "type": 3}
BAD_COMMANDS = [
    [COMMAND, COMMAND],
    [COMMAND | {"name": "Play"}],
    [COMMAND | {"name": "play it"}],
    [COMMAND | {"name": "p" * 33}],
    [COMMAND | {"description": ""}],
    [COMMAND | {"description": "d" * 101}],
    [COMMAND | {"options": [TEXT | {"name": f"o{number}"} for number in range(26)]}],
    [COMMAND | {"options": [TEXT | {"choices": [{"name": "a", "value": str(number)} for number in range(26)]}]}],
    [COMMAND | {"options": [TEXT | {"choices": [{"name": "n" * 101, "value": "a"}]}]}],
    [COMMAND | {"options": [TEXT, TEXT]}],
    [COMMAND | {"options": [TEXT, TEXT | {"name": "b", "required": True}]}],
    [COMMAND | {"options": [TEXT | {"autocomplete": True, "choices": [{"name": "a", "value": "a"}]}]}],
    [COMMAND | {"options": [TEXT, {"name": "new", "description": "New.", "type": 1}]}],
    [
        COMMAND
        | {"options": [TEXT | {"name": name, "choices": [{"name": "n" * 90, "value": "v" * 90}] * 25} for name in "ab"]}
    ],
    [COMMAND | {"name": f"c{number}"} for number in range(101)],
]


@pytest.mark.parametrize("commands", BAD_COMMANDS, ids=range(len(BAD_COMMANDS)))
def test_a_bad_command_is_refused(commands: list[Json]) -> None:
    assert list(command_faults(commands))


async def test_a_fault_strikes_before_or_after_the_thing_was_done(
    discord: Discord, client: Client, channel: Channel
) -> None:
    path = f"/channels/{channel.id}/messages"
    discord.faults.answer(500, times=1)
    assert (await client.ask("POST", path, {"content": "a"}))[0] == 500
    assert not channel.messages
    discord.faults.answer(502, times=1, moment=Moment.AFTER)
    assert (await client.ask("POST", path, {"content": "b"}))[0] == 502
    assert len(channel.messages) == 1
    assert (await client.ask("POST", path, {"content": "c"}))[0] == 200


class Socket:
    """A bot's end of the gateway, without compression."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket

    async def identify(self, token: str, intents: int = 1, shard: tuple[int, int] = (0, 1)) -> None:
        """HELLO and IDENTIFY."""
        assert (await self.socket.receive_json())["op"] == 10
        said = {"token": token, "intents": intents, "shard": list(shard), "properties": {}}
        await self.socket.send_json({"op": 2, "d": said})

    async def event(self) -> tuple[str, Any]:
        """The next event."""
        packet = await self.socket.receive_json(timeout=5)
        return packet["t"], packet["d"]


@pytest.mark.parametrize(("token", "intents", "code"), [("wrong", 1, 4004), (None, 1 << 15, 4014)])
async def test_the_gateway_closes_on_wrong_tokens_and_privileged_intents(
    discord: Discord, client: Client, token: str | None, intents: int, code: int
) -> None:
    async with client.session.ws_connect(discord.world.address) as socket:
        await Socket(socket).identify(token or discord.token, intents)
        await socket.receive(timeout=5)
        assert socket.close_code == code


async def test_a_resumed_session_hears_what_it_missed(
    discord: Discord, client: Client, ann: Person, channel: Channel
) -> None:
    async with client.session.ws_connect(discord.world.address) as socket:
        bot = Socket(socket)
        await bot.identify(discord.token)
        _, ready = await bot.event()
        assert (await bot.event())[0] == "GUILD_CREATE"
        await socket.close(code=4000)
    await discord.until(lambda: not discord.gateway.connected())
    await pressed(discord, ann, channel)
    async with client.session.ws_connect(discord.world.address) as socket:
        assert (await socket.receive_json())["op"] == 10
        resume = {"token": discord.token, "session_id": ready["session_id"], "seq": 2}
        await socket.send_json({"op": 6, "d": resume})
        assert [(await Socket(socket).event())[0] for _ in range(2)] == ["INTERACTION_CREATE", "RESUMED"]
    # The code with which this connection was closed ends a session.
    async with client.session.ws_connect(discord.world.address) as socket:
        assert (await socket.receive_json())["op"] == 10
        await socket.send_json({"op": 6, "d": resume})
        assert await socket.receive_json() == {"op": 9, "d": False, "t": None, "s": None}


async def test_direct_messages_go_to_shard_0_and_a_server_to_its_own(
    discord: Discord, client: Client, ann: Person
) -> None:
    odd = discord.world.text_channel(discord.world.guild("Odd", ann.user, id=3 << 22), "games")
    async with (
        client.session.ws_connect(discord.world.address) as zero,
        client.session.ws_connect(discord.world.address) as one,
    ):
        sockets = [Socket(zero), Socket(one)]
        for number, socket in enumerate(sockets):
            await socket.identify(discord.token, shard=(number, 2))
            await socket.event()
        assert (await sockets[1].event())[0] == "GUILD_CREATE"
        await pressed(discord, ann, discord.world.dm(ann.user))
        await pressed(discord, ann, odd)
        for socket, where in zip(sockets, (ann.dm, odd), strict=True):
            event, data = await socket.event()
            assert (event, data["channel_id"]) == ("INTERACTION_CREATE", str(where.id))


class JumpingClock(asyncio.SelectorEventLoop):
    """A loop in which time passes only when nothing else is left to do, and then jumps to what is due next.

    What is due within a billionth of a second (asyncio's resolution) comes in the same moment, in this order.
    """

    def __init__(self) -> None:
        super().__init__()
        self._now = 0.0

    def time(self) -> float:
        return self._now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:  # type: ignore[attr-defined]
            self._now = max(self._now, self._scheduled[0].when())  # type: ignore[attr-defined]
        super()._run_once()  # type: ignore[misc]


@pytest.mark.parametrize("deadline", [2.75, 3.0])
@pytest.mark.parametrize("news_before", [None, 0.25, 1e-10, 0.0, -1e-10])
def test_a_wait_ends_although_news_comes_in_the_moment_of_its_deadline(
    deadline: float, news_before: float | None
) -> None:
    discord, looked = Discord(), 0

    def find() -> bool:
        nonlocal looked
        looked += 1
        assert looked < 100, "the wait goes on for ever"
        return False

    async def wait() -> None:
        if news_before is not None:
            asyncio.get_running_loop().call_at(deadline - news_before, discord.changed, 7)
        await discord.until(find, deadline, place=Channel(7, 0))

    with asyncio.Runner(loop_factory=JumpingClock) as runner:
        with pytest.raises(TimeoutError):
            runner.run(wait())
        assert runner.get_loop().time() == deadline
    assert looked >= 6
