"""How the store looks for what it is asked: by an index, however much there is, whether or not it has been analysed."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, event, text

import db
from db import (
    Connection,
    Database,
    allowances,
    applications,
    bars,
    deadlines,
    dms,
    lessons,
    lists,
    matches,
    meta,
    numbers,
    outbox,
    own,
    people,
    presses,
    ratings,
    retention,
    settings,
)
from db import results as statistics
from db.ids import MatchId
from db.leases import Lease, Shards
from db.outbox import News
from db.rows import (
    Application,
    Ballot,
    DeadlineRow,
    GuildSettings,
    Ladder,
    LessonsRow,
    OfPair,
    PairRow,
    PlayerSettings,
    RatingRow,
    ResultRow,
)
from db.transactions import at_length_only
from db.words import Vote
from tests.store import of_sqlite

pytestmark = of_sqlite

LARGE = (
    *("matches", "seats", "log", "outbox", "deadlines", "allowances", "kept_away", "lessons"),
    *("player_tallies", "guild_tallies", "guild_player_tallies"),
    *("rating_keys", "rated_results", "ratings", "rating_points", "rating_pairs"),
)
"""Tables of which there is a row or more for every match, person or server."""

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
USER, GUILD, PLACE, MATCH, NEW = 17, 3, 21_000, 21_000, 1_000_000
STATUSES = ("lobby", "running")
SHARDS = Shards(2, (0,))
LADDER = Ladder(GUILD, "abissal", 1, False)
KEY = "0000000000000017"
DUE = DeadlineRow(MATCH, "overdue", 1, NOW, 0)

# Everything that the store can be asked, each with what is asked of this one.
QUESTIONS: dict[Callable[..., Any], list[Callable[[Connection], Any]]] = {
    allowances.has_lapsed: [lambda c: allowances.has_lapsed(c, NOW)],
    allowances.is_used_until: [lambda c: allowances.is_used_until(c, "a")],
    allowances.lapse: [lambda c: allowances.lapse(c, NOW)],
    allowances.use: [lambda c: allowances.use(c, "a", NOW)],
    allowances.used_until: [lambda c: allowances.used_until(c, "a", NOW)],
    applications.agree: [lambda c: applications.agree(c, MATCH, USER, [1])],
    applications.of_matches: [lambda c: applications.of_matches(c, [1, 2])],
    applications.put: [lambda c: applications.put(c, MATCH, Application(USER, "Ann", 0, (), NOW))],
    applications.remove: [
        lambda c: applications.remove(c, MATCH),
        lambda c: applications.remove(c, MATCH, user_id=USER),
    ],
    bars.among: [lambda c: bars.among(c, GUILD, [USER, USER + 1])],
    bars.lapse: [lambda c: bars.lapse(c, GUILD, NOW)],
    bars.of_guild: [lambda c: bars.of_guild(c, GUILD)],
    bars.put: [lambda c: bars.put(c, GUILD, USER, NOW)],
    bars.remove: [lambda c: bars.remove(c, GUILD, USER)],
    deadlines.claim: [
        lambda c: deadlines.claim(c, NOW, MINUTE, 20, "host", ["overdue", "remind"]),
        lambda c: deadlines.claim(c, NOW, MINUTE, 20, "host", ["overdue"], SHARDS),
    ],
    deadlines.due: [lambda c: deadlines.due(c, NOW, ["overdue"])],
    deadlines.free: [lambda c: deadlines.free(c, [(MATCH, "overdue"), (MATCH + 1, "remind")], LEASE)],
    deadlines.get: [lambda c: deadlines.get(c, MATCH, "overdue")],
    deadlines.leased: [lambda c: deadlines.leased(c, "host")],
    deadlines.postpone: [lambda c: deadlines.postpone(c, DUE, NOW)],
    deadlines.release: [lambda c: deadlines.release(c, "host")],
    deadlines.remove: [lambda c: deadlines.remove(c, MATCH, "overdue")],
    deadlines.renew: [lambda c: deadlines.renew(c, [(MATCH, "overdue"), (MATCH + 1, "remind")], LEASE)],
    deadlines.replace: [lambda c: deadlines.replace(c, MATCH, GUILD, 1, {"overdue": NOW}, ["overdue", "remind"])],
    deadlines.shift: [lambda c: deadlines.shift(c, MATCH, ["overdue"], MINUTE)],
    dms.end_pause: [lambda c: dms.end_pause(c, NOW)],
    dms.note_opening: [lambda c: dms.note_opening(c, NOW, asked=True)],
    dms.set_pause: [lambda c: dms.set_pause(c, NOW, MINUTE)],
    dms.set_right: [lambda c: _set_right(c)],
    dms.standing: [lambda c: dms.standing(c, NOW, lock=True)],
    matches.ballots: [lambda c: matches.ballots(c, [1, 2])],
    matches.cast: [lambda c: matches.cast(c, MATCH, "cancel", Ballot(USER, Vote.CANCEL))],
    matches.delete_match: [lambda c: matches.delete_match(c, MATCH)],
    matches.delete_seat: [lambda c: matches.delete_seat(c, MATCH, 0)],
    matches.end_seats: [lambda c: matches.end_seats(c, MATCH, NOW)],
    matches.ended_in_guild: [
        lambda c: matches.ended_in_guild(c, GUILD, "over", 15),
        lambda c: matches.ended_in_guild(c, GUILD, "over", 15, (LATER, MatchId(OVER))),
    ],
    matches.ended_of: [lambda c: matches.ended_of(c, USER, "over", 15)],
    matches.guilds_with: [lambda c: matches.guilds_with(c, STATUSES)],
    matches.insert_lines: [
        lambda c: matches.insert_lines(
            c, [{"match_id": MATCH, "ply": 99, "player": 0, "action": "x", "at": NOW, "interaction_id": 1}]
        )
    ],
    matches.insert_match: [lambda c: _insert_match(c)],
    matches.insert_seat: [lambda c: matches.insert_seat(c, MATCH, position=5, name="Ann")],
    matches.interaction_known: [lambda c: matches.interaction_known(c, 1)],
    lessons.get: [lambda c: lessons.get(c, USER, "ambush"), lambda c: lessons.get(c, USER, "ambush", lock=True)],
    lessons.of_person: [lambda c: lessons.of_person(c, USER)],
    lessons.put: [lambda c: lessons.put(c, USER, "ambush", LessonsRow(lesson="capture", answers=("MB3",), turn=1))],
    lists.among: [lambda c: lists.among(c, [USER, USER + 1, USER + 2])],
    lists.length: [lambda c: lists.length(c, USER)],
    lists.of_person: [lambda c: lists.of_person(c, USER)],
    lists.put: [lambda c: lists.put(c, USER, USER + 1)],
    lists.remove: [lambda c: lists.remove(c, USER, USER + 1)],
    matches.unattended: [lambda c: matches.unattended(c, 0, 20)],
    matches.is_first_of: [lambda c: matches.is_first_of(c, GUILD)],
    matches.waiting_of: [
        lambda c: matches.waiting_of(c, [USER, USER + 1], GUILD, but=MatchId(1)),
        lambda c: matches.waiting_of(c, [USER], None, but=MatchId(1)),
    ],
    matches.waiting_with: [lambda c: matches.waiting_with(c, USER, GUILD)],
    matches.watched: [lambda c: matches.watched(c, USER, GUILD), lambda c: matches.watched(c, USER, None)],
    matches.lines: [lambda c: matches.lines(c, MATCH, 2)],
    matches.lobbies_of_guild: [lambda c: matches.lobbies_of_guild(c, GUILD)],
    matches.match_ids: [lambda c: matches.match_ids(c, STATUSES)],
    matches.matches_at: [lambda c: matches.matches_at(c, PLACE, STATUSES)],
    matches.matches_in: [
        lambda c: matches.matches_in(c, PLACE, STATUSES),
        lambda c: matches.matches_in(c, PLACE, STATUSES, 50),
    ],
    matches.note_board: [lambda c: matches.note_board(c, MATCH, 1, 1)],
    matches.open_in_guild: [lambda c: matches.open_in_guild(c, GUILD, STATUSES)],
    matches.open_of: [lambda c: matches.open_of(c, USER, STATUSES, 1000)],
    matches.rematches: [lambda c: matches.rematches(c, MATCH, STATUSES)],
    matches.table: [lambda c: matches.table(c, MATCH), lambda c: matches.table(c, MATCH, lock=True)],
    matches.table_of_row: [lambda c: matches.table_of_row(c, MATCH, 1)],
    matches.tables: [lambda c: matches.tables(c, [MATCH, MATCH + 1])],
    matches.times: [lambda c: matches.times(c, MATCH)],
    matches.update_match: [lambda c: matches.update_match(c, MATCH, ply=3)],
    matches.withdraw: [lambda c: matches.withdraw(c, MATCH, "cancel", [USER])],
    matches.update_seat: [lambda c: matches.update_seat(c, MATCH, 0, name="Bob")],
    meta.restores: [meta.restores],
    meta.get: [lambda c: meta.get(c, "commands")],
    meta.secret: [meta.secret],
    meta.put: [lambda c: meta.put(c, "commands", "1")],
    numbers.given: [numbers.given],
    numbers.go_on: [lambda c: numbers.go_on(c, {"matches": NEW})],
    numbers.put_back: [numbers.put_back],
    outbox.claim: [
        lambda c: outbox.claim(c, NOW, MINUTE, 20, "host"),
        lambda c: outbox.claim(c, NOW, MINUTE, 20, "host", match_id=MATCH),
        lambda c: outbox.claim(c, NOW, MINUTE, 20, "host", shards=SHARDS),
        lambda c: outbox.claim(c, NOW, MINUTE, 20, "host", match_id=MATCH, shards=SHARDS),
        lambda c: outbox.claim(c, NOW, MINUTE, 20, "host", watched=True),
        lambda c: outbox.claim(c, NOW, MINUTE, 20, "host", shards=SHARDS, watched=False),
    ],
    outbox.drop: [
        lambda c: outbox.drop(c, MATCH, ["board"]),
        lambda c: outbox.drop(c, MATCH, ["board"], seat=1, ply=1, user_id=USER),
    ],
    outbox.due: [lambda c: outbox.due(c, NOW)],
    outbox.free: [lambda c: outbox.free(c, [1, 2], LEASE)],
    outbox.hold: [lambda c: outbox.hold(c, MATCH, True, NOW), lambda c: outbox.hold(c, MATCH, False, NOW)],
    outbox.is_in_other_hands: [lambda c: outbox.is_in_other_hands(c, MATCH, NOW, "name")],
    outbox.leased: [lambda c: outbox.leased(c, "host")],
    outbox.postpone: [lambda c: outbox.postpone(c, 1, NOW)],
    outbox.put: [lambda c: outbox.put(c, MATCH, GUILD, 1, [News("board")], NOW, lease=Lease("host", NOW))],
    outbox.release: [lambda c: outbox.release(c, "host", NOW)],
    outbox.renew: [lambda c: outbox.renew(c, [1, 2], LEASE)],
    outbox.told: [lambda c: outbox.told(c, 1)],
    own.about: [lambda c: own.about(c, USER)],
    own.matches: [lambda c: own.matches(c, USER, [1, 2, 3])],
    own.moves: [lambda c: own.moves(c, USER, [1, 2, 3])],
    own.ratings_of: [lambda c: own.ratings_of(c, USER)],
    own.results: [lambda c: own.results(c, own.Rated(GUILD, KEY), 20, 15)],
    people.begin_forgetting: [lambda c: people.begin_forgetting(c, USER)],
    people.being_forgotten: [lambda c: people.being_forgotten(c, 1)],
    people.erase: [lambda c: _erase(c)],
    people.has_left: [lambda c: people.has_left(c, USER)],
    people.inviting: [lambda c: people.inviting(c, USER, "lobby")],
    people.matches_with: [
        lambda c: people.matches_with(c, USER),
        lambda c: people.matches_with(c, USER, ended=False),
    ],
    people.note_left: [lambda c: people.note_left(c, USER)],
    people.uninvite: [lambda c: people.uninvite(c, MATCH, USER)],
    presses.forget: [lambda c: presses.forget(c, MATCH)],
    presses.match_of: [lambda c: presses.match_of(c, 1)],
    presses.note: [lambda c: presses.note(c, 1, MATCH)],
    ratings.all_ratings: [lambda c: ratings.all_ratings(c, LADDER)],
    ratings.answers_of: [lambda c: ratings.answers_of(c, KEY, LONG_AGO)],
    ratings.add_result: [lambda c: ratings.add_result(c, LADDER, ResultRow(MatchId(NEW), NOW, ()))],
    ratings.begin_season: [lambda c: ratings.begin_season(c, GUILD, NOW)],
    ratings.busiest: [lambda c: ratings.busiest(c, GUILD, 1)],
    ratings.computed: [lambda c: ratings.computed(c, LADDER)],
    ratings.count_listed: [
        lambda c: ratings.count_listed(c, LADDER, 5),
        lambda c: ratings.count_listed(c, LADDER, 5, 1500.0),
    ],
    ratings.count_results: [lambda c: ratings.count_results(c, LADDER, MATCH)],
    ratings.encounters: [lambda c: ratings.encounters(c, GUILD, KEY, "0000000000000018")],
    ratings.enter: [lambda c: ratings.enter(c, GUILD, MATCH, {0: (USER, "Ann")})],
    ratings.entries: [lambda c: ratings.entries(c, MATCH)],
    ratings.first_end_of: [lambda c: ratings.first_end_of(c, KEY)],
    ratings.forget: [lambda c: ratings.forget(c, USER)],
    ratings.forget_computed: [lambda c: ratings.forget_computed(c, LADDER)],
    ratings.known: [lambda c: ratings.known(c, GUILD, USER)],
    ratings.ladders_of: [lambda c: ratings.ladders_of(c, GUILD)],
    ratings.latest_of_server: [lambda c: ratings.latest_of_server(c, GUILD)],
    ratings.latest_result: [lambda c: ratings.latest_result(c, LADDER)],
    ratings.listed: [lambda c: ratings.listed(c, LADDER, 5, 15, 15)],
    ratings.note_computed: [lambda c: ratings.note_computed(c, LADDER, 1, 1)],
    ratings.pairs_of: [lambda c: ratings.pairs_of(c, LADDER, [KEY, "0000000000000018"])],
    ratings.people_of: [lambda c: ratings.people_of(c, GUILD), lambda c: ratings.people_of(c, GUILD, [KEY])],
    ratings.played_by: [lambda c: ratings.played_by(c, LADDER, KEY)],
    ratings.points_of_key: [lambda c: ratings.points_of_key(c, LADDER, KEY)],
    ratings.points_of_result: [lambda c: ratings.points_of_result(c, GUILD, 7)],
    ratings.put_pairs: [lambda c: ratings.put_pairs(c, LADDER, {OfPair(KEY, "x"): PairRow(700000, 1)})],
    ratings.put_points: [lambda c: ratings.put_points(c, LADDER, [(NEW, KEY, 1.0, 1.0, 0.0, 1)])],
    ratings.put_ratings: [lambda c: ratings.put_ratings(c, LADDER, {KEY: RatingRow(1.0, 1.0, 1, 0, 0.0, 1)})],
    ratings.ratings_of: [lambda c: ratings.ratings_of(c, LADDER, [KEY])],
    ratings.ratings_of_key: [lambda c: ratings.ratings_of_key(c, GUILD, KEY)],
    ratings.record_of: [lambda c: ratings.record_of(c, KEY), lambda c: ratings.record_of(c, KEY, NOW)],
    ratings.result_of: [lambda c: ratings.result_of(c, MatchId(1))],
    ratings.results_of: [lambda c: ratings.results_of(c, LADDER), lambda c: ratings.results_of(c, LADDER, 7)],
    ratings.season_of: [lambda c: ratings.season_of(c, GUILD)],
    ratings.seasons: [lambda c: ratings.seasons(c, GUILD)],
    ratings.some_results: [lambda c: ratings.some_results(c, GUILD, 20, 15)],
    retention.forget_presses: [lambda c: retention.forget_presses(c, NOW, 500)],
    retention.newest: [retention.newest],
    retention.has_prunable: [lambda c: retention.has_prunable(c, NOW)],
    retention.prunable: [lambda c: retention.prunable(c, NOW, 5)],
    retention.prune: [lambda c: retention.prune(c, [(MatchId(1), "0" * 64)])],
    retention.has_old_presses: [lambda c: retention.has_old_presses(c, NOW)],
    settings.guild_settings: [lambda c: settings.guild_settings(c, GUILD)],
    settings.known: [lambda c: settings.known(c, [USER, USER + 1])],
    settings.person: [lambda c: settings.person(c, USER)],
    settings.player_settings: [lambda c: settings.player_settings(c, USER)],
    settings.set_away: [lambda c: settings.set_away(c, USER, NOW)],
    settings.set_dm: [lambda c: settings.set_dm(c, USER, "open")],
    settings.set_dm_channel: [lambda c: settings.set_dm_channel(c, USER, 1)],
    settings.set_guild_settings: [lambda c: settings.set_guild_settings(c, GUILD, GuildSettings())],
    settings.set_player_settings: [lambda c: settings.set_player_settings(c, USER, PlayerSettings())],
    statistics.add: [lambda c: statistics.add(c, MATCH)],
    statistics.forget: [lambda c: statistics.forget(c, USER)],
    statistics.of_guild: [lambda c: statistics.of_guild(c, GUILD)],
    statistics.of_person: [lambda c: statistics.of_person(c, USER)],
}


def _set_right(connection: Connection) -> None:
    dms.set_pause(connection, NOW + 3 * MINUTE, MINUTE)
    dms.set_right(connection, NOW, dms.standing(connection, NOW))


def _erase(connection: Connection) -> None:
    people.begin_forgetting(connection, USER)
    people.erase(connection, USER, 100)


def _insert_match(connection: Connection) -> None:
    row = connection.execute(text("SELECT * FROM matches WHERE id = 1")).one()._asdict()
    known = {name: row[name] for name in ("game", "rules_version", "status", "host_id", "channel_id", "seed")}
    rest = {"options": {}, "commitment": "", "pace": "day", "where": "channel", "invited": [], "created_at": NOW}
    matches.insert_match(connection, **known, **rest)


def questions() -> set[Callable[..., Any]]:
    """Every public function of the package that asks through a connection; migrations are no questions."""
    found = set()
    for module in pkgutil.iter_modules(db.__path__, "db."):
        if module.ispkg:
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            own = inspect.isfunction(value) and value.__module__ == module.name and name[0] != "_"
            # What carries out the work of others asks nothing of its own.
            own = own and value is not at_length_only
            if own and {"connection", "work"} & {*inspect.signature(value).parameters} == {"connection"}:
                found.add(value)
    return found


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
    f"""INSERT INTO deadlines (match_id, kind, ply, due, guild_id, leased_by, leased_until)
    SELECT id, k, 1, 2000000000000000 + id, guild_id, CASE WHEN id % 50 = 0 THEN 'host' END,
        CASE WHEN id % 50 = 0 THEN 99 END
    FROM matches, (SELECT 'overdue' AS k UNION SELECT 'remind') WHERE id > {OVER}""",
)


BUSY = (
    f"""UPDATE matches SET guild_id = CASE WHEN id % 2 THEN {GUILD} ELSE id END WHERE ended_at IS NULL""",
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
"""Steps of SQLite's machine: about so many does a question take that reads some hundred rows."""


