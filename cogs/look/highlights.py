"""The big moments of a match: picked from a menu, looked at in private, and shown to all by **Post it here**.

Everything here is made from what spectators saw.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import discord

from cogs.look.replay import BIG, posted_by, posting
from cogs.post import pictures
from cogs.press import components
from cogs.press.components import Verb, of_match
from cogs.press.custom_ids import Ref
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Message, Press, answer
from cogs.text import names, words
from games.log import Beat
from matches.api import Match, Replay, Status, WrongTime
from render import RENDERERS, Renderer
from render.grammar import cut
from render.sentences import told
from render.story import End, Passed, Story

MOST: Final = 25
"""Most moments in the menu: as many as Discord allows."""

_LONGEST: Final = 100
"""Longest text of a menu's entry."""

PICKED: Final = "picked"
"""In the menu's path: the answer replaces the message that has the menu."""


class Highlight(NamedTuple):
    """A big moment, the end of a round, or the end of a match.

    `number` is how many lines of the match in force had been played, and `sentence` names people by seat. A moment has
    a `caption` on its picture.
    """

    number: int
    sentence: str
    caption: str | None = None


def found(draw: Renderer[Any], beats: tuple[Beat, ...], end: End | None, copied: int = 0) -> list[Highlight]:
    """Return the big moments of a match in order, at most `MOST`: the ends, and the latest of the others.

    `end`: how the match ended; ``None`` while it goes on. `copied`: how many lines at the beginning come from another
    match. Their moments aren't this match's.
    """
    moments, ends, rounds = list[Highlight](), list[Highlight](), 0
    for number, beat in enumerate(beats, 1):
        rounds += beat.round_over
        if number <= copied:
            continue
        if end is not None and number == len(beats):
            ends.append(Highlight(number, end.headline))
        elif beat.round_over:
            ends.append(Highlight(number, f"The end of round {rounds}"))
        elif number > 1:
            caption = draw.moment(beats[number - 2].seen, Passed(beat.public_line, beat.seen))
            if caption is not None:
                moments.append(Highlight(number, caption, caption))
    ends = ends[-MOST:]
    room = MOST - len(ends)
    return sorted([*ends, *(moments[-room:] if room else [])])


@dataclass(frozen=True)
class _Film:
    """A match as a spectator saw it, with its big moments."""

    match: Match
    beats: tuple[Beat, ...]
    end: End | None
    highlights: list[Highlight]

    async def picture(self, shown: Highlight) -> discord.File:
        """The picture of a big moment, as it was posted."""
        until = self.beats[: shown.number]
        if shown.caption is not None:
            return await pictures.position(self.match, until[-1].seen, shown.caption)
        over = self.end is not None and len(until) == len(self.beats)
        course = tuple(Passed(beat.full_line if over else beat.public_line, beat.seen) for beat in until)
        # The picture before it was of the last position in which somebody had to act.
        since = max((number for number, beat in enumerate(until[:-1], 1) if beat.waits), default=0)
        before = course[since - 1].observation if since else None
        marks = RENDERERS[self.match.game].marked(course[since:], before)
        if over:
            return await pictures.told_end(self.match, Story(course, self.end, marks=marks))
        return await pictures.told_round(self.match, Story(course, marks=marks))

    def heading(self, shown: Highlight) -> str:
        """The first line above the picture."""
        return f"{words.title(self.match)}: {shown.sentence.format(*names.people(self.match))}"


async def _film(press: Press, match: Match) -> _Film:
    """Replay the match. Raises NotFound, Frozen, Pruned, WrongTime."""
    replay = await press.host.look.replay(match.id, None)
    return await asyncio.to_thread(_replayed, replay)


def _replayed(replay: Replay) -> _Film:
    match, beats, draw = replay.match, replay.beats(), RENDERERS[replay.match.game]
    end = None
    if match.status is Status.OVER and beats:
        end = words.ended_by_people(match) or draw.ended(beats[-1].seen)
    return _Film(match, beats, end, found(draw, beats, end, replay.beats_copied))


async def _show(press: Press, match: Match) -> None:
    """The button **Big moments**, and its menu."""
    await answer(press, await page(press, match, press.picked))


async def page(press: Press, match: Match, picked: str = "") -> Message:
    """One moment, at first the latest, and a menu of all. Raises WrongTime if there are none."""
    with one_at_a_time(press, Long.REPLAY):
        film = await _film(press, match)
        if not film.highlights:
            raise WrongTime("Nothing big has happened in this match yet.")
        shown = next((each for each in film.highlights if str(each.number) == picked), film.highlights[-1])
        picture = await film.picture(shown)
    people = names.first_people(film.match)
    offered = {str(each.number): cut(told(each.sentence, people), _LONGEST) for each in film.highlights}
    here = (str(shown.number),)
    menu = components.menu(Ref("moments", match.id, None, (PICKED,)), offered, "Another big moment", here)
    view = components.view(menu, posting(match, BIG, cut=here))
    return Message(film.heading(shown), [picture], view)


async def posted(press: Press, match: Match, number: str) -> Message:
    """A big moment for all to see, without buttons. Raises WrongTime if it was taken back."""
    with one_at_a_time(press, Long.REPLAY):
        film = await _film(press, match)
        shown = next((each for each in film.highlights if str(each.number) == number), None)
        if shown is None:
            raise WrongTime("That move has been taken back.")
        picture = await film.picture(shown)
    return Message(f"{film.heading(shown)}\n{posted_by(press.person)}", [picture])


HANDLERS: Final[dict[str, Verb]] = {"moments": of_match(_show, edits=lambda ref: PICKED in ref.path)}
