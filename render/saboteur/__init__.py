"""Saboteur in pictures and words: the mine."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from games.core import Played
from games.saboteur.actions import Action, Dig, RockFall
from games.saboteur.observation import SaboteurObservation
from render.renderer import Renderer
from render.saboteur import board, dwarfs, finale, hand, words


def foresee(observation: SaboteurObservation, action: Action) -> SaboteurObservation:
    """The observation after the viewer's own action, before any finish card is turned up."""
    if observation.viewer is None:
        return observation
    maze, removed = dict(observation.maze), None
    match action:
        case Dig(piece, cell):
            maze[cell] = piece
        case RockFall(cell):
            removed = maze.pop(cell, None)
    return replace(observation, maze=maze, removed=removed, turned_up=(), last=Played(observation.viewer, action))


def suppose(observation: SaboteurObservation, action: Action) -> SaboteurObservation:
    """The observation with a path card added."""
    if not isinstance(action, Dig):
        return observation
    return replace(observation, maze={**observation.maze, action.cell: action.piece})


RENDERER: Final = Renderer(
    mood=board.MOOD,
    emblem=partial(dwarfs.portrait, role="D"),
    paint=board.paint,
    alt_text=words.alt_text,
    text_board=words.text_board,
    say=words.say,
    advise=words.advise,
    headline=words.headline,
    end_text=words.end_text,
    paint_hand=hand.paint_hand,
    paint_role=hand.paint_role,
    hand_text=words.hand_text,
    role_text=words.role_text,
    round_text=words.round_text,
    paint_round=finale.paint_round,
    round_alt=finale.round_alt,
    paint_end=finale.paint_end,
    end_alt=finale.end_alt,
    moment=finale.moment,
    foresee=foresee,
    suppose=suppose,
    trace=board.trace,
)
