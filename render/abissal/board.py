"""The picture of the deep sea: the trick on the table with the players below it."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Final

from games.abissal.actions import Action, Play, laid
from games.abissal.observation import AbissalObservation, Laid
from games.core import Played
from render import deeds, frame
from render.abissal import components, words
from render.cache import cached
from render.canvas import Canvas
from render.frame import Mood
from render.marks import PASS, sign
from render.palette import INK, PAPER, shade
from render.style import Mark, Marks, People, Style
from render.tiles import Pen, Sprite

MOOD: Final = Mood(
    ground=shade("sea", 0.2),
    coordinate=PAPER,
    bar=shade("sea", 0.06),
    bar_edge=shade("sea", 0.6),
    bar_dim=shade("sea", 0.9),
    plate=shade("sea", 0.3),
    plate_dim=shade("sea", 0.92),
    # A single letter would look like a suit.
    letters=2,
)

_TABLE: Final = 432
"""Height of the sea in which the trick lies."""

_LADDER: Final = 84
_PLATE: Final = 110
_CARD: Final = 166
TAKEN: Final = 78
"""Height of the strip with the last trick."""

_TAKEN: Final = "taken"
_DEEP: Final = shade("sea", 0.1)
_SMALL: Final = 54
"""Width of a card in the last trick."""

_MOVER: Final = 72
"""Size of a badge there, on which two letters are legible on a phone."""


@cached
def sea(width: int, height: int) -> Sprite:
    """The sea from its lighter upper part to the dark: waves of colour, rays, bubbles."""
    high = 1200 * height / width
    pen = Pen(width, height, 1200, shade("sea", 0.44))
    for x in (160.0, 520.0, 900.0):
        pen.polygon([(x, 0), (x + 90, 0), (x + 10, high), (x - 170, high)], shade("sea", 0.48))
    for layer, depth in enumerate((0.37, 0.31, 0.25, 0.2)):
        base = high * (0.22 + 0.22 * layer)
        crest = [(x, base + (16 if (x // 100 + layer) % 2 else -16)) for x in range(-100, 1400, 100)]
        pen.polygon([(-100, high + 20), *crest, (1300, high + 20)], shade("sea", depth))
    rng = Random("bubbles")
    for _ in range(26):
        x, y, radius = rng.uniform(0, 1200), rng.uniform(10, high - 10), rng.uniform(4, 13)
        pen.circle(x, y, radius, shade("sea", 0.62))
        pen.circle(x, y, radius * 0.66, shade("sea", 0.36))
    for root in range(10, 1200, 170):
        tall = rng.uniform(40, 110)
        sway = [(root + (12 if i % 2 else -12), high - i * tall / 4) for i in range(5)]
        pen.line(sway, 13, shade("sea", 0.1))
        pen.line([(root + 26, high), (root + 40, high - tall * 0.6)], 11, shade("sea", 0.1))
    return pen.tile()


@cached
def _halo(width: int, height: int) -> Sprite:
    """The bright edge around the play to beat."""
    pen = Pen(width, height, 100, None)
    high = 100 * height / width
    pen.box(0, 0, 100, high, MOOD.accent, 15, rim=2, outer=16)
    return pen.tile()


def trace(marks: Marks, played: Played[Action], seen: AbissalObservation, before: AbissalObservation | None) -> Marks:
    """Mark a play in the trick, or a pass on the player's plate. Once a trick is taken, all of it lies apart."""
    cards = laid(played.action)
    new = Mark(0, "+".join(cards)) if cards else Mark(0, frame.at_plate(played.player), sign=PASS)
    if before is None or (seen.trick and seen.outcome is None):
        return (*marks, new)
    plays = [(play.player, "+".join(play.cards)) for play in before.trick]
    known = {(mark.seat, mark.place): mark for mark in marks if mark.sign != _TAKEN}
    earlier = [Mark(-1, place, seat=seat) for seat, place in plays if (seat, place) not in known]
    taken = [mark for mark in marks if mark.sign == _TAKEN]
    number = str(len({mark.gone for mark in taken}))
    return (*taken, *(mark._replace(sign=_TAKEN, gone=number) for mark in (*earlier, *known.values(), new)))


