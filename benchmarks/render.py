"""How fast pictures are drawn: ours against an RGB canvas that Pillow saves, and against encoding alone.

Positions of random matches, for the most players a game allows: the middle of each match, and the *largest* pictures,
those with the most pixels. Each is drawn in these ways, all with tiles and labels kept from earlier drawings:

* ours: painted and encoded, nothing kept of any picture;
* redraw: the same with what the boards of the match so far have left, which is what an action costs in a match;
* plain: the very same tiles pasted into an RGB image, saved as PNG with Pillow's defaults;
* encoding: the encoder alone, from a canvas already painted.

Times are of this process alone. The lag of an event loop, on which nothing else happens while pictures are drawn in a
thread, can only be taken by the clock on the wall, so other processes count: of several rounds the quietest stands.
"""

from __future__ import annotations

import asyncio
import importlib
import io
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median, quantiles
from time import perf_counter
from typing import Any, Final, TypeVar
from unittest.mock import patch

from PIL import Image

from benchmarks.measure import CLOCK, UNDER, Counts, Rates, Sample, Subject, interleaved, middle, ratio, timed
from games import GAMES
from games.core import CHANCE, TERMINAL, Game, Observation, State
from render import RENDERERS, Style, png
from render.canvas import Canvas
from render.palette import Colour
from render.tiles import Sprite

T = TypeVar("T")

CEILINGS: Final = {"plain": 0.35, "encoding": 1.5, "bytes": 0.65}
"""Time of ours as a multiple of the plain way's and of encoding's; bytes as a multiple of the plain way's."""

REDRAW_CEILING: Final = 0.6
"""Time of a redraw as a multiple of ours."""

BYTES_CEILING: Final = 60_000
"""Median of the bytes of a picture."""

LAG_CEILING: Final = 5.0
"""Milliseconds by which one turn in a hundred of the event loop may be late while pictures are drawn."""

REMEMBERED: Final = 20
"""Boards of a match before a redraw; the bot keeps what belongs to some forty."""

PICTURES: Final = 12
"""Positions of each kind, and matches they are taken from."""

NAMES: Final = ("Ada", "Borges", "Chen Wei", "Dagny", "Élodie", "Farid", "Grete", "Hana", "Iñigo", "Jón")
OURS, PLAIN, ENCODING, REDRAW = "ours", "plain", "encoding", "redraw"


@dataclass(frozen=True, eq=False)
class Shot:
    """A board to be drawn: what a spectator sees, and what he saw at the actions before."""

    key: str
    seen: Observation
    before: tuple[Observation, ...]

    def canvas(self, seen: Observation | None = None) -> Canvas:
        """The board, painted and not encoded."""
        return RENDERERS[self.key].paint(seen or self.seen, NAMES[: self.seen.players], (), Style())

    def png(self) -> bytes:
        """The board as a file."""
        return self.canvas().png()


class PlainCanvas(Canvas):
    """A canvas as one would have it without a palette: RGB, the tiles turned into RGB beforehand."""

    _turned: Final[dict[int, tuple[Sprite, Image.Image]]] = {}

    def __init__(self, width: int, height: int, ground: Colour) -> None:
        super().__init__(width, height, ground)
        self.image = Image.new("RGB", (self.width, self.height), ground)

    def put(self, tile: Sprite, x: int, y: int) -> None:
        kept = self._turned.get(id(tile.image))
        if kept is None:
            # The tile is kept beside its copy, so that nothing else can ever have its id.
            kept = self._turned.setdefault(id(tile.image), (tile, tile.image.convert("RGB")))
        self.image.paste(kept[1], (x, y), tile.mask)

    def fill(self, x0: int, y0: int, x1: int, y1: int, colour: Colour) -> None:
        if x1 > x0 and y1 > y0:
            self.image.paste(colour, (max(x0, 0), y0, x1, y1))

    def png(self) -> bytes:
        out = io.BytesIO()
        self.image.save(out, "PNG")
        return out.getvalue()


@contextmanager
def _plainly(key: str) -> Iterator[None]:
    """While it lasts, a game's board is painted on plain canvases."""
    with patch.object(importlib.import_module(f"render.{key}.board"), "Canvas", PlainCanvas):
        yield


def run(quick: bool) -> bool:
    """Print the tables; whether every figure keeps its floor."""
    rounds, seconds = (3, 0.05) if quick else (9, 0.3)
    print(f"Boards of {PICTURES} positions each, medians of {rounds} interleaved rounds; times of ours as multiples\n")
    print(f"{'':30}{'ours ms':>9}{'/plain':>8}{'/encoding':>11}{'redraw':>8}{'kB':>7}{'/plain':>8}")
    kept = True
    drawn: list[Shot] = []
    for key, game in GAMES.items():
        shots = _shots(key, game, random.Random(f"pictures of {key}"))
        for kind, some in (("mid-match", _middle(shots)), ("largest", _largest(shots))):
            drawn += some
            rates = interleaved(_subjects(key, some), rounds, seconds)
            kept = _print_row(f"{game.info.name}, {kind}", key, some, rates) and kept
    return _print_lag(drawn, 3 if quick else 7, 0.5 if quick else 2.0) and kept


