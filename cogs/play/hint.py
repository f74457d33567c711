"""``/match hint``: what a computer player would do in somebody's place (P18)."""

from __future__ import annotations

from cogs.play import panel_steps
from cogs.post import boards
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Interaction, Message
from cogs.text import words
from matches import MatchId, UserId, WrongTime


async def hint(interaction: Interaction, number: MatchId) -> Message:
    """What the computer would do with what this person knows, in words; nothing is played."""
    host, user = interaction.client.host, UserId(interaction.user.id)
    with one_at_a_time(interaction, Long.HINT):
        text = await host.thinking.hint(number, user)
    view = await host.look.view(number, user)
    move = next((move for move in view.moves if move.text == text), None)
    if move is None:
        raise WrongTime("The match has gone on meanwhile: please ask again when it is your turn.")
    steps = " → ".join(panel_steps.words(view, choice) for choice in move.choices)
    return Message(f"{words.title(view.match)}: I would play {steps} (`{text}`).", view=boards.private_buttons(view))
