"""**Play on from here**, from a replay: in private by direct message, or at a table that others can join (P38)."""

import random
import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cogs.press import components
from cogs.press.custom_ids import Ref
from cogs.review.playing_on import DMS_ARE_CLOSED
from games import GAMES
from matches.api import Match, MatchId, NotFound, Ply, Status, UserId
from tests.cogs.table import Table, at_match, behind, cancel, labels, menu, play_by_panel, private, table
from tests.cogs.test_replay import move, resigned


async def over(room: Table, game: str, moves: int = 6, people: int = 2) -> MatchId:
    """A match that was ended after some moves; its number."""
    number = await room.begin(game, people)
    for _ in range(moves):
        if (await room.bot.host.look.match(number)).status is Status.RUNNING:
            await move(room, number)
    match = await room.bot.host.look.match(number)
    if match.status is Status.RUNNING and people == 2:
        await resigned(room, number)
    elif match.status is Status.RUNNING:
        for person in room.people[:people]:
            await cancel(person, room.channel, match=number)
    return number


async def asked(room: Table, number: int, back: int = 2, who: int = 0) -> Any:
    """The question how to play on, a few steps before the end."""
    person = room.people[who]
    shown = (await at_match(person, room.channel, "replay", match=number)).response
    shown = (await person.click(shown, label="Last")).response
    for _ in range(back):
        shown = (await person.click(shown, label="◀ Back")).response
    return (await person.click(shown, label="Play on from here")).response


async def newest(room: Table) -> Match:
    """The match that was opened last."""
    match = await room.bot.host.look.match(MatchId(1))
    with suppress(NotFound):
        while True:
            match = await room.bot.host.look.match(MatchId(match.id + 1))
    return match


def dms(person: Any) -> list[Any]:
    return list(person.user.dm_channel.history())


async def test_in_private_it_is_played_in_direct_messages_to_the_end(room2: Table) -> None:
    number, ann = await over(room2, "abissal"), room2.people[0]
    before = len(list(room2.channel.history()))
    question = await asked(room2, number)
    assert question.ephemeral
    assert "What you couldn't know then is dealt again" in question.content
    answered = (await ann.click(question, label="Easy computer")).response
    await room2.told()
    new = await newest(room2)
    assert f"**Ambiente Abissal #{new.id}** (played on from #{number})" in answered.content
    assert (new.status, new.guild_id, new.channel_id) == (Status.RUNNING, None, ann.user.dm_channel.id)
    assert len(list(room2.channel.history())) == before, "nobody else sees anything of it"
    told = dms(ann)
    assert any("under way" in (file.description or "") for message in told for file in message.attachments)
    assert any(f"plays on from #{number} here" in message.content for message in told)
    rng = random.Random(1)
    for _ in range(200):
        new = await room2.bot.host.look.match(new.id)
        if new.status is Status.OVER:
            break
        await room2.told()
        board = next(message for message in reversed(dms(ann)) if "Play" in labels(message))
        await play_by_panel(ann.user, board, rng)
        await room2.told()
    assert new.status is Status.OVER
    end = next(message for message in reversed(dms(ann)) if "Play on again" in labels(message))
    again = (await ann.user.click(end, label="Play on again")).response
    assert "play on from here" in again.content
    assert "Open a table here" not in labels(again), "a direct message is no place for others"
    await ann.user.click(again, label="Easy computer")
    await room2.told()
    another = await newest(room2)
    assert (another.id, another.branch_of, another.branch_ply) == (new.id + 1, number, new.branch_ply)


async def test_with_others_it_is_a_lobby_that_says_what_it_is(room3: Table) -> None:
    number, ann, cleo = await over(room3, "gambo"), room3.people[0], room3.people[2]
    await ann.click(await asked(room3, number), label="Open a table here")
    lobby = room3.latest("Join")
    assert f"(played on from #{number})" in lobby.content
    assert f"<@{ann.id}> plays on as Player" in lobby.content
    assert "Unrated" in lobby.content
    changes = labels((await behind(ann, lobby, "Change …")).response)
    assert not {"Host only watches", "Make it rated"} & set(changes)
    await cleo.click(lobby, label="Join")
    await room3.told()
    new = await newest(room3)
    old = await room3.bot.host.look.match(number)
    assert [seat.seat for seat in new.seats if seat.user_id == ann.id] == [
        seat.seat for seat in old.seats if seat.user_id == ann.id
    ]
    board = room3.latest("Play", room3.place())
    assert f"plays on from #{number} here" in board.content


