"""A table in SimCord: the real bot, a server with a channel, and people who press what they can see."""

import asyncio
import random
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import discord
import simcord
from simcord.actors import MemberActor, MessageLike
from simcord.builders import ChannelHandle
from simcord.results import InteractionResult, to_discord_message

from bot import Ambit, DiscordClock
from cogs import internals
from cogs.lobby import lobby_post
from cogs.press import components
from cogs.press.custom_ids import BETWEEN, MENU, TYPED, Ref, parse
from cogs.text.words import MORE
from matches.api import GuildSettings, ManualClock, Match, MatchId, UserId, Where
from tests.store import fresh

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ida", "Jon")
LONG: dict[str, dict[str, str]] = {"ambagibus": {"variant": "advanced"}}
"""Options with which a match lasts for some moves, whatever is dealt: the basic game may end with the first."""

TICK = 6.0
"""Seconds within which the bot looks at the clock at least once."""

AT_REST = 240.0
"""Seconds after which a bot that is still at work hangs, however busy the machine is.

SimCord waits for every timer that ends sooner. asyncpg has one of 300 s for each prepared statement.
"""

TERMS: Final = ("where", "pace", "rated", "undo", "join", "start")
"""What the host changes at the table; the rest is said to the command."""

FIRST_ID: Final = 1000
"""The last part of the first id at a table. The bot and its commands have lower ones."""

_TURN = re.compile(r"<@(\d+)>, it's your turn")


def entropy(count: int) -> bytes:
    """The same seed for every match. With the match's number it makes a test reproducible."""
    return bytes(range(count))


class SimulatedClock(DiscordClock):
    """SimCord's time, the only time that passes there, also in the threads of the store once its `env` is known."""

    env: simcord.Env | None = None

    def now(self) -> datetime:
        return super().now() if self.env is None else self.env.backend.clock.now()

    def passed(self) -> float:
        return self.now().timestamp()


def make_bot(path: Path, entropy: Callable[[int], bytes] = entropy, **options: Any) -> Ambit:
    """The real bot, on a new database. Its time is SimCord's, even if a server has its own."""
    return Ambit(database_url=fresh(path), entropy=entropy, shard_count=1, **{"clock": SimulatedClock()} | options)


class Member(MemberActor):
    """A member who presses what they were shown."""

    def __init__(self, member: MemberActor) -> None:
        super().__init__(member._env, member.guild, member.user)

    @property
    def id(self) -> UserId:
        return UserId(super().id)

    async def click(
        self, message: MessageLike | None, *, label: str | None = None, custom_id: str | None = None
    ) -> InteractionResult:
        assert message is not None, "nothing was shown"
        return await super().click(message, label=label, custom_id=custom_id)

    async def select(
        self, message: MessageLike | None, values: Sequence[Any], *, custom_id: str | None = None
    ) -> InteractionResult:
        assert message is not None, "nothing was shown"
        return await super().select(message, values, custom_id=custom_id)


