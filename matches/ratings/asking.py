"""The part of the host about ratings: a server's leaderboards, a person's profile, what a match has changed.

The commands are in `cogs/ratings/__init__.py`.

Nothing of another server is ever shown: each query names the server, or the key that the person has there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from time import perf_counter
from typing import Final, NamedTuple

from db import Connection
from db.model.ids import MatchId, UserId
from db.model.rows import Ladder, ResultRow
from db.ratings import kept as ladders
from db.ratings.kept import RatingRow
from db.results import keyed
from db.results.keyed import Season
from matches.engine.packing import Packed
from matches.engine.shared import Shared
from matches.engine.workers import WorkerDied, Workers
from matches.errors import Unavailable
from matches.ratings import export, ladder, storing
from matches.ratings.export import Body
from matches.ratings.ladder import Computed
from matches.ratings.model import LISTED, SURE
from matches.ratings.profiles import Profile, Rating, moved, place_of, profile_of, shown
from matches.ratings.storing import FEW
from matches.results import result
from matches.results.result import Result
from matches.table import limits
from matches.table.limits import Deed
from matches.work.difference import use_allowance
from matches.work.part import FeaturePart
from matches.work.unit_of_work import UnitOfWork

PAGE: Final = 10
"""Rows of a page of a leaderboard: as many as a picture of it has room for on a phone."""

SLICE: Final = 100
"""How many results, or people, of a file are read at once. Then others have their turn."""

REST: Final = 3.0
"""After a slice, writing a file rests this many times as long as the slice took. One thread computes at a time."""

LONGEST_REST: Final = 0.05
"""The longest rest in seconds, because a slice also takes long if others have had their turn meanwhile."""

BODIES_KEPT: Final = 8_000_000
"""The size in bytes of the cache of files, so that the same file isn't made twice."""


class Row(NamedTuple):
    """A person on a leaderboard. Equals share a place. Place 0: they are rated but not listed."""

    place: int
    person: UserId
    name: str
    rating: Rating


class Leaderboard(NamedTuple):
    """A page of a server's leaderboard for a game in a season. Pages count from 0.

    `listed` counts all people with a place, `newcomers` those below them, who have played too few matches for one.
    """

    game: str
    season: int
    seasons: tuple[Season, ...]
    page: int
    pages: int
    listed: int
    newcomers: int
    rows: tuple[Row, ...]


class Change(NamedTuple):
    """What a match has changed in the rating of a person who began it. `place` is their rank.

    `helped`: they couldn't gain by it.
    """

    person: UserId
    name: str
    number: int
    provisional: bool
    change: int
    place: int
    helped: bool


