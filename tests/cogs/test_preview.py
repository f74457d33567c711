"""The preview: its page over HTTP as a browser would use it, and as a process."""

from __future__ import annotations

import asyncio
import io
import os
import re
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import discord
import pytest
from aiohttp.test_utils import TestClient, TestServer
from discord import app_commands
from discord.ext import commands, tasks
from PIL import Image

from bot import Ambit, main
from cogs.press import components
from cogs.press.custom_ids import Ref
from cogs.preview.web import FILES, PAGE, Site
from cogs.preview.world import World
from games import GAMES
from matches.api import Boards, GuildSettings, MatchId, NewMatch, Person, UserId, Where
from tests.matches.tables import SlowComputers
from tests.store import fresh_file

ROOT = Path(__file__).parent.parent.parent


class Table(discord.ui.View):
    """Two buttons: a private answer, and a DM."""

    @discord.ui.button(label="Whisper", custom_id="whisper")
    async def whisper(self, interaction: discord.Interaction, _: Any) -> None:
        await interaction.response.send_message("For you only.", ephemeral=True)

    @discord.ui.button(label="Hand", custom_id="hand")
    async def hand(self, interaction: discord.Interaction, _: Any) -> None:
        await interaction.response.defer()
        await interaction.user.send(f"The hand of {interaction.user.display_name}.", silent=True)


class Tiny(commands.Cog):
    """A command that opens a thread, and a loop that counts minutes in the channel."""

    def __init__(self, bot: Ambit) -> None:
        self.bot = bot
        self.channel: int | None = None

    @app_commands.command(description="Open a table.")
    async def table(self, interaction: discord.Interaction) -> None:
        assert isinstance(interaction.channel, discord.TextChannel)
        self.channel = interaction.channel.id
        await interaction.response.send_message("The table.", view=Table(timeout=None))
        thread = await (await interaction.original_response()).create_thread(name="Table 1")
        mentions = discord.AllowedMentions(users=[interaction.user])
        await thread.send(f"{interaction.user.mention}, sit down.", allowed_mentions=mentions)

    async def cog_load(self) -> None:
        self.minute.start()

    async def cog_unload(self) -> None:
        self.minute.cancel()

    @tasks.loop(minutes=1)
    async def minute(self) -> None:
        if self.channel is not None:
            await self.bot.get_partial_messageable(self.channel).send("A minute has passed.")


class TinyBot(Ambit):
    async def add_cogs(self) -> None:
        await self.add_cog(Tiny(self))


