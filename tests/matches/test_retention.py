"""Data with a limited lifetime: it is deleted in small steps, and everything else stays."""

import asyncio
import gzip
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from db import Database
from db.model import schema
from docs.verify_deals import troubles
from games import GAMES
from matches.api import (
    CutOff,
    Host,
    HostError,
    ManualClock,
    Match,
    MatchId,
    NewMatch,
    Once,
    Pace,
    Pruned,
    Stale,
    Status,
    Terms,
    UserId,
    Vote,
    check,
)
from matches.computers.levels import Level
from matches.engine.clock import AGREES_FOR, TOLERATED
from matches.host import retention
from matches.host.retention import LINES, PRESSES, PRESSES_KEPT, REST
from matches.ratings import Ratings
from matches.table.questions import Asks
from matches.work.unit_of_work import Effect
from tests.matches.tables import (
    CHANNEL,
    DAY,
    LEASE,
    PEOPLE,
    Hosted,
    Seeds,
    dump,
    mover_view,
    play_on,
    raised,
    run_all,
    running,
    sql,
    tellings,
)

ANN, BOB = PEOPLE[:2]
GUILD = 555
KEEP = 30
A_MINUTE = timedelta(minutes=1)
PRESS = 2**60
"""Ids of interactions increase, like Discord's."""


async def all_done(host: Host) -> None:
    await run_all(host)


async def presses(database: Database) -> list[int]:
    """The ids of interactions in the logs, ascending."""
    rows = (await dump(database))["log"]
    place = list(schema.log.c.keys()).index("interaction_id")
    return sorted(row[place] for row in rows if row[place] is not None)


async def act(host: Host, match: Match, press: int) -> Match:
    """Play any move of the player whose turn it is."""
    view = await mover_view(host, match)
    assert match.mover.user_id is not None
    return await host.play.act(Once(match.id, press), match.mover.user_id, view.moves[0].text, ply=view.ply)


# Ids of interactions.


async def test_an_interaction_is_known_for_a_day_and_then_forgotten(host: Hosted) -> None:
    match = await running(host, "gambo", pace="none")
    first = await act(host, match, PRESS)
    host.clock.advance(PRESSES_KEPT - A_MINUTE)
    later = await act(host, first, PRESS + 1)
    await all_done(host)
    before = await dump(host.database)
    assert await host.play.act(Once(match.id, PRESS), ANN.user_id, "junk", ply=match.ply) == later
    assert await dump(host.database) == before

    host.clock.advance(2 * A_MINUTE)
    await all_done(host)
    assert await presses(host.database) == [PRESS + 1]
    # Such an old board was replaced long ago: its ply shows that.
    assert match.mover is not None
    await raised(Stale, act_on(host, match, PRESS))


async def act_on(host: Host, match: Match, press: int) -> Match:
    """The result of a press on the board of `match` as it was then."""
    assert match.mover.user_id is not None
    return await host.play.act(Once(match.id, press), match.mover.user_id, "junk", ply=match.ply)


async def test_the_numbers_of_many_interactions_go_in_small_steps(
    host: Host, database: Database, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "PRESSES_AT_ONCE", 2)
    match = await running(host, "gambo", pace="none")
    for press in range(PRESS, PRESS + 5):
        match = await act(host, match, press)
    clock.advance(PRESSES_KEPT + A_MINUTE)
    match = await act(host, match, PRESS + 5)
    left = []
    while chores := await host.retention.due():
        await host.retention.go_on(chores[0])
        left.append(len(await presses(database)))
    assert left == [4, 2, 1]


async def test_the_presses_that_count_in_the_draws_are_never_forgotten(host: Hosted) -> None:
    match = await host.lobby.open(NewMatch("saboteur", CHANNEL, Terms(pace=Pace.NONE), interaction_id=PRESS), ANN)
    for number, person in enumerate(PEOPLE[1:3], 1):
        match = await host.lobby.join(Once(match.id, PRESS + number), person)
    match = await host.lobby.start(Once(match.id, PRESS + 3), ANN.user_id)
    await act(host, match, PRESS + 4)
    over = await host.votes.cancel(match.id, UserId(0), moderator=True)
    host.clock.advance(PRESSES_KEPT + A_MINUTE)
    await all_done(host)
    assert await presses(host.database) == []
    kept = (await host.look.details(over.id)).pressed
    assert kept == (f"join-{PRESS + 1}", f"join-{PRESS + 2}", f"start-{PRESS + 3}")
    assert (await host.look.verify(over.id)).ok


