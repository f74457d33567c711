"""What people need beside a page of ratings: their own row, the busiest game, permission to post."""

from __future__ import annotations

from random import Random

import pytest

from db.model.setting_rows import PlayerSettings
from games import GAMES
from games.core.feat import Feat, feat
from games.saboteur.components import ROLE_NAMES
from matches.api import Host, ManualClock, TooSoon, UserId
from matches.ratings import Ratings
from matches.ratings.model import LISTED
from matches.ratings.profiles import average
from matches.table.limits import Deed, mark_on
from tests.matches.ratings.test_ratings import ANN, BOB, DAN, ELSEWHERE, GUILD, resigned
from tests.matches.tables import play_on, running, true_position


async def test_ones_own_row_is_known_before_one_is_listed_and_while_one_hides(host: Host) -> None:
    assert await host.part(Ratings).row_of(GUILD, "ambush", ANN.user_id) is None
    for played in range(1, LISTED + 1):
        await resigned(host)
        row = await host.part(Ratings).row_of(GUILD, "ambush", BOB.user_id)
        assert (row.place, row.rating.matches) == (2 if played == LISTED else 0, played)
    listed = (await host.part(Ratings).leaderboard(GUILD, "ambush")).rows
    assert await host.part(Ratings).row_of(GUILD, "ambush", BOB.user_id) == listed[1]
    await host.settings.set_player_settings(BOB.user_id, PlayerSettings(hidden=True))
    assert await host.part(Ratings).row_of(GUILD, "ambush", BOB.user_id) == listed[1]._replace(place=0)
    for stranger in (DAN.user_id, 999):
        assert await host.part(Ratings).row_of(GUILD, "ambush", UserId(stranger)) is None
    assert await host.part(Ratings).row_of(ELSEWHERE, "ambush", BOB.user_id) is None
    assert await host.part(Ratings).row_of(GUILD, "gambo", BOB.user_id) is None


async def test_the_busiest_game_of_a_server_is_that_of_which_most_results_count_in_a_season(host: Host) -> None:
    assert await host.part(Ratings).busiest(GUILD) is None
    await resigned(host)
    match = await resigned(host, guild_id=ELSEWHERE)
    assert match.game == "ambush"
    assert await host.part(Ratings).busiest(GUILD) == "ambush"
    await host.settings.begin_season(GUILD)
    assert await host.part(Ratings).busiest(GUILD) is None
    assert await host.part(Ratings).busiest(GUILD, season=1) == "ambush"


async def test_posting_ratings_uses_up_what_posting_matches_does_and_that_comes_back(
    host: Host, clock: ManualClock
) -> None:
    limit = Deed.SHOW
    for _ in range(limit.most):
        await host.reach.show_on(GUILD, ANN.user_id)
    with pytest.raises(TooSoon, match=limit.refusal):
        await host.reach.show_on(GUILD, ANN.user_id)
    match = await resigned(host)
    with pytest.raises(TooSoon, match=limit.refusal):
        await host.reach.show(match.id, ANN.user_id)
    await host.reach.show_on(GUILD, BOB.user_id)
    await host.reach.show_on(ELSEWHERE, ANN.user_id)
    clock.advance(limit.each)
    await host.reach.show_on(GUILD, ANN.user_id)


def test_what_is_counted_for_each_match_cannot_be_counted_for_a_server() -> None:
    with pytest.raises(ValueError, match="counted for each match"):
        mark_on(Deed.JOIN, ANN.user_id, GUILD)


async def test_rounds_in_a_role_stand_beside_what_one_wins_on_average_at_tables_of_those_sizes(host: Host) -> None:
    for players in (3, 4):
        await play_on(host, await running(host, "saboteur", players, guild_id=GUILD), Random(players))
    profile = await host.part(Ratings).profile(GUILD, ANN.user_id, ANN.user_id)
    (skill,) = profile.skills
    assert sum(part.rounds for part in skill.parts) == 6
    for part in skill.parts:
        usual = [average("saboteur", players, part.name) for players in (3, 4)]
        assert None not in usual
        assert part.average is not None
        assert min(usual) - 1e-9 <= part.average <= max(usual) + 1e-9  # type: ignore[operator, type-var]


def test_an_average_is_known_for_every_table_of_every_game_with_roles() -> None:
    assert average("gambo", 2, "saboteur") is None
    info = GAMES["saboteur"].info
    for role in ROLE_NAMES.values():
        for players in range(info.min_players, info.max_players + 1):
            share = average("saboteur", players, role)
            assert share is not None
            assert 0 < share < 1


async def test_the_best_moment_is_the_best_win_of_the_season_and_goes_with_who_hides(host: Host) -> None:
    await resigned(host)
    profile = await host.part(Ratings).profile(GUILD, ANN.user_id, ANN.user_id)
    assert profile.best is None, "nobody has played to the end"
    feats: dict[str, list[Feat]] = {"Ann": [], "Bob": []}
    for seed in range(4):
        match = await play_on(host, await running(host, "gambo", 2, guild_id=GUILD), Random(seed))
        (won,) = (seat for seat in match.seats if seat.won)
        (lost,) = (seat for seat in match.seats if not seat.won)
        state = await true_position(host, match.id)
        assert won.seat is not None
        assert won.feat == feat(won.seat, tuple(map(int, state.returns())), state.scored())
        assert lost.feat == ()
        feats[won.name].append(Feat(*won.feat))
    for person in (ANN, BOB):
        profile = await host.part(Ratings).profile(GUILD, person.user_id, DAN.user_id)
        best = max(feats[person.name], key=lambda each: each.worth, default=None)
        assert (None if profile.best is None else profile.best.feat) == best
    winner = max((ANN, BOB), key=lambda person: len(feats[person.name]))
    await host.settings.begin_season(GUILD)
    later = await host.part(Ratings).profile(GUILD, winner.user_id, winner.user_id)
    assert later.best is None
    earlier = await host.part(Ratings).profile(GUILD, winner.user_id, winner.user_id, season=1)
    assert earlier.best is not None
    await host.settings.set_player_settings(winner.user_id, PlayerSettings(hidden=True))
    assert await host.part(Ratings).profile(GUILD, winner.user_id, DAN.user_id, season=1) is None
