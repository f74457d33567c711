"""How much of a match its pictures alone retell: the share of actions shown with mover, place and effect, by game.

Easy computers play all seats, of which some stand for people. A picture is posted as in a server: when it is a
person's turn, and at the end of a round and of the match. So the turns of several computers share one picture.

An action is shown by a caption, or by all its marks: the canvas notes both while it draws. A mark counts if it lies in
the picture, is at least `SMALLEST` pixels at `PHONE` pixels' width, and no later mark covers it. A hidden action counts
by its mover and its kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Final, NamedTuple

from benchmarks.measure import Length, Report
from benchmarks.players import Table, chooser, recorded
from benchmarks.sequential import workers
from games.core import Observation, Played, Stage
from games.log import replay
from matches.computers.levels import Level
from render import RENDERERS, Style
from render.canvas import Canvas, Told
from render.story import Passed, Story
from render.style import Mark

TABLES: Final = {
    Table("saboteur", 5): (0, 2),
    Table("ambush", 2): (0,),
    Table("gambo", 2): (0,),
    Table("ambagibus", 4, "advanced"): (0, 2),
    Table("abissal", 3): (0, 1),
}
"""The seats of people at each table."""

NAMES: Final = ("Ann", "Copper", "Bob", "Otter", "Juniper")
FLOOR: Final = 0.9
PHONE: Final = 400
SMALLEST: Final = 12
COVERED: Final = 0.25
"""The share of a mark from which on another one covers it."""


class Picture(NamedTuple):
    """A posted picture, and the actions since the one before: their marks, and what kind each is."""

    canvas: Canvas
    marks: tuple[Mark, ...]
    kinds: tuple[str, ...]

    def shown(self) -> set[int]:
        """The numbers of the actions that it shows."""
        told = {(each.number, each.place) for number, each in enumerate(self.canvas.told) if self._is_seen(number)}
        found = set[int]()
        for number in range(1, len(self.kinds) + 1):
            own = [mark for mark in self.marks if mark.number == number]
            whole = all((number, mark.place) in told and not self._is_undone(mark) for mark in own)
            if (number, "") in told or (own and whole):
                found.add(number)
        return found

    def _is_undone(self, mark: Mark) -> bool:
        """Whether a later action has changed what lies there. What it has removed is still shown."""
        later = [each for each in self.marks if each.place == mark.place and each.number > mark.number]
        return mark.place[0] != "#" and any(not each.sign and (mark.gone or not each.gone) for each in later)

    def _is_seen(self, number: int) -> bool:
        left, top, right, bottom = self.canvas.told[number].box
        within = left >= 0 and top >= 0 and right <= self.canvas.width and bottom <= self.canvas.height
        large = min(right - left, bottom - top) * PHONE >= (SMALLEST - 0.05) * self.canvas.width
        own, later = self.canvas.told[number], self.canvas.told[number + 1 :]
        # Captions in one line of text have one box.
        return within and large and all(_share(own, each) <= COVERED or each.box == own.box for each in later)


def _share(told: Told, other: Told) -> float:
    """The share of the first mark that the second covers."""
    (left, top, right, bottom), (x0, y0, x1, y1) = told.box, other.box
    across, down = min(right, x1) - max(left, x0), min(bottom, y1) - max(top, y0)
    return max(0, across) * max(0, down) / ((right - left) * (bottom - top))


def pictures(table: Table, number: int) -> Iterator[Picture]:
    """Play a match, and yield the pictures that are posted."""
    rng, draw, names = Random(f"{table} {number}"), RENDERERS[table.game], NAMES[: table.players]
    header, lines = recorded(table, [chooser(Level.EASY, 1.0, rng)] * table.players, rng)
    passed, since, rounds = list[Passed](), 0, 0
    for line, state in replay(header, lines):
        action = state.seen_by(None, line.player, state.string_to_action(line.player, line.text))
        now: Observation = state.observation(None)
        passed.append(Passed(Played(line.player, action), now))
        calls = state.current_player in TABLES[table] and state.stage is Stage.TURN and state.forced_action() is None
        if not (calls or state.rounds_over > rounds or state.is_terminal):
            continue
        marks = draw.marked(passed[since:], passed[since - 1].observation if since else None)
        told = Story(tuple(passed), draw.ended(now), marks=marks)
        if state.is_terminal:
            canvas = draw.paint_match_end(told, names, Style())
        elif state.rounds_over > rounds:
            canvas = draw.paint_round_end(told, names, Style())
        else:
            canvas = draw.paint(now, names, marks, Style())
        done = [each.line for each in passed[since:] if each.line.player >= 0]
        yield Picture(canvas, marks, tuple(type(each.action).__name__ for each in done))
        since, rounds = len(passed), state.rounds_over


def retold(table: Table, number: int) -> Counter[tuple[str, bool]]:
    """Play a match. Counts its actions by kind, and by whether a picture shows them."""
    found = Counter[tuple[str, bool]]()
    for picture in pictures(table, number):
        shown = picture.shown()
        found += Counter((kind, number in shown) for number, kind in enumerate(picture.kinds, 1))
    return found


def run(length: Length) -> bool:
    """Print the table. Returns whether every game keeps its floor."""
    report, matches = Report(length, 36), length.of(50, 10, 1)
    report.head(f"{matches} matches each", "actions", "shown", "at least")
    with workers() as pool:
        for table in TABLES:
            found = sum(pool.map(partial(retold, table), range(matches)), Counter[tuple[str, bool]]())
            shown = sum(count for (_, seen), count in found.items() if seen)
            share = shown / found.total()
            report.row(str(table), f"{found.total()}", f"{share:.3f}", f"{FLOOR:.2f}", kept=share >= FLOOR)
            for kind in sorted({kind for kind, _ in found}):
                every = found[kind, True] + found[kind, False]
                report.row(f"  {kind}", f"{every}", f"{found[kind, True] / every:.3f}")
    return report.kept
