"""Discord, the network, the disk and the clock fail; nothing confirmed is lost, and the table goes on."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
from collections.abc import Callable

import pytest

from db.upkeep import backup
from tests.store import address, execute, of_sqlite, outsider

from .bot_process import BotProcess
from .discord_standin import Answer, Channel, Discord, Message, Moment, Person
from .discord_standin.faults import Request
from .stored import Stored
from .table import Table, labels

pytestmark = pytest.mark.wire

STEP = 31.0
"""Seconds that pass at once while somebody waits. The longest short pause before a retry is 30."""


def board_post(request: Request) -> bool:
    """The public board of a turn (a hand goes to a DM, and links the place of the match)."""
    if request.path != "/channels/{channel_id}/messages":
        return False
    content = str(request.body.get("content"))
    return "it's your turn" in content and "go to the table" not in content


def mover(table: Table) -> Person:
    """The person whose turn it is."""
    person = table.mover()
    assert person is not None
    return person


async def confirmable(table: Table) -> tuple[Message, Message]:
    """The board that calls somebody, and that person's panel with **Confirm** under it."""
    board, person = await table.called(), mover(table)
    return board, await table.panel_before_confirm(person, board)


async def confirm(table: Table, panel: Message) -> Answer:
    """The called player presses **Confirm**."""
    return await mover(table).press(panel, "Confirm")


async def next_board(table: Table, board: Message) -> Message:
    """The board after this one."""
    await table.discord.until(lambda: table.latest() is not board)
    return await table.called()


async def patiently(table: Table, bot: BotProcess, sign: Callable[..., object]) -> None:
    """Let time pass until the sign comes."""
    for _ in range(80):
        with contextlib.suppress(TimeoutError):
            await table.discord.until(sign, 0.5)
            return
        bot.ahead(bot.seconds_ahead + STEP)
    raise AssertionError(f"it does not come\n{bot.log()}")


@pytest.mark.parametrize("status", [500, 502, 503])
@pytest.mark.parametrize("moment", list(Moment))
async def test_a_board_that_discord_answers_with_an_error_is_posted_once(
    status: int, moment: Moment, table: Table, bot: BotProcess
) -> None:
    table.discord.faults.answer(status, times=1, which=board_post, moment=moment)
    board, panel = await confirmable(table)
    await confirm(table, panel)
    await patiently(table, bot, lambda: table.latest() is not board)
    await table.turn()
    plies = table.offers()
    assert len(plies) == len(set(plies)) == 3


async def test_a_board_that_was_posted_unheard_is_brought_up_to_date_and_no_sentence_is_missed(
    table: Table, bot: BotProcess
) -> None:
    discord, stored = table.discord, Stored(bot.database)
    old, panel = await confirmable(table)
    old_mover = mover(table)
    discord.faults.answer(503, which=board_post)
    await confirm(table, panel)
    await discord.until(lambda: stored.lines(1)[-1].player >= 0)
    await bot.stop()
    discord.faults.clear()
    (number,) = [row["id"] for row in stored.rows("SELECT id FROM outbox WHERE kind = 'board'")]
    # The same outbox row was posted once before, when the match was elsewhere, and the bot never heard that.
    body = {"content": old.content, "components": old.components, "nonce": str(number)}
    twin = discord.world.post(table.channel, body, [])
    await bot.start()
    await discord.until(lambda: stored.to_tell(1) == [])
    assert table.latest() is twin
    assert str(old_mover.user.global_name) in twin.content
    assert table.button(twin, "Play")["custom_id"] == f"b:play:1:{stored.match(1)['ply']}::"
    assert len(twin.attachments) == 1
    assert stored.match(1)["board_ply"] == stored.match(1)["ply"]
    await table.turn()


async def test_where_pictures_become_forbidden_the_board_comes_in_words_and_costs_no_second_try(table: Table) -> None:
    discord, channel = table.discord, table.channel

    def forbid(_: Request) -> bool:
        channel.denied.add("attach_files")
        return False

    def tries() -> int:
        return sum(board_post(request) for request in discord.requests)

    discord.faults.once(Moment.BEFORE, forbid, which=board_post)
    seen = []
    for turn in range(4):
        if turn == 3:
            channel.denied.clear()
        before = tries()
        await table.turn()
        board = table.latest()
        assert board is not None
        seen.append((tries() - before, len(board.attachments), "```" in board.content))
    in_words = (0, True)
    assert seen == [(2, *in_words), (1, *in_words), (1, *in_words), (1, 1, False)]


