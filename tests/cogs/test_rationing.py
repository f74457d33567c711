"""Direct messages are rationed, and people who get none miss nothing (P2, P27, P32)."""

import logging
import random
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from cogs.lobby.lobby_buttons import BY_BUTTON
from cogs.post import pictures
from cogs.text import words
from matches.api import Dm, MatchId, Ration, Status
from tests.cogs.table import Clocked, Table, behind, clocked, play_by_panel, set_to, table, with_right
from tests.cogs.test_healing import delete, dms
from tests.cogs.test_manners import one_sentence
from tests.cogs.test_settings import Rings
from tests.cogs.test_whole_matches import MAX_MOVES, after_first_round, assert_result_equals_replay

OPENING = ("POST", "/users/@me/channels")
NONE = Ration(0, 0)


class Openings:
    """Records to whom direct messages are opened."""

    def __init__(self, room: Table) -> None:
        self._requests = room.env.http_requests
        self._seen = 0

    def since(self) -> list[int]:
        """The people since the last call."""
        new = self._requests[self._seen :]
        self._seen += len(new)
        return [int(request.json["recipient_id"]) for request in new if (request.method, request.path) == OPENING]


def private_answers(room: Table, person: Any) -> list[str]:
    """What only this person was told in the channel, without the small print about fair deals."""
    told = [message.content for message in room.channel.history(viewer=person) if message.flags.ephemeral]
    return ["\n".join(line for line in each.split("\n") if not line.startswith("-# ")) for each in told]


async def dm_of(room: Table) -> list[Dm]:
    return [await room.bot.host.dms.dm_of(person.id) for person in room.people]


async def told(room: Table) -> None:
    """Check that everything was announced: no row is left, however often somebody looks."""
    await room.told()
    await room.bot.scheduler.tick()
    await room.told()
    assert not await room.bot.host.outbox.owes()
    assert await room.bot.host.outbox.claim(timedelta(seconds=1)) == ()


# The budget.


async def test_p32_whoever_gets_none_is_told_where_the_cards_are_and_nothing_else(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3, ration=NONE) as room:
        await room.open("saboteur")
        lobby = room.latest("Join")
        await room.people[1].click(lobby, label="Join")
        assert Openings(room).since() == []
        for person in room.people[:2]:
            assert private_answers(room, person)[-1] == BY_BUTTON
        assert "My hand" not in room.refreshed(lobby).content
        assert await dm_of(room) == [Dm.UNKNOWN] * 3


async def test_p32_whoever_fills_the_table_has_pressed_too(tmp_path: Path) -> None:
    # The budget has one DM for each press, and none for anybody who hasn't pressed.
    async with table(tmp_path / "ambit.db", 3, ration=Ration(2, 2)) as room:
        ann, bob, cleo = room.people
        await set_to(ann.user, "settings me", private="button")
        await room.open("abissal", players=3)
        await bob.click(room.latest("Join"), label="Join")
        await cleo.click(room.latest("Join"), label="Join")
        await told(room)
        assert [len(person.user.dm_channel.history()) for person in (bob, cleo)] == [2, 1]
        assert "the cards have been dealt" in cleo.user.dm_channel.last_message.content


async def test_p32_what_nobody_asked_for_leaves_enough_for_whoever_does(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 8, ration=Ration(0, 100)) as room:
        openings = Openings(room)
        await room.begin("saboteur", 7)
        assert openings.since() == []
        room.bot.host.dms.ration = Ration(5, 100)
        for _ in range(7):
            await play_by_panel(*room.to_play(), random.Random(1))
        assert len(openings.since()) == 2
        for person in room.people:
            if await room.bot.host.dms.dm_of(person.id) is Dm.UNKNOWN:
                await set_to(person.user, "settings me", ping="dm")
        assert len(openings.since()) == 3


async def test_p28_p32_a_deal_that_some_get_by_dm_is_told_in_seat_order_once(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 5, ration=NONE) as room:
        await room.open("saboteur")
        lobby = room.latest("Join")
        for person in room.people[1:]:
            await person.click(lobby, label="Join")
        room.bot.host.dms.ration = Ration()
        openings = Openings(room)
        await room.people[0].click(lobby, label="Start")
        await told(room)
        seats = [seat.user_id for seat in (await room.bot.host.look.match(MatchId(1))).seats]
        assert openings.since() == seats[:2]
        dealt = [room.person(user).user.dm_channel.history() for user in seats]
        assert [len(messages) for messages in dealt] == [1, 1, 0, 0, 0]


