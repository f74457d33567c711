"""Pictures and words of one view as Discord files, drawn off the event loop."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import discord

from cogs.drawing import DRAWER
from cogs.text import names
from games import GAMES
from games.core import Observation
from games.illustrations import Illustration
from matches.api import Match, PlayerSettings, View
from render import RENDERERS, Mark, People, Renderer, Style, illustrate
from render import leaderboard as ratings
from render import profile as profiles
from render.leaderboard import Leaderboard
from render.profile import Profile

MAX_ALT_TEXT = 1024
SPOILER = "SPOILER_"
PUBLIC = LARGE = Style(1200)
PRIVATE = Style(900)
"""Private pictures are drawn for a phone, at three quarters of the size, unless somebody wants them large (P19)."""


def renderer(view: View) -> Renderer[Any]:
    """The renderer of the view's game."""
    return RENDERERS[view.match.game]


async def board(view: View, marks: tuple[Mark, ...] = ()) -> discord.File:
    """The board as this view sees it, with numbered places; its description is the position in words."""
    draw = renderer(view)
    data = await DRAWER.drawn(draw.draw, view.observation, names.plain_people(view.match), marks, _style(view))
    return _file(data, "board.png", draw.alt_text(view.observation, names.plain_people(view.match)))


async def position(match: Match, observation: Observation) -> discord.File:
    """A board of the past, drawn as it was posted then."""
    draw = RENDERERS[match.game]
    people = names.first_people(match)
    data = await DRAWER.drawn(draw.draw, observation, people)
    return _file(data, "board.png", draw.alt_text(observation, people))


async def hand(view: View) -> discord.File | None:
    """The viewer's own cards, or ``None`` where the game or the viewer has none."""
    if not view.match.info.hands:
        return None
    draw = renderer(view)
    data = await DRAWER.drawn(draw.draw_hand, view.observation, names.plain_people(view.match), _style(view))
    if data is None:
        return None
    words = _hand_words(view, names.plain_people(view.match))
    return _file(data, f"{SPOILER if view.settings and view.settings.spoiler else ''}hand.png", words)


async def role(view: View) -> discord.File | None:
    """The viewer's secret role, always hidden behind a spoiler (P27)."""
    draw = renderer(view)
    data = await DRAWER.drawn(draw.draw_role, view.observation, names.plain_people(view.match), _style(view))
    words = draw.role_text(view.observation, names.plain_people(view.match)) or ""
    return None if data is None else _file(data, f"{SPOILER}role.png", words)


async def leaderboard(shown: Leaderboard, game: str, style: Style) -> discord.File:
    """A page of the ratings in a game."""
    name = GAMES[game].info.name
    data = await DRAWER.drawn(RENDERERS[game].draw_leaderboard, shown, name, style)
    return _file(data, "leaderboard.png", ratings.alt_text(shown, name, MAX_ALT_TEXT))


async def profile(shown: Profile, style: Style) -> discord.File:
    """Somebody's page."""
    emblems = {course.key: RENDERERS[course.key].emblem for course in shown.courses}
    data = await DRAWER.drawn(profiles.draw, shown, emblems, style)
    return _file(data, "profile.png", profiles.alt_text(shown, MAX_ALT_TEXT))


async def illustrations(shown: Sequence[Illustration], settings: PlayerSettings) -> list[discord.File]:
    """Pictures of the rules, of made-up matches: nothing of a match that is played is in them."""
    style = private_style(settings)
    return [
        _file(await DRAWER.drawn(illustrate.drawn, each, style), f"rules-{number}.png", illustrate.alt_text(each))
        for number, each in enumerate(shown, 1)
    ]


def hand_words(view: View) -> str:
    """What the viewer privately holds and knows but their role, in words for a message; covered like its picture."""
    words = _hand_words(view, names.people(view.match))
    return _covered(words) if view.settings is not None and view.settings.spoiler else words


def _hand_words(view: View, people: People) -> str:
    return renderer(view).hand_text(view.observation, people) or "You have no cards."


def secret_words(view: View) -> str:
    """All that only the viewer knows, their role too, in words for a message, behind a spoiler (P27)."""
    people = names.people(view.match)
    role_words = renderer(view).role_text(view.observation, people)
    return _covered("\n".join(part for part in (role_words, _hand_words(view, people)) if part))


def _covered(words: str) -> str:
    return f"||{words}||"


def in_words(view: View) -> str:
    """The board in words, as a block of evenly spaced letters."""
    return position_in_words(view.match, view.observation)


def position_in_words(match: Match, observation: Observation) -> str:
    """A board of the past in words, as `in_words` has that of now."""
    return f"```\n{RENDERERS[match.game].text_board(observation, names.people_in_code(match))}\n```"


def _style(view: View) -> Style:
    """How large the viewer wants pictures; what everybody sees is large."""
    return PUBLIC if view.settings is None else private_style(view.settings)


def private_style(settings: PlayerSettings) -> Style:
    """How large somebody wants pictures for them alone."""
    return LARGE if settings.large else PRIVATE


def _file(data: bytes, name: str, description: str) -> discord.File:
    return discord.File(io.BytesIO(data), filename=name, description=description[:MAX_ALT_TEXT])
