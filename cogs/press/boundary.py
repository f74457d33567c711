"""The edge to Discord: whatever goes wrong while a person is answered becomes one private sentence to them."""

from __future__ import annotations

import logging
import math
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord

from cogs import drawing
from cogs.press import components, places
from cogs.press.custom_ids import ANYWAY, Ref
from cogs.press.reply import Interaction, Message, promised, whisper
from cogs.process import faults
from cogs.process.faults import has_code, is_transient, reason
from cogs.text import sections, words
from matches.api import HostError, KeptApart, NotYourTurn, TooSoon, UserId

log = logging.getLogger(__name__)


@asynccontextmanager
async def answered(interaction: Interaction) -> AsyncIterator[None]:
    """Around the handling of one interaction: whatever goes wrong becomes one private sentence."""
    places.note_permissions(interaction)
    try:
        with interaction.client.at_work(), drawing.for_person(UserId(interaction.user.id)):
            async with promised(interaction):
                yield
    except HostError as error:
        await _tell(interaction, Message(f"{error}{_more(error)}", view=rule_button(error) or _way_on(error)))
    except faults.FAILURES as error:
        if has_code(error, *faults.UNHEARD):
            log.info("interaction %s was answered elsewhere or too late: %s", interaction.id, error)
            return
        log.warning("Discord has not taken an answer to interaction %s: %s", interaction.id, reason(error))
        what = "didn't take" if is_transient(error) else "rejected"
        sentence = f"Discord {what} my reply. Check the newest board to see whether your action counted."
        await _tell(interaction, Message(sentence))
    except Exception as error:  # The boundary: discord.py would only log it and leave the person without an answer.
        number = secrets.token_hex(3)
        log.exception("error %s in interaction %s", number, interaction.id, exc_info=error)
        await _tell(
            interaction,
            Message(f"Something went wrong on my end; the newest board shows where things stand. (Error {number})"),
        )


def _more(error: HostError) -> str:
    """What only Discord can write into a refusal: a name, or a moment."""
    if isinstance(error, NotYourTurn) and error.mover is not None:
        return f" {words.turn_of(error.mover)}"
    if isinstance(error, TooSoon):
        # In whole seconds, so that it has come when Discord says so.
        again = math.ceil(error.again.timestamp())
        return f" You can do this again <t:{again}:R>."
    return ""


def _way_on(error: HostError) -> discord.ui.View | None:
    """Buttons for who is asked whether they want it all the same."""
    if not isinstance(error, KeptApart):
        return None
    path = (ANYWAY,) if error.seat is None else (ANYWAY, str(error.seat))
    ref = Ref("join" if error.seat is None else "sit", error.match_id, None, path)
    return components.view(components.button(ref, "Join anyway"), components.button(Ref("notnow"), "Not now"))


async def _tell(interaction: Interaction, message: Message) -> None:
    """The last word to a person after an error; where even that fails it stands in the log."""
    if interaction.type is discord.InteractionType.autocomplete:
        return
    try:
        await whisper(interaction, message)
    except faults.FAILURES as error:
        log.warning("interaction %s could not be answered: %s", interaction.id, reason(error))


def rule_button(error: HostError) -> discord.ui.View | None:
    """A button that opens the rules at the section of the rule that a refusal names, where it names one."""
    section = None if error.rule is None else sections.section_for_rule(error.rule)
    if section is None:
        return None
    return components.view(components.button(Ref("rules", None, None, section), "Read this rule"))
