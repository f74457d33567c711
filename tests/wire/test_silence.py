"""Discord falls silent in the middle of a request: that one fails in time, and nobody else waits for it."""

import asyncio
import gc
import io
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import discord
import pytest

from cogs.process.faults import is_transient, reason
from cogs.process.pace import Pace
from cogs.process.wire import LATE, PROBED_EVERY, Wire

from .bot_process import BotProcess
from .discord_standin import Discord, Moment
from .discord_standin.faults import Request
from .stored import Stored
from .table import Table
from .test_faults import board_post, confirm, confirmable, next_board, patiently

pytestmark = pytest.mark.wire

SILENCE = 1.0
ANSWER = b'{"id": "1", "username": "bot", "discriminator": "0", "avatar": null}'

# FOUND E1


@asynccontextmanager
async def client(
    monkeypatch: pytest.MonkeyPatch,
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
    wire: Wire | None = None,
) -> AsyncIterator[discord.http.HTTPClient]:
    """discord.py's own client, logged in over our wire at a server that does what `serve` does after the login."""
    wire = wire or Wire(silence=SILENCE)
    logged_in = False

    async def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal logged_in
        try:
            if not logged_in:
                logged_in = True
                await head(reader)
                answer(writer)
            await serve(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    listening = socket.create_server(("127.0.0.1", 0))
    # Buffer little that nobody has read.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * 1024)
    server = await asyncio.start_server(begin, sock=listening, limit=64 * 1024)
    base = f"http://127.0.0.1:{listening.getsockname()[1]}/api"
    monkeypatch.setattr(discord.http.Route, "BASE", base)
    http = discord.http.HTTPClient(asyncio.get_running_loop(), connector=wire.connector(), http_trace=wire.trace())
    try:
        await http.static_login("a.b.c")
        yield http
    finally:
        await http.close()
        server.close()


async def head(reader: asyncio.StreamReader) -> int:
    """Read the head of a request. Return how many bytes follow."""
    found = re.search(rb"content-length: (\d+)", (await reader.readuntil(b"\r\n\r\n")).lower())
    return int(found[1]) if found is not None else 0


def answer(
    writer: asyncio.StreamWriter, status: str = "200 OK", body: bytes = ANSWER, via: str = "Via: 1.1 test"
) -> None:
    lines = [f"HTTP/1.1 {status}", "Content-Type: application/json", via, f"Content-Length: {len(body)}"]
    writer.write("\r\n".join([*lines, "", ""]).encode() + body)


async def ask(http: discord.http.HTTPClient, size: int = 0) -> Any:
    """Send one request; with a `size` it uploads that many bytes."""
    route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=1)
    if not size:
        return await http.request(route, json={})
    form = [{"name": "files[0]", "value": io.BytesIO(bytes(size)), "filename": "a.png"}]
    return await http.request(route, form=form)


async def seconds(work: Awaitable[Any]) -> float:
    began = asyncio.get_running_loop().time()
    await work
    return asyncio.get_running_loop().time() - began


