"""**Try it**: a moment of a review as an exercise, from what its seat knew.

`matches/review/reviewing.py` says what is right there.
"""

from __future__ import annotations

from typing import Final

from cogs.learn import exercises
from cogs.learn.exercise_pages import Sheet
from cogs.learn.exercises import Kind
from cogs.press import components
from cogs.press.components import Style, Verb
from cogs.press.custom_ids import Ref
from cogs.press.reply import Press, stay_in_dms
from cogs.review import reviewed
from cogs.review.pages import RETRY, TURNED
from cogs.text import names, words
from matches.api import NotAllowed, Ply
from matches.records.exercise_view import view
from matches.review import Retry, Reviews


async def _sheet(press: Press) -> Sheet:
    """The moment that a button names, as an exercise. Raises as `Reviews.to_try`."""
    if press.match is None or press.ref.ply is None:
        raise NotAllowed(words.OUT_OF_DATE)
    match, ply = press.match.id, press.ref.ply
    retry = await press.host.part(Reviews).to_try(match, ply, press.person)
    settings = await press.host.settings.player_settings(press.person)

    def ref(verb: str, path: tuple[str, ...], number: int) -> Ref:
        return Ref(RETRY if verb == "open" else f"{RETRY}{verb}", match, ply, path, number)

    others = [names.plain(seat.name) for seat in retry.match.seats]
    return Sheet(
        retry.task,
        view(retry.task, names.person(press.interaction.user), others, settings, retry.match.options),
        _heading(retry),
        reviewed.task(retry),
        ref,
        after_right=_after(retry),
        after_shown=_after(retry),
    )


def _heading(retry: Retry) -> str:
    number = "a moment" if retry.number is None else f"moment {retry.number} of {retry.moments}"
    return f"{words.title(retry.match)} · try {number}"


def _after(retry: Retry) -> tuple[components.Item, ...]:
    """The buttons under a right answer: **Why** and the next moment, for the seat's own player. Others have none."""
    match, number = retry.match.id, retry.number
    if number is None:
        return ()
    items = [components.button(Ref(TURNED, match, None, (str(number),)), "Why", Style.primary)]
    if retry.following is not None:
        items.append(components.button(Ref(RETRY, match, Ply(retry.following)), "Try the next"))
    return tuple(items)


async def _open(press: Press) -> None:
    """**Try it**, **Try again** and **Let me try**: the position as its seat knew it, with the panel."""
    stay_in_dms(press)
    await exercises.open_page(press, await _sheet(press))


HANDLERS: Final[dict[str, Verb]] = {RETRY: Verb(_open, edits=True), **exercises.verbs(Kind(RETRY, 0, _sheet))}
