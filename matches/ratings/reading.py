"""The part of the host that answers who is how good: tables of a server, a person's profile, what a match has changed.

Nothing of another server is ever seen: all of it is asked by server, and by the key that a person has there.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from time import perf_counter
from typing import Final, NamedTuple, TypeGuard

from db import Connection
from db.model.ids import MatchId, UserId
from db.model.rows import Ladder, RatingRow, ResultRow
from db.ratings import ladders
from games import GAMES
from matches.engine.packing import Packed
from matches.engine.shared import Shared
from matches.engine.workers import Workers
from matches.host.difference import use_allowance
from matches.host.unit_of_work import UnitOfWork
from matches.ratings import export, reliability, result, storing
from matches.ratings.export import Body
from matches.ratings.model import LISTED, SURE
from matches.ratings.parts import average
from matches.ratings.reliability import Reliability
from matches.ratings.upkeep import Upkeep
from matches.table import limits
from matches.table.limits import Deed

PAGE: Final = 10
"""Rows of a page of a leaderboard: as many as a picture of it has room for on a phone."""

SLICE: Final = 100
"""So many results, or people, of a file are read at once; then others have their turn."""

REST: Final = 3.0
"""Writing a file rests so many times as long as a slice has taken: Python lets one thread compute at a time."""

LONGEST_REST: Final = 0.05
"""Seconds; a slice also takes long where others have had their turn."""

BODIES_KEPT: Final = 8_000_000
"""About so many bytes of files are kept, so that who asks for the same one does not have it made anew."""


class Rating(NamedTuple):
    """How good somebody is at a game, as people see it.

    `number` is the rating, `uncertainty` its standard deviation on the same scale, `provisional` that this is still so
    large that the number has a question mark. It comes from so many `matches`, of which so many were `won`, and the
    last of them has moved the number by `change`.
    """

    number: int
    uncertainty: int
    provisional: bool
    matches: int
    won: int
    change: int

    def __str__(self) -> str:
        return f"{self.number}{'?' if self.provisional else ''}"


class Season(NamedTuple):
    """A season of a server. When the first has `begun_at` is not known: nobody began it."""

    number: int
    begun_at: datetime | None


class Row(NamedTuple):
    """Somebody on a leaderboard: at which place, equals sharing one; at place 0 who is rated and not listed."""

    place: int
    person: UserId
    name: str
    rating: Rating


class Leaderboard(NamedTuple):
    """A page of a server's table for a game in a season; pages count from 0, and so many people are `listed`."""

    game: str
    season: int
    seasons: tuple[Season, ...]
    page: int
    pages: int
    listed: int
    rows: tuple[Row, ...]


class Point(NamedTuple):
    """What a rating was after a match."""

    match: MatchId
    ended_at: datetime
    number: int
    uncertainty: int


class Share(NamedTuple):
    """How often somebody won in a part (a role), of so many rounds.

    `average` is which share one wins on average at tables of those sizes, ``None`` where that was never measured.
    """

    name: str
    rounds: int
    won: int
    average: float | None = None


class Skill(NamedTuple):
    """Somebody at one game: the rating and its place on the leaderboard (``None``: not listed), how it came about.

    `practice` is the rating against computers alone, `parts` how rounds went by role, in games that have any.
    """

    game: str
    rating: Rating | None
    place: int | None
    practice: Rating | None
    history: tuple[Point, ...]
    parts: tuple[Share, ...]


class HeadToHead(NamedTuple):
    """Of the matches of two persons how often the first was before the second, after, or at the same place."""

    game: str
    before: int
    after: int
    level: int


class Profile(NamedTuple):
    """Somebody on a server in a season: their games, and how they did `against` whoever looks at the page.

    They have `finished` so many of the matches that they have `begun` there, whether or not these counted; 0 of 0 while
    too little is known to say so.
    """

    person: UserId
    name: str
    season: int
    skills: tuple[Skill, ...]
    against: tuple[HeadToHead, ...]
    finished: int
    begun: int


class Change(NamedTuple):
    """What a match has made of the rating of somebody who began it; `place` is theirs in the standing.

    Who was `helped` could not gain by it.
    """

    person: UserId
    name: str
    number: int
    provisional: bool
    change: int
    place: int
    helped: bool


def _is_shown(known: ladders.Known | None, viewer: UserId | None) -> TypeGuard[ladders.Known]:
    """Whether `viewer` (``None``: everybody) may see how somebody does: who hides is shown to themselves alone."""
    return known is not None and (not known.hidden or known.user_id == viewer)


