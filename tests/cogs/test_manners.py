"""What the table withstands: every wrong press and every wrong word gets one sentence, and the match is unchanged."""

import random
from pathlib import Path
from typing import Any

import pytest

from games.core import Stage
from matches.api import MatchId, Ply, Status
from matches.table.tidying import DM_STAYS
from tests.cogs.table import (
    TICK,
    Table,
    at_match,
    buttons,
    cancel,
    entries,
    labels,
    pick,
    play_by_panel,
    private,
    table,
)
from tests.cogs.test_whole_matches import stored_log

JUNK = ["", " ", "a" * 100, "NESW@0", "drop ?", "🂡" * 20, "```", "@everyone <@1>", "‮abc", "\u0000", "1;DROP TABLE log"]


async def others(room: Table) -> list[Any]:
    """Everybody at the table whose turn it isn't."""
    actor = room.mover(room.latest("Play"))
    return [person for person in room.people[:3] if person.id != (actor.id if actor else 0)]


def one_sentence(result: Any) -> str:
    """The private answer. Check that it is one readable sentence."""
    assert result.acknowledged
    assert result.response is not None
    answer = private(result)
    assert answer.ephemeral
    content = str(answer.content)
    assert content.endswith((".", ")", ":", "?", "`")), content
    assert "Traceback" not in content
    assert "Error" not in content
    return content


async def test_p10_whoever_is_not_on_turn_reads_whose_turn_it_is(at_saboteur: Table) -> None:
    before = await stored_log(at_saboteur, MatchId(1))
    board = at_saboteur.latest("Play")
    actor = at_saboteur.mover(board)
    for person in await others(at_saboteur):
        result = await person.click(board, label="Play")
        assert f"It's not your turn. It's {actor.name}'s turn." in one_sentence(result)
        assert result.response.attachments[0].filename == "board.png"
    assert await stored_log(at_saboteur, MatchId(1)) == before


async def test_p12_whoever_does_not_sit_here_may_watch_but_not_play(room4: Table) -> None:
    number = await room4.begin("saboteur", 3)
    before = await stored_log(room4, number)
    watcher, board = room4.people[3], room4.latest("Play")
    assert "You're not at this table" in one_sentence(await watcher.click(board, label="Play"))
    assert "You're not at this table" in one_sentence(await watcher.click(board, label="My hand"))
    assert "You're not playing Saboteur" in one_sentence(
        await watcher.slash(room4.channel, "saboteur play", move="drop NES")
    )
    shown = await at_match(watcher, room4.channel, "board")
    assert shown.response.ephemeral
    assert "My hand" not in labels(shown.response)
    more = await watcher.click(board, label="⋯")
    assert labels(more.response) == ["Board", "Log", "Board as text", "Replay", "Rules", "Fair deal"]
    assert await stored_log(room4, number) == before


async def test_p10_an_old_board_never_acts_and_shows_the_present_one(at_saboteur: Table) -> None:
    rng = random.Random(4)
    old = at_saboteur.latest("Play")
    first = at_saboteur.mover(old)
    panel = (await first.click(old, label="Play")).response
    for _ in range(3):
        board = at_saboteur.latest("Play")
        await play_by_panel(at_saboteur.mover(board), board, rng)
    before = await stored_log(at_saboteur, MatchId(1))
    assert at_saboteur.mover(at_saboteur.latest("Play")).id == first.id
    again = await first.click(old, label="Play")
    assert "out of date, so nothing happened" in one_sentence(again)
    assert "Play" in labels(private(again))
    assert labels(at_saboteur.refreshed(old)) == [], "a former board that was pressed loses its buttons"
    assert "Play" in labels(at_saboteur.latest("Play"))
    picked = await pick(first, panel, entries(panel)[0])
    assert "out of date, so nothing happened" in private(picked).content
    assert await stored_log(at_saboteur, MatchId(1)) == before


async def test_p10_a_confirmation_that_is_pressed_twice_counts_once(room3: Table) -> None:
    number = await room3.begin("saboteur", 3)
    board = room3.latest("Play")
    actor = room3.mover(board)
    shown = (await actor.click(board, label="Play")).response
    while "Confirm" not in labels(shown):
        shown = (await pick(actor, shown, entries(shown)[0])).response
    confirmed = next(button for button in buttons(shown) if button.label == "Confirm")
    _, lines = await stored_log(room3, number)
    await room3.bot.host.play.act(
        number, actor.id, (await room3.bot.host.look.view(number, actor.id)).moves[0].text, ply=Ply(len(lines))
    )
    _, after = await stored_log(room3, number)
    result = await actor.click(shown, custom_id=confirmed.custom_id)
    assert "not your turn" in one_sentence(result)
    assert (await stored_log(room3, number))[1] == after


async def test_p06_junk_in_every_text_option_is_refused_with_a_sentence(at_saboteur: Table) -> None:
    before = await stored_log(at_saboteur, MatchId(1))
    actor = at_saboteur.mover(at_saboteur.latest("Play"))
    for junk in JUNK:
        answer = (await actor.slash(at_saboteur.channel, "saboteur play", move=junk)).response
        assert answer is not None, junk
        assert answer.ephemeral
        assert not answer.message.mentions
        assert not answer.message.mention_everyone
        offered = await actor.autocomplete(at_saboteur.channel, "saboteur play", "move", junk)
        assert isinstance(offered, list)
    assert "no match 99" in one_sentence(await actor.slash(at_saboteur.channel, "saboteur play", match=99))
    assert await stored_log(at_saboteur, MatchId(1)) == before


