"""How the store finds what it is asked for: by an index, however much there is, with and without ANALYZE."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, text

import db
from db import OF_MATCH, Connection, Database, features
from db.appointments import kept as appointments
from db.lessons import kept as lessons
from db.lessons.kept import LessonsRow
from db.matches import applications, deadlines, gaps, log_lines, messages, numbers, outbox, queries, retention
from db.matches.outbox import News
from db.model import schema
from db.model.enums import AWAITED, WATCHED, Dm, Due, Kind, Pace, Vote
from db.model.ids import MatchId, Ply, SeatNumber, UserId
from db.model.rows import Application, Ballot, DeadlineRow, GapRow, Ladder, ResultRow
from db.model.setting_rows import GuildSettings, PlayerSettings
from db.orders import kept as orders
from db.orders.kept import Order, OrderKind
from db.people import bars, dms, lists, own, people, settings
from db.pledges import kept as pledges
from db.pledges.rows import CallMeRow, PledgeRow
from db.puzzles import kept as puzzles
from db.puzzles.rows import AttemptRow, CaseRow, PuzzlePostRow, ReportRow, SolverRow
from db.ratings import kept as ladders
from db.ratings.kept import OfPair, PairRow, RatingRow
from db.results import keyed
from db.review import kept as reviews
from db.review.kept import ReviewRow
from db.store import leases, meta
from db.store.leases import Lease, Shards
from db.store.transactions import at_length_only
from tests.store import carry_out, copied, fresh, of_sqlite

pytestmark = of_sqlite

LARGE = (
    *("matches", "seats", "log", "outbox", "deadlines", "allowances", "kept_away", "lessons"),
    *("puzzle_attempts", "puzzle_solvers", "puzzle_reports", "puzzle_posts", "guild_settings"),
    *("player_tallies", "guild_tallies", "guild_player_tallies"),
    *("rating_keys", "rated_results", "ratings", "rating_points", "rating_pairs"),
)
"""Tables with a row or more for every match, person or server."""

ALIASES = (
    "another",
    "all_seats",
    "winners",
    "scorers",
    "forgotten_before",
    "won_all",
    "won_equals",
    "best_all",
    "best_equals",
    "theirs",
)
OVER, OPEN = 20_000, 2_000
NOW = datetime(2030, 1, 1, tzinfo=UTC)
LEASE = Lease("bot", NOW)
LATER = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=OVER // 2)
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
APPOINTED, APPOINTED_LATER = (
    {"appointments": appointments.Appointment(appointed=when)} for when in (LATER, LATER + MINUTE)
)
USER, MATCH, GUILD, PLACE, NEW = UserId(17), MatchId(21_000), 3, 21_000, 1_000_000
PAIR, TWO, THREE = (USER, UserId(18)), (MATCH, MatchId(21_001)), [MatchId(1), MatchId(2), MatchId(3)]
STATUSES = ("lobby", "running")
SHARDS = Shards(2, (0,))
LADDER = Ladder(GUILD, "abissal", 1, False)
KEY = "0000000000000017"
PLEDGE = PledgeRow(name="Ann", channel_id=PLACE, fewest=2, most=2, pace=Pace.DAY, since=NOW, until=NOW)
ORDER = Order(SeatNumber(0), 1, USER, OrderKind.NEXT, None, "adv C1", (), (), "", Ply(5), NOW)
DUE = DeadlineRow(MATCH, Due.OVERDUE, Ply(1), NOW, 0)

SAMPLES: dict[str, Any] = {
    "after": 20,
    "at_most": 1,
    "ballot": Ballot(USER, Vote.CANCEL),
    "channel_id": PLACE,
    "due": NOW,
    "game": "gambo",
    "guild_id": GUILD,
    "interaction_id": 1,
    "key": KEY,
    "kind": Due.OVERDUE,
    "ladder": LADDER,
    "match_id": MATCH,
    "match_ids": TWO,
    "name": "a",
    "now": NOW,
    "order": ORDER,
    "people": PAIR,
    "position": 0,
    "puzzle": "one",
    "row_id": 1,
    "shard": gaps.Shard(2, 0),
    "since": NOW - MINUTE,
    "statuses": STATUSES,
    "until": NOW,
    "user_id": USER,
}
"""Arguments that fit the filled store below, by the names of parameters."""

# Ways to ask what those arguments don't fit, or don't ask in all ways.
QUESTIONS: dict[Callable[..., Any], list[Callable[[Connection], Any]]] = {
    applications.put: [lambda c: applications.put(c, MATCH, Application(USER, "Ann", SeatNumber(0), (), NOW))],
    deadlines.claim: [
        lambda c: deadlines.claim(c, deadlines.Wanted(NOW, [Due.OVERDUE, Due.REMIND]), MINUTE, 20, "host"),
        lambda c: deadlines.claim(c, deadlines.Wanted(NOW, [Due.OVERDUE], SHARDS), MINUTE, 20, "host"),
        lambda c: deadlines.claim(c, deadlines.Wanted(NOW, [Due.OVERDUE], SHARDS, [GUILD]), MINUTE, 20, "host"),
    ],
    deadlines.any_due: [
        lambda c: deadlines.any_due(c, deadlines.Wanted(NOW, [Due.OVERDUE])),
        lambda c: deadlines.any_due(c, deadlines.Wanted(NOW, [Due.OVERDUE], SHARDS, [GUILD])),
    ],
    deadlines.retry_at: [lambda c: deadlines.retry_at(c, DUE, NOW)],
    deadlines.release_all: [lambda c: deadlines.release_all(c, "host")],
    deadlines.replace: [
        lambda c: deadlines.replace(c, MATCH, GUILD, Ply(1), {Due.OVERDUE: NOW}, [Due.OVERDUE, Due.REMIND])
    ],
    deadlines.shift: [lambda c: deadlines.shift(c, MATCH, [Due.OVERDUE], MINUTE)],
    dms.note_opening: [lambda c: dms.note_opening(c, NOW, asked=True)],
    dms.set_pause: [lambda c: dms.set_pause(c, NOW, MINUTE)],
    dms.correct_skew: [lambda c: _set_right(c)],
    dms.standing: [lambda c: dms.standing(c, NOW, lock=True)],
    gaps.note: [lambda c: gaps.note(c, 2, [0], {GUILD: NOW}, NOW)],
    gaps.arrive: [lambda c: gaps.arrive(c, gaps.Shard(2, 0), gaps.Arrival(NOW, replayed=False), NOW)],
    gaps.next_matches: [lambda c: gaps.next_matches(c, GapRow(1, 2, 0, None, NOW - MINUTE, NOW), 20)],
    gaps.of_server: [lambda c: gaps.of_server(c, GUILD, NOW)],
    leases.leased: [
        lambda c: leases.leased(c, schema.outbox, "host"),
        lambda c: leases.leased(c, schema.deadlines, "host"),
    ],
    leases.release: [
        lambda c: leases.release(c, schema.outbox, [(1,), (2,)], LEASE),
        lambda c: leases.release(c, schema.deadlines, [(MATCH, "overdue"), (MATCH + 1, "remind")], LEASE),
    ],
    leases.renew: [
        lambda c: leases.renew(c, schema.outbox, [(1,), (2,)], LEASE),
        lambda c: leases.renew(c, schema.deadlines, [(MATCH, "overdue"), (MATCH + 1, "remind")], LEASE),
    ],
    queries.end_seats: [lambda c: queries.end_seats(c, MATCH, NOW)],
    queries.ended_in_guild: [
        lambda c: queries.ended_in_guild(c, GUILD, "over", 15),
        lambda c: queries.ended_in_guild(c, GUILD, "over", 15, (LATER, MatchId(OVER))),
    ],
    queries.ended_of: [lambda c: queries.ended_of(c, USER, "over", 15)],
    log_lines.insert_lines: [
        lambda c: log_lines.insert_lines(
            c, [{"match_id": MATCH, "ply": 99, "player": 0, "action": "x", "at": NOW, "interaction_id": 1}]
        )
    ],
    queries.insert_match: [lambda c: _insert_match(c)],
    queries.insert_seat: [lambda c: queries.insert_seat(c, MATCH, position=5, name="Ann")],
    queries.count_private: [lambda c: queries.count_private(c, USER)],
    lessons.get: [lambda c: lessons.get(c, USER, "ambush"), lambda c: lessons.get(c, USER, "ambush", lock=True)],
    lessons.put: [lambda c: lessons.put(c, USER, "ambush", LessonsRow(lesson="capture", answers=("MB3",), turn=1))],
    lists.put: [lambda c: lists.put(c, *PAIR)],
    lists.remove: [lambda c: lists.remove(c, *PAIR)],
    features.show: [
        partial(features.show, match_id=MatchId(1), before=before, after=after)
        for before, after in ((APPOINTED, {}), ({}, APPOINTED), (APPOINTED, APPOINTED_LATER))
    ],
    queries.without_deadline: [lambda c: queries.without_deadline(c, 0, 20)],
    queries.open_with: [partial(queries.open_with, kept=each.table, after=0, limit=20) for each in OF_MATCH],
    queries.lobby_times: [
        lambda c: queries.lobby_times(c, PAIR, GUILD, MatchId(1)),
        lambda c: queries.lobby_times(c, [USER], None, MatchId(1)),
    ],
    appointments.of_event: [lambda c: appointments.of_event(c, GUILD, 5)],
    appointments.change: [lambda c: appointments.change(c, MATCH, mirrored=False)],
    queries.lobbies_with: [
        lambda c: queries.lobbies_with(c, USER, GUILD),
        lambda c: queries.lobbies_with(c, USER, bars.EVERYWHERE),
    ],
    queries.count_without_people: [
        lambda c: queries.count_without_people(c, USER, GUILD),
        lambda c: queries.count_without_people(c, USER, None),
    ],
    log_lines.lines: [lambda c: log_lines.lines(c, MATCH, 2)],
    queries.matches_shown_in: [
        lambda c: queries.matches_shown_in(c, PLACE, STATUSES),
        lambda c: queries.matches_shown_in(c, PLACE, STATUSES, 50),
    ],
    messages.note: [lambda c: messages.note(c, MATCH, board_ply=1)],
    messages.note_hand: [lambda c: messages.note_hand(c, MATCH, 0, 1)],
    queries.open_of: [lambda c: queries.open_of(c, USER, STATUSES, 1000)],
    queries.table: [lambda c: queries.table(c, MATCH), lambda c: queries.table(c, MATCH, lock=True)],
    log_lines.was_ordered: [lambda c: log_lines.was_ordered(c, MATCH, Ply(2))],
    queries.update_match: [lambda c: queries.update_match(c, MATCH, ply=3)],
    queries.update_seat: [lambda c: queries.update_seat(c, MATCH, 0, name="Bob")],
    meta.get: [lambda c: meta.get(c, "commands")],
    meta.beginning_with: [lambda c: meta.beginning_with(c, "process ")],
    meta.remove: [lambda c: meta.remove(c, "commands")],
    meta.put: [lambda c: meta.put(c, "commands", "1")],
    meta.swap: [lambda c: meta.swap(c, "commands", "1", "2")],
    numbers.continue_after: [lambda c: numbers.continue_after(c, {"matches": NEW})],
    outbox.claim: [
        lambda c: outbox.claim(c, NOW, MINUTE, 20, "host"),
        lambda c: outbox.claim(c, NOW, MINUTE, 20, "host", match_id=MATCH),
        lambda c: outbox.claim(c, NOW, MINUTE, 20, "host", shards=SHARDS),
        lambda c: outbox.claim(c, NOW, MINUTE, 20, "host", match_id=MATCH, shards=SHARDS),
        lambda c: outbox.claim(c, NOW, MINUTE, 20, "host", kinds=WATCHED),
        lambda c: outbox.claim(c, NOW, MINUTE, 20, "host", shards=SHARDS, kinds=AWAITED),
    ],
    outbox.drop: [
        lambda c: outbox.drop(c, MATCH, [Kind.BOARD]),
        lambda c: outbox.drop(c, MATCH, [Kind.BOARD], seat=SeatNumber(1), ply=Ply(1), user_id=USER),
    ],
    outbox.hold: [lambda c: outbox.hold(c, MATCH, True, NOW), lambda c: outbox.hold(c, MATCH, False, NOW)],
    outbox.hasten: [lambda c: outbox.hasten(c, MATCH, NOW, MINUTE)],
    outbox.is_waiting: [lambda c: outbox.is_waiting(c, MATCH, Kind.EVENT)],
    outbox.waiting: [lambda c: outbox.waiting(c, MATCH, (Kind.BOARD, Kind.END))],
    outbox.is_leased_by_others: [lambda c: outbox.is_leased_by_others(c, MATCH, NOW, "name")],
    outbox.put: [
        lambda c: outbox.put(c, MATCH, GUILD, Ply(1), [News(Kind.BOARD)], NOW, lease=Lease("host", NOW)),
        lambda c: outbox.put(c, None, GUILD, Ply(0), [News(Kind.BOARD)], NOW),
    ],
    outbox.release_all: [lambda c: outbox.release_all(c, "host", NOW)],
    own.matches: [lambda c: own.matches(c, USER, THREE)],
    own.lines: [lambda c: own.lines(c, USER, THREE)],
    own.answers: [lambda c: own.answers(c, USER, THREE)],
    ladders.own_results: [lambda c: ladders.own_results(c, GUILD, KEY, 20, 15)],
    people.erase: [lambda c: _erase(c)],
    people.matches_inviting: [lambda c: people.matches_inviting(c, USER, "lobby")],
    people.matches_with: [lambda c: people.matches_with(c, USER), lambda c: people.matches_with(c, USER, ended=False)],
    pledges.busy: [lambda c: pledges.busy(c, [USER])],
    pledges.put_call_wish: [lambda c: pledges.put_call_wish(c, GUILD, USER, "gambo", CallMeRow(PLACE))],
    pledges.change: [lambda c: pledges.change(c, GUILD, USER, "gambo", by_mention=True)],
    pledges.change_gathering: [lambda c: pledges.change_gathering(c, 1, rounds=2)],
    pledges.due: [
        lambda c: pledges.due(c, NOW, NOW + MINUTE, 5),
        lambda c: pledges.due(c, NOW, NOW + MINUTE, 5, Shards(2, (0,), strictly=True), [GUILD]),
    ],
    pledges.end_gathering: [lambda c: pledges.end_gathering(c, 1)],
    settings.forget_channel: [lambda c: settings.forget_channel(c, GUILD, PLACE)],
    pledges.free: [lambda c: pledges.free(c, GUILD, USER, "gambo", rests_until=NOW)],
    pledges.gathering: [lambda c: pledges.gathering(c, 1)],
    pledges.note_counts: [lambda c: pledges.note_counts(c, GUILD, NOW, ())],
    pledges.of_gathering: [lambda c: pledges.of_gathering(c, 1)],
    pledges.of_people: [lambda c: pledges.of_people(c, GUILD, [USER])],
    pledges.open_gathering: [
        lambda c: pledges.open_gathering(c, GUILD, game="gambo", pace=Pace.DAY, size=2, until=NOW, rounds=1)
    ],
    pledges.page: [lambda c: pledges.page(c, GUILD, (USER, "gambo"), 100)],
    pledges.put: [lambda c: pledges.put(c, GUILD, USER, "gambo", PLEDGE)],
    pledges.fulfil: [lambda c: pledges.fulfil(c, GUILD, "gambo", [USER])],
    pledges.restore: [lambda c: pledges.restore(c, GUILD, "gambo", [USER])],
    keyed.answers_of: [lambda c: keyed.answers_of(c, KEY, LONG_AGO)],
    keyed.add_result: [lambda c: keyed.add_result(c, LADDER, ResultRow(MatchId(NEW), NOW, ()))],
    keyed.busiest_game: [lambda c: keyed.busiest_game(c, GUILD, 1)],
    ladders.count_listed: [
        lambda c: ladders.count_listed(c, LADDER, 5),
        lambda c: ladders.count_listed(c, LADDER, 5, 1500.0),
        lambda c: ladders.count_listed(c, LADDER, 1, below=5),
    ],
    keyed.count_results: [lambda c: keyed.count_results(c, LADDER, MATCH)],
    ladders.encounters: [lambda c: ladders.encounters(c, GUILD, KEY, "0000000000000018")],
    keyed.add_keys: [lambda c: keyed.add_keys(c, GUILD, MATCH, {0: (USER, "Ann")})],
    ladders.listed: [
        lambda c: ladders.listed(c, LADDER, 5, 15, 15),
        lambda c: ladders.listed(c, LADDER, 1, 15, 15, below=5),
    ],
    ladders.set_cache_state: [lambda c: ladders.set_cache_state(c, LADDER, 1, 1)],
    ladders.pairs_of: [lambda c: ladders.pairs_of(c, LADDER, [KEY, "0000000000000018"])],
    keyed.people_of: [lambda c: keyed.people_of(c, GUILD), lambda c: keyed.people_of(c, GUILD, [KEY])],
    ladders.points_of_result: [lambda c: ladders.points_of_result(c, GUILD, 7)],
    ladders.put_pairs: [lambda c: ladders.put_pairs(c, LADDER, {OfPair(KEY, "x"): PairRow(700000, 1)})],
    ladders.put_points: [lambda c: ladders.put_points(c, LADDER, [(NEW, KEY, 1.0, 1.0, 0.0, 1)])],
    ladders.put_ratings: [lambda c: ladders.put_ratings(c, LADDER, {KEY: RatingRow(1.0, 1.0, 1, 0, 0.0, 1)})],
    ladders.ratings_of: [lambda c: ladders.ratings_of(c, LADDER, [KEY])],
    keyed.count_finished: [lambda c: keyed.count_finished(c, KEY), lambda c: keyed.count_finished(c, KEY, NOW)],
    keyed.result_of: [lambda c: keyed.result_of(c, MatchId(1))],
    keyed.results_of: [lambda c: keyed.results_of(c, LADDER), lambda c: keyed.results_of(c, LADDER, 7)],
    keyed.results_page: [lambda c: keyed.results_page(c, GUILD, 20, 15)],
    puzzles.put_attempt: [lambda c: puzzles.put_attempt(c, USER, "one", AttemptRow(at=NOW))],
    puzzles.solved: [lambda c: puzzles.solved(c, USER, ["one", "two"])],
    puzzles.solver: [lambda c: puzzles.solver(c, USER, 3)],
    puzzles.put_solver: [lambda c: puzzles.put_solver(c, USER, 3, SolverRow())],
    puzzles.latest_solved: [lambda c: puzzles.latest_solved(c, USER, 3)],
    puzzles.tally: [lambda c: puzzles.tally(c, 3), lambda c: puzzles.tally(c, 3, GUILD)],
    puzzles.quickest: [lambda c: puzzles.quickest(c, 3, GUILD, 100)],
    puzzles.streaks: [lambda c: puzzles.streaks(c, GUILD, 3, 10)],
    puzzles.marks: [lambda c: puzzles.marks(c, "one", ("",), 100)],
    puzzles.withdrawn_since: [lambda c: puzzles.withdrawn_since(c, NOW)],
    puzzles.report: [lambda c: puzzles.report(c, USER, "one", ReportRow(GUILD, True, NOW))],
    puzzles.put_case: [lambda c: puzzles.put_case(c, "one", CaseRow(NOW))],
    puzzles.cases: [lambda c: puzzles.cases(c, 5)],
    puzzles.due: [lambda c: puzzles.due(c, NOW, NOW + MINUTE, 5)],
    puzzles.put_post: [lambda c: puzzles.put_post(c, GUILD, 3, PuzzlePostRow(PLACE))],
    puzzles.note_post: [lambda c: puzzles.note_post(c, GUILD, 3, PuzzlePostRow(PLACE, 5))],
    puzzles.remove_posts: [lambda c: puzzles.remove_posts(c, GUILD, 3)],
    puzzles.set_channel: [
        lambda c: puzzles.set_channel(c, GUILD, PLACE),
        lambda c: puzzles.set_channel(c, GUILD, None),
    ],
    orders.store: [lambda c: orders.store(c, MATCH, (ORDER,), (ORDER._replace(mine="adv C2"),))],
    reviews.ahead: [lambda c: reviews.ahead(c, ReviewRow(1, {}, USER, NOW), MatchId(1))],
    reviews.next_turn: [lambda c: reviews.next_turn(c, MatchId(1))],
    reviews.begin: [lambda c: reviews.begin(c, MatchId(1), ReviewRow(1, {}, USER, NOW))],
    reviews.forget: [lambda c: reviews.forget(c, USER)],
    reviews.finish: [lambda c: reviews.finish(c, MatchId(1), {}, NOW)],
    reviews.get: [lambda c: reviews.get(c, MatchId(1)), lambda c: reviews.get(c, MatchId(1), lock=True)],
    reviews.grow: [lambda c: reviews.grow(c, MatchId(1), {})],
    reviews.lease: [lambda c: reviews.lease(c, MatchId(1), Lease("name", NOW), NOW)],
    reviews.remove: [lambda c: reviews.remove(c, MatchId(1))],
    reviews.unfinished: [lambda c: reviews.unfinished(c, NOW, "name", 1)],
    retention.forget_presses: [lambda c: retention.forget_presses(c, NOW, 500)],
    retention.has_prunable: [lambda c: retention.has_prunable(c, NOW)],
    retention.prunable: [lambda c: retention.prunable(c, NOW, 5)],
    retention.prune: [lambda c: retention.prune(c, [(MatchId(1), "0" * 64)])],
    retention.has_old_presses: [lambda c: retention.has_old_presses(c, NOW)],
    settings.known: [lambda c: settings.known(c, PAIR)],
    settings.note: [lambda c: settings.note(c, USER, dm=Dm.OPEN)],
    settings.set_guild_settings: [lambda c: settings.set_guild_settings(c, GUILD, GuildSettings())],
    settings.set_player_settings: [lambda c: settings.set_player_settings(c, USER, PlayerSettings())],
}


def _set_right(connection: Connection) -> None:
    dms.set_pause(connection, NOW + 3 * MINUTE, MINUTE)
    dms.correct_skew(connection, NOW, dms.standing(connection, NOW))


def _erase(connection: Connection) -> None:
    people.begin_forgetting(connection, USER)
    people.erase(connection, USER, 100)


def _insert_match(connection: Connection) -> None:
    row = connection.execute(text("SELECT * FROM matches WHERE id = 1")).one()._asdict()
    known = {name: row[name] for name in ("game", "rules_version", "status", "host_id", "channel_id", "seed")}
    rest = {"options": {}, "commitment": "", "pace": "day", "where": "channel", "invited": [], "created_at": NOW}
    queries.insert_match(connection, **known, **rest)


def questions() -> set[Callable[..., Any]]:
    """Every public function of the package that takes a connection, except migrations."""
    found = set()
    for module in pkgutil.walk_packages(db.__path__, "db."):
        if module.ispkg or module.name.startswith("db.migrations"):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            own = inspect.isfunction(value) and value.__module__ == module.name and name[0] != "_"
            # A function that runs the `work` of its caller has no query of its own.
            own = own and value is not at_length_only
            if own and {"connection", "work"} & {*inspect.signature(value).parameters} == {"connection"}:
                found.add(value)
    return found


def usual(question: Callable[..., Any]) -> Callable[[Connection], Any]:
    """Ask with `SAMPLES` for all that has no default. Raises KeyError where there's none for a parameter."""
    _, *parameters = inspect.signature(question).parameters.values()
    more = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    needed = (each.name for each in parameters if each.default is each.empty and each.kind not in more)
    return partial(question, **{name: SAMPLES[name] for name in needed})


