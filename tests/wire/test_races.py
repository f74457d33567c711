"""Many people at the same moment, and two bots over one file: exactly one action counts, and everybody is answered."""

import pytest

from tests.store import execute

from .bot_process import BotProcess
from .conftest import shared_bot, shared_table, sharing
from .discord_standin import Answer, Discord, Message, Moment, Person, Request
from .discord_standin.people import together
from .stored import Stored
from .table import Table, is_panel, labels, served_by_two
from .test_faults import moves
from .test_servers import guild_of

pytestmark = pytest.mark.wire

bot, table = shared_bot, shared_table


def all_answered(answers: list[Answer | BaseException]) -> list[Answer]:
    """The answers. Check that nobody is left without one."""
    failed = [answer for answer in answers if isinstance(answer, BaseException)]
    assert not failed, failed
    return [answer for answer in answers if isinstance(answer, Answer)]


async def another(bot: BotProcess, count: int, number: int) -> tuple[Table, Message]:
    """Another table of the bot, with its lobby."""
    made = Table.of(bot.discord, count, number=number)
    await bot.discord.invite(guild_of(made))
    return made, await made.opened()


@sharing
async def test_fifty_people_press_at_once_and_everybody_is_answered(table: Table, bot: BotProcess) -> None:
    discord = table.discord
    crowd = [discord.person(f"Guest {number}") for number in range(47)]
    guild = discord.world.guilds[table.channel.guild_id or 0]
    guild.members |= {person.id: person.user for person in crowd}
    board, mover, before = await table.called(), table.mover(), moves(bot)
    everybody: list[Person] = [*table.people, *crowd]
    answers = all_answered(await together(*(person.press(board, "Play") for person in everybody)))
    offered = [each.interaction.user.id for each in answers if is_panel(each.message)]
    assert offered == [mover.id]
    assert moves(bot) == before


@sharing
async def test_a_lobby_that_somebody_joins_while_it_is_drawn_again_shows_them_in_the_end(bot: BotProcess) -> None:
    table, lobby = await another(bot, 2, 4)
    # What the host has changed at the table is shown, so that the next drawing is that of the computer.
    await bot.discord.until(lambda: not Stored(bot.database).to_tell(table.number(lobby)))
    join = "INSERT INTO seats (match_id, position, user_id, name) VALUES (?, 7, 77, 'Late')"

    def joined(_: Request) -> bool:
        # They join after the lobby was drawn without them, as if their own press had been shown before this drawing.
        execute(bot.database, join, table.number(lobby))
        return False

    bot.discord.faults.once(Moment.BEFORE, joined, which=lambda request: request.method == "PATCH" and request.counted)
    question = await table.people[0].press(lobby, "Add computer")
    assert question.message is not None
    await table.people[0].pick(question.message, "easy")
    await bot.discord.until(lambda: "Late" in str(lobby.attachments), place=table.channel)
    assert "(easy computer)" in str(lobby.attachments)


async def test_a_press_in_the_channel_and_one_in_the_dm_at_two_bots_are_one_move_and_if_one_dies_the_other_tells_it(
    two_bots: tuple[Discord, BotProcess, BotProcess],
) -> None:
    discord, first, second = two_bots
    table, stored = await served_by_two(two_bots, 3), Stored(second.database)
    assert [session.shard for session in discord.gateway.listening(table.channel.guild_id)] == [(1, 2)]
    await table.begin("saboteur")
    for turn in range(1, 4):
        board, person = await table.called(), table.on_turn()
        in_dm = await table.panel_before_confirm(person, await table.hand_told())
        in_channel = await table.panel_before_confirm(person, board)
        assert in_dm.channel_id == person.dm.id
        all_answered(await together(person.press(in_dm, "Confirm"), person.press(in_channel, "Confirm")))
        await discord.until(lambda board=board: table.latest() is not board)
        assert moves(first) == turn
    assert len(table.boards()) == 4
    board, person = await table.called(), table.on_turn()
    assert "Play" in labels(board)
    panel = await table.panel_before_confirm(person, await table.hand_told())
    # Leftover news, like the others' hands, is no answer to the move.
    await discord.until(lambda: not stored.to_tell(1))
    discord.faults.once(
        Moment.BEFORE, lambda _: first.kill(), which=lambda request: request.path == "/channels/{channel_id}/messages"
    )
    await person.press(panel, "Confirm", wait=False)
    await first.gone()
    assert moves(second) == 4
    second.ahead(61)
    await discord.until(lambda: table.latest() is not board)
    await table.turn()
