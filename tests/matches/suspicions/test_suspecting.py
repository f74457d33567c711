"""Players say who they suspect: once a turn, and nothing else at the table changes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from db import Database
from db.model.ids import SeatNumber, UserId
from games.core import Suspicion
from games.core.suspicion import right, standing
from matches.api import Host, HostError, ManualClock, Match, NotAllowed, NotSeated, Once, Stale, Status, WrongTime
from matches.computers.pool import Computers
from matches.delivery.computer_turns import imagined
from matches.suspicions import Suspicions, talk
from matches.table import undo
from tests.matches.tables import PEOPLE, Seeds, digging, play, play_on, running, tellings
from tests.matches.test_deeds import Wanted, begun
from tests.matches.test_deeds import play_on as play_moves
from tests.matches.test_own_data import exported
from tests.matches.test_retention import KEEP, pruned
from tests.store import fresh

ANN, BOB, CLEO, DAN = (person.user_id for person in PEOPLE[:4])


async def seat(host: Host, match: Match, user_id: UserId) -> SeatNumber:
    found = (await host.look.match(match.id)).seat_of(user_id)
    assert found.seat is not None
    return found.seat


async def words(host: Host, match: Match) -> list[tuple[int, int | None]]:
    return [(word.seat, word.suspect) for word in talk.said(await host.look.match(match.id))]


async def refused(host: Host, match: Match, user_id: UserId, whom: SeatNumber | None, **more: Any) -> HostError:
    before = await host.look.match(match.id)
    with pytest.raises(HostError) as caught:
        await host.part(Suspicions).suspect(match.id, user_id, whom, **more)
    assert await host.look.match(match.id) == before
    return caught.value


async def test_a_player_says_who_they_suspect_once_a_turn_and_can_change_it_in_the_next(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    ann, bob, cleo = [await seat(host, match, each) for each in (ANN, BOB, CLEO)]
    await host.part(Suspicions).suspect(match.id, ANN, bob)
    again = await refused(host, match, ANN, cleo)
    assert isinstance(again, WrongTime)
    assert str(again) == "You've already said this turn who you suspect. You can change it after the next move."
    # The same again, or the same press delivered twice, is no second word.
    await host.part(Suspicions).suspect(Once(match.id, 77), ANN, bob)
    assert await words(host, match) == [(ann, bob)]
    match = await play(host, match, Random(1))
    await host.part(Suspicions).suspect(match.id, ANN, None)
    await host.part(Suspicions).suspect(match.id, BOB, cleo)
    assert await words(host, match) == [(ann, bob), (ann, None), (bob, cleo)]
    assert len({word.ply for word in talk.said(await host.look.match(match.id))}) == 2


async def test_nothing_else_at_the_table_changes_and_nobody_is_told(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 4)
    clock.advance(timedelta(hours=30))
    before, bob = await host.look.match(match.id), await seat(host, match, BOB)
    after = await host.part(Suspicions).suspect(match.id, ANN, bob)
    assert replace(after, shown={}) == before
    assert not await tellings(host, match.id)
    own = after.seat_of(ANN)
    assert not own.acted


async def test_only_who_plays_can_suspect_and_only_somebody_else_at_the_table(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    ann = await seat(host, match, ANN)
    watching = await refused(host, match, PEOPLE[7].user_id, ann)
    assert isinstance(watching, NotSeated)
    assert str(watching) == "Only the players of this match can suspect each other. You're watching."
    for whom in (ann, 4, -1):
        assert isinstance(await refused(host, match, ANN, whom), NotAllowed)
    await host.play.depart(match.id, BOB)
    assert "Take it back first" in str(await refused(host, match, BOB, ann))
    await host.play.resign(match.id, CLEO)
    assert str(await refused(host, match, CLEO, ann)) == "You've resigned from this match."
    # A computer can be suspected.
    await host.part(Suspicions).suspect(match.id, ANN, await seat(host, match, BOB))
    other = await running(host, "abissal", 2)
    assert str(await refused(host, other, ANN, 1)) == "Nobody has a hidden role in Ambiente Abissal."


async def test_a_word_is_about_the_round_in_which_its_button_was_made(host: Host) -> None:
    match = await to_gold(host, await running(host, "saboteur", 3))
    bob = await seat(host, match, BOB)
    shown = await refused(host, match, ANN, bob)
    assert str(shown) == "No roles are hidden right now. You can suspect somebody in the next round."
    while not (await host.look.view(match.id, ANN)).observation.roles_hidden:
        match = await play(host, match, Random(2))
    assert isinstance(await refused(host, match, ANN, bob, number=1), Stale)
    await host.part(Suspicions).suspect(match.id, ANN, bob, number=2)
    assert [word.round for word in talk.said(await host.look.match(match.id))] == [2]


async def to_gold(host: Host, match: Match) -> Match:
    """Play until a round is decided, and gold is being taken."""
    while not (await host.look.view(match.id, None)).observation.unmasked_by_round:
        match = await play(host, match, Random(match.ply), digging)
    assert not (await host.look.view(match.id, None)).observation.roles_hidden
    return match


async def test_nobody_can_go_on_for_ever_in_one_round(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "MOST", 2)
    match = await running(host, "saboteur", 4)
    bob, cleo = await seat(host, match, BOB), await seat(host, match, CLEO)
    for whom in (bob, cleo):
        await host.part(Suspicions).suspect(match.id, ANN, whom)
        match = await play(host, match, Random(3))
    assert "Your last word stands until the roles are shown." in str(await refused(host, match, ANN, bob))


def test_taking_a_move_back_takes_back_no_word() -> None:
    life = begun(Wanted("saboteur", 3))
    play_moves(life, 2)
    (ann, bob), before = (life.table.match.own_seat(each) for each in (ANN, BOB)), life.table.match
    assert life.decide(lambda table: talk.suspect(table, ANN, bob.seat)) is None
    play_moves(life, 1)
    assert life.decide(lambda table: undo.taken_back(table, before.ply)) is None
    after = life.table.match
    assert (after.to_move, after.ply) == (before.to_move, before.ply + 2)
    assert [(word.seat, word.suspect, word.ply) for word in talk.said(after)] == [(ann.seat, bob.seat, before.turn_ply)]
    # The turn begins anew, so there is another word.
    assert life.decide(lambda table: talk.suspect(table, ANN, None)) is None


async def test_who_leaves_or_is_forgotten_has_said_it_and_a_new_person_has_said_nothing(host: Host) -> None:
    match = await running(host, "saboteur", 5)
    ann, bob, cleo = [await seat(host, match, each) for each in (ANN, BOB, CLEO)]
    await host.part(Suspicions).suspect(match.id, ANN, bob)
    await host.part(Suspicions).suspect(match.id, BOB, cleo)
    await host.part(Suspicions).suspect(match.id, CLEO, ann)
    await host.play.depart(match.id, ANN)
    await host.play.resign(match.id, BOB)
    await host.privacy.forget(CLEO)
    assert await words(host, match) == [(ann, bob), (bob, cleo), (cleo, ann)]
    await host.absence.apply(match.id, PEOPLE[7], ann)
    for voter in (DAN, PEOPLE[4].user_id):
        await host.absence.agree(match.id, voter, PEOPLE[7].user_id)
    assert await seat(host, match, PEOPLE[7].user_id) == ann
    assert await words(host, match) == [(bob, cleo), (cleo, ann)]


async def test_own_words_are_in_the_file_about_oneself_and_nobody_elses(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    ann, bob = await seat(host, match, ANN), await seat(host, match, BOB)
    await host.part(Suspicions).suspect(match.id, ANN, bob)
    await host.part(Suspicions).suspect(match.id, BOB, ann)
    (found,) = (await exported(host, ANN))["matches"]
    assert [text.split()[0] for text in found["suspicions"]] == [str(ann)]


async def test_a_match_that_loses_its_lines_loses_the_words_too(database: Database, clock: ManualClock) -> None:
    host = Host(database, clock, Seeds(), keep_days=KEEP)
    match = await running(host, "saboteur", 3)
    await host.part(Suspicions).suspect(match.id, ANN, await seat(host, match, BOB))
    await host.votes.cancel(match.id, UserId(0), moderator=True)
    await tellings(host)
    assert await words(host, match)
    await pruned(host, clock)
    assert (await host.look.match(match.id)).is_pruned
    assert await words(host, match) == []


async def life(path: Path, *, talking: bool) -> tuple[Any, ...]:
    """A match of three people and a computer in which people suspect each other, or don't.

    Return what a computer would be asked at every turn, what was announced, the log, and the match.
    """
    async with await Database.open(fresh(path)) as database:
        host, rng = Host(database, ManualClock(), Seeds()), Random(4)
        match, asked, told = await running(host, "saboteur", 3, 1), [], []
        while match.status is Status.RUNNING and match.ply < 60:
            who = rng.choice(match.present)
            if talking and (await host.look.view(match.id, None)).observation.roles_hidden:
                assert who.user_id is not None
                assert who.seat is not None
                await host.part(Suspicions).suspect(match.id, who.user_id, SeatNumber((who.seat + 1) % 4))
            asked.append(imagined(*await host.work.snapshot(match.id, with_lines=Computers.remember)))
            match = await play_on(host, match, Random(match.ply), lambda now, ply=match.ply: now.ply > ply)
            told += [(row.kind, row.seat, row.rings, row.ply) for row in await tellings(host, match.id)]
        assert bool(talk.said(match)) == talking
        lines = [(line.player, line.text) for line in await host.look.history(match.id, None)]
        return asked, told, lines, replace(match, shown={})


async def test_computers_are_asked_the_same_and_do_the_same_with_and_without_talk(tmp_path: Path) -> None:
    """Nothing but the words differs: neither a computer's question and answer, nor what is announced."""
    silent, talked = [await life(tmp_path / name, talking=name == "talk.db") for name in ("silence.db", "talk.db")]
    assert silent == talked
    asked, told, _, match = silent
    assert any(match.seats[position.current_player].computer for position, _, _ in asked)
    assert told


def test_the_earliest_right_word_that_still_stands_is_first() -> None:
    said = (
        Suspicion(0, 1, 4, 1),
        Suspicion(1, 1, 5, 2),
        Suspicion(2, 1, 6, 1),
        Suspicion(0, 1, 7, 2),
        Suspicion(3, 1, 7, 1),
        Suspicion(3, 2, 30, None),
    )
    assert {seat: word.suspect for seat, word in standing(said, 1).items()} == {0: 2, 1: 2, 2: 1, 3: 1}
    assert [word.seat for word in right(said, 1, {1})] == [2, 3]
    assert [word.seat for word in right(said, 1, {2})] == [1, 0]
    assert right(said, 1, ()) == ()
    # Suspecting nobody is right if there was no saboteur.
    assert [word.seat for word in right(said, 2, ())] == [3]
    assert right(said, 2, {1}) == ()
