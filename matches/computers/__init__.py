"""Computer players: one search for all games, judgement for each, levels, and the processes in which they think."""

from matches.computers.levels import Level, name_for
from matches.computers.pool import Computers, InProcess
from matches.computers.thinking import levels_of

__all__ = ["Computers", "InProcess", "Level", "levels_of", "name_for"]