class Table:
    """One channel with its people."""

    def __init__(self, env: simcord.Env, path: Path, channel: ChannelHandle, people: tuple[Member, ...]) -> None:
        self.env = env
        self.path = path
        self.channel = channel
        self.people = people

    @property
    def bot(self) -> Ambit:
        assert isinstance(self.env.bot, Ambit)
        return self.env.bot

    def person(self, user_id: int | None) -> Member:
        return next(person for person in self.people if person.id == user_id)

    async def restart(self, **options: Any) -> None:
        """The bot dies, and a new one starts on the same store."""
        await self.leave()
        successor = make_bot(self.path, **options)
        self.keep_time(successor)
        await self.env.restart_bot(successor)

    def keep_time(self, bot: Ambit) -> None:
        """Let a bot's clock show SimCord's time everywhere, unless a test moves it."""
        clock = bot._clock
        if isinstance(clock, SimulatedClock):
            clock.env = self.env

    async def leave(self) -> None:
        """Release what ends with a process: SimCord leaves a bot without closing it."""
        self.bot.computers.close()
        await self.bot.database.close()

    def forget_servers(self) -> None:
        """Forget all servers before each press from now on, as if the bot had resumed a session."""
        self.bot.servers._before("INTERACTION_CREATE", lambda _: self.drop_servers())

    def drop_servers(self) -> None:
        """Forget all servers, as if the bot had resumed a session."""
        for guild in self.bot.guilds:
            internals.drop_guild(self.bot, guild)

    async def told(self) -> None:
        """Wait until the scheduler has nothing to do, after somebody has acted at the host without Discord."""
        while tasks := self.bot.scheduler.tasks:
            await asyncio.wait(tasks)

    async def unannounced(self, number: MatchId, rng: random.Random) -> None:
        """A move at random by the host alone. It is announced together with the next one through Discord."""
        host = self.bot.host
        mover = (await host.look.match(number)).mover
        assert mover is not None
        assert mover.user_id is not None
        view = await host.look.view(number, mover.user_id)
        ring, host.work.on_commit = host.work.on_commit, None
        await host.play.act(number, mover.user_id, rng.choice(view.moves).text)
        host.work.on_commit = ring

    def close_dms(self) -> None:
        """From now on nobody accepts direct messages."""
        for person in self.people:
            self.env.inject_error(
                "POST", f"/channels/{person.user.dm_channel.id}/messages", status=403, code=50007, times=None
            )

    def latest(self, label: str, channel: ChannelHandle | None = None) -> discord.Message:
        """The newest message in the channel that has a button with this label."""
        for message in self.newest_first(channel or self.channel):
            if any(label == button.label for button in buttons(message)):
                return message
        raise AssertionError(f"no message has a button {label!r}")

    def newest_first(self, channel: ChannelHandle) -> Iterator[discord.Message]:
        """The public messages of a channel, each copied when asked for; `history` copies the whole match."""
        stored = self.env.backend.messages.get(channel.id, {})
        for _, message in sorted(stored.items(), reverse=True):
            if message.visible_to(None):
                yield to_discord_message(self.env, message)

    async def open(
        self, game: str, *, by: Member | None = None, channel: ChannelHandle | None = None, **options: Any
    ) -> MatchId:
        """The first person opens a rated table, unless somebody else does elsewhere. Return the number of the match.

        Options of the command are given to it. What a host can change at the table is changed at once.
        """
        by, channel, said = by or self.people[0], channel or self.channel, {"rated": "yes", **options}
        terms = {name: said.pop(name) for name in TERMS if name in said}
        await by.slash(channel, f"{game} new", **said)
        found = re.search(r"#(\d+)", self.latest("Join", channel).content)
        assert found is not None
        number, lobby = MatchId(int(found[1])), self.bot.host.lobby
        for name, word in terms.items():
            match, details = await self.bot.host.look.match(number), await self.bot.host.look.details(number)
            if name == "where" and match.where is not Where(word) and not match.in_thread:
                await lobby.switch_place(number, by.id)
            elif name == "start" and details.host_starts is not (word == "host"):
                await lobby.switch_start(number, by.id)
            elif (term := lobby_post.terms(match).get(name, {}).get(word)) and not term.is_of(match, details):
                await lobby.agree(number, by.id, **term.means)
        await self.told()
        return number

    async def begin(self, game: str, sitting: int, **options: Any) -> MatchId:
        """Open a table, let people join, start. Return the number of the match."""
        number = await self.open(game, **options)
        lobby = self.latest("Join")
        for person in self.people[1:sitting]:
            await person.click(lobby, label="Join")
        if "Start" in labels(self.refreshed(lobby)):
            await self.people[0].click(lobby, label="Start")
        return number

    def refreshed(self, message: MessageLike | None) -> discord.Message:
        """The current state of the message."""
        assert message is not None, "nothing was shown"
        return to_discord_message(self.env, self.env.backend.messages[self.channel.id][message.id])

    def place(self) -> ChannelHandle:
        """The place of the newest match: the latest thread, otherwise the channel."""
        return self.channel.threads[-1] if self.channel.threads else self.channel

    def mover(self, message: discord.Message) -> Member | None:
        """The person mentioned on a board post as the one whose turn it is."""
        found = _TURN.search(message.content)
        return self.person(int(found[1])) if found else None

    def to_play(self) -> tuple[Any, discord.Message]:
        """The person whose turn it is, and the message with **Play** that told them: a DM in a series of picks, else
        the post.
        """
        board = self.latest("Play", self.place())
        newest_dm, whose = board, None
        for person in self.people:
            message = next(self.newest_first(person.user.dm_channel), None)
            if message is not None and "Play" in labels(message) and message.id > newest_dm.id:
                newest_dm, whose = message, person.user
        if whose is not None and "it's your turn" in newest_dm.content.lower():
            return whose, newest_dm
        actor = self.mover(board)
        assert actor is not None, board.content
        return actor, board


