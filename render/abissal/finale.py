"""The pictures of a round or a match that is over: the last play, the cards that were left, the points by round."""

from __future__ import annotations

from typing import Final

from games.abissal.actions import Play, laid
from games.abissal.observation import AbissalObservation, Laid, RoundResult
from render import fonts, frame, sentences, story
from render.abissal import components, words
from render.abissal.board import MOOD, TAKEN, draw_play, draw_taken, sea
from render.canvas import Canvas
from render.grammar import MAX_ALT_TEXT, counted, listed, plain, within
from render.palette import INK
from render.story import Passed, Story
from render.style import People, Style

_CARD: Final = 166
"""Greatest width of a card."""

_CHIP: Final = 62
_TABLE: Final = 72
"""Height of the table's head."""

_ROW: Final = 118
_COLUMN: Final = 84
_TOTAL: Final = 140
_ALONE: Final = 6
"""Most cards in one row."""


def paint_round(told: Story, people: People, style: Style) -> Canvas:
    """Paint a round that is over."""
    seen: AbissalObservation = told.seen
    result = seen.results[-1]
    names = sentences.seats(seen.players)
    headline = f"{names[result.places[0]]} wins round {len(seen.results)}!"
    return _paint(told, people, style, headline, _gained(result, names), result.places[:1])


def _gained(result: RoundResult, people: People) -> str:
    """The points of a round: ``Out of cards first: 2 points. Bob is second: 1 point.``"""
    parts = [f"Out of cards first: {counted(result.points[result.places[0]], 'point')}."]
    parts += [f"{people[seat]} is second: 1 point." for seat in result.places[1:] if result.points[seat]]
    return " ".join(parts)


def paint_end(told: Story, people: People, style: Style) -> Canvas:
    """Paint a match that is over."""
    assert told.end is not None
    return _paint(told, people, style, told.end.headline, _won_by(told), told.end.winners)


def _won_by(told: Story) -> str:
    """How the winner got their points: ``Out of cards first in 3 of 4 rounds, second in 1.``"""
    assert told.end is not None
    seen: AbissalObservation = told.seen
    if not told.end.by_rules or len(told.end.winners) != 1:
        return seen.outcome.reason if seen.outcome is not None and told.end.by_rules else ""
    (winner,) = told.end.winners
    places = [result.places.index(winner) for result in seen.results]
    first, second = places.count(0), places.count(1) if seen.players > 2 else 0
    rounds = counted(len(places), "round")
    if not first:
        return f"Second in {second} of {rounds}."
    return f"Out of cards first in {first} of {rounds}{f', second in {second}' if second else ''}."


