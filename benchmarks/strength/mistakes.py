"""What a beginner overlooks: how many losses come from not looking one line ahead.

The value of an action *one line ahead* is the points by which the lead grows at once, minus those that the opponent's
best reply takes back, if the opponent moves next. A player has *overlooked* the difference between the values of the
best actions and of those that they took. A loss comes from that if they overlooked more than they lost by. Something is
*thrown away* if an action makes the lead smaller at once, and another one would have cost less or nothing.
"""

from __future__ import annotations

from functools import partial
from random import Random
from statistics import median
from typing import Any, Final, NamedTuple

from benchmarks.page import Block, row
from benchmarks.players import Table, chooser, positions
from benchmarks.sequential import Many
from games.core import State
from matches.computers.levels import Level

TABLES: Final = (Table("ambush", 2), Table("gambo", 2))
"""Games with points and without hidden information, so that looking ahead needs no guesses."""

BY_LOOKING: Final = 0.5
"""Least share of the lowest level's losses that come from what it overlooked."""


class Match(NamedTuple):
    """A match of a beginner in this seat against a level with a part (`effort`) of its iterations."""

    table: Table
    deal: int
    seat: int
    level: Level
    effort: float


class Mistakes(NamedTuple):
    """Whether the beginner lost, by how many points, and how many points both overlooked.

    `thrown` counts how often the beginner threw something away.
    """

    lost: bool
    margin: float
    overlooked: float
    by_the_other: float
    thrown: int


def mistakes(match: Match) -> Mistakes:
    """Play a match and note the mistakes."""
    rng = Random(f"{match}")
    beginner, other = chooser(Level.EASY, 1.0, rng), chooser(match.level, match.effort, rng)
    overlooked, thrown = [0.0, 0.0], [0, 0]

    def watched(state: State[Any], player: int, lines: list[tuple[int, Any]]) -> Any:
        action = (beginner if player == match.seat else other)(state, player, lines)
        actions = state.legal_actions(player)
        if len(actions) > 1:
            worth = {each: ahead(state, each) for each in actions}
            gains = {each: gain(state, each) for each in actions}
            overlooked[player] += max(worth.values()) - worth[action]
            thrown[player] += gains[action] < min(0.0, max(gains.values()))
        return action

    *_, end = positions(match.table, match.deal, lambda *_: watched)
    outcome, points, seat = end.outcome(), end.returns(), match.seat
    assert outcome is not None
    lost, margin = seat not in outcome.winners, points[1 - seat] - points[seat]
    return Mistakes(lost, margin, overlooked[seat], overlooked[1 - seat], thrown[seat])


def gain(state: State[Any], action: Any) -> float:
    """The points by which an action increases its player's lead at once."""
    player = state.current_player
    before, after = state.returns(), state.child(player, action).returns()
    return (after[player] - after[1 - player]) - (before[player] - before[1 - player])


def ahead(state: State[Any], action: Any) -> float:
    """The value of an action one line ahead."""
    after = state.child(state.current_player, action)
    if after.current_player != 1 - state.current_player:
        return gain(state, action)
    replies = after.legal_actions(after.current_player)
    return gain(state, action) - max(map(partial(gain, after), replies))


def table(many: Many, tables: list[Table], effort: float, deals: int) -> tuple[Block, bool]:
    """The table of how easy loses to the level above it, and whether it looks like a beginner everywhere."""
    rows, kept = [], True
    for each in tables:
        level = each.levels[1]
        matches = [Match(each, deal, seat, level, effort) for deal in range(deals) for seat in (0, 1)]
        found = list(many(mistakes, matches))
        losses = [match for match in found if match.lost]
        by_looking = sum(match.overlooked > match.margin for match in losses)
        thrown = sum(match.thrown for match in found)
        like = by_looking >= BY_LOOKING * len(losses) and not thrown
        kept &= like
        own, others = median(match.overlooked for match in found), median(match.by_the_other for match in found)
        cells = (each, level, f"{effort:.0%}", f"{len(losses)} of {len(found)}", by_looking, f"{own:g}", f"{others:g}")
        rows.append(row(*cells, thrown, "" if like else "not like a beginner"))
    head = (
        "| game | against | part of its work in a match | easy lost | by what it overlooked "
        "| points overlooked, median | by the other one | thrown away | |"
    )
    return Block(
        ("How easy loses, looking one line ahead, where points tell at once what it brings:",), head, rows
    ), kept