def private(result: Any) -> Any:
    """The private answer to a press: the first message, or the last one if the pressed one was changed first."""
    return result.response if result.response.ephemeral or not result.followups else result.followups[-1]


def buttons(message: Any) -> list[discord.Button]:
    """All buttons of a message."""
    message = getattr(message, "message", message)
    return [
        item
        for row in message.components
        if isinstance(row, discord.ActionRow)
        for item in row.children
        if isinstance(item, discord.Button)
    ]


def labels(message: Any) -> list[str]:
    """The labels of all buttons of a message."""
    return [button.label or "" for button in buttons(message)]


def strip(message: Any) -> Any:
    """The one picture of a lobby message."""
    (picture,) = message.attachments
    assert picture.filename.startswith("lobby-")
    return picture


def menu(message: Any) -> discord.SelectMenu | None:
    """The menu of a message, if it has one."""
    message = getattr(message, "message", message)
    for row in message.components:
        if isinstance(row, discord.ActionRow):
            for item in row.children:
                if isinstance(item, discord.SelectMenu):
                    return item
    return None


def entries(shown: Any) -> list[str]:
    """The entries of an open panel, one after the other: the ids of its buttons, or the values of its menu."""
    picking = menu(shown)
    if picking is not None:
        return [option.value for option in picking.options]
    found = [button.custom_id or "" for button in buttons(shown)]
    offered = [custom_id for custom_id in found if re.match(r"b:[a-z]*pick:", custom_id)]
    assert offered, f"the panel has nothing to press: {shown.content}"
    return offered


_VERBS: Final = {"cancel": "askcancel", "leave": "askdepart", "move": "movehere", "verify": "fair"}
"""The verbs of buttons on the page of a match, where they aren't called like the deed."""


async def at_match(actor: Any, place: Any, deed: str, match: int | None = None) -> Any:
    """Use ``/match``, in a direct message without a `place`, and press the button for this deed. Return the answer.

    Without a number the first match is meant. A button that isn't there is pressed on a message of its own, as by a
    client that forges one, so that the answer says why.
    """
    given = {} if match is None else {"match": match}
    shown = await (actor.slash("match", **given) if place is None else actor.slash(place, "match", **given))
    picked = _button(shown.response, "match")
    if picked is not None:
        shown = await actor.click(shown.response, custom_id=picked)
    verb = _VERBS.get(deed, deed)
    custom_id = _button(shown.response, verb) or _button(shown.response, deed)
    if custom_id is None:
        number = match if match is not None else _number(shown.response)
        return shown if number is None else await _forged(actor, place, Ref(verb, MatchId(number)))
    return await actor.click(shown.response, custom_id=custom_id)


def _button(message: Any, verb: str) -> str | None:
    """The id of a message's first button of this verb, ``None`` if there is none."""
    found = (button.custom_id or "" for button in buttons(message))
    return next((each for each in found if each.startswith(f"b:{verb}:")), None)


def _number(message: Any) -> int | None:
    """The number of the match that a message is about."""
    found = re.search(r"#(\d+)", message.content)
    return int(found[1]) if found else None


async def _forged(actor: Any, place: Any, ref: Ref) -> Any:
    """Press a button that isn't there, on a message of its own. Return the private answer to it."""
    channel = await actor._env.bot.fetch_channel((actor.dm_channel if place is None else place).id)
    posted = await channel.send("here", view=components.view(components.button(ref, "Forged")))
    result = await actor.click(posted, label="Forged")
    told = SimpleNamespace(response=private(result), followups=result.followups, acknowledged=result.acknowledged)
    if told.response.id != posted.id:
        await posted.delete()
    return told


