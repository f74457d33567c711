"""Ambush in pictures and words: the desk toy."""

from __future__ import annotations

from typing import Final

from games.ambush.actions import Action, Capture, Place, Rotate
from games.ambush.observation import AmbushObservation
from games.core import Played
from render import leaderboard, lobby
from render.ambush import board, components, words
from render.canvas import Canvas
from render.leaderboard import Leaderboard
from render.lobby import Lobby
from render.palette import Colour
from render.renderer import Renderer
from render.style import Mark, People, Style
from render.tiles import Sprite


class AmbushRenderer(Renderer[AmbushObservation]):
    """Draws and tells a match of Ambush."""

    def paint(self, observation: AmbushObservation, people: People, marks: tuple[Mark, ...], style: Style) -> Canvas:
        return board.paint(observation, people, marks, style)

    def place_of(self, played: Played[Action], observation: AmbushObservation) -> str | None:
        match played.action:
            case Place(_, square) | Capture(square):
                return square
            case Rotate(coaster):
                return coaster
        return None

    def emblem(self, size: int, ground: Colour) -> Sprite:
        return components.pyramid(1, "L", size, ground)

    def paint_lobby(self, shown: Lobby, name: str, style: Style) -> Canvas:
        return lobby.paint(shown, name, board.MOOD, self.emblem, style, components.COLOURS)

    def paint_leaderboard(self, shown: Leaderboard, name: str, style: Style) -> Canvas:
        return leaderboard.paint(shown, name, board.MOOD, self.emblem, style)

    def alt_text(self, observation: AmbushObservation, people: People) -> str:
        return words.alt_text(observation, people)

    def text_board(self, observation: AmbushObservation, people: People) -> str:
        return words.text_board(observation, people)

    def say(self, played: Played[Action], observation: AmbushObservation, people: People) -> str:
        return words.say(played, observation, people)

    def headline(self, observation: AmbushObservation, people: People) -> str:
        return words.headline(observation, people)

    def end_text(self, observation: AmbushObservation, people: People) -> str:
        return words.end_text(observation, people)


RENDERER: Final = AmbushRenderer()
