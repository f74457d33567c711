"""Fair deals: a reimplementation of `docs/fair-deals.md`, `docs/verify_deals.py`, agrees with the host's draws."""

import re
from collections import Counter
from hashlib import sha256
from itertools import pairwise, product
from pathlib import Path
from random import Random

import pytest

from db import Database
from docs.verify_deals import Draw, key_of, troubles
from docs.verify_deals import Table as Deals
from games import GAMES
from games.core import CHANCE
from matches.api import Host, Match, MatchId, NewMatch, NotFound, Refused, Status, Terms, TooSoon, UserId, WrongTime
from matches.records import fair
from matches.table.lobby import start_unpressed
from tests.matches.tables import (
    CHANNEL,
    DAY,
    LEASE,
    PEOPLE,
    digging,
    lobby,
    play,
    play_on,
    raised,
    running,
    sql,
    whole,
)

PAGE = (Path(__file__).parents[2] / "docs" / "fair-deals.md").read_text(encoding="utf-8")
SEED = bytes(range(32))


def on_page(label: str, scheme: int) -> str:
    """The text after this word in the page's example for this version."""
    example = PAGE.partition("## Version 1")[0 if scheme == 2 else 2]
    found = re.search(rf"^    {label} +(.+)$", example.partition("## Example")[2] if scheme == 2 else example, re.M)
    assert found, label
    return found[1]


def draws(scheme: int) -> fair.Draws:
    return fair.Draws(SEED, MatchId(17), scheme, (on_page("presses", 2),))


@pytest.mark.parametrize("scheme", [1, 2])
def test_the_pages_example_is_what_the_host_draws(scheme: int) -> None:
    assert on_page("seed", scheme) == SEED.hex()
    assert on_page("commitment", scheme) == draws(scheme).commitment
    assert on_page("seats", scheme) == " ".join(map(str, draws(scheme).seats(2)))
    state = GAMES["gambo"].new_initial_state(2)
    deal = state.action_to_string(state.sample_chance(draws(scheme).chance(0)))
    assert on_page("line", scheme) == f"0 c {deal}"


@pytest.mark.parametrize("scheme", [1, 2])
def test_the_pages_example_can_be_followed_by_hand(scheme: int) -> None:
    seed, key = on_page("seed", scheme), on_page("key", 2) if scheme == 2 else None
    assert sha256(f"ambit/{scheme} match=17 seed={seed}".encode()).hexdigest() == on_page("commitment", scheme)
    if key is not None:
        assert sha256(f"ambit/2 match=17 presses={on_page('presses', 2)}".encode()).hexdigest() == key
        assert key == key_of(17, on_page("presses", 2), 0)
    assert on_page("seats", scheme) == " ".join(Draw(17, "seats", seed, key).shuffled(["0", "1"]))
    draw = Draw(17, "chance-0", seed, key)
    words = [f"{next(draw.words):016x}" for _ in range(4)]
    assert on_page("block", scheme) == " ".join(words)
    chosen = [int(word, 16) % n for word, n in zip(words, (9, 8, 7, 6), strict=True)]
    assert f"which gives {chosen[0]} (below 9), {chosen[1]} (below 8), {chosen[2]} (below 7)" in PAGE
    line = Deals("gambo", 2).expected("deal ", Draw(17, "chance-0", seed, key))
    assert on_page("line", scheme) == f"0 c {line}"


@pytest.mark.parametrize("players", ["fewest", "most"])
@pytest.mark.parametrize("game", GAMES)
async def test_every_chance_line_of_a_match_is_drawn_as_the_page_says(host: Host, game: str, players: str) -> None:
    info = GAMES[game].info
    number = info.min_players if players == "fewest" else info.max_players
    match = await play_on(host, await running(host, game, number), Random(number))
    chance = [line.text for line in await host.look.history(match.id, None) if line.player == CHANCE]
    assert chance
    deals = Deals(game, number)
    kept = await whole(host, match)
    for count, line in enumerate(chance):
        key = key_of(match.id, ",".join(kept.details.pressed), count)
        assert line == deals.expected(line, Draw(match.id, f"chance-{count}", kept.hidden.seed.hex(), key))