async def test_discord_refusing_everything_for_a_while_delays_the_board_and_loses_nothing(
    table: Table, bot: BotProcess
) -> None:
    stored = Stored(bot.database)
    board, panel = await confirmable(table)
    table.discord.faults.answer(503, which=lambda request: request.counted)
    table.discord.faults.answer(429, times=3, which=lambda request: request.counted)
    await confirm(table, panel)
    before, told = stored.lines(1), len(table.discord.requests)
    await patiently(table, bot, lambda: len(table.discord.requests) > told + 8)
    table.discord.faults.clear()
    await patiently(table, bot, lambda: table.latest() is not board)
    await table.hand_told()
    assert stored.lines(1) == before


async def test_a_lost_answer_to_confirm_does_not_lose_the_move(table: Table, bot: BotProcess) -> None:
    board, panel = await confirmable(table)
    table.discord.faults.answer(500, times=1, which=Request.is_callback, moment=Moment.AFTER)
    await confirm(table, panel)
    await next_board(table, board)
    assert sum(line.player >= 0 for line in Stored(bot.database).lines(1)) == 1


async def test_a_confirm_delivered_twice_is_one_move(table: Table, bot: BotProcess) -> None:
    board, panel = await confirmable(table)
    person = mover(table)
    await person.press(panel, "Confirm", deliveries=2)
    await next_board(table, board)
    await table.turn()
    assert sum(line.player >= 0 for line in Stored(bot.database).lines(1)) == 2
    assert len(table.boards()) == 3


async def test_a_slow_discord_is_waited_for(table: Table) -> None:
    table.discord.faults.late(0.5, which=lambda request: request.counted or request.is_callback())
    await table.turn()


@pytest.mark.parametrize("how", ["reconnect", "abort"])
async def test_a_press_while_the_connection_is_lost_is_answered_after_the_resume(how: str, table: Table) -> None:
    board, panel = await confirmable(table)
    gateway = table.discord.gateway
    if how == "reconnect":
        await gateway.ask_to_reconnect()
    else:
        await gateway.drop()
    await table.discord.until(lambda: not gateway.connected())
    await confirm(table, panel)
    assert gateway.resumed == 1
    await next_board(table, board)


async def test_a_session_that_cannot_be_resumed_is_started_again(table: Table) -> None:
    await table.discord.gateway.drop(gone=True)
    await table.discord.connected()
    await table.turn()


async def test_a_dm_that_closes_in_mid_match_stops_nobody(table: Table, bot: BotProcess) -> None:
    stored = Stored(bot.database)
    for person in table.people:
        # A message that rings is a new one. The others are edits, which Discord doesn't refuse.
        await person.command(table.channel, "settings me", ping="both")
        person.user.dms_open = False
    # A player who moves before their hand is sent hasn't been refused yet.
    while any(row["dm"] != "closed" for row in stored.rows("SELECT dm FROM player_settings")):
        await table.turn()
    board, person = await table.called(), mover(table)
    hand = (await person.press(board, "My hand")).message
    assert hand is not None
    assert hand.attachments
    refused = [request for request in table.discord.requests if request.values.get("channel_id") == str(person.dm.id)]
    await table.play_on(turns=3)
    again = [request for request in table.discord.requests if request.values.get("channel_id") == str(person.dm.id)]
    assert len(again) == len(refused), "a closed DM is tried again"


async def test_a_channel_deleted_during_a_send_ends_neither_bot_nor_match(table: Table, bot: BotProcess) -> None:
    discord = table.discord
    _, panel = await confirmable(table)
    person = mover(table)

    def delete(_: Request) -> bool:
        discord.world.delete_channel(table.channel)
        return False

    discord.faults.once(Moment.BEFORE, delete, which=board_post)
    await confirm(table, panel)
    stored = Stored(bot.database)
    await discord.until(lambda: not [row for row in stored.to_tell(1) if row["kind"] == "board"])
    answer = await person.command(person.dm, "match board")
    assert answer.message is not None
    assert answer.message.attachments
    assert stored.match(1)["status"] == "running"


