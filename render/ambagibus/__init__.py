"""Ambagibus in pictures and words: the paper maze."""

from __future__ import annotations

from games.ambagibus.observation import AmbagibusObservation
from games.core import Played
from render.ambagibus import board, words
from render.canvas import Canvas
from render.renderer import Mark, People, Renderer, Style


class AmbagibusRenderer(Renderer[AmbagibusObservation]):
    """Draws and tells a match of Ambagibus."""

    def paint(self, observation: AmbagibusObservation, people: People, marks: tuple[Mark, ...], style: Style) -> Canvas:
        return board.paint(observation, people, marks, style)

    def alt_text(self, observation: AmbagibusObservation, people: People) -> str:
        return words.alt_text(observation, people)

    def text_board(self, observation: AmbagibusObservation, people: People) -> str:
        return words.text_board(observation, people)

    def say(self, played: Played, observation: AmbagibusObservation, people: People) -> str:
        return words.say(played, observation, people)

    def end_text(self, observation: AmbagibusObservation, people: People) -> str:
        return words.end_text(observation, people)
