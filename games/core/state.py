"""A position: what the author of a game writes, and what every game gets from that."""

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
from games.typed import fold, in_the_case_of, likeliest, recased, shortened, squeezed, undecorated, without_numbers

CHANCE: Final = -1
TERMINAL: Final = -4

MAX_ACTION_TEXT: Final = 40
"""Longest canonical text of a player's action, in characters (chance lines may be longer)."""


class Rng(Protocol):
    """The part of `random.Random` that games draw with, so that a match can inject a verifiable stream."""

    def randrange(self, stop: int, /) -> int:
        """A number ``0 .. stop - 1``, each equally likely."""

    def shuffle(self, x: list[Any], /) -> None:
        """Shuffle in place, every order equally likely."""


class Stage(StrEnum):
    """How a position is told to the table.

    `TURN`: a turn begins, one public post. `STEPS`: the current player is in the middle of his own turn (captures to
    be ordered), nothing new until it is finished. `SERIES`: a row of small picks by several players, one post before
    and one after.
    """

    TURN = "turn"
    STEPS = "steps"
    SERIES = "series"


def places(merits: Sequence[Any]) -> tuple[int, ...]:
    """By what every seat has reached, the higher the better, its place: 1 is the first, and equals share one.

    So many places stay empty after a shared one as have it with others: 1, 2, 2, 4.
    """
    return tuple(1 + sum(other > merit for other in merits) for merit in merits)


