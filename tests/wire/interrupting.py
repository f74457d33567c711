"""Matches whose bot, gateway, server, posts, people and place are interrupted at random, and an account of that.

The account is kept from what people see and from what was interrupted. It knows nothing of the bot's own clocks.
"""

import asyncio
import random
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from matches.api import TIDYING, Kind, Pace

from .bot_process import BotProcess
from .discord_standin import Discord, Message, Person, Request
from .stored import Stored
from .table import Table, labels
from .test_gaps import OVERDUE, WAITING

CANNOT: Final = "can't play right now"
ASKS: Final = "What should the table do?"
_PLAY: Final = re.compile(r"b:play:\d+:(\d+)")
_CALLED: Final = re.compile(r"<@(\d+)>, it's your turn")

TABLES: Final = (("gambo", Pace.LIVE), ("ambush", Pace.DAY), ("saboteur", Pace.SLOW))
EARLY: Final = 5.0
"""So many seconds earlier than in our account something may be told: the account is kept between two steps."""

STEPS: Final = 30


@dataclass
class Turn:
    """A turn, since its player was called.

    `ran`: seconds since then in which the bot could hear people. `kept`: those of them in which something of the
    player's own kept them from pressing. `asked`: the others were asked about them; `overdue`: first when they could
    press. `unsure`: posts were refused meanwhile, so news may be late.
    """

    person: Person
    ply: int
    ran: float = 0.0
    kept: float = 0.0
    asked: bool = False
    overdue: bool = False
    unsure: bool = False


@dataclass
class Watched:
    """A table, what its people have read so far, and its present turn (``None``: nobody has been called)."""

    table: Table
    number: int
    pace: Pace
    turn: Turn | None = None
    moved: int = -1
    """The ply of the last board that somebody has played from."""
    kept: dict[int, float] = field(default_factory=dict)
    """For how many seconds of their turns each person was kept from pressing."""
    episodes: int = 0
    """How often anybody was kept from pressing."""
    closed: bool = False
    """Whether its place has refused the bot, which also uses away time."""
    excused: set[int] = field(default_factory=set)
    """People who couldn't press when the others stopped waiting for them."""
    replaced: set[int] = field(default_factory=set)
    """People whose seats a computer has taken over."""

    @property
    def seconds(self) -> float:
        """The time of a turn."""
        return self.pace.turn.total_seconds()


