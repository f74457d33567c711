"""What the deals depend on besides the seed, and what a restored backup changes (docs/fair-deals.md)."""

from pathlib import Path
from random import Random

import pytest

from db import Database
from db.upkeep.backup import back_up, restore
from games import GAMES
from matches.api import Host, ManualClock, Match, MatchId, NewMatch, Once, Status, UserId, WrongTime
from matches.records import fair
from tests.matches.tables import CHANNEL, PEOPLE, Hosted, Seeds, lobby, play_on, raised, running, sql, texts, whole
from tests.store import fresh, of_sqlite

ANN, BOB, CLEO = PEOPLE[:3]
SEED = bytes(range(32))


def numbers(*pressed: str, number: int = 0) -> list[int]:
    stream = fair.Draws(SEED, MatchId(17), fair.SCHEME, pressed).chance(number)
    return [stream.randrange(1 << 32) for _ in range(8)]


def test_every_press_counts_in_every_draw() -> None:
    pressed = [(), ("join-1",), ("join-2",), ("join-1", "start-2"), ("start-2", "join-1"), ("join-1", "leave-2")]
    assert len({tuple(numbers(*each)) for each in pressed}) == len(pressed)


def test_a_restore_counts_from_its_chance_line_on_and_not_before() -> None:
    before, after = ("join-1",), ("join-1", "restored-1-3")
    assert [numbers(*before, number=n) == numbers(*after, number=n) for n in range(5)] == [True] * 3 + [False] * 2
    assert numbers("join-1", "restored-2-3", number=3) != numbers(*after, number=3)


async def test_joins_leaves_and_the_start_are_kept_with_their_numbers(host: Host) -> None:
    match = await host.lobby.open(NewMatch("saboteur", CHANNEL, interaction_id=90), ANN)
    assert (await host.look.details(match.id)).pressed == ()
    for person, press in ((BOB, 91), (CLEO, 92), (PEOPLE[3], 93)):
        await host.lobby.join(Once(match.id, press), person)
    await host.lobby.join(Once(match.id, 94), BOB)
    await host.lobby.leave(Once(match.id, 95), BOB.user_id)
    await host.lobby.remove(Once(match.id, 96), ANN.user_id, PEOPLE[3].user_id)
    await host.lobby.add_computer(Once(match.id, 97), ANN.user_id)
    await host.lobby.remove_computer(Once(match.id, 98), ANN.user_id)
    await host.lobby.join(Once(match.id, 99), BOB)
    begun = await host.lobby.start(Once(match.id, 100), ANN.user_id)
    expected = "join-91 join-92 join-93 leave-95 leave-96 join-97 leave-98 join-99 start-100"
    assert " ".join((await host.look.details(begun.id)).pressed) == expected
    over = await host.votes.cancel(match.id, UserId(0), moderator=True)
    assert " ".join((await host.look.details(over.id)).pressed) == expected
    assert (await host.look.verify(match.id)).ok


async def test_the_same_seed_deals_otherwise_to_another_press(clock: ManualClock, tmp_path: Path) -> None:
    deals = set()
    for press in (91, 92, 93):
        async with await Database.open(fresh(tmp_path / f"{press}.db")) as database:
            host = Host(database, clock, lambda count: SEED[:count])
            match = await lobby(host, "gambo")
            match = await host.lobby.join(Once(match.id, press), BOB)
            deals.add((match.commitment, *(await texts(host, match))))
    assert len(deals) == 3
    assert len({commitment for commitment, _ in deals}) == 1


async def old(host: Host, database: Database, game: str, people: int) -> Match:
    """A lobby as the program before this version opened it."""
    match = await lobby(host, game)
    closed = fair.Draws(Seeds()(32), match.id, 1)
    change = "UPDATE matches SET scheme = 1, commitment = :told, seed = :seed WHERE id = :id"
    await sql(database, change, told=closed.commitment, seed=closed.seed, id=match.id)
    for person in PEOPLE[1:people]:
        match = await host.lobby.join(Once(match.id, person.user_id), person)
    return match if match.status is Status.RUNNING else await host.lobby.start(Once(match.id, 99), ANN.user_id)