@pytest.mark.parametrize("locked", [False, True], ids=["archived", "locked"])
async def test_an_archived_thread_opens_itself_and_a_locked_one_ends_nothing(
    locked: bool, discord: Discord, bot: BotProcess
) -> None:
    table = Table.of(discord, 3)
    await bot.start()
    await table.begin("saboteur", where="thread")
    _, panel = await confirmable(table)
    thread: Channel = table.place
    assert thread is not table.channel
    thread.archived, thread.locked = True, locked
    posts = len(thread.messages)
    await confirm(table, panel)
    if locked:
        stored = Stored(bot.database)
        await discord.until(lambda: stored.lines(1)[-1].player >= 0 and stored.to_tell(1) != [])
        thread.locked = False
        bot.ahead(700)
    await discord.until(lambda: len([each for each in thread.messages.values() if each.visible_to is None]) > 1)
    assert len(thread.messages) > posts
    await table.turn()


async def test_a_database_locked_by_another_program_is_told_in_time_and_loses_nothing(
    table: Table, bot: BotProcess
) -> None:
    stored = Stored(bot.database)
    board, panel = await confirmable(table)
    before = stored.lines(1)
    with outsider(bot.database) as other:
        other.lock()
        answer = await confirm(table, panel)
        assert "nothing was changed" in answer.text
        other.let_go()
    assert stored.lines(1) == before
    assert table.latest() is board
    await confirm(table, panel)
    await next_board(table, board)
    await table.turn()


@pytest.mark.parametrize(
    ("which", "sign"),
    [(Request.is_callback, "messages: The database is in use"), (board_post, "messages: The database is in use")],
    ids=["before", "after"],
)
async def test_a_store_that_is_locked_while_the_table_is_told_troubles_nobody(
    which: Callable[[Request], bool], sign: str, table: Table, bot: BotProcess
) -> None:
    discord, stored = table.discord, Stored(bot.database)
    board, panel = await confirmable(table)
    with outsider(bot.database) as other:

        def lock(_: Request) -> bool:
            other.lock()
            return False

        discord.faults.once(Moment.AFTER, lock, which=which)
        answer = await confirm(table, panel)
        await discord.until(lambda: sign in bot.log())
        other.let_go()
    after = await next_board(table, board)
    assert "nothing was changed" not in answer.text
    assert not [each for each in table.channel.messages.values() if "nothing was changed" in each.content]
    bot.ahead(61)
    await discord.until(lambda: stored.to_tell(1) == [])
    assert table.latest() is after
    await table.turn()
    assert len(table.boards()) == 3


# FOUND B5
async def test_a_bot_that_is_stopped_in_the_middle_of_a_transaction_ends_by_itself_and_stores_all_or_nothing(
    table: Table, bot: BotProcess
) -> None:
    """The threads of the file are no daemons: each has to be told that it's over, whatever it does right then."""
    discord, stored = table.discord, Stored(bot.database)
    _, panel = await confirmable(table)
    before = stored.lines(1)
    answered: list[Request] = []
    discord.faults.once(Moment.AFTER, lambda it: answered.__iadd__([it]) == [], which=Request.is_callback)
    with outsider(bot.database) as other:
        other.lock()
        pressing = asyncio.create_task(confirm(table, panel))
        # It says that an answer is coming while the transaction waits for the lock.
        await discord.until(lambda: bool(answered))
        assert (await bot.stop())[0] == 0
    pressing.cancel()
    assert stored.lines(1)[: len(before)] == before
    assert bot.complaints() == []


@of_sqlite
async def test_a_full_disk_is_told_and_loses_nothing(table: Table, bot: BotProcess) -> None:
    stored = Stored(bot.database)
    board, panel = await confirmable(table)
    before = stored.lines(1)
    bot.limit_files(4096)
    for _ in range(2):
        answer = await confirm(table, panel)
        assert "nothing was changed" in answer.text
    # FOUND O7
    assert len(re.findall("presses: The disk ", bot.log())) == 1
    assert stored.lines(1) == before
    bot.limit_files(-1)
    await confirm(table, panel)
    await next_board(table, board)
    await table.turn()


async def test_a_clock_that_jumps_back_and_forth_stops_nobody(table: Table, bot: BotProcess) -> None:
    for hours in (1, -48, 12, -1):
        bot.ahead(hours * 3600)
        await table.turn()
        await table.hand_told()


