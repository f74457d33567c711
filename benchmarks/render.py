"""How fast pictures are drawn: ours, compared with an RGB canvas that Pillow saves, and with encoding alone.

The positions come from random matches with the most players that a game allows: the middle of each match, and the
*largest* pictures, those with the most pixels. Each is drawn in these ways, always with cached tiles and labels:

* ours: painted and encoded, without cached bands;
* redraw: the same with the bands of the match's earlier boards in the cache, as for an action in a match;
* plain: the same tiles pasted into an RGB image, saved as PNG with Pillow's defaults;
* encoding: the encoder alone, from a canvas already painted.

Further parts: the pictures of rounds and matches that are over, with uncached bands; the longest recorded match of
every game as an animation; and the lag of an otherwise idle event loop while pictures are drawn in a thread. Times are
CPU times of this process, except for the lag, which is a wall-clock time. From the lag, the time is subtracted in which
a thread waited for a processor that another process had (Linux counts it). The median of several rounds is shown.
The tables are printed, and stand in ``docs/pictures.md``.
"""

from __future__ import annotations

import asyncio
import importlib
import io
import random
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final, NamedTuple, TypeVar
from unittest.mock import patch

from PIL import Image

from benchmarks import measure
from benchmarks.measure import CLOCK, Counts, Length, Rates, Report, Sample, Subject, interleaved, middle, ratio
from games import GAMES
from games.core import CHANCE, TERMINAL, Game, Observation, Played, State
from games.log import beats, parse_log
from render import RENDERERS, Style, gif, png
from render.canvas import Canvas
from render.palette import Colour
from render.story import Passed, Story
from render.style import Marks
from render.tiles import Sprite

T = TypeVar("T")

CEILINGS: Final = {"plain": 0.35, "encoding": 1.5, "bytes": 0.65}
"""Time of ours as a multiple of plain's and of encoding's; bytes of ours as a multiple of plain's."""

FINALE_CEILING: Final = 1.5
"""Time of a round or an end as a multiple of plain's: each is drawn once, and compressed for its size."""

REDRAW_CEILING: Final = 0.6
"""Time of a redraw as a multiple of ours."""

BYTES_CEILING: Final = 60_000
"""Median of the bytes of a picture."""

LAG_CEILING: Final = 5.0
"""Most milliseconds of the loop's lag while pictures are drawn, as the 99th percentile."""

SECONDS_CEILING: Final = 5.0
"""Most seconds for the animation of a whole match."""

REMEMBERED: Final = 20
"""Number of earlier boards in the cache before a redraw. The bot keeps the bands of some forty boards a match."""


class Size(NamedTuple):
    """How much is drawn: `pictures` of each kind, from as many matches, with at most `boards` of a match or animation.

    Then the rounds in which pictures are drawn, and their seconds; and the same for the lag.
    """

    pictures: int
    boards: int
    rounds: int
    seconds: float
    of_lag: int
    lag_seconds: float


WHOLE, QUICK = Size(12, 10_000, 9, 0.3, 9, 2.0), Size(12, 10_000, 3, 0.05, 3, 0.5)
TINY = Size(1, 8, 1, 0.0, 1, 0.05)

LOGS: Final = Path(__file__).parent.parent / "tests" / "logs"

NAMES: Final = ("Ada", "Borges", "Chen Wei", "Dagny", "Élodie", "Farid", "Grete", "Hana", "Iñigo", "Jón")
OURS, PLAIN, ENCODING, REDRAW = "ours", "plain", "encoding", "redraw"
ROUND, END = "a round", "the end"


@dataclass(frozen=True, eq=False)
class Shot:
    """A board to draw: what a spectator sees, and what they saw before each earlier action."""

    key: str
    seen: Observation
    before: tuple[Observation, ...]

    def canvas(self, seen: Observation | None = None) -> Canvas:
        """Paint the board."""
        return RENDERERS[self.key].paint(seen or self.seen, NAMES[: self.seen.players], (), Style())

    def png(self) -> bytes:
        """Draw the board as a PNG file."""
        return self.canvas().png()


@dataclass(frozen=True, eq=False)
class Finale:
    """The end of a round or of a match to draw."""

    key: str
    kind: str
    story: Story

    def png(self) -> bytes:
        """Draw it as a PNG file."""
        draw, people = RENDERERS[self.key], NAMES[: self.story.seen.players]
        return (draw.draw_end if self.kind == END else draw.draw_round)(self.story, people)