def _shots(key: str, game: Game, rng: random.Random) -> list[list[Shot]]:
    """Random matches: of each the boards that are waited at, with those before them."""
    return [_match(key, game.new_initial_state(game.info.max_players), rng) for _ in range(PICTURES)]


def _match(key: str, state: State[Any], rng: random.Random) -> list[Shot]:
    boards: list[Observation] = []
    while (player := state.current_player) != TERMINAL:
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
    """The boards with the most pixels; of those with equally many the latest."""
    shots = [shot for match in matches for shot in match]
    sizes = {number: shot.canvas().height for number, shot in enumerate(shots)}
    return [shots[number] for number in sorted(sizes, key=lambda number: (sizes[number], number))[-PICTURES:]]


def _subjects(key: str, shots: list[Shot]) -> dict[str, Subject]:
    canvases = [shot.canvas() for shot in shots]
    left = {shot: _left_by(shot) for shot in shots}

    def plain() -> Counts:
        with _plainly(key):
            for shot in shots:
                shot.png()
        return (len(shots),)

    return {
        OURS: _each(shots, lambda shot: png.BANDS.clear(), lambda shot: shot.png()),
        PLAIN: timed(plain),
        ENCODING: _each(canvases, lambda canvas: png.BANDS.clear(), lambda canvas: canvas.png()),
        REDRAW: _each(shots, lambda shot: png.BANDS.restore(left[shot]), lambda shot: shot.png()),
    }


def _left_by(shot: Shot) -> Mapping[png.Key, png.Band]:
    """What drawing the latest boards before this one leaves."""
    png.BANDS.clear()
    for seen in shot.before[-REMEMBERED:]:
        shot.canvas(seen).png()
    return png.BANDS.snapshot()


def _each(things: Sequence[T], prepare: Callable[[T], None], work: Callable[[T], object]) -> Subject:
    """Work on every thing, each after a preparation that is not timed."""

    def subject() -> Sample:
        passed = 0.0
        for thing in things:
            prepare(thing)
            begun = CLOCK()
            work(thing)
            passed += CLOCK() - begun
        return (len(things),), passed

    return subject


def _print_row(name: str, key: str, shots: list[Shot], rates: Rates) -> bool:
    """One row of the table; whether it keeps its floors."""
    size = median(len(shot.png()) for shot in shots)
    with _plainly(key):
        plain_size = median(len(shot.png()) for shot in shots)
    # The rates are pictures a second, so the peer's rate over ours is our time over the peer's.
    plain, encoding = ratio(rates, PLAIN, OURS), ratio(rates, ENCODING, OURS)
    redraw, share = ratio(rates, OURS, REDRAW), size / plain_size
    kept = (
        plain <= CEILINGS["plain"]
        and encoding <= CEILINGS["encoding"]
        and redraw <= REDRAW_CEILING
        and share <= CEILINGS["bytes"]
        and size <= BYTES_CEILING
    )
    print(
        f"{name:30}{1e3 / middle(rates, OURS):9.1f}{plain:8.2f}{encoding:11.2f}{redraw:8.2f}"
        f"{size / 1e3:7.1f}{share:8.2f}{'' if kept else f'  {UNDER}'}"
    )
    return kept


def _print_lag(shots: list[Shot], rounds: int, seconds: float) -> bool:
    """How late an event loop is while pictures are drawn in a thread; whether that is within its ceiling."""
    idle = min(asyncio.run(_lag([], seconds)) for _ in range(rounds))
    lag = min(asyncio.run(_lag(shots, seconds)) for _ in range(rounds))
    low = lag > LAG_CEILING
    print(f"\n{'Event-loop lag, p99':30}{'ms':>9}{'ceiling':>9}")
    print(f"{'nothing drawn':30}{idle:9.2f}")
    print(f"{'drawing in a thread':30}{lag:9.2f}{LAG_CEILING:9.1f}{f'  {UNDER}' if low else ''}")
    return not low


async def _lag(shots: list[Shot], seconds: float) -> float:
    """By how many milliseconds one turn in a hundred comes too late."""
    drawing = asyncio.ensure_future(_keep_drawing(shots)) if shots else None
    late = []
    end = perf_counter() + seconds
    while (now := perf_counter()) < end:
        await asyncio.sleep(0.001)
        late.append(1e3 * (perf_counter() - now) - 1)
    if drawing is not None:
        drawing.cancel()
        await asyncio.gather(drawing, return_exceptions=True)
    return quantiles(late, n=100)[-1]


async def _keep_drawing(shots: list[Shot]) -> None:
    """Draw one board after the other, each in a thread, as the bot does."""
    while True:
        for shot in shots:
            png.BANDS.clear()
            await asyncio.to_thread(shot.png)
