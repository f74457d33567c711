"""A game that the program doesn't know is played on Discord, only by what it brings itself (`tests.sixth`)."""

import random
from pathlib import Path
from typing import Any

import pytest

from matches.api import Status
from tests.cogs import test_no_leak as no_leak
from tests.cogs.lessons.test_learn import Newcomer
from tests.cogs.table import Table, at_match, behind, entries, hinted, labels, menu, pick, play_by_panel, table
from tests.cogs.test_computer_seats import sit_with_computers
from tests.cogs.test_manners import one_sentence
from tests.cogs.test_turns import check_sections_fit
from tests.cogs.test_whole_matches import assert_result_equals_replay, play_on, stored_log, whole_match
from tests.sixth.bring import KEY, bring

WAYS = ("panel", "slash", "typed")


@pytest.fixture(autouse=True)
def brought(monkeypatch: pytest.MonkeyPatch) -> None:
    bring(monkeypatch)


def actor(room: Table) -> Any:
    """The person whose turn it is."""
    found = room.mover(room.latest("Play"))
    assert found is not None
    return found


@pytest.mark.parametrize("way", [*WAYS, "dm"])
async def test_it_is_played_to_its_end_by_every_way_alone(tmp_path: Path, way: str) -> None:
    await whole_match(tmp_path, KEY, 3, (way,), most="2")


async def test_two_people_play_it_by_all_ways_in_turn_although_the_bot_restarts_again_and_again(room2: Table) -> None:
    number = await room2.begin(KEY, 2, players=2)
    await play_on(room2, number, random.Random(4), how=WAYS, restart_every=4)
    await assert_result_equals_replay(room2, number)


async def test_the_panel_asks_for_its_steps_and_numbers_its_places(room2: Table) -> None:
    await room2.begin(KEY, 2, players=2)
    board, who = room2.latest("Play"), actor(room2)
    assert labels(board) == ["Play", "My hand", "⋯"]
    shown = (await who.click(board, label="Play")).response
    assert "**From which cairn?**" in shown.content
    assert labels(shown) == [
        "1 · Cairn A: 3 stones",
        "2 · Cairn B: 4 stones",
        "3 · Cairn C: 5 stones",
        "4 · Cairn D: 6 stones",
    ]
    shown = (await who.click(shown, label="2 · Cairn B: 4 stones")).response
    assert "**How many stones?**" in shown.content
    shown = (await pick(who, shown, entries(shown)[1])).response
    told = (await who.click(shown, label="Confirm")).response
    assert f"{who.name} takes 2 stones from cairn B." in told.content


async def test_the_command_completes_its_options_and_reads_typed_words(room2: Table) -> None:
    number = await room2.begin(KEY, 2, players=2, most="2")
    who = actor(room2)
    offered = await who.autocomplete(room2.channel, f"{KEY} play", "move", "cairn B")
    assert [each["value"] for each in offered] == ["B-1", "B-2"]
    numbers = await who.autocomplete(room2.channel, f"{KEY} play", "match", "")
    assert [each["value"] for each in numbers] == [number]
    told = (await who.slash(room2.channel, f"{KEY} play", move=offered[0]["value"])).response
    assert f"{who.name} takes 1 stone from cairn B." in told.content
    who = actor(room2)
    told = (await who.slash(room2.channel, f"{KEY} play", move="two stones from cairn D, please")).response
    assert "I couldn't read" in told.content
    asked = (await who.slash(room2.channel, f"{KEY} play", move="two stones from cairn D")).response
    assert asked.content.startswith("I read that as `D-2`. Press **Confirm** to play it.")
    told = (await who.click(asked, label="Confirm")).response
    assert f"{who.name} takes 2 stones from cairn D." in told.content


async def test_a_refusal_names_its_rule_and_opens_its_section_with_a_picture(room2: Table) -> None:
    number = await room2.begin(KEY, 2, players=2, most="2")
    before = await stored_log(room2, number)
    who = actor(room2)
    refused = (await who.slash(room2.channel, f"{KEY} play", move="B-3")).response
    assert refused.content == "M2: You may take at most 2 stones."
    section = (await who.click(refused, label="Read this rule")).response
    assert section.content.startswith("**Moor: Your turn**")
    assert [file.description.partition(".")[0] for file in section.attachments] == [
        "The last stone of cairn A may be taken (1)"
    ]
    other = next(person for person in room2.people if person.id != who.id)
    answer = one_sentence(await other.slash(room2.channel, f"{KEY} play", move="B-1"))
    assert f"It's not your turn. It's {who.name}'s turn." in answer
    assert await stored_log(room2, number) == before


