"""Taking the last move back, as people see it (P33)."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from matches.api import Status
from tests.cogs.table import Table, labels, play_by_panel, table
from tests.cogs.test_manners import one_sentence


async def more(room: Table, person: Any) -> Any:
    """What is behind **More** under the latest board."""
    return (await person.click(room.latest("More"), label="More")).response


async def moved(room: Table) -> tuple[Any, Any]:
    """Somebody makes a move. Return them and the other person."""
    actor, board = room.to_play()
    await play_by_panel(actor, board, random.Random(3))
    return actor, next(person for person in room.people[:2] if person.id != actor.id)


async def test_a_move_is_taken_back_by_the_panel_and_by_agreeing_under_the_question(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        host, number = room.bot.host, await room.begin("gambo", 2)
        before = await host.look.view(number, None)
        assert "Take back" not in labels(await more(room, room.people[0])), "there is no move yet"
        actor, other = await moved(room)
        asked = (await actor.click(await more(room, actor), label="Take back")).response
        assert "I've asked the others" in asked.content
        question = room.latest("Agree")
        assert other.mention in question.content
        assert actor.mention not in question.content
        assert f"{actor.name} would like to take the last move back" in question.content
        agreed = (await other.click(question, label="Agree")).response
        assert "the last move was taken back" in agreed.content
        after = await host.look.view(number, None)
        assert after.observation == before.observation
        board = room.latest("Play")
        assert "The last move was taken back." in board.content
        assert room.mover(board).id == actor.id
        log = (await actor.slash(room.channel, "match log", match=number)).response
        assert "The last move was taken back." in log.content
        late = (await other.click(question, label="Agree")).response
        assert "moved on" in late.content


async def test_the_command_asks_and_a_move_answers_no(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        number = await room.begin("ambush", 2)
        early = await room.people[0].slash(room.channel, "match undo", match=number)
        assert "can't be taken back" in one_sentence(early)
        actor, other = await moved(room)
        await actor.slash(room.channel, "match undo", match=number)
        question = room.latest("Agree")
        stranger = await room.people[2].click(question, label="Agree")
        assert "not playing in this match" in one_sentence(stranger)
        while room.to_play()[0].id == actor.id:
            await moved(room)
        await moved(room)
        late = (await other.click(question, label="Agree")).response
        assert "moved on" in late.content
        assert (await room.bot.host.look.match(number)).ballots == ()


async def test_in_a_game_with_hands_a_card_that_was_seen_is_not_offered_to_be_taken_back(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        await room.begin("saboteur", 3)
        mover, board = room.to_play()
        await play_by_panel(mover, board, random.Random(3))
        actor = room.person(mover.id)
        assert "Take back" not in labels(await more(room, actor))
        assert "it revealed something" in one_sentence(await actor.slash(room.channel, "match undo"))


async def test_a_table_opened_without_it_says_so_and_offers_nothing(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        number = await room.open("gambo", undo="no")
        assert "no taking back" in room.latest("Join").content
        await room.people[1].click(room.latest("Join"), label="Join")
        actor, _ = await moved(room)
        assert (await room.bot.host.look.match(number)).status is Status.RUNNING
        assert "Take back" not in labels(await more(room, actor))
        assert "can't be taken back" in one_sentence(await actor.slash(room.channel, "match undo", match=number))


async def test_against_computers_a_move_is_taken_back_at_once(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1) as room:
        number = await room.open("gambo")
        await room.bot.host.lobby.add_computer(number, room.people[0].id)
        await room.told()
        actor, board = room.to_play()
        await play_by_panel(actor, board, random.Random(3))
        await room.told()
        answer = (await actor.slash(room.channel, "match undo", match=number)).response
        assert "the last move was taken back" in answer.content
        await room.told()
        assert room.to_play()[0].id == actor.id
        assert not [message for message in room.channel.history() if "Agree" in labels(message)]