async def test_p32_a_dm_is_opened_later_in_the_match_once_there_is_budget(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2, ration=NONE) as room:
        await room.begin("abissal", 2, players=2)
        rng = random.Random(1)
        await play_by_panel(*room.to_play(), rng)
        assert sum(dms(room, "")) == 0
        room.bot.host.dms.ration = Ration()
        while 0 in (came := dms(room, "it's your turn")):
            assert max(came) < 3
            await play_by_panel(*room.to_play(), rng)
        assert await dm_of(room) == [Dm.OPEN] * 2
        await told(room)


async def test_p32_whoever_has_had_a_dm_before_costs_nothing(room2: Table) -> None:
    for person in room2.people:
        await room2.bot.host.dms.note_dm(person.id, open=True)
    room2.bot.host.dms.ration = NONE
    openings = Openings(room2)
    await room2.begin("abissal", 2, players=2)
    assert sorted(openings.since()) == [person.id for person in room2.people]
    await room2.begin("abissal", 2, players=2)
    await room2.restart()
    room2.bot.host.dms.ration = NONE
    await room2.begin("abissal", 2, players=2)
    assert openings.since() == []
    assert dms(room2, "the cards have been dealt") == [3, 3]


async def test_p32_a_restart_brings_no_new_budget(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 7) as timed:
        openings = Openings(timed)
        await timed.begin("saboteur", 4)
        await timed.restart()
        await timed.begin("saboteur", 7)
        assert len(openings.since()) == 5
        await timed.later(minutes=1)
        await timed.begin("saboteur", 7)
        assert len(openings.since()) == 2


async def test_a_dm_channel_that_is_not_there_any_more_is_opened_again(room2: Table) -> None:
    await room2.begin("abissal", 2, players=2)
    bob = room2.people[1]
    await room2.bot.host.dms.note_dm_channel(bob.id, 4)  # as if another bot had owned this store
    openings = Openings(room2)
    openings.since()
    await room2.open("abissal", players=3)
    await bob.click(room2.latest("Join"), label="Join")
    assert (openings.since(), private_answers(room2, bob)[-1]) == ([], BY_BUTTON)
    await behind(bob, room2.latest("Join"), "Leave")
    await bob.click(room2.latest("Join"), label="Join")
    assert bob.user.dm_channel.last_message.content.endswith("Your cards will arrive here.")


# Without any DM.


@pytest.mark.parametrize(("game", "players"), [("saboteur", 3), ("abissal", 2)])
async def test_p02_p32_a_whole_match_without_one_dm_misses_nothing(tmp_path: Path, game: str, players: int) -> None:
    async with table(tmp_path / "ambit.db", players, ration=NONE) as room:
        number = await room.begin(game, players, players=players)
        host, rng = room.bot.host, random.Random(players)
        for moves in range(MAX_MOVES):
            if (await host.look.match(number)).status is not Status.RUNNING:
                break
            if game == "saboteur" and await after_first_round(room, number, rng):
                break
            actor, board = room.to_play()
            assert board.channel.id == room.channel.id
            for person in room.people if moves % 10 == 0 else (actor,):
                hand = (await person.click(board, label="My hand")).response
                view = await host.look.view(number, person.id)
                assert hand.ephemeral
                assert hand.content == f"{words.title(view.match)}\n{pictures.secret_words(view)}"
                assert len(hand.attachments) == 1 + (game == "saboteur")
            await play_by_panel(actor, board, rng)
        await assert_result_equals_replay(room, number)
        await told(room)
        assert Openings(room).since() == []
        said = [str(request.json) for request in room.env.http_requests if "/commands" not in request.path]
        assert sum(BY_BUTTON in text for text in said) == players
        assert not [text for text in said if "DM" in text or "will arrive" in text or "direct message" in text]


async def test_p26_p32_whoever_wants_to_be_called_by_dm_and_gets_none_is_mentioned(timed2: Clocked) -> None:
    timed2.bot.host.dms.ration = NONE
    for person in timed2.people:
        chosen = await set_to(person.user, "settings me", ping="dm")
        assert "the board mentions you" in chosen.response.content
        assert "I can't open one with you right now" in chosen.response.content
    await timed2.begin("gambo", 2)
    rings = Rings(timed2)
    await timed2.move()
    await timed2.later(hours=20)
    mover = (await timed2.match()).mover
    assert rings.heard() == [(mover.name, "mention")] * 2


# Discord says that it is too fast.


