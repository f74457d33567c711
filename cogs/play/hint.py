"""``/match hint`` and **Hint** in the panel: what a computer would do in somebody's place (P18)."""

from __future__ import annotations

from typing import Final

from cogs.play import panel
from cogs.press import components
from cogs.press.components import Verb
from cogs.press.custom_ids import Ref, match_of
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Message, Press, answer
from cogs.text import words
from matches.api import MatchId
from matches.delivery.computer_turns import hint_costs

SHOW: Final = "show"
"""In the path of a button: whoever presses it knows what a hint costs."""

_QUESTION: Final = "Show a hint? You can't gain rating in this match then."


async def hint(press: Press, number: MatchId, *, agreed: bool = False) -> Message:
    """What a computer would do with what this person knows, drawn in, with a button that plays it; nothing is played.

    Where that costs something it is asked first whether they want it, unless they have `agreed`. It is paid for when
    all of it is ready, just before it is shown. Raises WrongTime where the match has moved on while it was thinking,
    and as the host does.
    """
    host, user = press.host, press.person
    view = await host.look.view(number, user)
    if hint_costs(view.match, user) and not agreed:
        yes = components.button(Ref("hint", number, view.ply, (SHOW,)), "Show hint")
        back = components.button(Ref("back", number, view.ply), "Back")
        return Message(f"{words.title(view.match)}\n{_QUESTION}", view=components.view(yes, back))
    with one_at_a_time(press, Long.HINT):
        text = await host.thinking.hint(number, user, view.ply)
    message = await panel.suggested(view, text)
    await host.thinking.note_hint(number, user, view.ply)
    return message


async def _in_panel(press: Press, ref: Ref, values: tuple[str, ...]) -> None:
    """**Hint**, whose answer takes the place of the page that it stands on."""
    if await panel.acting_view(press, ref) is not None:
        await answer(press, await hint(press, match_of(ref), agreed=SHOW in ref.path))


HANDLERS: Final[dict[str, Verb]] = {"hint": Verb(_in_panel, edits=True)}
