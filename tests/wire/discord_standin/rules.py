"""What Discord refuses in a body although its API description can't say so (docs: message, components, commands)."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from .errors import Fault
from .world import ACTIVE, CANCELED, COMPLETED, EPHEMERAL, SCHEDULED, SUPPRESS_NOTIFICATIONS, Message

Json = dict[str, Any]
Files = dict[str, tuple[str, bytes]]
"""Field name (``files[0]``) to file name and bytes."""

ROW, BUTTON, STRING_SELECT, LINE, LABEL = 1, 2, 3, 4, 18
SELECTS: Final = frozenset({3, 5, 6, 7, 8})
LINK: Final = 5

MAX_CONTENT, MAX_COMMAND = 2000, 8000
MAX_FILE, MAX_REQUEST = 10 * 1024 * 1024, 25 * 1024 * 1024
SETTABLE_FLAGS: Final = (1 << 2) | SUPPRESS_NOTIFICATIONS
MAX_EVENTS, MAX_LOCATION = 100, 100
EVENT_STEPS: Final = frozenset({(SCHEDULED, ACTIVE), (ACTIVE, COMPLETED), (SCHEDULED, CANCELED)})
_COMMAND_NAME: Final = re.compile(r"[-_'\w]{1,32}")
_FILE_FIELD: Final = re.compile(r"files\[([0-9]+)\]")


def message_faults(
    body: Json, files: Files, *, before: Message | None = None, ephemeral: bool = False
) -> Iterator[Fault]:
    """Check a message to be sent, or (`before`) edited. `ephemeral`: interactions may set that flag."""
    content, components = body.get("content") or "", body.get("components") or []
    if len(content) > MAX_CONTENT:
        yield Fault("content", f"Must be {MAX_CONTENT} or fewer in length.")
    for key in ("embeds", "poll"):
        if body.get(key):
            yield Fault(key, "The program sends none, so this doesn't know what Discord would take.")
    if (body.get("flags") or 0) & ~(SETTABLE_FLAGS | (EPHEMERAL if ephemeral else 0)):
        yield Fault("flags", "These flags cannot be set.")
    yield from _component_faults(components)
    yield from _file_faults(body, files, before)
    yield from _mention_faults(body.get("allowed_mentions"))
    if before is None and not (content.strip() or components or files):
        yield Fault("content", "Cannot send an empty message")


def _component_faults(rows: list[Json]) -> Iterator[Fault]:
    if len(rows) > 5:
        yield Fault("components", "Must be between 1 and 5 in length.")
    ids = Counter(part.get("custom_id") for row in rows for part in row.get("components") or ())
    for number, row in enumerate(rows):
        if row["type"] != ROW:
            yield Fault(f"components.{number}", "Only action rows here, without the flag IS_COMPONENTS_V2.")
            continue
        yield from _row_faults(f"components.{number}", row)
        for place, part in enumerate(row.get("components") or ()):
            where = f"components.{number}.components.{place}"
            if part["type"] == BUTTON:
                yield from _button_faults(where, part)
            elif part["type"] in SELECTS:
                yield from _select_faults(where, part)
            if part.get("custom_id") and ids[part["custom_id"]] > 1:
                yield Fault(f"{where}.custom_id", "Component custom id cannot be duplicated")


def _row_faults(where: str, row: Json) -> Iterator[Fault]:
    kinds = [part["type"] for part in row.get("components") or ()]
    if not 1 <= len(kinds) <= 5:
        yield Fault(f"{where}.components", "Must be between 1 and 5 in length.")
    if any(kind in SELECTS for kind in kinds) and len(kinds) > 1:
        yield Fault(f"{where}.components", "A menu must be alone in its row.")


def _button_faults(where: str, button: Json) -> Iterator[Fault]:
    if not (button.get("label") or button.get("emoji")):
        yield Fault(f"{where}.label", "A label or emoji is required.")
    wanted = "url" if button["style"] == LINK else "custom_id"
    if [key for key in ("custom_id", "url", "sku_id") if button.get(key)] != [wanted]:
        yield Fault(where, f"A button of style {button['style']} has exactly {wanted}.")


def _select_faults(where: str, menu: Json) -> Iterator[Fault]:
    least, most = (1 if menu.get(key) is None else menu[key] for key in ("min_values", "max_values"))
    if least > most:
        yield Fault(f"{where}.min_values", "More than max_values.")
    if menu["type"] != STRING_SELECT:
        return
    options = menu["options"]
    if most > max(len(options), 1):
        yield Fault(f"{where}.max_values", "More than there are options.")
    values = Counter(option["value"] for option in options)
    for number, option in enumerate(options):
        if values[option["value"]] > 1:
            yield Fault(f"{where}.options.{number}.value", "The specified option value is already used")
        if not option["label"].strip():
            yield Fault(f"{where}.options.{number}.label", "This field is required")
    if sum(bool(option.get("default")) for option in options) > most:
        yield Fault(f"{where}.options", "More defaults than max_values.")


def _file_faults(body: Json, files: Files, before: Message | None) -> Iterator[Fault]:
    numbers = {found[1] for name in files if (found := _FILE_FIELD.fullmatch(name))}
    if len(numbers) != len(files):
        yield Fault("files", "Files are sent as files[n].")
    old = before.attachments if before is not None else []
    for number, each in enumerate(body.get("attachments") or ()):
        if str(each["id"]) not in numbers | {str(kept.id) for kept in old}:
            yield Fault(f"attachments.{number}.id", "There is no file with this number.")
    for field, (_, data) in files.items():
        if len(data) > MAX_FILE:
            yield Fault(field, "The file is too large.")


def _mention_faults(allowed: Json | None) -> Iterator[Fault]:
    for kind in ("users", "roles"):
        if allowed and kind in (allowed.get("parse") or ()) and allowed.get(kind):
            yield Fault("allowed_mentions", f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.')


def callback_faults(body: Json, files: Files, before: Message | None) -> Iterator[Fault]:
    """Check the answer to an interaction; `before` is the message that was pressed."""
    kind, data = body["type"], body.get("data") or {}
    if kind == 4:
        yield from _under("data", message_faults(data, files, ephemeral=True))
    elif kind == 7:
        yield from _under("data", message_faults(data, files, before=before))
    elif kind == 5 and (data.get("flags") or 0) & ~EPHEMERAL:
        yield Fault("data.flags", "A deferred answer takes no flag but EPHEMERAL.")
    elif kind == 9:
        yield from _form_faults(data)
    elif kind == 8 and len(data.get("choices") or ()) > 25:
        yield Fault("data.choices", "Must be 25 or fewer in length.")


def _form_faults(form: Json) -> Iterator[Fault]:
    """Check a form whose lines each have a label."""
    yield from _length_faults("data.title", form["title"], 45)
    yield from _length_faults("data.custom_id", form["custom_id"], 100)
    for number, row in enumerate(form["components"]):
        where = f"data.components.{number}"
        if (row["type"], row["component"]["type"]) != (LABEL, LINE):
            yield Fault(where, "Only labels with a text input here.")
            continue
        yield from _length_faults(f"{where}.label", row["label"], 45)
        yield from _length_faults(f"{where}.component.custom_id", row["component"]["custom_id"], 100)
        yield from _length_faults(f"{where}.component.placeholder", row["component"]["placeholder"], 100)


def _length_faults(where: str, text: str, most: int) -> Iterator[Fault]:
    if not 1 <= len(text) <= most:
        yield Fault(where, f"Must be between 1 and {most} in length.")


def _under(where: str, faults: Iterator[Fault]) -> Iterator[Fault]:
    for place, what in faults:
        yield Fault(f"{where}.{place}", what)


def event_faults(body: Json, now: str) -> Iterator[Fault]:
    """Check a new scheduled event, which takes place somewhere else than in a voice channel."""
    location = (body.get("entity_metadata") or {}).get("location") or ""
    if not 1 <= len(location) <= MAX_LOCATION:
        yield Fault("entity_metadata.location", f"Must be between 1 and {MAX_LOCATION} in length.")
    start, end = body["scheduled_start_time"], body.get("scheduled_end_time")
    if end is None:
        yield Fault("scheduled_end_time", "This field is required")
    elif datetime.fromisoformat(end) <= datetime.fromisoformat(start):
        yield Fault("scheduled_end_time", "Cannot end before it starts.")
    if datetime.fromisoformat(start) <= datetime.fromisoformat(now):
        yield Fault("scheduled_start_time", "Cannot schedule event in the past.")


def command_faults(commands: list[Json]) -> Iterator[Fault]:
    """Check the list of commands, as a whole."""
    if sum(command.get("type", 1) == 1 for command in commands) > 100:
        yield Fault("0", "Maximum number of application commands reached (100).")
    for (name, _), count in Counter((each["name"], each.get("type", 1)) for each in commands).items():
        if count > 1:
            yield Fault("0.name", f"Application command names must be unique: {name}")
    for number, command in enumerate(commands):
        if command.get("type", 1) == 1:
            yield from _command_faults(command, str(number))
        if _command_length(command) > MAX_COMMAND:
            yield Fault(f"{number}", f"Command exceeds maximum size ({MAX_COMMAND})")


def _command_faults(command: Json, where: str) -> Iterator[Fault]:
    name, options = command["name"], command.get("options") or []
    if not _COMMAND_NAME.fullmatch(name) or name != name.lower():
        yield Fault(f"{where}.name", "Command name is invalid")
    if not 1 <= len((command.get("description") or "").strip()) <= 100:
        yield Fault(f"{where}.description", "Must be between 1 and 100 in length.")
    for field in ("options", "choices"):
        if len(command.get(field) or ()) > 25:
            yield Fault(f"{where}.{field}", "Must be 25 or fewer in length.")
    for number, choice in enumerate(command.get("choices") or ()):
        if not 1 <= len(choice["name"]) <= 100 or len(str(choice["value"])) > 100:
            yield Fault(f"{where}.choices.{number}", "Must be between 1 and 100 in length.")
    if len({option["name"] for option in options}) < len(options):
        yield Fault(f"{where}.options", "Option names must be unique")
    nested = [option["type"] in (1, 2) for option in options]
    if any(nested) and not all(nested):
        yield Fault(f"{where}.options", "Sub-command options cannot be mixed with other options")
    required = [bool(option.get("required")) for option in options]
    if required != sorted(required, reverse=True):
        yield Fault(f"{where}.options", "Required options must be placed before non-required options")
    for number, option in enumerate(options):
        if option.get("autocomplete") and option.get("choices"):
            yield Fault(f"{where}.options.{number}", "Choices and autocomplete are mutually exclusive")
        yield from _command_faults(option, f"{where}.options.{number}")


def _command_length(command: Json) -> int:
    own = len(command["name"]) + len(command.get("description") or "")
    chosen = sum(len(each["name"]) + len(str(each["value"])) for each in command.get("choices") or ())
    return own + chosen + sum(_command_length(option) for option in command.get("options") or ())
