"""Cairn in pictures and words."""

from __future__ import annotations

from typing import Final

from games.core import Played
from render import leaderboard, lobby
from render.canvas import Canvas
from render.leaderboard import Leaderboard
from render.lobby import Lobby
from render.palette import Colour
from render.renderer import Renderer
from render.style import Mark, People, Style
from render.tiles import Sprite
from tests.sixth.game.actions import Action
from tests.sixth.game.observation import CairnObservation
from tests.sixth.render import board, components, hand, words


class CairnRenderer(Renderer[CairnObservation]):
    """Draws and tells a match of Cairn."""

    def paint(self, observation: CairnObservation, people: People, marks: tuple[Mark, ...], style: Style) -> Canvas:
        return board.paint(observation, people, marks, style)

    def paint_hand(
        self, observation: CairnObservation, people: People, style: Style, marks: tuple[Mark, ...] = ()
    ) -> Canvas | None:
        return hand.paint_hand(observation, people, style, marks)

    def emblem(self, size: int, ground: Colour) -> Sprite:
        return components.emblem(size, ground)

    def paint_lobby(self, shown: Lobby, name: str, style: Style) -> Canvas:
        return lobby.paint(shown, name, board.MOOD, self.emblem, style)

    def paint_leaderboard(self, shown: Leaderboard, name: str, style: Style) -> Canvas:
        return leaderboard.paint(shown, name, board.MOOD, self.emblem, style)

    def alt_text(self, observation: CairnObservation, people: People) -> str:
        return words.alt_text(observation, people)

    def hand_text(self, observation: CairnObservation, people: People) -> str | None:
        return words.hand_text(observation, people)

    def text_board(self, observation: CairnObservation, people: People) -> str:
        return words.text_board(observation, people)

    def say(self, played: Played[Action], observation: CairnObservation, people: People) -> str:
        return words.say(played, observation, people)

    def headline(self, observation: CairnObservation, people: People) -> str:
        return words.headline(observation, people)

    def end_text(self, observation: CairnObservation, people: People) -> str:
        return words.end_text(observation, people)


RENDERER: Final = CairnRenderer()
