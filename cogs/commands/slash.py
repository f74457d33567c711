"""Slash commands as data: a row names a command, describes its options, and says which function answers it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple, cast

import discord
from discord import app_commands

from cogs.press import late_presses, places
from cogs.press.boundary import answered
from cogs.press.reply import Interaction, Press

EVERYWHERE: Final = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
MAX_CHOICES: Final = 25
MAX_CHARACTERS: Final = 100
"""Discord's limit for descriptions, and for the names of choices."""

Body = Callable[..., Awaitable[None]]
"""Answers a command; called with the press, and with every option by its name."""

Choices = Iterable[tuple[str, str | int]]
"""What people read, and the value that it stands for."""

_KINDS = inspect.Parameter
ROW: Final = "row"
"""Where a command keeps the row that it was made from."""


class Option(NamedTuple):
    """An option of a command. `kind` is its type as discord.py reads it; an option that is left out is ``None``.

    `complete` returns what is offered while somebody types.
    """

    kind: Any
    explained: str
    complete: Callable[[Press, str], Awaitable[Choices]] | None = None
    choices: Choices = ()
    required: bool = False


@dataclass(frozen=True, eq=False)
class Command:
    """A command, and the function that answers it."""

    name: str
    description: str
    answer: Body
    options: Mapping[str, Option] = field(default_factory=dict)


class Group(NamedTuple):
    """Commands that share their first word."""

    name: str
    description: str
    commands: tuple[Command, ...]


def command_of(tree: app_commands.CommandTree[Any], name: str) -> app_commands.Command[Any, ..., None] | None:
    """A command of ours by its whole name, such as ``match board``; ``None`` if there is no such command."""
    first, *rest = name.split(" ")
    found: Any = tree.get_command(first)
    for word in rest:
        found = found.get_command(word) if isinstance(found, app_commands.Group) else None
    return found if isinstance(found, app_commands.Command) else None


@cache
def to_discord(row: Command | Group) -> app_commands.Command[Any, ..., None] | app_commands.Group:
    """The command or the group as discord.py has it, for servers and for direct messages with the bot.

    It knows no bot, so all bots of a process share it: the same row gives the same command.
    """
    if isinstance(row, Command):
        command = _command(row)
        command.allowed_contexts = EVERYWHERE
        return command
    group = app_commands.Group(name=row.name, description=short(row.description), allowed_contexts=EVERYWHERE)
    for each in row.commands:
        group.add_command(_command(each))
    return group


def _command(row: Command) -> app_commands.Command[Any, ..., None]:
    """Make discord.py's command. It reads the options from the callback's signature."""

    async def callback(interaction: Interaction, **given: Any) -> None:
        async with answered(interaction) as press:
            await late_presses.refuse(press)
            places.refuse_outside(press)
            await row.answer(press, **given)

    answers = cast(Any, callback)
    parameters = [_KINDS("interaction", _KINDS.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction)]
    for name, option in row.options.items():
        kind, default = (option.kind, _KINDS.empty) if option.required else (option.kind | None, None)
        parameters.append(_KINDS(name, _KINDS.POSITIONAL_OR_KEYWORD, default=default, annotation=kind))
    answers.__signature__ = inspect.Signature(parameters)
    app_commands.describe(**{name: short(option.explained) for name, option in row.options.items()})(answers)
    app_commands.choices(**{name: _choices(option.choices) for name, option in row.options.items() if option.choices})(
        answers
    )
    command: app_commands.Command[Any, ..., None] = app_commands.Command(
        name=row.name, description=short(row.description), callback=answers, extras={ROW: row}
    )
    for name, option in row.options.items():
        if option.complete is not None:
            command.autocomplete(name)(_completing(option.complete))
    return command


def _completing(complete: Callable[[Press, str], Awaitable[Choices]]) -> Any:
    async def callback(interaction: Interaction, current: str) -> list[app_commands.Choice[Any]]:
        async with answered(interaction) as press:
            return _choices(await complete(press, current))[:MAX_CHOICES]
        return []

    return callback


def _choices(choices: Choices) -> list[app_commands.Choice[Any]]:
    return [app_commands.Choice(name=name[:MAX_CHARACTERS], value=value) for name, value in choices]


def short(text: str) -> str:
    """Cut a text to the 100 characters that Discord allows for a description."""
    return text if len(text) <= MAX_CHARACTERS else text[: MAX_CHARACTERS - 1] + "…"
