"""`/operator …`, for the application's owners, in the server AMBIT_OPERATOR_GUILD.

`status`: how all processes are. The others are what `matches/host/operating.py` does to the whole bot; each is asked
about first. Features add their own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Any, Final, NamedTuple

import discord
from discord import app_commands

from cogs.commands.slash import Command, Group, Option, to_discord
from cogs.press import components
from cogs.press.components import Verb
from cogs.press.custom_ids import Ref, expect
from cogs.press.reply import Message, Press, answer, whisper
from cogs.process.arguments import MOST_USER
from cogs.process.health import Doctor
from cogs.process.status import of_processes, of_store
from cogs.text import words
from matches.api import DatabaseError, NotAllowed
from matches.host.operating import one_line
from matches.host.store_state import Enrolled

FOR_OWNERS: Final = "Only the owners of this bot can ask that."


OPERATE: Final = "operate"
"""The verb of the buttons that say yes."""

_TAKE_BACK: Final = "Take the announcement back, so that no board carries it any more?"


class _Deed(NamedTuple):
    """A command for what `Host.operating` does: what it asks first, the button that says yes, and its options."""

    description: str
    question: str
    yes: str
    options: Mapping[str, Option] = {}


_DEEDS: Final = {
    "pause": _Deed(
        "Open no new tables on any server; those that are open go on",
        "Open no new tables, on all servers? Everybody who tries reads this:",
        "Yes, pause",
        {"why": Option(str, "What everybody reads who tries")},
    ),
    "resume": _Deed("Let new tables open again", "Let new tables open again?", "Yes, resume"),
    "announce": _Deed(
        "Let the next board of each match carry a text once, or no board any more",
        "Let the next board of each match, on all servers, carry this once?",
        "Yes, do that",
        {"text": Option(str, "The text, for all servers; nothing takes the last one back")},
    ),
    "leave": _Deed(
        "Leave a server",
        "Leave the server {}? Its matches wait until somebody invites me again.",
        "Yes, leave",
        {"server": Option(str, "The server's number", required=True)},
    ),
    "bar": _Deed(
        "Bar somebody from matches on all servers",
        "Bar <@{}> from opening and joining matches on all servers?",
        "Yes, bar them",
        {"person": Option(discord.User, "Who can't open or join matches", required=True)},
    ),
    "unbar": _Deed(
        "Let somebody play again after you barred them everywhere",
        "Let <@{}> play again?",
        "Yes, let them",
        {"person": Option(discord.User, "Who can play again", required=True)},
    ),
}


async def check_owner(press: Press) -> None:
    """Raise NotAllowed for anybody but the application's owners."""
    if not await press.bot.is_owner(press.interaction.user):
        raise NotAllowed(FOR_OWNERS)


def _asks(what: str) -> Command:
    """Return the command that asks whether to do this deed. What it says stands in the question's last line."""
    deed = _DEEDS[what]

    async def ask(press: Press, server: str = "", person: discord.User | None = None, **given: str | None) -> None:
        await check_owner(press)
        said = one_line("".join(text or "" for text in given.values()))
        about = server.strip() if person is None else str(person.id)
        if what == "leave" and not (about.isdecimal() and int(about) <= MOST_USER):
            raise NotAllowed("That isn't a server's number. Developer Mode has **Copy Server ID** in a server's menu.")
        question = deed.question if said or what != "announce" else _TAKE_BACK
        ref = Ref(OPERATE, path=(what, about) if about else (what,))
        view = components.view(components.button(ref, deed.yes, components.Style.danger))
        await whisper(press, Message(f"{question.format(about)}\n{said}".strip(), view=view))

    return Command(what, deed.description, ask, deed.options)


async def _operate(press: Press) -> None:
    """Do what was asked about."""
    await check_owner(press)
    what, *about = press.ref.path or ("",)
    expect(what in _DEEDS and all(each.isdecimal() for each in about))
    given: list[Any] = [int(each) for each in about]
    if what in ("pause", "announce"):
        asked = press.interaction.message
        given = ["" if asked is None else asked.content.partition("\n")[2]]
    await answer(press, Message(await getattr(press.host.operating, what)(*given)))


Report = Callable[[Press], Awaitable[list[str]]]
"""Returns lines of the status. If the store can't be read, that is said elsewhere."""


async def _status(reports: tuple[Report, ...], press: Press) -> None:
    await check_owner(press)
    doctor = press.bot.get_cog(Doctor.__name__)
    assert isinstance(doctor, Doctor)
    health, report = await doctor.look(), await doctor.report()
    since = int(doctor.since.timestamp())
    how = "healthy" if report["healthy"] else "not healthy"
    shards = report["shards"]
    others, faults = await of_processes(await _others(press, doctor), report["store"])
    wrong = dict.fromkeys((*health.problems, *health.warnings, *faults))
    said = [
        f"**Ambit {report['version']}**, process {report['process']}, started <t:{since}:R>: {how}",
        f"Shards: {shards['carried'] or 'none'}, connected: {shards['connected'] or 'none'}",
        *others,
        *(() if health.store is None else of_store(health.store)),
        *(f"Problem: {each}" for each in wrong),
        *[line for report in reports for line in await report(press)],
    ]
    await whisper(press, Message(words.first_that_fit(said)))


async def _others(press: Press, doctor: Doctor) -> list[Enrolled]:
    """Return the processes besides this one. If the store can't be read, the answer says that elsewhere."""
    with suppress(DatabaseError):
        return [each for each in await press.host.state.processes() if each.process != doctor.process]
    return []


HANDLERS: Final[dict[str, Verb]] = {OPERATE: Verb(_operate, edits=True)}


@cache
def group(commands: tuple[Command, ...], reports: tuple[Report, ...]) -> app_commands.Group:
    """Return the commands as they are registered in one server: not in direct messages, and shown to few.

    Features add `commands`, and what the status shows (`reports`).
    """
    about = "Show how the bot is: what is open, late or broken, and which version runs"
    every = (Command("status", about, partial(_status, reports)), *commands, *map(_asks, _DEEDS))
    found = to_discord(Group("operator", "For the owners of this bot", every))
    assert isinstance(found, app_commands.Group)
    found.allowed_contexts = None
    found.default_permissions = discord.Permissions(administrator=True)
    return found
