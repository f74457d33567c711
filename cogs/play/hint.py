"""**Hint**: what a computer would do in somebody's place (P18)."""

from __future__ import annotations

from typing import Final

from cogs.play import panel
from cogs.press import components
from cogs.press.components import Verb
from cogs.press.custom_ids import Ref
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Message, Press, answer
from cogs.text import words
from matches.api import Match
from matches.delivery.computer_turns import hint_costs

SHOW: Final = "show"
"""In the path of a button: the person has read what a hint costs."""


async def show(press: Press, match: Match) -> None:
    """Show what a computer would do with what this person knows, with a button that plays it; nothing is played.

    If the hint costs something, the person is asked first, unless the pressed button says that they know. It is paid
    for when the answer is ready, just before it is shown. Raises WrongTime if the match has moved on in the meantime,
    and as the host does.
    """
    host, user, number = press.host, press.person, match.id
    view = await host.look.view(number, user)
    if hint_costs(view.match, user) and SHOW not in press.ref.path:
        yes = components.button(Ref("hint", number, view.ply, (SHOW,)), "Show")
        back = components.button(Ref("back", number, view.ply), "Not now")
        await answer(press, Message(f"{words.title(view.match)}\n{panel.HINT_COSTS}", view=components.view(yes, back)))
        return
    with one_at_a_time(press, Long.HINT):
        advice = await host.thinking.hint(number, user, view.ply)
    message = await panel.suggested(host, view, advice)
    await host.thinking.note_hint(number, user, view.ply)
    await answer(press, message)


async def _in_panel(press: Press) -> None:
    """**Hint**, whose answer replaces the page of the panel."""
    view = await panel.acting_view(press)
    await show(press, view.match)


HANDLERS: Final[dict[str, Verb]] = {"hint": Verb(_in_panel, edits=True)}
