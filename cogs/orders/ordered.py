"""Sentences about what somebody has said in advance. They are for that person alone (P39)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cogs.text import words
from matches.api import Match

NOT_NOW: Final = "You can't say that right now. Press **In advance** again."

GUESSED: Final = "-# What they draw after that move is a guess of mine in the picture."

EXPLAINED: Final = (
    "Tell me now what you'd play, and I'll play it for you when it's your turn. Only you can see this, and you can "
    "change it until then."
)
_NOTHING: Final = "Right now there's nothing that you could say in advance. Try again after the next move."


def heading(match: Match) -> str:
    """Return the first line of every page."""
    return f"{words.title(match)} · in advance"


def overview(match: Match, told: Sequence[str], sentence: str, *, offers: bool) -> str:
    """Return what somebody has said, one order a line, or how it works. `sentence`: what has just been done."""
    lines = [heading(match), *([sentence] if sentence else [])]
    if told:
        lines += [f"**{number}** · {text}" for number, text in enumerate(told, 1)]
        lines.append(when(match))
    else:
        lines.append(EXPLAINED if offers else _NOTHING)
    return words.first_that_fit(lines)


def when(match: Match) -> str:
    """Return when an order is played, in small print."""
    longest = 10 if match.info.hands else 3
    return (
        f"-# I'll play it within {longest} minutes of your turn, so that it looks like any other move. If you play "
        "yourself, I forget all of it."
    )


def sentence(theirs: str | None, mine: str, unless: Sequence[str], *, stands: bool = False) -> str:
    """Return what somebody has said in advance as a sentence.

    `theirs`: the other player's move that it answers, ``None`` for any. `mine`: what is played then, or, if it `stands`
    until it's deleted or over, the game's instruction. `unless`: what keeps it from being played.
    """
    told = f"{mine[:1].upper()}{mine[1:]}." if stands else f"Next turn: {mine}." if theirs is None else ""
    told = told or f"If {theirs}: {mine}."
    return f"{told[:-1]}, unless {' or '.join(unless)}." if unless else told
