"""Ratings as people see them, and a person's profile: games, roles, balance with the viewer, and best win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from db import Connection
from db.model.ids import MatchId, UserId
from db.model.rows import Ladder
from db.ratings import kept as ladders
from db.ratings.kept import Encounters, Point, RatingRow
from db.results import keyed
from games import GAMES, odds
from games.core.feat import Feat
from matches.computers.levels import Level
from matches.ratings.model import LISTED, SURE
from matches.results import reliability, result


class Rating(NamedTuple):
    """A rating as people see it.

    `uncertainty` is the standard deviation of the `number`, on the same scale. `provisional`: it is so large that the
    number has a question mark. `change` is the effect of the latest match on the number.
    """

    number: int
    uncertainty: int
    provisional: bool
    matches: int
    won: int
    change: int

    def __str__(self) -> str:
        return f"{self.number}{'?' if self.provisional else ''}"


class Share(NamedTuple):
    """How many rounds a person played in a role, and how many of these they won.

    `average` is the usual share of wins at tables of those sizes, ``None`` if it was never measured.
    """

    name: str
    rounds: int
    won: int
    average: float | None = None


class Skill(NamedTuple):
    """A person at one game: their rating with its history, and its place on the leaderboard (``None``: not listed).

    `practice` is the rating against computers only. `parts` are the results by role, in games with roles.
    """

    game: str
    rating: Rating | None
    place: int | None
    practice: Rating | None
    history: tuple[Point, ...]
    parts: tuple[Share, ...]


class Best(NamedTuple):
    """A person's best moment: a win, its game, and when the match ended."""

    game: str
    ended_at: datetime
    feat: Feat


class Profile(NamedTuple):
    """A person on a server in a season: their games, how they did `against` the viewer, and their `best` win.

    `against` is ``None`` if they are the viewer, or if the viewer has begun no match there. `finished` and `begun`
    count all their matches there, rated or not; both are 0 while too little is known.
    """

    person: UserId
    name: str
    season: int
    skills: tuple[Skill, ...]
    against: Encounters | None
    best: Best | None
    finished: int
    begun: int


def shown(row: RatingRow) -> Rating:
    """A rating as people see it."""
    return Rating(round(row.mu), round(row.sigma), row.sigma > SURE, row.matches, row.won, moved(row.mu, row.gain))


def moved(mu: float, gain: float) -> int:
    """Return the change of the number that people see, if the mean has changed by `gain`."""
    return round(mu) - round(mu - gain)


def place_of(connection: Connection, of: Ladder, rating: Rating) -> int:
    """Return the place of this rating on its leaderboard. Equal numbers share a place."""
    return 1 + ladders.count_listed(connection, of, LISTED, rating.number + 0.5)


def profile_of(
    connection: Connection, server: int, person: UserId, viewer: UserId, season: int, now: datetime
) -> Profile | None:
    known, other = keyed.known(connection, server, person), keyed.known(connection, server, viewer)
    if known is None or not known.is_shown_to(viewer):
        return None
    own = ladders.ratings_of_key(connection, server, known.key)
    skills = []
    for game in GAMES:
        of, alone = Ladder(server, game, season, False), Ladder(server, game, season, True)
        if of in own or alone in own:
            skills.append(_skill(connection, of, known, own.get(of), own.get(alone)))
    against = ladders.encounters(connection, server, known.key, other.key) if other and person != viewer else None
    finished, begun = reliability.whole(connection, known.key, now)
    best = _best(skills, keyed.feats_of(connection, known.key))
    return Profile(person, known.name, season, tuple(skills), against, best, finished, begun)


def average(game: str, players: int, role: str) -> float | None:
    """Return the average share of rounds won in a role with this many players; ``None`` if it was never measured."""
    found = (
        each.shares.get(role) for each in odds.measured(game) if each.level == Level.NORMAL and each.players == players
    )
    return next(found, None)


def _best(skills: Sequence[Skill], feats: Mapping[MatchId, tuple[int, ...]]) -> Best | None:
    """Return the best of the wins that are in these histories; of equal ones the latest."""
    found = [
        Best(skill.game, point.ended_at, Feat(*feats[point.match_id]))
        for skill in skills
        for point in skill.history
        if point.match_id in feats
    ]
    return max(found, key=lambda best: (best.feat.worth, best.ended_at), default=None)


def _skill(
    connection: Connection, of: Ladder, known: keyed.Known, row: RatingRow | None, alone: RatingRow | None
) -> Skill:
    rating, place, history = None, None, list[Point]()
    if row is not None:
        rating = shown(row)
        if row.matches >= LISTED and not known.hidden:
            place = place_of(connection, of, rating)
        history = ladders.points_of_key(connection, of, known.key)
    practice = None if alone is None else shown(alone)
    return Skill(of.game, rating, place, practice, tuple(history), _parts(connection, known, of))


def _parts(connection: Connection, known: keyed.Known, of: Ladder) -> tuple[Share, ...]:
    """Return how often a person won in each role, in all their matches on a ladder."""
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