@pytest.fixture(params=[False, True], ids=["not analysed", "analysed"])
async def large(database: Database, request: pytest.FixtureRequest) -> Database:
    """A store with many finished matches and some open ones."""

    def work(connection: Connection) -> None:
        for statement in FILLING:
            connection.execute(text(statement))
        if request.param:
            connection.execute(text("ANALYZE"))

    await database.write(work)
    return database


class Undone(Exception):
    """Ends a transaction that is to leave nothing."""


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
    """What SQLite means to do."""
    rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
    return [row[3] for row in rows]


def walks_through(steps: list[str]) -> list[str]:
    """The steps that look at every row of a large table, or at every entry of one of its indexes.

    One that makes an index for itself does, too.
    """
    large_one = re.compile(rf"SCAN ({'|'.join((*LARGE, *ALIASES))})\b|USING AUTOMATIC")
    return [step for step in steps if large_one.search(step)]


def test_every_question_of_the_package_is_among_these() -> None:
    assert questions() == set(QUESTIONS)


async def test_no_question_walks_through_a_large_table(large: Database) -> None:
    walks = []
    for question, ways in QUESTIONS.items():
        for way in ways:
            with suppress(Undone), asked() as made:
                await large.write(undone, way)
            assert made, question
            for statement, parameters in made:
                for step in walks_through(await large.read(plan, statement, parameters)):
                    walks.append(f"{question.__module__}.{question.__name__}: {step}\n    {statement}")
    assert not walks, "\n".join(walks)


