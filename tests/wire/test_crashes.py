"""The bot is killed at every kind of point, again and again, and the match comes to the same end."""

import contextlib
import os
import random
from pathlib import Path

import pytest

from games import GAMES

from .bot_process import BotProcess, Nursery
from .crashing import Course, Kill, players_of, prepared, some_kills, survived
from .discord_standin import Discord, Message, Moment, Request, Spec, Unanswered
from .stored import Stored
from .table import Table, labels

pytestmark = pytest.mark.wire

KEYS = list(GAMES)
FIRST_SEED = int(os.environ.get("CRASH_SEED", "0"))
SEEDS = range(FIRST_SEED, FIRST_SEED + 300)
"""The seeds of the random crashes; `CRASH_SEED=1000 make soak` takes others."""
_courses: dict[tuple[str, int, str], Course] = {}


async def course_of(
    game: str, left: int, salt: str, factory: pytest.TempPathFactory, nursery: Nursery, spec: Spec | None
) -> Course:
    """A match near its end and how it ends undisturbed, made once."""
    key = (game, left, salt)
    if key not in _courses:
        course = await prepared(factory.mktemp(game), game, players_of(game), left, salt)
        survival, log, knowledge = await survived(course, [], factory.mktemp("undisturbed"), nursery, spec)
        assert survival.bot.starts == 1
        assert all(len(changes) == players_of(game) for *_, changes in knowledge.values()), (
            "nobody's rating has changed"
        )
        _courses[key] = Course(course.game, course.players, salt, course.file, log, knowledge)
    return _courses[key]


async def outlive(course: Course, kills: list[Kill], folder: Path, nursery: Nursery, spec: Spec | None) -> int:
    """Play the course through these crashes and compare the end. Return how many there were."""
    survival, log, knowledge = await survived(course, kills, folder, nursery, spec)
    assert log == course.log, f"another match after {survival.died}"
    assert knowledge == course.knowledge
    return len(survival.died)