class Browser:
    """What the page's scripts do, without a screen: follow the state, open places, act in the open one."""

    def __init__(self, client: TestClient[Any, Any]) -> None:
        self.client = client
        self.actions = 0

    async def state(self) -> dict[str, Any]:
        async with self.client.get("/ambit/state") as answer:
            shown: dict[str, Any] = await answer.json()
        return shown

    async def member(self, name: str) -> dict[str, Any]:
        return next(member for member in (await self.state())["members"] if member["name"] == name)

    async def place(self, name: str, place: str) -> dict[str, Any]:
        return next(found for found in (await self.member(name))["places"] if found["name"] == place)

    async def open(self, name: str, place: str) -> dict[str, Any]:
        """Open a place and load it as the frame does. Return what SimCord shows there."""
        wanted = {"member": (await self.member(name))["id"], "place": (await self.place(name, place))["id"]}
        async with self.client.post("/ambit/open", json=wanted) as answer:
            assert answer.status == 200
            state = await answer.json()
        assert (state["member"], state["place"]) == (wanted["member"], wanted["place"])
        return await self.load(state)

    async def load(self, state: dict[str, Any]) -> dict[str, Any]:
        self.headers = {"X-Simcord-Capability": state["frame"].partition("#")[2]}
        self.actions = 0
        async with self.client.post("/api/pages", json={}, headers=self.headers) as answer:
            assert answer.status == 200
            page = await answer.json()
        self.headers["X-Simcord-Context"] = page["context"]["id"]
        return page

    async def page(self) -> dict[str, Any]:
        async with self.client.get("/api/state", headers=self.headers) as answer:
            assert answer.status == 200
            shown: dict[str, Any] = await answer.json()
        return shown

    async def texts(self) -> list[str]:
        page = await self.page()
        return [page["messages"][identity]["content"] for identity in page["timeline"]]

    async def pictures(self) -> list[bytes]:
        """The pictures of the open place, all requested at once as the page does."""

        async def picture(identity: str) -> bytes:
            async with self.client.get(f"/api/assets/{identity}", headers=self.headers) as answer:
                assert (answer.status, answer.content_type) == (200, "image/png")
                return await answer.read()

        page = await self.page()
        shown = [asset["id"] for asset in page["assets"].values() if asset["filename"] == "picture.png"]
        return list(await asyncio.gather(*map(picture, shown)))

    async def run(self, invocation: str, **options: str) -> None:
        async with self.client.get("/api/commands", headers=self.headers) as answer:
            entries = (await answer.json())["entries"]
        entry = next(entry for entry in entries if entry["invocation"] == invocation)
        await self.act(
            kind="run_command",
            command_id=entry["commandId"],
            path=entry["path"],
            schema_fingerprint=entry["schemaFingerprint"],
            options=options,
        )

    async def labels(self) -> list[str]:
        """The labels of the buttons of the last message that has any."""
        page = await self.page()
        rows = [page["messages"][identity]["components"] for identity in page["timeline"]]
        found = [[each.get("label", "") for row in parts for each in row["components"]] for parts in rows]
        return [label for label in next((each for each in reversed(found) if each), []) if label]

    async def press(self, label: str) -> None:
        page = await self.page()
        found = [
            (identity, button["control_key"])
            for identity in page["timeline"]
            for row in page["messages"][identity]["components"]
            for button in row["components"]
            if button.get("label") == label
        ]
        await self.act(kind="click", target_id=found[-1][0], control_key=found[-1][1])

    async def act(self, **body: Any) -> None:
        page = await self.page()
        self.actions += 1
        envelope = {
            "protocol_version": page["protocolVersion"],
            "request_id": f"r{self.actions}",
            "sequence": self.actions,
            "generation": page["context"]["generation"],
            "bot_generation": page["botGeneration"],
            "published_revision": page["publishedRevision"],
        }
        async with self.client.post("/api/action", json=envelope | body, headers=self.headers) as answer:
            receipt = await answer.json()
        assert receipt["settlement"] == "settled", receipt["diagnostics"]


@asynccontextmanager
async def previewing(bot: Ambit, members: int = 3) -> AsyncIterator[tuple[World, Browser]]:
    async with World(bot, members) as world, TestClient(TestServer(Site(world).app)) as client:
        browser = Browser(client)
        await browser.load(await browser.state())
        yield world, browser


async def post(bot: Ambit, world: World, messages: int) -> list[bytes]:
    """Post messages with a button and a picture each, like boards. Return the pictures."""
    pictures = []
    async with world.acting():
        for number in range(messages):
            file = io.BytesIO()
            Image.new("P", (1200, 900), number % 200).save(file, "PNG")
            pictures.append(file.getvalue())
            await bot.get_partial_messageable(world.channel.id).send(
                f"**Gambo #1** · it is the turn of <@{world.members[0].id}>, who has moved `e2 e4` ({number})",
                file=discord.File(io.BytesIO(pictures[-1]), "picture.png"),
                view=components.view(components.button(Ref("more", MatchId(1)), "⋯")),
            )
    return pictures


@pytest.fixture
async def preview(tmp_path: Path) -> AsyncIterator[tuple[World, Browser]]:
    bot = TinyBot(database_url=fresh_file(tmp_path / "ambit.db"), shard_count=1)
    async with previewing(bot) as both:
        yield both


Both = tuple[World, Browser]


