"""How a person picks an action of Gambo: one of their pieces, then what it does."""

from __future__ import annotations

from games.core import Choice
from games.gambo.actions import Action, Advance, Deal, Duel, Pass, Side, Swap
from games.gambo.board import CORRIDOR_SQUARES, START_SQUARES
from games.gambo.components import BONUS, DUELS_IN_A_MATCH, name_of, result
from games.gambo.observation import GamboObservation


def choices(seen: GamboObservation, action: Action) -> tuple[Choice, ...]:
    """Return the player's own piece, then what it does. A swap is picked by the left one of its two pieces."""
    match action:
        case Side(side):
            return (Choice("side", side, f"Take the {side} side"),)
        case Advance(piece):
            to = CORRIDOR_SQUARES[seen.lanes(own=True)[piece]]
            return _own(seen, piece), Choice("deed", "advance", "Advance", whole=f"{name_of(piece)} to {to}")
        case Swap(pieces):
            left, right = sorted(pieces, key=seen.lanes(own=True).__getitem__)
            whole = f"Swap {name_of(left)} and {name_of(right)}"
            deed = Choice("deed", f"swap {right}", f"Swap with {name_of(right)}", whole=whole)
            return _own(seen, left), deed._replace(place=_square(seen, right), brief=f"⇄ {name_of(right)}")
        case Duel(attacker, target):
            wins, points = result(attacker, target)
            points += BONUS if len(seen.duels) + 1 == DUELS_IN_A_MATCH else 0
            brings = f"{'you' if wins else 'they'} score {points}"
            whole = f"{name_of(attacker)} {'beats' if wins else 'loses to'} {name_of(target)}: {brings}"
            deed = Choice("deed", f"attack {target}", f"Attack {name_of(target)}: {brings}", whole=whole)
            return _own(seen, attacker), deed._replace(place=_square(seen, target, own=False))
        case Pass():
            return (Choice("piece", "pass", "Pass: nothing else is possible", gives_up=True),)
        case Deal():
            return ()


def _own(seen: GamboObservation, piece: str) -> Choice:
    return Choice("piece", piece, name_of(piece), place=_square(seen, piece))


def _square(seen: GamboObservation, piece: str, *, own: bool = True) -> str:
    lane = seen.lanes(own=own)[piece]
    return (CORRIDOR_SQUARES if seen.corridor[lane] else START_SQUARES)[lane]
