"""Why an action is better, as sentences. `matches/analysis/reasons.py` finds the facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from cogs.text import names
from games.grid import cell_to_string
from games.saboteur.components import FINISH, ROLE_NAMES, SABOTEUR
from matches.analysis.reasons import About, Reason, reasons
from matches.api import View
from matches.computers.thinking import Advice, judgement_of
from render import RENDERERS
from render.grammar import counted, does
from render.style import People

NOTHING: Final = "nothing"

_EVERY: Final = 0.995
"""From this share of the possible deals on, they are told as all of them."""


TRIED: Final = "I tried moves out, and this one ended best."
"""Why a computer would do something of which it knows no other reason."""


def hint(view: View, advice: Advice) -> str:
    """Return what a computer would do in the viewer's place, and why, from what they see and know."""
    match, seat = view.match, view.seat
    assert seat is not None
    people = names.people_to(match, seat)
    action = view.turn.string_to_action(advice.text)
    found = reasons(advice.facts, float(advice.wins), hidden=match.info.hidden_information, equal=True)
    said = why(found, judgement_of(match.game).unit, people, seat, played=False) or [TRIED]
    return f"**Hint:** {RENDERERS[match.game].advise(action, view.observation, people)}. {' '.join(said)}"


def why(found: Sequence[Reason], unit: str, people: People, seat: int, *, played: bool = True) -> list[str]:
    """Return what speaks for the better action of a seat. `unit`: what leads are counted in.

    `played`: say how it was after the action that was played, too.
    """
    return [_because(reason, partial(amount, unit=unit), people, seat, played) for reason in found]


def amount(lead: float, unit: str) -> str:
    """Return a lead in words: `2.5 points`, `1 pip`, `nothing`."""
    text = f"{abs(lead):.1f}".removesuffix(".0")
    return NOTHING if text == "0" else f"{text} {unit}{'s' * (text != '1')}"


def _because(reason: Reason, told: Callable[[float], str], people: People, seat: int, played: bool) -> str:
    about, before, after = reason
    # The unit is said once.
    other = (
        f", not {f'{before:.1f}'.removesuffix('.0') if after > 0 else told(before)}" if played and before > 0 else ""
    )
    fewer = f", not {before:.0f}" if played else ""
    match about:
        case About.WINS:
            return f"It wins by force{'; the other move loses' if played else ''}."
        case About.GAIN if after > 0:
            return f"It brings {told(after)} at once{other}."
        case About.GAIN:
            return f"It costs {told(after)} at once{f', not {told(before)}' if played else ''}."
        case About.ANSWER:
            answers = people[1 - seat] if len(people) == 2 else "the next player"
            return f"Then {answers} can take {'at most ' if after > 0 else ''}{told(max(after, 0.0))}{other}."
        case About.TURNS | About.CARDS if not round(after):
            return "It plays the whole hand."
        case About.TURNS:
            return f"The rest of the hand then goes in {counted(round(after), 'turn')}{fewer}."
        case About.CARDS:
            return f"It leaves {counted(round(after), 'card')} in hand{fewer}."
        case About.PATH if not round(after):
            return "Then the path is complete."
        case About.PATH | About.BLOCKED:
            return f"Then the path needs {counted(round(after), 'more card')}{fewer}."
        case About.HOLDS if told(before) != NOTHING:
            return f"On average it brings {told(before)} more."
        case About.HOLDS:
            deals = "every deal that was" if after >= _EVERY else "most deals that were"
            return f"It's at least as good in {deals} possible."
        case About.FOE:
            return f"By what everybody did, {people[round(after)]} looks like a {ROLE_NAMES[SABOTEUR]}."
        case About.LOOK:
            return "Then you know more about where the treasure is."
        case About.USEFUL:
            return "That card could still be of use."
        case About.KNEW:
            where = cell_to_string(FINISH[round(after)])
            return f"{does(people[seat], 'already knew')} that the treasure is at {where}."
        case About.FRIEND:
            return f"{people[round(after)]} was on the same side, and looked like it."
        case About.EARLY:
            return f"It was too early: the path still needed {counted(round(after), 'card')}."
        case About.LATE:
            return f"It was time to attack: the path needed only {counted(round(after), 'card')}."
        case About.TIMES:
            return f"That happened {counted(round(after), 'time')} in this round."