async def test_the_bar_lists_every_member_with_the_channel_and_a_dm_of_their_own(preview: Both) -> None:
    _, browser = preview
    state = await browser.state()
    assert [member["name"] for member in state["members"]] == ["Ann", "Bob", "Cleo"]
    for member in state["members"]:
        assert [place["name"] for place in member["places"]] == ["#games", "DM"]
    assert len({member["places"][1]["id"] for member in state["members"]}) == 3


async def test_the_first_member_stands_in_the_channel_at_first(preview: Both) -> None:
    _, browser = preview
    state = await browser.state()
    assert (state["member"], state["place"]) == (state["members"][0]["id"], state["members"][0]["places"][0]["id"])
    assert (await browser.page())["channel"]["name"] == "games"


async def test_a_command_a_private_answer_a_dm_and_a_thread_reach_whom_they_are_for(preview: Both) -> None:
    _, browser = preview
    await browser.run("table")
    await browser.press("Whisper")
    await browser.press("Hand")
    assert "For you only." in await browser.texts()

    await browser.open("Ann", "DM")
    assert await browser.texts() == ["The hand of Ann."]
    await browser.open("Bob", "#games")
    assert "The table." in await browser.texts()
    assert "For you only." not in await browser.texts()
    await browser.open("Bob", "DM")
    assert await browser.texts() == []
    await browser.open("Cleo", "Table 1")
    assert (await browser.texts())[-1].endswith("sit down.")


async def test_what_is_new_is_marked_until_its_member_opens_the_place(preview: Both) -> None:
    _, browser = preview
    await browser.run("table")
    await browser.press("Hand")
    assert (await browser.place("Ann", "#games"))["unread"] == 0
    assert (await browser.place("Bob", "#games"))["unread"] > 0
    assert (await browser.place("Bob", "#games"))["meant"] == 0
    assert (await browser.place("Ann", "DM"))["meant"] == 1
    assert (await browser.place("Ann", "Table 1"))["meant"] == 1
    assert (await browser.place("Bob", "Table 1"))["meant"] == 0
    await browser.open("Ann", "DM")
    assert (await browser.place("Ann", "DM"))["unread"] == 0
    await browser.open("Bob", "#games")
    assert (await browser.place("Ann", "DM"))["unread"] == 0


async def test_what_one_member_writes_is_new_to_the_others(preview: Both) -> None:
    _, browser = preview
    await browser.state()
    await browser.act(kind="send_message", content="Who plays?")
    assert (await browser.place("Ann", "#games"))["unread"] == 0
    assert (await browser.place("Bob", "#games"))["unread"] == 1


async def test_time_passes_for_the_bot_and_what_it_does_appears_on_the_open_page(preview: Both) -> None:
    world, browser = preview
    await browser.run("table")
    for _ in range(11):
        await world.tick(5.0)
    assert "A minute has passed." not in await browser.texts()
    await world.tick(5.0)
    assert (await browser.texts())[-1] == "A minute has passed."


async def test_a_night_with_the_lid_closed_passes_as_seconds(preview: Both) -> None:
    world, browser = preview
    await browser.run("table")
    await world.tick(8 * 3600.0)
    assert "A minute has passed." not in await browser.texts()


async def test_a_tick_in_which_nothing_happens_leaves_the_page_as_it_is(preview: Both) -> None:
    world, browser = preview
    await browser.run("table")
    before = await browser.page()
    await world.tick(1.0)
    assert (await browser.page())["publishedRevision"] == before["publishedRevision"]


async def test_actions_and_ticks_at_the_same_moment_wait_for_each_other(preview: Both) -> None:
    world, browser = preview
    await browser.run("table")
    await asyncio.gather(browser.press("Hand"), world.tick(1.0), world.tick(1.0), browser.state())
    assert (await browser.place("Ann", "DM"))["meant"] == 1


