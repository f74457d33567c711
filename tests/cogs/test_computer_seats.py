"""Computer players at a table in SimCord: added with a level, playing on, asked for a hint."""

import random
from typing import Any

import pytest

from cogs.press.custom_ids import parse
from cogs.text import names
from games import GAMES
from matches.api import MatchId, Status, View
from render import RENDERERS
from tests.cogs.table import Table, at_match, behind, buttons, change, hinted, labels, menu, play_by_panel, strip
from tests.cogs.test_whole_matches import assert_result_equals_replay


async def sit_with_computers(room: Table, game: str, players: int, level: str) -> MatchId:
    """One person opens a table, fills it with computers of one level and starts."""
    number = await room.open(game)
    host, lobby = room.people[0], room.latest("Join")
    for _ in range(players - 1):
        asked = (await host.click(lobby, label="Add computer")).response
        await host.select(asked, [level])
    if "Start" in labels(room.refreshed(lobby)):
        await host.click(lobby, label="Start")
    return number


LONG = {"abissal", "saboteur"}
"""Games with long matches. test_computers_host.py plays them to the end without Discord."""


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.soak] if game in LONG else []) for game in sorted(GAMES)]
)
async def test_p15_one_person_and_computers_play_a_whole_match(room1: Table, game: str) -> None:
    number = await sit_with_computers(room1, game, GAMES[game].info.min_players, "easy")
    rng = random.Random(7)
    for _ in range(600):
        # Computers run in processes of their own, for which SimCord doesn't wait.
        await room1.told()
        if (await room1.bot.host.look.match(number)).status is not Status.RUNNING:
            break
        actor, message = room1.to_play()
        await play_by_panel(actor, message, rng)
    await assert_result_equals_replay(room1, number)
    assert "** · " not in room1.latest("Rematch").content, "the picture of the end shows no such numbers"


async def test_p15_the_computer_that_was_added_is_named_also_when_it_fills_the_table(room1: Table) -> None:
    host = room1.people[0]
    for number in range(1, 5):
        assert await room1.open("ambagibus", players=3) == number
        lobby, known = room1.latest("Join"), {host.name}
        for _ in range(2):
            asked = (await host.click(lobby, label="Add computer")).response
            told = (await host.select(asked, ["easy"])).response.content
            (added,) = set((await room1.bot.host.look.match(MatchId(number))).seat_names) - known
            known.add(added)
            assert told == f"{added} joins the table."
        assert (await room1.bot.host.look.match(MatchId(number))).status is not Status.LOBBY


async def test_p26_computers_play_each_other_in_one_post_while_one_person_watches(room2: Table) -> None:
    host, other = room2.people
    number = await room2.open("abissal", players=2)
    lobby = room2.latest("Join")
    assert "Change …" not in labels((await behind(other, lobby)).response)
    await change(host, lobby, "Host only watches")
    assert f"{host.mention} (host) only watches." in room2.refreshed(lobby).content
    for level in ("easy", "expert"):
        asked = (await host.click(lobby, label="Add computer")).response
        await host.select(asked, [level])
    match = await room2.bot.host.look.match(number)
    assert [seat.user_id for seat in match.seats] == [None, None]
    await assert_result_equals_replay(room2, number)
    await room2.env.advance_time(60.0)
    await room2.told()
    told = [message for message in room2.channel.history() if message.id > lobby.id]
    assert [labels(message)[:1] for message in told] == [[], ["Rematch"]]
    assert not any(message.mentions for message in told)
    assert told[0].edited_at is not None


async def test_only_the_host_adds_computers_and_a_level_is_asked_for(room2: Table) -> None:
    number = await room2.open("abissal")
    lobby = room2.latest("Join")
    refused = await room2.people[1].click(lobby, label="Add computer")
    assert "Only the host" in refused.response.content
    asked = (await room2.people[0].click(lobby, label="Add computer")).response
    assert [option.value for option in menu(asked).options] == ["easy", "normal", "hard", "expert"]
    await room2.people[0].select(asked, ["hard"])
    seat = (await room2.bot.host.look.match(number)).seats[-1]
    assert seat.computer == "hard"
    assert f"{seat.name} ({seat.computer} computer)" in strip(room2.refreshed(lobby)).description


@pytest.mark.parametrize(
    ("variant", "levels"), [("basic", ["easy", "expert"]), ("advanced", ["easy", "normal", "expert"])]
)
async def test_where_luck_leaves_no_room_fewer_levels_are_offered(
    room1: Table, variant: str, levels: list[str]
) -> None:
    await room1.open("ambagibus", variant=variant)
    asked = (await room1.people[0].click(room1.latest("Join"), label="Add computer")).response
    assert [option.value for option in menu(asked).options] == levels


async def test_p26_consecutive_computer_moves_share_one_post(room1: Table) -> None:
    await sit_with_computers(room1, "saboteur", 5, "easy")
    rng = random.Random(8)
    for _ in range(3):
        await room1.told()
        before = len(room1.channel.history())
        actor, message = room1.to_play()
        await play_by_panel(actor, message, rng)
        public = [message for message in room1.channel.history()[before:] if "Play" in labels(message)]
        assert len(public) == 1
        assert public[0].content.count("\n") >= 5


def suggestion(shown: Any, view: View) -> str:
    """The move that **Play it** plays."""
    refs = {button.label: parse(button.custom_id or "") for button in buttons(shown)}
    ref = refs["Play it"]
    assert ref is not None
    return next(move.text for move in view.moves if tuple(choice.value for choice in move.choices) == ref.path)


async def test_a_hint_is_private_and_one_of_the_legal_moves(room3: Table) -> None:
    number = await room3.begin("saboteur", 3, rated="no")
    actor = room3.mover(room3.latest("Play"))
    hint = await hinted(actor, room3.channel)
    assert hint.ephemeral
    view = await room3.bot.host.look.view(number, actor.id)
    move = next(move for move in view.moves if move.text == suggestion(hint, view))
    people = names.people_to(view.match, view.seat)
    advice = RENDERERS["saboteur"].advise(move.action, view.observation, people)
    _, why = hint.content.split(f"**Hint:** {advice}. ")
    assert why.endswith(".")
    assert hint.attachments
    other = next(person for person in room3.people if person.id != actor.id)
    assert "not your turn" in (await at_match(other, room3.channel, "hint")).response.content


async def test_a_hint_stands_in_the_panel_with_its_picture_and_is_played_by_a_button(room2: Table) -> None:
    number = await room2.begin("gambo", 2, rated="no")
    board = room2.latest("Play")
    actor = room2.mover(board)
    before = await room2.bot.host.look.view(number, actor.id)
    opened = (await actor.click(board, label="Play")).response
    another = (await actor.click(board, label="Play")).response
    shown = (await actor.click(opened, label="Hint")).response
    assert shown.ephemeral
    assert shown.attachments
    assert "Confirm" not in labels(shown)
    suggested = suggestion(shown, before)
    assert (await room2.bot.host.look.match(number)).ply == before.ply, "a hint plays nothing"
    await actor.click(shown, label="Play it")
    assert (await room2.bot.host.look.history(number, None))[-1].text == suggested
    late = (await actor.click(another, label="Hint")).response
    assert "not your turn" in late.content