class PlainCanvas(Canvas):
    """A canvas without a palette: it is RGB, and tiles are converted to RGB once."""

    _turned: Final[dict[int, tuple[Sprite, Image.Image]]] = {}

    def __init__(self, width: int, height: int, ground: Colour, done: Marks = ()) -> None:
        super().__init__(width, height, ground, done)
        self.image = Image.new("RGB", (self.width, self.height), ground)

    def paste(self, tile: Sprite, x: int, y: int) -> None:
        kept = self._turned.get(id(tile.image))
        if kept is None:
            # The tile is kept beside its copy, so that no other object can get its id.
            kept = self._turned.setdefault(id(tile.image), (tile, tile.image.convert("RGB")))
        self.image.paste(kept[1], (x, y), tile.mask)

    def fill(self, x0: int, y0: int, x1: int, y1: int, colour: Colour) -> None:
        if x1 > x0 and y1 > y0:
            self.image.paste(colour, (max(x0, 0), y0, x1, y1))

    def png(self, *, once: bool = False) -> bytes:
        out = io.BytesIO()
        self.image.save(out, "PNG")
        return out.getvalue()


@contextmanager
def _plainly(key: str) -> Iterator[None]:
    """Paint a game's board, rounds and ends on plain canvases in this context."""
    with ExitStack() as patched:
        for module in ("board", "finale"):
            patched.enter_context(
                patch.object(importlib.import_module(f"render.{key}.{module}"), "Canvas", PlainCanvas)
            )
        yield


def run(length: Length) -> bool:
    """Print the tables. Returns whether every figure kept its floor."""
    size, report = length.of(WHOLE, QUICK, TINY), Report(length)
    print(f"{size.pictures} positions each, medians of {size.rounds} interleaved rounds; times of ours as multiples")
    report.head("pictures", "ours, ms", "of plain", "of encoding", "redraw of ours", "kB", "kB of plain")
    drawn: list[Shot] = []
    for key, game in GAMES.items():
        shots = _shots(key, game, random.Random(f"pictures of {key}"), size)
        for kind, some in (("mid-match", _middle(shots)), ("largest", _largest(shots))):
            drawn += some
            rates = interleaved(_subjects(key, some), size.rounds, size.seconds)
            _add_row(report, f"{game.info.name}, {kind}", key, some, rates)
    ceilings = [f"{ceiling:.2f}" for ceiling in (CEILINGS["plain"], CEILINGS["encoding"], REDRAW_CEILING)]
    report.row("at most", "", *ceilings, f"{BYTES_CEILING / 1e3:.1f}", f"{CEILINGS['bytes']:.2f}")
    _add_finales(report, size)
    _add_animations(report, size.boards)
    _add_lag(report, drawn, size.of_lag, size.lag_seconds)
    return report.kept


def _shots(key: str, game: Game, rng: random.Random, size: Size = WHOLE) -> list[list[Shot]]:
    """Play random matches. Returns the boards of each at which a player acts, except the first, and the last one."""
    return [_match(key, game.new_initial_state(game.info.max_players), rng, size.boards) for _ in range(size.pictures)]


def _match(key: str, state: State[Any], rng: random.Random, most: int) -> list[Shot]:
    boards: list[Observation] = []
    while (player := state.current_player) != TERMINAL and len(boards) < most:
        if player == CHANCE:
            state = state.child(player, state.sample_chance(rng))
        else:
            boards.append(state.observation(None))
            state = state.child(player, rng.choice(state.legal_actions(player)))
    boards.append(state.observation(None))
    return [Shot(key, boards[number], tuple(boards[:number])) for number in range(1, len(boards))]


