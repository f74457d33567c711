"""``/match hint`` and **Hint** in the panel: what a computer would do in somebody's place (P18)."""

from __future__ import annotations

from typing import Final

from cogs.play import panel
from cogs.press import components
from cogs.press.ids import Ref, match_of
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Interaction, Message, in_time, turn_into, will_edit
from matches import MatchId, UserId, WrongTime


async def hint(interaction: Interaction, number: MatchId) -> Message:
    """What a computer would do with what this person knows, drawn in, with a button that plays it; nothing is played.

    Raises WrongTime where the match has moved on while it was thinking, and as the host does.
    """
    host, user = interaction.client.host, UserId(interaction.user.id)
    with one_at_a_time(interaction, Long.HINT):
        text = await host.thinking.hint(number, user)
    view = await host.look.view(number, user)
    if all(move.text != text for move in view.moves):
        raise WrongTime("The match has moved on. Please ask again when it's your turn.")
    return await panel.suggested(view, text)


async def _in_panel(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**Hint**, whose answer takes the place of the page that it stands on."""
    will_edit(interaction)
    if await panel.acting_view(interaction, ref) is not None:
        await turn_into(interaction, await in_time(interaction, hint(interaction, match_of(ref)), edit=True))


HANDLERS: Final[dict[str, components.Handler]] = {"hint": _in_panel}