async def test_sigterm_under_load_ends_in_time_and_loses_nothing(table: Table, bot: BotProcess) -> None:
    stored = Stored(bot.database)
    discord = table.discord
    discord.impatient = True
    board, panel = await confirmable(table)
    person = mover(table)
    presses = [each.press(board, "My hand", wait=False) for each in table.people for _ in range(10)]
    await asyncio.gather(*presses, person.press(panel, "Confirm", wait=False))
    code, seconds = await bot.stop()
    assert (code, bot.complaints()) == (0, [])
    assert seconds < 10
    moved = any(line.player >= 0 for line in stored.lines(1))
    await bot.start()
    if moved:
        await discord.until(lambda: table.latest() is not board)
    await table.turn()


async def test_the_death_of_the_process_that_draws_costs_nobody_a_picture(table: Table, bot: BotProcess) -> None:
    board, panel = await confirmable(table)
    # So many pictures at once that a process draws them.
    await asyncio.gather(*(each.press(board, "My hand") for each in table.people for _ in range(10)))
    (drawer,) = bot.workers
    os.kill(drawer, signal.SIGKILL)
    await confirm(table, panel)
    board = await next_board(table, board)
    assert board.attachments
    answers = await asyncio.gather(*(each.press(board, "My hand") for each in table.people))
    assert all(answer.message is not None and answer.message.attachments for answer in answers)
    assert bot.workers not in ([], [drawer])
    assert bot.complaints() == []


@of_sqlite
async def test_a_damaged_file_is_one_sentence(discord: Discord, bot: BotProcess) -> None:
    with open(bot.database, "wb") as file:  # noqa: ASYNC230 (nobody waits for it)
        file.write(b"SQLite format 3\0" + b"\xff" * 5000)
    await bot.start(connect=False)
    assert await bot.gone() == 2
    began, sentence = bot.log().strip().splitlines()
    assert "starts on the database" in began
    assert sentence == f"{bot.database}: This file isn't a database."


async def test_a_match_that_does_not_replay_is_frozen_and_keeps_nobody_else_from_playing(
    table: Table, bot: BotProcess
) -> None:
    discord, stored = table.discord, Stored(bot.database)
    discord.impatient = True
    other = Table.of(discord, 3, number=2)
    await bot.stop()
    await bot.start()
    await other.begin("saboteur")
    boards = await table.called(), await other.called()
    for each in (table, other):
        person = mover(each)
        panel = await each.panel_before_confirm(person, await each.called())
        discord.faults.answer(503, times=1, which=board_post)
        await person.press(panel, "Confirm")
        await discord.until(lambda: not [row for row in stored.to_tell(1) if row["kind"] == "hand"])
    discord.faults.clear()
    bot.kill()
    await bot.gone()
    execute(bot.database, "UPDATE log SET action = 'nonsense' WHERE match_id = 1 AND ply = 2")
    await bot.start()
    await patiently(table, bot, lambda: other.latest() is not boards[1])
    await other.turn()
    # Its board has no buttons any more. Somebody who still sees them reads why, too.
    await discord.until(lambda: "This match is frozen" in boards[0].content)
    assert "Play" not in labels(boards[0])
    frozen = await table.people[0].forge(boards[0], "b:play:1:2::")
    assert "replay" in frozen.text or "rules" in frozen.text
    assert stored.match(1)["status"] == "frozen"


@of_sqlite
async def test_a_match_goes_on_from_a_backup_that_was_made_while_it_was_played(table: Table, bot: BotProcess) -> None:
    url = address(bot.database)
    copy = bot.folder / "copy.db"
    await table.turn()
    await table.hand_told()
    person, stored = mover(table), Stored(bot.database)
    before = stored.lines(1)
    backup.back_up(url, copy)
    await table.turn()
    await table.hand_told()
    await bot.stop()
    backup.restore(url, copy)
    await bot.start()
    assert stored.lines(1) == before
    board = await table.called()
    answer = await person.press(board, "Play")
    told = await person.answered_in_private(answer)
    assert "out of date" in told.content
    await table.move_by_panel(person, told)
    await next_board(table, board)
    assert len(stored.lines(1)) == len(before) + 1
