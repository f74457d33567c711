"""The results of a server as a file from which anybody can compute its ratings (``docs/ratings.md``).

Everybody gets the same file. It names no match, no channel, no exact time, and nobody who hides.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from operator import itemgetter
from secrets import randbelow
from typing import Any, Final, NamedTuple

from db.model.rows import Ladder, ResultRow
from db.ratings.kept import RatingRow
from db.results.keyed import Known
from matches.engine.packing import Packed, Packing
from matches.ratings import ladder, storing
from matches.ratings.model import SCHEME
from matches.results.result import Result, day_of

FORMAT: Final = "ambit ratings 2"

_NUMBERS: Final = 10**8
_NOT_TOLD: Final = frozenset({"latest"})
"""Fields of a rating that aren't exported. `latest` is a result's number in the store, which also counts practice
results. A file numbers its results itself."""


class FileError(ValueError):
    """The file isn't an export of results. The message is a sentence."""


class Line(NamedTuple):
    """A person in a file, by name or number, with the rating that the file gives and the recomputed one."""

    who: str
    given: RatingRow
    computed: RatingRow | None


class Table(NamedTuple):
    """The ratings of a game in a season in a file, the best first."""

    game: str
    season: int
    results: int
    rows: tuple[Line, ...]

    @property
    def agrees(self) -> bool:
        """Whether every number follows from the results, to the bit."""
        return all(row.given == row.computed for row in self.rows)


class Body(NamedTuple):
    """A file without its list of people, and by key the number that stands for the person in it."""

    packed: Packed
    numbers: Mapping[str, int]

    @property
    def weight(self) -> int:
        """About how many bytes of memory this takes."""
        return len(self.packed.data) + 200 * len(self.numbers)


class Writing:
    """Writes the body of a file, packed as it grows: ratings first, then results. Raises NotAllowed if it is too large.

    People have random numbers, drawn anew for every file, so that nobody can link one file to the next.
    """

    def __init__(self) -> None:
        self._packing = Packing()
        self._packing.put("format", FORMAT)
        self._packing.put("scheme", SCHEME)
        self._packing.add("ratings", ())
        self._results = 0
        self._numbers: dict[str, int] = {}
        self._drawn: set[int] = set()

    def add_ratings(self, of: Ladder, rows: Mapping[str, RatingRow]) -> None:
        """Add the ratings of a ladder, given by key."""
        told = []
        for who, row in sorted((self._who(key), row) for key, row in rows.items()):
            fields = {name: value for name, value in row._asdict().items() if name not in _NOT_TOLD}
            told.append({"game": of.game, "season": of.season, "who": who, **fields})
        self._packing.add("ratings", told)

    def add_results(self, rows: Iterable[tuple[Ladder, ResultRow]]) -> None:
        """Add results in their order, after all ratings."""
        told = []
        for of, row in rows:
            self._results += 1
            seats = [self._seat(seat) for seat in row.seats]
            day = day_of(row.ended_at).isoformat()
            about = {"game": of.game, "season": of.season, "number": self._results, "day": day}
            told.append({**about, "seats": seats})
        self._packing.add("results", told)

    def finished(self) -> Body:
        """Return the body. Nothing can be added after that."""
        self.add_results(())
        return Body(self._packing.broken_off(), self._numbers)

    def _who(self, key: str) -> int:
        if key not in self._numbers:
            number = randbelow(_NUMBERS)
            while number in self._drawn:
                number = randbelow(_NUMBERS)
            self._drawn.add(number)
            self._numbers[key] = number
        return self._numbers[key]

    def _seat(self, seat: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the entrant with the person's number instead of the key, without what ratings don't depend on."""
        told = {name: value for name, value in seat.items() if name not in ("key", "parts")}
        return told if seat.get("key") is None else {**told, "who": self._who(seat["key"])}


def exported(body: Body, people: Mapping[str, Known], now: datetime) -> Packed:
    """Return the whole file. People who hide or were forgotten have no name in it, only a number."""
    packing = Packing(body.packed)
    numbers = sorted(body.numbers.items(), key=itemgetter(1))
    packing.add("people", (_person(number, people.get(key)) for key, number in numbers))
    packing.put("made_at", now)
    return packing.finished()


def _person(number: int, known: Known | None) -> Mapping[str, Any]:
    return {"who": number} if known is None or known.hidden else {"who": number, "name": known.name}


def checked(text: str) -> tuple[Table, ...]:
    """Return a file's ratings beside those recomputed from its results. Raises FileError."""
    try:
        found = json.loads(text)
        known = (found["format"], found["scheme"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise FileError("This isn't a file of results, as **Results** under a leaderboard gives it.") from error
    if known != (FORMAT, SCHEME):
        raise FileError(f"This program reads “{FORMAT}”, scheme {SCHEME}; the file is “{known[0]}”, scheme {known[1]}.")
    try:
        return tuple(_tables(found))
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise FileError("Something in this file can't be read.") from error


def _tables(found: Mapping[str, Any]) -> list[Table]:
    names = {int(person["who"]): str(person.get("name") or f"#{person['who']}") for person in found["people"]}
    ladders: dict[tuple[str, int], list[Result]] = {}
    for each in found["results"]:
        seats = tuple(_keyed(seat, names) for seat in each["seats"])
        one = Result(int(each["number"]), date.fromisoformat(each["day"]), seats)
        ladders.setdefault((str(each["game"]), int(each["season"])), []).append(one)
    given: dict[tuple[str, int], dict[str, RatingRow]] = {key: {} for key in ladders}
    for each in found["ratings"]:
        rating = RatingRow(**{name: 0 if name in _NOT_TOLD else _number(each[name]) for name in RatingRow._fields})
        given.setdefault((str(each["game"]), int(each["season"])), {})[str(each["who"])] = rating
    tables = []
    for (game, season), ratings in sorted(given.items()):
        results = ladders.get((game, season), [])
        computed = {key: _told(row) for key, row in storing.rows_of(ladder.computed(game, results)).items()}
        # A person who is in the results but not in the ratings gets a rating that can't be right.
        every = {**dict.fromkeys(computed, _NONE), **ratings}
        best = sorted(every, key=lambda key: (-every[key].mu, int(key)))
        rows = tuple(Line(names[int(key)], every[key], computed.get(key)) for key in best)
        tables.append(Table(game, season, len(results), rows))
    return tables


def _number(value: Any) -> Any:
    """The value, if it is a number that can be shown. Raises ValueError or OverflowError."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError(value)
    float(value)
    return value


_NONE: Final = RatingRow(0.0, 0.0, 0, 0, 0.0, 0)


def _told(row: RatingRow) -> RatingRow:
    """The rating as a file gives it."""
    return row._replace(**dict.fromkeys(_NOT_TOLD, 0))


def _keyed(seat: Mapping[str, Any], people: Mapping[int, str]) -> Mapping[str, Any]:
    """The inverse of `Writing._seat`, with the number as the key. Raises ValueError if it names nobody in the file."""
    if "who" not in seat:
        return seat
    if seat["who"] not in people:
        raise ValueError(seat["who"])
    return {**{name: value for name, value in seat.items() if name != "who"}, "key": str(seat["who"])}