async def test_the_store_is_asked_for_old_things_now_and_then_only(host: Hosted) -> None:
    await act(host, await running(host, "gambo", pace="none"), PRESS)
    host.clock.advance(AGREES_FOR)
    assert await host.retention.due() == ()
    await sql(host.database, "UPDATE log SET at = 0")
    assert await host.retention.due() == ()
    host.clock.advance(REST)
    assert await host.retention.due() != ()
    # A clock that was set back shortens no pause for long.
    host.clock.advance(-timedelta(days=3))
    assert await host.retention.due() == ()
    host.clock.advance(AGREES_FOR)
    assert await host.retention.due() != ()


# Lines of finished matches.


@pytest.fixture
def forgetful(database: Database, clock: ManualClock) -> Host:
    """A host that keeps lines for a month after the end."""
    return Host(database, clock, Seeds(), keep_days=KEEP)


async def finished(host: Host, game: str = "gambo", seed: int = 1) -> Match:
    """A finished match with all news delivered, and a vote that was never decided.

    A match of two ends by resigning, which counts for statistics and ratings. A larger one is ended by moderators.
    """
    players = GAMES[game].info.min_players
    match = await running(host, game, players, guild_id=GUILD, pace="none")
    await host.votes.cancel(match.id, ANN.user_id)
    match = await play_on(host, match, Random(seed), lambda match: match.ply > 10)
    if players == 2:
        over = await host.play.resign(match.id, BOB.user_id)
    else:
        over = await host.votes.cancel(match.id, UserId(0), moderator=True)
    await tellings(host)
    return over


async def in_use(host: Host) -> None:
    """Somebody acts, so that the store contains a moment as late as this one."""
    match = await host.lobby.open(NewMatch("gambo", CHANNEL + 1), PEOPLE[5])
    await host.lobby.leave(match.id, PEOPLE[5].user_id)


async def pruned(host: Host, clock: ManualClock) -> None:
    """Advance by as many days as lines are kept, and one more, on which somebody acts."""
    clock.advance((KEEP + 1) * DAY)
    await in_use(host)
    await all_done(host)


@pytest.mark.parametrize("game", ["ambush", "saboteur"])
async def test_after_so_many_days_the_lines_are_gone_and_nothing_else(
    forgetful: Host, database: Database, clock: ManualClock, game: str
) -> None:
    host, over = forgetful, await finished(forgetful, game)
    going_on = await running(host, "gambo", pace="none")
    clock.advance(KEEP * DAY)
    await in_use(host)
    await all_done(host)
    before = await dump(database)
    assert {row[0] for row in before["log"]} == {over.id, going_on.id}

    clock.advance(REST)
    await all_done(host)
    after = await dump(database)
    assert {row[0] for row in after.pop("log")} == {going_on.id}
    assert {row[0] for row in before.pop("log")} == {over.id, going_on.id}
    assert (len(before.pop("votes")), len(after.pop("votes"))) == (1, 0)
    number, place = (list(schema.matches.c.keys()).index(name) for name in ("id", "log_sum"))
    sums = {row[number]: row[place] for row in after["matches"] if row[place] is not None}
    assert sums == {over.id: (await host.look.verify(over.id)).sum}
    for kept in (before, after):
        # Marks of allowances have a lifetime of their own.
        del kept["allowances"]
        kept["matches"] = [row[:place] + row[place + 1 :] for row in kept["matches"]]
    assert after == before


async def test_without_the_setting_lines_are_kept_for_ever(host: Host, database: Database, clock: ManualClock) -> None:
    await finished(host)
    before = (await dump(database))["log"]
    clock.advance(36_500 * DAY)
    await all_done(host)
    assert (await dump(database))["log"] == before


async def test_what_is_still_to_be_told_keeps_its_match_whole(
    forgetful: Host, database: Database, clock: ManualClock
) -> None:
    over = await play_on(forgetful, await running(forgetful, "gambo", pace="none"), Random(1))
    await pruned(forgetful, clock)
    assert not (await forgetful.look.match(over.id)).is_pruned
    for row in await forgetful.outbox.claim(LEASE, over.id):
        assert (await forgetful.look.view(over.id, None)).outcome is not None
        await forgetful.outbox.told(row.id)
    clock.advance(REST)
    await all_done(forgetful)
    assert (await forgetful.look.match(over.id)).is_pruned


async def test_many_matches_are_pruned_a_few_at_a_time_the_oldest_first(
    forgetful: Host, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "MATCHES_AT_ONCE", 2)
    numbers = []
    for _ in range(5):
        match = await running(forgetful, "gambo", pace="none")
        await forgetful.play.resign(match.id, ANN.user_id)
        await tellings(forgetful)
        numbers.append(match.id)
        clock.advance(A_MINUTE)
    clock.advance(KEEP * DAY)
    await in_use(forgetful)
    left: list[list[int]] = []
    while await forgetful.retention.due():
        await forgetful.retention.go_on(LINES)
        left.append([n for n in numbers if not (await forgetful.look.match(n)).is_pruned])
    assert left == [numbers[2:], numbers[4:], []]


