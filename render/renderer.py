"""What every game's renderer does: an observation in, pictures and words out.

Everything comes from the observation of one viewer, so nothing hidden from him can be seen in it; the same observation
gives the same bytes. Nothing here reads a file (fonts are loaded once), a clock or a network.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from games.core import Observation, Played
from render import gif
from render.canvas import Canvas
from render.leaderboard import Leaderboard
from render.lobby import Lobby
from render.palette import Colour
from render.style import USUAL, Mark, People, Style
from render.tiles import Sprite

O = TypeVar("O", bound=Observation)  # noqa: E741 - the usual name for a type of observation

_SMALLER, _SMALLEST = Style(900), Style(600)
"""The styles of animations of long matches."""


class Renderer(ABC, Generic[O]):
    """Pictures and words of one game."""

    # Pictures: a game paints, everybody draws.

    @abstractmethod
    def paint(self, observation: O, people: People, marks: tuple[Mark, ...], style: Style) -> Canvas:
        """The board; `marks` are numbered on it, which is for private pictures."""

    def paint_frame(self, observation: O, people: People, style: Style) -> Canvas:
        """The board as it is shown for a moment in an animation of the match."""
        return self.paint(observation, people, (), style)

    def paint_hand(self, observation: O, people: People, style: Style, marks: tuple[Mark, ...] = ()) -> Canvas | None:
        """What only the viewer may see; ``None`` where there is nothing of that kind. `marks` name cards."""
        return None

    def paint_role(self, observation: O, people: People, style: Style) -> Canvas | None:
        """The viewer's secret role; ``None`` where there is none."""
        return None

    @abstractmethod
    def paint_lobby(self, shown: Lobby, name: str, style: Style) -> Canvas:
        """The strip of a table for this game, which is called `name`."""

    @abstractmethod
    def emblem(self, size: int, ground: Colour) -> Sprite:
        """What stands for the game, `size` pixels square."""

    @abstractmethod
    def paint_leaderboard(self, shown: Leaderboard, name: str, style: Style) -> Canvas:
        """A page of the ratings in this game, which is called `name`."""

    def draw(self, observation: O, people: People, marks: tuple[Mark, ...] = (), style: Style = USUAL) -> bytes:
        """The board as a PNG file; `marks` are numbered on it, which is for private pictures."""
        return self.paint(observation, people, marks, style).png()

    def draw_hand(self, observation: O, people: People, style: Style = USUAL) -> bytes | None:
        """What only the viewer may see, as a PNG file; ``None`` where there is nothing of that kind."""
        canvas = self.paint_hand(observation, people, style)
        return canvas.png() if canvas else None

    def draw_role(self, observation: O, people: People, style: Style = USUAL) -> bytes | None:
        """The viewer's secret role as a PNG file; ``None`` where there is none."""
        canvas = self.paint_role(observation, people, style)
        return canvas.png() if canvas else None

    def draw_lobby(self, shown: Lobby, name: str, style: Style = USUAL) -> bytes:
        """The strip of a table for this game, which is called `name`, as a PNG file."""
        return self.paint_lobby(shown, name, style).png()

    def draw_leaderboard(self, shown: Leaderboard, name: str, style: Style = USUAL) -> bytes:
        """A page of the ratings in this game, which is called `name`, as a PNG file."""
        return self.paint_leaderboard(shown, name, style).png()

    def foresee(self, observation: O, action: Any) -> O:
        """The viewer's own action as if it lay on the table already, for a last look at it.

        Nothing that it may bring to light is shown, since nothing but the observation is known here. Games without
        hidden information need it not: there the position after the action itself can be shown.
        """
        return observation

    def suppose(self, observation: O, action: Any) -> O:
        """A position with what an action would lay, lawful or not, and nothing else changed: for the rules.

        Unchanged where the action lays nothing, or where a mark at its place says enough.
        """
        return observation

    def place_of(self, played: Played[Any], observation: O) -> str | None:
        """Where a line of the log is seen on the board, as marks name places; `observation` is the one after it.

        ``None`` for what is seen nowhere in particular, and where the picture shows the order of plays by itself.
        """
        return None

    def animate(self, observations: Sequence[O], people: People, stopped: Callable[[], bool] = lambda: False) -> bytes:
        """The boards of a match one after the other, as a GIF file; smaller ones where it would be too many bytes.

        Raises Stopped soon after `stopped` says so.
        """

        def drawn(style: Style, most: int | None = None) -> bytes:
            paints = [partial(self.paint_frame, seen, people, style) for seen in observations]
            return gif.animated(list(map(gif.Frame, paints, gif.delays(len(paints)))), stopped, most)

        for style in (USUAL, _SMALLER):
            try:
                return drawn(style, gif.MAX_BYTES)
            except gif.TooLarge:
                continue
        return drawn(_SMALLEST)

    # Words.

    @abstractmethod
    def alt_text(self, observation: O, people: People) -> str:
        """The picture in words, at most `MAX_ALT_TEXT` characters: what happened, whose turn, the position (P24)."""

    def hand_text(self, observation: O, people: People) -> str | None:
        """What `draw_hand` shows, in words; the role is not in it, like in the picture."""
        return None

    def role_text(self, observation: O, people: People) -> str | None:
        """What `draw_role` shows, in words."""
        return None

    @abstractmethod
    def text_board(self, observation: O, people: People) -> str:
        """The position for a fixed-width font, enough to play by, at most `MAX_TEXT_BOARD` characters (P24)."""

    @abstractmethod
    def say(self, played: Played[Any], observation: O, people: People) -> str:
        """A line of the log, as the viewer may see it, as a sentence; `observation` is the one after it."""

    @abstractmethod
    def headline(self, observation: O, people: People) -> str:
        """Who has won by the rules, and by what score, as a sentence; there is an outcome (P11)."""

    def round_text(self, observation: O, people: People) -> str:
        """How the round went that is over, before the next deal, and what it has brought (P11); "" without rounds."""
        return ""

    @abstractmethod
    def end_text(self, observation: O, people: People) -> str:
        """How the match ended, in words: standings, and what was hidden (P11)."""