@dataclass(frozen=True)
class State(ABC, Generic[A]):
    """A position: an immutable value from which every later position follows by actions.

    Subclasses are frozen dataclasses; containers in their fields are never changed in place. `last` is the latest
    action by a player (not by chance) that people should see marked, with who took it; a new deal clears it.
    """

    info: ClassVar[GameInfo]

    players: int
    current_player: int
    last: tuple[int, A] | None

    # What the author of a game writes.

    @abstractmethod
    def _legal_actions(self, player: int) -> tuple[A, ...]:
        """All actions of `player`, who is the current player; never empty (a forced pass is an action)."""

    @abstractmethod
    def _apply_action(self, player: int, action: A) -> Self:
        """The position after a legal action, of a player or of chance."""

    @abstractmethod
    def observation(self, player: int | None) -> Observation:
        """What `player` (``None``: a spectator) may see, built by listing it."""

    @abstractmethod
    def returns(self) -> tuple[float, ...]:
        """The score of every seat so far, in the game's own points; final when the match is over."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Who won and why, or ``None`` while the match goes on."""

    @staticmethod
    @abstractmethod
    def action_to_string(action: A) -> str:
        """The canonical text, ASCII; the same in every position."""

    @staticmethod
    @abstractmethod
    def _string_to_action(player: int, text: str) -> A:
        """Read a canonical text of a player or of `CHANCE`, legal or not. Raises InvalidAction, naming no secret."""

    @abstractmethod
    def sample_chance(self, rng: Rng) -> A:
        """Draw what chance decides here, using nothing but `rng`. Only where `CHANCE` is the current player."""

    @abstractmethod
    def check_chance(self, action: A) -> bool:
        """Whether chance could have drawn `action` here."""

    @abstractmethod
    def seen_by(self, viewer: int | None, player: int, action: A) -> A:
        """The action of `player` as `viewer` may see it while the match goes on: `HIDDEN` for what is hidden.

        It has the public parts as they are, and a text; where anything is hidden it is no action that can be taken.
        May be asked of any position of the match in which the line stands.
        """

    @staticmethod
    @abstractmethod
    def _why_illegal(seen: Any, action: A) -> Refusal:
        """Why an action that is not legal is refused to the player on turn: the rule, and one sentence.

        `seen` is that player's observation and all that there is to make the reason from, so it can tell no secret.
        """

    @abstractmethod
    def resample_from_infostate(self, player: int | None, rng: Rng) -> Self:
        """A position that looks the same to `player` (``None``: a spectator), the rest drawn anew.

        What the player cannot know is sorted before it is shuffled, so that the result does not depend on what is
        true: from two positions that look alike to him, equal `rng` give equal results.
        """

    @abstractmethod
    def choices(self, action: A) -> tuple[Choice, ...]:
        """The steps in which a person picks `action`, in the order of `GameInfo.steps`; unique among the legal."""

    def other_choices(self, action: A) -> tuple[tuple[Choice, ...], ...]:
        """Further ways to pick the same action, each as `choices` is; none where there is one way alone."""
        return ()

    @abstractmethod
    def material(self) -> Mapping[str, int]:
        """Every card or piece of the match by name, wherever it is, with its count.

        The same at every position of a match, before the first line too, so that a test can tell when one is lost,
        doubled or swapped for another. For developers, like ``str(state)``: it may say what is hidden.
        """

    def open_observation(self) -> Observation:
        """The position with nothing hidden, for who looks back at it once the match is over.

        Where anything is hidden, games override this: a spectator's observation, and in it what was hidden then.
        """
        return self.observation(None)

    @staticmethod
    def _read(text: str, legal: tuple[A, ...]) -> str:
        """What a person typed, with the game's synonyms replaced, before `fold` compares it; games may override."""
        return text

    @property
    def stage(self) -> Stage:
        """How this position is told to the table; games with steps or a series override it."""
        return Stage.TURN

    @property
    def rounds_over(self) -> int:
        """How many rounds are over, with all that they have brought; games that are played in rounds override it.

        It grows with the line that ends a round, before the next deal.
        """
        return 0

    def forced_action(self) -> A | None:
        """The current player's only action where everybody can see that it is the only one, else ``None``.

        Where hands are secret a lack of choice could tell something about them, so such games override this for
        the cases that are public.
        """
        if self.info.hands or self.current_player < 0:
            return None
        legal = self.legal_actions(self.current_player)
        return legal[0] if len(legal) == 1 else None

    def merits(self) -> tuple[Any, ...]:
        """What the seats are compared by, the higher the better; games whose ties are broken override it.

        It is asked at the end, also of a match that people ended in the middle. Before the first move all are equal.
        """
        return self.returns()

    def parts(self) -> tuple[tuple[Part, ...], ...]:
        """What every seat was in the rounds that are decided; games with roles override it."""
        return ((),) * self.players

    def default_action(self) -> A | None:
        """What is taken for a player who lets their time pass in a `Stage.SERIES`; ``None`` elsewhere."""
        return None

    # What every game gets.

    @property
    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.current_player == TERMINAL

    def standing(self) -> tuple[int, ...]:
        """The place of every seat, 1 the first; seats that tie share one (1, 2, 2, 4). Final when the match is over."""
        return places(self.merits())

    def legal_actions(self, player: int) -> tuple[A, ...]:
        """All actions of `player` now; empty for whoever may not act (chance included)."""
        if player != self.current_player or player < 0:
            return ()
        cached: tuple[A, ...] | None = self.__dict__.get("_legal")
        if cached is None:
            cached = self._legal_actions(player)
            self.__dict__["_legal"] = cached
        return cached

    def apply_action(self, player: int, action: A) -> Self:
        """The position after `action`, checked. Raises IllegalAction with the reason."""
        refusal = self.why_illegal(player, action)
        if refusal is not None:
            raise IllegalAction(refusal)
        return self._apply_action(player, action)

    def child(self, player: int, action: A) -> Self:
        """The position after `action` without the check, for search and for logs that are trusted."""
        return self._apply_action(player, action)

    def why_illegal(self, player: int, action: A) -> Refusal | None:
        """Why `player` may not take `action` now, naming the rule, or ``None`` when he may."""
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
        """The line's text as `viewer` may see it while the match goes on, `?` for what is hidden (`seen_by`)."""
        return self.action_to_string(self.seen_by(viewer, player, action))

    def string_to_action(self, player: int, text: str) -> A:
        """Read a canonical text, strictly, legal or not. Raises InvalidAction."""
        action = self._string_to_action(player, text)
        if self.action_to_string(action) != text:
            raise InvalidAction(f"“{shortened(text)}” isn't valid notation for this game.")
        return action

    def parse_action(self, player: int, text: str) -> A:
        """Read what a person typed (spaces and synonyms do not matter) as one of their legal actions.

        Case matters where nothing else tells two actions of the game apart. A text of which `undecorated` leaves the
        canonical one is that action; any other has been read leniently, and its author should see how before it is
        played. Raises InvalidAction, IllegalAction or AmbiguousAction, each with a sentence for that person.
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
        spelt = in_the_case_of(squeezed(wanted), [squeezed(name) for name in alike])
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
        """Why the canonical `text` cannot be played now, with what can be and differs from it in case only."""
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
        """A copy with some fields changed: `dataclasses.replace` without its cost (search makes millions)."""
        return self._with(changes)

    def _with(self, changes: dict[str, Any]) -> Self:
        """`evolve` for whoever has the changes in a dictionary already."""
        new = object.__new__(type(self))
        fields = self.__dict__ | changes
        fields.pop("_legal", None)
        object.__setattr__(new, "__dict__", fields)
        return new