async def test_two_processes_that_prune_at_once_do_so_once_each(
    forgetful: Host, url: str, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "MATCHES_AT_ONCE", 2)
    over = [await finished(forgetful, seed=seed) for seed in range(4)]
    sums = [(await forgetful.look.verify(match.id)).sum for match in over]
    clock.advance((KEEP + 1) * DAY)
    async with await Database.open(url) as second:
        hosts = (forgetful, Host(second, clock, name="other", keep_days=KEEP))
        clock.advance(AGREES_FOR)
        await in_use(forgetful)
        while await forgetful.retention.due():
            await asyncio.gather(*(host.retention.go_on(chore) for host in hosts for chore in (PRESSES, LINES)))
        assert [(await host.look.match(match.id)).log_sum for host in hosts for match in over] == sums * 2


async def test_a_frozen_match_keeps_its_lines(forgetful: Host, database: Database, clock: ManualClock) -> None:
    match = await running(forgetful, "gambo", pace="none")
    await sql(database, "UPDATE log SET action = 'junk' WHERE ply = 0")
    await raised(HostError, Host(database, clock).look.view(match.id, None))
    await tellings(forgetful)
    before = (await dump(database))["log"]
    await pruned(forgetful, clock)
    assert (await dump(database))["log"] == before


async def test_of_a_fair_deal_all_can_be_checked_that_does_not_need_the_lines(
    forgetful: Host, database: Database, clock: ManualClock
) -> None:
    host, over = forgetful, await finished(forgetful, "saboteur")
    file, whole = await host.look.exported(over.id), await host.look.verify(over.id)
    await pruned(host, clock)
    left = await host.look.verify(over.id)
    assert left.ok
    assert "can't check the deals any more" in left.explanation
    assert left == whole._replace(chance_ok=None, explanation=left.explanation)
    # Whoever kept the file can check everything, and compare it with what the bot still shows.
    assert list(troubles(file, left.sum)) == []
    assert list(troubles(file.replace(f"seed={left.seed}", f"seed={'0' * 64}"), left.sum)) != []

    await sql(database, "UPDATE seats SET seat = (seat + 1) % 3 WHERE match_id = :id", id=over.id)
    assert not (await host.look.verify(over.id)).ok
    await sql(database, "UPDATE matches SET seed = :other", other=bytes(32))
    assert "isn't the one" in (await host.look.verify(over.id)).explanation


async def test_what_a_process_has_in_memory_of_a_pruned_match_is_shown_no_more(
    forgetful: Host, database: Database, clock: ManualClock
) -> None:
    other, over = Host(database, clock, name="other"), await finished(forgetful)
    assert (await other.look.view(over.id, None)).ply == over.ply
    await pruned(forgetful, clock)
    for host in (forgetful, other):
        for of in (over.id, await host.look.match(over.id)):
            await raised(Pruned, host.look.view(of, ANN.user_id), f"moves of match {over.id} have been deleted")


async def test_the_program_can_go_on_with_what_is_pruned_and_people_can_be_forgotten(
    forgetful: Host, database: Database, clock: ManualClock
) -> None:
    over = await finished(forgetful, "saboteur")
    await pruned(forgetful, clock)
    assert await check(database) == ()
    assert await forgetful.privacy.matches_kept(ANN.user_id) == (over.id,)
    await forgetful.privacy.forget(ANN.user_id)
    await all_done(forgetful)
    assert await forgetful.privacy.matches_kept(ANN.user_id) == ()
    assert ANN.name not in str((await dump(database))["seats"])
    assert (await forgetful.look.verify(over.id)).ok


# What can't be undone waits for a trusted clock: FOUND E8.


async def kept(host: Host, number: MatchId) -> bool:
    """Whether a match still has its lines after everything that is due was carried out."""
    await all_done(host)
    return not (await host.look.match(number)).is_pruned


