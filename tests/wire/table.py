"""A table on the wire: people who open a match, read the board, and play by the panel or by commands.

They choose by a rule that knows only what they are offered. So two runs of the same match go the same way, however
often the bot dies in between.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, Final

from cogs.text.words import MORE
from games import GAMES

from .bot_process import BotProcess
from .discord_standin import Answer, Channel, Discord, Message, Person, Request
from .discord_standin.people import MENU

NAMES: Final = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ida", "Jon")
_TURN: Final = re.compile(r"<@(\d+)>, it's your turn")
_TITLE: Final = re.compile(r"#(\d+)\*\*")
MAX_STEPS: Final = 40

DEALT: Final = "the cards have been dealt"
"""What everybody is told in private when a round begins, and at no other time."""

OLD_BOARD: Final = re.compile(r"^-# (Then: |The match goes on in <#|\[Newest board\])", re.MULTILINE)
"""What an old board says in place of whose turn it is."""


def chosen(options: list[str], salt: str) -> str:
    """One of the options, always the same one for the same options."""
    ranked = sorted(options, key=lambda option: hashlib.sha256(f"{salt}|{option}".encode()).digest())
    return ranked[0]


def labels(message: Message) -> list[str]:
    """The labels of the buttons under a message."""
    return [part["label"] for part in message.parts() if "label" in part]


def tidies(request: Request) -> bool:
    """Whether nobody waits for a request: it deletes an old message, takes its buttons, or says that a turn is over."""
    content = str(request.body.get("content") or "") if isinstance(request.body, dict) else ""
    if request.method != "PATCH" or not content:
        return request.method in ("DELETE", "PATCH")
    if OLD_BOARD.search(content):
        return True
    return "go to the table" in content and "your turn" not in content and DEALT not in content


def _is_board(message: Message) -> bool:
    """Whether this is a board, perhaps an old one without **Play**, or a call."""
    return (
        message.visible_to is None and not {"Play", MORE}.isdisjoint(labels(message)) and "Join" not in labels(message)
    )


def is_panel(message: Message | None) -> bool:
    """Whether this is a panel, in which somebody picks or confirms their move."""
    verbs = {part["custom_id"].split(":")[1] for part in (message.parts() if message else ())}
    return not {"pick", "confirm"}.isdisjoint(verbs)


async def behind(person: Person, message: Message, label: str) -> Answer:
    """Press **⋯** under a message, and then this button."""
    more = (await person.press(message, MORE)).message
    assert more is not None
    return await person.press(more, label)


def _id(number: int, what: int) -> int:
    """A snowflake. A server's with an even `number` belongs to shard 0 of two."""
    return (number << 22) + (1 << 60) + what


async def served_by_two(two_bots: tuple[Discord, BotProcess, BotProcess], count: int) -> Table:
    """Return a table of this many people, and start both processes.

    The second process hears its server, the first its people's DMs.
    """
    discord, *bots = two_bots
    table = Table.of(discord, count, number=3)
    for bot in bots:
        await bot.start()
    return table


