"""Ambagibus in pictures and words: the paper maze."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from games.ambagibus.actions import Action, Play
from games.ambagibus.components import BOMB, SPECIALS
from games.ambagibus.observation import AmbagibusObservation, MazeCard
from games.core import Played
from games.grid import cell_to_string
from render import leaderboard, lobby, maze
from render.ambagibus import board, components, words
from render.canvas import Canvas
from render.leaderboard import Leaderboard
from render.lobby import Lobby
from render.palette import Colour
from render.renderer import Renderer
from render.style import Mark, People, Style
from render.tiles import Sprite


class AmbagibusRenderer(Renderer[AmbagibusObservation]):
    """Draws and tells a match of Ambagibus."""

    def paint(self, observation: AmbagibusObservation, people: People, marks: tuple[Mark, ...], style: Style) -> Canvas:
        return board.paint(observation, people, marks, style)

    def paint_frame(self, observation: AmbagibusObservation, people: People, style: Style) -> Canvas:
        # A close-up that leaps from player to player cannot be followed, and takes twice the bytes.
        return board.paint(observation, people, (), style, maze.SIZES)

    def foresee(self, observation: AmbagibusObservation, action: Action) -> AmbagibusObservation:
        if observation.viewer is None or not isinstance(action, Play):
            return observation
        card, cell = action
        laid = tuple(each for each in observation.maze if each.cell != cell)
        if card != BOMB:
            laid = (*laid, MazeCard(cell, card, observation.viewer))
        return replace(
            observation,
            maze=laid,
            passages=tuple(each for each in observation.passages if cell not in (each.cell, each.leads_to)),
            last_cell=cell,
            last=Played(observation.viewer, action),
        )

    def suppose(self, observation: AmbagibusObservation, action: Action) -> AmbagibusObservation:
        if not isinstance(action, Play) or action.card in SPECIALS:
            return observation
        laid = MazeCard(action.cell, action.card, observation.current_player)
        return replace(observation, maze=(*observation.maze, laid))

    def place_of(self, played: Played[Action], observation: AmbagibusObservation) -> str | None:
        return cell_to_string(played.action.cell) if isinstance(played.action, Play) else None

    def emblem(self, size: int, ground: Colour) -> Sprite:
        return components.tunnel("1234", 1, size, ground)

    def paint_lobby(self, shown: Lobby, name: str, style: Style) -> Canvas:
        return lobby.paint(shown, name, board.MOOD, self.emblem, style)

    def paint_leaderboard(self, shown: Leaderboard, name: str, style: Style) -> Canvas:
        return leaderboard.paint(shown, name, board.MOOD, self.emblem, style)

    def alt_text(self, observation: AmbagibusObservation, people: People) -> str:
        return words.alt_text(observation, people)

    def text_board(self, observation: AmbagibusObservation, people: People) -> str:
        return words.text_board(observation, people)

    def say(self, played: Played[Action], observation: AmbagibusObservation, people: People) -> str:
        return words.say(played, observation, people)

    def headline(self, observation: AmbagibusObservation, people: People) -> str:
        return words.headline(observation, people)

    def end_text(self, observation: AmbagibusObservation, people: People) -> str:
        return words.end_text(observation, people)


RENDERER: Final = AmbagibusRenderer()