FILLING = (
    f"""WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {OVER + OPEN})
    INSERT INTO matches (id, game, options, rules_version, status, host_id, guild_id, channel_id, thread_id, seed,
        commitment, pace, setting, invited, created_at, ended_at, counts)
    SELECT i, CASE i % 3 WHEN 0 THEN 'ambush' ELSE 'abissal' END, '{{}}', 1,
        CASE WHEN i <= {OVER} THEN 'over' WHEN i % 9 THEN 'running' ELSE 'lobby' END, i % 500 + 1, i % 20,
        i % 1000, CASE WHEN i % 2 THEN i END, x'00', '', 'day', 'channel', '[]', i,
        CASE WHEN i <= {OVER} THEN i + 100 END, i <= {OVER}
    FROM n""",
    """INSERT INTO seats (match_id, position, seat, user_id, key, name, won, points, ended_at)
    SELECT id, s, s, (id * (s + 1)) % 500 + 1, printf('%016d', (id * (s + 1)) % 500 + 1), 'P' || s,
        CASE WHEN ended_at IS NOT NULL THEN s = 0 END,
        CASE WHEN ended_at IS NOT NULL THEN s END, ended_at
    FROM matches, (SELECT 0 AS s UNION SELECT 1 UNION SELECT 2)
    WHERE s < 2 OR id % 500 <> (id * 3) % 500 ON CONFLICT DO NOTHING""",
    """INSERT INTO log (match_id, ply, player, action, at, interaction_id)
    SELECT id, p, 0, 'x', 1, id * 10 + p FROM matches, (SELECT 0 AS p UNION SELECT 1 UNION SELECT 2)""",
    """INSERT INTO lessons (user_id, game) SELECT DISTINCT host_id, game FROM matches""",
    """INSERT INTO kept_away SELECT DISTINCT host_id, (host_id * 7 + id) % 500 + 1 FROM matches""",
    """INSERT INTO allowances SELECT 'mark ' || id, 2000000000000000 + id FROM matches""",
    """INSERT INTO guild_tallies SELECT guild_id, game, 3, count(*) FROM matches
    WHERE counts AND guild_id IS NOT NULL GROUP BY 1, 2""",
    """INSERT INTO player_tallies SELECT user_id, 'ambush', 3, count(*), sum(won), max(points) FROM seats
    WHERE ended_at IS NOT NULL GROUP BY 1""",
    """INSERT INTO guild_player_tallies SELECT guild_id, 'ambush', 3, user_id, sum(won), max(points), 'x', 'x'
    FROM seats JOIN matches ON match_id = id WHERE counts AND guild_id IS NOT NULL GROUP BY 1, 4""",
    """INSERT INTO rating_keys SELECT DISTINCT guild_id, user_id, printf('%016d', user_id), 'x'
    FROM seats JOIN matches ON match_id = id WHERE counts""",
    """INSERT INTO rated_results SELECT guild_id, game, 1, 0, id, id, ended_at, '[]' FROM matches WHERE counts""",
    """INSERT INTO rating_points SELECT guild_id, game, 1, 0, match_id, printf('%016d', user_id), 1500.5, 90.5, 2.5, 1
    FROM seats JOIN matches ON match_id = id WHERE counts""",
    """INSERT INTO ratings SELECT guild_id, game, 1, 0, key, max(mu), 90.5, count(*), 1, 2.5, max(number), 1, 2.5, 2.5
    FROM rating_points GROUP BY 1, 2, 5""",
    """INSERT INTO rating_pairs SELECT DISTINCT one.guild_id, one.game, 1, 0, one.key, other.key, 700000, 1
    FROM rating_points one JOIN rating_points other ON one.guild_id = other.guild_id AND one.number = other.number
    WHERE one.key < other.key""",
    f"""INSERT INTO outbox (match_id, ply, kind, due, guild_id, user_id, leased_by, leased_until, held)
    SELECT id, 1, 'board', id, guild_id, host_id, CASE WHEN id % 50 = 0 THEN 'host' END,
        CASE WHEN id % 50 = 0 THEN 99 END, id % 2 FROM matches WHERE id > {OVER}""",
    f"""INSERT INTO outbox (ply, kind, due, guild_id) SELECT 0, 'board', id, id FROM matches WHERE id > {OVER}""",
    f"""INSERT INTO deadlines (match_id, kind, ply, due, guild_id, leased_by, leased_until)
    SELECT id, k, 1, 2000000000000000 + id, guild_id, CASE WHEN id % 50 = 0 THEN 'host' END,
        CASE WHEN id % 50 = 0 THEN 99 END
    FROM matches, (SELECT 'overdue' AS k UNION SELECT 'remind') WHERE id > {OVER}""",
)


