"""Gambo in pictures and words: the jungle path."""

from __future__ import annotations

from games.core import Played
from games.gambo.observation import GamboObservation
from render.canvas import Canvas
from render.gambo import board, words
from render.renderer import Mark, People, Renderer, Style


class GamboRenderer(Renderer[GamboObservation]):
    """Draws and tells a match of Gambo."""

    def paint(self, observation: GamboObservation, people: People, marks: tuple[Mark, ...], style: Style) -> Canvas:
        return board.paint(observation, people, marks, style)

    def alt_text(self, observation: GamboObservation, people: People) -> str:
        return words.alt_text(observation, people)

    def text_board(self, observation: GamboObservation, people: People) -> str:
        return words.text_board(observation, people)

    def say(self, played: Played, observation: GamboObservation, people: People) -> str:
        return words.say(played, observation, people)

    def end_text(self, observation: GamboObservation, people: People) -> str:
        return words.end_text(observation, people)