def _paint(told: Story, people: People, style: Style, headline: str, below: str, lit: tuple[int, ...]) -> Canvas:
    """Paint a heading about the seats that are `lit`, the last play with the cards left, and the points by round."""
    px = style.px
    seen: AbissalObservation = told.seen
    shown = story.heading(style, people, headline, below, lit)
    rows = -(-len(_left(seen)) // _ALONE)
    table = shown.height + px(_CHIP + 64) + max(1, rows) * px(_CARD * components.HIGH // 100 + 30) + px(TAKEN)
    first = table + px(_TABLE + 12)
    canvas = Canvas(style.width, first + seen.players * px(_ROW + 12) + px(6), MOOD.ground, told.marks)
    story.draw_heading(canvas, MOOD, shown, people, style)
    canvas.put(sea(style.width, table - shown.height), 0, shown.height)
    _draw_cards(canvas, told, people, shown.height, table - px(TAKEN))
    draw_taken(canvas, people, table - px(TAKEN))
    rounds = range(1, len(seen.results) + 1)
    _draw_head(canvas, table, rounds)
    for row, seat in enumerate(_order(seen, told.end.winners if told.end else ())):
        _draw_row(canvas, told, people, seat, first + row * px(_ROW + 12), seat in lit)
    return canvas


def _is_over(seen: AbissalObservation) -> bool:
    """Whether the last round was played to its end. It wasn't if people ended the match."""
    return bool(seen.results) and (seen.hands is not None or not any(seen.counts))


def _left(seen: AbissalObservation) -> tuple[str, ...]:
    """The cards that were left at the end of the last round."""
    return seen.results[-1].left if _is_over(seen) else ()


def _last_play(told: Story) -> Laid | None:
    """The last play of the last round."""
    for line, _ in reversed(told.course):
        if not isinstance(line.action, Play):
            break
        if line.action.cards:
            return Laid(line.player, laid(line.action))
    return None


def _order(seen: AbissalObservation, winners: tuple[int, ...]) -> list[int]:
    """The seats from the highest score to the lowest, the winners of the match first."""
    return sorted(range(seen.players), key=lambda seat: (seat not in winners, -seen.scores[seat], seat))


def _draw_cards(canvas: Canvas, told: Story, people: People, top: int, bottom: int) -> None:
    """Draw the last play on the left, and the cards that were left on its right."""
    px = canvas.px
    seen: AbissalObservation = told.seen
    wide, y = px(_CARD), top + px(_CHIP + 46)
    if not _is_over(seen) and _last_play(told) is None:
        text = f"round {seen.round_number} had just started"
        _chip(canvas, "", text, canvas.width // 2, (top + bottom) // 2, canvas.width)
    last, left = _last_play(told), _left(seen)
    x = px(40)
    if last is not None:
        full = wide * (100 + components.FAN * (len(last.cards) - 1)) // 100
        if not left:
            x = (canvas.width - full) // 2
        what = ": out with" if _is_over(seen) else ": the last play"
        room = (canvas.width - px(24)) // 2 if left else canvas.width - px(48)
        half = _chip(canvas, people[last.player], what, x + full // 2, top + px(48), room, px(24)) // 2
        middle = max(x + full // 2, px(24) + half)
        draw_play(canvas, last, people, middle - full // 2, y, wide, last=True)
        x = middle + max(full // 2, half) + px(24)
    if left:
        right = canvas.width - px(24)
        columns = min(len(left), _ALONE)
        step = min(wide + px(14), (right - x - wide) // max(1, columns - 1))
        start = x + (right - x - step * (columns - 1) - wide) // 2
        loser = people[seen.results[-1].places[-1]]
        _chip(canvas, loser, ": left in the hand", (x + right) // 2, top + px(48), right - x)
        for number, name in enumerate(left):
            row, column = divmod(number, _ALONE)
            down = y + row * px(_CARD * components.HIGH // 100 + 30)
            canvas.put(components.card(wide, None, name), start + column * step, down)
        size = wide // 2
        high = wide * components.HIGH // 100
        badge = frame.badge(MOOD, people, seen.results[-1].places[-1], size, None)
        canvas.put(badge, start + 4, y + high - size + size // 3)


def _chip(canvas: Canvas, who: str, what: str, x: int, y: int, room: int, left: int = 0) -> int:
    """Draw a sign with a name and what is said of them, in `room` pixels, around `x` or further right from `left` on.

    Returns its width.
    """
    px, size = canvas.px, canvas.px(_CHIP) * 60 // 100
    name = fonts.fitted(who, size, room - px(60) - fonts.width(what, size))
    text = f"{fonts.isolated(name)}{what}" if who else what
    wide = fonts.width(text, size) + px(60)
    middle = max(x, left + wide // 2)
    canvas.centre(frame.chip("", wide, px(_CHIP), MOOD.accent, INK, 6, 46, 60), middle, y)
    canvas.text(middle, y, text, size, INK, MOOD.accent, "middle")
    return wide


def _columns(canvas: Canvas, rounds: int) -> list[int]:
    """The middles of the columns of the table, one for each round and the last for the total."""
    px = canvas.px
    right = canvas.width - px(frame.MARGIN + 12 + _TOTAL)
    return [
        *(right - (rounds - number) * px(_COLUMN) + px(_COLUMN) // 2 for number in range(rounds)),
        right + px(_TOTAL) // 2,
    ]


def _draw_head(canvas: Canvas, y: int, rounds: range) -> None:
    px = canvas.px
    canvas.fill(0, y, canvas.width, y + px(_TABLE), MOOD.bar)
    canvas.seam(y)
    middle, columns = y + px(_TABLE) // 2, _columns(canvas, len(rounds))
    for number, x in zip(rounds, columns[:-1], strict=True):
        canvas.text(x, middle, str(number), px(40), MOOD.bar_dim, MOOD.bar, "middle")
    if rounds:
        canvas.text(columns[0] - px(_COLUMN) // 2, middle, "round", px(38), MOOD.bar_dim, MOOD.bar, "right")
    canvas.text(columns[-1], middle, "points", px(38), MOOD.bar_dim, MOOD.bar, "middle")


def _draw_row(canvas: Canvas, told: Story, people: People, seat: int, y: int, lit: bool) -> None:
    """Draw a player's row: the name, the points of every round, and their sum."""
    px = canvas.px
    seen: AbissalObservation = told.seen
    box = (px(frame.MARGIN), y, canvas.width - px(frame.MARGIN), y + px(_ROW))
    plate = frame.plate(canvas, MOOD, box, seen, seat, people, lit=lit)
    middle, columns = (box[1] + box[3]) // 2, _columns(canvas, len(seen.results))
    for result, x in zip(seen.results, columns[:-1], strict=True):
        points = result.points[seat]
        text, colour = (f"+{points}", plate.text) if points else ("–", plate.dim)
        canvas.text(x, middle, text, px(44), colour, plate.ground, "middle")
    canvas.text(columns[-1], middle, str(seen.scores[seat]), px(68), plate.text, plate.ground, "middle")
    right = columns[0] - px(_COLUMN) // 2 if seen.results else columns[0] - px(_TOTAL) // 2
    if told.end is not None and lit:
        right -= px(96)
        canvas.put(story.trophy(px(86), plate.ground), right, middle - px(43))
    elif not _is_over(seen) and seen.counts[seat]:
        text = counted(seen.counts[seat], "card")
        right -= px(24)
        right -= canvas.text(right, middle, text, px(38), plate.dim, plate.ground, "right")
    frame.name(canvas, plate.left, middle, people[seat], px(44), plate.text, plate.ground, right - plate.left - px(12))


def round_alt(told: Story, people: People) -> str:
    """The picture of a round, in words."""
    seen: AbissalObservation = told.seen
    result, short = seen.results[-1], tuple(map(plain, people))
    parts = [f"Ambiente Abissal: {short[result.places[0]]} wins round {len(seen.results)}.", _gained(result, short)]
    return within(MAX_ALT_TEXT, [*parts, *_alt(told, short)])


def end_alt(told: Story, people: People) -> str:
    """The picture of the end, in words."""
    assert told.end is not None
    short = tuple(map(plain, people))
    parts = [f"Ambiente Abissal, the end: {sentences.told(told.end.headline, people)}"]
    return within(MAX_ALT_TEXT, [*parts, *_alt(told, short)])


def _alt(told: Story, short: People) -> list[str]:
    """What both pictures show: the last play, the cards left, and the points by round."""
    seen: AbissalObservation = told.seen
    last, parts = _last_play(told), []
    if last is not None:
        parts.append(f"The last play: {short[last.player]}, {listed(list(map(words.card_words, last.cards)))}.")
    if _left(seen):
        parts.append(f"Left in {short[seen.results[-1].places[-1]]}’s hand: {' '.join(_left(seen))}.")
    for seat in _order(seen, told.end.winners if told.end else ()):
        rounds = " + ".join(str(result.points[seat]) for result in seen.results)
        parts.append(
            f"{short[seat]}: {f'{rounds} = ' if seen.results[1:] else ''}{counted(seen.scores[seat], 'point')}."
        )
    return parts


def moment(before: AbissalObservation, passed: Passed) -> str | None:
    """The caption of a play by which somebody is out first or the first with one card, or that nothing beats."""
    line, seen = passed
    cards = laid(line.action) if isinstance(line.action, Play) else ()
    if not cards or len(seen.results) > len(before.results) or seen.outcome is not None:
        return None
    who = f"{{{line.player}}}"
    if not seen.counts[line.player]:
        return f"{who} is out first: 2 points this round!"
    if seen.counts[line.player] == 1 and min(before.counts) > 1:
        return f"{who} has only one card left!"
    if len(before.trick) >= _LONG - 1 and _is_greatest(cards, seen.players):
        return f"Nothing beats {_named(cards)}: {who} wins a trick of {len(before.trick) + 1} plays!"
    return None


_LONG: Final = 4
"""The least number of plays of a long trick."""


def _named(cards: tuple[str, ...]) -> str:
    """A play in a caption: ``the purple 6``, ``a purple pair``, ``two 6s``."""
    if len(cards) == 1:
        return f"the {words.card_words(cards[0])}"
    return "a purple pair" if cards[0][0] == cards[1][0] else f"two {cards[0][1]}s"


def _is_greatest(cards: tuple[str, ...], players: int) -> bool:
    """Whether no play beats these cards: the strongest card, the strongest suit, or the highest number twice."""
    highest = "6" if players > 2 else "5"
    suits, numbers = {card[0] for card in cards}, {card[1] for card in cards}
    if len(cards) == 1:
        return suits == {"P"} and numbers == {highest}
    return suits == {"P"} or numbers == {highest}
