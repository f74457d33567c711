"""What every game is made of: states, observations, actions, chance and refusals.

The interface follows OpenSpiel's (a protocol that all games share, chance as a player, one observation per
viewer, resampling of what a viewer cannot know) and python-chess's two notations (canonical for machines,
lenient for people). Nothing here knows a picture, a database, a clock or a chat.

A *player* is a seat number ``0 .. players - 1``; `CHANCE` draws cards; `TERMINAL` stands for nobody. A viewer is a
player or ``None``, the spectator who sees what is public and nothing else.
"""

from __future__ import annotations

from games.core.action_errors import ActionError, AmbiguousAction, IllegalAction, InvalidAction, Refusal
from games.core.game import Game, Goal
from games.core.info import Choice, GameInfo, Option, Step
from games.core.observation import HIDDEN, A, Observation, Outcome, Part, Played
from games.core.state import CHANCE, MAX_ACTION_TEXT, TERMINAL, Rng, Stage, State, places

__all__ = [
    "CHANCE",
    "HIDDEN",
    "MAX_ACTION_TEXT",
    "TERMINAL",
    "A",
    "ActionError",
    "AmbiguousAction",
    "Choice",
    "Game",
    "GameInfo",
    "Goal",
    "IllegalAction",
    "InvalidAction",
    "Observation",
    "Option",
    "Outcome",
    "Part",
    "Played",
    "Refusal",
    "Rng",
    "Stage",
    "State",
    "Step",
    "places",
]