async def test_a_clock_that_is_ahead_for_a_minute_deletes_nothing_and_closes_no_lobby(
    forgetful: Host, clock: ManualClock
) -> None:
    host, over = forgetful, await finished(forgetful)
    lobby = await host.lobby.open(NewMatch("gambo", CHANNEL), ANN)
    clock.advance(2 * AGREES_FOR)
    for ahead in (timedelta(days=2), timedelta(days=400)):
        clock.jump(ahead)
        for _ in range(3):
            assert await kept(host, over.id)
            assert (await host.look.match(lobby.id)).status is Status.LOBBY
            clock.advance(A_MINUTE / 3)
        # NTP sets it back: the true time counts from the start.
        clock.jump(-ahead)
        assert await kept(host, over.id)
    clock.advance(DAY)
    await all_done(host)
    assert (await host.look.match(lobby.id)).status is Status.CANCELLED


async def test_a_clock_that_is_wrong_from_the_start_on_deletes_nothing_as_long_as_nobody_plays_by_it(
    forgetful: Host, database: Database, clock: ManualClock
) -> None:
    over = await finished(forgetful)
    clock.jump((KEEP + 1) * DAY)
    again = Host(database, clock, name="again", keep_days=KEEP)
    clock.advance(2 * AGREES_FOR)
    assert again.work.trust.holds()
    assert await kept(again, over.id)


async def test_a_bot_that_was_off_for_a_year_deletes_once_somebody_plays_again(
    forgetful: Host, database: Database, clock: ManualClock
) -> None:
    over = await finished(forgetful)
    clock.advance(365 * DAY)
    host = Host(database, clock, Seeds(), name="later", keep_days=KEEP)
    clock.advance(AGREES_FOR + DAY)
    assert await kept(host, over.id)
    match = await running(host, "gambo", pace="none")
    await act(host, match, PRESS)
    clock.advance(REST)
    assert not await kept(host, over.id)


async def test_nothing_is_closed_in_the_first_hour_after_a_start_nor_after_a_step_back(host: Hosted) -> None:
    lobby = await host.lobby.open(NewMatch("gambo", CHANNEL), ANN)

    async def closed(by: Host) -> bool:
        await all_done(by)
        return (await by.look.match(lobby.id)).status is Status.CANCELLED

    host.clock.advance(2 * DAY)
    later = Host(host.database, host.clock, name="later")
    host.clock.advance(AGREES_FOR - A_MINUTE)
    assert not await closed(later)
    host.clock.jump(-2 * TOLERATED)
    host.clock.advance(2 * A_MINUTE)
    assert not await closed(later)
    host.clock.advance(AGREES_FOR - 3 * A_MINUTE)
    assert not await closed(later)
    host.clock.advance(3 * A_MINUTE)
    assert await closed(later)


async def test_a_bar_does_not_lapse_by_a_clock_that_is_ahead(host: Host, clock: ManualClock) -> None:
    clock.advance(AGREES_FOR)
    until = clock.now() + 7 * DAY
    await host.settings.bar(GUILD, BOB.user_id, until)
    clock.jump(30 * DAY)
    await host.settings.bar(GUILD, ANN.user_id, clock.now() + DAY)
    clock.jump(-30 * DAY)
    assert (BOB.user_id, until) in await host.settings.barred(GUILD)


# Every question to the host about a match, asked before and after.

NEEDS_LINES = {
    *("look.view", "look.history", "look.course", "look.replay", "look.round_end", "look.exported"),
    *("work.snapshot", "work.position", "thinking.hint", "votes.may_undo"),
    *("reviews.offer", "reviews.alone", "reviews.opened"),
    *("reviews.ask", "reviews.look", "reviews.to_try"),
    *("orders.look", "orders.done_for", "orders.reply_view", "orders.preview", "orders.hint"),
}
UNASKED = {"outbox.claim", "ratings.bring_up_to_date"}
"""Methods that ask nothing about a finished match."""

ABOUT = {"match_id", "of", "table"}


async def nothing() -> None:
    """Do nothing when a review is finished."""


GIVEN: dict[str, Callable[[Match], Any]] = {
    "match_id": lambda match: match.id,
    "table": lambda match: match.id,
    "of": lambda match: match,
    "user_id": lambda match: ANN.user_id,
    "host": lambda match: ANN.user_id,
    "by": lambda match: ANN.user_id,
    "applicant": lambda match: PEOPLE[5].user_id,
    "person": lambda match: PEOPLE[5],
    "name": lambda match: match.seats[0].name,
    "decision": lambda match: lambda table: table,
    "text": lambda match: "junk",
    "ply": lambda match: match.ply,
    "choice": lambda match: Vote.CANCEL,
    "asks": lambda match: Asks.CANCEL,
    "channel_id": lambda match: CHANNEL,
    "thread_id": lambda match: None,
    "message_id": lambda match: 5,
    "number": lambda match: 7,
    **dict.fromkeys(("mine", "theirs", "key"), lambda match: "junk"),
    "unless": lambda match: (),
    "asked": lambda match: 7,
    "pressed": lambda match: 7,
    "whom": lambda match: 1,
    "level": lambda match: Level.EASY,
    "event_id": lambda match: None,
    "when": lambda match: match.turn_at,
    "everywhere": lambda match: False,
    "seat": lambda match: 0,
    "request": lambda match: NewMatch("", CHANNEL),
    "told": lambda match: nothing,
    "why": lambda match: CutOff.SILENCED,
}
"""Values for required parameters, by name."""


