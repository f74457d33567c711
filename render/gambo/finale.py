"""The picture of a match of Gambo that is over: the score as two curves, and below it the duels as a chain."""

from __future__ import annotations

from typing import Final

from games.gambo.actions import Duel
from games.gambo.components import BONUS, DUELS_IN_A_MATCH, name_of
from games.gambo.observation import Fought, GamboObservation, totals, worst, worst_since_lead
from render import curves, deeds, frame, story
from render.cache import cached
from render.canvas import Canvas, Told
from render.gambo import components
from render.gambo.board import MOOD
from render.grammar import MAX_ALT_TEXT, counted, plain, spelled, within
from render.palette import PAPER, shade
from render.sentences import told
from render.story import End, Passed, Story
from render.style import People, Style
from render.tiles import Pen, Sprite

COMEBACK: Final = 6
"""Taking the lead is a big moment for a player who was at least this many points behind."""

_PLATE: Final = 112
_CHART: Final = 410
_LEFT: Final = 96
"""Width of the column with the badges and the scale. The nine duels share the rest."""

_NUMBER: Final = 64
_PIECE: Final = 104
_LINK: Final = 84
"""Room between the two pieces of a duel, for its points."""

_SCORE: Final = 72

_CURVES: Final = curves.Look(DUELS_IN_A_MATCH, _LEFT, (shade("red", 0.72), shade("blue", 0.78)), shade("jungle", 0.13))
_TRAIL: Final = shade("earth", 0.3)
_EMPTY: Final = shade("jungle", 0.3)


def moment(before: GamboObservation, passed: Passed) -> str | None:
    """The caption of the last duel, or of a duel by which a player who was far behind takes the lead."""
    seen: GamboObservation = passed.observation
    if not isinstance(passed.line.action, Duel) or len(seen.duels) == len(before.duels):
        return None
    fought = seen.duels[-1]
    winner, points = fought.winner, counted(fought.points, "point")
    if len(seen.duels) == DUELS_IN_A_MATCH:
        return f"{{{winner}}} wins the last duel: {points}, and {BONUS} more!"
    own, other = worst_since_lead(seen.duels, winner)
    leads = before.scores[winner] < before.scores[1 - winner] and seen.scores[winner] > seen.scores[1 - winner]
    if leads and other - own >= COMEBACK:
        return f"{{{winner}}} takes the lead, after {own} : {other}!"
    return None


def eventful(seen: GamboObservation) -> bool:
    """Whether a duel was fought."""
    return bool(seen.duels)


def course(seen: GamboObservation, end: End | None) -> str:
    """How the score went, as a sentence about the winner."""
    fought = len(seen.duels)
    if end is None or not end.by_rules or len(end.winners) != 1:
        return f"It stood {seen.scores[0]} : {seen.scores[1]} after {fought} of {DUELS_IN_A_MATCH} duels."
    (winner,) = end.winners
    own, other = worst(seen.duels, winner)
    at = _low(seen, end)
    if not at:
        return "Never behind."
    rest = seen.duels[at:]
    then = ""
    if rest and all(each.winner == winner for each in rest):
        then = f", then won {spelled(len(rest))} in a row" if len(rest) > 1 else ", then won the last one"
    return f"{own} : {other} behind after {counted(at, 'duel')}{then}."


def end_alt(shown: Story, people: People) -> str:
    """The picture in words."""
    seen: GamboObservation = shown.seen
    short = tuple(plain(name) for name in people)
    headline = "" if shown.end is None else told(shown.end.headline, people)
    parts = ["Gambo.", headline, course(seen, shown.end)]
    for number, (fought, (one, other)) in enumerate(zip(seen.duels, totals(seen.duels), strict=True), 1):
        attacked = fought.winner == fought.attacking
        pieces = (fought.attacker, fought.target) if attacked else (fought.target, fought.attacker)
        parts.append(
            f"Duel {number}: {short[fought.winner]}’s {name_of(pieces[0])} beats {name_of(pieces[1])}, "
            f"{_gain(fought, number)}; {one} : {other}."
        )
    return within(MAX_ALT_TEXT, parts)


def _gain(fought: Fought, number: int) -> str:
    """The points of a duel: ``+6``, and those for winning the last one."""
    return f"+{fought.points}{f' +{BONUS}' if number == DUELS_IN_A_MATCH else ''}"


@cached
def _links(wide: int, high: int, left: int, fought: int) -> Sprite:
    """The ground of the chain: a trail along it, and an empty place for each duel that wasn't fought."""
    pen = Pen(wide, high, wide, MOOD.ground)
    scale = wide / 1200
    middle = high / 2
    pen.line([(left / 2, middle), (_CURVES.column(DUELS_IN_A_MATCH, wide), middle)], 44 * scale, _TRAIL)
    for number in range(fought + 1, DUELS_IN_A_MATCH + 1):
        x = _CURVES.column(number, wide)
        for side in (-1, 1):
            pen.circle(x, middle + side * (_PIECE + _LINK) / 2 * scale, 44 * scale, _EMPTY)
    return pen.tile()


