"""Nothing hidden leaves the host (P12, P28): for every viewer at every ply, through `View` and `history`."""

import gc
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from random import Random
from types import FunctionType, ModuleType
from typing import Any

import pytest

from games import GAMES
from games.core import CHANCE, State
from games.lessons import Attempt, lessons
from games.log import Course, Header
from matches.api import Host, Kind, ManualClock, Match, PlayerSettings, Shown, Status, UserId, View
from matches.records import exercise_view
from matches.records.fair import Stream
from matches.work.unit_of_work import UnitOfWork
from tests.matches.tables import PEOPLE, kinds, lobby, play, running, tellings, true_position, whole, why

WITH_SECRETS = [key for key, game in GAMES.items() if game.info.hidden_information]


async def everything(host: Host, match: Match) -> tuple[View, ...]:
    """The views of all players and of a spectator."""
    return tuple(
        [await host.look.view(match.id, user_id) for user_id in (None, *(seat.user_id for seat in match.seats))]
    )


def of_position(view: View, state: State[Any]) -> View:
    """The same viewer's view of another position."""
    turn = state.turn(view.seat)
    return replace(view, observation=turn.seen, stage=state.stage, turn=turn)


@pytest.mark.parametrize("game", WITH_SECRETS)
async def test_no_view_changes_when_what_its_viewer_cannot_know_is_dealt_again(host: Host, game: str) -> None:
    match, rng, other_positions = await running(host, game, GAMES[game].info.min_players), Random(11), 0
    while match.status is Status.RUNNING:
        true = await true_position(host, match.id)
        for view in await everything(host, match):
            imagined = true.resample_from_infostate(view.seat, rng)
            other_positions += imagined != true
            other = of_position(view, imagined)
            assert other == view
            assert other.moves == view.moves
            assert repr(other) == repr(view)
            for text in ("pass", "junk", "take 4", *(move.text for move in view.moves[:3])):
                assert why(other, text) == why(view, text)
        match = await play(host, match, rng)
    assert other_positions


@pytest.mark.parametrize("game", WITH_SECRETS)
async def test_no_line_says_to_a_viewer_what_was_hidden_from_them(host: Host, game: str) -> None:
    """While a match goes on nobody reads more of a line than they may; afterwards everybody reads all of it."""
    match, rng = await running(host, game, GAMES[game].info.min_players), Random(12)
    seen: list[dict[int | None, tuple[Shown, ...]]] = []
    while match.status is Status.RUNNING:
        if rng.randrange(8) == 0 or not seen:
            viewers = [(None, None), *((seat.seat, seat.user_id) for seat in match.seats)]
            seen.append({seat: await host.look.history(match.id, user_id) for seat, user_id in viewers})
        match = await play(host, match, rng)
    truth, told, hidden = await host.look.history(match.id, None), dict[tuple[int, str], str](), 0
    for moment in seen:
        for viewer, shown in moment.items():
            for line, true in zip(shown, truth, strict=False):
                assert (line.ply, line.player) == (true.ply, true.player)
                assert (line.played == true.played) == (line.text == true.text)
                # Lines with the same words are seen as the same action, whatever it was.
                assert told.setdefault((line.player, line.text), repr(line.played)) == repr(line.played)
                if line.text != true.text:
                    hidden += 1
                    assert "?" in line.text
                    assert true.player != viewer
                    # Nothing else shown to this viewer at that moment contains it either.
                    assert true.player != CHANCE or true.text not in repr(shown)
                    assert true.player != CHANCE or repr(true.played) not in repr(shown)
    assert hidden
    for seat in match.seats:
        after = await host.look.history(match.id, seat.user_id)
        assert [(line.text, line.played) for line in after] == [(line.text, line.played) for line in truth]


async def test_a_hand_is_shown_to_its_player_alone(host: Host) -> None:
    views = await everything(host, await running(host, "abissal", 3))
    hands = {view.seat: view.observation.hand for view in views}  # type: ignore[attr-defined]
    assert not hands.pop(None)
    assert len({tuple(hand) for hand in hands.values()}) == 3
    for view in views:
        for seat, hand in hands.items():
            if seat != view.seat:
                assert repr(hand)[1:-1] not in repr(view)


async def test_the_seed_is_in_nothing_that_is_shown_before_the_end(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    told = [repr(view) for view in await everything(host, match)]
    told += [repr(await host.look.match(match.id)), repr(await host.look.matches_in(match.channel_id))]
    told += [repr(await host.look.history(match.id, None))]
    await host.votes.cancel(match.id, UserId(0), moderator=True)
    seed = (await whole(host, match)).hidden.seed
    for written in forms(seed):
        assert not [text for text in told if written in text]
    assert await host.look.seed(match.id) == seed


def forms(seed: bytes) -> Iterator[str]:
    yield repr(seed)
    yield seed.hex()
    yield str(int.from_bytes(seed, "big"))


def held(thing: Any) -> Iterator[Any]:
    """Everything that a value holds: in fields, slots, containers, caches and closures, and so on from these.

    Classes, modules and the names that a function finds in its module are no part of a value.
    """
    seen, to_visit = dict[int, Any](), [thing]
    while to_visit:
        found = to_visit.pop()
        if id(found) in seen or isinstance(found, type | ModuleType):
            continue
        seen[id(found)] = found
        yield found
        if isinstance(found, FunctionType):
            to_visit += [found.__closure__, found.__defaults__, found.__kwdefaults__]
        else:
            to_visit += gc.get_referents(found)


SECRET = (State, Course, Stream, Random, Host, UnitOfWork)
"""Types that know a position or what chance draws, or that could ask for them."""


def test_what_a_value_holds_is_found_wherever_it_is() -> None:
    state = GAMES["gambo"].new_initial_state(2)
    for thing in (
        [{"a": (state,)}],
        partial(print, state),
        lambda: state,
        state.observation,
        Course(Header("", 2), state),
    ):
        assert any(each is state for each in held(thing))


@pytest.mark.parametrize("game", GAMES)
async def test_no_view_holds_a_position_or_what_chance_draws(host: Host, game: str) -> None:
    match, rng = await running(host, game, GAMES[game].info.min_players), Random(13)
    for _ in range(8):
        for view in await everything(host, match):
            assert view.moves or view.seat != match.to_move
            assert why(view, "junk")
            assert not [each for each in held(view) if isinstance(each, SECRET)]
        match = await play(host, match, rng)


@pytest.mark.parametrize("game", GAMES)
def test_no_view_of_a_lesson_holds_a_position(game: str) -> None:
    for lesson in lessons(game):
        view = exercise_view.view(Attempt.begin(lesson), PEOPLE[0], [""] * 10, PlayerSettings())
        assert view.moves
        assert not [each for each in held(view) if isinstance(each, SECRET)]


async def test_deals_tell_the_same_rows_whatever_was_dealt(host: Host, clock: ManualClock) -> None:
    """Neither order nor number of the news depends on who got what (P28)."""
    told, roles = set(), set()
    for _ in range(12):
        clock.advance(timedelta(minutes=1))
        match = await lobby(host, "saboteur", 4)
        match = await host.lobby.start(match.id, PEOPLE[0].user_id)
        told.add(tuple(kind for kind in kinds(await tellings(host, match.id)) if kind[0] is not Kind.HAND))
        await host.votes.cancel(match.id, UserId(0), moderator=True)
        roles.add((await host.look.history(match.id, None))[0].text)
    assert len(roles) > 1
    assert len(told) == 1
