"""A position of a game: what the game's author writes, and what every game gets from that."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Final, Generic, Protocol, Self

from games.core.action_errors import ActionError, AmbiguousAction, IllegalAction, InvalidAction, Refusal
from games.core.info import Choice, GameInfo
from games.core.observation import A, Observation, Outcome, Part
from games.typed import fold, likeliest, matching_case, recased, shortened, squeezed, undecorated, without_numbers

CHANCE: Final = -1
TERMINAL: Final = -4

MAX_ACTION_TEXT: Final = 40
"""The most characters in the canonical text of a player's action. Chance lines may be longer."""


class Rng(Protocol):
    """The part of `random.Random` that games draw with. A match passes a stream that people can verify."""

    def randrange(self, stop: int, /) -> int:
        """Return a number ``0 .. stop - 1``, each equally likely."""

    def shuffle(self, x: list[Any], /) -> None:
        """Shuffle `x` in place, with every order equally likely."""


class Stage(StrEnum):
    """How the table hears of a position.

    `TURN`: a turn begins, and there is one public post. `STEPS`: the current player is in the middle of their turn
    (they order captures), and there is no post until it ends. `SERIES`: several players make small picks in a row, and
    there is one post before and one after.
    """

    TURN = "turn"
    STEPS = "steps"
    SERIES = "series"


def places(merits: Sequence[Any]) -> tuple[int, ...]:
    """Return every seat's place by its merits (higher is better). Place 1 is the first.

    Equal seats share a place, and the places after a shared one stay empty: 1, 2, 2, 4.
    """
    return tuple(1 + sum(other > merit for other in merits) for merit in merits)