async def test_p32_too_fast_is_the_bots_own_state_and_pauses_all_new_dms(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "cogs")
    async with clocked(tmp_path / "ambit.db", 3) as timed:
        openings = Openings(timed)
        timed.env.inject_error(*OPENING, status=403, code=40003, times=None)
        await timed.begin("saboteur", 3)
        assert len(openings.since()) == 1
        assert await dm_of(timed) == [Dm.UNKNOWN] * 3
        for person in timed.people:
            assert private_answers(timed, person) == [BY_BUTTON]
        await timed.later(minutes=9)
        await timed.restart()
        await timed.move()
        assert openings.since() == []
        assert sum("no new DMs" in message for message in caplog.messages) == 1
        # It is still too fast after ten minutes, so the next wait is twenty.
        await timed.later(minutes=1)
        await timed.move()
        assert len(openings.since()) == 1
        assert sum("no new DMs" in message for message in caplog.messages) == 2
        timed.env.backend.faults.clear()
        await timed.later(minutes=19)
        await timed.move()
        assert openings.since() == []
        await timed.later(minutes=1)
        await timed.move()
        assert len(openings.since()) == 1
        assert Counter(await dm_of(timed)) == {Dm.OPEN: 1, Dm.UNKNOWN: 2}
        # The success ends the pause; the next one starts with ten minutes.
        timed.env.inject_error(*OPENING, status=403, code=40003)
        await timed.move()
        await timed.later(minutes=10)
        await timed.move()
        assert len(openings.since()) == 2
        assert await dm_of(timed) == [Dm.OPEN if dm is Dm.OPEN else Dm.UNKNOWN for dm in await dm_of(timed)]


async def test_p32_a_message_that_is_refused_as_too_fast_marks_nobody_either(timed2: Clocked) -> None:
    openings = Openings(timed2)
    ann, bob = timed2.people
    path = f"/channels/{ann.user.dm_channel.id}/messages"
    timed2.env.inject_error("POST", path, status=403, code=40003)
    await timed2.open("abissal", players=3)
    await bob.click(timed2.latest("Join"), label="Join")
    assert openings.since() == [ann.id]
    assert await dm_of(timed2) == [Dm.UNKNOWN] * 2


@pytest.mark.parametrize("code", [50007, 50278])
async def test_p02_a_closed_dm_is_tried_again_when_its_person_presses(room2: Table, code: int) -> None:
    bob = room2.people[1]
    path = f"/channels/{bob.user.dm_channel.id}/messages"
    room2.env.inject_error("POST", path, status=403, code=code, times=None)
    await room2.open("saboteur")
    lobby = room2.latest("Join")
    await bob.click(lobby, label="Join")
    assert "By **My hand**: Bob" in room2.refreshed(lobby).content
    assert "Your DMs are closed to me" in private_answers(room2, bob)[-1]
    room2.env.backend.faults.clear()
    openings = Openings(room2)
    openings.since()
    await behind(bob, lobby, "Leave")
    await bob.click(lobby, label="Join")
    assert "My hand" not in room2.refreshed(lobby).content
    assert await dm_of(room2) == [Dm.OPEN] * 2
    assert openings.since() == []


async def test_the_lobby_of_a_game_without_hands_speaks_of_none(room1: Table) -> None:
    await room1.bot.host.dms.note_dm(room1.people[0].id, open=False)
    await room1.open("gambo")
    assert "My hand" not in room1.latest("Join").content


# Choices of people and servers.


async def test_p19_p32_never_by_dm_opens_and_sends_none(timed3: Clocked) -> None:
    openings = Openings(timed3)
    for person in timed3.people:
        chosen = await set_to(person.user, "settings me", private="button")
        assert "only by button, never by direct message" in chosen.response.content
        chosen = await set_to(person.user, "settings me", ping="dm")
        assert "you get no DM: you've turned them off" in chosen.response.content
    number = await timed3.open("saboteur")
    lobby = timed3.latest("Join")
    for person in timed3.people[1:]:
        await person.click(lobby, label="Join")
    assert "By **My hand**: Ann, Bob and Cleo" in timed3.refreshed(lobby).content
    await timed3.people[0].click(lobby, label="Start")
    rings = Rings(timed3)
    await timed3.move()
    await timed3.later(hours=20)
    mover = (await timed3.match()).mover
    assert rings.heard() == [(mover.name, "mention")] * 2
    delete(timed3, timed3.channel)
    await timed3.move()
    assert (await timed3.bot.host.look.match(number)).lost is not None
    await told(timed3)
    assert openings.since() == []
    assert sum(dms(timed3, "")) == 0