@dataclass(repr=False)
class Table:
    """One channel and its people; a different `salt` makes matches go differently."""

    discord: Discord
    people: tuple[Person, ...]
    channel: Channel
    salt: str = ""
    moves: int = 0
    answers: list[Answer] = field(default_factory=list)

    @classmethod
    def of(cls, discord: Discord, count: int, *, salt: str = "", number: int = 1) -> Table:
        """A server with this many people and one channel, always with the same ids for the same `number`."""
        people = tuple(discord.person(name, _id(number, seat)) for seat, name in enumerate(NAMES[:count], 1))
        guild = discord.world.guild(f"Club {number}", *(person.user for person in people), id=_id(number, 0))
        return cls(discord, people, discord.world.text_channel(guild, "games", _id(number, 99)), salt)

    def person(self, user_id: int) -> Person:
        """The person with this snowflake."""
        return next(person for person in self.people if person.id == user_id)

    @property
    def place(self) -> Channel:
        """The place of the match: the thread, once there is one."""
        every = self.discord.world.guilds[self.channel.guild_id or 0].channels.values()
        threads = [each for each in every if each.parent_id == self.channel.id]
        return threads[-1] if threads else self.channel

    # The lobby.

    async def opened(self, game: str = "saboteur", **options: Any) -> Message:
        """The message of a lobby that the first person opens.

        It is the answer to the command, or follows it if the bot was slow and deferred the answer. The match is played
        in the channel unless the options say otherwise.
        """
        known = set(self.channel.messages)
        terms = {
            name: options.pop(name, word) for name, word in {"where": "channel", "rated": "yes", "pace": ""}.items()
        }
        host = self.people[0]
        await host.command(self.channel, f"{game} new", **options)
        lobby, *_ = await self.discord.until(
            lambda: [each for each in self._lobbies() if each.id not in known], place=self.channel
        )
        number = self.number(lobby)
        page = await self.asked(host.press(await self.asked(host.press(lobby, MORE)), "Change …"))
        if {"channel": "In the channel", "thread": "In a thread"}[terms.pop("where")] in labels(page):
            await host.forge(page, f"b:where:{number}:::")
        for about, word in terms.items():
            if word:
                await host.forge(page, f"b:terms:{number}:::{about}|{word}")
        return lobby

    def _lobbies(self) -> list[Message]:
        return [each for each in self.channel.messages.values() if each.visible_to is None and "Join" in labels(each)]

    async def begin(self, game: str, **options: Any) -> int:
        """Open a table, let as many people join as can play, start. Return the number of the match."""
        host, *others = self.people[: GAMES[game].info.max_players]
        lobby = await self.opened(game, **options)
        for person in others:
            await person.press(lobby, "Join")
        if "Start" in labels(lobby):
            await host.press(lobby, "Start")
        return self.number(lobby)

    @staticmethod
    def number(message: Message) -> int:
        """The number of the match that a message is about."""
        found = _TITLE.search(message.content)
        assert found is not None, message.content
        return int(found[1])

    # The board.

    def boards(self) -> list[Message]:
        """All board posts, oldest first."""
        return [message for message in self.place.messages.values() if _is_board(message)]

    def offers(self) -> list[str]:
        """The **Play** or **Rematch** that each board post has, or had before it was tidied up, oldest first."""
        had = {str(board.id): "" for board in self.boards()}
        for _, _, _, shown in self.discord.world.shown:
            if shown["id"] in had:
                parts = (part for row in shown["components"] for part in row.get("components", ()))
                offered = (part["custom_id"] for part in parts if part.get("label") in ("Play", "Rematch"))
                had[shown["id"]] = next(offered, had[shown["id"]])
        return list(had.values())

    def check_told_once(self) -> None:
        """Check that no board and no hand was posted twice."""
        boards = self.offers()
        assert len(boards) == len(set(boards)), f"a board was posted twice: {boards}"
        for person in self.people:
            hands = [
                self.button(each, "Play")["custom_id"] for each in person.sees(person.dm) if "Play" in labels(each)
            ]
            assert len(hands) == len(set(hands)), f"{person.user.global_name} got a hand twice: {hands}"

    def latest(self) -> Message | None:
        """The newest board post."""
        return next((message for message in reversed(self.place.messages.values()) if _is_board(message)), None)

    def shown(self) -> str | None:
        """What the newest board post offers: its **Play** or **Rematch**. It changes when a turn is over."""
        latest = self.latest()
        parts = [] if latest is None else latest.parts()
        return next((part["custom_id"] for part in parts if part.get("label") in ("Play", "Rematch")), None)

    @property
    def over(self) -> bool:
        """Whether the final board is there."""
        latest = self.latest()
        return latest is not None and "Rematch" in labels(latest)

    def mover(self) -> Person | None:
        """The person whom the newest board post calls. One that was tidied up calls nobody any more."""
        latest = self.latest()
        called = _TURN.search(latest.content) if latest is not None and "Play" in labels(latest) else None
        return None if called is None else self.person(int(called[1]))

    def on_turn(self) -> Person:
        """The person whom the newest board post calls. Raises AssertionError if it calls nobody."""
        person = self.mover()
        assert person is not None
        return person

    async def called(self, seconds: float = 20.0) -> Message:
        """The newest board post, once it calls somebody or is the last."""
        await self.discord.until(lambda: self.over or self.mover() is not None, seconds, place=self.place)
        latest = self.latest()
        assert latest is not None
        return latest

    @staticmethod
    def button(message: Message, label: str) -> dict[str, Any]:
        """A button of a message."""
        return next(part for part in message.parts() if part.get("label") == label)

    # A turn.

    async def turn(self, *, by_command: str | None = None, from_dm: bool = False, wait: bool = True) -> None:
        """The called player makes one move. Wait for the next board post."""
        board = await self.called()
        person, shown = self.on_turn(), self.shown()
        if by_command is not None:
            await self.move_by_command(person, by_command)
        else:
            await self.move_by_panel(person, await self.hand_told() if from_dm else board)
        self.moves += 1
        if wait:
            await self.discord.until(lambda: self.shown() != shown, place=self.place)

    def hand_of(self, person: Person, board: Message) -> Message | None:
        """The DM with the hand that belongs to a board."""
        play = self.button(board, "Play")["custom_id"]
        mine = person.sees(person.dm)
        return next((each for each in mine if any(part["custom_id"] == play for part in each.parts())), None)

    async def hand_told(self) -> Message:
        """The hand that belongs to the newest board, once the called player has it."""
        board, person = await self.called(), self.on_turn()
        message = await self.discord.until(lambda: self.hand_of(person, board), place=person.dm)
        assert message is not None
        return message

    async def move_by_panel(self, person: Person, board: Message) -> Answer:
        """Play, the menus, Confirm. Further steps of the same turn are made, too."""
        return await self._through_the_panel(person, await person.press(board, "Play"))

    async def _through_the_panel(self, person: Person, answer: Answer) -> Answer:
        for _ in range(MAX_STEPS):
            self.answers.append(answer)
            panel = answer.message
            assert panel is not None
            if "Confirm" in labels(panel):
                answer = await person.press(panel, "Confirm")
            elif (next_step := self._next_step(person, panel)) is not None:
                answer = await next_step
            else:
                return answer
        raise AssertionError("the panel does not come to an end")

    async def panel_before_confirm(self, person: Person, board: Message) -> Message:
        """The panel after all menus, with **Confirm** under it."""
        panel = (await person.press(board, "Play")).message
        while panel is not None and "Confirm" not in labels(panel):
            next_step = self._next_step(person, panel)
            assert next_step is not None, panel.content
            panel = (await next_step).message
        assert panel is not None
        return panel

    def _next_step(self, person: Person, panel: Message) -> Awaitable[Answer] | None:
        """The pick in an open panel, from its menu or its buttons; ``None`` if there is nothing to pick."""
        menus = [part for part in panel.parts() if part["type"] == MENU]
        if menus:
            return person.pick(panel, chosen([option["value"] for option in menus[0]["options"]], self.salt))
        offered = [part["label"] for part in panel.parts() if part.get("custom_id", "").startswith("b:pick:")]
        return person.press(panel, chosen(offered, self.salt)) if offered else None

    async def move_by_command(self, person: Person, game: str) -> Answer:
        """``/… play`` with what autocomplete offers; the rest in the panel."""
        written = ""
        for _ in range(2):
            offered = await person.complete(self.place, f"{game} play", "move", written)
            written = chosen([choice["value"] for choice in offered.choices], self.salt)
        return await self._through_the_panel(person, await person.command(self.place, f"{game} play", move=written))

    async def say_in_advance(self, person: Person, word: str) -> None:
        """Say a next move, by the choices that have this word in them wherever there are some."""
        page: Message | None = await self.asked(person.at_match(self.place, 1, "In advance"))
        while page is not None and "Saved" not in page.content and "Save" not in labels(page):
            menu = next((part for part in page.parts() if part["type"] == 3), None)
            if menu is not None:
                likely = [each["value"] for each in menu["options"] if word in each["label"].casefold()]
                picked = person.pick(page, (likely or [menu["options"][0]["value"]])[0], menu=menu["placeholder"])
            else:
                offered = [part["label"] for part in page.parts() if part.get("custom_id", "")[:12] == "b:orderpick:"]
                picked = person.press(page, next((each for each in offered if word in each.casefold()), offered[0]))
            page = (await picked).message
        assert page is not None
        if "Save" in labels(page):
            await person.press(page, "Save")

    @staticmethod
    async def asked(answer: Awaitable[Answer]) -> Message:
        """The private message that answers."""
        message = (await answer).message
        assert message is not None
        return message

    async def play_on(self, *, turns: int | None = None, by_command: str | None = None) -> None:
        """Play until the end, or this many turns."""
        await self.called()
        while not self.over and turns != 0:
            await self.turn(by_command=by_command)
            turns = None if turns is None else turns - 1
