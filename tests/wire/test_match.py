"""A whole match over the wire: the real bot, three people, every body judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.log import parse_log, replay

from .bot_process import BotProcess, Nursery
from .discord_standin import Discord, Person
from .discord_standin.faults import Request
from .stored import Stored
from .table import Table, labels, tidies

pytestmark = pytest.mark.wire


def sends(requests: list[Request]) -> list[Request]:
    """The requests that count against the bot's 50 a second and show something."""
    return [request for request in requests if request.counted and request.is_send()]


@pytest.mark.slow
async def test_a_whole_match_of_saboteur_over_the_wire(discord: Discord, bot: BotProcess) -> None:
    table = Table.of(discord, 3)
    await bot.start()
    number = await table.begin("saboteur")
    for from_dm in (False, True, False, True):
        await table.turn(from_dm=from_dm)
    await table.play_on(by_command="saboteur")

    stored = Stored(bot.database)
    header, lines = parse_log(stored.log(number))
    *_, (_, last) = replay(header, lines)
    assert last.is_terminal
    assert stored.match(number)["status"] == "over"
    final = table.latest()
    assert final is not None
    proof = (await table.people[0].press(final, "Fair deal")).message
    assert proof is not None
    assert stored.match(number)["seed"].hex() in proof.content
    await discord.until(lambda: stored.to_tell(number) == [])
    assert (await bot.stop())[0] == 0
    assert {board.pings for board in table.boards()} <= {(), *((person.id,) for person in table.people)}
    for person in table.people:
        assert all(message.pings == () for message in person.sees(person.dm))


async def test_a_move_costs_one_counted_request_for_the_board_and_one_for_the_next_hand(
    discord: Discord, bot: BotProcess
) -> None:
    table = Table.of(discord, 3)
    await bot.start()
    await table.begin("saboteur")
    await table.hand_told()
    await table.play_on(turns=1)  # the first player has their hand from the deal
    await table.hand_told()
    for _ in range(6):
        before = len(discord.requests)
        await table.turn()
        await table.hand_told()
        counted = [request for request in discord.requests[before:] if request.counted]
        awaited = [request for request in counted if not tidies(request)]
        assert len(awaited) == len(sends(awaited)) == 2, awaited
    *old, newest = table.boards()
    await discord.until(lambda: not [each for each in old if "Play" in labels(each)], place=table.channel)
    assert "Play" in labels(newest)
    tidied = [str(request.values) for request in discord.requests if request.counted and tidies(request)]
    assert len(tidied) == len(set(tidied)) >= len(old), "each is changed once"


async def test_what_belongs_to_one_person_is_shown_to_that_person_only(discord: Discord, bot: BotProcess) -> None:
    table = Table.of(discord, 3)
    watcher = discord.person("Zoe")
    discord.world.guilds[table.channel.guild_id or 0].members[watcher.id] = watcher.user
    await bot.start()
    await table.begin("saboteur")
    await table.play_on(turns=3)
    board = await table.called()
    hands = [(await person.press(board, "My hand")).message for person in table.people]
    assert [hand and hand.visible_to for hand in hands] == [person.id for person in table.people]
    refusal = await watcher.press(board, "My hand")
    assert refusal.message is not None
    assert not refusal.message.attachments
    assert all("Your cards" not in message.content for message in watcher.sees(table.channel))


@pytest.mark.slow
async def test_the_shipped_program_starts_and_stops_by_itself(discord: Discord, bot: BotProcess) -> None:
    plain = BotProcess(discord, bot.folder, name="plain")
    await plain.start()
    assert discord.world.commands
    assert discord.gateway.identifies[-1]["intents"] == 1 | 1 << 16
    code, seconds = await plain.stop()
    assert (code, plain.complaints()) == (0, [])
    assert seconds < 10


async def test_commands_are_told_to_discord_only_when_they_have_changed(discord: Discord, bot: BotProcess) -> None:
    for _ in range(2):
        await bot.start()
        await bot.stop()
    assert sum(request.method == "PUT" for request in discord.requests) == 1


@pytest.mark.slow
async def test_a_press_by_somebody_else_is_answered_and_does_nothing(discord: Discord, bot: BotProcess) -> None:
    table = Table.of(discord, 4)
    *players, watcher = table.people
    table.people = tuple(players)
    await bot.start()
    number = await table.begin("saboteur")
    old = await table.called()
    await table.turn()
    board, person = await table.called(), table.mover()
    stored, before = Stored(bot.database), Stored(bot.database).log(number)
    others: list[Person] = [each for each in players if each is not person]
    assert person is not None
    under_old = person.component(old, "Play")["custom_id"]
    for presser, pressed in ((watcher, board), (others[0], board), (others[1], old), (person, old)):
        # The old board loses Play meanwhile, whenever there is time. Their client may still show it.
        gone = "Play" not in labels(pressed)
        answer = await (presser.forge(pressed, under_old) if gone else presser.press(pressed, "Play"))
        told = await presser.answered_in_private(answer)
        assert told.visible_to == presser.id
        assert "Confirm" not in labels(told)
    assert labels(old) == [], "a former board that was pressed has no buttons any more"
    assert stored.log(number) == before


@pytest.mark.slow
async def test_a_paced_discord_is_respected(discord: Discord, bot: BotProcess) -> None:
    discord.limits.paced = True
    table = Table.of(discord, 3)
    await bot.start()
    await table.begin("saboteur")
    await table.play_on(turns=7)
    await table.hand_told()
    assert discord.limits.refused == 0


async def test_p32_the_ration_of_new_dms_that_is_set_is_kept(
    discord: Discord, nursery: Nursery, tmp_path: Path
) -> None:
    bot = BotProcess(discord, tmp_path, nursery, AMBIT_DMS_A_MINUTE="2")
    try:
        table = Table.of(discord, 4)
        await bot.start()
        await table.begin("saboteur")
        await table.play_on(turns=5)
        await discord.until(lambda: Stored(bot.database).to_tell(1) == [])
    finally:
        await bot.close()
    assert bot.complaints() == [], bot.log()
    opened = [int(each.body["recipient_id"]) for each in discord.requests if each.path == "/users/@me/channels"]
    assert opened == [person.id for person in table.people[:2]]
    assert not [person.name for person in table.people[2:] if person.sees(person.dm)]


@pytest.mark.parametrize("level", [pytest.param("INFO", marks=pytest.mark.slow), "DEBUG"])
async def test_the_log_names_no_token_no_seed_and_no_hand(
    level: str, discord: Discord, nursery: Nursery, tmp_path: Path
) -> None:
    bot = BotProcess(discord, tmp_path, nursery, AMBIT_LOG_LEVEL=level)
    try:
        table = Table.of(discord, 3)
        await bot.start()
        number = await table.begin("saboteur")
        await table.play_on(turns=3)
        await table.hand_told()
        discord.faults.answer(503, times=1, which=lambda request: request.path.endswith("/messages"))
        person = table.mover()
        assert person is not None
        await table.move_by_panel(person, await table.called())
        await discord.until(lambda: f"match {number}" in bot.log())
    finally:
        await bot.close()
    log = bot.log()
    secrets = [discord.token, discord.token.split(".")[2] + '"', Stored(bot.database).match(number)["seed"].hex()]
    secrets += [interaction.token for interaction in discord.world.interactions.values()]
    assert not [secret for secret in (*secrets, "Your cards", "gold-digger", "AMBIT_TOKEN") if secret in log]