def _middle(matches: list[list[Shot]]) -> list[Shot]:
    """The board in the middle of every match."""
    return [shots[len(shots) // 2] for shots in matches]


def _largest(matches: list[list[Shot]]) -> list[Shot]:
    """The boards with the most pixels, as many as there are matches; the latest of equally large ones."""
    shots = [shot for match in matches for shot in match]
    sizes = {number: shot.canvas().height for number, shot in enumerate(shots)}
    return [shots[number] for number in sorted(sizes, key=lambda number: (sizes[number], number))[-len(matches) :]]


def _subjects(key: str, shots: list[Shot]) -> dict[str, Subject]:
    canvases = [shot.canvas() for shot in shots]
    left = {shot: _left_by(shot) for shot in shots}
    return {
        OURS: _each(shots, lambda shot: png.BANDS.clear(), lambda shot: shot.png()),
        PLAIN: _drawn_plainly(key, shots),
        ENCODING: _each(canvases, lambda canvas: png.BANDS.clear(), lambda canvas: canvas.png()),
        REDRAW: _each(shots, lambda shot: _put_back(left[shot]), lambda shot: shot.png()),
    }


def _drawn_plainly(key: str, things: Sequence[Shot | Finale]) -> Subject:
    """A subject that draws everything on plain canvases."""

    def plain() -> Counts:
        with _plainly(key):
            for each in things:
                each.png()
        return (len(things),)

    return measure.timed(plain)


def _put_back(bands: Mapping[png.Key, png.Band]) -> None:
    """Replace the content of the cache by these bands."""
    png.BANDS.clear()
    png.BANDS.update(bands)


def _left_by(shot: Shot) -> Mapping[png.Key, png.Band]:
    """The bands that drawing the latest boards before this one leaves in the cache."""
    png.BANDS.clear()
    for seen in shot.before[-REMEMBERED:]:
        shot.canvas(seen).png()
    return dict(png.BANDS)


def _each(things: Sequence[T], prepare: Callable[[T], None], work: Callable[[T], object]) -> Subject:
    """A subject that works on every thing, each after a preparation that isn't timed."""

    def subject() -> Sample:
        passed = 0.0
        for thing in things:
            prepare(thing)
            begun = CLOCK()
            work(thing)
            passed += CLOCK() - begun
        return (len(things),), passed

    return subject


def _add_row(report: Report, name: str, key: str, shots: list[Shot], rates: Rates) -> None:
    """Add a row to the table of pictures."""
    size = median(len(shot.png()) for shot in shots)
    with _plainly(key):
        plain_size = median(len(shot.png()) for shot in shots)
    # Rates are pictures a second, so the peer's rate divided by ours is our time divided by the peer's.
    plain, encoding = ratio(rates, PLAIN, OURS), ratio(rates, ENCODING, OURS)
    redraw, share = ratio(rates, OURS, REDRAW), size / plain_size
    kept = (
        plain <= CEILINGS["plain"]
        and encoding <= CEILINGS["encoding"]
        and redraw <= REDRAW_CEILING
        and share <= CEILINGS["bytes"]
        and size <= BYTES_CEILING
    )
    cells = (f"{plain:.2f}", f"{encoding:.2f}", f"{redraw:.2f}", f"{size / 1e3:.1f}", f"{share:.2f}")
    report.row(name, f"{1e3 / middle(rates, OURS):.1f}", *cells, kept=kept)


def _add_finales(report: Report, size: Size) -> None:
    """Add the table of rounds and matches that are over, each drawn once in a match."""
    report.head("rounds and ends", "ours, ms", "of plain", "kB", "kB of plain")
    for key, game in GAMES.items():
        finales = _finales(key, game, random.Random(f"ends of {key}"), size)
        for kind in (ROUND, END):
            some = [each for each in finales if each.kind == kind][: size.pictures]
            if some:
                _add_finale(report, f"{game.info.name}, {kind}", key, some, size)
    ceilings = f"{FINALE_CEILING:.2f}", f"{BYTES_CEILING / 1e3:.1f}", f"{CEILINGS['bytes']:.2f}"
    report.row("at most", "", *ceilings)


def _add_finale(report: Report, name: str, key: str, some: list[Finale], size: Size) -> None:
    ours = _each(some, lambda each: png.BANDS.clear(), lambda each: each.png())
    rates = interleaved({OURS: ours, PLAIN: _drawn_plainly(key, some)}, size.rounds, size.seconds)
    data = median(len(each.png()) for each in some)
    with _plainly(key):
        share = data / median(len(each.png()) for each in some)
    of_plain = ratio(rates, PLAIN, OURS)
    kept = of_plain <= FINALE_CEILING and data <= BYTES_CEILING and share <= CEILINGS["bytes"]
    cells = f"{1e3 / middle(rates, OURS):.1f}", f"{of_plain:.2f}", f"{data / 1e3:.1f}", f"{share:.2f}"
    report.row(name, *cells, kept=kept)


def _finales(key: str, game: Game, rng: random.Random, size: Size) -> list[Finale]:
    """Play random matches. Returns the end of each, and the rounds before it."""
    found = []
    for _ in range(size.pictures):
        state, course = game.new_initial_state(game.info.max_players), list[Passed]()
        while (player := state.current_player) != TERMINAL:
            action = state.sample_chance(rng) if player == CHANCE else rng.choice(state.legal_actions(player))
            after = state.child(player, action)
            course.append(Passed(Played(player, after.seen_by(None, player, action)), after.observation(None)))
            if after.rounds_over > state.rounds_over and not after.is_terminal and RENDERERS[key].paint_round:
                found.append(Finale(key, ROUND, Story(tuple(course))))
            state = after
        found.append(Finale(key, END, Story(tuple(course), RENDERERS[key].ended(course[-1].observation))))
    return found


def _add_animations(report: Report, most: int) -> None:
    """Add the table of animations: of every game's longest recorded match, at most its first `most` lines."""
    report.head("longest recorded match", "frames", "width", "MB", "seconds")
    for key, game in GAMES.items():
        header, lines = max(
            (parse_log(path.read_text()) for path in LOGS.glob(f"{key}-*.log")), key=lambda log: len(log[1])
        )
        played = [*beats(header, lines)][:most]
        shots = RENDERERS[key].shots(played, NAMES[: header.players])
        begun = CLOCK()
        data = RENDERERS[key].animate(played, NAMES[: header.players])
        seconds = CLOCK() - begun
        with Image.open(io.BytesIO(data)) as image:
            width = image.width
        kept = len(data) <= gif.MAX_BYTES and seconds <= SECONDS_CEILING
        name = f"{game.info.name}, {header.players} players"
        report.row(name, str(len(shots)), str(width), f"{len(data) / 1e6:.1f}", f"{seconds:.1f}", kept=kept)
    report.row("at most", "", "", f"{gif.MAX_BYTES / 1e6:.1f}", f"{SECONDS_CEILING:.1f}")


def _add_lag(report: Report, shots: list[Shot], rounds: int, seconds: float) -> None:
    """Add the table of the event loop's lag while pictures are drawn in a thread."""
    idle = median(asyncio.run(_lag([], seconds)) for _ in range(rounds))
    lag = median(asyncio.run(_lag(shots, seconds)) for _ in range(rounds))
    report.head("lag of the loop, 99th percentile", "ms")
    report.row("nothing drawn", f"{idle:.2f}")
    report.row("drawing in a thread", f"{lag:.2f}", kept=lag <= LAG_CEILING)
    report.row("at most", f"{LAG_CEILING:.2f}")


async def _lag(shots: list[Shot], seconds: float) -> float:
    """The 99th percentile of the loop's lag in milliseconds, without the time that other processes took."""
    with ThreadPoolExecutor(1) as drawer:
        loop = asyncio.get_running_loop()
        threads = [threading.get_native_id(), await loop.run_in_executor(drawer, threading.get_native_id)]
        drawing = asyncio.ensure_future(_keep_drawing(shots, drawer)) if shots else None
        late = list[float]()
        end = perf_counter() + seconds
        while (now := perf_counter()) < end or len(late) < 2:
            queued = [_queued(thread) for thread in threads]
            await asyncio.sleep(0.001)
            passed = 1e3 * (perf_counter() - now) - 1
            late.append(passed - max(_queued(thread) - before for thread, before in zip(threads, queued, strict=True)))
        if drawing is not None:
            drawing.cancel()
            await asyncio.gather(drawing, return_exceptions=True)
        return measure.quantile_of(late, 99)


def _queued(thread: int) -> float:
    """Milliseconds that a thread of this process has waited for a processor so far; 0 if that isn't counted."""
    try:
        return int(Path(f"/proc/self/task/{thread}/schedstat").read_bytes().split()[1]) / 1e6
    except OSError:
        return 0.0


async def _keep_drawing(shots: list[Shot], drawer: Executor) -> None:
    """Keep drawing one board after the other in a thread, as the bot does."""
    while True:
        for shot in shots:
            png.BANDS.clear()
            await asyncio.get_running_loop().run_in_executor(drawer, shot.png)
