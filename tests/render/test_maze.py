"""Mazes on pictures: every playable place is visible, and cards keep their place while the maze grows."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from games.core import CHANCE
from games.grid import EDGES, Cell, neighbours
from render import RENDERERS, Style, maze, png
from render.ambagibus import components
from render.canvas import Canvas
from render.palette import INK
from render.style import MAX_SIDE
from tests.conformance.matches import played
from tests.conformance.policies import random_play
from tests.render.positions import LARGEST, people

STYLE = Style()


def grown(steps: int, seed: int) -> list[set[Cell]]:
    """A maze that grows card by card beside the cards that lie there."""
    rng, cells, mazes = Random(seed), {(0, 0)}, []
    for _ in range(steps):
        mazes.append(set(cells))
        cells.add(rng.choice(sorted({beside for cell in cells for beside in neighbours(cell)} - cells)))
    return mazes


@pytest.mark.parametrize("seed", range(5))
def test_a_ring_of_places_about_the_maze_is_in_sight(seed: int) -> None:
    for cells in grown(60, seed):
        plan = maze.planned(maze.around(maze.ringed(cells)), [(0, 0)], STYLE, 500)
        shown = plan.overview or plan.grid
        assert all(shown.area.holds(beside) for cell in cells for beside in neighbours(cell))
        assert plan.grid.area.holds((0, 0))
        for grid in filter(None, (plan.grid, plan.overview)):
            assert grid.x >= 0
            assert grid.x + grid.width <= STYLE.width
            assert grid.y + grid.height <= MAX_SIDE - 500
        assert plan.grid.wide >= maze.SIZES.smallest


@pytest.mark.parametrize("seed", range(5))
def test_cards_mostly_keep_their_column_while_the_maze_grows(seed: int) -> None:
    kept, before = 0, None
    mazes = grown(50, seed)
    for cells in mazes:
        grid = maze.planned(maze.around(maze.ringed(cells)), [(0, 0)], STYLE, 500).grid
        now = grid.wide, grid.corner((0, 0))[0]
        kept += now == before
        before = now
    assert kept / len(mazes) >= 0.7


def test_a_maze_too_large_for_its_cards_is_shown_twice() -> None:
    area = maze.Area(-20, -20, 20, 20)
    plan = maze.planned(area, [(15, 15)], STYLE, 500)
    assert plan.overview.area == area
    assert plan.grid.wide == maze.SIZES.region
    assert plan.grid.area.holds((15, 15))
    assert not plan.grid.area.holds((-15, -15))


def test_the_large_part_of_a_maze_shows_as_many_marks_as_fit_the_last_if_possible() -> None:
    area = maze.Area(-20, -20, 20, 20)
    for cells, shown in (
        ([(12, 6), (13, 2), (2, 5), (8, 3)], [True, True, False, True]),
        ([(-20, -20), (15, 15)], [False, True]),
        ([(20, 20), (19, 19), (-20, 20)], [True, True, False]),
    ):
        part = area.window(cells, 7, 8)
        assert (part.columns, part.rows) == (7, 8)
        assert area.holds((part.left, part.bottom))
        assert area.holds((part.right, part.top))
        assert list(map(part.holds, cells)) == shown


@pytest.mark.parametrize("key", LARGEST)
def test_after_an_action_most_of_a_picture_is_known_already(key: str) -> None:
    states = played(LARGEST[key], random_play, 1).states
    boards = [state.observation(None) for state in states if state.current_player != CHANCE]
    boards = boards[10:24] if len(boards) >= 24 else boards
    names = people(LARGEST[key].players)
    shares = []
    png.BANDS.clear()
    for seen in boards:
        canvas, before = RENDERERS[key].paint(seen, names, (), STYLE), dict(png.BANDS)
        canvas.png()
        after = dict(png.BANDS)
        png.BANDS.clear()
        canvas.png()
        shares.append((len(after) - len(before)) / len(dict(png.BANDS)))
        png.BANDS.update(after)
    assert shares[0] == 1
    assert sum(shares[4:]) / len(shares[4:]) <= 0.5


def test_an_animation_shows_the_whole_maze_and_a_picture_a_part_of_it_large() -> None:
    setup = replace(LARGEST["ambagibus"], options=(("variant", "basic"),))
    states = played(setup, random_play, 1).states
    seen, names = states[-1].observation(None), people(setup.players)
    draw = RENDERERS["ambagibus"]
    assert draw.paint(seen, names, (), STYLE).overviews
    assert not draw.paint_frame(seen, names, STYLE).overviews


@pytest.mark.parametrize("width", [49, 66, 88, 132])
def test_numbers_laid_on_a_tunnel_look_as_on_a_tunnel_drawn_with_them(width: int) -> None:
    for number, (owner, closed, card) in enumerate(product(range(4), (False, True), ("4000", "0304", "1420", "2134"))):
        canvas, whole = Canvas(200, 150, INK), Canvas(200, 150, INK)
        numbered = EDGES[: 1 + number % 4]
        components.lay(canvas, (9, 9), width, INK, card, owner, closed, numbered)
        whole.put(components.tunnel(width, INK, card, owner, closed, numbered), 9, 9)
        assert canvas.image.tobytes() == whole.image.tobytes()
        assert canvas.readings == whole.readings
