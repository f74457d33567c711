"""The picture of the mine: the maze, the players, and the last action."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

from games.core import Played
from games.grid import OPPOSITE, Cell, cell_to_string, neighbours, string_to_cell
from games.saboteur.actions import Action, Break, Drop, LookAt, Repair, RockFall, Take, cell_of
from games.saboteur.components import SIDES, START, TREASURE
from games.saboteur.observation import SaboteurObservation
from render import deeds, fonts, frame, maze
from render.canvas import Canvas, Told
from render.frame import Mood
from render.marks import CARD, GOLD, PASS
from render.maze import Area, Grid
from render.palette import INK, Colour, shade
from render.saboteur import components, icons, words
from render.style import Mark, Marks, People, Style

MOOD: Final = Mood(
    ground=shade("rock", 0.1),
    coordinate=shade("rock", 1.0),
    bar=shade("brown", 0.3),
    bar_edge=shade("brown", 0.18),
    bar_dim=shade("gold", 0.8),
    plate=shade("rock", 0.27),
    plate_dim=shade("rock", 1.0),
)

_PLATE_GAP: Final = 12

_HAND: Final = 112
"""Additional height of a plate that shows the player's cards, because nothing is hidden."""

_NAMED: Final = 52
"""The same at large tables, where plates show the cards' names."""

_SIZES: Final = maze.Sizes(smallest=76, region=84, beside=0, above=210, widened=False)
"""Sizes of cards at which signs are legible on a phone. Places that nothing can reach are left out."""

_TIMBER: Final = shade("brown", 0.33)
_GRAIN: Final = shade("brown", 0.22)
_BEAM: Final = replace(MOOD, ground=_TIMBER, coordinate=shade("brown", 1.0))
"""The colours on the timber around the mine."""

_DEEP: Final = 10
"""How far the rock lies behind the timber."""

_SILL: Final = 16
"""Room between the mine and the plates."""

_LOOKER: Final = 56
"""Width of the badge of somebody who has looked under a finish card."""

_VARIANTS: Final = 2
"""Number of different pieces of rock, so that it doesn't look like tiles."""


def shown_area(seen: SaboteurObservation) -> Area:
    """The cards played plus one ring, which holds every place that a card can go to, and the finish cards."""
    cells = maze.ringed({START, *seen.maze, *(door.cell for door in seen.finish_cards if door.card)})
    cells |= {(8, 2), (8, -2)}
    if place := _last_cell(seen):
        cells.add(place)
    return maze.around(cells)


def _last_cell(seen: SaboteurObservation) -> Cell | None:
    """The cell of the last action; ``None`` if it has none."""
    return None if seen.last is None else cell_of(seen.last.action)


def trace(marks: Marks, played: Played[Action], seen: SaboteurObservation, before: SaboteurObservation | None) -> Marks:
    """Mark the cell of an action, both plates of a tool that was broken or mended, or else the player's plate."""
    action, own = played.action, frame.at_plate(played.player)
    if (cell := cell_of(action)) is not None:
        sign = "rock" if isinstance(action, RockFall) else "eye" if isinstance(action, LookAt) else ""
        return (*marks, Mark(0, cell_to_string(cell), sign=sign, gone=(seen.removed or "") if sign == "rock" else ""))
    if isinstance(action, Break | Repair):
        sign = f"{'-' if isinstance(action, Break) else '+'}{action.tool}"
        new, whose = Mark(0, own, sign=sign), frame.at_plate(action.seat)
        return (*marks, *([new._replace(towards=whose)] if whose != own else []), new._replace(place=whose))
    return (*marks, Mark(0, own, sign=_SIGNS.get(type(action), PASS)))


_SIGNS: Final = {Drop: CARD, Take: GOLD}


