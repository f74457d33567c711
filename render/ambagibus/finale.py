"""The picture of a match that is over: the whole maze, its closed sections numbered by owner, and who has how many.

Closed sections have the colours and signs of their owners. All other cards are faint.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from games.ambagibus.actions import Play
from games.ambagibus.components import BOMB
from games.ambagibus.observation import AmbagibusObservation
from games.grid import Cell, cell_to_string, neighbours
from render import badges, fonts, frame, maze, sentences, story
from render.ambagibus import components, words
from render.ambagibus.board import MAT, MOOD, TABLE, draw_done, draw_ground, draw_planks
from render.canvas import Box, Canvas
from render.grammar import MAX_ALT_TEXT, counted, listed, plain, spelled, within
from render.maze import Area, Grid
from render.story import Passed, Story
from render.style import People, Style

Section = tuple[Cell, ...]

_LARGEST: Final = 150
"""Greatest width of a card."""

_PLATE: Final = 140
_GAP: Final = 14
_BESIDE: Final = 448
"""Width of the plates if they stand beside the maze."""

_FEW: Final = 52
"""Most cards that are drawn with all details."""

_TALLEST: Final = 1510
"""Greatest height of the picture, in units of its width / 1200. A taller one of a large maze would exceed 60 kB."""

_MARK: Final = 48
"""Size of the badge that marks an action."""

_NUMBER: Final = (44, 92)
"""Least and greatest size of a section's number, on a badge."""


class _Plan(NamedTuple):
    """Where the maze lies, the corners of everybody's plates and their size, and the height of the picture."""

    grid: Grid
    plates: tuple[tuple[int, int], ...]
    size: tuple[int, int]
    height: int


def _planned(area: Area, players: int, top: int, style: Style) -> _Plan:
    """Lay out the maze with the plates beside or below it, whichever allows larger cards."""
    beside, below = _beside(area, players, top, style), _below(area, players, top, style)
    return beside if (beside.grid.wide, -beside.height) >= (below.grid.wide, -below.height) else below


def _beside(area: Area, players: int, top: int, style: Style) -> _Plan:
    px = style.px
    margin, step = px(frame.MARGIN), px(_PLATE + _GAP)
    left, first = style.width - margin - px(_BESIDE), top + margin
    grid = _grid(area, 0, left, top, px(_TALLEST), style)
    bottom = max(grid.y + grid.height + 3 * margin, first + players * step + margin)
    grid = _middle(grid, 0, left, top, bottom)
    high = (bottom - top - players * step + px(_GAP)) // 2
    plates = tuple((left, top + high + seat * step) for seat in range(players))
    return _Plan(grid, plates, (px(_BESIDE), px(_PLATE)), bottom)