BUSY = (
    f"""UPDATE matches SET guild_id = CASE WHEN id % 2 THEN {GUILD} ELSE id END WHERE ended_at IS NULL""",
    """UPDATE matches SET status = 'lobby' WHERE ended_at IS NULL AND id % 2 = 0""",
    """INSERT INTO appointments (match_id, appointed, event_id) SELECT id, 0, id FROM matches WHERE id % 2 = 0""",
    *(
        f"""UPDATE OR IGNORE seats SET user_id = {USER + n}, key = printf('%016d', {USER + n}) WHERE position = {n}
        AND match_id IN (SELECT id FROM matches WHERE guild_id = {GUILD} AND ended_at IS NOT NULL)"""
        for n in (0, 1)
    ),
    *(
        f"""INSERT INTO rating_points SELECT {GUILD}, game, 1, 0, id, printf('%016d', {USER + n}), 1, 1, 1, 1
        FROM matches WHERE counts AND guild_id = {GUILD} ON CONFLICT DO NOTHING"""
        for n in (0, 1)
    ),
    f"""INSERT INTO rating_keys SELECT {GUILD}, 10000 + id, printf('%016d', 10000 + id), 'x' FROM matches
    WHERE id <= 1000""",
    f"""INSERT INTO ratings SELECT {GUILD}, 'abissal', 1, 0, printf('%016d', 10000 + id), 1500.5, 90.5, 5, 1, 2.5, 1,
    1, 2.5, 2.5
    FROM matches WHERE id <= 1000""",
)
"""One server is large, two people play all of its matches, and very many servers have open ones."""

