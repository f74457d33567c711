"""A board that is edited, over the wire: refusals, deletions, deaths, and a channel in which others write (P4)."""

from __future__ import annotations

import pytest

from tests.store import execute

from .bot_process import BotProcess
from .discord_standin import Discord, Message, Moment
from .discord_standin.faults import Request
from .stored import Stored
from .table import Table, labels, tidies
from .test_faults import board_post, confirm, patiently

pytestmark = pytest.mark.wire


@pytest.fixture
async def calm(discord: Discord, bot: BotProcess) -> Table:
    """Three people at the beginning of a match of Saboteur, on a server where one board is edited."""
    table = Table.of(discord, 3)
    await bot.start()
    choose(bot, table)
    assert await table.begin("saboteur") == 1
    await table.hand_told()
    return table


def choose(bot: BotProcess, table: Table) -> None:
    """Let the server have one board, edited."""
    chosen = "INSERT INTO guild_settings (guild_id, setting, pace, who_cancels, boards) VALUES (?, ?, ?, ?, ?)"
    execute(bot.database, chosen, table.channel.guild_id, "channel", "day", "moderators", "one")


def boards(table: Table) -> list[Message]:
    """The boards of the match, without the calls."""
    return [each for each in table.boards() if "More" in labels(each)]


def calls(table: Table) -> list[Message]:
    return [each for each in table.boards() if "More" not in labels(each)]


def edit(request: Request) -> bool:
    """The edit of a board: it has a picture, and is in no DM."""
    return request.method == "PATCH" and "attachments" in (request.body or {}) and not in_dm(request)


def in_dm(request: Request) -> bool:
    return "go to the table" in str(request.body.get("content"))


async def consistent(table: Table, bot: BotProcess) -> None:
    """One board and at most one call are left, both about the present turn, and nothing is owed."""
    stored, discord = Stored(bot.database), table.discord
    await discord.until(lambda: stored.rows("SELECT 1 FROM outbox WHERE kind NOT IN ('old_dm')") == [])
    play = f"b:play:1:{stored.match(1)['ply']}::"
    (board,) = boards(table)
    assert table.button(board, "Play")["custom_id"] == play
    assert stored.match(1)["board_message_id"] == board.id
    assert [table.button(each, "Play")["custom_id"] for each in calls(table)] in ([], [play])


async def whole_turn(table: Table, bot: BotProcess) -> None:
    """The called player makes one move, and everything about it arrives."""
    await table.turn()
    stored = Stored(bot.database)
    await table.discord.until(lambda: stored.to_tell(1) == [])


async def test_a_turn_costs_three_requests_and_one_that_nobody_awaits(calm: Table, bot: BotProcess) -> None:
    discord = calm.discord
    await consistent(calm, bot)
    (board,) = boards(calm)
    for _ in range(6):
        before = len(discord.requests)
        await whole_turn(calm, bot)
        counted = [request for request in discord.requests[before:] if request.counted]
        awaited = [request for request in counted if not tidies(request)]
        assert [edit(request) for request in awaited].count(True) == 1
        assert len(awaited) == 3
        assert [each.id for each in boards(calm)] == [board.id]
    await consistent(calm, bot)
    assert len([each for each in calm.channel.messages.values() if "Play" in labels(each)]) == 2
    tidied = [str(request.values) for request in discord.requests if request.counted and tidies(request)]
    assert len(tidied) == len(set(tidied)) == 5


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (429, 30046),
        pytest.param(404, 10008, marks=pytest.mark.slow),
        pytest.param(403, 50001, marks=pytest.mark.slow),
        (403, 50013),
        pytest.param(400, 50021, marks=pytest.mark.slow),
        pytest.param(400, 50083, marks=pytest.mark.slow),
    ],
)
async def test_a_board_that_may_not_be_edited_is_posted_and_edited_from_then_on(
    status: int, code: int, calm: Table, bot: BotProcess
) -> None:
    (first,) = boards(calm)
    calm.discord.faults.answer(status, code, which=lambda request: edit(request))
    await whole_turn(calm, bot)
    calm.discord.faults.clear()
    await consistent(calm, bot)
    (second,) = boards(calm)
    assert second is not first
    assert second.attachments
    assert second.pings
    await whole_turn(calm, bot)
    await consistent(calm, bot)
    assert boards(calm) == [second]
    assert len(calls(calm)) == 1
    assert Stored(bot.database).match(1)["lost"] is None


