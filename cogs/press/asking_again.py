"""Questions about a command: their buttons carry the command with its options, and carry it out (`cogs/commands`).

A question about a form has a button that carries what is to be written in the form instead.
"""

from __future__ import annotations

from typing import Any, Final

import discord

from cogs.press.custom_ids import BETWEEN, BUTTON, MAX_LENGTH, Ref, id_in
from cogs.press.reply import Press
from matches.api import MatchId

AGAIN: Final = "which"
"""The verb of these buttons."""

MATCH: Final = "match"
"""The option that is in the button as the match that it's about."""

_IS: Final = "="
"""Stands between an option and its value in a custom_id."""


def again(press: Press, **other: str | int) -> Ref | None:
    """Return the command that somebody has given, with `other` options, for a button; ``None`` if it doesn't fit.

    If they have sent a form, return it with what is to be written there instead.
    """
    if press.interaction.type is discord.InteractionType.modal_submit:
        return press.ref._replace(path=tuple(map(str, other.values())))
    command = press.interaction.command
    if command is None:
        name, given = carried(press)
    else:
        name, given = command.qualified_name, vars(press.interaction.namespace)
    options = {option: value for option, value in {**given, **other}.items() if value is not None}
    number = options.pop(MATCH, None)
    if not all(isinstance(value, str | int) and BETWEEN not in str(value) for value in options.values()):
        return None
    path = (name, *(f"{option}{_IS}{value}" for option, value in options.items()))
    ref = Ref(AGAIN, None if number is None else MatchId(int(number)), path=path)
    return ref if len(ref.text(BUTTON)) <= MAX_LENGTH else None


def carried(press: Press) -> tuple[str, dict[str, Any]]:
    """Return the command that a button or menu carries, and its options as texts. Raises NotAllowed if it's forged."""
    name, *written = press.ref.path or ("",)
    given = dict(option.split(_IS, 1) for option in written if _IS in option)
    number = id_in(press.picked) if press.picked else press.ref.match
    return name, given if number is None else {**given, MATCH: str(number)}