async def test_gold_is_drawn_from_what_is_left_as_the_page_says(host: Host) -> None:
    """Uses matches in which both sides have won: the stock no longer has the gold that saboteurs were paid."""
    winners = set()
    for seed in range(1, 4):
        rng, match = Random(seed), await running(host, "saboteur", 3)
        while match.status is Status.RUNNING:
            match = await play(host, match, rng, digging)
        kinds = [line.text.split(" ")[0] for line in await host.look.history(match.id, None) if line.player == CHANCE]
        winners |= {then == "gold" for word, then in pairwise(kinds) if word in ("first", "deal") and then != "first"}
        assert list(troubles(await host.look.exported(match.id))) == []
    assert winners == {True, False}


async def drawn(host: Host, match: Match, name: str) -> Draw:
    """A draw of a finished match, computed as the page says."""
    kept = await whole(host, match)
    return Draw(match.id, name, kept.hidden.seed.hex(), key_of(match.id, ",".join(kept.details.pressed), 0))


async def test_seats_are_drawn_as_the_page_says(host: Host) -> None:
    first_seats = set()
    for _ in range(6):
        match = await running(host, "saboteur", 5)
        over = await host.votes.cancel(match.id, UserId(0), moderator=True)
        order = (await drawn(host, over, "seats")).shuffled(list(range(5)))
        assert [seat.user_id for seat in over.seats] == [PEOPLE[place].user_id for place in order]
        assert [seat.seat for seat in over.seats] == [0, 1, 2, 3, 4]
        first_seats.add(order[0])
    assert len(first_seats) > 1


async def test_whoever_left_the_lobby_does_not_count_for_the_seats(host: Host) -> None:
    match = await lobby(host, "saboteur", 4)
    await host.lobby.leave(match.id, PEOPLE[1].user_id)
    await host.lobby.start(match.id, PEOPLE[0].user_id)
    over = await host.votes.cancel(match.id, UserId(0), moderator=True)
    people = [PEOPLE[0], PEOPLE[2], PEOPLE[3]]
    order = (await drawn(host, over, "seats")).shuffled(people)
    assert over.seat_names == tuple(person.name for person in order)
    assert (await host.look.verify(match.id)).seats_ok


# The numbers themselves.


def test_a_draw_is_the_same_every_time_and_unlike_every_other() -> None:
    def numbers(match: MatchId, name: str) -> list[int]:
        stream = fair.Stream(SEED, match, name)
        return [stream.randrange(1000) for _ in range(50)]

    assert numbers(MatchId(1), "chance-1") == numbers(MatchId(1), "chance-1")
    assert (
        len({tuple(numbers(MatchId(match), name)) for match in (1, 11) for name in ("chance-1", "chance-11", "seats")})
        == 6
    )


@pytest.mark.parametrize("stop", [1, 2, 3, 2**63 + 1, 2**64])
def test_numbers_lie_below_the_stop(stop: int) -> None:
    stream = fair.Stream(SEED, MatchId(1), "seats")
    assert all(0 <= stream.randrange(stop) < stop for _ in range(100))


@pytest.mark.parametrize("stop", [0, -1, 2**64 + 1])
def test_a_stop_that_cannot_be_drawn_below_is_refused(stop: int) -> None:
    with pytest.raises(ValueError, match="randrange"):
        fair.Stream(SEED, MatchId(1), "seats").randrange(stop)


def test_words_that_would_favour_small_numbers_are_thrown_away() -> None:
    # One of three words is too large above two thirds of 2^64, so the numbers must skip some.
    stop = 2**64 // 3 * 2
    stream, plain = fair.Stream(SEED, MatchId(1), "seats"), Draw(1, "seats", SEED.hex())
    words = [next(plain.words) for _ in range(60)]
    kept = [word for word in words if word < stop]
    assert len(kept) < len(words)
    assert [stream.randrange(stop) for _ in kept] == kept