async def test_p19_p32_where_private_things_come_by_button_first_dms_are_for_whoever_asks(room3: Table) -> None:
    ann, bob, cleo = room3.people
    chief = with_right(room3, "Chief", manage_guild=True)
    await set_to(chief, room3.channel, "settings server", private="button")
    shown = await chief.slash(room3.channel, "settings server")
    assert "People get their hands and roles by button first" in shown.response.content
    openings = Openings(room3)
    assert "I've just sent you a DM" in (await set_to(bob.user, "settings me", private="dm")).response.content
    called = await set_to(cleo, room3.channel, "settings me", ping="both")
    assert "you get no DM: this server gives out private things by button" in called.response.content
    await room3.begin("saboteur", 3)
    await told(room3)
    assert dms(room3, "the cards have been dealt") == [0, 1, 0]
    assert set(openings.since()) <= {bob.id, cleo.id}
    assert private_answers(room3, ann) == [BY_BUTTON]
    assert private_answers(room3, bob) == []
    await set_to(chief, room3.channel, "settings server", private="dm")
    shown = await chief.slash(room3.channel, "settings server")
    assert "People get their hands and roles by direct message" in shown.response.content


async def test_p19_p32_whoever_chooses_dms_is_told_what_comes_of_it(room3: Table) -> None:
    ann, bob, cleo = room3.people
    works = await set_to(ann, room3.channel, "settings me", ping="both", private="dm")
    assert "I've just sent you a DM" in works.response.content
    greeting = ann.user.dm_channel.last_message.content
    assert "I'll call you here when it's your turn and your cards will arrive here" in greeting
    room3.close_dms()
    closed = await set_to(bob, room3.channel, "settings me", private="dm")
    assert (
        "by button (**My hand**) until I can send them by direct message: your DMs are closed"
        in closed.response.content
    )
    room3.env.backend.faults.clear()
    again = await set_to(bob, room3.channel, "settings me", private="dm")
    assert "I've just sent you a DM" in again.response.content
    room3.bot.host.dms.ration = NONE
    later = await set_to(cleo, room3.channel, "settings me", ping="dm")
    assert "the board mentions you, but you get no DM: I can't open one with you right now" in later.response.content
    unasked = await cleo.slash(room3.channel, "settings me")
    assert "we don't have one yet" in unasked.response.content
    await set_to(cleo, room3.channel, "settings me", ping="mention")
    mentioned = await cleo.slash(room3.channel, "settings me")
    assert "When it's your turn, the board mentions you." in mentioned.response.content
    assert dms(room3, "") == [2, 1, 0]


async def test_p26_a_ping_that_its_dm_does_not_bring_is_heard_in_the_matchs_place(timed2: Clocked) -> None:
    for person in timed2.people:
        await set_to(person.user, "settings me", ping="dm")
    await timed2.begin("gambo", 2)
    mover = (await timed2.match()).mover
    timed2.close_dms()
    rings = Rings(timed2)
    await timed2.later(hours=20)
    assert rings.heard() == [(mover.name, "dm"), (mover.name, "mention")]
    path = f"/channels/{timed2.person(mover.user_id).user.dm_channel.id}/messages"
    tries = [request.path for request in timed2.env.http_requests].count(path)
    for _ in range(3):
        await timed2.move()
    assert [request.path for request in timed2.env.http_requests].count(path) == tries, "a closed DM isn't tried again"


async def test_p26_a_ping_that_was_to_come_by_dm_is_not_lost_when_dms_are_no_longer_wanted(timed2: Clocked) -> None:
    host = timed2.bot.host
    for person in timed2.people:
        await set_to(person.user, "settings me", ping="dm")
    number = await timed2.begin("gambo", 2)
    mover = (await timed2.match()).mover
    other = next(person for person in timed2.people if person.id != mover.user_id)
    ring, host.work.on_commit = host.work.on_commit, None
    view = await host.look.view(number, mover.user_id)
    await host.play.act(number, mover.user_id, view.moves[0].text)
    await set_to(other.user, "settings me", private="button")
    rings = Rings(timed2)
    host.work.on_commit = ring
    await timed2.later(seconds=1)
    assert rings.heard() == [(other.name, "mention")]


async def test_p20_what_is_kept_of_dms_is_told_and_deleted(room1: Table) -> None:
    (ann,) = room1.people
    await set_to(ann, room1.channel, "settings me", private="dm")
    kept = await ann.select((await ann.slash(room1.channel, "privacy")).response, ["settings"])
    assert "the ID of their channel" in one_sentence(kept)
    door = await room1.bot.host.dms.door(ann.id, asked=False)
    assert (door.dm, door.channel_id) == (Dm.OPEN, ann.user.dm_channel.id)
    await room1.bot.host.privacy.forget(ann.id)
    door = await room1.bot.host.dms.door(ann.id, asked=False)
    assert (door.dm, door.channel_id) == (Dm.UNKNOWN, None)