def draw_taken(canvas: Canvas, people: People, y: int) -> None:
    """Draw the last tricks, small and dimmed, from the row `y` down. A play that took its trick is bright and framed.

    If there is no room for all, the numbers are left out, and then the oldest.
    """
    px, size, wide, room = canvas.px, canvas.px(_MOVER), canvas.px(_SMALL), canvas.width - canvas.px(24)
    taken = [mark for mark in canvas.done if mark.sign == _TAKEN]
    best = {mark.gone: mark for mark in taken if not _is_pass(mark)}
    if not taken:
        return
    canvas.fill(0, y, canvas.width, y + px(TAKEN), _DEEP)
    step, top, middle = wide + px(3), y + (px(TAKEN) - wide) // 2, y + px(TAKEN) // 2
    for numbered in (True, False):
        movers = [deeds.width(canvas, mark, size) if numbered else size for mark in taken]
        spans = [mover + step * len(_cards(mark)) for mover, mark in zip(movers, taken, strict=True)]
        gaps = [px(14 if one.gone == other.gone else 38) for one, other in pairwise(taken)]
        if sum(spans) + sum(gaps) <= room:
            break
    while sum(spans) + sum(gaps) > room:
        del taken[0], movers[0], spans[0], gaps[0]
    x = (canvas.width - sum(spans) - sum(gaps)) // 2
    for mark, mover, span, gap in zip(taken, movers, spans, [*gaps, 0], strict=True):
        deeds.stamp(canvas, MOOD, people, mark, x + size // 2, middle, size, numbered)
        won = mark is best[mark.gone]
        for number, card in enumerate(_cards(mark)):
            tile = components.small(wide, None, card, not won) if card else sign(wide, None, PASS)
            canvas.put(tile, x + mover + number * step, top)
        if won:
            rim = px(4)
            canvas.frame(x + mover - rim, top - rim, x + span - px(3) + rim, top + wide + rim, rim, MOOD.accent)
        x += span + gap


def _cards(mark: Mark) -> list[str]:
    """The cards of a play; an empty name for a pass."""
    return [""] if _is_pass(mark) else mark.place.split("+")


def _is_pass(mark: Mark) -> bool:
    return mark.place.startswith("#")


def draw_play(
    canvas: Canvas, play: Laid, people: People, x: int, y: int, wide: int, last: bool, mark: Mark | None = None
) -> None:
    """Draw one play: its cards, fanned if there are two, and its player's badge. `wide` is the width of a card.

    `mark`: it was made since the last picture.
    """
    high = wide * components.HIGH // 100
    shift = wide * components.FAN // 100
    full = wide + shift * (len(play.cards) - 1)
    if last:
        rim = max(6, wide // 14)
        canvas.put(_halo(full + 2 * rim, high + 2 * rim), x - rim, y - rim)
    for i, name in enumerate(play.cards):
        canvas.put(components.card(wide, None, name), x + i * shift, y)
    size = wide // 2
    mark = mark or Mark(-1, "", seat=play.player)
    deeds.stamp(canvas, MOOD, people, mark, x + 4 + size // 2, y + high - size // 6, size)


def _draw_trick(canvas: Canvas, seen: AbissalObservation, people: People, top: int) -> None:
    px = canvas.px
    trick = on_the_table(seen)
    pair = 1 + components.FAN / 100 if trick and len(trick[0].cards) == 2 else 1.0
    wide = px(_CARD)
    room = canvas.width - 2 * px(40)
    full = round(wide * pair)
    count = len(trick)
    step = min(full + px(26), (room - full) // (count - 1)) if count > 1 else 0
    x = (canvas.width - (step * (count - 1) + full)) // 2
    y = top + px(96)
    known = {(mark.seat, mark.place): mark for mark in canvas.done if mark.sign != _TAKEN}
    for i, play in enumerate(trick):
        mark = known.get((play.player, "+".join(play.cards)))
        draw_play(canvas, play, people, x + i * step, y, wide, i == count - 1, mark)
    draw_taken(canvas, people, top + px(_TABLE - TAKEN))
    if seen.strength is not None:
        text = words.STRENGTH_WORDS[seen.strength]
    elif not trick:
        text = "a new trick"
    else:
        text = "the last play" if _is_between_rounds(seen) else "takes the trick"
    tag = frame.chip(text, px(80 + 19 * len(text)), px(62), MOOD.accent, INK, 6, 46, 60)
    canvas.centre(tag, canvas.width // 2, top + px(52))


def on_the_table(seen: AbissalObservation) -> tuple[Laid, ...]:
    """The plays that the picture shows: the current trick, or a play that has just taken one or ended a round."""
    last = seen.last
    if seen.trick or last is None or not isinstance(last.action, Play) or not last.action.cards:
        return seen.trick
    return (Laid(last.player, laid(last.action)),)


def _is_between_rounds(seen: AbissalObservation) -> bool:
    """Whether a round is over and the next one isn't dealt yet."""
    return seen.outcome is None and bool(seen.results) and not any(seen.counts)


def _draw_ladder(canvas: Canvas, seen: AbissalObservation, y: int) -> None:
    """Draw the suits from weak to strong."""
    px = canvas.px
    suits = words.suits_of(seen.players)
    canvas.fill(0, y, canvas.width, y + px(_LADDER), MOOD.bar)
    middle = y + px(_LADDER) // 2
    canvas.text(px(24), middle, "weak", px(38), MOOD.bar_dim, MOOD.bar)
    canvas.text(canvas.width - px(24), middle, "strong", px(38), MOOD.bar_dim, MOOD.bar, "right")
    left, right = px(140), canvas.width - px(130)
    step = (right - left) // len(suits)
    for i, suit in enumerate(suits):
        x = left + i * step
        canvas.centre(components.creature(px(62), MOOD.bar, suit), x + px(34), middle)
        canvas.text(x + px(74), middle, suit, px(44), MOOD.bar_text, MOOD.bar)
        if i + 1 < len(suits):
            canvas.centre(frame.arrow(px(36), MOOD.bar, MOOD.bar_dim), x + step - px(26), middle)


def _draw_plate(canvas: Canvas, seen: AbissalObservation, people: People, seat: int, y: int) -> None:
    px = canvas.px
    box = (px(frame.MARGIN), y, canvas.width - px(frame.MARGIN), y + px(_PLATE))
    plate = frame.plate(canvas, MOOD, box, seen, seat, people)
    middle = (box[1] + box[3]) // 2
    right = plate.right
    right -= canvas.text(right, middle, "pts", px(38), plate.dim, plate.ground, "right") + px(10)
    right -= canvas.text(right, middle, str(seen.scores[seat]), px(60), plate.text, plate.ground, "right") + px(30)
    if seen.hands is not None:
        wide = px(54)
        for name in reversed(seen.hands[seat]):
            right -= wide
            canvas.put(components.small(wide, plate.ground, name), right, middle - wide // 2)
            right -= px(3)
    else:
        right = _draw_state(canvas, seen, seat, plate, right, middle)
    frame.name(canvas, plate.left, middle, people[seat], px(44), plate.text, plate.ground, right - plate.left - px(16))


def _draw_state(canvas: Canvas, seen: AbissalObservation, seat: int, plate: frame.Plate, right: int, y: int) -> int:
    """Draw a player's number of cards, and whether they passed or are out. Returns the left end."""
    px = canvas.px
    count = seen.counts[seat]
    right -= canvas.text(right, y, str(count), px(44), plate.text, plate.ground, "right") + px(10)
    right -= px(44)
    canvas.put(components.back(px(44), plate.ground), right, y - px(44) * components.HIGH // 200)
    state = ""
    if seat in seen.out:
        state = f"out {words.PLACES[seen.out.index(seat)]}"
    elif seat in seen.passed:
        state = "passed"
    elif not seen.trick and seat == seen.current_player:
        state = "leads"
    if state:
        right -= px(24)
        right -= canvas.text(right, y, state, px(38), plate.dim, plate.ground, "right")
    return right


def paint(seen: AbissalObservation, people: People, marks: Marks, style: Style) -> Canvas:
    """Paint the table. It has no places for marks."""
    px = style.px
    top = px(frame.HEADER)
    ladder = top + px(_TABLE)
    plates = ladder + px(_LADDER) + px(14)
    step = px(_PLATE + 12)
    canvas = Canvas(style.width, plates + seen.players * step + px(6), MOOD.ground, deeds.shown(trace, seen, marks))

    between = f"Round {seen.round_number - 1} is over" if seen.results else "Round 1 is being dealt"
    head = frame.title(seen, people, between, "’s turn" if seen.trick else " leads")
    notes = (frame.Note(f"Round {seen.round_number}"),)
    frame.title_bar(canvas, MOOD, head, notes, seen, words.say, people, "A new round.")
    canvas.put(sea(style.width, px(_TABLE)), 0, top)
    _draw_trick(canvas, seen, people, top)
    if seen.aside is not None:
        wide = px(54)
        for i, name in enumerate(seen.aside):
            canvas.put(components.small(wide, None, name), px(24) + i * (wide + px(6)), top + px(14))
    _draw_ladder(canvas, seen, ladder)
    for seat in range(seen.players):
        _draw_plate(canvas, seen, people, seat, plates + seat * step)
    return canvas
