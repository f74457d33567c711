"""A whole match over the wire: the real bot, two people, every body judged."""

from pathlib import Path

import pytest

from games.log import parse_log, replay

from .bot_process import BotProcess, Nursery
from .discord_standin import Discord
from .stored import Stored
from .table import Table, behind

pytestmark = pytest.mark.wire


async def test_a_whole_match_over_the_wire(discord: Discord, bot: BotProcess) -> None:
    table = Table.of(discord, 2)
    await bot.start()
    number = await table.begin("abissal")
    for from_dm in (False, True, False, True):
        await table.turn(from_dm=from_dm)
    await table.play_on(by_command="abissal")

    stored = Stored(bot.database)
    header, lines = parse_log(stored.log(number))
    *_, (_, last) = replay(header, lines)
    assert last.is_terminal
    assert stored.match(number)["status"] == "over"
    final = table.latest()
    assert final is not None
    proof = (await behind(table.people[0], final, "Fair deal")).message
    assert stored.match(number)["seed"].hex() in proof.content
    await discord.until(lambda: stored.to_tell(number) == [])
    assert (await bot.stop())[0] == 0
    assert {board.pings for board in table.boards()} <= {(), *((person.id,) for person in table.people)}
    for person in table.people:
        assert all(message.pings == () for message in person.sees(person.dm))


async def test_the_shipped_program_starts_and_stops_by_itself(discord: Discord, bot: BotProcess) -> None:
    plain = BotProcess(discord, bot.folder, name="plain")
    await plain.start()
    assert discord.world.commands
    assert discord.gateway.identifies[-1]["intents"] == 1 | 1 << 16
    code, seconds = await plain.stop()
    assert (code, plain.complaints()) == (0, [])
    assert seconds < 10


async def test_a_paced_discord_is_respected(discord: Discord, bot: BotProcess) -> None:
    discord.limits.paced = True
    table = Table.of(discord, 3)
    await bot.start()
    await table.begin("saboteur")
    await table.play_on(turns=4)
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
        await table.turn()
        await discord.until(lambda: Stored(bot.database).to_tell(1) == [])
    finally:
        await bot.close()
    assert bot.complaints() == [], bot.log()
    opened = [int(each.body["recipient_id"]) for each in discord.requests if each.path == "/users/@me/channels"]
    assert opened == [person.id for person in table.people[:2]]
    assert not [person.id for person in table.people[2:] if person.sees(person.dm)]


async def test_the_log_names_no_token_no_seed_and_no_hand(discord: Discord, nursery: Nursery, tmp_path: Path) -> None:
    bot = BotProcess(discord, tmp_path, nursery, AMBIT_LOG_LEVEL="DEBUG")
    try:
        table = Table.of(discord, 3)
        await bot.start()
        number = await table.begin("saboteur")
        await table.play_on(turns=3)
        await table.hand_told()
        discord.faults.answer(503, times=1, which=lambda request: request.path.endswith("/messages"))
        await table.move_by_panel(table.on_turn(), await table.called())
        await discord.until(lambda: f"match {number}" in bot.log())
    finally:
        await bot.close()
    log = bot.log()
    secrets = [discord.token, discord.token.split(".")[2] + '"', Stored(bot.database).match(number)["seed"].hex()]
    secrets += [interaction.token for interaction in discord.world.interactions.values()]
    assert not [secret for secret in (*secrets, "Your cards", "gold-digger", "AMBIT_TOKEN") if secret in log]