@pytest.mark.parametrize("question", [matches.ended_of, matches.ended_in_guild])
async def test_the_latest_that_are_over_are_found_without_sorting_all(
    large: Database, question: Callable[..., Any]
) -> None:
    def work(connection: Connection) -> None:
        for way in QUESTIONS[question]:
            with asked() as made:
                assert way(connection)
            ((statement, parameters),) = made
            steps = plan(connection, statement, parameters)
            assert not [step for step in steps if "ORDER BY" in step]
            # What ended before another one is found by the index, not by passing over all that ended later.
            assert "< (?, ?)" not in statement or any("ended_at<?" in step for step in steps)

    await large.read(work)


# FOUND P2
async def test_a_question_that_reads_more_than_a_page_is_not_asked_where_people_who_play_wait(large: Database) -> None:
    """Such a question begins with `at_length_only`; what writes is another matter, and is done in short steps."""

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
    for question, ways in QUESTIONS.items():
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
    # Rather too much is refused than too little, but not for nothing.
    assert len(refused - long) < 5, refused - long


async def test_a_walk_through_a_large_table_is_noticed(large: Database) -> None:
    def work(connection: Connection) -> None:
        for table, column in (("matches", "reason"), ("seats", "name"), ("outbox", "kind")):
            assert walks_through(plan(connection, f"SELECT * FROM {table} WHERE {column} = ?", ("x",)))

    await large.read(work)
