"""Pictures of one view as Discord files, drawn off the event loop, and the same in words."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

import discord

from cogs.drawing import DRAWER
from cogs.text import names, words
from games import GAMES
from games.core import Observation
from games.illustrations import Illustration
from matches.api import Match, PlayerSettings, Shown, View
from render import RENDERERS, Mark, People, Renderer, Style, illustrate
from render import leaderboard as ratings
from render import lobby as lobbies
from render import profile as profiles
from render import review as reviews
from render.grammar import MAX_ALT_TEXT
from render.leaderboard import Leaderboard
from render.lobby import Lobby
from render.profile import Profile
from render.review import Outline
from render.saboteur import suspected as suspicions
from render.saboteur.suspected import Suspected
from render.story import Story

SPOILER = "SPOILER_"
PUBLIC = LARGE = Style(1200)
PRIVATE = Style(900)
"""Private pictures are drawn for a phone, at three quarters of the size, unless the person wants them large (P19)."""


def renderer(view: View) -> Renderer[Any]:
    """Return the renderer of the view's game."""
    return RENDERERS[view.match.game]


async def board(view: View, marks: tuple[Mark, ...] = (), caption: str | None = None) -> discord.File:
    """Return a picture of the board with numbered places. Its alt text is the position in words.

    With the `caption` of a big moment it is that moment's picture.
    """
    return await _board(view.match, view.observation, names.plain_people(view.match), marks, _style(view), caption)


async def position(
    match: Match, observation: Observation, caption: str | None = None, marks: tuple[Mark, ...] = ()
) -> discord.File:
    """Return a picture of an earlier board, as it was posted then."""
    return await _board(match, observation, names.first_people(match), marks, PUBLIC, caption)


async def _board(
    match: Match, seen: Observation, people: People, marks: tuple[Mark, ...], style: Style, caption: str | None
) -> discord.File:
    draw = RENDERERS[match.game]
    if caption is None:
        data = await DRAWER.drawn(draw.draw, seen, people, marks, style)
        return file(data, "board.png", draw.alt_text(seen, people))
    data = await DRAWER.drawn(draw.draw_moment, seen, people, marks, style, caption)
    return file(data, "moment.png", draw.moment_text(seen, people, caption))


async def as_seen(
    match: Match, seen: Observation, marks: tuple[Mark, ...], cards: tuple[Mark, ...], *, posted: bool = False
) -> list[discord.File]:
    """Return pictures of an earlier board and of the cards of its viewer then, with marks on both.

    They are for the person who had that seat, or with `posted` for everybody.
    """
    people, draw = names.first_people(match), RENDERERS[match.game]
    shown = [await _board(match, replace(seen, viewer=None) if posted else seen, people, marks, PUBLIC, None)]
    if match.info.hands:
        data = await DRAWER.drawn(draw.draw_hand, seen, people, PRIVATE, cards)
        if data is not None:
            shown.append(file(data, "hand.png", draw.hand_text(seen, people) or ""))
    return shown


async def review(match: Match, shown: Outline) -> discord.File:
    """Return the picture of how a match went."""
    return await _reviewed(match, shown, reviews)


async def suspected(match: Match, shown: Suspected) -> discord.File:
    """Return the picture of how the rounds of a match with hidden roles went."""
    return await _reviewed(match, shown, suspicions)


async def _reviewed(match: Match, shown: Outline | Suspected, by: ModuleType) -> discord.File:
    draw, people = RENDERERS[match.game], names.first_people(match)
    data = await DRAWER.drawn(by.draw, shown, draw.mood, draw.emblem, people, PUBLIC)
    title = f"{shown.title}, {shown.below}."
    return file(data, "review.png", reviews.alt_text(title, shown.facts, people, MAX_ALT_TEXT))


async def end(view: View, lines: Sequence[Shown]) -> discord.File:
    """Return the picture of a match that is over. `lines` are all its lines in force, as a spectator sees them."""
    told = words.story(view.match, lines)
    if not told.course:
        return await board(view)
    return await _end(view.match, told, names.plain_people(view.match), _style(view))


async def told_end(match: Match, told: Story) -> discord.File:
    """Return the picture of a match that is over for people who look back at it."""
    return await _end(match, told, names.first_people(match), PUBLIC)


async def last(match: Match, lines: Sequence[Shown]) -> discord.File:
    """Return the same picture as `told_end`. `lines` are all lines in force, as a spectator sees them."""
    return await told_end(match, words.story(match, lines))


async def _end(match: Match, told: Story, people: People, style: Style) -> discord.File:
    draw = RENDERERS[match.game]
    return file(await DRAWER.drawn(draw.draw_end, told, people, style), "end.png", draw.end_words(told, people))


