"""Many people at the same moment, and two bots over one file: exactly one action counts, and everybody is answered."""

from __future__ import annotations

import pytest

from tests.store import execute

from .bot_process import BotProcess
from .discord_standin import Answer, Discord, Moment, Person, Request
from .discord_standin.people import together
from .stored import Stored
from .table import Table, labels, served_by_two

pytestmark = pytest.mark.wire


def all_answered(answers: list[Answer | BaseException]) -> list[Answer]:
    """The answers. Check that nobody is left without one."""
    failed = [answer for answer in answers if isinstance(answer, BaseException)]
    assert not failed, failed
    return [answer for answer in answers if isinstance(answer, Answer)]


def moves(bot: BotProcess) -> int:
    """How many actions of players are in the log."""
    return sum(line.player >= 0 for line in Stored(bot.database).lines(1))


async def test_fifty_people_press_at_once_and_everybody_is_answered(table: Table, bot: BotProcess) -> None:
    discord = table.discord
    crowd = [discord.person(f"Guest {number}") for number in range(47)]
    guild = discord.world.guilds[table.channel.guild_id or 0]
    guild.members |= {person.id: person.user for person in crowd}
    board, mover = await table.called(), table.mover()
    everybody: list[Person] = [*table.people, *crowd]
    answers = all_answered(await together(*(person.press(board, "Play") for person in everybody)))
    offered = [answer.interaction.user.id for answer in answers if answer.message and _is_panel(answer)]
    assert mover is not None
    assert offered == [mover.id]
    assert moves(bot) == 0


def _is_panel(answer: Answer) -> bool:
    assert answer.message is not None
    return "your move" in answer.message.content


async def test_confirm_pressed_ten_times_at_once_is_one_move(table: Table, bot: BotProcess) -> None:
    board, person = await table.called(), table.mover()
    assert person is not None
    panel = await table.panel_before_confirm(person, board)
    all_answered(await together(*(person.press(panel, "Confirm") for _ in range(10))))
    await table.discord.until(lambda: table.latest() is not board)
    assert moves(bot) == 1
    assert len(table.boards()) == 2


async def test_two_confirms_of_different_moves_at_once_are_one_move(table: Table, bot: BotProcess) -> None:
    board, person = await table.called(), table.mover()
    assert person is not None
    one = await table.panel_before_confirm(person, board)
    table.salt = "another"
    two = await table.panel_before_confirm(person, await table.hand_told())
    all_answered(await together(person.press(one, "Confirm"), person.press(two, "Confirm")))
    await table.discord.until(lambda: table.latest() is not board)
    assert moves(bot) == 1


async def test_everybody_joins_and_leaves_at_once_and_the_table_is_right(discord: Discord, bot: BotProcess) -> None:
    table = Table.of(discord, 10)
    await bot.start()
    lobby = await table.opened()
    stored = Stored(bot.database)

    async def all_stored(answers: list[Answer | BaseException]) -> None:
        """Wait until all presses are stored: the first answer to one may show what somebody else has done."""
        presses = {answer.interaction.id for answer in all_answered(answers) if not answer.interaction.followups}
        await discord.until(
            lambda: presses <= {row["interaction_id"] for row in stored.rows("SELECT interaction_id FROM presses")}
        )

    await all_stored(await together(*(person.press(lobby, "Join") for person in table.people for _ in range(2))))
    await all_stored(await together(*(person.press(lobby, "Leave") for person in table.people[5:])))
    seated = stored.rows("SELECT user_id FROM seats ORDER BY position")
    assert sorted(row["user_id"] for row in seated) == [person.id for person in table.people[:5]]


async def test_a_lobby_that_somebody_joins_while_it_is_drawn_again_shows_them_in_the_end(
    discord: Discord, bot: BotProcess
) -> None:
    table = Table.of(discord, 2)
    await bot.start()
    lobby = await table.opened()
    join = "INSERT INTO seats (match_id, position, user_id, name) VALUES (1, 7, 77, 'Late')"

    def joined(_: Request) -> bool:
        # They join after the lobby was drawn without them, as if their own press had been shown before this drawing.
        execute(bot.database, join)
        return False

    discord.faults.once(Moment.BEFORE, joined, which=lambda request: request.method == "PATCH" and request.counted)
    question = await table.people[0].press(lobby, "Add computer")
    assert question.message is not None
    await table.people[0].pick(question.message, "easy")
    await discord.until(lambda: "Late" in lobby.content, place=table.channel)
    assert "(easy computer)" in lobby.content


async def test_many_who_press_start_at_once_begin_one_match(discord: Discord, bot: BotProcess) -> None:
    table = Table.of(discord, 3)
    await bot.start()
    host = table.people[0]
    lobby = await table.opened()
    for person in table.people[1:]:
        await person.press(lobby, "Join")
    await together(*(host.press(lobby, "Start") for _ in range(5)))
    await table.called()
    await table.turn()
    assert sum(line.text.startswith("roles") for line in Stored(bot.database).lines(1)) == 1
    assert len(table.boards()) == 2


async def test_a_press_in_the_channel_and_one_in_the_dm_at_two_bots_are_one_move(
    two_bots: tuple[Discord, BotProcess, BotProcess],
) -> None:
    discord, first, _ = two_bots
    table = await served_by_two(two_bots, 3)
    assert [session.shard for session in discord.gateway.listening(table.channel.guild_id)] == [(1, 2)]
    await table.begin("saboteur")
    for turn in range(1, 5):
        board, person = await table.called(), table.mover()
        assert person is not None
        in_dm = await table.panel_before_confirm(person, await table.hand_told())
        in_channel = await table.panel_before_confirm(person, board)
        assert in_dm.channel_id == person.dm.id
        all_answered(await together(person.press(in_dm, "Confirm"), person.press(in_channel, "Confirm")))
        await discord.until(lambda board=board: table.latest() is not board)
        assert moves(first) == turn
    assert len(table.boards()) == 5
    assert "Play" in labels(await table.called())


async def test_when_one_of_two_bots_dies_the_other_tells_what_it_had_to_tell(
    two_bots: tuple[Discord, BotProcess, BotProcess],
) -> None:
    discord, first, second = two_bots
    table = await served_by_two(two_bots, 3)
    await table.begin("saboteur")
    board, person = await table.called(), table.mover()
    assert person is not None
    panel = await table.panel_before_confirm(person, await table.hand_told())
    # Leftover news of the beginning, like the others' hands, is no answer to the move.
    stored = Stored(second.database)
    await discord.until(lambda: not stored.to_tell(1))
    discord.faults.once(
        Moment.BEFORE, lambda _: first.kill(), which=lambda request: request.path == "/channels/{channel_id}/messages"
    )
    await person.press(panel, "Confirm", wait=False)
    await first.gone()
    assert moves(second) == 1
    second.ahead(61)
    await discord.until(lambda: table.latest() is not board)
    await table.turn()
