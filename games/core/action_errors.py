"""Refusals of actions, and the errors that carry them."""

from __future__ import annotations

from typing import NamedTuple


class Refusal(NamedTuple):
    """Why an action is refused: the `reason`, and the number of the `rule` that forbids it (``None``: no rule does).

    ``str(refusal)`` is the sentence that people read: ``S7: …``.
    """

    rule: str | None
    reason: str

    def __str__(self) -> str:
        return self.reason if self.rule is None else f"{self.rule}: {self.reason}"


class ActionError(ValueError):
    """An action that can't be read or can't be taken.

    The message is a sentence for the player. `rule` is the number of the rule that forbids the action, if one does.
    """

    rule: str | None = None


class InvalidAction(ActionError):
    """The text isn't an action of this game."""


class IllegalAction(ActionError):
    """The action isn't legal now."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.rule = refusal.rule


class AmbiguousAction(ActionError):
    """The text fits several actions."""
