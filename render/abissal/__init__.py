"""Ambiente Abissal in pictures and words: the deep sea."""

from __future__ import annotations

from typing import Final

from games.abissal.actions import Action
from games.abissal.observation import AbissalObservation
from games.core import Played
from render import leaderboard, lobby
from render.abissal import board, components, hand, words
from render.canvas import Canvas
from render.leaderboard import Leaderboard
from render.lobby import Lobby
from render.palette import Colour
from render.renderer import Renderer
from render.style import Mark, People, Style
from render.tiles import Sprite


class AbissalRenderer(Renderer[AbissalObservation]):
    """Draws and tells a match of Ambiente Abissal."""

    def paint(self, observation: AbissalObservation, people: People, marks: tuple[Mark, ...], style: Style) -> Canvas:
        return board.paint(observation, people, marks, style)

    def paint_hand(
        self, observation: AbissalObservation, people: People, style: Style, marks: tuple[Mark, ...] = ()
    ) -> Canvas | None:
        return hand.paint_hand(observation, people, style, marks)

    def emblem(self, size: int, ground: Colour) -> Sprite:
        return components.creature("P", size, ground)

    def paint_lobby(self, shown: Lobby, name: str, style: Style) -> Canvas:
        return lobby.paint(shown, name, board.MOOD, self.emblem, style)

    def paint_leaderboard(self, shown: Leaderboard, name: str, style: Style) -> Canvas:
        return leaderboard.paint(shown, name, board.MOOD, self.emblem, style)

    def alt_text(self, observation: AbissalObservation, people: People) -> str:
        return words.alt_text(observation, people)

    def hand_text(self, observation: AbissalObservation, people: People) -> str | None:
        return words.hand_text(observation, people)

    def text_board(self, observation: AbissalObservation, people: People) -> str:
        return words.text_board(observation, people)

    def say(self, played: Played[Action], observation: AbissalObservation, people: People) -> str:
        return words.say(played, observation, people)

    def headline(self, observation: AbissalObservation, people: People) -> str:
        return words.headline(observation, people)

    def round_text(self, observation: AbissalObservation, people: People) -> str:
        return words.round_text(observation, people)

    def end_text(self, observation: AbissalObservation, people: People) -> str:
        return words.end_text(observation, people)


RENDERER: Final = AbissalRenderer()