def _draw_timber(canvas: Canvas, plan: maze.Plan) -> None:
    """Draw beams around the mine, on which the coordinates stand, and their shadow on the rock behind."""
    px = canvas.px
    top, bottom = px(frame.HEADER), plan.bottom
    canvas.fill(0, top, canvas.width, bottom, _TIMBER)
    for x in (px(10), canvas.width - px(10)):
        canvas.fill(x - px(2), top, x + px(2), bottom, _GRAIN)
    canvas.fill(0, bottom - px(8), canvas.width, bottom - px(4), _GRAIN)
    canvas.fill(0, bottom - px(4), canvas.width, bottom, shade("brown", 0.0))
    canvas.seam(bottom)
    for grid in filter(None, (plan.overview, plan.grid)):
        x0, y0, x1, y1 = grid.x, grid.y, grid.x + grid.width, grid.y + grid.height
        rim = px(_DEEP)
        canvas.fill(x0 - rim, y0 - rim, x1 + px(4), y1 + px(4), _GRAIN)
        canvas.fill(x0 - px(6), y0 - px(6), x1, y1, components.SHADOW)


def treasure_of(seen: SaboteurObservation) -> Cell | None:
    """The cell of the treasure, once it is turned up."""
    return next((door.cell for door in seen.finish_cards if door.card and door.kind == TREASURE), None)


def route(seen: SaboteurObservation) -> tuple[Cell, ...]:
    """The shortest way from the ladder to the treasure; empty until it is turned up, or if a rock-fall cut it off."""
    end = treasure_of(seen)
    cards = {**seen.maze, **{door.cell: door.card for door in seen.finish_cards if door.card}}
    ways: dict[Cell, tuple[Cell, ...]] = {START: (START,)}
    for cell in (reached := [START]):
        if cell == end:
            return ways[cell]
        for edge, beside in enumerate(neighbours(cell)):
            if beside in cards and beside not in ways:
                here, there = SIDES[cards[cell]][edge], SIDES[cards[beside]][OPPOSITE[edge]]
                if here.joined and there.joined:
                    ways[beside] = (*ways[cell], beside)
                    reached.append(beside)
    return ()


