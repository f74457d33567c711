"""Ambagibus in pictures and words: the paper maze."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from games.ambagibus.actions import Action, Play
from games.ambagibus.components import BOMB, SPECIALS
from games.ambagibus.observation import AmbagibusObservation, MazeCard
from games.core import Played
from render import maze
from render.ambagibus import board, components, finale, words
from render.renderer import Renderer


def foresee(observation: AmbagibusObservation, action: Action) -> AmbagibusObservation:
    """The observation after the viewer's own card is laid: its new passages aren't known yet."""
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


def suppose(observation: AmbagibusObservation, action: Action) -> AmbagibusObservation:
    """The observation with a tunnel card added."""
    if not isinstance(action, Play) or action.card in SPECIALS:
        return observation
    laid = MazeCard(action.cell, action.card, observation.current_player)
    return replace(observation, maze=(*observation.maze, laid))


RENDERER: Final = Renderer(
    mood=board.MOOD,
    emblem=partial(components.tunnel, card="1234", owner=1),
    paint=board.paint,
    alt_text=words.alt_text,
    text_board=words.text_board,
    say=words.say,
    advise=words.advise,
    headline=words.headline,
    end_text=words.end_text,
    # A close-up that leaps from player to player can't be followed, and takes twice the bytes.
    paint_animated=partial(board.paint, sizes=maze.SIZES),
    paint_end=finale.paint_end,
    end_alt=finale.end_alt,
    moment=finale.moment,
    foresee=foresee,
    suppose=suppose,
    trace=board.trace,
)
