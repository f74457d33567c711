"""Positions to draw: some of every setup of every game, and names to draw them with."""

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from games import GAMES
from games.core import Observation, State
from render import RENDERERS, Mark, Renderer, Style
from render.canvas import Canvas
from render.style import USUAL
from tests.conformance.checks import movers_turn
from tests.conformance.matches import SETUPS, Match, Setup, played
from tests.conformance.policies import prolonging_play, random_play

NAMES = (
    "Ada",
    "Wolfgangamadeusmozartundbeethoven",
    "Ζωή Παπαδοπούλου της Θεσσαλονίκης",
    "محمد عبد الله عبد الرحمن الهاشمي",
    "勅使河原・長谷川　弥次郎兵衛喜多八之助太郎左衛門尉",
    "Борис 🎲👩‍👩‍👧 Годунов-Чердынцев",
    "น้ำพริกหนุ่มเชียงใหม่",
    "김수한무거북이와두루미삼천갑자동방삭",
    "राम कुमार वर्मा",
    "שלמה (Solomon) בן־דוד 1984",
)
"""Names of up to 32 characters in many scripts; no bundled font has a letter of one of them."""

KEYS = sorted(GAMES)
LARGEST = {key: max((setup for setup in SETUPS if setup.key == key), key=lambda setup: setup.players) for key in KEYS}


def people(players: int) -> tuple[str, ...]:
    """A name for every seat, as long as the host allows."""
    return tuple(name[:32] for name in NAMES[:players])


@dataclass(frozen=True)
class Position:
    """A position of a match with the renderer of its game."""

    name: str
    state: State[Any]

    @property
    def renderer(self) -> Renderer[Any]:
        return RENDERERS[self.state.info.key]

    @property
    def people(self) -> tuple[str, ...]:
        return people(self.state.players)

    @property
    def viewers(self) -> list[int | None]:
        return [None, *range(self.state.players)]

    def seen(self, viewer: int | None = None) -> Observation:
        return self.state.observation(viewer)

    def canvases(self, style: Style = USUAL, names: tuple[str, ...] | None = None) -> list[Canvas]:
        """All pictures: the board for the spectator, and what each player sees."""
        draw, known = self.renderer, names or self.people
        found = [draw.paint(self.seen(), known, (), style)]
        for viewer in range(self.state.players):
            seen = self.seen(viewer)
            found += filter(None, (draw.paint_hand(seen, known, (), style), draw.paint_role(seen, known, style)))
        return found

    def places(self) -> tuple[Mark, ...]:
        """Every place that a legal action of the current player names, numbered."""
        turn = movers_turn(self.state)
        places = {choice.place for move in turn.moves for choice in move.choices if choice.place}
        return tuple(Mark(number, place) for number, place in enumerate(sorted(places), 1))


@lru_cache(maxsize=32)
def positions(setup: Setup, number: int = 6) -> tuple[Position, ...]:
    """Some positions of two matches, a random and a prolonged one: the first, the last, some in between."""
    return tuple(
        Position(f"{match.name} ply {ply}", match.states[ply])
        for match in (played(setup, random_play, 1), played(setup, prolonging_play, 1))
        for ply in _plies(match, number)
    )


def _plies(match: Match, number: int) -> list[int]:
    last = len(match.states) - 1
    return sorted({0, last, *Random(match.name).sample(range(last), min(number - 2, last))})


def positions_of(key: str) -> tuple[Position, ...]:
    """Some positions of every setup of a game."""
    return tuple(position for setup in SETUPS if setup.key == key for position in positions(setup))