@dataclass(frozen=True)
class State(ABC, Generic[A]):
    """A position: an immutable value from which all later positions follow by actions.

    Subclasses are frozen dataclasses, and never change a container in a field in place. `last` is the latest action of
    a player (not of chance), with that player; people see it marked. A new deal clears it.
    """

    info: ClassVar[GameInfo]

    players: int
    current_player: int
    last: tuple[int, A] | None

    # What the author of a game writes.

    @abstractmethod
    def _legal_actions(self, player: int) -> tuple[A, ...]:
        """Return all actions of `player`, who is the current player. Never empty: a forced pass is an action."""

    @abstractmethod
    def _apply_action(self, player: int, action: A) -> Self:
        """Return the position after a legal action of a player or of chance."""

    @abstractmethod
    def observation(self, player: int | None) -> Observation:
        """Return what `player` (``None``: a spectator) may see. List what is visible; don't delete what is hidden."""

    @abstractmethod
    def returns(self) -> tuple[float, ...]:
        """Return every seat's score so far, in the game's own points. It is final once the match is over."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return who won and why, or ``None`` while the match goes on."""

    @staticmethod
    @abstractmethod
    def action_to_string(action: A) -> str:
        """Return the canonical text of an action, in ASCII. It is the same in every position."""

    @staticmethod
    @abstractmethod
    def _string_to_action(player: int, text: str) -> A:
        """Read a canonical text of a player or of `CHANCE`, legal or not.

        Raises InvalidAction, whose message names no secret.
        """

    @abstractmethod
    def sample_chance(self, rng: Rng) -> A:
        """Draw what chance decides here, with `rng` alone. Call it only when `CHANCE` is the current player."""

    @abstractmethod
    def check_chance(self, action: A) -> bool:
        """Return whether chance could have drawn `action` here."""

    @abstractmethod
    def seen_by(self, viewer: int | None, player: int, action: A) -> A:
        """Return the action of `player` as `viewer` may see it while the match goes on.

        `HIDDEN` stands for what is hidden, and public parts stay as they are. The result always has a text, but an
        action with hidden parts can't be taken. Works from any position of the match.
        """

    @staticmethod
    @abstractmethod
    def _why_illegal(seen: Any, action: A) -> Refusal:
        """Return why an illegal action is refused to the current player: the rule, and one sentence.

        `seen` is that player's observation. The reason is made from it alone, so it can't tell a secret.
        """

    @abstractmethod
    def resample_from_infostate(self, player: int | None, rng: Rng) -> Self:
        """Return a position that looks the same to `player` (``None``: a spectator), with the rest drawn again.

        Sort what the player can't know before you shuffle it. The result then doesn't depend on the true position: two
        positions that look alike to the player give the same result for equal `rng`.
        """

    @abstractmethod
    def choices(self, action: A) -> tuple[Choice, ...]:
        """Return the steps in which a person picks `action`, in the order of `GameInfo.steps`.

        No other legal action has the same steps.
        """

    def other_choices(self, action: A) -> tuple[tuple[Choice, ...], ...]:
        """Return further ways to pick the same action, each like `choices`. By default there are none."""
        return ()

    @abstractmethod
    def material(self) -> Mapping[str, int]:
        """Count every card or piece of the match by name, wherever it is.

        The counts are the same in every position of a match, even before the first line. Tests use them to find lost,
        doubled and swapped cards. For developers, like ``str(state)``: the counts may show what is hidden.
        """

    def open_observation(self) -> Observation:
        """Return the position with nothing hidden, for people who look back once the match is over.

        Games with hidden information override it: they return a spectator's observation plus what was hidden.
        """
        return self.observation(None)

    @staticmethod
    def _read(text: str, legal: tuple[A, ...]) -> str:
        """Return what a person typed with the game's synonyms replaced by its notation. Games may override it.

        `legal` are that person's actions. The caller compares the result with them by `fold`.
        """
        return text

    @property
    def stage(self) -> Stage:
        """How the table hears of this position. Games with steps or a series override it."""
        return Stage.TURN

    @property
    def rounds_over(self) -> int:
        """The number of rounds that are over, their scoring included. Games with rounds override it.

        It grows with the line that ends a round, before the next deal.
        """
        return 0

    def forced_action(self) -> A | None:
        """Return the current player's only action if everybody can see that it is the only one, else ``None``.

        With secret hands, a lack of choice could tell something about a hand. Such games override this, and return only
        what is forced by public facts.
        """
        if self.info.hands or self.current_player < 0:
            return None
        legal = self.legal_actions(self.current_player)
        return legal[0] if len(legal) == 1 else None

    def merits(self) -> tuple[Any, ...]:
        """Return what ranks every seat; higher is better. Games with tie-breaks override it.

        A match that people end early is ranked by this too. Before the first move all seats are equal.
        """
        return self.returns()

    def parts(self) -> tuple[tuple[Part, ...], ...]:
        """Return every seat's parts in the decided rounds. Games with roles override it."""
        return ((),) * self.players

    def default_action(self) -> A | None:
        """Return the action for a player whose time runs out in a `Stage.SERIES`, else ``None``."""
        return None

    # What every game gets.

    @property
    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.current_player == TERMINAL

    def standing(self) -> tuple[int, ...]:
        """Return every seat's place: 1 is the first, and tied seats share one. Final once the match is over."""
        return places(self.merits())

    def legal_actions(self, player: int) -> tuple[A, ...]:
        """Return all actions of `player` now. Empty for everybody but the current player, and for chance."""
        if player != self.current_player or player < 0:
            return ()
        cached: tuple[A, ...] | None = self.__dict__.get("_legal")
        if cached is None:
            cached = self._legal_actions(player)
            self.__dict__["_legal"] = cached
        return cached

    def apply_action(self, player: int, action: A) -> Self:
        """Return the position after `action`. Raises IllegalAction with the reason."""
        refusal = self.why_illegal(player, action)
        if refusal is not None:
            raise IllegalAction(refusal)
        return self._apply_action(player, action)

    def child(self, player: int, action: A) -> Self:
        """Return the position after `action` without checking it, for search and for trusted logs."""
        return self._apply_action(player, action)

    def why_illegal(self, player: int, action: A) -> Refusal | None:
        """Return the rule and the reason why `player` can't take `action` now, or ``None`` if they can."""
        refusal = self._why_not_now(player)
        if refusal is not None:
            return refusal
        if player == CHANCE:
            return None if self.check_chance(action) else Refusal(None, "This couldn't have been drawn here.")
        if action in self.legal_actions(player):
            return None
        return self._why_illegal(self.observation(player), action)

    def _why_not_now(self, player: int) -> Refusal | None:
        if self.is_terminal:
            return Refusal(self.info.end_rule, "The match is over.")
        return None if player == self.current_player else self.info.not_your_turn

    def line_for(self, viewer: int | None, player: int, action: A) -> str:
        """Return the text of an action as `viewer` may see it while the match goes on (`seen_by`)."""
        return self.action_to_string(self.seen_by(viewer, player, action))

    def string_to_action(self, player: int, text: str) -> A:
        """Read a canonical text strictly, legal or not. Raises InvalidAction."""
        action = self._string_to_action(player, text)
        if self.action_to_string(action) != text:
            raise InvalidAction(f"“{shortened(text)}” isn't valid notation for this game.")
        return action

    def parse_action(self, player: int, text: str) -> A:
        """Read what a person typed as one of their legal actions. Spaces and synonyms don't matter.

        Case matters if nothing else distinguishes two actions. If `undecorated` leaves the canonical text, that is the
        action. Any other text is read leniently: show its author the result before you play it. Raises InvalidAction,
        IllegalAction or AmbiguousAction, each with a sentence for that person.
        """
        refusal = self._why_not_now(player)
        if refusal is not None:
            raise IllegalAction(refusal)
        texts = {self.action_to_string(action): action for action in self.legal_actions(player)}
        plain = undecorated(text)
        for canonical in (plain, without_numbers(plain)):
            if canonical in texts:
                return texts[canonical]
            if canonical is not None and self._is_canonical(player, canonical):
                raise self._not_legal(player, canonical, texts)
        wanted = self._read(undecorated(unicodedata.normalize("NFKC", text)), self.legal_actions(player))
        alike = [name for name in texts if fold(name) == fold(wanted)]
        twins = [twin for name in alike for twin in recased(name) if self._is_canonical(player, twin)]
        alike = list(dict.fromkeys((*alike, *twins)))
        spelt = matching_case(squeezed(wanted), [squeezed(name) for name in alike])
        meant = alike if len(alike) == 1 else [name for name in alike if squeezed(name) in spelt]
        if len(meant) == 1:
            if meant[0] in texts:
                return texts[meant[0]]
            raise self._not_legal(player, meant[0], texts)
        if alike:
            names = ", ".join(f"`{name}`" for name in alike[:5])
            raise AmbiguousAction(f"“{shortened(text)}” could mean {names}. Please write the one you mean.")
        for candidate in (wanted, squeezed(wanted)):
            if self._is_canonical(player, candidate):
                raise self._not_legal(player, candidate, texts)
        steps = {name: [step.label for step in self.choices(action)] for name, action in texts.items()}
        likely, close = likeliest(steps, (plain, wanted))
        hint = f"Did you mean `{likely}`?" if close else f"Moves look like `{likely}`."
        raise InvalidAction(f"I couldn't read “{shortened(text)}” as a move. {hint}")

    def _is_canonical(self, player: int, text: str) -> bool:
        try:
            self.string_to_action(player, text)
        except InvalidAction:
            return False
        return True

    def _not_legal(self, player: int, text: str, legal: Container[str]) -> ActionError:
        """Return the error for a canonical `text` that isn't legal now.

        It suggests the legal text that differs in case only, if there is one.
        """
        refusal = self.why_illegal(player, self.string_to_action(player, text))
        assert refusal is not None, "a legal action is not refused"
        twin = next((each for each in recased(text) if each in legal), None)
        if twin is None:
            return IllegalAction(refusal)
        error = AmbiguousAction(
            f"{refusal} Capital letters matter here: if you mean `{twin}`, not `{text}`, write that."
        )
        error.rule = refusal.rule
        return error

    def evolve(self, **changes: Any) -> Self:
        """Return a copy with some fields changed. Faster than `dataclasses.replace`: search makes millions of them."""
        return self._with(changes)

    def _with(self, changes: dict[str, Any]) -> Self:
        """Return a copy like `evolve`, for callers that have the changes in a dictionary."""
        new = object.__new__(type(self))
        fields = self.__dict__ | changes
        fields.pop("_legal", None)
        object.__setattr__(new, "__dict__", fields)
        return new
