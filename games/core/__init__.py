"""What every game is made of: states, observations, actions, chance and refusals.

The interface follows OpenSpiel and python-chess. From OpenSpiel: one protocol for all games, chance as a player, one
observation per viewer, and resampling of what a viewer can't know. From python-chess: two notations, a canonical one
for machines and a lenient one for people. Nothing here knows a picture, a database, a clock or a chat.

A *player* is a seat number ``0 .. players - 1``. `CHANCE` is the player who draws cards. `TERMINAL` is the current
player of a finished match. A *viewer* is a player, or ``None`` for a spectator, who sees only what is public.
"""

from __future__ import annotations

from games.core.action_errors import ActionError, AmbiguousAction, IllegalAction, InvalidAction, Refusal
from games.core.advance import Advance, Exclusion, Instruction
from games.core.game import Game, Goal
from games.core.info import Choice, GameInfo, Option, Step, of_several
from games.core.moves import Move, Turn
from games.core.notation import Notation, reader
from games.core.observation import CHANCE, HIDDEN, TERMINAL, A, Observation, Outcome, Part, Played
from games.core.state import Rng, Stage, State, lead, places, shuffled
from games.core.suspicion import Suspicion
