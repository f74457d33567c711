"""Finished matches, and their statistics counted row by row.

They are counted from `played_seats`, a copy in which a forgotten person is still a separate person, without a name.
"""

from random import Random
from typing import Any

MATCH = """INSERT INTO matches (id, game, options, rules_version, status, host_id, guild_id, channel_id, seed,
    commitment, pace, setting, invited, created_at, ended_at, counts)
    VALUES (:id, :game, '{}', 1, 'over', 1, :guild_id, 7, :seed, '', 'day', 'channel', '[]', 1, 2, :counts)"""
SEAT = """INSERT INTO seats (match_id, position, seat, user_id, name, computer, won, points)
    VALUES (:match_id, :position, :seat, :user_id, :name, :computer, :won, :points)"""

END = "UPDATE seats SET ended_at = 2 WHERE match_id = :id"
COPY = "CREATE TEMP TABLE played_seats AS SELECT * FROM seats"
COPY_MATCH = "INSERT INTO played_seats SELECT * FROM seats WHERE match_id = :id"
FORGET = """UPDATE played_seats SET
    user_id = (SELECT CASE WHEN min(user_id) < 0 THEN min(user_id) ELSE 0 END - 1 FROM played_seats),
    name = 'Player ' || (seat + 1) WHERE user_id = :who"""

_PLAYERS = "(SELECT count(*) FROM seats AS a WHERE a.match_id = m.id) AS players"
_LATEST_NAME = "substr(max((100000 + m.id) || s.name), 7)"
_ROWS = f"""SELECT m.game, {_PLAYERS}, s.user_id, {_LATEST_NAME}, count(*),
    sum(CASE WHEN s.won THEN 1 ELSE 0 END), max(s.points)
    FROM matches AS m JOIN played_seats AS s ON s.match_id = m.id WHERE m.counts AND s.user_id IS NOT NULL AND """
_BY = " GROUP BY m.game, players, s.user_id ORDER BY m.game, players, s.user_id < 0, s.user_id"
OF_PERSON = f"{_ROWS} s.user_id = :who {_BY}"
ON_GUILD = f"{_ROWS} m.guild_id = :who AND s.computer IS NULL {_BY}"
OF_GUILD = f"""SELECT m.game, {_PLAYERS}, count(*) FROM matches AS m WHERE m.guild_id = :who AND m.counts
    GROUP BY m.game, players"""
"""The statistics of a person and of a server, counted from the seats."""

GUILDS = (None, 1, 2)
USERS = range(11, 17)


def match(rng: Random, number: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A finished match and its seats. Some don't count, some have computers or forgotten people."""
    played = {
        "id": number,
        "seed": b"",
        "game": rng.choice("ab"),
        "guild_id": rng.choice(GUILDS),
        "counts": rng.random() < 0.8,
    }
    people = rng.sample(USERS, rng.randint(2, 4))
    places = rng.sample(range(len(people)), len(people))
    seats = []
    for position, (user_id, place) in enumerate(zip(people, places, strict=True)):
        whose = rng.random()
        nameless = whose < 0.2
        seats.append(
            {
                "match_id": number,
                "position": position,
                "seat": place,
                "user_id": None if nameless else user_id,
                "name": f"Player {place + 1}" if nameless else f"P{user_id % 3}{rng.choice('xyz')}",
                "computer": "normal" if whose < 0.1 or whose > 0.9 else None,
                "won": rng.random() < 0.4,
                "points": rng.randint(-3, 3),
            }
        )
    return played, seats


def of_guild(rows: list[tuple[Any, ...]], played: dict[tuple[str, int], int]) -> list[tuple[Any, ...]]:
    """The combined result of `ON_GUILD` and `OF_GUILD`: who won most, and who had the best result."""
    groups: dict[tuple[str, int], list[tuple[Any, ...]]] = {}
    for row in rows:
        groups.setdefault((row[0], row[1]), []).append(row)
    found = []
    for game, players in sorted(played):
        group = groups.get((game, players))
        if group is None:
            found.append((game, players, played[game, players], 0, 0, "", ""))
            continue
        winner, scorer = max(group, key=lambda row: row[5]), max(group, key=lambda row: row[6])
        found.append((game, players, played[game, players], winner[5], scorer[6], winner[3], scorer[3]))
    return found
