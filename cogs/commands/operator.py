"""`/operator …`, for the application's owners, in the server AMBIT_OPERATOR_GUILD.

`status`: how all processes are. `puzzle`: what becomes of a puzzle that people have reported.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import discord
from discord import app_commands
from discord.utils import format_dt

from cogs.commands.slash import Command, Group, Option, to_discord
from cogs.press.reply import Message, Press, whisper
from cogs.process.health import Doctor
from cogs.process.status import of_processes, of_store
from cogs.text import words
from matches.api import CaseRow, DatabaseError, HostError, NotAllowed
from matches.host.store_state import Enrolled

REPORTED: Final = 5
"""How many reported puzzles the status shows."""

FOR_OWNERS: Final = "Only the owners of this bot can ask that."


DECISIONS: Final = {"keep": "stays: everybody can get it", "withdraw": "is withdrawn, a day's puzzle once it's over"}


async def _check_owner(press: Press) -> None:
    """Raise NotAllowed for anybody but the application's owners."""
    if not await press.bot.is_owner(press.interaction.user):
        raise NotAllowed(FOR_OWNERS)


async def _puzzle(press: Press, key: str, decision: str) -> None:
    """Keep a reported puzzle, also if it's withdrawn already, or withdraw it."""
    await _check_owner(press)
    await press.host.puzzles.decide(key.strip(), keep=decision == "keep")
    await whisper(press, Message(f"Puzzle {key.strip()} {DECISIONS[decision]}."))


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
    ),
)


def group() -> app_commands.Group:
    """Return the commands as they are registered in one server: not in direct messages, and shown to few."""
    found = to_discord(OPERATOR)
    assert isinstance(found, app_commands.Group)
    found.allowed_contexts = None
    found.default_permissions = discord.Permissions(administrator=True)
    return found