async def told_round(match: Match, told: Story) -> discord.File:
    """Return the picture of a round that is over."""
    draw, people = RENDERERS[match.game], names.first_people(match)
    return file(await DRAWER.drawn(draw.draw_round, told, people, PUBLIC), "round.png", draw.round_words(told, people))


async def hand(view: View, marks: tuple[Mark, ...] = ()) -> discord.File | None:
    """Return a picture of the viewer's own cards with marks, ``None`` if the game or the viewer has none."""
    if not view.match.info.hands:
        return None
    draw = renderer(view)
    data = await DRAWER.drawn(draw.draw_hand, view.observation, names.plain_people(view.match), _style(view), marks)
    if data is None:
        return None
    words = _hand_words(view, names.plain_people(view.match))
    return file(data, f"{SPOILER if view.settings and view.settings.spoiler else ''}hand.png", words)


async def role(view: View) -> discord.File | None:
    """Return a picture of the viewer's secret role, always behind a spoiler (P27), ``None`` if they have none."""
    draw = renderer(view)
    data = await DRAWER.drawn(draw.draw_role, view.observation, names.plain_people(view.match), _style(view))
    words = draw.role_text(view.observation, names.plain_people(view.match)) or ""
    return None if data is None else file(data, f"{SPOILER}role.png", words)


async def leaderboard(shown: Leaderboard, game: str, style: Style) -> discord.File:
    """Return a picture of a page of a game's ratings."""
    name = GAMES[game].info.name
    data = await DRAWER.drawn(RENDERERS[game].draw_leaderboard, shown, name, style)
    return file(data, "leaderboard.png", ratings.alt_text(shown, name, MAX_ALT_TEXT))


async def lobby(shown: Lobby, game: str, file_name: str) -> discord.File:
    """Return the picture of a lobby."""
    name = GAMES[game].info.name
    data = await DRAWER.drawn(RENDERERS[game].draw_lobby, shown, name, PRIVATE)
    return file(data, file_name, lobbies.alt_text(shown, name))


async def profile(shown: Profile, style: Style) -> discord.File:
    """Return a picture of a person's profile."""
    emblems = {course.key: RENDERERS[course.key].emblem for course in shown.courses}
    data = await DRAWER.drawn(profiles.draw, shown, emblems, style)
    return file(data, "profile.png", profiles.alt_text(shown, MAX_ALT_TEXT))


async def illustrations(shown: Sequence[Illustration], settings: PlayerSettings) -> list[discord.File]:
    """Return the pictures of a section of the rules. They show made-up matches, never a running one."""
    style = private_style(settings)
    return [
        file(await DRAWER.drawn(illustrate.drawn, each, style), f"rules-{number}.png", illustrate.alt_text(each))
        for number, each in enumerate(shown, 1)
    ]


def hand_words(view: View) -> str:
    """Return the viewer's cards in words, without their role, behind a spoiler if the viewer wants that."""
    words = _hand_words(view, names.people(view.match))
    return f"||{words}||" if view.settings is not None and view.settings.spoiler else words


def _hand_words(view: View, people: People) -> str:
    return renderer(view).hand_text(view.observation, people) or "You have no cards."


def secret_words(view: View) -> str:
    """Return all the viewer's secrets in words, with their role, behind a spoiler (P27)."""
    people = names.people(view.match)
    role_words = renderer(view).role_text(view.observation, people)
    words = "\n".join(part for part in (role_words, _hand_words(view, people)) if part)
    return f"||{words}||"


def in_words(view: View) -> str:
    """Return the board in words, as a code block."""
    return position_in_words(view.match, view.observation)


def position_in_words(match: Match, observation: Observation) -> str:
    """Return an earlier board in words, as a code block."""
    return f"```\n{RENDERERS[match.game].text_board(observation, names.people_in_code(match))}\n```"


def _style(view: View) -> Style:
    """Return the viewer's size of pictures. Public pictures are large."""
    return PUBLIC if view.settings is None else private_style(view.settings)


def private_style(settings: PlayerSettings) -> Style:
    """Return the size that somebody wants for private pictures."""
    return LARGE if settings.large else PRIVATE


def file(data: bytes, name: str, description: str) -> discord.File:
    """Return a picture as Discord shows it, with as much of its description as Discord takes."""
    return _File(io.BytesIO(data), filename=name, description=description[:MAX_ALT_TEXT])


class _File(discord.File):
    """A file whose buffer is no cycle once it's sent. discord.py leaves it holding a method of its own."""

    __slots__ = ()

    def close(self) -> None:
        super().close()
        vars(self.fp).pop("close")