def shown(row: RatingRow) -> Rating:
    """A rating as people see it."""
    return Rating(round(row.mu), round(row.sigma), row.sigma > SURE, row.matches, row.won, moved(row.mu, row.gain))


def moved(mu: float, gain: float) -> int:
    """By how much the number that people see has changed, where the mean has moved by `gain`."""
    return round(mu) - round(mu - gain)


class Ratings:
    """Who is how good. All of it raises Unavailable."""

    def __init__(self, work: UnitOfWork, workers: Workers) -> None:
        self._work = work
        self._upkeep = Upkeep(work, workers)
        self._boards: Shared[Leaderboard] = Shared(0)
        """By ladder and page. Nothing is kept: who asks at the same time gets the same answer."""
        self._bodies: Shared[Body] = Shared(BODIES_KEPT, lambda body: body.weight)
        """By server and the number of its latest result."""

    async def leaderboard(self, server: int, game: str, season: int | None = None, page: int = 0) -> Leaderboard:
        """A page of who is best at a game on a server, in the present season or an earlier one.

        A page, or a season, that there is not is the nearest that there is.
        """
        of, seasons = await self._ladder(server, game, season)

        def work(connection: Connection) -> Leaderboard:
            listed = ladders.count_listed(connection, of, LISTED)
            pages = max(1, -(-listed // PAGE))
            at = min(max(page, 0), pages - 1)
            rows = ladders.listed(connection, of, LISTED, PAGE, at * PAGE)
            return Leaderboard(game, of.season, seasons, at, pages, listed, _placed(connection, of, rows, at * PAGE))

        return await self._boards.get((of, seasons, page), lambda: self._work.read_at_length(server, work))

    async def row_of(self, server: int, game: str, person: UserId, season: int | None = None) -> Row | None:
        """Somebody's own row of a leaderboard, wherever on it; ``None`` for who is not rated."""
        of, _ = await self._ladder(server, game, season)

        def work(connection: Connection) -> Row | None:
            known = ladders.known(connection, server, person)
            row = None if known is None else ladders.ratings_of(connection, of, (known.key,)).get(known.key)
            if known is None or row is None:
                return None
            listed = row.matches >= LISTED and not known.hidden
            return Row(_place(connection, of, shown(row)) if listed else 0, person, known.name, shown(row))

        return await self._work.read_at_length(person, work)

    async def busiest(self, server: int, season: int | None = None) -> str | None:
        """The game of which the most results count on a server in a season; ``None`` where none do."""
        number, _ = await self._season(server, season)
        return await self._work.read_at_length(server, ladders.busiest_game, server, number)

    async def profile(self, server: int, person: UserId, viewer: UserId, season: int | None = None) -> Profile | None:
        """Somebody's page on a server, as `viewer` sees it.

        ``None`` for who has begun no match there, or hides from the viewer.
        """
        number, _ = await self._season(server, season)
        for of in await self._work.read_at_length(server, ladders.ladders_of, server):
            if of.season == number:
                await self.bring_up_to_date(of)
        return await self._work.read_at_length(viewer, _profile, server, person, viewer, number, self._work.now())

    async def changes(self, match_id: MatchId, viewer: UserId | None = None) -> tuple[Change, ...]:
        """What the result of a match has made of the ratings of those who began it, in the order of the standing.

        As `viewer` may know it (``None``: everybody): without those who hide, but for themselves, and without those who
        are forgotten. Nothing where the match does not count. In a practice match it is the practice rating of the one
        person.
        """
        found = await self._work.read(ladders.result_of, match_id)
        if found is None:
            return ()
        of, number, row = found
        await self.bring_up_to_date(of)
        return await self._work.read(_changes, of, number, row, viewer)

    async def of_people(
        self, server: int, game: str, people: Sequence[UserId], viewer: UserId | None = None
    ) -> dict[UserId, Rating]:
        """The ratings of those of these people who have one at this game, in the present season.

        As `viewer` may know it (``None``: everybody): without those who hide, but for themselves.
        """
        of, _ = await self._ladder(server, game, None)

        def work(connection: Connection) -> dict[UserId, Rating]:
            found = map(partial(ladders.known, connection, server), people)
            known = {each.key: each.user_id for each in found if _is_shown(each, viewer)}
            return {known[key]: shown(row) for key, row in ladders.ratings_of(connection, of, known).items()}

        return await self._work.read(work)

    async def reliability_of(
        self, server: int, people: Sequence[UserId], viewer: UserId | None = None
    ) -> dict[UserId, Reliability]:
        """Whether these people finish what they begin on a server, without those of whom too little is known.

        As `viewer` may know it (``None``: everybody): without those who hide, but for themselves.
        """

        def work(connection: Connection) -> dict[UserId, Reliability]:
            now = self._work.now()
            shown = [each for each in people if _is_shown(ladders.known(connection, server, each), viewer)]
            found = {person: reliability.of(connection, server, person, now) for person in shown}
            return {person: each for person, each in found.items() if each.is_known}

        return await self._work.read_at_length(server, work)

    async def seasons(self, server: int) -> tuple[Season, ...]:
        """The seasons of a server, the present one last."""
        _, found = await self._season(server, None)
        return found

    async def begin_season(self, server: int) -> int:
        """From now on everybody on the server begins anew; the number of the new season. Old ones stay readable.

        A season without any result goes on.
        """
        return await self._work.write(ladders.begin_season, server, self._work.now())

    async def show(self, server: int, by: UserId) -> None:
        """Somebody posts ratings of a server for all to see there. Raises TooSoon."""
        await self._work.write(self._use, Deed.SHOW, server, by)

    async def exported(self, server: int, by: UserId) -> Packed:
        """All results of a server that count, and the ratings that it has, as a file for anybody to check.

        It is made once for all who ask, until there is another result. Who is called what in it is looked up each time,
        so that it names nobody who hides or is forgotten since. Raises TooSoon, and NotAllowed where it is too large.
        """
        await self._work.write(self._use, Deed.RESULTS, server, by)
        latest = await self._work.read(ladders.latest_of_server, server)
        body = await self._bodies.get((server, latest), lambda: self._body(server))
        keys, people = list(body.numbers), dict[str, ladders.Known]()
        for first in range(0, len(keys), SLICE):
            some = keys[first : first + SLICE]
            people |= await self._work.read_at_length(by, ladders.people_of, server, some)
        return await asyncio.to_thread(export.exported, body, people, self._work.now())

    def _use(self, connection: Connection, deed: Deed, server: int, by: UserId) -> None:
        """Use up some of an allowance. Raises TooSoon."""
        use_allowance(connection, limits.mark_on(deed, by, server), deed, self._work.now())

    async def _body(self, server: int) -> Body:
        """A file without its people, written slice by slice off the event loop.

        Each ladder is as it was when its ratings were read. What has come since is left out: results stay as they are.
        """
        writing, latest = export.Writing(), dict[Ladder, int]()
        for of in await self._work.read_at_length(server, ladders.ladders_of, server):
            if not of.practice:
                rows, latest[of] = await self._at_latest(of)
                await asyncio.to_thread(writing.add_ratings, of, rows)
        last = 0
        begun = perf_counter()
        while some := await self._work.read_at_length(server, ladders.results_page, server, last, SLICE):
            last = some[-1].number
            rated = [(of, row) for of, number, row in some if number <= latest.get(of, 0)]
            await asyncio.to_thread(writing.add_results, rated)
            await asyncio.sleep(min(REST * (perf_counter() - begun), LONGEST_REST))
            begun = perf_counter()
        return await asyncio.to_thread(writing.finished)

    async def _at_latest(self, of: Ladder) -> tuple[dict[str, RatingRow], int]:
        """All ratings of a ladder, and the number of the latest result from which they follow."""

        def work(connection: Connection) -> tuple[dict[str, RatingRow], int] | None:
            if not storing.is_complete(connection, of):
                return None
            return ladders.all_ratings(connection, of), ladders.latest_result(connection, of)

        while True:
            await self.bring_up_to_date(of)
            found = await self._work.read_at_length(of.guild_id, work)
            if found is not None:
                return found

    async def bring_up_to_date(self, of: Ladder) -> None:
        """Compute from its results what is not kept of a ladder, or was computed by another program."""
        await self._upkeep.bring_up_to_date(of)

    async def _ladder(self, server: int, game: str, season: int | None) -> tuple[Ladder, tuple[Season, ...]]:
        """The ratings of a game that count, brought up to date, and the seasons that there are."""
        number, seasons = await self._season(server, season)
        of = Ladder(server, game, number, False)
        await self.bring_up_to_date(of)
        return of, seasons

    async def _season(self, server: int, wanted: int | None) -> tuple[int, tuple[Season, ...]]:
        begun = await self._work.read(ladders.seasons, server)
        every = (Season(ladders.FIRST_SEASON, None), *(Season(*each) for each in begun))
        latest = every[-1].number
        return (latest if wanted is None else min(max(wanted, ladders.FIRST_SEASON), latest)), every


def _placed(connection: Connection, of: Ladder, rows: Sequence[ladders.Listed], offset: int) -> tuple[Row, ...]:
    """A page with the places: who has the same number as the one before shares theirs."""
    placed: list[Row] = []
    for position, each in enumerate(rows, 1 + offset):
        rating = shown(each.rating)
        if not placed:
            place = _place(connection, of, rating)
        elif placed[-1].rating.number == rating.number:
            place = placed[-1].place
        else:
            place = position
        placed.append(Row(place, each.user_id, each.name, rating))
    return tuple(placed)


def _place(connection: Connection, of: Ladder, rating: Rating) -> int:
    """At which place of its leaderboard somebody with this rating stands: equal numbers share one."""
    return 1 + ladders.count_listed(connection, of, LISTED, rating.number + 0.5)


def _profile(
    connection: Connection, server: int, person: UserId, viewer: UserId, season: int, now: datetime
) -> Profile | None:
    known, other = ladders.known(connection, server, person), ladders.known(connection, server, viewer)
    if not _is_shown(known, viewer):
        return None
    own = ladders.ratings_of_key(connection, server, known.key)
    skills = []
    for game in GAMES:
        of, alone = Ladder(server, game, season, False), Ladder(server, game, season, True)
        if of in own or alone in own:
            skills.append(_skill(connection, of, known, own.get(of), own.get(alone)))
    against: tuple[HeadToHead, ...] = ()
    if other is not None and person != viewer:
        against = _head_to_head(ladders.encounters(connection, server, known.key, other.key))
    finished, begun = reliability.whole(connection, known.key, now)
    return Profile(person, known.name, season, tuple(skills), against, finished, begun)


def _skill(
    connection: Connection, of: Ladder, known: ladders.Known, row: RatingRow | None, alone: RatingRow | None
) -> Skill:
    rating, place, history = None, None, list[Point]()
    if row is not None:
        rating = shown(row)
        if row.matches >= LISTED and not known.hidden:
            place = _place(connection, of, rating)
        for point in ladders.points_of_key(connection, of, known.key):
            number, uncertainty = round(point.row.mu), round(point.row.sigma)
            history.append(Point(point.match_id, point.ended_at, number, uncertainty))
    practice = None if alone is None else shown(alone)
    return Skill(of.game, rating, place, practice, tuple(history), _parts(connection, known, of))


def _parts(connection: Connection, known: ladders.Known, of: Ladder) -> tuple[Share, ...]:
    """How often somebody won in each role, of all their matches on a ladder."""
    rounds, won, expected = Counter[str](), Counter[str](), dict[str, float | None]()
    for row in ladders.results_with(connection, of, known.key):
        for entrant in map(result.read, row.seats):
            for part in entrant.parts if entrant.key == known.key else ():
                usual, before = average(of.game, len(row.seats), part.name), expected.get(part.name, 0.0)
                rounds[part.name] += 1
                won[part.name] += part.won
                expected[part.name] = None if usual is None or before is None else before + usual
    return tuple(Share(name, count, won[name], _mean(expected[name], count)) for name, count in sorted(rounds.items()))


def _mean(total: float | None, count: int) -> float | None:
    return None if total is None else total / count


def _head_to_head(encounters: Sequence[ladders.Encounter]) -> tuple[HeadToHead, ...]:
    """Of the matches of two, by game."""
    found: dict[str, HeadToHead] = {}
    for game, mine, theirs in encounters:
        old = found.get(game, HeadToHead(game, 0, 0, 0))
        found[game] = HeadToHead(
            game, old.before + (mine < theirs), old.after + (mine > theirs), old.level + (mine == theirs)
        )
    return tuple(found.values())


def _changes(
    connection: Connection, of: Ladder, number: int, row: ResultRow, viewer: UserId | None
) -> tuple[Change, ...]:
    entrants = [result.read(seat) for seat in row.seats]
    helped = {entrant.key for entrant in entrants if entrant.helped}
    # Who shares a place is told by seat, whatever key they have.
    seats = {entrant.key: seat for seat, entrant in enumerate(entrants)}
    points = ladders.points_of_result(connection, of.guild_id, number)
    people = ladders.people_of(connection, of.guild_id, [point.key for point in points])
    changes = []
    for key, _, _, _, point in sorted(points, key=lambda point: (point.row.place, seats[point.key])):
        known = people.get(key)
        if not _is_shown(known, viewer):
            continue
        change, provisional = moved(point.mu, point.gain), point.sigma > SURE
        who = known.user_id, known.name
        changes.append(Change(*who, round(point.mu), provisional, change, point.place, key in helped))
    return tuple(changes)
