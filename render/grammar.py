"""Text helpers that all games share: lists, names, lengths, grids, results."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from games.core import Observation
from games.grid import Cell
from render import fonts
from render.emblems import Computer

MAX_ALT_TEXT: Final = 1024
"""Longest alternative text of a picture, in characters (Discord's limit)."""

MAX_TEXT_BOARD: Final = 1900
"""Longest position in words: fits into one message with room to spare."""


def listed(parts: Sequence[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """``1 card``, ``3 cards``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def spelled(number: int) -> str:
    """``one`` to ``ten``; higher numbers in digits."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def cut(text: str, length: int) -> str:
    """`text`, or its beginning with an ellipsis, in at most `length` characters."""
    return text if len(text) <= length else text[: length - 1].rstrip() + fonts.ELLIPSIS


def within(limit: int, parts: Iterable[str], joint: str = " ") -> str:
    """Join as many of `parts`, the important ones first, as fit into `limit` characters; an ellipsis if some don't."""
    out = ""
    for part in parts:
        if not part:
            continue
        longer = f"{out}{joint}{part}" if out else part
        if len(longer) > limit - 2:
            return cut(out, limit - 2) + f" {fonts.ELLIPSIS}" if out else cut(part, limit)
        out = longer
    return out


def plain(name: str, length: int = 32) -> str:
    """A name for a text in a fixed-width font: on one line, without anything that would end a block of code.

    After a computer's name it says so: ``Otter (computer)``.
    """
    short = cut(" ".join(name.replace("`", "'").split()), length)
    return f"{short} (computer)" if isinstance(name, Computer) else short


def columns(text: str) -> int:
    """Width of a text in columns of a fixed-width font (East Asian letters take two)."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def padded(text: str, width: int) -> str:
    """`text` followed by spaces up to `width` columns."""
    return text + " " * max(0, width - columns(text))


def grid(signs: Mapping[Cell, str]) -> str:
    """A maze of at least one card as rows of signs, with coordinates on the left and below."""
    wide = max(map(columns, signs.values())) + 1
    xs, ys = [x for x, _ in signs], [y for _, y in signs]
    across = range(min(xs), max(xs) + 1)
    rows = [(f"{y:>3}", [signs.get((x, y), ".") for x in across]) for y in range(max(ys), min(ys) - 1, -1)]
    rows.append(("   ", [str(x) for x in across]))
    return "\n".join(f"{head} {''.join(padded(sign, wide) for sign in row)}".rstrip() for head, row in rows)


class You(str):
    """Stands for the reader's name in `People`: what is said of them says "you"."""


YOU: Final = You("you")


def verb(who: str, third: str) -> str:
    """A verb that fits its subject: ``passes`` of Ann, ``pass`` of the reader. `third` is its third person."""
    if not isinstance(who, You):
        return third
    return _IRREGULAR.get(third) or third.removesuffix("es" if third.endswith(("sses", "shes", "ches")) else "s")


_IRREGULAR: Final[Mapping[str, str]] = {"has": "have", "is": "are"}


def does(who: str, third: str) -> str:
    """The beginning of a sentence: ``Ann passes``, ``You pass``."""
    return f"{'You' if isinstance(who, You) else who} {verb(who, third)}"


def whose(who: str, *, first: bool = False) -> str:
    """``Ann’s`` or ``your``. `first`: it begins a sentence."""
    return f"{who}’s" if not isinstance(who, You) else "Your" if first else "your"


def acts(seen: Observation, people: Sequence[str], idle: str, says: str = "It’s {}’s turn.") -> str:
    """Whose turn it is: a sentence that `says` it of a name, or `idle` while nobody acts. At the end: who has won."""
    if seen.outcome is not None:
        return over(seen.outcome.winners, people)
    return idle if seen.current_player < 0 else says.format(people[seen.current_player])


def over(winners: Sequence[int], people: Sequence[str]) -> str:
    """Who has won a match that is over: ``The match is over: Ann and Bob win.``"""
    names = listed([people[seat] for seat in winners]) or "nobody"
    return f"The match is over: {names} {'win' if len(winners) > 1 else 'wins'}."


def verdict(
    winners: Sequence[int], scores: Sequence[int], people: Sequence[str], unit: str, why_not_equal: str = ""
) -> str:
    """Who wins by what score: ``Ann wins 12 : 9.``, ``Ann and Cleo win with 7 nuggets each; Dan has 5.``

    Whoever has as many as the winners and doesn't win is named, with `why_not_equal`, which says what broke the tie:
    ``Ann wins 6 : 6 against Bob: better in the last round; Cleo has 0.``
    """
    if not winners:
        return "Nobody wins."
    names, best = listed([people[seat] for seat in winners]), scores[winners[0]]
    wins = "wins" if len(winners) == 1 else "win"
    if len(scores) == len(winners) == 2:
        return f"A draw, {scores[0]} : {scores[1]}."
    if rivals := [people[seat] for seat, score in enumerate(scores) if score == best and seat not in winners]:
        equal = " : ".join([str(best)] * (len(winners) + len(rivals)))
        against = f" against {listed(rivals)}" if len(scores) > 2 else ""
        return f"{names} {wins} {equal}{against}: {why_not_equal}{_runners_up(scores, best, people)}."
    if len(scores) == 2:
        return f"{names} wins {best} : {min(scores)}."
    each = " each" if len(winners) > 1 else ""
    return f"{names} {wins} with {counted(best, unit)}{each}{_runners_up(scores, best, people)}."


def _runners_up(scores: Sequence[int], best: int, people: Sequence[str]) -> str:
    """Who has the next lower score: ``; Dan has 5``. Of more than two people, only the score."""
    lower = [score for score in scores if score < best]
    if not lower:
        return ""
    next_best = [people[seat] for seat, score in enumerate(scores) if score == max(lower)]
    who = "the next" if len(next_best) > 2 else listed(next_best)
    return f"; {who} {'has' if len(next_best) == 1 else 'have'} {max(lower)}"