A_PAGE = 5000
"""Steps of SQLite's virtual machine: a query that reads some hundred rows takes about this many."""


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with many finished matches and some open ones."""

    def work(connection: Connection) -> None:
        for statement in FILLING:
            connection.execute(text(statement))

    path = tmp_path_factory.mktemp("large") / "ambit.db"
    fresh(path)
    carry_out(path, work)
    return path


def analyse(connection: Connection) -> None:
    connection.execute(text("ANALYZE"))


@pytest.fixture(scope="module", params=[False, True], ids=["not analysed", "analysed"])
def filled(request: pytest.FixtureRequest, full: Path) -> Path:
    """That file, or a copy that SQLite has analysed."""
    if not request.param:
        return full
    path = full.with_name("analysed.db")
    copied(full, path)
    carry_out(path, analyse)
    return path


@pytest.fixture
async def large(filled: Path, path: Path) -> AsyncIterator[Database]:
    """A store of its own for every test, with many finished matches and some open ones."""
    async with await Database.open(copied(filled, path)) as database:
        yield database


class Undone(Exception):
    """Rolls a transaction back."""


def undone(connection: Connection, way: Callable[[Connection], Any]) -> None:
    way(connection)
    raise Undone


@contextmanager
def asked() -> Iterator[list[tuple[str, Any]]]:
    """The statements made meanwhile, each with the parameters of one run."""
    found: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, many: bool) -> None:
        if statement.startswith(("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")):
            found.append((statement, parameters[0] if many else parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def plan(connection: Connection, statement: str, parameters: Any) -> list[str]:
    """SQLite's plan for the statement."""
    rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
    return [row[3] for row in rows]


