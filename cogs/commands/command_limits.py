"""Discord's limits for commands, which discord.py does not check: found here before Discord refuses the whole list.

From Discord's documentation, "Application Commands".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

MAX_COMMANDS: Final = 100
MAX_OPTIONS: Final = 25
MAX_CHOICES: Final = 25
MAX_NAME: Final = 32
MAX_DESCRIPTION: Final = 100
MAX_CHOICE: Final = 100
MAX_CHARACTERS: Final = 8000
"""Names, descriptions and choices of one command together, in its longest language."""

_CHAT_INPUT: Final = 1
_SUBCOMMANDS: Final = (1, 2)
_GROUP: Final = 2
_NAME: Final = re.compile(r"[-_'\w]+")

Payload = Mapping[str, Any]


def problems(commands: Sequence[Payload]) -> list[str]:
    """One sentence for everything in these commands (as sent to Discord) that it would refuse."""
    found = list(_too_many("There are", commands, MAX_COMMANDS, "commands"))
    found += _twice("The command", [_title(command) for command in commands])
    for command in commands:
        path = _title(command)
        if command.get("type", _CHAT_INPUT) == _CHAT_INPUT:
            found += _in_entry(path, command)
        elif not 1 <= len(command["name"]) <= MAX_NAME:
            found.append(f"{path} has a name of {len(command['name'])} characters; {MAX_NAME} are allowed.")
        if (length := characters(command)) > MAX_CHARACTERS:
            found.append(f"{path} has {length} characters in all; {MAX_CHARACTERS} are allowed.")
    return found


def _title(command: Payload) -> str:
    """What the command is called in a sentence; commands of different kinds may share a name."""
    kind = command.get("type", _CHAT_INPUT)
    return f"/{command['name']}" if kind == _CHAT_INPUT else f"“{command['name']}” (menu of kind {kind})"


def characters(entry: Payload) -> int:
    """What Discord counts of a command or option: names, descriptions and choices, each in its longest language."""
    own = _longest(entry, "name") + _longest(entry, "description")
    choices = sum(_longest(choice, "name") + len(str(choice["value"])) for choice in entry.get("choices", ()))
    return own + choices + sum(characters(option) for option in entry.get("options", ()))


def _longest(entry: Payload, key: str) -> int:
    return max(len(text) for text in _languages(entry, key))


def _languages(entry: Payload, key: str) -> list[str]:
    return [entry.get(key, ""), *(entry.get(f"{key}_localizations") or {}).values()]


def _in_entry(path: str, entry: Payload, depth: int = 0) -> Iterator[str]:
    """The faults of a command or an option and of everything in it."""
    for name in _languages(entry, "name"):
        if not (len(name) <= MAX_NAME and _NAME.fullmatch(name) and name == name.lower()):
            yield f"{path}: “{name}” can't be a name (1 to {MAX_NAME} lower-case letters, digits, - and _)."
    for text in _languages(entry, "description"):
        if not 1 <= len(text) <= MAX_DESCRIPTION:
            yield f"{path} has a description of {len(text)} characters; 1 to {MAX_DESCRIPTION} are allowed."
    options = entry.get("options", ())
    yield from _too_many(f"{path} has", options, MAX_OPTIONS, "options")
    yield from _twice(f"{path}: the option", [option["name"] for option in options])
    if len({option["type"] in _SUBCOMMANDS for option in options}) == 2:
        yield f"{path} has both subcommands and options."
    required = [option.get("required", False) for option in options]
    if required != sorted(required, reverse=True):
        yield f"{path} has a required option after one that is optional."
    if entry.get("type") == _GROUP and depth > 1:
        yield f"{path} is a group in a group."
    yield from _in_choices(path, entry)
    for option in options:
        yield from _in_entry(f"{path} {option['name']}", option, depth + 1)


def _in_choices(path: str, option: Payload) -> Iterator[str]:
    choices = option.get("choices", ())
    yield from _too_many(f"{path} has", choices, MAX_CHOICES, "choices")
    if choices and option.get("autocomplete"):
        yield f"{path} has both choices and autocomplete."
    for choice in choices:
        if max(_longest(choice, "name"), len(str(choice["value"]))) > MAX_CHOICE or not choice["name"]:
            yield f"{path}: the choice “{choice['name']}” is empty or longer than {MAX_CHOICE} characters."


def _too_many(what: str, items: Sequence[object], limit: int, kind: str) -> Iterator[str]:
    if len(items) > limit:
        yield f"{what} {len(items)} {kind}; {limit} are allowed."


def _twice(what: str, names: Iterable[str]) -> Iterator[str]:
    yield from (f"{what} {name} is there {count} times." for name, count in Counter(names).items() if count > 1)
