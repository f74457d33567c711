"""How often each side wins a round of Saboteur, by the number of players.

People's own shares are compared with these on their page. Normal computers play, with the part `EFFORT` of the
iterations that they have in a match. Each match has its own seed. The table stands in ``docs/ratings.md``. The shares
also stand in `matches.ratings.profiles`, and the benchmark fails if they don't agree.
"""

from __future__ import annotations

from collections import Counter
from math import sqrt
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from benchmarks.measure import Length
from benchmarks.page import Block, row, write
from benchmarks.players import Table, chooser, positions
from benchmarks.sequential import workers
from games import GAMES
from games.saboteur.components import DIGGER, ROLE_NAMES, SABOTEUR
from matches.computers.levels import Level
from matches.ratings.profiles import average

DOCUMENT: Final = Path(__file__).parent.parent / "docs" / "ratings.md"
EFFORT: Final = 0.03
ROLES: Final = (ROLE_NAMES[DIGGER], ROLE_NAMES[SABOTEUR])


class Task(NamedTuple):
    """One match, with this many players."""

    players: int
    number: int


def played(task: Task) -> Counter[tuple[str, bool]]:
    """Play a match. Counts the players of its rounds by role, and by whether they won the round."""
    rng = Random(f"{task.players} {task.number}")
    normal = chooser(Level.NORMAL, EFFORT, rng)
    *_, end = positions(Table("saboteur", task.players), task.number, lambda _state, _player: normal)
    return Counter((part.name, part.won) for parts in end.parts() for part in parts)


def shares(found: Counter[tuple[str, bool]]) -> dict[str, float]:
    """By role: the share of its players who won."""
    return {role: found[role, True] / max(1, found[role, True] + found[role, False]) for role in ROLES}


def margin(matches: int) -> float:
    """How far a share may differ by chance: four standard errors, a round counting as one throw."""
    return 0.01 + 4 * sqrt(0.25 / (3 * matches))


def run(length: Length) -> bool:
    """Print the table. Returns whether the shares of `matches.ratings.profiles` agree with it."""
    info, matches = GAMES["saboteur"].info, length.of(120, 4, 1)
    sizes = range(info.min_players, length.of(info.max_players, info.max_players, info.min_players) + 1)
    tasks = [Task(players, number) for players in sizes for number in range(matches)]
    with workers() as pool:
        found = dict(zip(tasks, pool.map(played, tasks), strict=True))
    by_size = {
        players: shares(sum((found[task] for task in tasks if task.players == players), Counter())) for players in sizes
    }
    rows = [row(players, *(f"{by_role[role]:.2f}" for role in ROLES)) for players, by_role in by_size.items()]
    block = Block((), row("players", *ROLES), rows, by_game=False)
    print(block)
    if length is Length.WHOLE:
        write("roles", [block], document=DOCUMENT)
    return all(
        abs(share - (average("saboteur", players, role) or 0.0)) <= margin(matches)
        for players, by_role in by_size.items()
        for role, share in by_role.items()
    )
