"""The bot's commands keep to Discord's limits, and to fewer words than Discord allows."""

from pathlib import Path
from typing import Any

from cogs.commands.apart import IN_MENU
from cogs.process.registering import payloads
from tests.cogs.table import make_bot
from tests.cogs.test_limits import COSTS
from tests.wire.discord_standin.rules import command_faults

SUBCOMMAND = 1


async def test_discord_takes_all_commands_of_the_bot(tmp_path: Path) -> None:
    async with make_bot(tmp_path / "ambit.db") as bot:
        await bot.open()
        await bot.add_cogs()
        told = payloads(bot)
    assert list(command_faults(told)) == []
    assert {name for payload in told for name in names(payload)} == {
        *(name for name in COSTS if name.startswith("/")),
        f"/{IN_MENU}",
    }


async def test_people_meet_few_commands_options_and_words(tmp_path: Path) -> None:
    """Counted from what Discord is told of every server: `/operator` exists in one alone."""
    async with make_bot(tmp_path / "ambit.db") as bot:
        await bot.open()
        await bot.add_cogs()
        told = [payload for payload in payloads(bot) if payload["type"] == 1]
    parts = [part for payload in told for part in (payload, *payload.get("options", ())) if part["type"] == 1]
    commands = [part for part in parts if not any(each["type"] == SUBCOMMAND for each in part.get("options", ()))]
    options = [each for part in commands for each in part.get("options", ())]
    described = [*told, *parts, *options]
    words = sum(len(text.split()) for text in {id(each): each["description"] for each in described}.values())
    assert len(commands) <= 26
    assert len(options) <= 45
    assert words <= 700


def names(payload: dict[str, Any]) -> list[str]:
    """A command as people type it, or its subcommands."""
    parts = [part["name"] for part in payload.get("options", ()) if part["type"] == SUBCOMMAND]
    return [f"/{payload['name']} {part}" for part in parts] or [f"/{payload['name']}"]