@pytest.mark.parametrize("game", GAMES)
async def test_a_match_outlives_four_deaths_of_its_bot(
    game: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, nursery: Nursery, spec: Spec | None
) -> None:
    course = await course_of(game, 10, "", tmp_path_factory, nursery, spec)
    number = 3 + KEYS.index(game)
    kills = [
        Kill("commit", Moment.BEFORE, number),
        Kill("commit", Moment.AFTER, number + 1),
        Kill("send", Moment.BEFORE, 1 + number // 2),
        Kill("send", Moment.AFTER, 2 + number // 2),
    ]
    assert await outlive(course, kills, tmp_path, nursery, spec) == len(kills)


async def begin_somehow(table: Table, bot: BotProcess) -> None:
    """Open a table, let people join, start, with as many tries as it takes."""
    host, *others = table.people
    lobby: Message | None = None
    for _ in range(40):
        if not bot.alive:
            await bot.start()
        try:
            if lobby is None:
                lobby = await table.opened(where="thread")
            for person in others:
                if str(person.user.global_name) not in lobby.content:
                    await person.press(lobby, "Join")
            if "Start" in labels(lobby):
                await host.press(lobby, "Start")
            await table.discord.until(lambda: table.boards() or not bot.alive)
        except (Unanswered, TimeoutError):
            await table.discord.until(lambda: not bot.alive)
        if bot.alive and table.boards():
            return
    raise AssertionError("the match does not begin")


@pytest.mark.parametrize("number", [3, 5, 7, 9])
async def test_a_lobby_outlives_the_death_of_its_bot(number: int, discord: Discord, bot: BotProcess) -> None:
    discord.impatient = True
    table = Table.of(discord, 3)
    await bot.start(kill=f"{'before' if number % 4 == 1 else 'after'} {number}")
    await begin_somehow(table, bot)
    assert bot.starts == 2
    await table.turn()
    await table.hand_told()
    stored = Stored(bot.database)
    assert [row["status"] for row in stored.rows("SELECT status FROM matches WHERE status = 'running'")] == ["running"]
    assert table.place is not table.channel, "the match has lost its thread"
    for person in table.people:
        await discord.until(
            lambda person=person: any("You are a " in message.content for message in person.sees(person.dm))
        )


async def test_a_lobby_that_its_bot_died_over_is_shown_by_the_next(discord: Discord, bot: BotProcess) -> None:
    """The lobby is stored, but Discord hasn't heard of it: the next bot posts it, and it can be played."""
    discord.impatient = True
    table = Table.of(discord, 3)
    await bot.start()
    discord.faults.once(Moment.BEFORE, lambda _: bot.kill(), which=Request.is_callback)
    with pytest.raises(Unanswered):
        await table.people[0].command(table.channel, "saboteur new")
    await bot.gone()
    bot.ahead(31)
    await bot.start()
    lobby = await discord.until(lambda: next(iter(table.channel.messages.values()), None))
    assert lobby is not None
    for person in table.people[1:]:
        await person.press(lobby, "Join")
    await table.people[0].press(lobby, "Start")
    await table.turn()
    assert len([each for each in table.channel.messages.values() if "Play in <#" in each.content]) == 1


def processes_of(bot: BotProcess) -> list[int]:
    """Every process started for this bot, or by it."""
    mark = f"WIRE_EXIT={bot.folder}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdecimal() and mark in (entry / "environ").read_bytes():
                found.append(int(entry.name))
    return found


@pytest.mark.parametrize("kill", ["after 8", "before 11", "after 14"])
async def test_computers_play_on_after_the_death_of_their_bot(kill: str, discord: Discord, bot: BotProcess) -> None:
    discord.impatient = True
    table = Table.of(discord, 1)
    (host,) = table.people
    await bot.start()
    lobby = await table.opened()
    for _ in range(2):
        levels = (await host.press(lobby, "Add computer")).message
        assert levels is not None
        await host.pick(levels, "easy")
    await bot.stop()
    await bot.start(kill=kill)
    for _ in range(20):
        if not bot.alive:
            await discord.until(lambda: not processes_of(bot))
            await bot.start()
        try:
            if "Start" in labels(lobby):
                await host.press(lobby, "Start")
            await discord.until(lambda: table.mover() is host or not bot.alive)
            board = table.latest()
            if bot.alive and board is not None:
                await table.move_by_panel(host, board)
                await discord.until(lambda board=board: table.latest() is not board or not bot.alive)
        except Unanswered:
            await discord.until(lambda: not bot.alive)
        if bot.starts == 3 and len(table.boards()) > 3:
            break
    assert bot.starts == 3
    await table.called()
    await table.hand_told()


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
async def test_a_match_outlives_deaths_at_random(
    seed: int, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, nursery: Nursery, spec: Spec | None
) -> None:
    game = KEYS[seed % len(KEYS)]
    course = await course_of(game, 12, str(seed // len(KEYS) % 3), tmp_path_factory, nursery, spec)
    await outlive(course, some_kills(random.Random(seed), 2), tmp_path, nursery, spec)


@pytest.mark.parametrize("moment", Moment)
async def test_a_move_said_in_advance_is_played_and_told_once_though_its_bot_dies_at_every_commit(
    moment: Moment, in_gambo: Table, discord: Discord, bot: BotProcess
) -> None:
    """One of the deaths is between the claim of the order's deadline and its move, others before the posts of it."""
    table, stored = in_gambo, Stored(bot.database)
    await table.turn()
    mover = table.mover()
    (person,) = (each for each in table.people if each is not mover)
    # Nothing that the other side does takes an advance away. A swap may be barred by theirs.
    await table.say_in_advance(person, "adv")
    await table.turn()
    assert stored.rows("SELECT 1 FROM orders")
    discord.impatient = True

    def told() -> bool:
        return table.mover() is mover and not stored.rows("SELECT 1 FROM outbox WHERE kind IN ('board', 'ordered')")

    def played() -> int:
        return len(stored.rows("SELECT 1 FROM log WHERE by_order"))

    def dead_or_told() -> bool:
        # An order waits on while the bot is down, and a dead process may just have claimed it: time runs while it's up.
        bot.ahead(bot.seconds_ahead + 5)
        return not bot.alive or told()

    deaths = dict.fromkeys((False, True), 0)
    while not told():
        await bot.close()
        await bot.start(kill=f"{moment} {1 + sum(deaths.values())}")
        await discord.until(dead_or_told)
        deaths[bool(played())] += 1
    assert played() == 1
    assert all(deaths.values()), "it died before the move was stored, and after it"
    assert not stored.rows("SELECT 1 FROM orders")
    assert len(set(table.offers())) == len(table.offers()), "no board came twice"
    lines = [message for message in person.sees(person.dm) if "I've played what you said in advance" in message.content]
    assert len(lines) == 1