async def test_in_open_games_whoever_looks_on_picks_a_seat(room3: Table) -> None:
    number, cleo = await over(room3, "ambush"), room3.people[2]
    question = await asked(room3, number, who=2)
    picking = menu(question)
    assert [option.value for option in picking.options] == ["0", "1"]
    question = (await cleo.select(question, ["1"])).response
    await cleo.click(question, label="Easy computer")
    await room3.told()
    new = await newest(room3)
    assert next(seat.seat for seat in new.seats if seat.user_id == cleo.id) == 1


async def test_who_did_not_play_is_offered_nothing_where_cards_are_hidden(room3: Table) -> None:
    number, cleo = await over(room3, "abissal"), room3.people[2]
    shown = (await at_match(cleo, room3.channel, "replay", match=number)).response
    assert "Play on from here" not in labels(shown)
    for ref in (
        Ref("branch", MatchId(number), Ply(5)),
        Ref("playalone", MatchId(number), Ply(5), ("0", "easy")),
        Ref("playalone", MatchId(number), Ply(5), ("1", "easy")),
        Ref("playhere", MatchId(number), Ply(5), ("0",)),
    ):
        channel = room3.bot.get_channel(room3.channel.id)
        forged = await channel.send("here", view=components.view(components.button(ref, "Forged")))
        refused = private(await cleo.click(forged, label="Forged"))
        assert "only people who played this match" in refused.content
    assert (await newest(room3)).id == number


async def test_closed_direct_messages_are_a_sentence_and_open_no_table(room2: Table) -> None:
    number = await over(room2, "gambo")
    question = await asked(room2, number)
    room2.close_dms()
    refused = private(await room2.people[0].click(question, label="Easy computer"))
    assert DMS_ARE_CLOSED in refused.content
    assert (await newest(room2)).id == number


async def test_its_replay_says_what_was_copied_and_names_nobody_there(room2: Table) -> None:
    number, ann = await over(room2, "gambo"), room2.people[0]
    await ann.click(await asked(room2, number), label="Easy computer")
    await room2.told()
    new = await newest(room2)
    first = (await at_match(ann, room2.channel, "replay", match=new.id)).response
    first = (await ann.click(first, label="First")).response
    assert "· a copy" in first.content
    log = (await at_match(ann, room2.channel, "log", match=new.id)).response
    assert re.search(r"Player [12] ", log.content)
    assert "Bob" not in log.content


@pytest.mark.parametrize("game", GAMES)
async def test_its_end_and_all_that_looks_back_on_it_show_nothing_hidden_of_the_copy(tmp_path: Path, game: str) -> None:
    people = max(2, GAMES[game].info.min_players)
    async with table(tmp_path / "ambit.db", people) as room:
        number, ann = await over(room, game, 8, people), room.people[0]
        question = await asked(room, number, 1)
        await ann.click(question, label=next(label for label in labels(question) if label and "Easy" in label))
        await room.told()
        new = await newest(room)
        while new.status is Status.RUNNING:
            view = await room.bot.host.look.view(new.id, ann.id)
            assert view.moves, "the computers have moved"
            await room.bot.host.play.act(new.id, UserId(ann.id), view.moves[-1].text)
            await room.told()
            new = await room.bot.host.look.match(new.id)
        assert any("Play on again" in labels(message) for message in dms(ann))
        shown = (await at_match(ann, room.channel, "replay", match=new.id)).response
        assert "· a copy" in shown.content
        if "Show what was hidden" in labels(shown):
            shown = (await ann.click(shown, label="Show what was hidden")).response
            replay = await room.bot.host.look.replay(new.id, None, everything=True)
            for moment in map(replay.moment, replay.plies):
                if replay.is_copied(moment.ply - 1):
                    assert (
                        moment.observation
                        == replace(await room.bot.host.look.replay(new.id, None), everything=False)
                        .moment(moment.ply)
                        .observation
                    )
        moments = (await ann.click(shown, label="Big moments")).response
        assert f"(played on from #{number})" in moments.content
        end = next(message for message in reversed(dms(ann)) if "Play on again" in labels(message))
        for label in ("Details", "Log", "Animation", "Fair deal"):
            answered = private(await behind(ann.user, end, label))
            assert f"(played on from #{number})" in answered.content, label
        assert "aren't sealed" in answered.content