async def finished(actor: Any, place: Any, label: str = "") -> Any:
    """Use ``/match`` and press **Finished matches**, and then this button. Return the answer."""
    shown = await (actor.slash("match") if place is None else actor.slash(place, "match"))
    shown = await actor.click(shown.response, label="Finished matches")
    return await actor.click(shown.response, label=label) if label else shown


async def cancel(actor: Any, place: Any, **options: Any) -> Any:
    """**End …**, and Yes if it asks. Return the last answer."""
    asked = await at_match(actor, place, "cancel", **options)
    (*_, yes) = labels(asked.response) or [""]
    return asked if not yes else await actor.click(asked.response, label=yes)


async def behind(actor: Any, message: Any, *wanted: str) -> Any:
    """Press **⋯** under a message, and then these buttons of the private answers. Return the last answer."""
    answered = await actor.click(message, label=MORE)
    for label in wanted:
        answered = await actor.click(private(answered), label=label)
    return answered


async def set_to(actor: Any, *command: Any, **words: str) -> Any:
    """Choose these words on pages of ``/settings me`` or ``/settings server``. Return the answer to the last press."""
    shown = await actor.slash(*command)
    verb = {"settings me": "setme", "settings server": "setserver"}[command[-1]]
    for setting, word in words.items():
        page = (await actor.select(shown.response, [setting], custom_id=Ref(verb).custom_id(MENU))).response
        shown = await actor.click(page, custom_id=Ref(verb, path=(setting, word)).custom_id())
    return shown


async def fill_in(actor: Any, opened: Any, text: str) -> Any:
    """Write this into the form that a press has opened, and send it."""
    (row,) = opened.modal["components"]
    return await actor.submit_modal(opened, {row["component"]["custom_id"]: text})


async def away(room: Table, actor: Any, until: str) -> Any:
    """Choose **Another time …** after **Away**, and write this."""
    place = getattr(actor, "dm_channel", room.channel)
    offered = components.view(components.button(Ref("away"), "Away"))
    message = await room.bot.get_partial_messageable(place.id).send("here", view=offered)
    asked = (await actor.click(message, label="Away")).response
    return await fill_in(actor, await actor.select(asked, [TYPED]), until)


async def change(host: Any, lobby: Any, label: str) -> Any:
    """The host presses **Change …** behind **⋯** of a lobby, and then this button."""
    return await behind(host, lobby, "Change …", label)


async def hinted(actor: Any, place: Any, **options: Any) -> Any:
    """**Hint**, and Show if it asks. Return the last answer."""
    asked = (await at_match(actor, place, "hint", **options)).response
    return (await actor.click(asked, label="Show")).response if "Show" in labels(asked) else asked


async def pick(actor: Any, shown: Any, entry: str) -> Any:
    """Pick an entry of `entries`."""
    if menu(shown) is not None:
        return await actor.select(shown, [entry])
    return await actor.click(shown, custom_id=entry)


def path_of(shown: Any, entry: str) -> tuple[str, ...]:
    """The choices to which an entry leads."""
    picking = menu(shown)
    ref = parse(entry if picking is None else picking.custom_id)
    assert ref is not None
    return ref.path if picking is None else (*ref.path, *entry.split(BETWEEN))


async def choose(actor: Any, shown: Any, choices: tuple[str, ...]) -> Any:
    """Make these choices in an open panel. Return the panel with its **Confirm**."""
    for _ in range(12):
        confirmed = next((button.custom_id for button in buttons(shown) if button.label == "Confirm"), None)
        ref = parse(confirmed) if confirmed else None
        if ref is not None and ref.path == choices:
            return shown
        paths = {entry: path_of(shown, entry) for entry in entries(shown)}
        # The only button of a card that can lie in several ways is **Turn**.
        entry = next((entry for entry, path in paths.items() if choices[: len(path)] == path), next(iter(paths)))
        shown = (await pick(actor, shown, entry)).response
    raise AssertionError("the panel does not lead there")


