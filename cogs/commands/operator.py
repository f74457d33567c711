"""`/operator …`, for the application's owners, in the server AMBIT_OPERATOR_GUILD.

`status`: how all processes are. `puzzle`: what becomes of a puzzle that people have reported. The others are what
`matches/host/operating.py` does to the whole bot; each is asked about first.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

import discord
from discord import app_commands
from discord.utils import format_dt

from cogs.commands.slash import Command, Group, Option, to_discord
from cogs.press import components
from cogs.press.components import Verb
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message, Press, answer, whisper
from cogs.process.arguments import MOST_USER
from cogs.process.health import Doctor
from cogs.process.status import of_processes, of_store
from cogs.text import words
from matches.api import CaseRow, DatabaseError, HostError, NotAllowed
from matches.host.operating import one_line
from matches.host.store_state import Enrolled

REPORTED: Final = 5
"""How many reported puzzles the status shows."""

FOR_OWNERS: Final = "Only the owners of this bot can ask that."


DECISIONS: Final = {"keep": "stays: everybody can get it", "withdraw": "is withdrawn, a day's puzzle once it's over"}


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


async def _check_owner(press: Press) -> None:
    """Raise NotAllowed for anybody but the application's owners."""
    if not await press.bot.is_owner(press.interaction.user):
        raise NotAllowed(FOR_OWNERS)


async def _puzzle(press: Press, key: str, decision: str) -> None:
    """Keep a reported puzzle, also if it's withdrawn already, or withdraw it."""
    await _check_owner(press)
    await press.host.puzzles.decide(key.strip(), keep=decision == "keep")
    await whisper(press, Message(f"Puzzle {key.strip()} {DECISIONS[decision]}."))


def _asks(what: str) -> Command:
    """Return the command that asks whether to do this deed. What it says stands in the question's last line."""
    deed = _DEEDS[what]

    async def ask(press: Press, server: str = "", person: discord.User | None = None, **given: str | None) -> None:
        await _check_owner(press)
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
    await _check_owner(press)
    what, *about = press.ref.path or ("",)
    if what not in _DEEDS or not all(each.isdecimal() for each in about):
        raise NotAllowed(words.OUT_OF_DATE)
    given: list[Any] = [int(each) for each in about]
    if what in ("pause", "announce"):
        asked = press.interaction.message
        given = ["" if asked is None else asked.content.partition("\n")[2]]
    await answer(press, Message(await getattr(press.host.operating, what)(*given)))


async def _status(press: Press) -> None:
    await _check_owner(press)
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
        *await _reported(press),
    ]
    await whisper(press, Message(words.first_that_fit(said)))


async def _reported(press: Press) -> list[str]:
    """Puzzles that people said are wrong, the latest first. If the store can't be read, that is said elsewhere."""
    with suppress(HostError):
        cases = await press.host.puzzles.cases(REPORTED)
        return [f"Puzzle {key} was reported {format_dt(case.reported_at, 'R')}: {_came(case)}" for key, case in cases]
    return []


def _came(case: CaseRow) -> str:
    """What came of the reports of a puzzle."""
    if case.kept_at is not None:
        return "it stays, as you've decided"
    if case.fault is not None:
        return f"withdrawn, since its proof has a fault: {case.fault[:200]}"
    if case.withdrawn_at is not None:
        return "withdrawn, since enough people said so"
    if case.enough_at is not None:
        return "**enough people say that it's wrong.** Withdraw or keep it with `/operator puzzle`"
    return "it's being checked" if case.checked_at is None else "it stays"


async def _others(press: Press, doctor: Doctor) -> list[Enrolled]:
    """Return the processes besides this one. If the store can't be read, the answer says that elsewhere."""
    with suppress(DatabaseError):
        return [each for each in await press.host.state.processes() if each.process != doctor.process]
    return []


OPERATOR: Final = Group(
    "operator",
    "For the owners of this bot",
    (
        Command("status", "Show how the bot is: what is open, late or broken, and which version runs", _status),
        Command(
            "puzzle",
            "Keep a puzzle that people have reported, also if it's withdrawn already, or withdraw it",
            _puzzle,
            {
                "key": Option(str, "The puzzle's key, as in `/operator status`", required=True),
                "decision": Option(
                    str, "What becomes of it", choices=[(each, each) for each in DECISIONS], required=True
                ),
            },
        ),
        *map(_asks, _DEEDS),
    ),
)

HANDLERS: Final[dict[str, Verb]] = {OPERATE: Verb(_operate, edits=True)}


def group() -> app_commands.Group:
    """Return the commands as they are registered in one server: not in direct messages, and shown to few."""
    found = to_discord(OPERATOR)
    assert isinstance(found, app_commands.Group)
    found.allowed_contexts = None
    found.default_permissions = discord.Permissions(administrator=True)
    return found
