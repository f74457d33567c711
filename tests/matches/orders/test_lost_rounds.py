"""A round of Saboteur that is lost for all: whoever agrees has their cards discarded for them, in shared posts."""

from __future__ import annotations

import pytest

from db import Database
from games.saboteur import SaboteurState
from games.saboteur.actions import Drop
from matches.api import Host, ManualClock, Match, NotAllowed, NotSeated, Ply, UserId
from matches.computers.levels import Level
from matches.computers.thinking import Question, answer
from matches.orders import OrderKind, Orders
from tests.matches.orders.test_orders import standing
from tests.matches.tables import PEOPLE, Hosted, raised, run_all, running, tellings, texts, true_position

STRANGER = UserId(999)


async def position(host: Host, match: Match) -> SaboteurState:
    state = await true_position(host, match.id)
    assert isinstance(state, SaboteurState)
    return state


async def discards(host: Host, match: Match) -> Match:
    """The person to move discards their first card by hand."""
    state, mover = await position(host, match), match.mover
    assert mover is not None
    assert mover.user_id is not None
    text = f"drop {state.hands[state.current_player][0]}"
    return await host.play.act(match.id, mover.user_id, text, ply=match.ply)


async def until_lost(host: Host, match: Match) -> Match:
    """The match once all have discarded by hand until the round is lost."""
    while not (await position(host, match)).is_lost:
        match = await discards(host, match)
    return match


async def lost(host: Host) -> Match:
    """A match of three whose first round has just become lost, with all its news delivered."""
    match = await until_lost(host, await running(host, "saboteur", 3))
    await tellings(host, match.id)
    return match


def held(state: SaboteurState) -> int:
    return sum(map(len, state.hands)) + len(state.stock) - state.drawn


async def agrees(host: Host, match: Match, user_id: UserId | None, ply: int | None = None) -> Match:
    assert user_id is not None
    return await host.part(Orders).instruct(match.id, user_id, "lost", ply=Ply(match.ply if ply is None else ply))


async def test_once_all_have_agreed_the_round_is_over_and_told_in_one_post(host: Hosted) -> None:
    match = await lost(host)
    state, before = await position(host, match), match.ply
    assert held(state) >= 4
    waiting = [seat for seat in match.present if seat.seat != match.to_move]
    for seat in waiting:
        await agrees(host, match, seat.user_id)
        assert (await host.look.match(match.id)).ply == before, "nobody's turn is played without them"
    assert await tellings(host, match.id) == []
    match = await agrees(host, match, match.mover.user_id, ply=before - 1)
    after, lines = await position(host, match), await texts(host, match)
    assert (after.rounds_over, after.decided[-1].winners) == (1, "S")
    played = [text for text in lines[before:] if text.startswith("drop ")]
    assert len(played) == held(state)
    rows = [row.kind.value for row in await tellings(host, match.id)]
    assert rows.count("round") == rows.count("board") == 1
    assert "ordered" not in rows
    assert await standing(host, match) == ()
    (again,) = [await Host(host.database, host.clock).look.view(match.id, None)]
    assert again.ply == match.ply, "the log replays"


async def test_those_who_have_not_agreed_are_asked_as_always(host: Host) -> None:
    match = await lost(host)
    one, other, third = (seat.user_id for seat in sorted(match.present, key=lambda seat: seat.seat != match.to_move))
    before = await position(host, match)
    match = await agrees(host, match, one)
    after, seat, ply = await position(host, match), before.current_player, match.ply
    assert after.hands[seat] == before.hands[seat][1:], "the first card by the order of the hand"
    match = await discards(host, match)
    match = await discards(host, match)
    assert match.mover.user_id in (other, third)
    assert match.ply == ply + 3, "two by hand, and one for who had agreed"
    rows = [row for row in await tellings(host, match.id) if row.kind.value in ("board", "ordered")]
    assert [(row.kind.value, row.user_id) for row in rows] == [("board", match.mover.user_id)]
    assert [order.kind for order in await standing(host, match)] == [OrderKind.STANDING]


@pytest.mark.parametrize("what", ["depart", "resign", "drop"])
async def test_agreeing_ends_when_somebody_leaves_or_takes_it_back(host: Host, what: str) -> None:
    match = await lost(host)
    seat = next(each for each in match.present if each.seat != match.to_move)
    await agrees(host, match, seat.user_id)
    (order,) = await standing(host, match)
    if what == "drop":
        await host.part(Orders).drop(match.id, order.user_id, order.number)
    else:
        await getattr(host.play, what)(match.id, order.user_id)
    assert await standing(host, match) == ()


async def test_nobody_can_agree_before_it_is_lost_or_for_others(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    for person in PEOPLE[:3]:
        await raised(NotAllowed, agrees(host, match, person.user_id), "can't say that in advance now")
        view = await host.look.view(match.id, person.user_id)
        assert "atonce" not in [each.verb for each in view.on_board]
    match = await lost(host)
    await raised(NotSeated, agrees(host, match, STRANGER))
    for viewer in (None, STRANGER, *(seat.user_id for seat in match.present)):
        view = await host.look.view(match.id, viewer)
        assert [each.label for each in view.on_board if each.verb == "atonce"] == [
            "Nobody can reach the treasure: discard for me"
        ]


async def test_an_agreement_goes_on_in_another_process(host: Host, clock: ManualClock, url: str) -> None:
    match = await lost(host)
    seat = next(each for each in match.present if each.seat != match.to_move)
    await agrees(host, match, seat.user_id)
    async with await Database.open(url) as second:
        other = Host(second, clock, name="other")
        ply = match.ply
        while match.mover.user_id != seat.user_id and match.ply < ply + 3:
            match = await discards(other, match)
        assert match.ply > ply + 1
        assert any(line.startswith("drop ") for line in (await texts(other, match))[ply:])


async def test_computers_discard_too_and_their_turns_share_the_post(host: Host) -> None:
    match = await lost(host)
    for seat in match.present[1:]:
        assert seat.user_id is not None
        match = await host.play.depart(match.id, seat.user_id)
    state = await position(host, match)
    for level in Level:
        played = answer(Question(state, (), level, 1))
        assert played == f"drop {state.hands[state.current_player][0]}"
    assert isinstance(state.default_action(), Drop)
    if match.mover is None or not match.mover.present:
        await run_all(host)
        match = await host.look.match(match.id)
    assert match.mover.present
    await tellings(host, match.id)
    await agrees(host, match, match.mover.user_id)
    await run_all(host)
    after = await position(host, match)
    assert after.rounds_over == 1
    rows = [row.kind.value for row in await tellings(host, match.id)]
    assert rows.count("round") == 1
    assert rows.count("board") <= 1
