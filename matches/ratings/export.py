"""The results of a server as a file from which anybody can compute its ratings (``docs/ratings.md``)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from db.ratings import Known
from db.rows import Ladder, RatingRow, ResultRow
from matches.ratings import ladder, result
from matches.ratings.ladder import Seats
from matches.ratings.model import SCHEME
from matches.ratings.result import Entrant

FORMAT: Final = "ambit ratings 1"


class FileError(ValueError):
    """A file that is none of these; the message is a sentence."""


class Line(NamedTuple):
    """Somebody in a file, by name, or by key if hidden or forgotten: the rating that it gives, and the right one."""

    who: str
    given: RatingRow
    computed: RatingRow | None


class Table(NamedTuple):
    """What a file says of a game in a season, the best first."""

    game: str
    season: int
    results: int
    rows: tuple[Line, ...]

    @property
    def agrees(self) -> bool:
        """Whether every number follows from the results, to the bit."""
        return all(row.given == row.computed for row in self.rows)


Whole = Mapping[Ladder, tuple[Sequence[tuple[int, ResultRow]], Mapping[str, RatingRow]]]
"""By ladder its results with their numbers, and the ratings by key."""


def exported(whole: Whole, people: Mapping[str, Known], now: datetime) -> str:
    """The file. Of those who are in no list, or are forgotten, it has the key in place of the name."""
    numbers: dict[str, int] = {}

    def who(key: str) -> int:
        return numbers.setdefault(key, len(numbers))

    results, given = [], []
    for of, (rows, ratings) in sorted(whole.items()):
        about = {"game": of.game, "season": of.season}
        for number, row in rows:
            seats = [_named(result.read(seat), who) for seat in row.seats]
            when = row.ended_at.isoformat()
            results.append({**about, "number": number, "match": row.match_id, "ended_at": when, "seats": seats})
        given += [{**about, "who": who(key), **rating._asdict()} for key, rating in sorted(ratings.items())]
    names = [_person(key, people.get(key)) for key in numbers]
    head = {"format": FORMAT, "scheme": SCHEME, "made_at": now.isoformat(), "people": names}
    return json.dumps({**head, "results": results, "ratings": given}, ensure_ascii=False, indent=1) + "\n"


def checked(text: str) -> tuple[Table, ...]:
    """What a file says, and what this program makes of its results. Raises FileError."""
    try:
        found = json.loads(text)
        known = (found["format"], found["scheme"])
    except (ValueError, TypeError, KeyError) as error:
        raise FileError("This isn't a file of results, as **Results** under a leaderboard gives it.") from error
    if known != (FORMAT, SCHEME):
        raise FileError(f"This program reads “{FORMAT}”, scheme {SCHEME}; the file is “{known[0]}”, scheme {known[1]}.")
    try:
        return tuple(_tables(found))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise FileError("Something in this file can't be read.") from error


def _person(key: str, known: Known | None) -> Mapping[str, str]:
    return {"key": key} if known is None or known.hidden else {"name": known.name}


def _named(entrant: Entrant, who: Any) -> Mapping[str, Any]:
    """The entrant with the number of the person in place of the key."""
    seat = dict(result.written(entrant))
    if entrant.key is not None:
        del seat["key"]
        seat["who"] = who(entrant.key)
    return seat


def _tables(found: Mapping[str, Any]) -> list[Table]:
    names = [str(person.get("name") or person["key"]) for person in found["people"]]
    ladders: dict[tuple[str, int], list[tuple[int, Seats]]] = {}
    for each in found["results"]:
        seats = tuple(_keyed(seat, len(names)) for seat in each["seats"])
        ladders.setdefault((str(each["game"]), int(each["season"])), []).append((int(each["number"]), seats))
    given: dict[tuple[str, int], dict[str, RatingRow]] = {key: {} for key in ladders}
    for each in found["ratings"]:
        rating = RatingRow(*(each[name] for name in RatingRow._fields))
        given.setdefault((str(each["game"]), int(each["season"])), {})[str(each["who"])] = rating
    tables = []
    for (game, season), ratings in sorted(given.items()):
        results = ladders.get((game, season), [])
        computed = ladder.computed(game, results).ratings
        # Somebody whom the results name and the ratings leave out has no number that could be right.
        every = {**dict.fromkeys(computed, _NONE), **ratings}
        best = sorted(every, key=lambda key: (-every[key].mu, int(key)))
        rows = tuple(Line(names[int(key)], every[key], computed.get(key)) for key in best)
        tables.append(Table(game, season, len(results), rows))
    return tables


_NONE: Final = RatingRow(0.0, 0.0, 0, 0, 0.0, 0)


def _keyed(seat: Mapping[str, Any], people: int) -> Mapping[str, Any]:
    """The inverse of `_named`, with the number itself as the key. Raises ValueError for who is not in the file."""
    if "who" not in seat:
        return seat
    if seat["who"] not in range(people):
        raise ValueError(seat["who"])
    return {**{name: value for name, value in seat.items() if name != "who"}, "key": str(seat["who"])}
