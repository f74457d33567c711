"""**I suspect …**: somebody says in public whom they suspect, in games with hidden roles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cogs.face import Face
from cogs.press import components
from cogs.press.components import Style, Verb, of_match
from cogs.press.custom_ids import Ref, expect
from cogs.press.reply import Message, Press, answer, whisper
from cogs.text import names, suspicions, words
from games.core.suspicion import number_of_round
from matches.api import Match, Seat, View
from matches.suspicions import Suspicions, talk

NOBODY: Final = "nobody"
"""Stands for nobody in custom_ids."""

_ROW: Final = 5


def offered(match: Match, own: Seat | None) -> Mapping[str, str]:
    """Who can be suspected by the person of this seat: names by value."""
    others = {str(number): names.called(seat) for number, seat in enumerate(match.seats) if seat is not own}
    return {**others, NOBODY: NOBODY.title()}


async def _ask(press: Press, match: Match) -> None:
    view = await press.host.look.view(match, press.person)
    talk.speaker(view.match, view.observation, press.person)
    await whisper(press, buttons(view))


def buttons(view: View) -> Message:
    """Return the question who the viewer suspects, with a button for each possible answer."""
    match, number = view.match, number_of_round(view.observation)
    mine = talk.own(match, view.observation, view.seat)
    current = "" if mine is None else NOBODY if mine.suspect is None else str(mine.suspect)
    own = None if view.seat is None else match.seats[view.seat]
    items = []
    for place, (value, name) in enumerate(offered(match, own).items()):
        ref = Ref("suspected", match.id, None, (str(number), value))
        style = Style.primary if value == current else Style.secondary
        items.append(components.button(ref, name, style, row=place // _ROW))
    text = (
        f"{words.title(match)}\nWho is a {match.info.suspected}? Everybody reads your answer under the next board. You "
        "can change it once a turn, until the roles are turned up."
    )
    return Message(text, view=components.view(*items))


async def _picked(press: Press, match: Match) -> None:
    expect(len(press.ref.path) == 2 and press.ref.path[0].isdecimal())
    number, value = press.ref.path
    await _say(press, match, value, int(number[:3]))


async def _say(press: Press, match: Match, value: str, number: int | None = None) -> None:
    expect(value in offered(match, match.seat_of(press.person)))
    whom = None if value == NOBODY else match.seats[int(value)].seat
    after = await press.host.part(Suspicions).suspect(press.once(match.id), press.person, whom, number=number)
    told = suspicions.NOBODY if whom is None else names.person_at(after.seats[whom])
    text = f"{words.title(after)}: you suspect {told}. Everybody reads that under the next board."
    await answer(press, Message(text))


HANDLERS: Final[dict[str, Verb]] = {"suspect": of_match(_ask), "suspected": of_match(_picked, edits=True)}


FACE: Final = Face(verbs=HANDLERS)