def _draw_chain(canvas: Canvas, seen: GamboObservation, people: People, top: int) -> None:
    """Draw the duels from left to right: the first player's piece above, the second's below, the points between.

    Those since the last picture have the attacker's badge, and the one that ended the match has a frame.
    """
    px = canvas.px
    high = px(2 * _PIECE + _LINK + 16)
    canvas.seam(top)
    for number in range(1, DUELS_IN_A_MATCH + 1):
        x = _CURVES.column(number, canvas.width)
        if number == DUELS_IN_A_MATCH == len(seen.duels):
            canvas.centre(story.flash(px(62), MOOD.ground), x, top + px(_NUMBER) // 2)
            continue
        colour = PAPER if number <= len(seen.duels) else MOOD.plate_dim
        canvas.text(x, top + px(_NUMBER) // 2, str(number), px(42), colour, MOOD.ground, "middle")
    top += px(_NUMBER)
    canvas.paste(_links(canvas.width, high, px(_LEFT), len(seen.duels)), 0, top)
    middle = top + high // 2
    apart = px(_PIECE + _LINK) // 2
    for seat, y in enumerate((middle - apart, middle + apart)):
        canvas.centre(frame.badge(MOOD, people, seat, px(76), MOOD.ground), px(48), y)
    for number, fought in enumerate(seen.duels, 1):
        x = _CURVES.column(number, canvas.width)
        own = (fought.attacker, fought.target) if fought.attacking == 0 else (fought.target, fought.attacker)
        for seat, y in enumerate((middle - apart, middle + apart)):
            faded = None if fought.winner == seat else MOOD.ground
            canvas.centre(components.piece(px(_PIECE), None, own[seat], seat, faded, slashes=1), x, y)
        gain = _gain(fought, number).replace(" ", "")
        wide = px(64 if len(gain) == 2 else 112)
        rim, ink = components.PIECE_COLOURS[fought.winner]
        canvas.centre(frame.chip(gain, wide, px(60), rim, ink, 8, 46 if fought.winner == 0 else 20, 64), x, middle)
        half, places = px(_PIECE) // 2, (fought.attacker_square, fought.target_square)
        last = [mark for mark in canvas.done if mark.place in places and mark.gone[:-1] in own]
        for mark in last:
            y = middle + (2 * int(mark.gone[-1]) - 1) * apart
            canvas.told.append(Told(mark.number, mark.place, (x - half, y - half, x + half, y + half)))
        if last and number == len(seen.duels):
            frame.ring(canvas, x - half, middle - apart - half, x + half, middle + apart + half, px(5), MOOD.accent)
        if last:
            y = middle + (2 * fought.attacking - 1) * apart - half + px(12)
            deeds.stamp(canvas, MOOD, people, last[0], x - half + px(12), y, px(deeds.BADGE), -1, -1)


def _draw_scores(canvas: Canvas, seen: GamboObservation, top: int, low: int) -> None:
    """Write the score after each duel; the one after duel `low` on a bright plate."""
    px = canvas.px
    canvas.seam(top)
    canvas.fill(0, top, canvas.width, top + px(_SCORE), MOOD.bar)
    middle = top + px(_SCORE) // 2
    for number, (one, other) in enumerate(totals(seen.duels), 1):
        x, ground, ink = _CURVES.column(number, canvas.width), MOOD.bar, MOOD.bar_text
        if number in (low, DUELS_IN_A_MATCH):
            ground, ink = MOOD.lit, MOOD.lit_text
            canvas.panel(x - px(58), middle - px(28), x + px(58), middle + px(28), ground, MOOD.bar, px(14))
        canvas.text(x, middle, f"{one}:{other}", px(38), ink, ground, "middle")


def _draw_plate(canvas: Canvas, seen: GamboObservation, people: People, seat: int, y: int) -> None:
    """Draw a player's half of the row of plates: name, side, and points."""
    px = canvas.px
    half = (canvas.width - 3 * px(frame.MARGIN)) // 2
    x = px(frame.MARGIN) + seat * (half + px(frame.MARGIN))
    plate = frame.plate(canvas, MOOD, (x, y, x + half, y + px(_PLATE)), seen, seat, people)
    middle, right = y + px(_PLATE) // 2, plate.right
    right -= canvas.text(right, middle, str(seen.scores[seat]), px(76), plate.text, plate.ground, "right") + px(20)
    if seen.outcome is not None and seat in seen.outcome.winners:
        canvas.put(story.trophy(px(76), plate.ground), right - px(76), middle - px(38))
        right -= px(96)
    frame.name(canvas, plate.left, plate.upper, people[seat], px(42), plate.text, plate.ground, right - plate.left)
    if seen.sides:
        canvas.text(plate.left, plate.lower, seen.sides[seat], px(38), plate.dim, plate.ground)


def paint_end(shown: Story, people: People, style: Style) -> Canvas:
    """Paint the end of a match, however it ended."""
    seen: GamboObservation = shown.seen
    end = shown.end or End((), "")
    px = style.px
    # A duel has its column.
    unseen = tuple(mark for mark in shown.marks if not mark.gone)
    head = story.heading(style, people, end.headline, course(seen, shown.end), end.winners, unseen)
    plates = head.height + px(frame.MARGIN)
    chart = plates + px(_PLATE + frame.MARGIN)
    chain = chart + px(_CHART)
    scores = chain + px(_NUMBER + 2 * _PIECE + _LINK + 16 + 8)
    canvas = Canvas(style.width, scores + px(_SCORE), MOOD.ground, shown.marks)
    story.draw_heading(canvas, MOOD, head, people, style)
    for seat in range(seen.players):
        _draw_plate(canvas, seen, people, seat, plates)
    low = _low(seen, end)
    curves.draw(canvas, MOOD, _CURVES, chart, px(_CHART), totals(seen.duels), low)
    _draw_chain(canvas, seen, people, chain)
    _draw_scores(canvas, seen, scores, low)
    return canvas


def _low(seen: GamboObservation, end: End) -> int:
    """The number of the duel after which the winner was furthest behind; 0 if they never were."""
    if not end.by_rules or len(end.winners) != 1:
        return 0
    scores = [(pair[end.winners[0]], pair[1 - end.winners[0]]) for pair in totals(seen.duels)]
    own, other = worst(seen.duels, end.winners[0])
    return len(scores) - scores[::-1].index((own, other)) if own < other else 0