def test_every_order_of_three_is_as_likely_as_another() -> None:
    stream = fair.Stream(SEED, MatchId(1), "seats")
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        items = [0, 1, 2]
        stream.shuffle(items)
        counts[tuple(items)] += 1
    assert len(counts) == 6
    assert all(850 < count < 1150 for count in counts.values())


# The host's promise.


async def test_the_commitment_stands_before_anybody_joins_and_is_that_of_the_seed(host: Host) -> None:
    opened = await lobby(host, "gambo")
    assert re.fullmatch("[0-9a-f]{64}", opened.commitment)
    assert await host.look.seed(opened.id) is None
    match = await host.lobby.join(opened.id, PEOPLE[1])
    assert (match.commitment, await host.look.seed(match.id)) == (opened.commitment, None)
    over = await host.play.resign(match.id, PEOPLE[0].user_id)
    told = f"ambit/2 match={over.id} seed={(await whole(host, over)).hidden.seed.hex()}"
    assert opened.commitment == sha256(told.encode()).hexdigest()


async def test_two_matches_never_share_a_seed(host: Host) -> None:
    assert (await lobby(host, "gambo")).commitment != (await lobby(host, "gambo")).commitment


async def test_the_seed_is_told_when_a_lobby_is_closed_too(host: Host) -> None:
    match = await lobby(host, "gambo")
    closed = await host.votes.cancel(match.id, PEOPLE[0].user_id)
    assert closed.status is Status.CANCELLED
    assert fair.Draws((await whole(host, closed)).hidden.seed, closed.id).commitment == match.commitment


# A match that starts without a press.


async def started_unpressed(host: Host, match: Match) -> Match:
    return (await host.work.change(match.id, start_unpressed)).match


async def unpressed(host: Host, message: int, people: int = 3) -> Match:
    """A match whose people sat there from the beginning, after its lobby was posted as this message."""
    request = NewMatch("saboteur", CHANNEL, guild_id=1, seated=PEOPLE[1:people])
    match = await host.lobby.open(request, PEOPLE[0])
    await host.outbox.set_lobby_message(match.id, message)
    return await started_unpressed(host, match)


async def test_the_message_of_the_lobby_counts_where_nobody_presses(host: Host) -> None:
    match = await unpressed(host, 2**60 + 77)
    assert (await host.look.details(match.id)).pressed == (f"post-{2**60 + 77}",)
    assert sorted(match.seat_names) == ["Ann", "Bob", "Cleo"]
    over = await play_on(host, match, Random(2))
    key = sha256(f"ambit/2 match={over.id} presses=post-{2**60 + 77}".encode()).hexdigest()
    order = Draw(over.id, "seats", (await whole(host, over)).hidden.seed.hex(), key).shuffled(["Ann", "Bob", "Cleo"])
    assert over.seat_names == tuple(order)
    assert (await host.look.verify(over.id)).ok
    assert list(troubles(await host.look.exported(over.id))) == []


async def test_another_message_makes_other_deals_and_is_found_out(host: Host, database: Database) -> None:
    match = await play_on(host, await unpressed(host, 77), Random(2))
    await sql(database, "UPDATE matches SET pressed = :other", other='["post-78"]')
    verification = await host.look.verify(match.id)
    assert (verification.commitment_ok, verification.ok) == (True, False)
    assert list(troubles(await host.look.exported(match.id))) != []


async def test_a_match_starts_without_a_press_only_once_its_commitment_was_posted(host: Host) -> None:
    match = await host.lobby.open(NewMatch("gambo", CHANNEL, seated=PEOPLE[1:2]), PEOPLE[0])
    assert (match.status, match.seat_names) == (Status.LOBBY, ("Ann", "Bob"))
    await raised(WrongTime, started_unpressed(host, match), "posted")
    await host.outbox.set_lobby_message(match.id, 77)
    match = await started_unpressed(host, match)
    assert (match.status, (await host.look.details(match.id)).pressed) == (Status.RUNNING, ("post-77",))
    await raised(WrongTime, started_unpressed(host, match))


