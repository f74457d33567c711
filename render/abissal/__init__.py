"""Ambiente Abissal in pictures and words: the deep sea."""

from __future__ import annotations

from games.abissal.observation import AbissalObservation
from games.core import Played
from render.abissal import board, words
from render.renderer import USUAL, Mark, People, Renderer, Style


class AbissalRenderer(Renderer[AbissalObservation]):
    """Draws and tells a match of Ambiente Abissal."""

    def draw(
        self, observation: AbissalObservation, people: People, marks: tuple[Mark, ...] = (), style: Style = USUAL
    ) -> bytes:
        return board.draw(observation, people, marks, style)

    def draw_hand(self, observation: AbissalObservation, people: People, style: Style = USUAL) -> bytes | None:
        return board.draw_hand(observation, people, style)

    def alt_text(self, observation: AbissalObservation, people: People) -> str:
        return words.alt_text(observation, people)

    def hand_text(self, observation: AbissalObservation, people: People) -> str | None:
        return words.hand_text(observation, people)

    def text_board(self, observation: AbissalObservation, people: People) -> str:
        return words.text_board(observation, people)

    def say(self, played: Played, observation: AbissalObservation, people: People) -> str:
        return words.say(played, observation, people)

    def end_text(self, observation: AbissalObservation, people: People) -> str:
        return words.end_text(observation, people)
