"""A board that is edited, over the wire: deaths, and two processes (P4)."""

import pytest

from tests.store import execute

from .bot_process import BotProcess
from .discord_standin import Discord, Message, Moment
from .discord_standin.faults import Request
from .stored import Stored
from .table import Table, labels
from .test_faults import board_post, patiently

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
    return [each for each in table.boards() if "⋯" in labels(each)]


def calls(table: Table) -> list[Message]:
    return [each for each in table.boards() if "⋯" not in labels(each)]


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


@pytest.mark.parametrize("moment", list(Moment))
async def test_a_bot_that_dies_around_an_edit_a_call_and_while_tidying_loses_and_doubles_nothing(
    moment: Moment, calm: Table, bot: BotProcess
) -> None:
    await calm.turn()
    await consistent(calm, bot)
    (board,) = boards(calm)
    for deadly in (edit, board_post, lambda request: request.method == "DELETE"):
        calm.discord.faults.once(moment, lambda _: bot.kill(), which=deadly)
        person, shown = calm.on_turn(), calm.shown()
        panel = await calm.panel_before_confirm(person, await calm.called())
        await person.press(panel, "Confirm", wait=False)
        await bot.gone()
        await bot.start()
        await patiently(calm, bot, lambda shown=shown: calm.shown() != shown and calm.mover() is not None)
        await calm.hand_told()
        await consistent(calm, bot)
        assert boards(calm) == [board]
        assert len(calls(calm)) == 1


async def test_of_two_processes_the_servers_edits_and_calls_whoever_stores_the_move(
    two_bots: tuple[Discord, BotProcess, BotProcess],
) -> None:
    discord, hears_dms, carries = two_bots
    table = Table.of(discord, 3)
    for bot in (hears_dms, carries):
        await bot.start()
    choose(carries, table)
    await table.begin("saboteur")
    for from_dm in (True, False):
        await table.hand_told()
        await table.turn(from_dm=from_dm)
    await table.hand_told()
    await consistent(table, carries)
    assert len([request for request in discord.requests if board_post(request)]) == 3
