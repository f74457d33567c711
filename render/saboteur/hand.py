"""What only one player may see: the hand with all he privately knows, and, on a picture of its own, the role.

The hand is sent with every turn and not hidden, so it does not show the role (P27).
"""

from __future__ import annotations

from typing import Final

from games.grid import cell_to_string
from games.saboteur.observation import SaboteurObservation
from render import frame
from render.canvas import Canvas
from render.palette import shade
from render.renderer import People, Style
from render.saboteur import cards, icons, words
from render.saboteur.board import MOOD
from render.words import listed

_HEADER: Final = 112
_ROW: Final = 296
_CARD: Final = 216
_COLUMNS: Final = 3
_NOTE: Final = 92


def paint_hand(seen: SaboteurObservation, people: People, style: Style) -> Canvas | None:
    """The viewer's cards, what his maps told him, his gold; ``None`` for a spectator."""
    if seen.viewer is None:
        return None
    px = style.px
    notes = _notes(seen)
    rows = max(1, -(-len(seen.hand) // _COLUMNS))
    high = px(_HEADER) + rows * px(_ROW) + len(notes) * px(_NOTE) + px(24)
    canvas = Canvas(style.width, high, MOOD.ground)
    _header(canvas, seen.viewer, people, style)
    if seen.hand:
        _draw_cards(canvas, seen.hand, style)
    else:
        y = px(_HEADER) + px(_ROW) // 2
        canvas.text(style.width // 2, y, "No cards in your hand", px(48), MOOD.plate_dim, MOOD.ground, "middle")
    y = px(_HEADER) + rows * px(_ROW)
    for sign, text in notes:
        _draw_note(canvas, sign, text, y, style)
        y += px(_NOTE)
    return canvas


def _header(canvas: Canvas, viewer: int, people: People, style: Style) -> None:
    px = style.px
    high = px(_HEADER)
    canvas.fill(0, 0, canvas.width, high - px(16), MOOD.bar)
    canvas.fill(0, high - px(24), canvas.width, high - px(16), shade("brown", 0.18))
    y = (high - px(20)) // 2
    canvas.centre(frame.badge(viewer, px(68), MOOD.bar), px(60), y)
    canvas.text(px(110), y, people[viewer], px(48), MOOD.bar_text, MOOD.bar, room=canvas.width - px(134))


def _draw_cards(canvas: Canvas, hand: tuple[str, ...], style: Style) -> None:
    """The cards, each with the name that can be typed and what it is."""
    px = style.px
    wide = style.width // _COLUMNS
    card_wide, card_high = px(_CARD), px(_CARD) * cards.HIGH // 100
    for i, name in enumerate(hand):
        x = (i % _COLUMNS) * wide + px(18)
        y = px(_HEADER) + (i // _COLUMNS) * px(_ROW) + px(12)
        canvas.put(cards.hand_card(name, card_wide, card_high, MOOD.ground), x, y)
        left = x + card_wide + px(14)
        room = wide - card_wide - px(36)
        size = px(54) if len(name) < 4 else px(44)  # four letters beside the card, never an ellipsis
        canvas.text(left, y + px(44), name, size, MOOD.bar_text, MOOD.ground, room=room)
        for line, word in enumerate(words.card_words(name).split(" ")):
            canvas.text(left, y + px(112) + line * px(44), word, px(36), MOOD.plate_dim, MOOD.ground, room=room)


def _notes(seen: SaboteurObservation) -> list[tuple[str, str]]:
    """What else the viewer alone knows: a sign and a few words each."""
    notes = []
    for door in seen.finish_cards:
        if seen.viewer in door.seen_by and door.kind is not None and door.card is None:
            found = "the treasure" if door.kind == "T" else "a stone"
            notes.append(("nugget" if door.kind == "T" else "boulder", f"{cell_to_string(door.cell)} is {found}"))
    if seen.offered:
        notes.append(("nugget", f"Take one gold card: {listed([str(v) for v in seen.offered], 'or')}"))
    if seen.gold:
        notes.append(("nugget", f"Your gold: {' + '.join(map(str, seen.gold))} = {sum(seen.gold)}"))
    return notes


def _draw_note(canvas: Canvas, sign: str, text: str, y: int, style: Style) -> None:
    px = style.px
    high = px(_NOTE) - px(12)
    canvas.panel(px(18), y, canvas.width - px(18), y + high, MOOD.plate, MOOD.ground, px(16))
    canvas.put(icons.icon(sign, px(60), MOOD.plate), px(36), y + (high - px(60)) // 2)
    room = canvas.width - px(140)
    canvas.text(px(114), y + high // 2, text, px(42), MOOD.plate_text, MOOD.plate, room=room)


def paint_role(seen: SaboteurObservation, people: People, style: Style) -> Canvas | None:
    """The viewer's identity card; ``None`` where he has none."""
    if seen.viewer is None or seen.role is None:
        return None
    px = style.px
    canvas = Canvas(style.width, px(640), MOOD.ground)
    _header(canvas, seen.viewer, people, style)
    size = px(360)
    canvas.centre(icons.icon(seen.role, size, MOOD.ground), px(260), px(370))
    text = "You dig for gold." if seen.role == "D" else "You are a saboteur."
    more = (
        ("Reach the treasure", "before the cards run out.")
        if seen.role == "D"
        else ("Keep the diggers from the treasure,", "and do not let them notice.")
    )
    canvas.text(px(480), px(270), text, px(60), MOOD.bar_text, MOOD.ground, room=px(700))
    for i, line in enumerate(more):
        canvas.text(px(480), px(370) + i * px(60), line, px(40), MOOD.plate_dim, MOOD.ground, room=px(700))
    return canvas
