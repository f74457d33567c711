"""Pictures that are compared without being drawn, where what they would be drawn of is the same.

A picture is a pure function of an observation, people, marks and style: a renderer is handed nothing else, imports
nothing that could tell it more (`tests/test_imports.py`), and gives the same bytes for the same arguments (the golden
pictures). So where the arguments are equal nothing is proved by drawing the same picture twice, and that was most of
the work. An `Album` notes what a picture is asked of, and draws two only where that differs; besides a few of the
others, which must agree as well, in case this should be wrong after all.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from games.core import Observation
from render import Mark, People, Renderer, Style
from render.style import USUAL

_STANDS_FOR: Final = b"picture "


class Picture:
    """What one picture is drawn of. Equal to another where both are the same to whoever looks at them."""

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
        """Whether both are drawn of equal things, in equal order too where they hold sets or dictionaries."""
        one, two = self._arguments, other._arguments
        return self._work == other._work and one == two and self._album.words(one) == self._album.words(two)

    def drawn(self) -> bytes:
        """The picture itself."""
        self._album.really_drawn += 1
        data = self._work(*self._arguments)
        assert data is not None
        return data

    def __repr__(self) -> str:
        return f"<picture of {self._arguments!r}>"


class Album:
    """The pictures of a match; every so many of them, `share` between 0 and 1, are drawn although nothing differs."""

    def __init__(self, rng: random.Random, share: float) -> None:
        self.really_drawn = 0
        self._rng = rng
        self._share = share
        self._pictures: list[Picture] = []
        self._words: dict[int, tuple[Any, str]] = {}

    def note(self, work: Callable[..., bytes | None], *arguments: Any) -> bytes:
        """Bytes that stand for a picture until `leaf` asks what they stand for."""
        self._pictures.append(Picture(self, work, arguments))
        return _STANDS_FOR + str(len(self._pictures) - 1).encode()

    def leaf(self, data: bytes) -> Picture | bytes:
        """What these bytes of a message are to be compared by."""
        return self._pictures[int(data.removeprefix(_STANDS_FOR))] if data.startswith(_STANDS_FOR) else data

    def words(self, arguments: tuple[Any, ...]) -> tuple[str, ...]:
        """Everything of the arguments in words; observations stand in hundreds of pictures, so theirs are kept."""
        for each in arguments:
            if id(each) not in self._words:
                self._words[id(each)] = each, repr(each)
        return tuple(self._words[id(each)][1] for each in arguments)

    def doubts(self) -> bool:
        """Whether to draw a picture although nothing differs; the first one always."""
        return self.really_drawn == 0 or self._rng.random() < self._share

    def clear(self) -> None:
        """Forget all pictures: what was asked has been compared."""
        self._pictures.clear()
        self._words.clear()


class Sketches:
    """Stands before the renderer of a game: pictures are noted in an album, all else goes to the renderer itself."""

    def __init__(self, renderer: Renderer[Any], album: Album) -> None:
        self._renderer = renderer
        self._album = album

    def __getattr__(self, name: str) -> Any:
        return getattr(self._renderer, name)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """In another process stands the renderer itself, which draws really."""
        return self._renderer.__reduce_ex__(protocol)

    def draw(
        self, observation: Observation, people: People, marks: tuple[Mark, ...] = (), style: Style = USUAL
    ) -> bytes:
        """The board."""
        return self._album.note(self._renderer.draw, observation, people, marks, style)

    def draw_hand(self, observation: Observation, people: People, style: Style = USUAL) -> bytes | None:
        """The hand, which is there when there are words for it."""
        if self._renderer.hand_text(observation, people) is None:
            return self._renderer.draw_hand(observation, people, style)
        return self._album.note(self._renderer.draw_hand, observation, people, style)

    def draw_role(self, observation: Observation, people: People, style: Style = USUAL) -> bytes | None:
        """The role, which is there when there are words for it."""
        if self._renderer.role_text(observation, people) is None:
            return self._renderer.draw_role(observation, people, style)
        return self._album.note(self._renderer.draw_role, observation, people, style)
