"""A position of a game: what the game's author writes, and what every game gets from that."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from games.core.action_errors import IllegalAction, Refusal
from games.core.info import Choice, GameInfo
from games.core.moves import Turn, why_not_now
from games.core.notation import Notation
from games.core.observation import CHANCE, TERMINAL, A, Observation, Outcome, Part, Played

V = TypeVar("V")


class Rng(Protocol):
    """The part of `random.Random` that games draw with. A match passes a stream that people can verify."""

    def randrange(self, stop: int, /) -> int:
        """Return a number ``0 .. stop - 1``, each equally likely."""

    def shuffle(self, x: list[Any], /) -> None:
        """Shuffle `x` in place, with every order equally likely."""


def shuffled(values: Iterable[V], rng: Rng) -> tuple[V, ...]:
    """Return the values in random order, each order equally likely."""
    mixed = list(values)
    rng.shuffle(mixed)
    return tuple(mixed)


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


def lead(points: Sequence[int], one: str) -> str:
    """Return the best score and the next lower one: ``12 points to 3``. `one` is what is counted.

    If several share the best: ``7 points each``, ``2 players with 7 points each``.
    """
    best = max(points)
    lower, sharing = [point for point in points if point < best], points.count(best)
    score = f"{best} {one}{'' if best == 1 else 's'}"
    if sharing == 1:
        return f"{score} to {max(lower)}" if lower else score
    return f"{sharing} players with {score} each" if lower else f"{score} each"


@dataclass(frozen=True)
class State(ABC, Generic[A]):
    """A position: an immutable value from which all later positions follow by actions.

    Subclasses are frozen dataclasses, and never change a container in a field in place. Each has the `info` and the
    `notation` of its game. `last` is the latest action of a player (not of chance), with that player; people see it
    marked. A new deal clears it.
    """

    info: ClassVar[GameInfo]
    notation: ClassVar[Notation[Any]]

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
    def _reason(self, winners: tuple[int, ...], merits: tuple[Any, ...]) -> str:
        """Return why the `winners` of a finished match have won, as a sentence for `Outcome`."""

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

    @abstractmethod
    def resample_from_infostate(self, player: int | None, rng: Rng) -> Self:
        """Return a position that looks the same to `player` (``None``: a spectator), with the rest drawn again.

        Sort what the player can't know before you shuffle it. The result then doesn't depend on the true position: two
        positions that look alike to the player give the same result for equal `rng`.
        """

    def redrawn(self, player: int, rng: Rng) -> Self:
        """Return a position that looks the same to `player`, with the rest drawn again, to play on from here.

        Stored matches begin with such a draw, so it never changes: the same position and numbers give the same result
        in all later versions (`tests/conformance/test_branches.py`). Whoever changes `resample_from_infostate` keeps
        the old way of drawing here.
        """
        return self.resample_from_infostate(player, rng)

    def open_observation(self) -> Observation:
        """Return the position with nothing hidden, for people who look back once the match is over.

        Games with hidden information override it: they return a spectator's observation plus what was hidden.
        """
        return self.observation(None)

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

    def scored(self) -> tuple[tuple[int, ...], ...]:
        """Return every seat's points after each round or duel so far. Games that score in steps override it."""
        return ()

    def parts(self) -> tuple[tuple[Part, ...], ...]:
        """Return every seat's parts in the decided rounds. Games with roles override it."""
        return ((),) * self.players

    def default_action(self) -> A | None:
        """Return an action if none can be better, else ``None``.

        Computers take it. In a `Stage.SERIES` it's taken for a player whose time runs out.
        """
        return None

    # What every game gets.

    @property
    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.current_player == TERMINAL

    def outcome(self) -> Outcome | None:
        """Return who won and why, or ``None`` while the match goes on. The winners have the best `merits`."""
        if self.current_player != TERMINAL:
            return None
        merits = self.merits()
        best = max(merits)
        winners = tuple([seat for seat, merit in enumerate(merits) if merit == best])
        return Outcome(winners, self._reason(winners, merits))

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
        refusal = why_not_now(self.info, self.current_player, player)
        if refusal is not None:
            return refusal
        if player == CHANCE:
            return None if self.check_chance(action) else Refusal(None, "This couldn't have been drawn here.")
        if action in self.legal_actions(player):
            return None
        return self.notation.why_illegal(self.observation(player), action)

    def action_to_string(self, action: A) -> str:
        """Return the canonical text of an action (`Notation`)."""
        return self.notation.action_to_string(action)

    def line_for(self, viewer: int | None, player: int, action: A) -> str:
        """Return the text of an action as `viewer` may see it while the match goes on (`seen_by`)."""
        return self.action_to_string(self.seen_by(viewer, player, action))

    def string_to_action(self, player: int, text: str) -> A:
        """Read a canonical text of a player or of `CHANCE` strictly, legal or not. Raises InvalidAction."""
        action: A = self.notation.string_to_action(player, text)
        return action

    def turn(self, player: int | None) -> Turn[A]:
        """Return what `player` (``None``: a spectator) sees and can do here, without this position."""
        legal = () if player is None else self.legal_actions(player)
        return Turn(self.info, self.notation, self.observation(player), legal)

    def parse_action(self, player: int, text: str) -> A:
        """Read what a person typed as one of their legal actions (`Turn.parse_action`)."""
        return self.turn(player).parse_action(text)

    def choices(self, action: A) -> tuple[Choice, ...]:
        """Return the steps in which the current player picks `action` (`Notation`)."""
        return self.notation.choices(self.observation(self.current_player), action)

    def common_facts(self, player: int | None) -> tuple[int | None, int, int, Played[A] | None, Outcome | None]:
        """Return the fields of `Observation`, with which every game's observation begins, as `player` may see them."""
        last = None
        if self.last is not None:
            actor, action = self.last
            last = Played(actor, action if self.is_terminal else self.seen_by(player, actor, action))
        return player, self.players, self.current_player, last, self.outcome()

    def evolve(self, **changes: Any) -> Self:
        """Return a copy with some fields changed. Faster than `dataclasses.replace`: search makes millions of them."""
        new = object.__new__(type(self))
        fields = self.__dict__ | changes
        fields.pop("_legal", None)
        object.__setattr__(new, "__dict__", fields)
        return new