async def test_a_place_that_is_not_there_changes_nothing(preview: Both) -> None:
    _, browser = preview
    before = await browser.state()
    bobs = await browser.place("Bob", "DM")
    for wanted in (
        {"member": before["member"], "place": bobs["id"]},
        {"member": "1", "place": "2"},
        {},
        {"member": []},
    ):
        async with browser.client.post("/ambit/open", json=wanted) as answer:
            assert answer.status == 404
    assert await browser.state() == before


async def test_the_place_is_embedded_by_this_page_only(preview: Both) -> None:
    _, browser = preview
    async with browser.client.get((await browser.state())["frame"].partition("#")[0]) as answer:
        assert "X-Frame-Options" not in answer.headers
        assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
        assert "/ambit/frame.css" in await answer.text()
    async with browser.client.get("/") as answer:
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"}])
async def test_other_sites_are_turned_away(preview: Both, headers: dict[str, str]) -> None:
    _, browser = preview
    for path in ("/", "/ambit/state", "/ambit/place", "/api/state"):
        async with browser.client.get(path, headers=headers) as answer:
            assert answer.status == 403


async def test_a_page_of_a_place_that_was_closed_gets_no_further(preview: Both) -> None:
    _, browser = preview
    old = dict(browser.headers)
    await browser.open("Bob", "#games")
    async with browser.client.get("/api/state", headers=old) as answer:
        assert answer.status == 401


async def test_a_request_while_places_change_is_told_that_its_place_was_closed(preview: Both) -> None:
    world, browser = preview
    with socket.create_server(("127.0.0.1", 0)) as listener:
        world.address = world.address.with_port(listener.getsockname()[1])
    async with browser.client.get("/api/state", headers=browser.headers) as answer:
        assert answer.status == 410


