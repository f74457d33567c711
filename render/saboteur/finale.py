"""The pictures of a round or a match that is over: who was what, and what it brought them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.core.suspicion import Suspicion, right, standing
from games.grid import string_to_cell
from games.saboteur.actions import Dig
from games.saboteur.components import FINISH, ROLE_NAMES, ROUNDS, SABOTEUR, START
from games.saboteur.observation import RoundResult, SaboteurObservation
from render import fonts, frame, marks, maze, sentences, story
from render.canvas import Box, Canvas, Told
from render.grammar import MAX_ALT_TEXT, counted, listed, plain, within
from render.marks import GOLD, SIGNS
from render.palette import Colour, shade
from render.saboteur import components, dwarfs, icons, words
from render.saboteur.board import MOOD, draw_done, draw_mine, draw_treasure, treasure_of
from render.story import Passed, Story
from render.style import People, Style

_SCENE: Final = (420, 300)
"""Height of the scene, which shows the side that has won and the mine as it was left: for few players, and for many."""

_PORTRAIT: Final = (300, 160)
_FEW: Final = 6

_ROLE: Final = (150, 120)
"""Side of a role card."""

_SUSPECT: Final = 142
"""Greatest width of the mark of a suspect."""

_MARK: Final = 44
"""Size of the badge that marks an action in a mine that is drawn small."""

_SIGNS: Final = tuple(sign for sign in SIGNS if sign != GOLD)
"""The signs beside a badge. Gold cards have the numbers of those who took them."""

_GAP: Final = 14
_CAVE: Final = shade("rock", 0.0)


def moment(before: SaboteurObservation, passed: Passed) -> str | None:
    """The caption of the line that reaches the treasure."""
    line, seen = passed
    if not isinstance(line.action, Dig) or len(seen.results) == len(before.results):
        return None
    result: RoundResult = seen.results[-1]
    if result.reached_by is None:
        return None
    traitor = ", a saboteur," if result.roles[line.player] == SABOTEUR else ""
    return f"{{{line.player}}}{traitor} reaches the treasure!"


# The end of a round.


def paint_round(told: Story, people: People, style: Style) -> Canvas:
    """Paint a round that is over: who won it, the mine, and everybody's role card with the gold cards they took."""
    seen: SaboteurObservation = told.seen
    result, px = seen.results[-1], style.px
    headline, below = _round_sentences(told, sentences.seats(seen.players))
    shown = story.heading(style, people, headline, below)
    many = seen.players > _FEW
    scene, high = px(_SCENE[many]), px(_ROLE[many] + _GAP)
    first = shown.height + scene + px(_GAP)
    rows = (seen.players + 2) // 2
    canvas = Canvas(style.width, first + rows * (high + px(_GAP)), MOOD.ground, told.marks)
    story.draw_heading(canvas, MOOD, shown, people, style)
    _draw_scene(canvas, seen, people, result, shown.height, shown.height + scene)
    order = sorted(range(seen.players), key=lambda seat: (result.roles[seat] != result.winners, seat))
    said = standing(told.suspicions, result.number)
    wide = (style.width - 2 * px(frame.MARGIN) - px(_GAP)) // 2
    for place in range(seen.players + 1):
        x = px(frame.MARGIN) + place % 2 * (wide + px(_GAP))
        box = (x, (y := first + place // 2 * (high + px(_GAP))), x + wide, y + high)
        if place < seen.players:
            _draw_unmasked(canvas, result, people, order[place], box, said.get(order[place]))
        else:
            _draw_left_over(canvas, result, box)
    return canvas


def _round_sentences(told: Story, people: People) -> tuple[str, str]:
    """Who has won a round, and how, and who was the first to suspect a saboteur."""
    result: RoundResult = told.seen.results[-1]
    if result.reached_by is None:
        how = words.unreached(told.seen)
    elif result.roles[result.reached_by] == SABOTEUR:
        how = f"{people[result.reached_by]} reached the treasure, but saboteurs get no gold."
    else:
        how = f"{people[result.reached_by]} reached the treasure."
    if SABOTEUR not in result.roles:
        how += " There was no saboteur: you suspected each other for nothing."
    elif result.winners == SABOTEUR and any(result.gold_cards):
        how += f" {counted(result.pay, 'nugget')} for each saboteur."
    how += _first_right(told, result, people)
    who = words.winners(result)
    return f"{who} {'wins' if who == 'Nobody' else 'win'} round {result.number}!", how


def _first_right(told: Story, result: RoundResult, people: People) -> str:
    """Who was the first to be right about the saboteurs, as a sentence after another; empty if nobody was."""
    found = right(told.suspicions, result.number, told.seen.unmasked_by_round[-1])
    first = [word for word in found if word.ply == found[0].ply]
    if not first:
        return ""
    who = listed([people[word.seat] for word in first]) if len(first) < 3 else counted(len(first), "player")
    suspects = {word.suspect for word in first}
    if len(suspects) > 1:
        return f" {who} were right first about the saboteurs."
    (suspect,) = suspects
    if suspect is None:
        return f" {who} suspected nobody, and {'was' if len(first) == 1 else 'were'} right."
    return f" {who} suspected {people[suspect]} first."


def _draw_scene(
    canvas: Canvas, seen: SaboteurObservation, people: People, result: RoundResult, top: int, bottom: int
) -> None:
    """Draw a dwarf of the side that has won, if anybody was on it, and the mine."""
    px = canvas.px
    size = px(_PORTRAIT[seen.players > _FEW])
    canvas.fill(0, top, canvas.width, bottom, _CAVE)
    left = px(frame.MARGIN)
    if result.winners in result.roles:
        canvas.put(dwarfs.portrait(size, _CAVE, result.winners), left, (top + bottom - size) // 2)
        left += size + px(_GAP)
    _draw_mine_between(canvas, seen, people, left, top, bottom)


def _draw_mine_between(
    canvas: Canvas, seen: SaboteurObservation, people: People, left: int, top: int, bottom: int
) -> None:
    """Draw the mine on the right of a scene, with what was done last. The card that ended the round is framed."""
    px = canvas.px
    high = bottom - top - 2 * px(_GAP)
    canvas.fill(0, bottom - px(6), canvas.width, bottom, MOOD.bar_edge)
    canvas.seam(bottom)
    room = canvas.width - left - px(frame.MARGIN)
    area = maze.around({START, *seen.maze, *FINISH})
    grid = maze.filling(area, left, top + px(_GAP), room, high, components.HIGH)
    canvas.overviews.append((left, top, canvas.width, bottom))
    draw_mine(canvas, grid, seen, people, grid.wide // 2)
    draw_done(canvas, grid, seen)
    draw_treasure(canvas, grid, seen)
    for mark in canvas.done:
        cell = string_to_cell(mark.place)
        if cell is not None and cell in seen.maze and treasure_of(seen) is not None:
            maze.draw_ring(canvas, grid, cell, px(5), MOOD.accent)
    maze.draw_deeds(canvas, maze.Plan(grid, None, bottom), MOOD, people, _MARK)


def _draw_unmasked(
    canvas: Canvas, result: RoundResult, people: People, seat: int, box: Box, word: Suspicion | None
) -> None:
    """Draw a player with their role card, the gold cards that the round brought them, and whom they suspected."""
    px = canvas.px
    role, won = result.roles[seat], result.roles[seat] == result.winners
    ground, text, dim = MOOD.plate_colours(won)
    left, middle = _draw_role_card(canvas, role, box, ground, len(people) > _FEW)
    right, size, quarter = box[2] - px(18), px(68), (box[3] - box[1]) // 4
    upper, lower = middle - quarter + px(4), middle + quarter - px(4)
    canvas.put(frame.badge(MOOD, people, seat, size, ground), left, upper - size // 2)
    name_at = frame.draw_own(canvas, seat, left, upper - size // 2, size, _SIGNS) + px(20)
    sign = (box[3] - box[1]) // 3
    below = left + fonts.width(ROLE_NAMES[role].capitalize(), px(38)) + px(16)
    gold_end = below + sign * 8 // 10 * result.gold_cards[seat] + px(12)
    if word is not None and word.suspect is not None:
        # Beside the name if that is whole then, else below it.
        start = right - px(_SUSPECT)
        if name_at + fonts.width(people[seat], px(40)) <= start:
            right = _draw_suspect(canvas, people, word.suspect, (right, upper), ground, result) - px(12)
        elif gold_end <= start:
            _draw_suspect(canvas, people, word.suspect, (right, lower), ground, result)
    frame.name(canvas, name_at, upper, people[seat], px(40), text, ground, right - name_at)
    canvas.text(left, lower, ROLE_NAMES[role].capitalize(), px(38), dim, ground)
    gold = [below + each * (sign * 8 // 10) for each in range(result.gold_cards[seat])]
    for x in gold:
        canvas.centre(icons.icon(sign, ground, "gold card"), x + sign // 2, lower)
    _tell_taken(canvas, seat, [(x, lower - sign // 2, x + sign, lower + sign // 2) for x in gold])


def _tell_taken(canvas: Canvas, seat: int, cards: Sequence[Box]) -> None:
    """Mark the gold cards of the round, each in its rectangle, that the player has taken since the last picture."""
    taken = [mark for mark in canvas.done if mark.sign == GOLD and mark.seat == seat]
    for mark, box in zip(taken, cards[-len(taken) :], strict=False):
        size = canvas.px(44)
        tile = marks.tab(size, None, mark.number) if canvas.numbered else marks.sign(size, None, GOLD)
        canvas.centre(tile, (box[0] + box[2]) // 2, box[3] - canvas.px(10))
        canvas.told.append(Told(mark.number, mark.place, box))


def _draw_suspect(
    canvas: Canvas, people: People, suspect: int, at: tuple[int, int], ground: Colour, result: RoundResult
) -> int:
    """Draw a question mark and the badge of a suspect, with a tick if that was right. Returns the left edge.

    Among many players there is no room for the badge.
    """
    px, (right, middle) = canvas.px, at
    size, sign = px(56), px(40)
    if result.roles[suspect] == SABOTEUR:
        canvas.put(icons.icon(sign, ground, "check"), right - sign, middle - sign // 2)
        right -= sign + px(4)
    if len(people) <= _FEW:
        canvas.put(frame.badge(MOOD, people, suspect, size, ground), right - size, middle - size // 2)
        right -= size + px(2)
    return right - canvas.text(right, middle, "?", px(50), MOOD.plate_colours(ground == MOOD.lit)[2], ground, "right")


def _draw_role_card(canvas: Canvas, role: str, box: Box, ground: Colour, many: bool) -> tuple[int, int]:
    """Draw a plate with a role card, or with its sign if there are `many`. Returns the text's left and middle line."""
    px = canvas.px
    x0, y0, x1, y1 = box
    canvas.seam(y0)
    canvas.panel(x0, y0, x1, y1, ground, MOOD.ground, px(18))
    size = y1 - y0 - px(20)
    card = dwarfs.sign_card if many else dwarfs.role_card
    canvas.put(card(size, ground, role), x0 + px(10), (y0 + y1 - size) // 2)
    return x0 + size + px(28), (y0 + y1) // 2


def _draw_left_over(canvas: Canvas, result: RoundResult, box: Box) -> None:
    """Draw the role card that nobody had."""
    px = canvas.px
    left, middle = _draw_role_card(canvas, result.left_over, box, MOOD.ground, len(result.roles) > _FEW)
    canvas.text(left, middle - px(24), "Left over", px(40), MOOD.plate_dim, MOOD.ground)
    canvas.text(left, middle + px(24), ROLE_NAMES[result.left_over].capitalize(), px(38), MOOD.plate_dim, MOOD.ground)


def round_alt(told: Story, people: People) -> str:
    """The picture of a round in words."""
    seen: SaboteurObservation = told.seen
    result, short = seen.results[-1], tuple(plain(name, 32 if seen.players <= 6 else 20) for name in people)
    said = standing(told.suspicions, result.number)
    parts = ["Saboteur.", *_round_sentences(told, short)]
    for seat, name in enumerate(short):
        gold = counted(result.gold_cards[seat], "gold card") if result.gold_cards[seat] else "no gold"
        suspect = said[seat].suspect if seat in said else None
        talk = "" if suspect is None else f", suspected {short[suspect]}"
        parts.append(f"{name}: {ROLE_NAMES[result.roles[seat]]}, {gold}{talk}.")
    parts.append(f"Left over: {ROLE_NAMES[result.left_over]}.")
    return within(MAX_ALT_TEXT, parts)


# The end of the match.

_HEAD: Final = 76
"""Height of the table's head."""

_ROW: Final = (118, 102)
"""Height of a row."""

_LAST_SCENE: Final = 280
_WITH_SCENE: Final = 7
"""With more players, there is no room for the scene of the last round above the table."""

_NAMES: Final = 346
"""Width of the column of names."""

_TOTAL: Final = 152
_CARD: Final = 66
_HELD: Final = (96, 80)
"""Side of a role card in a row: of few players, and of many."""

_SIGN: Final = 52


def paint_end(told: Story, people: People, style: Style) -> Canvas:
    """Paint a match that is over: the nuggets of everybody by round, their roles, and the winner with a trophy."""
    assert told.end is not None
    seen: SaboteurObservation = told.seen
    px = style.px
    below = _counted(seen, told.end.winners) if told.end.by_rules else ""
    scene = px(_LAST_SCENE) if seen.players <= _WITH_SCENE else 0
    shown = story.heading(style, people, told.end.headline, below, told.end.winners)
    table = shown.height + scene
    first = table + px(_HEAD + _GAP)
    high = px(_ROW[seen.players > _FEW])
    canvas = Canvas(style.width, first + seen.players * (high + px(10)) + px(8), MOOD.ground, told.marks)
    story.draw_heading(canvas, MOOD, shown, people, style)
    if scene:
        _draw_last_round(canvas, seen, people, shown.height, table)
    _draw_head(canvas, seen, table)
    for row, seat in enumerate(_ranked(seen, told.end.winners)):
        _draw_row(canvas, seen, people, seat, first + row * (high + px(10)), high, seat in told.end.winners)
    return canvas


def _draw_last_round(canvas: Canvas, seen: SaboteurObservation, people: People, top: int, bottom: int) -> None:
    """Draw the mine as the last round left it, and who won that. It has no picture of its own."""
    px, decided = canvas.px, len(seen.results) == seen.round_number
    canvas.fill(0, top, canvas.width, bottom, _CAVE)
    left, middle = px(frame.MARGIN + 14), (top + bottom) // 2
    who = words.winners(seen.results[-1]) if decided else ""
    lines = (f"{who[0].lower()}{who[1:]}", "won") if who else ("wasn't over",)
    for number, line in enumerate((f"Round {seen.round_number}{':' if decided else ''}", *lines)):
        y = middle + (2 * number - len(lines)) * px(32)
        canvas.text(left, y, line, px(44), MOOD.bar_dim, _CAVE)
    _draw_mine_between(canvas, seen, people, left + fonts.width("The gold-diggers", px(44)), top, bottom)


def _ranked(seen: SaboteurObservation, winners: tuple[int, ...]) -> list[int]:
    """The seats, the winners first and the most nuggets before fewer, as far as they are known."""
    totals = seen.uncovered.totals if seen.uncovered is not None else (0,) * seen.players
    return sorted(range(seen.players), key=lambda seat: (seat not in winners, -totals[seat], seat))


def _counted(seen: SaboteurObservation, winners: tuple[int, ...]) -> str:
    """The winner's nuggets by round: ``Counted by round: 3 + 1 + 2 = 6.`` Empty if several have won."""
    if seen.uncovered is None or len(winners) != 1:
        return ""
    return f"Counted by round: {_sum(seen, winners[0]).rpartition(' ')[0]}."


def _columns(canvas: Canvas) -> list[tuple[int, int]]:
    """Where the columns of the rounds begin and end."""
    px = canvas.px
    left, right = px(frame.MARGIN + _NAMES), canvas.width - px(frame.MARGIN + _TOTAL)
    wide = (right - left) // ROUNDS
    return [(left + number * wide, left + (number + 1) * wide) for number in range(ROUNDS)]


def _draw_head(canvas: Canvas, seen: SaboteurObservation, y: int) -> None:
    """Draw the table's head: the rounds, each with the sign of the side that has won it."""
    px = canvas.px
    canvas.fill(0, y, canvas.width, y + px(_HEAD), _CAVE)
    canvas.seam(y)
    middle, size = y + px(_HEAD) // 2, px(_SIGN)
    canvas.text(px(frame.MARGIN + 14), middle, "Rounds won by", px(38), MOOD.plate_dim, _CAVE)
    for number, (left, _) in enumerate(_columns(canvas)):
        wide = canvas.text(left, middle, str(number + 1), px(44), MOOD.bar_dim, _CAVE)
        result = seen.results[number] if number < len(seen.results) else None
        if result is not None and result.winners in result.roles:
            canvas.put(icons.icon(size, _CAVE, result.winners), left + wide + px(12), middle - size // 2)
        else:
            who = "nobody" if result else "not over" if number + 1 == seen.round_number else "–"
            canvas.text(left + wide + px(12), middle, who, px(36), MOOD.plate_dim, _CAVE)


def _draw_row(
    canvas: Canvas, seen: SaboteurObservation, people: People, seat: int, y: int, high: int, won: bool
) -> None:
    """Draw a player's row: their name, for each round role and gold cards, and the sum."""
    px = canvas.px
    ground, text, dim = MOOD.plate_colours(won)
    x0, x1, y1 = px(frame.MARGIN), canvas.width - px(frame.MARGIN), y + high
    canvas.seam(y)
    canvas.panel(x0, y, x1, y1, ground, MOOD.ground, px(18))
    middle, size = (y + y1) // 2, px(80)
    canvas.put(frame.badge(MOOD, people, seat, size, ground), x0 + px(12), middle - size // 2)
    left = frame.draw_own(canvas, seat, x0 + px(12), middle - size // 2, size, _SIGNS) + px(20)
    right = x0 + px(_NAMES) - px(12)
    cup = px(68) if won and fonts.width(people[seat], px(40)) <= right - left - px(78) else 0
    left += frame.name(canvas, left, middle, people[seat], px(40), text, ground, right - left - cup)
    if cup:
        canvas.put(story.trophy(cup, ground), left + px(10), middle - cup // 2)
    for number, (start, end) in enumerate(_columns(canvas)):
        if number < len(seen.results):
            _draw_haul(canvas, seen, number, seat, (start, end), middle, ground, dim)
    right = x1 - px(18)
    gold = seen.uncovered is not None
    count = seen.uncovered.totals[seat] if seen.uncovered is not None else seen.gold_counts[seat]
    sign = px(56)
    canvas.put(icons.icon(sign, ground, "nugget" if gold else "gold card"), right - sign, middle - sign // 2)
    canvas.text(right - sign - px(8), middle, f"= {count}" if gold else str(count), px(50), text, ground, "right")


def _draw_haul(
    canvas: Canvas,
    seen: SaboteurObservation,
    number: int,
    seat: int,
    column: tuple[int, int],
    middle: int,
    ground: Colour,
    dim: Colour,
) -> None:
    """Draw a player's role card of a round, and the gold cards that it brought: their worth, or their backs."""
    px, many = canvas.px, seen.players > _FEW
    result, (left, right) = seen.results[number], column
    size, wide = px(_HELD[many]), px(_CARD)
    card = dwarfs.sign_card if many else dwarfs.role_card
    canvas.put(card(size, ground, result.roles[seat]), left, middle - size // 2)
    left += size + px(8)
    if seen.uncovered is None:
        tiles = [icons.icon(px(56), ground, "gold card")] * result.gold_cards[seat]
    else:
        tiles = [components.gold_card(wide, ground, value) for value in seen.uncovered.gold[seat][number]]
    if not tiles:
        canvas.text(left + px(10), middle, "–", px(44), dim, ground)
        return
    step = min(wide + px(4), (right - px(14) - wide - left) // max(1, len(tiles) - 1))
    for place, tile in enumerate(tiles):
        canvas.put(tile, left + place * step, middle - tile.height // 2)
    if number + 1 == len(seen.results):
        high = tiles[0].height // 2
        edges = [left + place * step for place in range(len(tiles))]
        _tell_taken(canvas, seat, [(x, middle - high, x + step, middle + high) for x in edges])


def end_alt(told: Story, people: People) -> str:
    """The picture of the end in words."""
    assert told.end is not None
    seen: SaboteurObservation = told.seen
    short = tuple(plain(name, 32 if seen.players <= 6 else 16) for name in people)
    parts = ["Saboteur.", sentences.told(told.end.headline, people)]
    for seat in _ranked(seen, told.end.winners):
        parts.append(f"{short[seat]}: {_sum(seen, seat)}; {_roles(seen, seat)}.")
    return within(MAX_ALT_TEXT, parts)


def _sum(seen: SaboteurObservation, seat: int) -> str:
    """A player's gold: ``3 + 1 + 1 = 5 nuggets``; ``2 gold cards`` if their worth isn't known."""
    if seen.uncovered is None:
        return counted(seen.gold_counts[seat], "gold card")
    cards = [value for gold in seen.uncovered.gold[seat] for value in gold]
    total = counted(seen.uncovered.totals[seat], "nugget")
    return f"{' + '.join(map(str, cards))} = {total}" if len(cards) > 1 else total


def _roles(seen: SaboteurObservation, seat: int) -> str:
    roles = [ROLE_NAMES[result.roles[seat]] for result in seen.results]
    if len(set(roles)) == 1 and len(roles) > 1:
        return f"always a {roles[0]}"
    return ", ".join(roles) or "no round was over"
