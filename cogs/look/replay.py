"""Look back at a match step by step, for one person only (P18).

`Replay` is in `matches/records/replay.py`.

Nothing is kept in memory: a button carries the ply that is shown and the direction in which it leads.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from dataclasses import replace
from typing import Any, Final

import discord

from cogs.client import Client
from cogs.post import pictures
from cogs.press import components
from cogs.press.components import Verb, of_match
from cogs.press.custom_ids import Ref
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Message, Press, answer, whisper
from cogs.text import suspicions, words
from matches.api import NO_LINES, Match, Moment, Ply, Replay, Status, UserId

STEP: Final = "step"
FILM: Final = "film"
BIG: Final = "big"
STORY: Final = "story"
MOMENT: Final = "moment"
POST: Final = "posthere"
OPEN: Final = "open"
"""In a button's path: show the match with nothing hidden."""

LEAP: Final = 10
"""How many steps the buttons with this number go at once."""

FIRST, BACK, NEXT, LAST, HERE = "first", "back", "next", "last", "here"
LEAP_BACK, LEAP_ON, ROUND_BACK, ROUND_ON = "leapback", "leap", "roundback", "round"
_STEPS: Final = {LEAP_BACK: f"◀ {LEAP}", BACK: "◀ Back", NEXT: "Next ▶", LEAP_ON: f"{LEAP} ▶"}
_ROUNDS: Final = {ROUND_BACK: "◀ Round", ROUND_ON: "Round ▶"}
_ENDS: Final = {FIRST: "First", LAST: "Last"}
_BACKWARDS: Final = frozenset({FIRST, LEAP_BACK, BACK, ROUND_BACK})


async def show(press: Press, match: Match) -> None:
    """Show a new viewer: at the beginning of a finished match, at the latest step of a running one."""
    with one_at_a_time(press, Long.REPLAY):
        replay = await press.host.look.replay(match.id, press.person)
        message = await page(press.bot, replay, replay.plies[0 if replay.match.status is Status.OVER else -1])
    await whisper(press, message)


async def page(bot: Client, replay: Replay, ply: Ply, *, shown_by: UserId | None = None) -> Message:
    """The viewer at one step: the board as it was, and in words what led to it.

    `shown_by`: who posts this step for all to see, without buttons.
    """
    match, plies = replay.match, replay.plies
    ply = replay.nearest(ply)
    moment = await asyncio.to_thread(replay.moment, ply)
    rounds = await asyncio.to_thread(lambda: replay.rounds)
    heading = f"{words.title(match)} · step {plies.index(ply) + 1} of {len(plies)}"
    if len(rounds) > 1:
        heading += f" · round {bisect_right(rounds, ply)}"
    if replay.everything:
        heading += " · with nothing hidden"
    if replay.is_copied(ply - 1):
        heading += " · a copy"
    happened = words.lines_in_words(match, moment.lines)
    suspected = suspicions.now(match, moment.observation, moment.ply)
    picture = await _picture(replay, moment)
    if shown_by is not None:
        return Message(words.fitted(heading, happened, f"{suspected}\n{posted_by(shown_by)}".lstrip()), [picture])
    return Message(words.fitted(heading, happened, suspected), [picture], _buttons(bot, replay, ply))


async def _picture(replay: Replay, moment: Moment) -> discord.File:
    """The picture of a step, as it was posted: the board, a big moment, or the end."""
    match = replay.match
    if match.status is Status.OVER and moment.ply == replay.plies[-1] and not replay.everything:
        # After the end nothing is hidden from spectators. So everybody gets the spectator's picture of it.
        lines = await asyncio.to_thread(replace(replay, viewer=None).in_force)
        return await pictures.last(match, lines) if lines else await pictures.position(match, moment.observation)
    found = words.captions(match, (*moment.before, *moment.lines))
    marks, _ = words.marks_of(match, (*moment.before[-1:], *moment.lines))
    return await pictures.position(match, moment.observation, next(reversed(found.values()), None), marks)


def posted_by(user_id: UserId) -> str:
    """The last line of what somebody has posted for all to see."""
    return f"-# Posted by <@{user_id}>"


def posting(match: Match, what: str, ply: Ply | None = None, cut: tuple[str, ...] = ()) -> components.Item:
    """The button **Post it here** under what somebody sees in private."""
    return components.button(Ref(POST, match.id, ply, (what, *cut)), "Post it here", row=2)


def big_moments(match: Match) -> components.Item:
    """The button **Big moments** (`cogs/look/highlights.py`)."""
    return components.button(Ref("moments", match.id), "Big moments", row=3)


def offered(bot: Client, replay: Replay, ply: Ply, row: int) -> list[components.Item]:
    """The buttons of what features offer to the viewer after `ply` lines."""
    offers = (offer for feature in bot.host.work.features for offer in feature.in_replay(replay, ply))
    return [components.button(Ref(each.verb, replay.match.id, ply), each.label, row=row) for each in offers]


def _buttons(bot: Client, replay: Replay, ply: Ply) -> discord.ui.View:
    match, plies = replay.match, replay.plies
    cut = (OPEN,) if replay.everything else ()
    items: list[discord.ui.Item[Any]] = []
    for row, ways in enumerate((_STEPS, _ROUNDS if len(replay.rounds) > 1 else {}, _ENDS)):
        for way, label in ways.items():
            at_end = ply == plies[0 if way in _BACKWARDS else -1]
            # A running match may have moved on, so its forward buttons always work.
            useless = at_end and (way in _BACKWARDS or match.status is Status.OVER)
            items.append(components.button(Ref(STEP, match.id, ply, (way, *cut)), label, row=row, disabled=useless))
    if match.status is Status.OVER and match.info.hidden_information:
        label, other = ("As it was shown", ()) if replay.everything else ("Show what was hidden", (OPEN,))
        items.append(components.button(Ref(STEP, match.id, ply, (HERE, *other)), label, row=3))
    items += (big_moments(match), *offered(bot, replay, ply, 3))
    return components.view(*items, posting(match, STEP, ply, cut))


def _target(replay: Replay, ply: Ply, way: str) -> Ply:
    """The ply that a button leads to from `ply`."""
    plies = replay.plies
    ply = replay.nearest(ply)
    here = plies.index(ply)
    if way == ROUND_BACK:
        return max((begun for begun in replay.rounds if begun < ply), default=plies[0])
    if way == ROUND_ON:
        return min((begun for begun in replay.rounds if begun > ply), default=plies[-1])
    steps = {FIRST: -here, LEAP_BACK: -LEAP, BACK: -1, NEXT: 1, LEAP_ON: LEAP, LAST: len(plies)}.get(way, 0)
    return plies[min(max(0, here + steps), len(plies) - 1)]


async def _step(press: Press, match: Match) -> None:
    """A button of the viewer."""
    way, *cut = press.ref.path or (HERE,)
    with one_at_a_time(press, Long.REPLAY):
        replay = await press.host.look.replay(match.id, press.person, everything=OPEN in cut)
        ply = await asyncio.to_thread(_target, replay, press.ref.ply or NO_LINES, way)
        message = await page(press.bot, replay, ply)
    await answer(press, message)


HANDLERS: Final[dict[str, Verb]] = {"replay": of_match(show), STEP: of_match(_step, edits=True)}
