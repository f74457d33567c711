"""What Discord refuses, with its own numbers (docs: topics/opcodes-and-status-codes)."""

from __future__ import annotations

from typing import Any, Final

NAMES: Final = {
    0: (401, "401: Unauthorized"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10070: (404, "Unknown Guild Scheduled Event"),
    30038: (400, "Maximum number of uncompleted guild scheduled events reached (100)"),
    30046: (429, "Maximum number of edits to messages older than 1 hour reached. Try again later"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50013: (403, "Missing Permissions"),
    50024: (400, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50035: (400, "Invalid Form Body"),
    50083: (400, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    50278: (403, "Cannot send messages to this user due to having no mutual guilds"),
    160004: (400, "A thread has already been created for this message"),
}


class Fault(tuple[str, str]):
    """Where in a body something is wrong (``components.0.label``), and what."""

    __slots__ = ()

    def __new__(cls, where: str, what: str) -> Fault:
        return super().__new__(cls, (where, what))


class Refusal(Exception):
    """An error answer. `faults` become the nested shape in which Discord names places in a body."""

    def __init__(self, code: int, *, faults: list[Fault] | None = None) -> None:
        self.status, self.text = NAMES[code]
        super().__init__(f"{code} {self.text}")
        self.code = code
        self.faults = faults or []

    def body(self) -> dict[str, Any]:
        """The JSON of the answer. Lists are only under ``_errors``, because clients walk it."""
        made: dict[str, Any] = {"message": self.text, "code": self.code}
        for where, what in self.faults:
            place = made.setdefault("errors", {})
            for step in where.split(".") if where else ():
                place = place.setdefault(step, {})
            place.setdefault("_errors", []).append({"code": "INVALID", "message": what})
        return made
