"""Why an action cannot be taken: the refusal, and the errors that carry it."""

from __future__ import annotations

from typing import NamedTuple


class Refusal(NamedTuple):
    """Why something cannot be done: the number of the `rule` that forbids it, if one does, and the reason.

    As text it is the sentence that people read: ``S7: …``.
    """

    rule: str | None
    reason: str

    def __str__(self) -> str:
        return self.reason if self.rule is None else f"{self.rule}: {self.reason}"


class ActionError(ValueError):
    """Something that cannot be done; the message is a sentence for the player, `rule` the number of what forbids it."""

    rule: str | None = None


class InvalidAction(ActionError):
    """The text is not an action of this game at all."""


class IllegalAction(ActionError):
    """The action can be read but is not allowed now."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.rule = refusal.rule


class AmbiguousAction(ActionError):
    """The text fits several legal actions."""
