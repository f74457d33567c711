"""``python -m benchmarks.review.fitting ROUNDS.jsonl [--deals N]``: fit the habits of players of Saboteur.

Rounds are played at mixed tables of all sizes and kept in the file, up to `N` deals. A later run adds those that are
missing, and fits anew. Those after the first 50 deals have no experts. It writes
``matches/computers/judgements/saboteur/habits.json``. Whom the table suspects follows from the habits themselves, so
run it again until they hardly change.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from math import exp, prod, sqrt
from operator import add
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.players import RANDOM
from benchmarks.review.mixed import kinds_of, played, turns
from games.saboteur.components import DIGGER, HAND_SIZE, SABOTEUR, TREASURE
from matches.computers.judgements.saboteur.roles import PATH, Beliefs, Habits, facts_of, group_of
from matches.computers.judgements.saboteur.turns import FACTS, GROUPS, Deed, Seen, Turn

MIXTURE: Final = {"expert": 0.1, "sensible": 0.26, "thumb": 0.26, "open": 0.12, RANDOM: 0.1, "changing": 0.16}

COMPUTERS: Final = {"expert": 0.5, "sensible": 0.5}
"""Who sits at every third table, since experts mustn't be judged worse for the sake of the others."""

COMPONENTS: Final = (("expert", "sensible"), ("thumb",), ("open",), (RANDOM,))
"""The kinds of players that are told apart. Those who change between them need no numbers of their own."""

WITH_EXPERTS: Final = 50
"""So many deals have experts. Rounds without them take far less time."""

RARE: Final = 0.5
"""How frequent those who play at random are taken to be, by how frequent they are at these tables.

Otherwise somebody who lays three dead ends would be taken to do anything at all.
"""

STEPS: Final = 250
RATE: Final = 0.1
SHRUNK: Final = 3.0
"""What half the sum of the squared numbers costs."""

Seat = tuple[str, str, list[Turn]]
"""A kind of player, a role, and their turns in a round."""


def rounds(path: Path, deals: int) -> list[Any]:
    """Return the rounds of the file. Play those that are missing, and add them."""
    found = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    with path.open("a", encoding="utf-8") as file:
        for number in range(len(found), deals * len(HAND_SIZE)):
            deal, players = number // len(HAND_SIZE), list(HAND_SIZE)[number % len(HAND_SIZE)]
            with_experts = deal < WITH_EXPERTS
            mixture = MIXTURE if deal % 3 or not with_experts else COMPUTERS
            kinds = kinds_of(mixture, players, Random(f"fit {players} {deal}"))
            kinds = ["sensible" if kind == "expert" and not with_experts else kind for kind in kinds]
            found.append({"players": players, "kinds": kinds, "log": played(players, kinds, f"fit {deal}")})
            file.write(f"{json.dumps(found[-1])}\n")
            file.flush()
    return found


def seats(game: Any) -> list[Seat]:
    """Return what everybody saw of each seat in a round, with the goals that its player had."""
    players, told = game["players"], list[list[Turn]]()
    beliefs, roles = Beliefs(Seen(players)), ""
    told = [[] for _ in range(players)]
    for before, action, after in turns(players, game["log"]):
        seat, roles, seen = before.current_player, before.roles, beliefs.seen
        told[seat].append(seen.turn(seat, action, seen.goals(seat, before.goals.index(TREASURE))))
        beliefs.see(seat, action, after.maze.cards)
    return list(zip(game["kinds"], roles, told, strict=False))


