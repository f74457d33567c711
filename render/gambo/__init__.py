"""Gambo in pictures and words: the jungle path."""

from __future__ import annotations

from typing import Final

from games.core import Played
from games.gambo.actions import Action
from games.gambo.observation import GamboObservation
from render import leaderboard, lobby
from render.canvas import Canvas
from render.gambo import board, components, words
from render.leaderboard import Leaderboard
from render.lobby import Lobby
from render.palette import Colour
from render.renderer import Renderer
from render.style import Mark, People, Style
from render.tiles import Sprite


class GamboRenderer(Renderer[GamboObservation]):
    """Draws and tells a match of Gambo."""

    def paint(self, observation: GamboObservation, people: People, marks: tuple[Mark, ...], style: Style) -> Canvas:
        return board.paint(observation, people, marks, style)

    def place_of(self, played: Played[Action], observation: GamboObservation) -> str | None:
        own = [move for move in observation.moved if move.player == played.player]
        return next((move.destination or move.origin for move in own), None)

    def emblem(self, size: int, ground: Colour) -> Sprite:
        return components.animal("E", size, ground)

    def paint_lobby(self, shown: Lobby, name: str, style: Style) -> Canvas:
        return lobby.paint(shown, name, board.MOOD, self.emblem, style, board.COLOURS)

    def paint_leaderboard(self, shown: Leaderboard, name: str, style: Style) -> Canvas:
        return leaderboard.paint(shown, name, board.MOOD, self.emblem, style)

    def alt_text(self, observation: GamboObservation, people: People) -> str:
        return words.alt_text(observation, people)

    def text_board(self, observation: GamboObservation, people: People) -> str:
        return words.text_board(observation, people)

    def say(self, played: Played[Action], observation: GamboObservation, people: People) -> str:
        return words.say(played, observation, people)

    def headline(self, observation: GamboObservation, people: People) -> str:
        return words.headline(observation, people)

    def end_text(self, observation: GamboObservation, people: People) -> str:
        return words.end_text(observation, people)


RENDERER: Final = GamboRenderer()
