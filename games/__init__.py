"""The rules of the games: pure values, with the standard library only.

`GAMES` is the only list of games. Code that needs one iterates over it.
"""

from __future__ import annotations

from games import abissal, ambagibus, ambush, gambo, saboteur
from games.core import Game

GAMES: dict[str, Game] = {
    "abissal": abissal.GAME,
    "ambagibus": ambagibus.GAME,
    "ambush": ambush.GAME,
    "gambo": gambo.GAME,
    "saboteur": saboteur.GAME,
}