def softmax(rows: Sequence[Turn]) -> list[list[float]]:
    """Return what each fact adds to the log of how often each group is done: a regression by Adam's method."""
    counts = defaultdict[int, list[float]](lambda: [0.0] * len(GROUPS))
    for row in rows:
        counts[row.facts][group_of(row.deed)] += 1
    prepared = [(facts_of(Turn(Deed.LOOKS, facts)), sum(told), told) for facts, told in counts.items()]
    numbers, means, spreads = ([[0.0] * len(GROUPS) for _ in range(FACTS + 1)] for _ in range(3))
    for step in range(1, STEPS + 1):
        slopes = [[SHRUNK * each for each in number] for number in numbers]
        for facts, count, told in prepared:
            powers = [exp(each) for each in map(sum, zip(*(numbers[fact] for fact in facts), strict=True))]
            part = count / sum(powers)
            errors = [part * power - each for power, each in zip(powers, told, strict=True)]
            for fact in facts:
                slopes[fact] = list(map(add, slopes[fact], errors))
        # The last steps are shorter and shorter.
        rate = RATE * min(1, (1 - step / STEPS) / 0.4 + 1e-3)
        for number, mean, spread, slope in zip(numbers, means, spreads, slopes, strict=True):
            for place, each in enumerate(slope):
                mean[place] += 0.1 * (each - mean[place])
                spread[place] += 0.01 * (each * each - spread[place])
                size = sqrt(spread[place] / (1 - 0.99**step)) + 1e-9
                number[place] -= rate * mean[place] / (1 - 0.9**step) / size
    return [[round(each, 2) for each in number] for number in numbers]


def within_groups(rows: Sequence[Turn]) -> list[list[float]]:
    """Return how often each deed of its group is done, without and with a suspect."""
    found = []
    for suspect in (0, 1):
        counts = [0.5 + sum(row.deed == deed and row.facts & 1 == suspect for row in rows) for deed in Deed]
        found.append([round(counts[deed] / sum(counts[other] for other in GROUPS[group_of(deed)]), 4) for deed in Deed])
    return found


def fitted(tables: Sequence[Sequence[Seat]]) -> Habits:
    """Return the habits that fit these tables. Those who play at random do the same in both roles.

    How frequent each kind is follows from the tables where not only computers sit.
    """
    groups, deeds, told = [], [], [seat for table in tables for seat in table]
    mixed = [seat for table in tables for seat in table if any(kind not in COMPUTERS for kind, _, _ in table)]
    for kinds in COMPONENTS:
        sides = [(DIGGER, SABOTEUR)] * 2 if RANDOM in kinds else [(DIGGER,), (SABOTEUR,)]
        rows = [[turn for kind, role, own in told if kind in kinds and role in side for turn in own] for side in sides]
        groups.append(list(map(softmax, rows)))
        deeds.append(list(map(within_groups, rows)))
    count = len(COMPONENTS)
    habits = Habits([1 / count] * count, 1 / (count + 1), groups, deeds)
    for _ in range(10):
        habits = reweighed(habits, mixed)
    shares = [share * (RARE if RANDOM in kinds else 1) for share, kinds in zip(habits.shares, COMPONENTS, strict=True)]
    return habits._replace(shares=rounded(shares))


def rounded(shares: Sequence[float]) -> list[float]:
    """Return shares in proportion that add up to 1, with three places."""
    others = [round(share / sum(shares), 3) for share in shares[1:]]
    return [round(1 - sum(others), 3), *others]


def reweighed(habits: Habits, told: Sequence[Seat]) -> Habits:
    """Return these habits with shares that fit better: a step of expectation and maximization."""
    found = [0.0] * len(habits.kinds)
    known = {turn: habits.chances(turn) for turn in {turn for _, _, own in told for turn in own}}
    for _, role, own in told:
        chances = [known[turn][role == SABOTEUR] for turn in own]
        weights = [
            share * prod(column) for share, column in zip(habits.kinds, zip(*chances, strict=True), strict=False)
        ]
        for kind, weight in enumerate(weights):
            found[kind] += weight / sum(weights)
    *shares, changing = (round(each / sum(found), 3) for each in found)
    return habits._replace(shares=rounded(shares), changing=changing)


def main() -> None:
    """Play what is missing, fit, and write the habits."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.review.fitting")
    parser.add_argument("rounds", type=Path)
    parser.add_argument("--deals", type=int, default=100)
    asked = parser.parse_args()
    tables = list(map(seats, rounds(asked.rounds, asked.deals)))
    habits = fitted(tables)
    PATH.write_text(f"{json.dumps(habits._asdict())}\n", "utf-8")
    print(f"{len(tables)} rounds, {sum(len(own) for table in tables for _, _, own in table)} turns: {habits.kinds}")


if __name__ == "__main__":
    main()
