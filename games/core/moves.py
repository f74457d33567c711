"""What a viewer can do at a position, and why they can't do something else, as far as they may know."""

from __future__ import annotations

import unicodedata
from collections.abc import Container
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, NamedTuple

from games.core.action_errors import ActionError, AmbiguousAction, IllegalAction, InvalidAction, Refusal
from games.core.info import Choice, GameInfo
from games.core.notation import Notation
from games.core.observation import TERMINAL, A, Observation
from games.typed import fold, likeliest, matching_case, recased, shortened, squeezed, undecorated, without_numbers


class Move(NamedTuple):
    """An action: its canonical `text`, the steps in which a person picks it, itself, and the `values` of the steps."""

    text: str
    choices: tuple[Choice, ...]
    action: Any
    values: tuple[str, ...]


@dataclass(frozen=True)
class Turn(Generic[A]):
    """A position as `seen` by a viewer, and their `legal` actions there: none for everybody but the current player.

    It holds no position, so nothing that is made from it can tell a secret.
    """

    info: GameInfo = field(repr=False)
    notation: Notation[A] = field(repr=False)
    seen: Observation
    legal: tuple[A, ...]

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Every legal action with its steps."""
        return tuple(map(self.move_of, self.legal))

    def move_of(self, action: A) -> Move:
        """Return an action, legal or not, with its steps."""
        choices = self.notation.choices(self.seen, action)
        return Move(self.notation.action_to_string(action), choices, action, tuple([each.value for each in choices]))

    def string_to_action(self, text: str) -> A:
        """Read a canonical text of a player strictly, legal or not. Raises InvalidAction."""
        return self.notation.string_to_action(self.seen.viewer or 0, text)

    def why_illegal(self, action: A) -> Refusal | None:
        """Return the rule and the reason why the viewer can't take `action` now, or ``None`` if they can."""
        refusal = why_not_now(self.info, self.seen.current_player, self.seen.viewer)
        if refusal is not None or action in self.legal:
            return refusal
        return self.notation.why_illegal(self.seen, action)

    def parse_action(self, text: str) -> A:
        """Read what a person typed as one of their legal actions. Spaces and synonyms don't matter.

        Case matters if nothing else distinguishes two actions. If `undecorated` leaves the canonical text, that is the
        action. Any other text is read leniently: show its author the result before you play it. Raises InvalidAction,
        IllegalAction or AmbiguousAction, each with a sentence for that person.
        """
        refusal = why_not_now(self.info, self.seen.current_player, self.seen.viewer)
        if refusal is not None:
            raise IllegalAction(refusal)
        texts = {self.notation.action_to_string(action): action for action in self.legal}
        plain = undecorated(text)
        for canonical in (plain, without_numbers(plain)):
            if canonical in texts:
                return texts[canonical]
            if canonical is not None and self._is_canonical(canonical):
                raise self._not_legal(canonical, texts)
        wanted = self.notation.read(undecorated(unicodedata.normalize("NFKC", text)), self.legal)
        alike = [name for name in texts if fold(name) == fold(wanted)]
        twins = [twin for name in alike for twin in recased(name) if self._is_canonical(twin)]
        alike = list(dict.fromkeys((*alike, *twins)))
        spelt = matching_case(squeezed(wanted), [squeezed(name) for name in alike])
        meant = alike if len(alike) == 1 else [name for name in alike if squeezed(name) in spelt]
        if len(meant) == 1:
            if meant[0] in texts:
                return texts[meant[0]]
            raise self._not_legal(meant[0], texts)
        if alike:
            names = ", ".join(f"`{name}`" for name in alike[:5])
            raise AmbiguousAction(f"“{shortened(text)}” could mean {names}. Please write the one you mean.")
        for candidate in (wanted, squeezed(wanted)):
            if self._is_canonical(candidate):
                raise self._not_legal(candidate, texts)
        choices = self.notation.choices
        steps = {name: [step.label for step in choices(self.seen, action)] for name, action in texts.items()}
        likely, close = likeliest(steps, (plain, wanted))
        hint = f"Did you mean `{likely}`?" if close else f"Moves look like `{likely}`."
        raise InvalidAction(f"I couldn't read “{shortened(text)}” as a move. {hint}")

    def _is_canonical(self, text: str) -> bool:
        try:
            self.string_to_action(text)
        except InvalidAction:
            return False
        return True

    def _not_legal(self, text: str, legal: Container[str]) -> ActionError:
        """Return the error for a canonical `text` that isn't legal now.

        It suggests the legal text that differs in case only, if there is one.
        """
        refusal = self.why_illegal(self.string_to_action(text))
        assert refusal is not None, "a legal action is not refused"
        twin = next((each for each in recased(text) if each in legal), None)
        if twin is None:
            return IllegalAction(refusal)
        error = AmbiguousAction(
            f"{refusal} Capital letters matter here: if you mean `{twin}`, not `{text}`, write that."
        )
        error.rule = refusal.rule
        return error


def why_not_now(info: GameInfo, current_player: int, player: int | None) -> Refusal | None:
    """Return why `player` can't act at all while it is the turn of `current_player`, or ``None`` if they can."""
    if current_player == TERMINAL:
        return Refusal(info.end_rule, "The match is over.")
    return None if player == current_player else info.not_your_turn