async def test_a_place_that_opens_while_another_one_loads_is_what_is_loaded(preview: Both) -> None:
    world, browser = preview
    asked = asyncio.Event()

    async def closing(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        writer.close()

    frame, address = (await browser.state())["frame"], world.address
    async with await asyncio.start_server(closing, "127.0.0.1", 0) as closed:
        world.address = address.with_port(closed.sockets[0].getsockname()[1])
        async with world.busy:
            loading = asyncio.ensure_future(browser.client.get(frame.partition("#")[0]))
            await asked.wait()
            world.address = address
        async with await loading as answer:
            assert answer.status == 200
            assert "/ambit/frame.css" in await answer.text()


async def test_the_browser_keeps_no_answer_least_of_all_a_refusal(preview: Both) -> None:
    world, browser = preview
    answers = []
    for path in ("/", "/ambit/state", "/ambit/place", "/app.js", "/api/state", "/not-there"):
        async with browser.client.get(path) as answer:
            answers.append(answer)
    async with browser.client.post("/ambit/open", json={}) as answer:
        answers.append(answer)
    async with browser.client.get("/", headers={"Host": "evil.example"}) as answer:
        answers.append(answer)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        world.address = world.address.with_port(listener.getsockname()[1])
    async with browser.client.get("/ambit/place") as answer:
        answers.append(answer)
    assert {answer.status for answer in answers} >= {200, 401, 403, 404, 410}
    assert {answer.headers["Cache-Control"] for answer in answers} == {"no-store"}


async def test_of_two_tabs_the_later_has_the_page_until_the_other_takes_it_back(preview: Both) -> None:
    _, browser = preview

    async def ask(path: str, tab: str) -> tuple[int, Any]:
        ann = await browser.member("Ann")
        wanted = {"tab": tab, "member": ann["id"], "place": ann["places"][1]["id"]}
        async with browser.client.post(path, json=wanted) as answer:
            return answer.status, await answer.json() if answer.status == 200 else await answer.text()

    for here, there in (("one", "another"), ("another", "one"), ("one", "another")):
        status, state = await ask("/ambit/here", here)
        assert (status, state["tab"]) == (200, here)
        assert (await ask("/ambit/open", there))[0] == 409
        assert (await browser.state())["opened"] == state["opened"]
        status, state = await ask("/ambit/open", here)
        assert (status, state["opened"], state["tab"]) == (200, (await browser.state())["opened"], here)


async def test_a_picture_is_handed_on_as_it_was_posted_and_decoded_by_the_browser_alone(tmp_path: Path) -> None:
    bot = TinyBot(database_url=fresh_file(tmp_path / "ambit.db"), shard_count=1)
    async with previewing(bot) as (world, browser):
        posted = await post(bot, world, 6)
        await browser.open("Ann", "#games")
        assert sorted(await browser.pictures()) == sorted(posted)


async def test_an_action_takes_hardly_longer_however_much_was_said_in_the_channel(tmp_path: Path) -> None:
    """Counts function calls, which don't depend on the machine's load."""

    async def calls() -> int:
        counted = 0

        def count(frame: Any, event: str, argument: Any) -> None:
            nonlocal counted
            counted += event == "call"

        await browser.open("Ann", "#games")
        sys.setprofile(count)
        try:
            await browser.run("gambo rules")
            await browser.state()
        finally:
            sys.setprofile(None)
        return counted

    bot = Ambit(database_url=fresh_file(tmp_path / "ambit.db"), shard_count=1)
    async with previewing(bot) as (world, browser):
        await post(bot, world, 10)
        await calls()
        with_ten = await calls()
        await post(bot, world, 188)
        with_200 = await calls()
    assert with_200 <= 2 * with_ten, f"{with_ten} calls with 10 messages, {with_200} with 200"


def test_the_page_uses_nothing_from_elsewhere() -> None:
    for name, _ in FILES.values():
        text = (PAGE / name).read_text("utf-8")
        assert "http:" not in text
        assert "https:" not in text
        assert "//cdn" not in text


async def test_a_match_names_whose_turn_it_is_and_where(tmp_path: Path) -> None:
    bot = Ambit(database_url=fresh_file(tmp_path / "ambit.db"), shard_count=1)
    async with previewing(bot, members=10) as (world, browser):
        info = GAMES["saboteur"].info
        await browser.run("saboteur new", players=str(info.min_players))
        for member in world.members[1 : info.min_players]:
            await browser.open(member.user.global_name or "", "#games")
            await browser.press("Join")
        (turn,) = (await browser.state())["turns"]
        (thread,) = world.channel.threads
        (match,) = await bot.host.look.matches_in(thread.id)
        assert match.to_move is not None
        assert turn["member"] == str(match.seats[match.to_move].user_id)
        assert turn["match"] == f"{info.name} #{match.id}"
        await browser.open(turn["name"], "Saboteur #1")
        assert await browser.texts()


async def test_a_turn_is_named_as_soon_as_it_is_stored_whenever_its_board_is_posted(tmp_path: Path) -> None:
    bot = Ambit(database_url=fresh_file(tmp_path / "ambit.db"), shard_count=1)
    async with World(bot, 2) as world:
        ann, bob = (Person(UserId(member.id), member.name) for member in world.members)
        match = await bot.host.lobby.open(NewMatch("gambo", channel_id=world.channel.id), ann)
        await world.look()
        assert world.turns == ()
        await bot.host.lobby.join(match.id, bob)
        await world.look()
        assert [turn.match for turn in world.turns] == [f"Gambo #{match.id}"]


async def test_a_board_that_is_edited_and_calls_that_go_are_shown_as_they_are(tmp_path: Path) -> None:
    bot = Ambit(database_url=fresh_file(tmp_path / "ambit.db"), shard_count=1)
    async with previewing(bot, members=2) as (world, browser):
        changed = GuildSettings(boards=Boards.ONE, where=Where.CHANNEL)
        await bot.host.settings.set_guild_settings(world.channel.guild.id, changed)
        await browser.run("gambo new")
        await browser.open("Bob", "#games")
        await browser.press("Join")
        seen = []
        for _ in range(3):
            (turn,) = (await browser.state())["turns"]
            await browser.open(turn["name"], "#games")
            await browser.press("Play")
            while "Confirm" not in await browser.labels():
                await browser.press((await browser.labels())[0])
            await browser.press("Confirm")
            await world.tick(5.0)
            await world.tick(5.0)
            (turn,) = (await browser.state())["turns"]
            await browser.open(turn["name"], "#games")
            boards = [text for text in await browser.texts() if "'s turn" in text]
            calls = [text for text in await browser.texts() if "Go to the board" in text]
            seen.append((len(boards), len(calls)))
        assert seen == [(1, 1)] * 3


async def test_a_table_is_open_from_the_start_and_the_page_says_how_to_open_another(tmp_path: Path) -> None:
    bot = Ambit(database_url=fresh_file(tmp_path / "ambit.db"), shard_count=1)
    async with previewing(bot, members=2) as (world, browser):
        await world.open_table()
        assert (await browser.state())["alone"] == "/play"
        await browser.press("Join")
        (turn,) = (await browser.state())["turns"]
        assert turn["match"].startswith("Gambo")


async def test_whoever_is_alone_begins_with_the_command_that_the_page_says(tmp_path: Path) -> None:
    bot = Ambit(database_url=fresh_file(tmp_path / "ambit.db"), shard_count=1)
    async with previewing(bot, members=1) as (world, browser):
        await world.open_table()
        assert await browser.texts() == []
        await browser.run((await browser.state())["alone"].removeprefix("/"))
        assert await browser.texts() == ["It isn't your turn anywhere."]


async def test_while_a_computer_thinks_the_bar_says_so(tmp_path: Path) -> None:
    computers = SlowComputers(answering=True)
    bot = Ambit(database_url=fresh_file(tmp_path / "ambit.db"), computers=computers, shard_count=1)
    async with previewing(bot, members=1) as (world, browser):
        (ann,) = world.members
        match = await bot.host.lobby.open(
            NewMatch("gambo", channel_id=world.channel.id), Person(UserId(ann.id), ann.name)
        )
        match = await bot.host.lobby.add_computer(match.id, UserId(ann.id))
        while not (await browser.state())["turns"]:
            await world.tick(5.0)
        assert (await browser.state())["thinking"] == []
        computers.answer.clear()
        match = await bot.host.look.match(match.id)
        async with world.acting():
            while match.mover is None or match.mover.computer is None:
                move = (await bot.host.look.view(match.id, UserId(ann.id))).moves[0].text
                match = await bot.host.play.act(match.id, UserId(ann.id), move)
        state = await browser.state()
        computers.answer.set()
        assert state["thinking"] == [f"Gambo #{match.id}: {match.mover.name} is thinking."]
        assert state["turns"] == []


# The command line.


def test_a_port_in_use_is_one_sentence(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AMBIT_TEST_SERVER", raising=False)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["--preview", "--port", str(taken.getsockname()[1])]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.fullmatch(r"[^\n]*--port[^\n]*\n", printed.err)


async def test_the_preview_tells_its_address_and_ends_cleanly_when_it_is_stopped(tmp_path: Path) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.upper().startswith("AMBIT_")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, str(ROOT / "bot.py"), "--preview", "--port", "0", "--members", "2"),
        cwd=tmp_path,
        env=clean | {"TMPDIR": str(tmp_path), "AMBIT_DATABASE": f"sqlite+aiosqlite:///{tmp_path}/in-use.db"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    sentence = (await asyncio.wait_for(process.stdout.readline(), 60)).decode()
    port = int(sentence.partition("127.0.0.1:")[2].partition("/")[0])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /ambit/state HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
    answer = await asyncio.wait_for(reader.read(), 60)
    writer.close()
    assert answer.startswith(b"HTTP/1.1 200")
    assert b'"Bob"' in answer
    process.terminate()
    _, err = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0
    assert b"Traceback" not in err
    assert os.listdir(tmp_path) == []