@pytest.mark.parametrize("game", GAMES)
async def test_a_match_of_the_first_version_is_played_on_and_verified_by_it(host: Hosted, game: str) -> None:
    match = await play_on(host, await old(host, host.database, game, GAMES[game].info.min_players), Random(1))
    kept = await whole(host, match)
    assert (match.status, kept.details.scheme, kept.details.pressed) == (Status.OVER, 1, ())
    assert (await host.look.verify(match.id)).ok
    assert match.commitment == kept.draws.commitment
    state = GAMES[game].new_initial_state(len(match.seats), match.options)
    assert (await texts(host, match))[0] == state.action_to_string(state.sample_chance(kept.draws.chance(0)))


# Backups.


async def act(host: Host, number: MatchId, press: int) -> Match:
    """Play the first legal action of the player whose turn it is."""
    match = await host.look.match(number)
    assert match.mover.user_id is not None
    text = (await host.look.view(number, match.mover.user_id)).moves[0].text
    return await host.play.act(Once(number, press), match.mover.user_id, text)


async def deals_of(store: Path, clock: ManualClock, number: MatchId) -> list[str]:
    """Play until the round after the current one is dealt. Check that all deals are fair, and return them."""
    async with await Database.open(fresh(store)) as database:
        host, press, match = Host(database, clock, Seeds("later")), 1000, None
        while match is None or sum(text.startswith("deal") for text in await texts(host, match)) < 2:
            press += 1
            match = await act(host, number, press)
        await host.votes.cancel(number, UserId(0), moderator=True)
        verification = await host.look.verify(number)
        assert verification.ok, verification.explanation
        return [text for text in await texts(host, match) if text.startswith("deal")]


@of_sqlite
async def test_a_restored_backup_deals_differently_every_time(clock: ManualClock, tmp_path: Path) -> None:
    store, copy = tmp_path / "ambit.db", tmp_path / "copy.db"
    url = fresh(store)
    async with await Database.open(url) as database:
        number = (await running(Host(database, clock, Seeds()), "abissal")).id
    back_up(url, copy)
    found = [await deals_of(store, clock, number)]
    for _ in range(2):
        restore(url, copy)
        found.append(await deals_of(store, clock, number))
    assert len({first for first, _ in found}) == 1, "what was dealt before the backup stays"
    assert len({second for _, second in found}) == 3


@of_sqlite
async def test_a_restored_lobby_draws_other_seats_too(clock: ManualClock, tmp_path: Path) -> None:
    store, copy = tmp_path / "ambit.db", tmp_path / "copy.db"
    url = fresh(store)
    async with await Database.open(url) as database:
        number = (await lobby(Host(database, clock, Seeds()), "saboteur", 10)).id
    back_up(url, copy)
    seats = set()
    for restores in range(3):
        if restores:
            restore(url, copy)
        async with await Database.open(url) as database:
            host = Host(database, clock)
            match = await host.lobby.start(Once(number, 99), ANN.user_id)
            pressed = (await host.look.details(match.id)).pressed
            assert pressed[-1] == (f"restored-{restores}-0" if restores else "start-99")
            seats.add(match.seat_names)
            await host.votes.cancel(number, UserId(0), moderator=True)
            assert (await host.look.verify(number)).ok
    assert len(seats) == 3


def test_what_a_restore_changes_is_heard_of_once() -> None:
    assert fair.restores(()) == fair.restores(("join-1", "start-2")) == 0
    assert fair.restores(("join-1", "restored-2-0", "restored-11-4")) == 11


# The file.


async def test_the_file_is_secret_until_the_match_is_over(host: Host) -> None:
    match = await running(host, "gambo")
    await raised(WrongTime, host.look.exported(match.id), "secret until the match is over")