async def test_its_rules_open_by_command_and_under_a_board_and_have_every_section(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.begin(KEY, 2, players=2)
        ann, bob = room.people
        for person, shown in (
            (ann, (await ann.slash(room.channel, f"{KEY} rules")).response),
            (bob, (await behind(bob, room.latest("Play"), "Rules")).response),
        ):
            assert shown.content.startswith("**Moor: The game in five lines**")
            assert len(menu(shown).options) == 7
            turned = (await person.select(shown, ["2"])).response
            assert turned.content.startswith("**Moor: Set-up**")
            assert len(turned.attachments) == 1
    check_sections_fit(KEY)


async def test_its_lessons_are_learned_by_the_panel_and_lead_to_a_table(room1: Table) -> None:
    end = await Newcomer(room1.people[0], room1.channel).finish(KEY)
    assert "You know all you need to play Moor." in end.content
    await room1.people[0].click(end, label="Play an easy computer")
    assert "Moor #1" in room1.latest("Start").content


async def test_help_names_it_and_every_command_of_a_game_is_there(room1: Table) -> None:
    page = (await room1.people[0].slash(room1.channel, "help")).response
    told = (await room1.people[0].select(page, ["games"])).response.content
    assert f"`/{KEY} new` — Moor, 2 to 3 players: Take the last stone of a cairn," in told
    assert len(told) <= 2000
    named = {command.name for command in room1.bot.tree.get_command(KEY).commands}
    assert named == {"new", "play", "rules", "stones"}


async def test_a_verb_that_only_this_game_has_answers_whoever_asks(room3: Table) -> None:
    assert "You're not playing Moor" in one_sentence(await room3.people[2].slash(room3.channel, f"{KEY} stones"))
    number = await room3.begin(KEY, 2, players=2)
    await actor(room3).slash(room3.channel, f"{KEY} play", move="C-3")
    for person, options in zip(room3.people, ({}, {"match": number}, {"match": number}), strict=True):
        told = one_sentence(await person.slash(room3.channel, f"{KEY} stones", **options))
        assert told == "Stones left: A 3, B 4, C 2, D 6."
    offered = await room3.people[0].autocomplete(room3.channel, f"{KEY} stones", "match", "")
    assert [each["value"] for each in offered] == [number]
    named = [command.qualified_name for command in room3.bot.tree.walk_commands()]
    assert [name for name in named if name.endswith(" stones")] == [f"{KEY} stones"]


async def test_its_log_hand_and_replay_show_each_player_the_own_token(room2: Table) -> None:
    number = await room2.begin(KEY, 2, players=2)
    rng = random.Random(2)
    for _ in range(3):
        await play_by_panel(*room2.to_play(), rng)
    tokens = set()
    for person in room2.people:
        hand = (await at_match(person, room2.channel, "hand")).response
        seen = (await room2.bot.host.look.view(number, person.id)).observation
        assert f"Your token is {vars(seen)['token']}." in hand.content
        tokens.add(vars(seen)["token"])
        log = (await at_match(person, room2.channel, "log")).response.content
        assert "`0` Everybody gets a token in secret." in log
        assert log.count("stone") == 3
        replay = (await at_match(person, room2.channel, "replay")).response
        assert "step 4 of 4" in replay.content
        assert len((await person.click(replay, label="◀ Back")).response.attachments) == 1
        words = (await at_match(person, room2.channel, "board")).response
        assert words.attachments
    assert len(tokens) == 2
    assert not any("token is" in message.content for message in room2.channel.history())


async def test_a_person_and_a_computer_play_it_with_a_hint(room1: Table) -> None:
    number = await sit_with_computers(room1, KEY, 2, "normal")
    hint = await hinted(actor(room1), room1.channel)
    assert "**Hint:** take " in hint.content
    assert "Play it" in labels(hint)
    rng = random.Random(7)
    for _ in range(20):
        await room1.told()
        if (await room1.bot.host.look.match(number)).status is not Status.RUNNING:
            break
        await play_by_panel(*room1.to_play(), rng)
    await assert_result_equals_replay(room1, number)


async def test_what_is_hidden_in_it_is_told_to_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await no_leak.run(tmp_path, KEY, 3, 1, monkeypatch, 1)
