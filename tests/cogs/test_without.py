"""A bot that begins without some features (`AMBIT_WITHOUT`)."""

import random
import re
from pathlib import Path

import pytest

from cogs import FACES
from cogs.press.custom_ids import parse
from matches.api import NOT_OFFERED, MatchId, Status, UserId
from matches.features import FEATURES
from matches.orders import Orders
from tests.cogs.orders.test_orders import IN_ADVANCE, begin, chosen, opened, places
from tests.cogs.table import Table, buttons, labels, private, table
from tests.cogs.test_lobby import play_to_the_end
from tests.cogs.test_rights import commands
from tests.cogs.test_settings import forged
from tests.matches.tables import dump

KEYS = tuple(sorted(feature.key for feature in FEATURES))


@pytest.mark.parametrize("without", [*((key,) for key in KEYS), KEYS], ids=lambda without: "+".join(without))
async def test_whatever_is_left_out_a_match_is_played_and_an_old_button_says_so(
    tmp_path: Path, without: tuple[str, ...]
) -> None:
    async with table(tmp_path / "ambit.db", 2, without=without) as room:
        faces = [FACES[key] for key in without]
        gone = {row.name for face in faces for row in face.commands}
        assert not gone & {command.qualified_name for command in commands(room.bot.tree)}
        ann = room.people[0]
        for verb in (verb for face in faces for verb in face.verbs):
            assert await forged(room, room.channel, ann, verb) == NOT_OFFERED, verb
        await begin(room, "ambush")
        await play_to_the_end(room, MatchId(1))
        assert (await room.bot.host.look.match(MatchId(1))).status is Status.OVER
        pages = [private(await ann.slash(room.channel, command)) for command in ("help", "ambush rules")]
        shown = [button for page in (*pages, *room.channel.history()) for button in buttons(page)]
        offered = {ref.verb for each in shown if each.label != "Forged" and (ref := parse(each.custom_id or ""))}
        assert {"help", "rematch"} <= offered
        assert not [verb for face in faces for verb in face.verbs if verb in offered]


async def test_p40_an_appointed_table_becomes_one_like_any_other_and_everybody_there_is_told(room2: Table) -> None:
    await room2.open("gambo", at="3 hours")
    lobby = room2.latest("Join")
    await room2.people[1].click(lobby, label="Join")
    await room2.restart(without=("appointments",))
    await room2.told()
    (told,) = [message for message in room2.channel.history() if FACES["appointments"].left_out in message.content]
    assert {person.id for person in room2.people} == {int(user) for user in re.findall(r"<@(\d+)>", told.content)}
    assert "**Starts" not in room2.refreshed(lobby).content
    assert not (await dump(room2.bot.database))["appointments"]
    await room2.people[0].click(room2.refreshed(lobby), label="Start")
    assert (await room2.bot.host.look.match(MatchId(1))).status is Status.RUNNING


async def test_p39_what_was_said_in_advance_ends_and_whoever_said_it_is_told_and_rung(room2: Table) -> None:
    await begin(room2, "ambush")
    mover, person = await places(room2)
    rng = random.Random(3)
    await chosen(person, await chosen(person, await opened(room2, person, to_answer=True), rng), rng)
    prepared = await room2.bot.host.part(Orders).look(MatchId(1), UserId(person.id))
    await mover.slash(room2.channel, "ambush play", move=prepared.orders[0].theirs)
    await room2.restart(without=("orders",))
    await room2.told()
    told = next(room2.newest_first(person.user.dm_channel))
    assert FACES["orders"].left_out in told.content
    assert not told.flags.silent
    stored = await dump(room2.bot.database)
    assert not stored["orders"]
    assert "order" not in str(stored["deadlines"])
    await person.click(room2.latest("Play"), label="Play")
    assert IN_ADVANCE not in str(labels(room2.latest("Play")))