class Ratings(FeaturePart):
    """Reads ratings. Every method raises Unavailable."""

    def __init__(self, work: UnitOfWork, workers: Workers) -> None:
        super().__init__(work)
        self._workers = workers
        self._under_way: dict[Ladder, asyncio.Task[None]] = {}
        """Computations, by ladder."""
        self._boards: Shared[Leaderboard] = Shared(0)
        """By ladder and page. It caches nothing: simultaneous requests share one answer."""
        self._bodies: Shared[Body] = Shared(BODIES_KEPT, lambda body: body.weight)
        """By server and the number of its latest result."""

    async def leaderboard(self, server: int, game: str, season: int | None = None, page: int = 0) -> Leaderboard:
        """Return a page of a game's leaderboard on a server, in the present season or an earlier one.

        Everybody with a place comes first, best first, then newcomers. People who hide aren't there. A page or season
        that doesn't exist is replaced by the nearest.
        """
        of, seasons = await self._ladder(server, game, season)

        def work(connection: Connection) -> Leaderboard:
            listed = ladders.count_listed(connection, of, LISTED)
            newcomers = ladders.count_listed(connection, of, 1, below=LISTED)
            pages = max(1, -(-(listed + newcomers) // PAGE))
            at = min(max(page, 0), pages - 1)
            first = at * PAGE
            rows = _placed(connection, of, ladders.listed(connection, of, LISTED, PAGE, first), first)
            if len(rows) < PAGE and newcomers:
                room, passed = PAGE - len(rows), max(0, first - listed)
                found = ladders.listed(connection, of, 1, room, passed, below=LISTED)
                rows += tuple(Row(0, user_id, name, shown(rating)) for user_id, name, rating in found)
            return Leaderboard(game, of.season, seasons, at, pages, listed, newcomers, rows)

        return await self._boards.get((of, seasons, page), lambda: self._work.read_at_length(server, work))

    async def row_of(self, server: int, game: str, person: UserId, season: int | None = None) -> Row | None:
        """Return a person's row of a leaderboard, on whatever page; ``None`` if they aren't rated."""
        of, _ = await self._ladder(server, game, season)

        def work(connection: Connection) -> Row | None:
            known = keyed.known(connection, server, person)
            row = None if known is None else ladders.ratings_of(connection, of, (known.key,)).get(known.key)
            if known is None or row is None:
                return None
            listed = row.matches >= LISTED and not known.hidden
            return Row(place_of(connection, of, shown(row)) if listed else 0, person, known.name, shown(row))

        return await self._work.read_at_length(person, work)

    async def busiest(self, server: int, season: int | None = None) -> str | None:
        """Return the game with the most rated results on a server in a season, ``None`` if there are none."""
        number, _ = await self._season(server, season)
        return await self._work.read_at_length(server, keyed.busiest_game, server, number)

    async def profile(self, server: int, person: UserId, viewer: UserId, season: int | None = None) -> Profile | None:
        """Return a person's profile on a server, as `viewer` sees it.

        ``None`` if they have begun no match there, or hide from the viewer.
        """
        number, _ = await self._season(server, season)
        for of in await self._work.read_at_length(server, keyed.ladders_of, server):
            if of.season == number:
                await self.bring_up_to_date(of)
        return await self._work.read_at_length(viewer, profile_of, server, person, viewer, number, self._work.now())

    async def changes(self, match_id: MatchId, viewer: UserId | None = None) -> tuple[Change, ...]:
        """Return what a match has changed in the ratings of those who began it, by rank.

        As `viewer` may know it (``None``: everybody): without other people who hide, and without forgotten people.
        Empty if the match isn't rated. In a practice match it is the person's practice rating.
        """
        found = await self._work.read(keyed.result_of, match_id)
        if found is None:
            return ()
        of, number, row = found
        await self.bring_up_to_date(of)
        return await self._work.read(_changes, of, number, row, viewer)

    async def of_people(
        self, server: int, game: str, people: Sequence[UserId], viewer: UserId | None = None
    ) -> dict[UserId, Rating]:
        """Return the ratings of these people at a game in the present season, without people who have none.

        As `viewer` may know it (``None``: everybody): without other people who hide.
        """
        of, _ = await self._ladder(server, game, None)

        def work(connection: Connection) -> dict[UserId, Rating]:
            found = map(partial(keyed.known, connection, server), people)
            known = {each.key: each.user_id for each in found if each is not None and each.is_shown_to(viewer)}
            return {known[key]: shown(row) for key, row in ladders.ratings_of(connection, of, known).items()}

        return await self._work.read(work)

    async def strength(self, guild_id: int, game: str, user_id: UserId) -> int | None:
        """Return this person's rating, as a number."""
        found = await self.of_people(guild_id, game, [user_id], user_id)
        return found[user_id].number if user_id in found else None

    async def exported(self, server: int, by: UserId) -> Packed:
        """Return a file with all rated results of a server and its ratings, which anybody can check.

        Its body is cached until there is another result. Names are looked up each time, so that it never names people
        who hide or were forgotten since. Raises TooSoon, and NotAllowed if it is too large.
        """
        await self._work.write(use_allowance, limits.mark_on(Deed.RESULTS, by, server), Deed.RESULTS, self._work.now())
        latest = await self._work.read(keyed.latest_of_server, server)
        body = await self._bodies.get((server, latest), lambda: self._body(server))
        keys, people = list(body.numbers), dict[str, keyed.Known]()
        for first in range(0, len(keys), SLICE):
            some = keys[first : first + SLICE]
            people |= await self._work.read_at_length(by, keyed.people_of, server, some)
        return await asyncio.to_thread(export.exported, body, people, self._work.now())

    async def _body(self, server: int) -> Body:
        """Return a file without its people, written slice by slice off the event loop.

        Each ladder is a snapshot of the moment when its ratings were read. Later results are left out.
        """
        writing, latest = export.Writing(), dict[Ladder, int]()
        for of in await self._work.read_at_length(server, keyed.ladders_of, server):
            if not of.practice:
                rows, latest[of] = await self._at_latest(of)
                await asyncio.to_thread(writing.add_ratings, of, rows)
        last = 0
        begun = perf_counter()
        while some := await self._work.read_at_length(server, keyed.results_page, server, last, SLICE):
            last = some[-1].number
            rated = [(of, row) for of, number, row in some if number <= latest.get(of, 0)]
            await asyncio.to_thread(writing.add_results, rated)
            await asyncio.sleep(min(REST * (perf_counter() - begun), LONGEST_REST))
            begun = perf_counter()
        return await asyncio.to_thread(writing.finished)

    async def _at_latest(self, of: Ladder) -> tuple[dict[str, RatingRow], int]:
        """Return all ratings of a ladder, and the number of the latest result that they include."""

        def work(connection: Connection) -> tuple[dict[str, RatingRow], int] | None:
            if not storing.is_complete(connection, of):
                return None
            return ladders.all_ratings(connection, of), keyed.latest_result(connection, of)

        while True:
            await self.bring_up_to_date(of)
            found = await self._work.read_at_length(of.guild_id, work)
            if found is not None:
                return found

    async def bring_up_to_date(self, of: Ladder) -> None:
        """Recompute a ladder's ratings if they are missing or come from another version.

        Everybody who waits shares the computation.
        """
        if await self._work.read(storing.is_complete, of):
            return
        task = self._under_way.get(of)
        if task is None:
            task = self._under_way[of] = asyncio.create_task(self._compute(of))
            task.add_done_callback(partial(self._over, of))
        # The computation goes on for the others if one of them is cancelled.
        await asyncio.shield(task)

    def _over(self, of: Ladder, task: asyncio.Task[None]) -> None:
        del self._under_way[of]
        if not task.cancelled():
            # Marks it as seen: everybody who waited for it may have been cancelled.
            task.exception()

    async def _compute(self, of: Ladder) -> None:
        """Compute all results, then on top of them those that came meanwhile, until none are left."""
        whole, latest, count = Computed({}, [], {}), 0, 0
        while not await self._work.read(storing.is_complete, of):
            still, results = await self._work.read_at_length(of.guild_id, storing.left, of, latest)
            if still != count:
                # Somebody's data was deleted meanwhile, and their practice results with it.
                whole, latest, count = Computed({}, [], {}), 0, 0
                continue
            whole = await self._extended(of.game, results, whole)
            latest, count = max([latest, *(one.number for one in results)]), count + len(results)
            await self._work.write(storing.replace, of, whole, latest, count)

    async def _extended(self, game: str, results: Sequence[Result], whole: Computed) -> Computed:
        if len(results) <= FEW:
            return ladder.computed(game, results, whole)
        try:
            return await self._workers.run(ladder.computed, game, results, whole)
        except WorkerDied as error:
            raise Unavailable("I couldn't compute the ratings. Please try again later.") from error

    async def _ladder(self, server: int, game: str, season: int | None) -> tuple[Ladder, tuple[Season, ...]]:
        """Bring a game's ladder up to date, and return it with the server's seasons."""
        number, seasons = await self._season(server, season)
        of = Ladder(server, game, number, False)
        await self.bring_up_to_date(of)
        return of, seasons

    async def _season(self, server: int, wanted: int | None) -> tuple[int, tuple[Season, ...]]:
        every = tuple(await self._work.read(keyed.seasons, server))
        latest = every[-1].number
        return (latest if wanted is None else min(max(wanted, keyed.FIRST_SEASON), latest)), every


def _placed(connection: Connection, of: Ladder, rows: Sequence[ladders.Listed], offset: int) -> tuple[Row, ...]:
    """Return a page's rows with their places. Equal numbers share a place."""
    placed: list[Row] = []
    for position, (user_id, name, row) in enumerate(rows, 1 + offset):
        rating = shown(row)
        if not placed:
            place = place_of(connection, of, rating)
        elif placed[-1].rating.number == rating.number:
            place = placed[-1].place
        else:
            place = position
        placed.append(Row(place, user_id, name, rating))
    return tuple(placed)


def _changes(
    connection: Connection, of: Ladder, number: int, row: ResultRow, viewer: UserId | None
) -> tuple[Change, ...]:
    entrants = [result.read(seat) for seat in row.seats]
    helped = {entrant.key for entrant in entrants if entrant.helped}
    # People who share a place are listed by seat, so that their order reveals nothing of their keys.
    seats = {entrant.key: seat for seat, entrant in enumerate(entrants)}
    points = ladders.points_of_result(connection, of.guild_id, number)
    people = keyed.people_of(connection, of.guild_id, [point.key for point in points])
    changes = []
    for key, _, _, _, point in sorted(points, key=lambda point: (point.row.place, seats[point.key])):
        known = people.get(key)
        if known is None or not known.is_shown_to(viewer):
            continue
        change, provisional = moved(point.mu, point.gain), point.sigma > SURE
        who = known.user_id, known.name
        changes.append(Change(*who, round(point.mu), provisional, change, point.place, key in helped))
    return tuple(changes)