def walks_through(steps: list[str]) -> list[str]:
    """The steps that scan a large table, or one of its indexes.

    A step that builds an index for itself does, too.
    """
    large_one = re.compile(rf"SCAN ({'|'.join((*LARGE, *ALIASES))})\b|USING AUTOMATIC")
    return [step for step in steps if large_one.search(step)]


ASKED = {question: QUESTIONS.get(question) or [usual(question)] for question in questions()}
"""Every query of the store, with all ways in which it's asked."""


def test_every_way_is_one_to_ask_a_question_of_the_package() -> None:
    assert QUESTIONS.keys() <= ASKED.keys()


async def test_no_question_walks_through_a_large_table(large: Database) -> None:
    walks = []
    for question, ways in ASKED.items():
        for way in ways:
            with suppress(Undone), asked() as made:
                await large.write(undone, way)
            assert made, question
            for statement, parameters in made:
                for step in walks_through(await large.read(plan, statement, parameters)):
                    walks.append(f"{question.__module__}.{question.__name__}: {step}\n    {statement}")
    assert not walks, "\n".join(walks)


@pytest.mark.parametrize("question", [queries.ended_of, queries.ended_in_guild])
async def test_the_latest_that_are_over_are_found_without_sorting_all(
    large: Database, question: Callable[..., Any]
) -> None:
    def work(connection: Connection) -> None:
        for way in ASKED[question]:
            with asked() as made:
                assert way(connection)
            ((statement, parameters),) = made
            steps = plan(connection, statement, parameters)
            assert not [step for step in steps if "ORDER BY" in step]
            # The index finds matches that ended before another one, instead of skipping all that ended later.
            assert "< (?, ?)" not in statement or any("ended_at<?" in step for step in steps)

    await large.read(work)


