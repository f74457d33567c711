"""Why an action of Gambo is refused: the number of the rule, and one sentence."""

from __future__ import annotations

from games.core import Refusal
from games.gambo.actions import Action, Advance, Deal, Duel, Pass, Side, Swap
from games.gambo.board import CORRIDOR_SQUARES, START_SQUARES
from games.gambo.components import name_of
from games.gambo.observation import GamboObservation


def why_illegal(seen: GamboObservation, action: Action) -> Refusal:
    """Return why the viewer, who is the current player, can't take `action`. The action isn't legal."""
    match action:
        case Deal():
            return Refusal("G1", "Only chance fills the rows.")
        case Side():
            return Refusal("G1", "The sides are already chosen." if seen.sides else "The sides are north and south.")
        case _ if not seen.sides:
            return Refusal("G1", "First choose your side, north or south.")
        case Pass():
            return Refusal("G2", "You can only pass when you can't do anything else.")
        case Advance(piece):
            return _why_gone(seen, piece) or Refusal("G3", f"Your {name_of(piece)} is already in the corridor.")
        case Swap(pieces):
            return _why_no_swap(seen, *pieces)
        case Duel(attacker, target):
            return _why_no_duel(seen, attacker, target)


def _why_gone(seen: GamboObservation, piece: str, *, own: bool = True) -> Refusal | None:
    if piece in seen.lanes(own=own):
        return None
    whose = "Your" if own else "Your opponent's"
    return Refusal("G7", f"{whose} {name_of(piece)} is no longer on the board.")


def _why_no_swap(seen: GamboObservation, one: str, other: str) -> Refusal:
    if one == other:
        return Refusal("G9", "A swap takes two different pieces.")
    if gone := _why_gone(seen, one) or _why_gone(seen, other):
        return gone
    bar = seen.swap_bars[seen.current_player]
    if bar == "G10":
        return Refusal("G10", "The last move was a swap, so you can't swap now.")
    if bar == "G11":
        return Refusal("G11", "You've swapped three times in a row. Do something else first.")
    return Refusal("G9", f"A swap is written in the order elephant, cat, mouse: `swap {other} {one}`.")


def _why_no_duel(seen: GamboObservation, attacker: str, target: str) -> Refusal:
    if gone := _why_gone(seen, attacker) or _why_gone(seen, target, own=False):
        return gone
    own, other = seen.lanes(own=True)[attacker], seen.lanes(own=False)[target]
    if not seen.corridor[own]:
        return Refusal(
            "G5", f"Your {name_of(attacker)} attacks only from the corridor; it is still on {START_SQUARES[own]}."
        )
    if not seen.corridor[other]:
        return Refusal(
            "G5", f"{name_of(target)} is still on {START_SQUARES[other]}; only the corridor can be attacked."
        )
    between = next(lane for lane in range(min(own, other) + 1, max(own, other)) if seen.corridor[lane])
    return Refusal("G5", f"{name_of(seen.corridor[between])} on {CORRIDOR_SQUARES[between]} stands between them.")
