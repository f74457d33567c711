"""Saboteur in pictures and words: the mine."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from games.core import Played
from games.grid import cell_to_string
from games.saboteur.actions import Action, Dig, RockFall, cell_of
from games.saboteur.observation import SaboteurObservation
from render import leaderboard, lobby
from render.canvas import Canvas
from render.leaderboard import Leaderboard
from render.lobby import Lobby
from render.palette import Colour
from render.renderer import Renderer
from render.saboteur import board, dwarfs, hand, words
from render.style import Mark, People, Style
from render.tiles import Sprite


class SaboteurRenderer(Renderer[SaboteurObservation]):
    """Draws and tells a match of Saboteur."""

    def paint(
        self,
        observation: SaboteurObservation,
        people: People,
        marks: tuple[Mark, ...],
        style: Style,
    ) -> Canvas:
        return board.paint(observation, people, marks, style)

    def paint_hand(
        self, observation: SaboteurObservation, people: People, style: Style, marks: tuple[Mark, ...] = ()
    ) -> Canvas | None:
        return hand.paint_hand(observation, people, style, marks)

    def paint_role(self, observation: SaboteurObservation, people: People, style: Style) -> Canvas | None:
        return hand.paint_role(observation, people, style)

    def foresee(self, observation: SaboteurObservation, action: Action) -> SaboteurObservation:
        if observation.viewer is None:
            return observation
        maze, removed = dict(observation.maze), None
        match action:
            case Dig(piece, cell):
                maze[cell] = piece
            case RockFall(cell):
                removed = maze.pop(cell, None)
        return replace(observation, maze=maze, removed=removed, turned_up=(), last=Played(observation.viewer, action))

    def suppose(self, observation: SaboteurObservation, action: Action) -> SaboteurObservation:
        if not isinstance(action, Dig):
            return observation
        return replace(observation, maze={**observation.maze, action.cell: action.piece})

    def place_of(self, played: Played[Action], observation: SaboteurObservation) -> str | None:
        cell = cell_of(played.action)
        return None if cell is None else cell_to_string(cell)

    def emblem(self, size: int, ground: Colour) -> Sprite:
        return dwarfs.portrait("D", size, ground)

    def paint_lobby(self, shown: Lobby, name: str, style: Style) -> Canvas:
        return lobby.paint(shown, name, board.MOOD, self.emblem, style)

    def paint_leaderboard(self, shown: Leaderboard, name: str, style: Style) -> Canvas:
        return leaderboard.paint(shown, name, board.MOOD, self.emblem, style)

    def alt_text(self, observation: SaboteurObservation, people: People) -> str:
        return words.alt_text(observation, people)

    def hand_text(self, observation: SaboteurObservation, people: People) -> str | None:
        return words.hand_text(observation, people)

    def role_text(self, observation: SaboteurObservation, people: People) -> str | None:
        return words.role_text(observation, people)

    def text_board(self, observation: SaboteurObservation, people: People) -> str:
        return words.text_board(observation, people)

    def say(self, played: Played[Action], observation: SaboteurObservation, people: People) -> str:
        return words.say(played, observation, people)

    def headline(self, observation: SaboteurObservation, people: People) -> str:
        return words.headline(observation, people)

    def round_text(self, observation: SaboteurObservation, people: People) -> str:
        return words.round_text(observation, people)

    def end_text(self, observation: SaboteurObservation, people: People) -> str:
        return words.end_text(observation, people)


RENDERER: Final = SaboteurRenderer()