def _below(area: Area, players: int, top: int, style: Style) -> _Plan:
    px = style.px
    margin, step = px(frame.MARGIN), px(_PLATE + _GAP)
    wide = (style.width - 2 * margin - px(_GAP)) // 2
    under = -(-players // 2) * step + px(8)
    grid = _grid(area, 0, style.width, top, px(_TALLEST) - under, style)
    bottom = grid.y + grid.height + 4 * margin
    grid = _middle(grid, 0, style.width, top, bottom)
    plates = tuple((margin + seat % 2 * (wide + px(_GAP)), bottom + seat // 2 * step) for seat in range(players))
    return _Plan(grid, plates, (wide, px(_PLATE)), bottom + under)


def _grid(area: Area, left: int, right: int, top: int, bottom: int, style: Style) -> Grid:
    """The maze as large as fits between these edges."""
    margin = style.px(frame.MARGIN)
    wide = maze.fitting(area, right - left - 3 * margin, bottom - top - 4 * margin - style.px(8), 100)
    wide = min(style.px(_LARGEST), wide)
    return Grid(area, left, top, wide, wide)


def _middle(grid: Grid, left: int, right: int, top: int, bottom: int) -> Grid:
    x, y = (left + right - grid.width) // 2, (top + bottom - grid.height) // 2
    return Grid(grid.area, x, y, grid.wide, grid.high)


def paint_end(told: Story, people: People, style: Style) -> Canvas:
    """Paint a match that is over."""
    assert told.end is not None
    seen: AmbagibusObservation = told.seen
    # The headline has the numbers that follow in the reason.
    why = f"{seen.outcome.reason.rstrip('.').partition(':')[0]}." if told.end.by_rules and seen.outcome else ""
    shown = story.heading(style, people, told.end.headline, why, told.end.winners, told.marks)
    area = maze.around([item.cell for item in seen.maze] or [(0, 0)])
    plan = _planned(area, seen.players, shown.height, style)
    canvas = Canvas(style.width, plan.height, TABLE.ground, told.marks)
    story.draw_heading(canvas, MOOD, shown, people, style)
    draw_planks(canvas, shown.height, plan.height)
    _draw_maze(canvas, plan.grid, seen)
    draw_done(canvas, plan.grid, seen)
    if seen.last_cell is not None:
        maze.draw_ring(canvas, plan.grid, seen.last_cell, style.px(5), MOOD.accent)
    maze.draw_deeds(canvas, maze.Plan(plan.grid, None, 0), MOOD, people, _MARK)
    order = _order(seen, told.end.winners)
    for (x, y), seat in zip(plan.plates, order, strict=True):
        _draw_plate(canvas, seen, people, seat, (x, y, x + plan.size[0], y + plan.size[1]), seat in told.end.winners)
    return canvas


def _order(seen: AmbagibusObservation, winners: tuple[int, ...]) -> list[int]:
    """The seats from the first place to the last (A16)."""
    sizes = _sizes(seen)
    return sorted(
        range(seen.players),
        key=lambda seat: (seat not in winners, -len(sizes[seat]), [-size for size in sizes[seat]], seat),
    )


def _sizes(seen: AmbagibusObservation) -> list[list[int]]:
    """By seat the number of cards in each closed section, the largest first."""
    return [[len(section) for section in sections] for sections in seen.closed_sections]


def _draw_maze(canvas: Canvas, grid: Grid, seen: AmbagibusObservation) -> None:
    rim = canvas.px(8)
    x0, y0, x1, y1 = grid.x - rim, grid.y - rim, grid.x + grid.width + rim, grid.y + grid.height + rim
    # What matters in it, the numbers, has a least size of its own.
    canvas.overviews.append((x0, y0, x1, y1))
    canvas.fill(x0 + rim, y0 + rim, x1 + rim, y1 + rim, MOOD.ground)
    canvas.fill(x0, y0, x1, y1, MAT)
    draw_ground(canvas, grid, [item.cell for item in seen.maze])
    closed = {cell for sections in seen.closed_sections for section in sections for cell in section}
    plain = len(seen.maze) > _FEW
    for cell, name, owner in seen.maze:
        canvas.put(components.final(grid.wide, MAT, name, owner, cell in closed, plain), *grid.corner(cell))
    for owner, sections in enumerate(seen.closed_sections):
        for section in sections:
            _draw_border(canvas, grid, section, owner)
    for owner, sections in enumerate(seen.closed_sections):
        for number, section in enumerate(sections, 1):
            _draw_number(canvas, grid, section, owner, number)


def _draw_border(canvas: Canvas, grid: Grid, section: Section, owner: int) -> None:
    """Draw a line around a section."""
    cells, wide = set(section), max(3, grid.wide // 12)
    across, down = grid.step
    for cell in section:
        x, y = grid.corner(cell)
        north, east, south, west = (beside not in cells for beside in neighbours(cell))
        x0, y0, x1, y1 = x - wide, y - wide, x + grid.wide + wide, y + grid.high + wide
        right, bottom = (x1 if east else x + across), (y1 if south else y + down)
        for there, box in (
            (north, (x0 if west else x, y0, right, y)),
            (south, (x0 if west else x, y1 - wide, right, y1)),
            (west, (x0, y0 if north else y, x, bottom)),
            (east, (x1 - wide, y0 if north else y, x1, bottom)),
        ):
            if there:
                canvas.fill(*box, components.TINTS[owner])


def _draw_number(canvas: Canvas, grid: Grid, section: Section, owner: int, number: int) -> None:
    """Draw a section's number on the badge of its owner, on the card that is nearest to the section's middle."""
    xs, ys = [x for x, _ in section], [y for _, y in section]
    middle = (sum(xs) / len(xs), sum(ys) / len(ys))
    cell = min(section, key=lambda each: ((each[0] - middle[0]) ** 2 + (each[1] - middle[1]) ** 2, each))
    least, most = map(canvas.px, _NUMBER)
    size = min(max(grid.wide * 7 // 10, least), most)
    canvas.centre(badges.drawn(size, None, str(number), owner, MOOD.seats), *grid.middle(cell))


def _draw_plate(canvas: Canvas, seen: AmbagibusObservation, people: People, seat: int, box: Box, won: bool) -> None:
    """Draw a player's plate: the name, the number of closed sections, and how many cards each has."""
    px = canvas.px
    plate = frame.plate(canvas, TABLE, box, seen, seat, people, lit=won)
    middle, sizes = (box[1] + box[3]) // 2, _sizes(seen)[seat]
    upper, lower = middle - px(26), middle + px(34)
    right = plate.right - canvas.text(plate.right, upper, str(len(sizes)), px(72), plate.text, plate.ground, "right")
    signs = ((components.seal, 50), (story.trophy, 66))[: 2 if won else 1]
    room = right - plate.left - sum(px(size + 10) for _, size in signs) - px(12)
    if won and fonts.width(people[seat], px(40)) > room:
        # The name is worth more than the seal beside the number.
        signs = signs[1:]
    for sign, size in signs:
        right -= px(size + 10)
        canvas.put(sign(px(size), plate.ground), right, upper - px(size) // 2)
    room = right - plate.left - px(12)
    frame.name(canvas, plate.left, upper, people[seat], px(40), plate.text, plate.ground, room)
    room = plate.right - plate.left
    text = _sizes_in(sizes, lambda line: fonts.width(line, px(36)) <= room)
    canvas.text(plate.left, lower, text, px(36), plate.dim, plate.ground, room=room)


def _sizes_in(sizes: list[int], fits: Callable[[str], bool]) -> str:
    """The sizes of sections in a line that fits: ``12, 7, 3 × 2 and 1 cards``. If need be, the last are left out."""
    if not sizes:
        return "no closed section"
    text = f"{listed([str(size) for size in sizes])} {'card' if sizes == [1] else 'cards'}"
    if fits(text):
        return text
    parts = [f"{count} × {size}" if count > 1 else str(size) for size, count in Counter(sizes).items()]
    text = f"{listed(parts)} cards"
    while not fits(text) and len(parts) > 1:
        parts.pop()
        text = f"{', '.join(parts)}{fonts.ELLIPSIS} cards"
    return text


def end_alt(told: Story, people: People) -> str:
    """The picture of the end, in words."""
    assert told.end is not None
    seen: AmbagibusObservation = told.seen
    short, owners = tuple(map(plain, people)), words.owners_of(people)
    parts = [f"Ambagibus, the end: {sentences.told(told.end.headline, people)}"]
    if told.end.by_rules and seen.outcome is not None:
        parts.append(seen.outcome.reason)
    for seat in _order(seen, told.end.winners):
        sizes = _sizes(seen)[seat]
        of = f" of {listed([str(size) for size in sizes])} cards" if sizes else ""
        parts.append(f"{short[seat]}: {counted(len(sizes), 'closed section')}{of}.")
    parts.append("The sections, by owner, number and cells:")
    for owner, sections in enumerate(seen.closed_sections):
        for number, section in enumerate(sections, 1):
            parts.append(f"{owners[owner]} {number}: {' '.join(map(cell_to_string, section))};")
    return within(MAX_ALT_TEXT, parts)


_THIRD: Final = 3
"""A player's closed section with this number is a big moment."""

_MANY: Final = 8
"""A bomb is a big moment if the closed sections that it opens have at least this many cards."""


def moment(before: AmbagibusObservation, passed: Passed) -> str | None:
    """The caption of a line that closes somebody's third section, or several at once, or opens one with a bomb."""
    line, seen = passed
    if not isinstance(line.action, Play) or seen.outcome is not None:
        return None
    who, closed = f"{{{line.player}}}", _new(before, seen)
    if sum(map(len, closed)) > 1:
        return f"{who} closes {spelled(sum(map(len, closed)))} sections at once{_whose(line.player, closed)}!"
    for seat, sections in enumerate(closed):
        if sections and before.scores[seat] < _THIRD <= seen.scores[seat]:
            return f"{who} closes {'their' if seat == line.player else f'{{{seat}}}’s'} third section!"
    opened = sum(len(section) for sections in _new(seen, before) for section in sections)
    if line.action.card == BOMB and opened >= _MANY:
        return f"{who} blows a section open: {opened} cards!"
    return None


def _new(before: AmbagibusObservation, after: AmbagibusObservation) -> list[list[Section]]:
    """By seat the closed sections of the second position that aren't closed in the first."""
    return [
        [section for section in now if section not in then]
        for then, now in zip(before.closed_sections, after.closed_sections, strict=True)
    ]


def _whose(player: int, closed: Sequence[Sequence[Section]]) -> str:
    """Whose sections were closed, if not all are the player's own: ``, one of them {1}’s``."""
    parts = [f"{spelled(len(own))} {{{seat}}}’s" for seat, own in enumerate(closed) if own and seat != player]
    return f", {listed(parts)}" if parts else ""