def draw_mine(canvas: Canvas, grid: Grid, seen: SaboteurObservation, people: People, size: int) -> None:
    """Draw all that lies in the mine, and the way to the treasure once it is turned up.

    `size`: of the badges of those who looked under finish cards.
    """
    _draw_maze(canvas, grid, seen, people, size)
    way = route(seen)
    for wide, colour in ((grid.wide // 5, INK), (grid.wide // 9, icons.GOLD)):
        for here, there in pairwise(way):
            if grid.area.holds(here) and grid.area.holds(there):
                _draw_line(canvas, grid.middle(here), grid.middle(there), wide, colour)


def draw_treasure(canvas: Canvas, grid: Grid, seen: SaboteurObservation) -> None:
    """Draw the treasure over its card, larger than that, once it is turned up or the round is over."""
    found = treasure_of(seen)
    if found is not None and grid.area.holds(found):
        canvas.centre(icons.glory(grid.wide * 2, None), *grid.middle(found))
    for door in seen.finish_cards:
        if found is None and door.kind == TREASURE and not seen.roles_hidden and grid.area.holds(door.cell):
            canvas.centre(icons.icon(grid.wide * 3 // 2, None, "treasure"), *grid.middle(door.cell))


def _draw_line(canvas: Canvas, start: tuple[int, int], end: tuple[int, int], wide: int, colour: Colour) -> None:
    """Draw a line across or down."""
    (x0, x1), (y0, y1) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    half = max(1, wide // 2)
    canvas.fill(x0 - half, y0 - half, x1 + half, y1 + half, colour)


def _draw_maze(canvas: Canvas, grid: Grid, seen: SaboteurObservation, people: People, size: int) -> None:
    """Draw rock, cards, finish cards, and the badges of those who looked under them."""
    w, ground = grid.wide, components.DARK
    doors = {door.cell: door for door in seen.finish_cards}
    lit = {cell for cell in seen.maze if cell not in seen.cut_off}
    near = {(x + dx, y + dy) for x, y in lit for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    _draw_dark(canvas, grid)
    for x, y in filter(grid.area.holds, near.difference(seen.maze, doors)):
        canvas.put(components.rock((5 * x + 3 * y + x * y) % _VARIANTS, w, grid.high), *grid.corner((x, y)))
    for cell in {*doors, *seen.maze}:
        if not grid.area.holds(cell):
            continue
        at = grid.corner(cell)
        if cell in doors:
            door = doors[cell]
            if door.card:
                treasure, joined = door.kind == "T", cell not in seen.cut_off
                canvas.put(components.finish_card(w, ground, door.card, treasure, joined), *at)
            else:
                canvas.put(components.door(w, ground, door.kind), *at)
                _draw_lookers(canvas, grid, cell, door.seen_by, people, size)
        elif cell == START:
            canvas.put(components.start_card(w, ground), *at)
        else:
            canvas.put(components.path_card(w, ground, seen.maze[cell], cell in lit), *at)


def _draw_dark(canvas: Canvas, grid: Grid) -> None:
    """Draw rock without light, with a point where four places meet."""
    canvas.fill(grid.x, grid.y, grid.x + grid.width, grid.y + grid.height, components.DARK)
    half = max(1, grid.wide // 28)
    for x in range(grid.area.left + 1, grid.area.right + 1):
        for y in range(grid.area.bottom, grid.area.top):
            across, down = grid.corner((x, y))
            canvas.fill(across - 1 - half, down - 1 - half, across - 1 + half, down - 1 + half, components.POINT)


def _draw_lookers(canvas: Canvas, grid: Grid, cell: Cell, seats: tuple[int, ...], people: People, size: int) -> None:
    """Draw the badges of those who looked under a finish card, from its lower edge up, alternately left and right."""
    x, y = grid.corner(cell)
    across, down = grid.wide - size, (grid.high - size) // max(2, len(seats) - 1)
    for i, seat in enumerate(seats):
        sign = frame.badge(MOOD, people, seat, size, None)
        canvas.put(sign, x + i % 2 * across, y + grid.high - size - i * down)


def draw_done(canvas: Canvas, grid: Grid, seen: SaboteurObservation) -> None:
    """Draw what left the mine, and where somebody has looked."""
    for mark in canvas.done:
        cell = string_to_cell(mark.place)
        if cell is None or not mark.sign or not grid.area.holds(cell):
            continue
        if cell in seen.maze:
            # Another card lies where one fell.
            (x, y), size = grid.corner(cell), grid.wide // 2
            canvas.put(icons.icon(size, None, mark.sign), x, y + grid.high - size)
            continue
        if mark.gone:
            canvas.put(components.path_card(grid.wide, components.DARK, mark.gone, False), *grid.corner(cell))
        canvas.centre(icons.icon(grid.wide * 6 // 10, None, mark.sign), *grid.middle(cell))


def _is_open(seen: SaboteurObservation) -> bool:
    """Whether this is an earlier position of a finished match, with nothing hidden."""
    return seen.uncovered is not None and seen.outcome is None


class _Plates:
    """The plates of the players, two in a row, in the order of the seats."""

    def __init__(self, seen: SaboteurObservation, style: Style) -> None:
        px = style.px
        self.gap = px(_PLATE_GAP)
        self.margin = px(frame.MARGIN)
        self.wide = (style.width - 2 * self.margin - self.gap) // 2
        roomy = seen.players <= 6
        self.main = px(122 if roomy else 106)
        self.pictured = roomy
        self.hand = px(_HAND if roomy else _NAMED) if _is_open(seen) else 0
        self.high = self.main + self.hand
        self.rows = (seen.players + 1) // 2
        self.height = self.rows * (self.high + self.gap)

    def corner(self, place: int, top: int) -> tuple[int, int]:
        column, row = place % 2, place // 2
        return self.margin + column * (self.wide + self.gap), top + row * (self.high + self.gap)


def _order(seen: SaboteurObservation) -> list[int]:
    """Seats in their order; at the end of the match by their totals."""
    seats = list(range(seen.players))
    if seen.uncovered is not None and seen.outcome is not None:
        totals = seen.uncovered.totals
        seats.sort(key=lambda seat: (-totals[seat], seat))
    return seats


def _draw_plate(
    canvas: Canvas, seen: SaboteurObservation, people: People, seat: int, at: tuple[int, int], plates: _Plates
) -> None:
    px = canvas.px
    x, y = at
    box = (x, y, x + plates.wide, y + plates.high)
    left, right, upper, lower, ground, text, dim = frame.plate(canvas, MOOD, box, seen, seat, people)
    role = words.shown_role(seen, seat)
    if seen.outcome is not None:
        right = _draw_roles(canvas, seen, seat, right, lower, ground, px(44))
    elif role is not None:
        size = plates.main - px(20)
        canvas.put(icons.icon(size, ground, role), right - size, y + px(10))
        right -= size + px(12)
    if seen.outcome is None:
        # Typed moves name the player by this number.
        right -= canvas.text(right, upper, f"#{seat + 1}", px(36), dim, ground, "right") + px(14)
    name_end = box[2] - px(16) if seen.outcome else right
    frame.name(canvas, left, upper, people[seat], px(40), text, ground, name_end - left)
    size, number = px(40), px(38)
    if seen.uncovered is not None and seen.outcome is not None:
        room = right - left - px(12)
        _draw_gold(
            canvas, sum(seen.uncovered.gold[seat], ()), seen.uncovered.totals[seat], left, lower, room, ground, text
        )
        return
    crowded = sum(_is_of_tool(mark, seat) for mark in canvas.done) > 1
    for sign, count in (("cards", seen.hand_sizes[seat]), ("gold card", seen.gold_counts[seat])):
        if crowded and not count:
            continue
        canvas.centre(icons.icon(size, ground, sign), left + size // 2, lower)
        canvas.text(left + size + px(8), lower, str(count), number, text if count else dim, ground)
        left += px(104)
    if seen.uncovered is not None:
        hand = seen.uncovered.hands[seat]
        if plates.pictured:
            _draw_open_hand(canvas, hand, x + px(18), y + plates.main - px(4), px(82), ground)
        else:
            canvas.text(x + px(18), box[3] - px(26), " ".join(hand), px(38), text, ground)
    free, tool = left, plates.main * 42 // 100
    for i, letter in enumerate(seen.broken[seat]):
        canvas.put(icons.broken_tool(tool, ground, letter), left + i * (tool + px(8)), lower - tool // 2)
    _draw_tools(canvas, people, seat, free, box[2] - px(16), lower, ground)


def _is_of_tool(mark: Mark, seat: int) -> bool:
    """Whether the mark is of a tool that was broken or mended, and stands on the plate of this seat."""
    return mark.place == frame.at_plate(seat) and mark.sign[:1] in ("+", "-")


_TOOL: Final = 170
"""The width that the mark of a tool takes at most."""


def _draw_tools(canvas: Canvas, people: People, seat: int, left: int, right: int, y: int, ground: Colour) -> None:
    """Draw the tools that the player broke or mended for others, and who did so to them, from `right` to the left.

    What finds no room on the plate isn't drawn.
    """
    px = canvas.px
    size, tool = px(deeds.BADGE), px(50)
    for mark in canvas.done:
        if not _is_of_tool(mark, seat):
            continue
        if right - px(_TOOL) < left:
            return
        breaks = mark.sign[0] == "-"
        if mark.towards is None:
            right -= deeds.width(canvas, mark, size)
            deeds.stamp(canvas, MOOD, people, mark, right + size // 2, y, size)
        else:
            right -= size
            whose = next(other for other in range(len(people)) if frame.at_plate(other) == mark.towards)
            frame.draw_small_badge(canvas, MOOD, people, whose, size, right + size // 2, y)
            box = (right - 2 * tool, y - size // 2, right + size, y + size // 2)
            canvas.told.append(Told(mark.number, mark.place, box))
            right -= px(38)
            canvas.put(frame.arrow(px(36), ground, MOOD.accent), right, y - px(18))
        if not breaks or seat == mark.seat:
            right -= tool + px(4)
            draw = icons.broken_tool if breaks else icons.mended_tool
            canvas.put(draw(tool, ground, mark.sign[1]), right, y - tool // 2)
        right -= px(8)


def _draw_open_hand(canvas: Canvas, hand: tuple[str, ...], x: int, y: int, wide: int, ground: Colour) -> None:
    """Draw a player's cards in a row, each `wide` pixels wide."""
    for number, name in enumerate(hand):
        canvas.put(components.hand_card(name, wide, ground), x + number * (wide + 6), y)


def _draw_roles(
    canvas: Canvas, seen: SaboteurObservation, seat: int, right: int, y: int, ground: Colour, size: int
) -> int:
    """Draw a player's roles in all rounds, the last one rightmost. Returns their left end."""
    for result in reversed(seen.results):
        right -= size
        canvas.put(icons.icon(size, ground, result.roles[seat]), right, y - size // 2)
        right -= size // 6
    return right


def _draw_gold(
    canvas: Canvas, gold: tuple[int, ...], total: int, x: int, y: int, room: int, ground: Colour, text: Colour
) -> None:
    """Draw a player's gold at the end: the sum, and every card's worth if there is room for it."""
    px = canvas.px
    size = px(40)
    canvas.centre(icons.icon(size, ground, "nugget"), x + size // 2, y)
    wide = size + px(8)
    wide += canvas.text(x + wide, y, str(total), px(42), text, ground) + px(14)
    parts = "= " + " + ".join(map(str, gold))
    if len(gold) > 1 and wide + fonts.width(parts, px(36)) <= room:
        canvas.text(x + wide, y, parts, px(36), text, ground)


def _draw_header(canvas: Canvas, seen: SaboteurObservation, people: People) -> None:
    doing = " takes gold" if seen.phase == "gold" else "’s turn"
    over = any(result.number == seen.round_number for result in seen.results)
    head = frame.title(seen, people, f"Round {seen.round_number} is {'over' if over else 'being dealt'}", doing)
    notes = (frame.Note(f"Round {seen.round_number}/3"), frame.Note(str(seen.stock_size), frame.pile))
    before = "" if seen.current_player < 0 else f"Round {seen.round_number} begins."
    frame.title_bar(canvas, MOOD, head, notes, seen, words.say, people, before)


def paint(seen: SaboteurObservation, people: People, marks: Marks, style: Style) -> Canvas:
    """Paint the board."""
    px = style.px
    plates = _Plates(seen, style)
    done = deeds.shown(trace, seen, marks)
    focus = maze.cells_of(done, START)
    plan = maze.planned(shown_area(seen), focus, style, plates.height + px(_SILL), components.HIGH, _SIZES)
    below = plan.bottom + px(_SILL)
    canvas = Canvas(style.width, below + plates.height + plates.margin - plates.gap, MOOD.ground, done)
    _draw_timber(canvas, plan)
    _draw_header(canvas, seen, people)
    if plan.overview is not None:
        draw_mine(canvas, plan.overview, seen, people, plan.overview.wide // 2)
        draw_done(canvas, plan.overview, seen)
        draw_treasure(canvas, plan.overview, seen)
        maze.draw_window(canvas, plan, MOOD)
    draw_mine(canvas, plan.grid, seen, people, px(_LOOKER))
    maze.draw_coordinates(canvas, plan.grid, _BEAM)
    draw_done(canvas, plan.grid, seen)
    draw_treasure(canvas, plan.grid, seen)
    maze.draw_deeds(canvas, plan, MOOD, people)
    maze.draw_marks(canvas, plan, marks)
    for place, seat in enumerate(_order(seen)):
        _draw_plate(canvas, seen, people, seat, plates.corner(place, below), plates)
    return canvas
