"""Looking back: the moments of a match, and what each viewer may see of them."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from games.core import CHANCE
from games.log import RECENT
from matches.api import Host, Match, Ply, Shown, Status, WrongTime
from tests.matches.tables import PEOPLE, play, raised, running

SECRET = ("abissal", "saboteur")


async def finished(host: Host, game: str, people: int = 3) -> Match:
    """A match played to its end."""
    match, rng = await running(host, game, people), Random(5)
    while match.status is Status.RUNNING:
        match = await play(host, match, rng)
    return match


@pytest.mark.parametrize("game", ["saboteur", "ambush"])
async def test_every_moment_shows_what_its_board_post_showed(host: Host, game: str) -> None:
    match, rng = await running(host, game, 3 if game == "saboteur" else 2), Random(3)
    posted = dict[Any, Any]()
    while match.status is Status.RUNNING and len(posted) < 40:
        for user in (None, PEOPLE[0].user_id):
            posted[match.ply, user] = (await host.look.view(match.id, user)).observation
        match = await play(host, match, rng)
    for user in (None, PEOPLE[0].user_id):
        replay = await host.look.replay(match.id, user)
        seen = {moment.ply: moment.observation for moment in map(replay.moment, replay.plies)}
        shown = {ply: observation for (ply, whose), observation in posted.items() if whose == user}
        assert {ply: seen[ply] for ply in shown} == shown


async def test_moments_hold_every_line_once_and_never_stop_at_chance(host: Host) -> None:
    match = await finished(host, "abissal")
    replay = await host.look.replay(match.id, None)
    moments = [replay.moment(ply) for ply in replay.plies]
    assert [line for moment in moments for line in moment.lines] == list(await host.look.history(match.id, None))
    assert all(moment.observation.current_player != CHANCE for moment in moments)
    assert moments[-1].ply == match.ply
    assert tuple(moment.ply for moment in moments) == replay.plies


async def test_a_moment_knows_the_line_before_it(host: Host) -> None:
    match = await finished(host, "gambo", 2)
    replay = await host.look.replay(match.id, None)
    for before, moment in pairwise(map(replay.moment, replay.plies)):
        assert moment.before == before.lines[-1:]
    assert replay.moment(Ply(0)).ply == replay.plies[0]
    assert replay.moment(Ply(match.ply + 50)).ply == match.ply


@pytest.mark.parametrize("game", SECRET)
async def test_a_running_match_hides_in_its_replay_what_it_hides(host: Host, game: str) -> None:
    match = await running(host, game, 3)
    deals: list[Shown] = [line for line in await host.look.history(match.id, None) if line.player == CHANCE]
    assert any("?" in line.text for line in deals)
    await raised(WrongTime, host.look.replay(match.id, PEOPLE[0].user_id, everything=True))


async def test_after_the_end_everything_is_shown_to_whoever_asks_for_it(host: Host) -> None:
    match = await finished(host, "abissal")
    plain, full = await host.look.replay(match.id, None), await host.look.replay(match.id, None, everything=True)
    hidden = [moment.observation.hands for moment in map(plain.moment, plain.plies)][:-1]  # type: ignore[attr-defined]
    shown = [moment.observation.hands for moment in map(full.moment, full.plies)]  # type: ignore[attr-defined]
    assert set(hidden) == {None}
    assert None not in shown
    assert plain.plies == full.plies


@pytest.mark.parametrize("game", SECRET)
async def test_what_has_just_happened_is_told_from_memory_as_it_would_be_from_the_log(host: Host, game: str) -> None:
    match, rng = await running(host, game, 3), Random(9)
    while match.status is Status.RUNNING and match.ply < 40:
        for user in (None, PEOPLE[0].user_id):
            replay = await host.look.replay(match.id, user)
            for since in (match.ply + 1, match.ply, match.ply - 1, match.ply - 5, 0, -1):
                assert await host.look.history(match.id, user, since) == tuple(replay.shown(since))
        match = await play(host, match, rng)
    assert len(host.work.positions.kept(match).recent) == RECENT
