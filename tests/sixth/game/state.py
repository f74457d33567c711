"""The positions of Moor and its rules (rules page moor.md, M1-M6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self, TypeVar

from games.core import CHANCE, HIDDEN, TERMINAL, GameInfo, Notation, Option, Rng, State, Step, lead, shuffled
from tests.sixth.game.actions import Action, Deal, Take, action_to_string, read, string_to_action
from tests.sixth.game.choices import choices
from tests.sixth.game.components import CAIRNS, LETTERS, STONES
from tests.sixth.game.observation import MoorObservation
from tests.sixth.game.refusals import why_illegal

T = TypeVar("T")

POINTS: Final = 2
"""Points for the last stone of a cairn (M4)."""

BONUS: Final = 3
"""Points at the end for the player who owns the cairn on their token (M5)."""


@dataclass(frozen=True)
class MoorState(State[Action]):
    """A position of Moor. The fields mean what they mean in `MoorObservation`.

    `tokens` are empty before the deal. `box` are the tokens that nobody has.
    """

    notation: ClassVar = Notation(action_to_string, string_to_action, read, why_illegal, choices)
    info: ClassVar[GameInfo] = GameInfo(
        key="moor",
        name="Moor",
        summary="Take the last stone of a cairn, and of the one on your secret token above all.",
        min_players=2,
        max_players=3,
        rules_version=1,
        max_game_length=1 + STONES,
        turn_rule="M2",
        end_rule="M6",
        key_rule="Take as many stones as you like, but from one cairn.",
        hands=True,
        hidden_information=True,
        steps=(Step("cairn", "From which cairn?"), Step("stones", "How many stones?")),
        options=(Option("most", "How many stones one may take at a time", ("3", "2"), "3"),),
    )

    most: int
    stones: tuple[int, ...]
    owners: tuple[int | None, ...]
    taken: tuple[int, ...]
    tokens: tuple[str, ...] = ()
    box: tuple[str, ...] = LETTERS

    # Actions.

    def _legal_actions(self, player: int) -> tuple[Action, ...]:
        return tuple(
            Take(cairn, count)
            for cairn, left in zip(LETTERS, self.stones, strict=True)
            for count in range(1, min(left, self.most) + 1)
        )

    def _apply_action(self, player: int, action: Action) -> Self:
        if isinstance(action, Deal):
            box = tuple(token for token in LETTERS if token not in action.tokens)
            return self.evolve(current_player=0, tokens=action.tokens, box=box)
        place = LETTERS.index(action.cairn)
        stones = tuple(left - (place == each) * action.number for each, left in enumerate(self.stones))
        owners = self.owners if stones[place] else _changed(self.owners, place, player)
        return self.evolve(
            current_player=(player + 1) % self.players if any(stones) else TERMINAL,
            last=(player, action),
            stones=stones,
            owners=owners,
            taken=_changed(self.taken, player, self.taken[player] + action.number),
        )

    # Chance.

    def sample_chance(self, rng: Rng) -> Action:
        """Draw a token for everybody (M1)."""
        return Deal(shuffled(LETTERS, rng)[: self.players])

    def check_chance(self, action: Action) -> bool:
        """Return whether everybody gets a different token."""
        return (
            isinstance(action, Deal)
            and len(set(action.tokens)) == len(action.tokens) == self.players
            and set(action.tokens) <= set(LETTERS)
        )

    def resample_from_infostate(self, player: int | None, rng: Rng) -> Self:
        """Redraw the tokens that `player` hasn't seen."""
        if self.is_terminal or not self.tokens:
            return self
        own = None if player is None else self.tokens[player]
        unseen = [*shuffled((token for token in LETTERS if token != own), rng)]
        tokens = tuple(own if own is not None and seat == player else unseen.pop() for seat in range(self.players))
        return self.evolve(tokens=tokens, box=tuple(sorted(unseen)))

    # What people may see.

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of every seat so far. Points for tokens are added only at the end (M4, M5)."""
        bonus = BONUS if self.is_terminal else 0
        return tuple(
            sum(
                POINTS + bonus * (self.tokens[seat] == cairn)
                for cairn, owner in zip(LETTERS, self.owners, strict=True)
                if owner == seat
            )
            for seat in range(self.players)
        )

    def returns(self) -> tuple[float, ...]:
        """Return the points of every seat."""
        return tuple(map(float, self.scores))

    def _reason(self, winners: tuple[int, ...], merits: tuple[Any, ...]) -> str:
        """Return the best points; several can share the victory (M6)."""
        return f"{lead(self.scores, 'point')}."

    def observation(self, player: int | None) -> MoorObservation:
        """Return what `player` may see. All tokens are open once the match is over."""
        return MoorObservation(
            *self.common_facts(player),
            most=self.most,
            stones=self.stones,
            owners=self.owners,
            taken=self.taken,
            scores=self.scores,
            token=self.tokens[player] if self.tokens and player is not None else None,
            tokens=self.tokens if self.is_terminal else None,
        )

    def open_observation(self) -> MoorObservation:
        """Return a spectator's observation, plus all tokens."""
        return replace(self.observation(None), tokens=self.tokens or None)

    def seen_by(self, viewer: int | None, player: int, action: Action) -> Action:
        """Return a deal with only the viewer's own token. Every other action is public."""
        if not isinstance(action, Deal):
            return action
        return Deal(tuple(token if seat == viewer else HIDDEN for seat, token in enumerate(action.tokens)))

    def __str__(self) -> str:
        cairns = " ".join(f"{cairn}:{left}" for cairn, left in zip(LETTERS, self.stones, strict=True))
        return f"{cairns}; owners {self.owners}; tokens {self.tokens}; to move {self.current_player}"


def _changed(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])


def new_match(players: int, options: Mapping[str, str]) -> MoorState:
    """Return the position before the tokens are dealt."""
    return MoorState(
        players=players,
        current_player=CHANCE,
        last=None,
        most=int(options["most"]),
        stones=tuple(CAIRNS.values()),
        owners=(None,) * len(CAIRNS),
        taken=(0,) * players,
    )
