"""Discord's limits for commands are found before Discord refuses the list."""

from pathlib import Path
from typing import Any

import pytest

from cogs.commands.apart import IN_MENU
from cogs.commands.command_limits import characters, problems
from cogs.process.registering import payloads
from tests.cogs.table import make_bot
from tests.cogs.test_limits import COSTS

SUBCOMMAND, TEXT = 1, 3


def command(name: str = "play", description: str = "Play.", **more: Any) -> dict[str, Any]:
    return {"name": name, "type": 1, "description": description, **more}


def option(name: str, kind: int = TEXT, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "description": "Which one.", **more}


def choices(count: int, name: str = "entry", value: str = "v") -> list[dict[str, Any]]:
    return [{"name": f"{name}{number}", "value": f"{value}{number}"} for number in range(count)]


FINE = [
    command("match", options=[option("list", SUBCOMMAND, options=[option("match"), option("page")])]),
    command("play-it_2", options=[option("card", required=True), option("at", autocomplete=True)]),
    command("ünder", options=[option("pace", choices=choices(25))]),
    {"name": "Show the board", "type": 3, "description": ""},
    {"name": "play", "type": 2, "description": ""},
    command("play"),
]

REFUSED = {
    "a name in capitals": ("can't be a name", command("Play")),
    "a name with a space": ("can't be a name", command("play it")),
    "a name that is too long": ("can't be a name", command("p" * 33)),
    "no description": ("1 to 100", command(description="")),
    "a description that is too long": ("1 to 100", command(description="d" * 101)),
    "a translation that is too long": ("1 to 100", command(description_localizations={"de": "d" * 101})),
    "a translated name in capitals": ("can't be a name", command(name_localizations={"de": "Spielen"})),
    "too many options": ("26 options", command(options=[option(f"o{number}") for number in range(26)])),
    "an option twice": ("option at is there 2 times", command(options=[option("at"), option("at")])),
    "a needed option last": ("required option", command(options=[option("at"), option("card", required=True)])),
    "both kinds of options": (
        "both subcommands and options",
        command(options=[option("new", SUBCOMMAND), option("at")]),
    ),
    "a group in a group": (
        "group in a group",
        command(options=[option("a", 2, options=[option("b", 2, options=[option("c", SUBCOMMAND)])])]),
    ),
    "too many choices": ("26 choices", command(options=[option("at", choices=choices(26))])),
    "a choice that is too long": ("longer than 100", command(options=[option("at", choices=choices(1, "n" * 100))])),
    "a value that is too long": (
        "longer than 100",
        command(options=[option("at", choices=choices(1, value="v" * 100))]),
    ),
    "choices and autocomplete": (
        "both choices and autocomplete",
        command(options=[option("at", choices=choices(1), autocomplete=True)]),
    ),
    "too much in all": (
        "8000 are allowed",
        command(options=[option(f"o{each}", choices=choices(25, "n" * 90, "v" * 90)) for each in range(2)]),
    ),
    "a menu entry without a name": ("0 characters", {"name": "", "type": 2, "description": ""}),
}


def test_what_discord_takes_has_no_problems() -> None:
    assert problems(FINE) == []


@pytest.mark.parametrize(("sentence", "refused"), REFUSED.values(), ids=REFUSED.keys())
def test_what_discord_refuses_is_named(sentence: str, refused: dict[str, Any]) -> None:
    (problem,) = problems([refused])
    assert sentence in problem


def test_two_commands_of_one_name_are_named() -> None:
    assert problems([command("play"), command("play")]) == ["The command /play is there 2 times."]


def test_more_than_a_hundred_commands_are_too_many() -> None:
    assert problems([command(f"c{number}") for number in range(101)]) == ["There are 101 commands; 100 are allowed."]


def test_the_longest_language_counts() -> None:
    entry = command("play", "Play.", description_localizations={"de": "Spielen.", "nl": "Ja."}, options=[option("at")])
    assert characters(entry) == len("play") + len("Spielen.") + len("at") + len("Which one.")


async def test_discord_takes_all_commands_of_the_bot(tmp_path: Path) -> None:
    async with make_bot(tmp_path / "ambit.db") as bot:
        await bot.open()
        await bot.add_cogs()
        told = payloads(bot)
    assert problems(told) == []
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
