"""Discord, the network, the disk and the clock fail; nothing confirmed is lost, and the table goes on."""

import asyncio
import contextlib
import re
from collections.abc import Callable
from itertools import product

import pytest

from db.upkeep import backup
from tests.store import address, of_sqlite, outsider

from .bot_process import BotProcess
from .conftest import shared_bot, shared_table, sharing
from .discord_standin import Answer, Message, Moment
from .discord_standin.faults import Request
from .stored import Stored
from .table import Table

pytestmark = [pytest.mark.wire, sharing]

bot, table = shared_bot, shared_table

STEP = 31.0
"""Seconds that pass at once while somebody waits. The longest short pause before a retry is 30."""


def board_post(request: Request) -> bool:
    """The public board of a turn (a hand goes to a DM, and links the place of the match)."""
    if request.path != "/channels/{channel_id}/messages":
        return False
    content = str(request.body.get("content"))
    return "it's your turn" in content and "go to the table" not in content


async def confirmable(table: Table) -> tuple[Message, Message]:
    """The board that calls somebody, and that person's panel with **Confirm** under it."""
    board, person = await table.called(), table.on_turn()
    return board, await table.panel_before_confirm(person, board)


async def confirm(table: Table, panel: Message) -> Answer:
    """The called player presses **Confirm**."""
    return await table.on_turn().press(panel, "Confirm")


def moves(bot: BotProcess) -> int:
    """How many actions of players are in the log."""
    return sum(line.player >= 0 for line in Stored(bot.database).lines(1))


def refusals(table: Table) -> int:
    """How many messages in the channel say that nothing was changed."""
    return sum("nothing was changed" in message.content for message in table.channel.messages.values())


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


async def test_a_board_that_discord_answers_with_an_error_is_posted_once(table: Table, bot: BotProcess) -> None:
    before, stored = len(table.boards()), Stored(bot.database)
    for moment, status in product(Moment, (500, 502, 503)):
        table.discord.faults.answer(status, times=1, which=board_post, moment=moment)
        board, panel = await confirmable(table)
        await confirm(table, panel)
        await patiently(table, bot, lambda board=board: table.latest() is not board and not stored.to_tell(1))
    await table.turn()
    plies = table.offers()[before:]
    assert len(plies) == len(set(plies)) == 7


async def test_a_board_that_was_posted_unheard_is_brought_up_to_date_and_no_sentence_is_missed(
    table: Table, bot: BotProcess
) -> None:
    discord, stored = table.discord, Stored(bot.database)
    old, panel = await confirmable(table)
    old_mover, before = table.on_turn(), moves(bot)
    discord.faults.answer(503, which=board_post)
    await confirm(table, panel)
    await discord.until(lambda: moves(bot) > before)
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
    before = moves(bot)
    table.discord.faults.answer(500, times=1, which=Request.is_callback, moment=Moment.AFTER)
    await confirm(table, panel)
    await next_board(table, board)
    assert moves(bot) == before + 1


async def test_a_confirm_delivered_twice_by_a_slow_discord_is_one_move(table: Table, bot: BotProcess) -> None:
    board, panel = await confirmable(table)
    before, boards = moves(bot), len(table.boards())
    table.discord.faults.late(0.5, which=lambda request: request.counted or request.is_callback())
    await table.on_turn().press(panel, "Confirm", deliveries=2)
    await next_board(table, board)
    table.discord.faults.clear()
    await table.turn()
    assert (moves(bot), len(table.boards())) == (before + 2, boards + 2)


@pytest.mark.parametrize("how", ["reconnect", "abort"])
async def test_a_press_while_the_connection_is_lost_is_answered_after_the_resume(how: str, table: Table) -> None:
    board, panel = await confirmable(table)
    gateway = table.discord.gateway
    before = gateway.resumed
    if how == "reconnect":
        await gateway.ask_to_reconnect()
    else:
        await gateway.drop()
    await table.discord.until(lambda: not gateway.connected())
    await confirm(table, panel)
    assert gateway.resumed == before + 1
    await next_board(table, board)


async def test_a_session_that_cannot_be_resumed_is_started_again(table: Table) -> None:
    await table.discord.gateway.drop(gone=True)
    await table.discord.connected()
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


@pytest.mark.parametrize("which", [Request.is_callback, board_post], ids=["before", "after"])
async def test_a_store_that_is_locked_while_the_table_is_told_troubles_nobody(
    which: Callable[[Request], bool], table: Table, bot: BotProcess
) -> None:
    discord, stored = table.discord, Stored(bot.database)
    board, panel = await confirmable(table)
    before, logged, refused = len(table.boards()), len(bot.log()), refusals(table)
    bot.ahead(bot.seconds_ahead + 61)  # The same trouble is logged once a minute.
    with outsider(bot.database) as other:

        def lock(_: Request) -> bool:
            other.lock()
            return False

        discord.faults.once(Moment.AFTER, lock, which=which)
        answer = await confirm(table, panel)
        await discord.until(lambda: "messages: The database is in use" in bot.log()[logged:])
        other.let_go()
    after = await next_board(table, board)
    assert "nothing was changed" not in answer.text
    assert refusals(table) == refused
    await discord.until(lambda: stored.to_tell(1) == [])
    assert table.latest() is after
    await table.turn()
    assert len(table.boards()) == before + 2


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


@of_sqlite
async def test_a_full_disk_is_told_and_loses_nothing(table: Table, bot: BotProcess) -> None:
    stored = Stored(bot.database)
    board, panel = await confirmable(table)
    before, logged = stored.lines(1), len(bot.log())
    bot.limit_files(4096)
    for _ in range(2):
        answer = await confirm(table, panel)
        assert "nothing was changed" in answer.text
    # FOUND O7
    assert len(re.findall("presses: The disk ", bot.log()[logged:])) == 1
    assert stored.lines(1) == before
    bot.limit_files(-1)
    await confirm(table, panel)
    await next_board(table, board)
    await table.turn()


async def test_sigterm_under_load_ends_in_time_and_loses_nothing(table: Table, bot: BotProcess) -> None:
    stored = Stored(bot.database)
    board, panel = await confirmable(table)
    person, before = table.on_turn(), stored.lines(1)
    presses = [each.press(board, "My hand", wait=False) for each in table.people for _ in range(10)]
    await asyncio.gather(*presses, person.press(panel, "Confirm", wait=False))
    code, seconds = await bot.stop()
    assert (code, bot.complaints()) == (0, [])
    assert seconds < 10
    moved = stored.lines(1) != before
    await bot.start()
    if moved:
        await table.discord.until(lambda: table.latest() is not board)
    await table.turn()


@of_sqlite
async def test_a_match_goes_on_from_a_backup_that_was_made_while_it_was_played(table: Table, bot: BotProcess) -> None:
    url = address(bot.database)
    copy = bot.folder / "copy.db"
    await table.turn()
    await table.hand_told()
    person, stored = table.on_turn(), Stored(bot.database)
    before = stored.lines(1)
    backup.back_up(url, copy)
    await table.turn()
    await table.hand_told()
    await bot.stop()
    backup.restore(url, copy)
    await bot.start()
    assert stored.lines(1) == before
    board = await table.called()
    told = await person.answered_in_private(await person.press(board, "Play"))
    assert "out of date" in told.content
    await table.move_by_panel(person, told)
    await next_board(table, board)
    assert len(stored.lines(1)) == len(before) + 1