async def test_p30_a_refusal_names_the_rule_and_opens_its_section(at_saboteur: Table) -> None:
    actor = at_saboteur.mover(at_saboteur.latest("Play"))
    refused = await actor.slash(at_saboteur.channel, "saboteur play", move="rock@0,0")
    assert refused.response.content.startswith("S")
    section = await actor.click(refused.response, label="Read this rule")
    assert section.response.content.startswith("**Saboteur: ")


async def test_p10_after_the_end_nothing_can_be_played(at_saboteur: Table) -> None:
    board = at_saboteur.latest("Play")
    actor = at_saboteur.mover(board)
    panel = (await actor.click(board, label="Play")).response
    for person in at_saboteur.people[:2]:
        await cancel(person, at_saboteur.channel)
    assert (await at_saboteur.bot.host.look.match(MatchId(1))).status is Status.OVER
    assert "nobody wins" in at_saboteur.latest("Rematch").content
    await at_saboteur.env.advance_time(DM_STAYS.total_seconds())
    await at_saboteur.env.advance_time(TICK)
    assert "Play" not in labels(at_saboteur.refreshed(board)), "under the last board nothing can be played any more"
    assert "nothing left to play" in one_sentence(await pick(actor, panel, entries(panel)[0]))


async def test_whose_answer_discord_rejects_is_told_so_and_nothing_is_claimed_to_be_done(at_saboteur: Table) -> None:
    before = await stored_log(at_saboteur, MatchId(1))
    at_saboteur.env.inject_error("POST", "/interactions/*/callback", status=400, code=50035)
    told = one_sentence(await at_match(at_saboteur.people[0], at_saboteur.channel, "board"))
    wrong = "I made a mistake in it"
    assert told == f"Discord rejected my reply: {wrong}. Check the newest board to see whether your action counted."
    assert await stored_log(at_saboteur, MatchId(1)) == before


@pytest.mark.parametrize("permission", ["send_messages", "view_channel"])
async def test_p29_a_missing_permission_is_named_before_anything_is_opened(tmp_path: Path, permission: str) -> None:
    async with table(tmp_path / "ambit.db", 3, denied=permission) as room:
        result = await room.people[0].slash(room.channel, "saboteur new")
        named = permission.replace("_", " ").title()
        assert f"I need the {named} permission" in one_sentence(result)
        assert not await room.bot.host.look.matches_of(room.people[0].id)


async def test_p29_without_the_right_to_attach_files_the_board_is_shown_in_words(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3, denied="attach_files") as room:
        await room.begin("saboteur", 3)
        board = room.latest("Play")
        assert not board.attachments
        assert "```\nSaboteur, round 1/3" in board.content
        notes = [message.content for message in room.channel.history(viewer=room.people[0])]
        assert any("permission: Attach Files" in note for note in notes)


async def test_p29_without_the_right_to_make_threads_the_match_stays_in_the_channel(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3, denied="create_public_threads") as room:
        await room.begin("saboteur", 3, where="thread")
        assert not room.channel.threads
        assert room.mover(room.latest("Play")) is not None


async def test_p04_a_move_costs_one_request_for_the_board_and_one_for_the_next_hand(at_saboteur: Table) -> None:
    rng = random.Random(5)
    for _ in range(12):
        before = len(at_saboteur.env.http_requests)
        board = at_saboteur.latest("Play")
        await play_by_panel(at_saboteur.mover(board), board, rng)
        counted = [
            (request.method, request.path)
            for request in at_saboteur.env.http_requests[before:]
            if not request.path.startswith(("/interactions", "/webhooks"))
        ]
        dms = {person.user.dm_channel.id for person in at_saboteur.people}
        assert len(counted) == 2, counted
        assert [method for method, path in counted if int(path.split("/")[2]) not in dms] == ["POST"]
        # A hand arrives in the one message that somebody has of the match.
        assert [method for method, path in counted if int(path.split("/")[2]) in dms] == ["PATCH"]


async def test_a_match_opened_in_a_thread_is_played_there(room3: Table) -> None:
    await room3.begin("gambo", 2, where="thread")
    (thread,) = room3.channel.threads
    await room3.people[0].slash(thread, "ambush new")
    await room3.people[1].click(room3.latest("Join", thread), label="Join")
    about, board = thread.history()[-2:]
    assert about.content.startswith("**Ambush #2**")
    assert "Play" in labels(board)
    assert not thread.threads


async def mid_turn(room: Table, rng: random.Random) -> bool:
    """Play Ambush until somebody is in the middle of their turn. Return whether that came before its end."""
    host, number = room.bot.host, await room.begin("ambush", 2)
    while (mover := (await host.look.match(number)).mover) is not None and mover.user_id is not None:
        view = await host.look.view(number, mover.user_id)
        if view.stage is Stage.STEPS:
            return True
        moves = [move.text for move in view.moves]
        # Turning a coaster captures most.
        turning = [text for text in moves if text[1] in "EW"]
        await host.play.act(number, mover.user_id, rng.choice(turning if turning and rng.random() < 0.5 else moves))
    return False


async def test_p07_play_under_the_newest_board_goes_on_in_the_middle_of_a_turn(tmp_path: Path) -> None:
    for seed in range(20):
        async with table(tmp_path / f"{seed}.db", 2) as room:
            if not await mid_turn(room, random.Random(seed)):
                continue
            await room.told()
            mover = (await room.bot.host.look.match(MatchId(1))).mover
            shown = (await room.person(mover.user_id or 0).click(room.latest("Play"), label="Play")).response
            assert "out of date" not in shown.content
            assert entries(shown)
            return
    raise AssertionError("no turn had several steps")
