"""The rules of the five games: pure values, standard library only.

`GAMES` is the only list of games; everything else that needs one walks it.
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