# FOUND P2
async def test_a_question_that_reads_more_than_a_page_is_not_asked_where_people_who_play_wait(large: Database) -> None:
    """Such a query begins with `at_length_only`. Writes are different: they run in short steps."""

    def fill(connection: Connection) -> None:
        for statement in BUSY:
            connection.execute(text(statement))

    def measure(connection: Connection, way: Callable[[Connection], Any], taken: list[int]) -> None:
        driver: Any = connection.connection.driver_connection
        driver.set_progress_handler(lambda: taken.append(1), 100)
        try:
            undone(connection, way)
        finally:
            driver.set_progress_handler(None, 100)

    await large.write(fill)
    long, refused = set(), set()
    for question, ways in ASKED.items():
        for number, way in enumerate(ways):
            taken: list[int] = []
            with suppress(Undone), asked() as made:
                await large.write(measure, way, taken)
            if all(statement.startswith(("SELECT", "WITH")) for statement, _ in made):
                called = f"{question.__module__}.{question.__name__}, asked in way {number}"
                if 100 * len(taken) > A_PAGE:
                    long.add(called)
                try:
                    await large.read(way)
                except RuntimeError:
                    refused.add(called)
                    await large.at_length(way, writes=False)
    assert long - refused == set(), "these read more than a page, and may hold up who plays"
    assert len(long) > 12
    # It may refuse too much rather than too little, but not everything.
    assert len(refused - long) < 5, refused - long


async def test_a_walk_through_a_large_table_is_noticed(large: Database) -> None:
    def work(connection: Connection) -> None:
        for table, column in (("matches", "reason"), ("seats", "name"), ("outbox", "kind")):
            assert walks_through(plan(connection, f"SELECT * FROM {table} WHERE {column} = ?", ("x",)))

    await large.read(work)
