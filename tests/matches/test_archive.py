"""What finished matches leave: results, and statistics of those that count."""

from random import Random
from typing import Any

import pytest

from matches.api import Ended, Host, Match, NewMatch, Person, Status
from tests.matches.tables import CHANNEL, PEOPLE, moved, play_on, running
from tests.statements import statements

GUILD = 555


async def finished(host: Host, game: str, people: int, seed: int, **request: Any) -> Match:
    match = await running(host, game, people, guild_id=GUILD, **request)
    return await play_on(host, match, Random(seed))


@pytest.mark.parametrize(("game", "people"), [("ambush", 2), ("abissal", 3), ("gambo", 2)])
async def test_what_stands_in_the_results_is_what_the_position_says(host: Host, game: str, people: int) -> None:
    match = await finished(host, game, people, 3)
    assert (await host.look.details(match.id)).counts
    outcome = (await host.look.view(match.id, None)).outcome
    assert tuple(seat.seat for seat in match.seats if seat.won) == outcome.winners
    assert all(seat.points is not None for seat in match.seats)


async def test_statistics_are_sums_by_game_and_number_of_players(host: Host) -> None:
    matches = [await finished(host, "ambush", 2, seed) for seed in range(3)]
    matches += [await finished(host, "abissal", players, 5) for players in (2, 3)]
    ann = PEOPLE[0].user_id
    own = [seat for match in matches[:3] if (seat := match.seat_of(ann)) is not None]
    tallies = {(tally.game, tally.players): tally for tally in await host.archive.tally_of(ann)}
    assert set(tallies) == {("ambush", 2), ("abissal", 2), ("abissal", 3)}
    duels = tallies["ambush", 2]
    assert (duels.played, duels.won) == (3, sum(seat.won is True for seat in own))
    assert duels.best == max(seat.points or 0 for seat in own)
    (server,) = [tally for tally in await host.archive.tally_in(GUILD) if tally.game == "ambush"]
    assert server.played == 3
    wins = {name: sum(s.won is True for m in matches[:3] for s in m.seats if s.name == name) for name in ("Ann", "Bob")}
    assert server.won == max(wins.values()) == wins[server.winner]
    assert server.best == max(seat.points or 0 for match in matches[:3] for seat in match.seats)
    assert await host.archive.tally_in(GUILD + 1) == ()


async def test_a_match_that_a_vote_ended_does_not_count(host: Host) -> None:
    match = await running(host, "ambush", 2, guild_id=GUILD)
    for person in PEOPLE[:2]:
        match = await host.votes.cancel(match.id, person.user_id)
    assert (match.ended_by, (await host.look.details(match.id)).counts) == (Ended.VOTE, False)
    assert await host.archive.tally_of(PEOPLE[0].user_id) == ()


async def test_a_match_with_a_seat_left_for_good_does_not_count(host: Host) -> None:
    match = await running(host, "abissal", 3, guild_id=GUILD)
    await host.play.resign(match.id, PEOPLE[1].user_id)
    match = await play_on(host, await host.look.match(match.id), Random(2))
    assert match.ended_by is Ended.RULES
    assert any(seat.won for seat in match.seats)
    assert not (await host.look.details(match.id)).counts
    assert await host.archive.tally_in(GUILD) == ()


async def test_a_seat_that_was_had_back_does_count(host: Host) -> None:
    match = await running(host, "abissal", 3, guild_id=GUILD)
    await host.play.depart(match.id, PEOPLE[1].user_id)
    await host.play.take_back(match.id, PEOPLE[1].user_id)
    match = await play_on(host, await host.look.match(match.id), Random(2))
    assert (await host.look.details(match.id)).counts


async def test_with_two_players_to_resign_is_to_lose_and_counts(host: Host) -> None:
    match = await moved(host, await running(host, "ambush", 2, guild_id=GUILD))
    await host.play.resign(match.id, PEOPLE[0].user_id)
    (lost,) = await host.archive.tally_of(PEOPLE[0].user_id)
    (won,) = await host.archive.tally_of(PEOPLE[1].user_id)
    assert (lost.played, lost.won, won.played, won.won) == (1, 0, 1, 1)


# FOUND S3
@pytest.mark.parametrize("names", [("Zoe", "Abe"), ("Abe", "Zoe")])
async def test_statistics_show_the_latest_of_somebodys_names_though_an_older_match_ends_later(
    host: Host, names: tuple[str, str]
) -> None:
    begun = []
    for name in names:
        match = await host.lobby.open(NewMatch("ambush", CHANNEL, guild_id=GUILD), Person(PEOPLE[0].user_id, name))
        begun.append(await host.lobby.join(match.id, PEOPLE[1]))
    for match in reversed(begun):
        await moved(host, match)
        await host.play.resign(match.id, PEOPLE[1].user_id)
        (tally,) = await host.archive.tally_in(GUILD)
        assert (tally.winner, tally.won) == (names[-1], tally.played)
        assert tally.scorer in (names[-1], "Bob")
    await host.privacy.forget(PEOPLE[0].user_id)
    (tally,) = await host.archive.tally_in(GUILD)
    assert (tally.winner[:7], tally.won) == ("Player ", 2)


async def test_the_archive_of_a_server_has_its_finished_matches_the_latest_first(host: Host) -> None:
    first, second = [await finished(host, "ambush", 2, seed) for seed in range(2)]
    open_one = await running(host, "ambush", 2, guild_id=GUILD)
    await running(host, "ambush", 2, guild_id=GUILD + 1)
    assert [match.id for match in await host.archive.finished_in(GUILD)] == [second.id, first.id]
    shown = await host.archive.finished_in(GUILD, shown=lambda match: match.id == first.id)
    assert [match.id for match in shown] == [first.id]
    assert open_one.status is Status.RUNNING


async def test_of_a_server_few_of_whose_matches_may_be_shown_only_the_latest_are_looked_through(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("matches.host.archive.PAGE", 2)
    monkeypatch.setattr("matches.host.archive.LOOKED_THROUGH", 6)
    numbers = [(await running(host, "ambush", 2, guild_id=GUILD)).id for _ in range(9)]
    for number in numbers:
        await host.play.resign(number, PEOPLE[0].user_id)

    async def found(limit: int, *shown: int) -> list[int]:
        matches = await host.archive.finished_in(GUILD, limit, lambda match: match.id in shown)
        return [match.id for match in matches]

    assert await found(2, *numbers) == numbers[:-3:-1]
    assert await found(5, numbers[4], numbers[8]) == [numbers[8], numbers[4]]
    assert await found(5, numbers[0], numbers[2]) == []
    with statements() as made:
        await found(5)
    assert len(made) == 2 * 3
