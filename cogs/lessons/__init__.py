"""``/learn``: a game learned by playing its lessons."""

from __future__ import annotations

from typing import Final

from cogs.commands.slash import Choices, Command, Option
from cogs.face import Face
from cogs.lessons import pressed
from cogs.press.reply import Press
from games import GAMES
from games.typed import fold
from matches.api import NotFound
from matches.lessons import Lessons


async def _learn(press: Press, game: str | None, move: str | None) -> None:
    """Show where somebody is in the lessons of a game; without `game`, list all games. Try a typed `move`."""
    if game is None:
        if move is not None:
            raise NotFound("Which game is that move for? Please fill in `game`, too.")
        await pressed.list_courses(press)
    elif move is None:
        await pressed.open_course(press, _meant(game))
    else:
        await pressed.try_typed(press, _meant(game), move)


async def _offer_games(press: Press, current: str) -> Choices:
    typed = fold(current)
    named = [(GAMES[each.game].info.name, each.game) for each in await press.host.part(Lessons).courses(press.person)]
    return [(name, game) for name, game in named if typed in fold(name) or typed in game]


async def _offer_moves(press: Press, current: str) -> Choices:
    game = vars(press.interaction.namespace).get("game") or ""
    moves, typed = await pressed.moves(press, _meant(game)), current.casefold()
    return [(f"{text} · {words}", text) for text, words in moves.items() if typed in f"{text} {words}".casefold()]


def _meant(written: str) -> str:
    """The key of the game that somebody picked or wrote. Raises NotFound."""
    for key, game in GAMES.items():
        if fold(written) in (key, fold(game.info.name)):
            return key
    raise NotFound("I don't know that game. `/learn` alone shows which ones you can learn.")


LEARN: Final = Command(
    "learn",
    "Learn a game by playing, just for you.",
    _learn,
    {
        "game": Option(str, "Which game.", _offer_games),
        "move": Option(str, "Your move, typed.", _offer_moves),
    },
)


FACE: Final = Face(verbs=pressed.HANDLERS, commands=(LEARN,))