class Interrupted:
    """Some tables on servers of their own, and everything that happens to them and their bot."""

    def __init__(self, discord: Discord, bot: BotProcess, seed: int) -> None:
        self.discord, self.bot, self.rng = discord, bot, random.Random(seed)
        self.stored = Stored(bot.database)
        self.tables: list[Watched] = []
        self.away: set[int] = set()
        self.posts_fail = False
        self.done: list[str] = []
        """What has happened, for whoever reads a failure."""
        self._seen = 0
        self._counted = self.now

    # Time.

    @property
    def now(self) -> float:
        """The bot's time."""
        return time.time() + self.bot.seconds_ahead

    @property
    def hears(self) -> bool:
        """Whether a bot is connected."""
        held = self.discord.gateway.held.get(0)
        return self.bot.alive and self.discord.gateway.connected() > 0 and (held is None or held.is_set())

    def count(self) -> None:
        """Bring the account up to date. Call it before anything changes."""
        passed, self._counted = self.now - self._counted, self.now
        for watched in self.tables:
            turn, place = watched.turn, watched.table.channel
            if turn is None or not self.hears or place.guild_id in self.away:
                continue
            turn.ran += passed
            if not turn.person.can_press(place) or place.denied:
                turn.kept += passed
                watched.kept[turn.person.id] = watched.kept.get(turn.person.id, 0.0) + passed
            turn.unsure |= self.posts_fail or bool(place.denied)

    async def pass_time(self, seconds: float) -> None:
        """Let time pass, and stop at each moment at which the bot has something to do."""
        until = self.bot.seconds_ahead + seconds
        while self.bot.seconds_ahead < until:
            step = until
            if self.hears and (due := self._next_due()) is not None:
                step = min(until, max(due - time.time() + 0.2, self.bot.seconds_ahead + 1.0))
            self.bot.ahead(step)
            await self.settle()

    def _next_due(self) -> float | None:
        rows = self.stored.rows("SELECT due FROM deadlines")
        later = [row["due"] / 1e6 for row in rows if row["due"] / 1e6 > self.now]
        return min(later, default=None)

    async def settle(self) -> None:
        """Wait until the bot has done what is due, but not for what is stuck. Then read what is new."""
        with suppress(TimeoutError):
            await self.discord.until(self._is_settled, 1.5)
        self.count()
        self.read()

    def _is_settled(self) -> bool:
        if not self.hears:
            return True
        now, away = int(self.now * 1e6), tuple(self.away) or (0,)
        marks = ", ".join("?" for _ in away)
        if self.posts_fail:
            return True
        for table, kinds in (("deadlines", (Kind.STOOD,)), ("outbox", (Kind.STOOD, *sorted(TIDYING)))):
            of_kinds = ", ".join("?" for _ in kinds)
            query = f"SELECT 1 FROM {table} WHERE due <= ? AND kind NOT IN ({of_kinds}) AND guild_id NOT IN ({marks})"
            if self.stored.rows(query, now, *kinds, *away):
                return False
        noted = self.stored.rows("SELECT since FROM gaps WHERE until IS NULL AND guild_id IS NULL")
        return any(now - row["since"] < 11e6 for row in noted) or not self.open()

    # Reading.

    def open(self) -> list[Watched]:
        """The tables whose match isn't over."""
        ended = {row["id"] for row in self.stored.rows("SELECT id FROM matches WHERE ended_at IS NOT NULL")}
        return [watched for watched in self.tables if watched.number not in ended]

    def read(self) -> None:
        """Read all new posts, and check that none came too early."""
        world = self.discord.world
        shown, self._seen = world.shown[self._seen :], len(world.shown)
        for watched in self.tables:
            for place, message, kind, json in shown:
                if place is watched.table.channel and message.visible_to is None:
                    self._check(watched, message, kind, json)

    def _check(self, watched: Watched, message: Message, kind: str, json: dict[str, Any]) -> None:
        words, turn, place = json["content"], watched.turn, watched.table.channel
        ids = [part.get("custom_id", "") for row in json["components"] for part in row.get("components", ())]
        plies = [int(found[1]) for each in ids if (found := _PLAY.match(each)) is not None]
        watched.replaced |= {
            each.id for each in watched.table.people if f"takes over for {each.user.global_name}." in words
        }
        called = _CALLED.search(words)
        if called is not None and plies and (turn is None or turn.ply != plies[0]):
            assert turn is None or turn.ply == watched.moved or self._may_have_passed(watched, turn), self.story(
                watched
            )
            # Time has only passed since then as it passes for us.
            watched.turn = Turn(watched.table.person(int(called[1])), plies[0], time.time() - message.born)
            return
        if kind != "create" or turn is None:
            return
        if WAITING in words:
            assert f"<@{turn.person.id}>" in words, self.story(watched, words)
            assert turn.ran >= 0.8 * watched.seconds - EARLY, self.story(watched, words)
            assert turn.person.can_press(place), self.story(watched, words)
        elif ASKS in words:
            if OVERDUE in words:
                assert turn.asked or turn.ran >= watched.seconds - EARLY, self.story(watched, words)
                assert turn.person.can_press(place), self.story(watched, words)
            else:
                assert CANNOT in words, self.story(watched, words)
                gone = turn.person.id not in self.discord.world.guilds[place.guild_id or 0].members
                assert gone or turn.asked or watched.closed or self._has_used_away_time(watched, turn), self.story(
                    watched, words
                )
                assert not turn.person.can_press(place), self.story(watched, words)
            turn.overdue |= OVERDUE in words and not turn.asked
            turn.asked = True

    def _may_have_passed(self, watched: Watched, turn: Turn) -> bool:
        """Whether the program may have moved on without the player: an offered move, or a vote for a computer."""
        offered = 60.0 if watched.pace is Pace.LIVE else 3600.0
        return turn.asked or turn.ran >= offered - EARLY

    def _has_used_away_time(self, watched: Watched, turn: Turn) -> bool:
        pauses = 0.2 * watched.seconds * (watched.episodes + 1)
        used = watched.kept.get(turn.person.id, 0.0) + pauses
        return used >= watched.pace.away.total_seconds() - EARLY and turn.ran >= watched.seconds - EARLY

    def check_clocks(self) -> None:
        """Check that no clock stands still except by what its own player can't help, or because nobody else plays."""
        for watched in self.open():
            turn = watched.turn
            if turn is None or turn.asked or turn.kept or turn.unsure:
                continue
            if {each.id for each in watched.table.people} <= {turn.person.id, *watched.replaced}:
                continue
            assert turn.ran <= 1.1 * watched.seconds + 90, self.story(watched, "nobody is asked")

    def story(self, watched: Watched, words: str = "") -> str:
        return "\n".join((words, str(watched), *self.done, self.bot.log()[-1500:]))

    # What happens.

    async def begin(self) -> None:
        """Begin all matches. Everybody moves at least once."""
        for number, (game, pace) in enumerate(TABLES, 1):
            table = Table.of(self.discord, 3 if game == "saboteur" else 2, number=number)
            self.discord.world.guilds[table.channel.guild_id or 0].owner_id = self.discord.owner.id
            self.tables.append(Watched(table, number, pace))
        await self.bot.start()
        for watched, (game, pace) in zip(self.tables, TABLES, strict=True):
            assert await watched.table.begin(game, pace=pace) == watched.number
            for _ in range(2 * len(watched.table.people)):
                await watched.table.turn()
        for watched in self.tables:
            board, mover = await watched.table.called(), watched.table.on_turn()
            played = _PLAY.match(watched.table.button(board, "Play")["custom_id"])
            assert played is not None
            watched.turn = Turn(mover, int(played[1]), time.time() - board.born)
        self._seen, self._counted = len(self.discord.world.shown), self.now
        await self.settle()

    async def live(self) -> None:
        """Let random things happen."""
        for _ in range(STEPS):
            open_ones = self.open()
            if not open_ones:
                break
            watched = open_ones[0] if self.rng.random() < 0.6 else self.rng.choice(open_ones)
            act = self.rng.choices(*zip(*self._choices(), strict=True))[0]
            self.done.append(f"{self.bot.seconds_ahead:.0f} s: {act.__name__} at table {watched.number}")
            await act(watched)
            await self.settle()
            self.check_clocks()

    def _choices(self) -> list[tuple[Callable[[Watched], Any], float]]:
        if not self.hears:
            return [(self.reconnect, 3.0), (self.wait, 2.0), (self.keep, 1.0)]
        return [
            (self.wait, 7.0),
            (self.move, 4.0),
            (self.vote, 3.0),
            (self.keep, 3.0),
            (self.kill, 1.0),
            (self.cut, 1.0),
            (self.lose_session, 1.0),
            (self.lose_server, 1.0),
            (self.refuse_posts, 1.0),
            (self.close_place, 1.0),
        ]

    async def wait(self, watched: Watched) -> None:
        await self.pass_time(watched.seconds * self.rng.choice((0.05, 0.3, 0.5, 0.9, 1.3)))

    def can_play(self, watched: Watched, person: Person) -> bool:
        place = watched.table.channel
        return self.hears and place.guild_id not in self.away and person.can_press(place)

    async def move(self, watched: Watched) -> None:
        """Whoever was called moves, if they can."""
        turn, table = watched.turn, watched.table
        board = table.latest()
        if turn is None or board is None or not self.can_play(watched, turn.person) or "Play" not in labels(board):
            return
        answer = await table.move_by_panel(turn.person, board)
        assert answer.kind, self.story(watched)
        watched.moved = turn.ply
        if not self.posts_fail and not table.channel.denied:
            # A computer that has taken a seat over may think first.
            with suppress(TimeoutError):
                await self.discord.until(lambda: self._has_passed(watched, turn))
            assert self._has_passed(watched, turn), self.story(watched, answer.text)

    def _has_passed(self, watched: Watched, turn: Turn) -> bool:
        self.read()
        return watched.turn is not turn or turn.asked or watched not in self.open()

    async def vote(self, watched: Watched) -> None:
        """Somebody who was asked about an absent player answers."""
        asked = [each for each in watched.table.channel.messages.values() if "End the match" in labels(each)]
        turn = watched.turn
        others = [each for each in watched.table.people if turn is not None and each is not turn.person]
        who = self.rng.choice(others) if others else None
        if not asked or who is None or turn is None or not self.can_play(watched, who):
            return
        if not turn.person.can_press(watched.table.channel):
            watched.excused.add(turn.person.id)
        await who.press(asked[-1], self.rng.choice(("Wait longer", "Computer takes over", "End the match")))

    async def keep(self, watched: Watched) -> None:
        """Keep somebody from pressing, or stop that: time them out, hide the channel, or let them leave the server."""
        self.count()
        place, person = watched.table.channel, self.rng.choice(watched.table.people)
        guild = self.discord.world.guilds[place.guild_id or 0]
        if not person.can_press(place):
            await self._let(watched, person)
            return
        watched.episodes += 1
        how = self.rng.choice(("silenced", "hidden", "gone"))
        self.done[-1] += f": {person.user.global_name} is {how}"
        if how == "silenced":
            until = datetime.fromtimestamp(self.now, UTC) + timedelta(days=365)
            guild.silenced[person.id] = until.isoformat()
        elif how == "hidden":
            await self.discord.hide(place, person)
        else:
            del guild.members[person.id]

    async def _let(self, watched: Watched, person: Person) -> None:
        place = watched.table.channel
        guild = self.discord.world.guilds[place.guild_id or 0]
        guild.silenced.pop(person.id, None)
        guild.members[person.id] = person.user
        await self.discord.hide(place, person, hidden=False)
        self.done[-1] += f": {person.user.global_name} can press"

    async def kill(self, _: Watched) -> None:
        self.count()
        self.bot.kill()
        await self.bot.gone()

    async def cut(self, _: Watched, *, gone: bool = False) -> None:
        """Cut the gateway. Its session goes on later."""
        self.count()
        self.discord.gateway.held[0] = asyncio.Event()
        await self.discord.gateway.drop(gone=gone)

    async def lose_session(self, watched: Watched) -> None:
        await self.cut(watched, gone=True)

    async def reconnect(self, _: Watched) -> None:
        """Let the bot connect, after at least a minute."""
        await self.pass_time(60)
        self.count()
        gateway = self.discord.gateway
        held = gateway.held.pop(0, None)
        if self.bot.alive and held is not None:
            before = gateway.identified_or_resumed
            held.set()
            await self.discord.until(lambda: gateway.identified_or_resumed > before)
        elif not self.bot.alive:
            await self.bot.start()
        self._counted = self.now

    async def lose_server(self, watched: Watched) -> None:
        """A server becomes unavailable, or available again."""
        self.count()
        guild = watched.table.channel.guild_id or 0
        if guild in self.away:
            await self.discord.recover(guild)
            self.away.discard(guild)
        else:
            await self.discord.fail(guild)
            self.away.add(guild)

    async def refuse_posts(self, _: Watched) -> None:
        """Discord refuses all posts for a while, or takes them again."""
        self.count()
        self.posts_fail = not self.posts_fail
        self.discord.faults.clear()
        if self.posts_fail:
            self.discord.faults.answer(503, which=_is_post)

    async def close_place(self, watched: Watched) -> None:
        """The channel refuses the bot, or takes its posts again and somebody has them posted there again."""
        self.count()
        place = watched.table.channel
        watched.closed = True
        place.denied = set() if place.denied else {"send_messages"}
        await self.discord.channel_event("CHANNEL_UPDATE", place)

    async def heal(self) -> None:
        """End everything but what keeps people from pressing."""
        self.done.append("everything is healed")
        if not self.hears:
            await self.reconnect(self.tables[0])
        for watched in self.tables:
            if watched.table.channel.guild_id in self.away:
                await self.lose_server(watched)
            if watched.table.channel.denied:
                await self.close_place(watched)
        if self.posts_fail:
            await self.refuse_posts(self.tables[0])
        await self.settle()

    async def end(self) -> None:
        """Let time pass until all matches have ended by themselves. Nobody presses anything any more."""
        for _ in range(60):
            if not self.open():
                return
            await self.pass_time(3 * 86_400)
            self.check_clocks()
        raise AssertionError("\n".join(["a match stays open for ever", *map(str, self.open()), *self.done]))

    def check_results(self) -> None:
        """Check that whoever couldn't press when the others stopped waiting for them has lost nothing by that."""
        for watched in self.tables:
            match = self.stored.match(watched.number)
            seats = self.stored.rows("SELECT * FROM seats WHERE match_id = ?", watched.number)
            if match["ended_by"] not in ("vote", "abandoned"):
                continue
            turn = watched.turn
            assert turn is not None
            if not any(seat["absent"] for seat in seats if seat["user_id"] == turn.person.id):
                continue
            assert turn.ran >= watched.seconds - EARLY, self.story(watched)
            kept = not turn.overdue and not turn.person.can_press(watched.table.channel)
            if turn.person.id in watched.excused if match["ended_by"] == "vote" else kept:
                assert match["rating"] == "excused", self.story(watched)


def _is_post(request: Request) -> bool:
    return request.method == "POST" and request.path == "/channels/{channel_id}/messages"
