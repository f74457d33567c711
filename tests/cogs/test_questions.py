"""Questions to a table as people see them: No, until when, and how they end (P13, P14, P18, P33)."""

import random

import pytest

from cogs.press.custom_ids import parse
from matches.api import MatchId
from tests.cogs.table import Table, at_match, buttons, labels, play_by_panel
from tests.cogs.test_manners import one_sentence


# FOUND F9
async def test_p18_the_question_whether_a_match_ends_has_a_no_says_until_when_and_closes_with_a_sentence(
    at_saboteur: Table,
) -> None:
    ann, bob, cleo = at_saboteur.people
    asked = (await at_match(ann, at_saboteur.channel, "cancel")).response
    await ann.click(asked, label="Yes, ask")
    post = at_saboteur.latest("End the match")
    assert labels(post) == ["End the match", "No"]
    assert "This question closes <t:" in post.content
    assert post.content.split("<t:")[1].split(">")[0].endswith(":f")
    numbers = {parse(str(button.custom_id)).path[1] for button in buttons(post)}
    assert len(numbers) == 1
    assert "No has been counted" in one_sentence(await bob.click(post, label="No"))
    assert "No has been counted" in one_sentence(await cleo.click(post, label="No"))
    last = at_saboteur.channel.history()[-1]
    assert "not enough of you agreed to end the match" in last.content
    assert last.flags.silent
    assert "closed" in one_sentence(await bob.click(post, label="End the match"))
    assert "closed" in one_sentence(await bob.click(post, label="No"))


# FOUND F9
async def test_one_no_lets_the_last_move_stand(at_gambo: Table) -> None:
    actor, board = at_gambo.to_play()
    await play_by_panel(actor, board, random.Random(1))
    await at_match(at_gambo.person(actor.id), at_gambo.channel, "undo", match=MatchId(1))
    post = at_gambo.latest("Agree")
    assert labels(post) == ["Agree", "No"]
    other = next(person for person in at_gambo.people if person.id != actor.id)
    await other.click(post, label="No")
    assert "not everybody agreed" in at_gambo.channel.history()[-1].content
    assert "closed" in one_sentence(await other.click(post, label="Agree"))


# FOUND F9
@pytest.mark.parametrize("answer", ["Agree", "No"])
async def test_p14_somebody_who_asks_for_a_seat_gets_it_or_is_told_that_they_do_not(room4: Table, answer: str) -> None:
    number = await room4.begin("saboteur", 3)
    ann, bob, cleo, dan = room4.people
    await room4.bot.host.play.depart(number, cleo.id)
    await room4.told()
    await at_match(dan, room4.channel, "sit", match=number)
    post = room4.latest("Agree")
    assert labels(post) == ["Agree", "No"]
    for person in (ann, bob):
        await person.click(post, label=answer)
    match = await room4.bot.host.look.match(number)
    assert (match.seat_of(dan.id) is not None) == (answer == "Agree")
    assert any(f"<@{dan.id}> doesn't get the seat" in each.content for each in room4.channel.history()) == (
        answer == "No"
    )
