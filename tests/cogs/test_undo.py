"""Taking the last move back, as people see it (P33)."""

import random
from typing import Any

from matches.api import Status
from tests.cogs.table import Table, at_match, labels, play_by_panel
from tests.cogs.test_manners import one_sentence


async def more(room: Table, person: Any) -> Any:
    """What is behind **More** under the latest board."""
    return (await person.click(room.latest("⋯"), label="⋯")).response


async def moved(room: Table) -> tuple[Any, Any]:
    """Somebody makes a move. Return them and the other person."""
    actor, board = room.to_play()
    await play_by_panel(actor, board, random.Random(3))
    return actor, next(person for person in room.people[:2] if person.id != actor.id)


async def test_a_move_is_taken_back_by_the_panel_and_by_agreeing_under_the_question(room2: Table) -> None:
    host, number = room2.bot.host, await room2.begin("gambo", 2)
    before = await host.look.view(number, None)
    assert "Take back" not in labels(await more(room2, room2.people[0])), "there is no move yet"
    actor, other = await moved(room2)
    asked = (await actor.click(await more(room2, actor), label="Take back")).response
    assert "I've asked the others" in asked.content
    question = room2.latest("Agree")
    assert other.mention in question.content
    assert actor.mention not in question.content
    assert f"{actor.name} would like to take the last move back" in question.content
    agreed = (await other.click(question, label="Agree")).response
    assert "the last move was taken back" in agreed.content
    after = await host.look.view(number, None)
    assert after.observation == before.observation
    board = room2.latest("Play")
    assert "The last move was taken back." in board.content
    assert room2.mover(board).id == actor.id
    log = (await at_match(actor, room2.channel, "log", match=number)).response
    assert "The last move was taken back." in log.content
    late = (await other.click(question, label="Agree")).response
    assert "moved on" in late.content


async def test_the_command_asks_and_a_move_answers_no(room3: Table) -> None:
    number = await room3.begin("ambush", 2)
    early = await at_match(room3.people[0], room3.channel, "undo", match=number)
    assert "can't be taken back" in one_sentence(early)
    actor, other = await moved(room3)
    await at_match(actor, room3.channel, "undo", match=number)
    question = room3.latest("Agree")
    stranger = await room3.people[2].click(question, label="Agree")
    assert "not playing in this match" in one_sentence(stranger)
    while room3.to_play()[0].id == actor.id:
        await moved(room3)
    await moved(room3)
    late = (await other.click(question, label="Agree")).response
    assert "moved on" in late.content
    assert (await room3.bot.host.look.match(number)).ballots == ()


async def test_in_a_game_with_hands_a_card_that_was_seen_is_not_offered_to_be_taken_back(at_saboteur: Table) -> None:
    mover, board = at_saboteur.to_play()
    await play_by_panel(mover, board, random.Random(3))
    actor = at_saboteur.person(mover.id)
    assert "Take back" not in labels(await more(at_saboteur, actor))
    assert "it revealed something" in one_sentence(await at_match(actor, at_saboteur.channel, "undo"))


async def test_a_table_opened_without_it_says_so_and_offers_nothing(room2: Table) -> None:
    number = await room2.open("gambo", undo="no")
    assert "no taking back" in room2.latest("Join").content
    await room2.people[1].click(room2.latest("Join"), label="Join")
    actor, _ = await moved(room2)
    assert (await room2.bot.host.look.match(number)).status is Status.RUNNING
    assert "Take back" not in labels(await more(room2, actor))
    assert "can't be taken back" in one_sentence(await at_match(actor, room2.channel, "undo", match=number))


async def test_against_computers_a_move_is_taken_back_at_once(room1: Table) -> None:
    number = await room1.open("gambo")
    await room1.bot.host.lobby.add_computer(number, room1.people[0].id)
    await room1.told()
    actor, board = room1.to_play()
    await play_by_panel(actor, board, random.Random(3))
    await room1.told()
    answer = (await at_match(actor, room1.channel, "undo", match=number)).response
    assert "the last move was taken back" in answer.content
    await room1.told()
    assert room1.to_play()[0].id == actor.id
    assert not [message for message in room1.channel.history() if "Agree" in labels(message)]