@pytest.mark.parametrize("size", [0, 100_000, 16_000_000])
async def test_a_request_that_is_not_answered_or_not_even_read_fails_in_time(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    async def never(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await head(reader)
        await asyncio.sleep(60)

    async with client(monkeypatch, never) as http:
        with pytest.raises((aiohttp.ClientError, TimeoutError)) as failed:
            async with asyncio.timeout(30 * SILENCE):
                await ask(http, size)
        assert not isinstance(failed.value, TimeoutError) or isinstance(failed.value, aiohttp.ClientError)
        assert is_transient(failed.value)
        assert reason(failed.value)


async def test_an_upload_over_a_slow_line_takes_as_long_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    async def slowly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        left = await head(reader)
        while left > 0:
            left -= len(await reader.read(32 * 1024))
            await asyncio.sleep(0.02)
        answer(writer)
        await writer.drain()

    async with client(monkeypatch, slowly) as http:
        assert await seconds(ask(http, 5_000_000)) > 2 * SILENCE


async def test_an_upload_that_makes_progress_is_not_silent_however_long_it_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, silent = 0.0, list[bool]()

    async def slowly(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal now
        left = await head(reader)
        while left > 0:
            left -= len(await reader.read(32 * 1024))
            now += LATE / 20
            silent.append(wire.waits(asking))
        now += 2 * LATE
        silent.append(wire.waits(asking))
        answer(writer)
        await writer.drain()

    wire = Wire(silence=SILENCE, now=lambda: now)
    async with client(monkeypatch, slowly, wire) as http:
        asking = asyncio.create_task(ask(http, 2_000_000))
        await asking
    assert now > 4 * LATE
    assert silent == [False] * (len(silent) - 1) + [True]


async def test_nothing_is_kept_of_a_request_once_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await reader.readexactly(await head(reader))
            answer(writer)
            await writer.drain()

    def ended() -> int:
        gc.collect()
        return sum(isinstance(each, asyncio.Task) and each.done() for each in gc.get_objects())

    async with client(monkeypatch, at_once) as http:
        await ask(http, 1000)
        before = ended()
        for _ in range(10):
            await ask(http, 1000)
        assert ended() <= before


async def test_the_pause_of_a_429_and_our_own_pace_are_no_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([("429 Too Many", b'{"retry_after": %f, "global": false, "code": 0}' % (1.5 * SILENCE))])

    async def at_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await reader.readexactly(await head(reader))
            answer(writer, *next(answers, ("200 OK", ANSWER)))
            await writer.drain()

    async def log_in_and_ask() -> None:
        async with client(monkeypatch, at_once, Wire(Pace(1, 1.5 * SILENCE), SILENCE)) as http:
            await ask(http)

    # Either of the two pauses alone would take 1.5 times `SILENCE`.
    assert await seconds(log_in_and_ask()) > 2.5 * SILENCE
    assert list(answers) == [], "nobody was told to pause"


# FOUND O8
async def test_a_barred_address_sends_one_request_every_half_minute_and_goes_on_after_an_answer(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    barred, heard, now = True, 0, 0.0

    async def bar(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal heard
        while True:
            await reader.readexactly(await head(reader))
            heard += 1
            if barred:
                answer(writer, "429 Too Many Requests", b'"error code: 1015"', "Server: cloudflare")
            else:
                answer(writer)
            await writer.drain()

    async def try_for(seconds: int) -> None:
        nonlocal now
        for _ in range(seconds):
            for _ in range(3):
                with pytest.raises((discord.HTTPException, aiohttp.ClientError)) as failed:
                    await ask(http)
                assert is_transient(failed.value)
            now += 1

    caplog.set_level("INFO")
    async with client(monkeypatch, bar, Wire(silence=SILENCE, now=lambda: now)) as http:
        await try_for(300)
        assert heard == 300 / PROBED_EVERY
        barred = False
        await try_for(int(PROBED_EVERY) - int(now % PROBED_EVERY or PROBED_EVERY))
        for _ in range(10):
            await ask(http)
        assert heard == 300 / PROBED_EVERY + 10
    said = [line for line in caplog.messages if "barred" in line]
    assert len(said) == 2
    assert said[1] == "this machine's address isn't barred any more, after 300 s"


async def test_a_board_that_is_never_answered_comes_once_and_delays_no_other_table(
    discord: Discord, bot: BotProcess
) -> None:
    bot.settings |= {"WIRE_PLACES": "1", "WIRE_SILENCE": "12 0.5"}
    table, other = Table.of(discord, 3), Table.of(discord, 3, number=2)
    await bot.start()
    for each in (table, other):
        await each.begin("saboteur")
        await each.called()
        await each.hand_told()

    def ours(request: Request) -> bool:
        return board_post(request) and request.values["channel_id"] == str(table.channel.id)

    stored = Stored(bot.database)
    for moment in Moment:
        (board, panel), logged, asked = await confirmable(table), len(bot.log()), len(discord.requests)
        discord.faults.swallow(which=ours, moment=moment)
        await confirm(table, panel)
        await discord.until(lambda asked=asked: any(ours(each) for each in discord.requests[asked:]))
        await other.turn()
        assert "no answer in time" not in bot.log()[logged:], "the other table was told during the silence"
        assert [row for row in stored.to_tell(1) if row["kind"] == "board"]
        await patiently(table, bot, lambda: stored.to_tell(1) == [])
        await next_board(table, board)
        (line,) = [line for line in bot.log()[logged:].splitlines() if "telling board" in line]
        assert "no answer in time" in line
    plies = table.offers()
    assert len(plies) == len(set(plies)) == 3


async def test_a_thread_whose_making_was_never_answered_is_found_and_not_made_again(
    discord: Discord, bot: BotProcess
) -> None:
    bot.settings["WIRE_SILENCE"] = "1 0.5"
    table = Table.of(discord, 3)
    await bot.start()
    discord.faults.swallow(which=lambda request: request.path.endswith("/threads"), moment=Moment.AFTER)
    await table.begin("saboteur", where="thread")
    threads = [each for each in discord.world.guilds[table.channel.guild_id or 0].channels.values() if each.kind == 11]
    assert len(threads) == 1
    await patiently(table, bot, lambda: threads[0].messages)
    assert Stored(bot.database).match(1)["thread_id"] == threads[0].id
