"""Compare pictures without drawing them if their inputs are equal.

A picture is a pure function of an observation, people, marks and style. A renderer gets nothing else, imports nothing
that could tell it more (`tests/test_imports.py`), and gives the same bytes for the same arguments (the golden
pictures). So drawing twice from equal arguments proves nothing, and was most of the work. An `Album` notes the
arguments of a picture, and draws two only if these differ. It also draws a few others, which must agree as well, in
case this reasoning is wrong.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any, Final

import pytest

from cogs.drawing import DRAWER
from games.core import Observation
from render import RENDERERS, Mark, People, Renderer, Style
from render.story import Story
from render.style import USUAL

_STANDS_FOR: Final = b"picture "


class Picture:
    """The inputs of one picture. Equal inputs look the same to the viewer."""

    def __init__(self, album: Album, work: Callable[..., bytes | None], arguments: tuple[Any, ...]) -> None:
        self._album = album
        self._work = work
        self._arguments = arguments

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Picture):
            return NotImplemented
        if self._is_asked_like(other) and not self._album.doubts():
            return True
        return self.drawn() == other.drawn()

    __hash__ = None  # type: ignore[assignment]

    def _is_asked_like(self, other: Picture) -> bool:
        """Whether both have equal inputs, in equal order too if these hold sets or dictionaries."""
        one, two = self._arguments, other._arguments
        return self._work == other._work and one == two and self._album.words(one) == self._album.words(two)

    def drawn(self) -> bytes:
        """Draw the picture."""
        self._album.really_drawn += 1
        data = self._work(*self._arguments)
        assert data is not None
        return data

    def __repr__(self) -> str:
        return f"<picture of {self._arguments!r}>"


class Album:
    """The pictures of a match. A `share` of them, between 0 and 1, is drawn although nothing differs."""

    def __init__(self, rng: random.Random, share: float) -> None:
        self.really_drawn = 0
        self._rng = rng
        self._share = share
        self._pictures: list[Picture] = []
        self._words: dict[int, tuple[Any, str]] = {}

    def note(self, work: Callable[..., bytes | None], *arguments: Any) -> bytes:
        """Return bytes that stand for a picture until `leaf` looks it up."""
        self._pictures.append(Picture(self, work, arguments))
        return _STANDS_FOR + str(len(self._pictures) - 1).encode()

    def leaf(self, data: bytes) -> Picture | bytes:
        """The value by which to compare these bytes of a message."""
        return self._pictures[int(data.removeprefix(_STANDS_FOR))] if data.startswith(_STANDS_FOR) else data

    def words(self, arguments: tuple[Any, ...]) -> tuple[str, ...]:
        """All arguments in words. Observations are part of hundreds of pictures, so theirs are cached."""
        for each in arguments:
            if id(each) not in self._words:
                self._words[id(each)] = each, repr(each)
        return tuple(self._words[id(each)][1] for each in arguments)

    def doubts(self) -> bool:
        """Whether to draw a picture although nothing differs; the first one always."""
        return self.really_drawn == 0 or self._rng.random() < self._share

    def clear(self) -> None:
        """Forget all pictures, because their inputs have been compared."""
        self._pictures.clear()
        self._words.clear()


class Sketches:
    """Replaces the renderer of a game: notes pictures in an album, and passes everything else on to the renderer."""

    def __init__(self, renderer: Renderer[Any], album: Album) -> None:
        self._renderer = renderer
        self._album = album

    def __getattr__(self, name: str) -> Any:
        return getattr(self._renderer, name)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Another process gets the renderer itself, which really draws."""
        return _same, (self._renderer,)

    def draw(
        self, observation: Observation, people: People, marks: tuple[Mark, ...] = (), style: Style = USUAL
    ) -> bytes:
        """Note the board."""
        return self._album.note(self._renderer.draw, observation, people, marks, style)

    def draw_moment(
        self, observation: Observation, people: People, marks: tuple[Mark, ...], style: Style, caption: str
    ) -> bytes:
        """Note the board of a big moment."""
        return self._album.note(self._renderer.draw_moment, observation, people, marks, style, caption)

    def draw_round(self, told: Story, people: People, style: Style = USUAL) -> bytes:
        """Note a round that is over."""
        return self._album.note(self._renderer.draw_round, told, people, style)

    def draw_hand(
        self, observation: Observation, people: People, style: Style = USUAL, marks: tuple[Mark, ...] = ()
    ) -> bytes | None:
        """Note the hand, if there are words for it."""
        if self._renderer.hand_text(observation, people) is None:
            return self._renderer.draw_hand(observation, people, style, marks)
        return self._album.note(self._renderer.draw_hand, observation, people, style, marks)

    def draw_role(self, observation: Observation, people: People, style: Style = USUAL) -> bytes | None:
        """Note the role, if there are words for it."""
        if self._renderer.role_text(observation, people) is None:
            return self._renderer.draw_role(observation, people, style)
        return self._album.note(self._renderer.draw_role, observation, people, style)


def sketch(game: str, album: Album, patch: pytest.MonkeyPatch) -> None:
    """Let the album note a game's pictures from now on. Threads draw the few that are drawn, so the album counts them.

    A process that an earlier test has started would draw instead, and an album can't count what a process draws.
    """
    patch.setitem(RENDERERS, game, Sketches(RENDERERS[game], album))
    patch.setattr(DRAWER, "few", math.inf)
    DRAWER.close()


def _same(renderer: Renderer[Any]) -> Renderer[Any]:
    return renderer
