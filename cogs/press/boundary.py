"""The boundary to Discord: an exception while a person is answered becomes one private sentence to them."""

from __future__ import annotations

import logging
import math
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord

from cogs import drawing, internals
from cogs.press import coming_back, components, places
from cogs.press.custom_ids import ANYWAY, NOTHING, Ref
from cogs.press.late_presses import TooLate, bring_board
from cogs.press.reply import Instead, Interaction, Message, Press, promised, whisper
from cogs.process import faults
from cogs.process.faults import has_code, is_transient, reason
from cogs.process.wire import note_receipt
from cogs.text import sections, words
from matches.api import HostError, KeptApart, NotYourTurn, TooSoon, Unavailable

log = logging.getLogger(__name__)


@asynccontextmanager
async def answered(interaction: Interaction, ref: Ref = NOTHING, values: tuple[str, ...] = ()) -> AsyncIterator[Press]:
    """Around the handling of one interaction: an exception becomes one private sentence."""
    press = Press(interaction, ref, values)
    note_receipt()
    outcome = "answered"
    places.note_permissions(press)
    if interaction.guild_id is not None:
        press.bot.seen_at[interaction.guild_id, press.person] = press.host.now()
    try:
        with press.bot.at_work(), drawing.for_person(press.person):
            async with promised(press):
                try:
                    yield press
                except Instead as instead:
                    if interaction.type is not discord.InteractionType.autocomplete:
                        await whisper(press, instead.message)
    except HostError as error:
        outcome = "refused"
        if isinstance(error, Unavailable):
            outcome = "unavailable"
            press.bot.unsaved.warn(error)
        await _tell(press, Message(f"{error}{_more(press, error)}", view=rule_button(error) or _way_on(error)))
    except TooLate:
        outcome = "late"
        log.info("interaction %s came too late; nothing was done for it", press.id)
        await bring_board(press)
    except faults.FAILURES as error:
        if has_code(error, *faults.UNHEARD):
            outcome = "late"
            log.info("interaction %s was answered elsewhere or too late: %s", press.id, error)
            return
        outcome = "failed"
        _log_once_a_minute(press, "Discord hasn't taken an answer to interaction %s: %s", error)
        what = "didn't take my reply" if is_transient(error) else f"rejected my reply: {faults.why(error)}"
        sentence = f"Discord {what}. Check the newest board to see whether your action counted."
        await _tell(press, Message(sentence))
    except Exception as error:  # The boundary: discord.py would only log it and leave the person without an answer.
        outcome, number = "error", secrets.token_hex(3)
        log.exception("error %s in interaction %s", number, press.id, exc_info=error)
        await _tell(
            press,
            Message(f"Something went wrong on my end; the newest board shows where things stand. (Error {number})"),
        )
    finally:
        press.bot.presses[_verb(press), outcome] += 1
        if interaction.type is not discord.InteractionType.autocomplete:  # discord.py itself answers that, after this.
            internals.unlink_response(interaction)


def _verb(press: Press) -> str:
    """Return what was pressed or typed, in words of the program: a command's name, or a button's verb."""
    interaction = press.interaction
    if interaction.type is discord.InteractionType.autocomplete:
        return "autocomplete"
    command = interaction.command
    return (press.ref.verb or "unknown") if command is None else command.qualified_name


def _more(press: Press, error: HostError) -> str:
    """What only Discord can write into a refusal: a name, or a moment."""
    if isinstance(error, NotYourTurn) and error.mover is not None:
        return f" {words.turn_of(error.mover)}"
    if isinstance(error, TooSoon):
        # Rounded up, so that the moment has come when Discord's countdown ends.
        again = math.ceil(error.again.timestamp())
        return f" You can {error.what} again <t:{again}:R>."
    if (
        isinstance(error, Unavailable)
        and error.since is not None
        and press.host.now() - error.since >= coming_back.LATE
    ):
        return f" This began {discord.utils.format_dt(error.since, 'R')}; what was saved before is safe."
    return ""


def _way_on(error: HostError) -> discord.ui.View | None:
    """Buttons to join anyway, if the refusal is that somebody on the person's list sits there."""
    if not isinstance(error, KeptApart):
        return None
    path = (ANYWAY,) if error.seat is None else (ANYWAY, str(error.seat))
    ref = Ref("join" if error.seat is None else "sit", error.match_id, None, path)
    return components.view(components.button(ref, "Join anyway"), components.button(Ref("notnow"), "Not now"))


async def _tell(press: Press, message: Message) -> None:
    """Tell a person about an error. If even that fails, log it."""
    if press.interaction.type is discord.InteractionType.autocomplete:
        return
    try:
        await whisper(press, message)
    except faults.FAILURES as error:
        _log_once_a_minute(press, "interaction %s couldn't be answered: %s", error)


def _log_once_a_minute(press: Press, words: str, error: Exception) -> None:
    """Log a failed request. If Discord or the network fails, every press fails in the same way."""
    if not is_transient(error) or press.bot.unheard.note(error):
        log.warning(words, press.id, reason(error))


def rule_button(error: HostError) -> discord.ui.View | None:
    """A button that opens the rules at the rule that a refusal names; ``None`` if it names none."""
    section = None if error.rule is None else sections.section_for_rule(error.rule)
    if section is None:
        return None
    return components.view(components.button(Ref("rules", None, None, section), "Read this rule"))
