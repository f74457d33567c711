"""Where pictures are drawn: in threads while few are wanted at once, then in a process, with the same result."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cogs.drawing import MOST_WAITING, Drawer, for_person, for_table
from games import illustrations
from matches.api import Busy, ManualClock, Match, MatchId, Pace, Seat, Status, UserId, Where
from matches.engine.workers import IDLE
from render import RENDERERS, Computer, Style, illustrate
from render.lobby import Lobby, Sitting
from tests.matches.test_workers import MODULES, TOO_HEAVY, done_when_told, noted, seen
from tests.render.positions import KEYS, LARGEST, positions

FEW = 2


@pytest.fixture
async def drawer() -> AsyncIterator[Drawer]:
    drawer = Drawer(FEW, ahead=0)
    yield drawer
    drawer.close()


async def at_once(drawer: Drawer, number: int) -> list[int]:
    """The processes that draw this many pictures that are wanted at once."""
    return list(await asyncio.gather(*(drawer.drawn(os.getpid) for _ in range(number))))


async def test_a_few_pictures_at_once_need_no_process(drawer: Drawer) -> None:
    for _ in range(3):
        assert await at_once(drawer, FEW) == [os.getpid()] * FEW


async def test_once_many_are_wanted_a_process_draws_them_and_all_that_follow(drawer: Drawer) -> None:
    here, *rest = sorted(await at_once(drawer, FEW + 2), key=lambda pid: pid != os.getpid())[FEW - 1 :]
    assert here == os.getpid()
    assert len(set(rest)) == 1
    assert os.getpid() not in rest
    assert await at_once(drawer, 1) == rest[:1]


async def test_a_process_that_is_killed_leaves_nobody_without_a_picture(drawer: Drawer) -> None:
    *_, busy = await at_once(drawer, FEW + 1)
    os.kill(busy, signal.SIGKILL)
    (other,) = await at_once(drawer, 1)
    assert other not in (busy, os.getpid())


async def test_where_every_process_is_killed_threads_draw(drawer: Drawer) -> None:
    await at_once(drawer, FEW + 1)
    assert await drawer.drawn(survived_here_alone, os.getpid()) == os.getpid()
    assert await at_once(drawer, 1) == [os.getpid()]


ANN, BOB = UserId(1), UserId(2)


async def drawn_for_the_table(drawer: Drawer, file: Path, word: str) -> str:
    """A picture for the whole table, which belongs to nobody."""
    with for_person(None):
        return await drawer.drawn(noted, file, word)


async def test_pictures_wait_for_boards_and_then_by_turns_of_the_persons(drawer: Drawer, tmp_path: Path) -> None:
    await at_once(drawer, FEW + 1)
    begun, end, notes = (tmp_path / name for name in ("begun", "end", "notes"))
    held = asyncio.create_task(drawer.drawn(done_when_told, begun, end))
    await seen(begun)
    with for_person(ANN):
        anns = [asyncio.create_task(drawer.drawn(noted, notes, "Ann")) for _ in range(3)]
        board = asyncio.create_task(drawn_for_the_table(drawer, notes, "board"))
    with for_person(BOB):
        bobs = asyncio.create_task(drawer.drawn(noted, notes, "Bob"))
    await asyncio.sleep(0)
    end.touch()
    await asyncio.gather(held, board, bobs, *anns)
    assert notes.read_text().split() == ["board", "Ann", "Bob", "Ann", "Ann"]


def match_of(host: UserId, person: UserId | None) -> Match:
    """A match of this host, with this person alone, or a computer."""
    return Match(
        id=MatchId(1),
        game="gambo",
        options={},
        rules_version=1,
        status=Status.RUNNING,
        host_id=host,
        guild_id=None,
        channel_id=1,
        pace=Pace.DAY,
        where=Where.CHANNEL,
        size=None,
        everybody=(Seat(position=0, name="Otter", user_id=person, computer=None if person else "easy"),),
    )


# FOUND P1
async def test_what_tables_without_people_are_told_is_drawn_last_and_tables_take_turns(
    drawer: Drawer, tmp_path: Path
) -> None:
    begun, end, notes = (tmp_path / name for name in ("begun", "end", "notes"))
    people, other, alone = match_of(ANN, ANN), match_of(BOB, BOB), match_of(ANN, None)
    await at_once(drawer, FEW + 1)
    held = asyncio.create_task(drawer.drawn(done_when_told, begun, end))
    await seen(begun)
    asked = []
    for match, word in ((alone, "alone"), (people, "Ann's"), (people, "Ann's"), (other, "Bob's")):
        with for_table(match):
            asked.append(asyncio.create_task(drawer.drawn(noted, notes, word)))
    with for_person(BOB):
        asked.append(asyncio.create_task(drawer.drawn(noted, notes, "hand")))
    await asyncio.sleep(0)
    end.touch()
    await asyncio.gather(held, *asked)
    assert notes.read_text().split() == ["Ann's", "Bob's", "Ann's", "hand", "alone"]


async def test_of_one_person_so_many_pictures_wait_and_the_next_is_refused_with_a_sentence(
    drawer: Drawer, tmp_path: Path
) -> None:
    await at_once(drawer, FEW + 1)
    begun, end, notes = (tmp_path / name for name in ("begun", "end", "notes"))
    held = asyncio.create_task(drawer.drawn(done_when_told, begun, end))
    await seen(begun)
    with for_person(ANN):
        anns = [asyncio.create_task(drawer.drawn(noted, notes, "Ann")) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(Busy, match="still drawing"):
            await drawer.drawn(noted, notes, "Ann")
        boards = [asyncio.create_task(drawn_for_the_table(drawer, notes, "board")) for _ in range(MOST_WAITING + 1)]
    with for_person(BOB):
        bobs = asyncio.create_task(drawer.drawn(noted, notes, "Bob"))
    await asyncio.sleep(0)
    end.touch()
    await asyncio.gather(held, bobs, *anns, *boards)
    with for_person(ANN):
        assert await drawer.drawn(noted, notes, "Ann again") == "Ann again"


async def test_a_process_that_nobody_needs_is_let_go_and_threads_draw_until_many_are_wanted(drawer: Drawer) -> None:
    clock = ManualClock()
    *_, busy = await at_once(drawer, FEW + 1)
    drawer.let_idle_go(clock.now())
    assert await at_once(drawer, 1) == [busy]
    drawer.let_idle_go(clock.now())
    clock.advance(IDLE)
    drawer.let_idle_go(clock.now())
    assert await at_once(drawer, FEW) == [os.getpid()] * FEW
    *_, other = await at_once(drawer, FEW + 1)
    assert other not in (busy, os.getpid())


def survived_here_alone(here: int) -> int:
    """Kill any process except this one."""
    if os.getpid() != here:
        os.kill(os.getpid(), signal.SIGKILL)
    return here


@pytest.mark.parametrize("key", KEYS)
async def test_a_process_draws_the_same_pictures(key: str, drawer: Drawer) -> None:
    await at_once(drawer, FEW + 1)
    draw = RENDERERS[key]
    for position in positions(LARGEST[key], 3):
        people = tuple(Computer(name) if seat % 2 else name for seat, name in enumerate(position.people))
        for viewer in (None, 0):
            seen = position.seen(viewer)
            asked = (seen, people, position.places() if viewer is not None else (), Style(900))
            assert await drawer.drawn(draw.draw, *asked) == draw.draw(*asked)
        assert await drawer.drawn(draw.draw_hand, seen, people) == draw.draw_hand(seen, people)
        assert await drawer.drawn(draw.draw_role, seen, people) == draw.draw_role(seen, people)
    lobby = Lobby((Sitting("Ada", remark="host"), Sitting(Computer("Bit"))), 1, "24 hours a turn", "ready")
    assert await drawer.drawn(draw.draw_lobby, lobby, key) == draw.draw_lobby(lobby, key)
    shown, *_ = illustrations.of_game(key)
    assert await drawer.drawn(illustrate.drawn, shown, Style(600)) == illustrate.drawn(shown, Style(600))
    assert not TOO_HEAVY.intersection(await drawer.drawn(eval, MODULES)), "loaded by a process that draws"