async def test_whoever_is_barred_before_a_start_without_a_press_leaves_first(host: Host) -> None:
    await raised(Refused, unpressed(host, 77, people=2), "at least 3")
    request = NewMatch("saboteur", CHANNEL, guild_id=1, seated=PEOPLE[1:4])
    match = await host.lobby.open(request, PEOPLE[0])
    await host.outbox.set_lobby_message(match.id, 78)
    await host.settings.bar(1, PEOPLE[2].user_id, host.now() + DAY)
    match = await started_unpressed(host, match)
    assert (await host.look.details(match.id)).pressed == ("leave-0", "post-78")
    await raised(TooSoon, unpressed(host, 79))


async def test_nobody_has_asked_for_a_message_by_a_start_without_a_press(host: Host) -> None:
    match = await host.lobby.open(NewMatch("gambo", CHANNEL, Terms(size=2), seated=PEOPLE[1:2]), PEOPLE[0])
    await host.outbox.set_lobby_message(match.id, 77)
    match = await started_unpressed(host, match)
    rows = await host.outbox.claim(LEASE, match.id)
    assert rows
    for row, seat in product(rows, match.seats):
        assert not await host.dms.has_just_pressed(row._replace(seat=seat.seat), match)


async def over(host: Host, game: str = "gambo", people: int = 2) -> Match:
    return await play_on(host, await running(host, game, people), Random(1))


@pytest.mark.parametrize("game", GAMES)
async def test_a_match_that_was_played_fairly_is_verified(host: Host, game: str) -> None:
    match = await over(host, game, GAMES[game].info.min_players)
    verification = await host.look.verify(match.id)
    assert verification.ok
    assert verification.seed == (await whole(host, match)).hidden.seed.hex()
    assert "all 0 deals" not in verification.explanation
    assert "committed" in verification.explanation


async def test_a_match_that_was_resigned_is_verified_up_to_there(host: Host) -> None:
    match = await running(host, "abissal")
    await host.play.resign(match.id, PEOPLE[0].user_id)
    assert (await host.look.verify(match.id)).ok


async def test_verification_has_to_wait_for_the_end(host: Host) -> None:
    match = await running(host, "gambo")
    await raised(WrongTime, host.look.verify(match.id))
    await raised(NotFound, host.look.verify(MatchId(match.id + 1)))


async def test_another_seed_than_the_promised_one_is_found_out(host: Host, database: Database) -> None:
    match = await over(host)
    await sql(database, "UPDATE matches SET seed = :seed WHERE id = :id", seed=SEED, id=match.id)
    verification = await host.look.verify(match.id)
    assert not verification.ok
    assert not verification.commitment_ok
    assert "committed" in verification.explanation


async def test_exchanged_seats_are_found_out(host: Host, database: Database) -> None:
    match = await over(host)
    await sql(database, "UPDATE seats SET seat = 1 - seat WHERE match_id = :id", id=match.id)
    verification = await host.look.verify(match.id)
    assert (verification.commitment_ok, verification.seats_ok, verification.ok) == (True, False, False)


async def test_a_deal_that_was_not_drawn_from_the_seed_is_found_out(host: Host, database: Database) -> None:
    match = await running(host, "gambo")
    await host.play.resign(match.id, PEOPLE[0].user_id)
    deal = (await host.look.history(match.id, None))[0].text
    other = deal[:5] + deal[7:9] + deal[5:7] + deal[9:]
    await sql(database, "UPDATE log SET action = :action WHERE match_id = :id AND ply = 0", action=other, id=match.id)
    verification = await host.look.verify(match.id)
    assert (verification.seats_ok, verification.chance_ok, verification.ok) == (True, False, False)
    assert verification.explanation == "Only 0 of 1 deals follow from the seed."