@pytest.mark.parametrize("status", [429, 500, 503])
@pytest.mark.parametrize("moment", list(Moment))
@pytest.mark.slow
async def test_an_edit_that_fails_for_a_moment_is_made_up_for(
    status: int, moment: Moment, calm: Table, bot: BotProcess
) -> None:
    shown = calm.shown()
    (board,) = boards(calm)
    calm.discord.faults.answer(status, times=1, which=edit, moment=moment)
    person = calm.mover()
    assert person is not None
    await confirm(calm, await calm.panel_before_confirm(person, await calm.called()))
    await patiently(calm, bot, lambda: calm.shown() != shown and calm.mover() is not None)
    await consistent(calm, bot)
    assert boards(calm) == [board]
    await whole_turn(calm, bot)


@pytest.mark.parametrize("moment", list(Moment))
@pytest.mark.parametrize("which", ["edit", "call", "tidying"])
@pytest.mark.slow
async def test_a_bot_that_dies_around_an_edit_a_call_or_while_tidying_loses_and_doubles_nothing(
    which: str, moment: Moment, calm: Table, bot: BotProcess
) -> None:
    await whole_turn(calm, bot)
    await calm.hand_told()
    (board,) = boards(calm)
    deadly = {"edit": edit, "call": board_post, "tidying": lambda request: request.method == "DELETE"}[which]
    calm.discord.faults.once(moment, lambda _: bot.kill(), which=deadly)
    person, shown = calm.mover(), calm.shown()
    assert person is not None
    panel = await calm.panel_before_confirm(person, await calm.called())
    await person.press(panel, "Confirm", wait=False)
    await bot.gone()
    await bot.start()
    await patiently(calm, bot, lambda: calm.shown() != shown and calm.mover() is not None)
    await calm.hand_told()
    await consistent(calm, bot)
    assert boards(calm) == [board]
    assert len(calls(calm)) == 1
    await whole_turn(calm, bot)


async def test_whatever_moderators_delete_the_table_sees_its_board(calm: Table, bot: BotProcess) -> None:
    await whole_turn(calm, bot)
    (board,), (call,) = boards(calm), calls(calm)
    person = calm.mover()
    assert person is not None
    panel = await calm.panel_before_confirm(person, call)
    shown = calm.shown()
    for message in (board, call):
        del calm.channel.messages[message.id]
    await person.press(panel, "Confirm")
    await calm.discord.until(lambda: calm.shown() not in (None, shown))
    await consistent(calm, bot)
    assert boards(calm)[0].pings
    await whole_turn(calm, bot)
    await consistent(calm, bot)


async def test_where_others_write_the_board_comes_down_when_a_player_asks(calm: Table, bot: BotProcess) -> None:
    discord = calm.discord
    await whole_turn(calm, bot)
    (board,) = boards(calm)
    for number in range(30):
        discord.world.post(calm.channel, {"content": f"Lovely weather, part {number}"}, [])
    person = next(each for each in calm.people if each is not calm.mover())
    more = (await person.press(board, "More")).message
    assert more is not None
    await person.press(more, "Bring the board down")
    await discord.until(lambda: board not in boards(calm))
    await consistent(calm, bot)
    (down,) = boards(calm)
    assert list(calm.channel.messages.values())[-1] is down
    assert down.pings == (), "the turn has rung already"
    await whole_turn(calm, bot)
    await consistent(calm, bot)
    assert boards(calm) == [down]


@pytest.mark.slow
async def test_a_day_later_the_board_is_posted_again(calm: Table, bot: BotProcess) -> None:
    (first,) = boards(calm)
    await whole_turn(calm, bot)
    bot.ahead(23 * 3600)
    bot.ahead(25 * 3600)
    await whole_turn(calm, bot)
    await calm.discord.until(lambda: first not in boards(calm))
    (second,) = boards(calm)
    assert second.attachments


@pytest.mark.slow
async def test_where_the_bot_may_not_write_for_a_while_the_table_goes_on_afterwards(
    calm: Table, bot: BotProcess
) -> None:
    discord, stored = calm.discord, Stored(bot.database)
    calm.channel.denied |= {"send_messages"}
    person = calm.mover()
    assert person is not None
    await calm.turn(wait=False)
    await discord.until(lambda: stored.match(1)["lost"] == "place")
    assert stored.match(1)["status"] == "running"
    calm.channel.denied.clear()
    await patiently(calm, bot, lambda: stored.match(1)["lost"] is None)
    await consistent(calm, bot)
    await whole_turn(calm, bot)


@pytest.mark.slow
async def test_of_two_processes_the_servers_edits_and_calls_whoever_stores_the_move(
    two_bots: tuple[Discord, BotProcess, BotProcess],
) -> None:
    discord, hears_dms, carries = two_bots
    table = Table.of(discord, 3)
    for bot in (hears_dms, carries):
        await bot.start()
    choose(carries, table)
    await table.begin("saboteur")
    for from_dm in (True, False, True, True):
        await table.hand_told()
        await table.turn(from_dm=from_dm)
    await table.hand_told()
    await consistent(table, carries)
    assert len([request for request in discord.requests if board_post(request)]) == 5