def asked_about(host: Host) -> dict[str, Callable[..., Any]]:
    """Every question about one match, and every act on it."""
    found = {}
    of_features = {kind.__name__.lower(): part for kind, part in host.parts.items()}
    for part, what in {**vars(host), **of_features}.items():
        for name, method in inspect.getmembers(what, inspect.iscoroutinefunction):
            if name[0] != "_" and ABOUT & {*parameters_of(method)}:
                found[f"{part}.{name}"] = method
    return {name: method for name, method in found.items() if name not in UNASKED}


def parameters_of(method: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """The parameters of the method, or of the decision that it wraps: a method takes a match's number instead of the
    table.
    """
    return inspect.signature(inspect.unwrap(method)).parameters


async def answer(method: Callable[..., Any], match: Match) -> Any:
    """The result, or the sentence of the refusal."""
    given = {
        each.name: GIVEN[each.name](match)
        for each in parameters_of(method).values()
        if each.kind is not inspect.Parameter.VAR_KEYWORD
        if each.name in ABOUT or each.default is inspect.Parameter.empty
    }
    first = [given.pop(name) for name in list(given)[:2]] if "table" in given else []
    try:
        found = await method(*first, **given)
    except HostError as error:
        return type(error), str(error)
    found = found.match if isinstance(found, Effect) else found
    return without_votes(found) if isinstance(found, Match) else found


def without_votes(match: Match) -> Match:
    """The match without the fields that differ."""
    return replace(match, log_sum=None, ballots=())


def without_lines(answers: dict[str, Any]) -> set[str]:
    """The questions that are answered with the sentence that the moves are gone."""
    return {name for name, found in answers.items() if isinstance(found, tuple) and found[:1] == (Pruned,)}


async def test_what_is_asked_about_a_pruned_match_is_answered_as_before_or_by_a_sentence(
    forgetful: Host, database: Database, clock: ManualClock
) -> None:
    over = await finished(forgetful, "saboteur")
    for _ in range(2):  # what the first call changes (a message's id) is the same for the second and third
        whole = {name: await answer(method, over) for name, method in asked_about(forgetful).items()}
    await tellings(forgetful)
    assert without_lines(whole) == set()
    await pruned(forgetful, clock)
    again = await forgetful.look.match(over.id)
    assert again.is_pruned
    left = {name: await answer(method, again) for name, method in asked_about(forgetful).items()}
    sentences = without_lines(left)
    assert sentences == NEEDS_LINES
    changed = {name for name in left.keys() - sentences if left[name] != whole[name]}
    assert changed == {"look.verify"}, {name: (whole[name], left[name]) for name in changed}


def rows(file: bytes) -> list[str]:
    """The rows of a file of results, without the random numbers of its people and the time it was made."""
    return sorted(re.sub(r'"who":\d+|"made_at": .*', "", gzip.decompress(file).decode()).splitlines())


async def test_statistics_and_ratings_are_the_same_before_and_after(
    forgetful: Host, database: Database, clock: ManualClock
) -> None:
    async def told() -> list[Any]:
        return [
            *[await forgetful.archive.tally_of(person.user_id) for person in (ANN, BOB)],
            await forgetful.archive.tally_in(GUILD),
            *[without_votes(match) for match in await forgetful.archive.recent(ANN.user_id)],
            *[without_votes(match) for match in await forgetful.archive.finished_in(GUILD)],
            await forgetful.part(Ratings).leaderboard(GUILD, "ambush"),
            await forgetful.part(Ratings).profile(GUILD, ANN.user_id, BOB.user_id),
            await forgetful.archive.reliability_of(GUILD, (ANN.user_id, BOB.user_id)),
            rows((await forgetful.part(Ratings).exported(GUILD, ANN.user_id)).data),
            *[await forgetful.part(Ratings).changes(MatchId(number)) for number in (1, 2)],
        ]

    for seed in (1, 2):
        await finished(forgetful, "ambush", seed)
    clock.advance((KEEP - 1) * DAY)
    before = await told()
    await pruned(forgetful, clock)
    assert all(match.is_pruned for match in await forgetful.archive.recent(ANN.user_id))
    assert await told() == before
