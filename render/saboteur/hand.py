"""The private pictures of the mine: a player's hand with all else that they alone know, and their role.

The hand is sent with every turn, without a spoiler unless they want one, so it doesn't show the role (P27).
"""

from __future__ import annotations

from functools import partial
from typing import Final

from games.grid import cell_to_string
from games.saboteur.observation import SaboteurObservation
from render import fonts, frame
from render.canvas import Canvas
from render.marks import TICK, Spot, draw_marks
from render.palette import shade
from render.saboteur import components, dwarfs, icons, words
from render.saboteur.board import MOOD
from render.style import Mark, People, Style

_ROW: Final = 296
_CARD: Final = 208
_COLUMNS: Final = 3
_NOTE: Final = 92
_GOLD: Final = 132
"""Height of the row of the viewer's gold cards."""

_OFFERED, _OFFERED_IN_A_ROW = 200, 5
"""Width of a gold card from which the viewer takes one, and how many stand beside each other."""

_TITLES: Final = {"D": "Gold-digger", "S": "Saboteur"}
_TASKS: Final = {
    "D": ("Dig to the treasure", "before all cards", "are played."),
    "S": ("Stop them reaching it,", "and don’t let them", "know it’s you."),
}


def paint_hand(seen: SaboteurObservation, people: People, marks: tuple[Mark, ...], style: Style) -> Canvas | None:
    """Paint the viewer's cards, what their maps told them, and their gold; ``None`` for a spectator.

    If the marks have no numbers, the cards have the numbers of the panel's buttons. A card with a tick has a rim.
    """
    if seen.viewer is None:
        return None
    px = style.px
    if seen.offered:
        return _paint_offer(seen, people, marks, style)
    notes = _notes(seen)
    rows = max(1, -(-len(seen.hand) // _COLUMNS))
    golds = _golds(seen)
    high = px(frame.HAND_BAR) + rows * px(_ROW) + len(notes) * px(_NOTE) + len(golds) * px(_GOLD) + px(24)
    canvas = Canvas(style.width, high, MOOD.ground)
    frame.hand_bar(canvas, MOOD, seen.viewer, people)
    if seen.hand:
        _draw_cards(canvas, seen.hand)
        numbered = tuple(Mark(number, str(number)) for number, _ in enumerate(seen.hand, 1))
        ticked = [mark.place for mark in marks if mark.name == TICK]
        for card in filter(seen.hand.__contains__, ticked):
            _draw_rim(canvas, seen.hand.index(card))
        draw_marks(canvas, numbered if ticked or not marks else marks, partial(_spot, canvas, seen.hand))
    else:
        y = px(frame.HAND_BAR) + px(_ROW) // 2
        canvas.text(style.width // 2, y, "No cards in your hand", px(48), MOOD.plate_dim, MOOD.ground, "middle")
    y = px(frame.HAND_BAR) + rows * px(_ROW)
    for sign, text in notes:
        _draw_note(canvas, sign, text, y)
        y += px(_NOTE)
    for text, values in golds:
        _draw_gold(canvas, text, values, y)
        y += px(_GOLD)
    return canvas


def _paint_offer(seen: SaboteurObservation, people: People, marks: tuple[Mark, ...], style: Style) -> Canvas:
    """Paint the gold cards that are passed to the viewer, large, and the viewer's own. One with a tick has a rim."""
    ticked = {mark.place for mark in marks if mark.name == TICK}
    px, wide = style.px, style.px(_OFFERED)
    step, row = (style.width - px(40)) // _OFFERED_IN_A_ROW, components.gold_card(wide, MOOD.ground, 1).height + px(28)
    rows, golds = -(-len(seen.offered) // _OFFERED_IN_A_ROW), _golds(seen)
    top = px(frame.HAND_BAR) + px(96)
    below = top + rows * row
    canvas = Canvas(style.width, below + len(golds) * px(_GOLD) + px(12), MOOD.ground)
    frame.hand_bar(canvas, MOOD, seen.viewer or 0, people)
    canvas.text(px(30), px(frame.HAND_BAR) + px(50), "Take one of these", px(54), MOOD.bar_text, MOOD.ground)
    spots = dict[str, Spot]()
    for number, value in enumerate(seen.offered):
        down, across = divmod(number, _OFFERED_IN_A_ROW)
        x, y = px(30) + across * step, top + down * row
        tile = components.gold_card(wide, MOOD.ground, value)
        canvas.put(tile, x, y)
        if str(value) in ticked and seen.offered.index(value) == number:
            frame.ring(canvas, x - px(9), y - px(9), x + wide + px(9), y + tile.height + px(9), px(7), MOOD.accent)
        spots.setdefault(str(value), Spot(x + px(34), y + tile.height - px(30), px(72)))
    draw_marks(canvas, tuple(mark for mark in marks if mark.name != TICK), spots.get)
    for text, values in golds:
        _draw_gold(canvas, text, values, below)
    return canvas


def _draw_cards(canvas: Canvas, hand: tuple[str, ...]) -> None:
    """Draw the cards, each with the name that can be typed and a description."""
    px = canvas.px
    wide = canvas.width // _COLUMNS
    card_wide = px(_CARD)
    for i, name in enumerate(hand):
        x = (i % _COLUMNS) * wide + px(18)
        y = px(frame.HAND_BAR) + (i // _COLUMNS) * px(_ROW) + px(12)
        canvas.put(components.hand_card(name, card_wide, MOOD.ground), x, y)
        left = x + card_wide + px(14)
        room = wide - card_wide - px(36)
        size = px(54) if len(name) < 4 else px(44)  # four letters beside the card, never an ellipsis
        canvas.text(left, y + px(44), name, size, MOOD.bar_text, MOOD.ground, room=room)
        for number, line in enumerate(fonts.wrapped(words.card_words(name).split(), px(36), room)):
            canvas.text(left, y + px(112) + number * px(44), line, px(36), MOOD.plate_dim, MOOD.ground, room=room)


def _draw_rim(canvas: Canvas, number: int) -> None:
    """Draw a rim around a card, so that it can be told from the others."""
    px = canvas.px
    x, y = (number % _COLUMNS) * (canvas.width // _COLUMNS) + px(18), px(frame.HAND_BAR) + number // _COLUMNS * px(_ROW)
    high = components.hand_card("map", px(_CARD), MOOD.ground).height
    x0, y0, x1, y1 = x - px(8), y + px(4), x + px(_CARD) + px(8), y + px(20) + high
    frame.ring(canvas, x0, y0, x1, y1, px(8), shade("gold", 0.85))


def _spot(canvas: Canvas, hand: tuple[str, ...], card: str) -> Spot | None:
    """The spot of a card, by its number from 1 or by its name; of several alike that of the first."""
    if not card.isdecimal() and card not in hand:
        return None
    px, number = canvas.px, int(card) - 1 if card.isdecimal() else hand.index(card)
    x = (number % _COLUMNS) * (canvas.width // _COLUMNS) + px(18 + 30)
    y = px(frame.HAND_BAR) + (number // _COLUMNS) * px(_ROW) + px(12 + 30)
    return Spot(x, y, px(72))


def _notes(seen: SaboteurObservation) -> list[tuple[str, str]]:
    """What else the viewer alone knows, as signs with a few words each."""
    notes = []
    for door in seen.finish_cards:
        if seen.viewer in door.seen_by and door.kind is not None and door.card is None:
            found = "the treasure" if door.kind == "T" else "a stone"
            notes.append(("treasure" if door.kind == "T" else "stone", f"{cell_to_string(door.cell)} is {found}"))
    return notes


def _golds(seen: SaboteurObservation) -> list[tuple[str, tuple[int, ...]]]:
    """The row of gold cards that the viewer has, if any."""
    return [(f"Your gold: {sum(seen.gold)}", seen.gold)] if seen.gold else []


def _draw_gold(canvas: Canvas, text: str, values: tuple[int, ...], y: int) -> None:
    px = canvas.px
    high = px(_GOLD) - px(12)
    canvas.panel(px(18), y, canvas.width - px(18), y + high, MOOD.plate, MOOD.ground, px(16))
    left, wide = px(42), px(84)
    left += canvas.text(left, y + high // 2, text, px(42), MOOD.plate_text, MOOD.plate) + px(28)
    step = min(wide + px(12), (canvas.width - px(30) - wide - left) // max(1, len(values) - 1))
    for i, value in enumerate(values):
        tile = components.gold_card(wide, MOOD.plate, value)
        canvas.put(tile, left + i * step, y + (high - tile.height) // 2)


def _draw_note(canvas: Canvas, sign: str, text: str, y: int) -> None:
    px = canvas.px
    high = px(_NOTE) - px(12)
    canvas.panel(px(18), y, canvas.width - px(18), y + high, MOOD.plate, MOOD.ground, px(16))
    canvas.put(icons.icon(px(60), MOOD.plate, sign), px(36), y + (high - px(60)) // 2)
    room = canvas.width - px(140)
    canvas.text(px(114), y + high // 2, text, px(42), MOOD.plate_text, MOOD.plate, room=room)


def paint_role(seen: SaboteurObservation, people: People, style: Style) -> Canvas | None:
    """Paint the viewer's identity card; ``None`` if they have none."""
    if seen.viewer is None or seen.role is None:
        return None
    px = style.px
    size, top = px(560), px(frame.HAND_BAR)
    canvas = Canvas(style.width, top + size + px(36), MOOD.ground)
    frame.hand_bar(canvas, MOOD, seen.viewer, people)
    canvas.put(dwarfs.portrait(size, MOOD.ground, seen.role), px(24), top + px(12))
    left = px(620)
    room = canvas.width - left - px(24)
    lines = [(px(70), MOOD.bar_text, _TITLES[seen.role]), (px(44), MOOD.bar_dim, f"Round {seen.round_number} of 3")]
    lines += [(px(44), MOOD.plate_dim, line) for line in _TASKS[seen.role]]
    y = top + px(110)
    for height, colour, line in lines:
        canvas.text(left, y, line, height, colour, MOOD.ground, room=room)
        y += px(84)
    return canvas