async def play_by_panel(actor: Any, message: Any, rng: random.Random) -> Any:
    """Press **Play** and pick at random until **Confirm**. Return the message that held the panel."""
    shown = (await actor.click(message, label="Play")).response
    assert shown is not None, "Play was not answered"
    return await go_through_panel(actor, shown, rng)


async def go_through_panel(actor: Any, shown: Any, rng: random.Random) -> Any:
    """Pick at random in an open panel until **Confirm** is pressed."""
    for _ in range(12):
        if "Confirm" in labels(shown):
            return (await actor.click(shown, label="Confirm")).response
        shown = (await pick(actor, shown, rng.choice(entries(shown)))).response
        assert shown is not None, "a pick was not answered"
    raise AssertionError("the panel has no end")


def number_from(env: simcord.Env, number: int) -> None:
    """Continue the ids of this moment at `number`, however many ids the commands have taken.

    Deals follow from ids, and must not follow from how many commands exist.
    """
    (moment,) = env.backend._sequences
    assert env.backend._sequences[moment] < number
    env.backend._sequences[moment] = number


@asynccontextmanager
async def table(
    path: Path, players: int = 3, denied: str | None = None, *, threads: bool = False, **bot_options: Any
) -> AsyncIterator[Table]:
    """A running bot, a server, a channel and `players` people. The bot has all permissions there except `denied`.

    The server has chosen that matches are played in the channel. With `threads` it has chosen nothing.
    """
    async with simcord.run(make_bot(path, **bot_options), shard_count=1, settle_timeout=AT_REST) as env:
        number_from(env, FIRST_ID)
        guild = env.create_guild("The Tavern")
        overwrites: Any = {env.bot.user: discord.PermissionOverwrite(**{denied: False})} if denied else {}
        channel = guild.create_text_channel("games", overwrites=overwrites)
        people = tuple(Member(guild.add_member(env.create_user(name))) for name in NAMES[:players])
        room = Table(env, path, channel, people)
        room.keep_time(room.bot)
        if not threads:
            await in_the_channel(room)
        try:
            yield room
        finally:
            await room.leave()


async def in_the_channel(room: Table) -> None:
    """Let the server choose that matches are played in the channel."""
    await room.bot.host.settings.set_guild_settings(room.channel.guild.id, GuildSettings(where=Where.CHANNEL))


def with_right(room: Table, name: str, **rights: bool) -> Member:
    """Another member, with a role that has these permissions."""
    guild = room.channel.guild
    role = guild.create_role(name, permissions=discord.Permissions(**rights))
    return Member(guild.add_member(room.env.create_user(name), roles=[role]))


class Clocked(Table):
    """A table whose time only the test advances."""

    def __init__(self, room: Table, clock: ManualClock) -> None:
        super().__init__(room.env, room.path, room.channel, room.people)
        self.clock = clock

    @property
    def room(self) -> Table:
        """Return the table itself."""
        return self

    async def later(self, **time: float) -> None:
        """Let time pass, and the bot look at the clock."""
        self.clock.advance(timedelta(**time))
        await self.env.advance_time(TICK)

    async def restart(self, **options: Any) -> None:
        """The bot dies, and a new one starts with the same clock and the same store."""
        await super().restart(clock=self.clock, **options)

    async def match(self) -> Match:
        return await self.bot.host.look.match(MatchId(1))

    async def move(self) -> None:
        """The person whose turn it is moves, by command in a DM, whatever has happened to the channel."""
        mover = (await self.match()).mover
        assert mover.user_id is not None
        view = await self.bot.host.look.view(MatchId(1), mover.user_id)
        person = self.person(mover.user_id)
        game = view.match.game
        result = await person.user.slash(f"{game} play", match=1, move=random.Random(view.ply).choice(view.moves).text)
        assert result.response is not None


@asynccontextmanager
async def clocked(path: Path, people: int) -> AsyncIterator[Clocked]:
    """A table like `table`, whose clock stands still."""
    clock = ManualClock()
    async with table(path, people, clock=clock) as room:
        yield Clocked(room, clock)
