"""Sentences about whom players suspect: under a board, in the log, and when the roles are turned up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from cogs.text import names
from games.core import Observation, Suspicion
from games.core.suspicion import is_right, number_of_round, right, standing
from matches.api import Match, Ply, Shown, Status
from matches.features import said
from render.grammar import counted, listed

NOBODY: Final = "nobody"

ROOM: Final = 500
"""Characters of the line under a board."""

HEADING: Final = "**Suspicions in round {}**"

MOST: Final = 3
"""How many of a player's suspicions are told when the roles are turned up: the latest of that round."""


def now(match: Match, seen: Observation, until: Ply | None = None) -> str:
    """Return in small print whom the players suspect in this round, in one line; empty if nobody has said anything.

    With `until`, only what was said until the match had that many lines.
    """
    if match.status is not Status.RUNNING and until is None:
        return ""
    if not seen.roles_hidden:
        return ""
    words = standing([each for each in said(match) if until is None or each.ply <= until], number_of_round(seen))
    return names.fitting(ROOM, partial(_line, match, sorted(words.values(), key=_suspect))) if words else ""


def _suspect(word: Suspicion) -> tuple[bool, int]:
    """Order by suspect; nobody comes last."""
    return word.suspect is None, word.suspect or 0


def _line(match: Match, words: Sequence[Suspicion], longest: int) -> str:
    told = []
    for _, same in groupby(words, key=_suspect):
        who = sorted(same)
        verb = "suspects" if len(who) == 1 else "suspect"
        speakers = listed([_name(match, each.seat, longest) for each in who])
        told.append(f"{speakers} {verb} {whom(match, who[0], longest)}")
    return f"-# {' · '.join(told)}"


def _name(match: Match, seat: int, longest: int = names.LONGEST) -> str:
    return names.person_at(match.seats[seat], longest)


def whom(match: Match, word: Suspicion, longest: int = names.LONGEST) -> str:
    """Return the name of the suspect."""
    return NOBODY if word.suspect is None else _name(match, word.suspect, longest)


def at(match: Match, ply: int) -> list[str]:
    """Return a sentence for each suspicion that was said when the log had `ply` lines."""
    words = [each for each in said(match) if each.ply == ply]
    return [f"{_name(match, each.seat)} suspects {whom(match, each)}." for each in words]


class _Round(NamedTuple):
    """A decided round: everything that was said in it, the right words, and the plies of its turns."""

    words: list[Suspicion]
    right: tuple[Suspicion, ...]
    turns: Sequence[int]

    def turn(self, word: Suspicion) -> int:
        """Return in which turn of the round something was said, from 1."""
        return 1 + sum(ply < word.ply for ply in self.turns)

    def is_first(self, word: Suspicion) -> bool:
        return word in self.right and word.ply == self.right[0].ply


def _last_round(match: Match, course: Sequence[Shown]) -> _Round | None:
    """Return the last decided round of these lines, which begin with the match's first; ``None`` without suspicions."""
    unmasked = course[-1].observation.unmasked_by_round if course else ()
    words = [each for each in said(match) if each.round == len(unmasked)]
    if not words:
        return None
    turns = [
        line.ply
        for before, line in pairwise(course)
        if line.player >= 0
        and before.observation.roles_hidden
        and len(before.observation.unmasked_by_round) == len(unmasked) - 1
    ]
    return _Round(words, right(words, len(unmasked), unmasked[-1]), turns)


def unmasking(match: Match, course: Sequence[Shown]) -> Callable[[int], str]:
    """Return a function that tells whom each player suspected in the round that was decided last.

    It takes the length at which names are cut. Its text says since which turn, who was right, and who was right first.
    The text is empty if nobody suspected anybody. `course`: all lines in force up to the end of that round.
    """
    found = _last_round(match, course)
    if found is None:
        return lambda longest: ""

    def about(seat: int, longest: int) -> str:
        own = [each for each in found.words if each.seat == seat]
        parts = [f"{whom(match, each, longest)} from turn {found.turn(each)}" for each in own[-MOST:]]
        verdict = "right first" if found.is_first(own[-1]) else "right" if own[-1] in found.right else "wrong"
        earlier = "… " if len(own) > MOST else ""
        return f"{_name(match, seat, longest)}: {earlier}{', then '.join(parts)} ({verdict})"

    def text(longest: int) -> str:
        seats = [each.seat for each in found.right]
        seats += sorted({each.seat for each in found.words} - set(seats))
        return "\n".join((HEADING.format(found.words[0].round), *(about(seat, longest) for seat in seats)))

    return text


def foremost(match: Match, course: Sequence[Shown]) -> str:
    """Return who was the first to be right in the round that was decided last, in one line; empty if nobody was."""
    found = _last_round(match, course)
    if found is None or not found.right:
        return ""
    first = [word for word in found.right if found.is_first(word)]
    who = listed([_name(match, word.seat) for word in first])
    what = listed(list(dict.fromkeys(whom(match, word) for word in first)))
    return f"-# {who} had it right first: {what}, from turn {found.turn(first[0])}."


def counts(match: Match, seen: Observation, longest: int = names.LONGEST) -> str:
    """Return in how many rounds each player was right, in one line; empty if nobody was, or nobody said anything."""
    words = said(match)
    tried: dict[int, int] = {}
    hits: dict[int, int] = {}
    for number, unmasked in enumerate(seen.unmasked_by_round, 1):
        for seat, word in standing(words, number).items():
            tried[seat] = tried.get(seat, 0) + 1
            hits[seat] = hits.get(seat, 0) + is_right(word, unmasked)
    best = sorted((seat for seat in tried if hits[seat]), key=lambda seat: (-hits[seat], tried[seat], seat))
    if not best:
        return ""
    told = [f"{_name(match, seat, longest)} in {hits[seat]} of {counted(tried[seat], 'round')}" for seat in best]
    return f"Right suspicions: {', '.join(told)}."
