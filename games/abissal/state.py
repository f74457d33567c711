"""The positions of Ambiente Abissal and its rules (games/rules/abissal.md, D1-D12)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any, ClassVar, Final, Self

from games.abissal import actions
from games.abissal.actions import PASS, Action, Deal, First, Play
from games.abissal.choices import choices
from games.abissal.components import DECKS, HAND_SIZE, PAIRS, Strength, cards_of, indices
from games.abissal.observation import AbissalObservation, Laid, RoundResult
from games.abissal.refusals import why_illegal
from games.abissal.tricks import CLOCKWISE, followers, leads, strength_after, turn_after
from games.core import CHANCE, TERMINAL, GameInfo, Notation, Rng, State, Step, lead, shuffled

GOAL: Final = {2: 10, 3: 6}
"""Points that end the match, by number of players (D10, D11)."""

Trick = tuple[tuple[int, Play], ...]
"""The plays of a trick with their players, oldest first."""


@dataclass(frozen=True)
class AbissalState(State[Action]):
    """A position of Ambiente Abissal. Sets of cards are masks as in `games.abissal.components`.

    Attributes:
        hands: by seat.
        aside: the cards that aren't dealt in this round (D1); all cards before a deal.
        gone: the cards that were played in this round.
        leader: the seat that leads the round (D2), ``None`` until chance has named it.
        trick: the plays of the current trick.
        strength: what the current trick is played for, ``None`` before its lead.
        passed: the seats that have passed in this trick, in that order.
        out: the seats that have gone out in this round, in that order.
        results: the finished rounds, oldest first.
    """

    notation: ClassVar = Notation(
        actions.action_to_string, actions.string_to_action, actions.read, why_illegal, choices
    )
    info: ClassVar[GameInfo] = GameInfo(
        key="abissal",
        name="Ambiente Abissal",
        summary="A climbing game in the deep sea: be first without cards.",
        min_players=2,
        max_players=3,
        rules_version=1,
        # After six rounds the sum of points is 21 with two players, and 18 with three: somebody has reached the goal. A
        # round is one deal and at most 33 plays, each followed by at most two passes.
        max_game_length=1 + 6 * (1 + 3 * HAND_SIZE * 3),
        turn_rule="D4",
        end_rule="D10",
        key_rule="Beat the last play in suit or number, or pass.",
        hands=True,
        hidden_information=True,
        steps=(
            Step("card", "What do you play?"),
            Step("second", "Alone, or with a second card?", joins=20),
        ),
    )

    hands: tuple[int, ...]
    aside: int
    gone: int = 0
    leader: int | None = None
    trick: Trick = ()
    strength: Strength | None = None
    passed: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    results: tuple[RoundResult, ...] = ()

    # Actions.

    def _legal_actions(self, player: int) -> tuple[Action, ...]:
        if self.strength is None:
            return tuple(leads(self.hands[player]))
        return (*followers(self.hands[player], self.strength, self.trick[-1][1]), PASS)

    def _apply_action(self, player: int, action: Action) -> Self:
        if isinstance(action, Play):
            return self._play(player, action) if action.cards else self._pass(player)
        if isinstance(action, First):
            return self.evolve(leader=action.seat, current_player=action.seat)
        return self.evolve(
            hands=action.hands,
            aside=self.aside & ~reduce(or_, action.hands),
            current_player=CHANCE if self.leader is None else self.leader,
            last=None,
        )

    def _pass(self, player: int) -> Self:
        passed = (*self.passed, player)
        seat, trick, strength, passed = self._next_turn(player, self.hands, self.trick, self.strength, passed)
        return self.evolve(last=(player, PASS), current_player=seat, trick=trick, strength=strength, passed=passed)

    def _play(self, player: int, play: Play) -> Self:
        hands = tuple([hand & ~play.cards if seat == player else hand for seat, hand in enumerate(self.hands)])
        gone = self.gone | play.cards
        out = self.out if hands[player] else (*self.out, player)
        trick: Trick = (*self.trick, (player, play))
        before = self.strength
        strength = play.strength if before is None else strength_after(before, self.trick[-1][1], play)
        last = (player, play)
        if len(out) + 1 == self.players:
            return self.evolve(last=last, hands=hands, gone=gone, out=out, trick=trick, strength=strength)._end_round()
        seat, trick, strength, passed = self._next_turn(player, hands, trick, strength, self.passed)
        return self.evolve(
            last=last,
            hands=hands,
            gone=gone,
            out=out,
            current_player=seat,
            trick=trick,
            strength=strength,
            passed=passed,
        )

    def _next_turn(
        self, player: int, hands: tuple[int, ...], trick: Trick, strength: Strength | None, passed: tuple[int, ...]
    ) -> tuple[int, Trick, Strength | None, tuple[int, ...]]:
        """Return the seat that is next after a line by `player`, the trick, its strength and who has passed (D8, D9).

        The line hasn't ended the round. The last three are unchanged, or empty if the trick is over.
        """
        seat, over = turn_after(player, trick[-1][0], hands, passed)
        return (seat, (), None, ()) if over else (seat, trick, strength, passed)

    def _end_round(self) -> Self:
        """Count the points, then end the match or go on to the next deal (D2, D10, D11)."""
        assert self.leader is not None
        places = (*self.out, *(seat for seat in range(self.players) if seat not in self.out))
        prizes = (len(self.results) + 1, 0) if self.players == 2 else (2, 1, 0)
        points = tuple(prizes[places.index(seat)] for seat in range(self.players))
        left = cards_of(self.hands[places[-1]])
        results = (*self.results, RoundResult(self.leader, places, points, left))
        scores = _totals(results, self.players)
        if max(scores) >= GOAL[self.players]:
            return self.evolve(results=results, current_player=TERMINAL)
        return self.evolve(
            current_player=CHANCE,
            hands=(0,) * self.players,
            aside=DECKS[self.players],
            gone=0,
            leader=min((self.leader, *CLOCKWISE[self.players][self.leader]), key=scores.__getitem__),
            trick=(),
            strength=None,
            passed=(),
            out=(),
            results=results,
        )

    # Chance.

    def sample_chance(self, rng: Rng) -> Action:
        """Deal 11 cards to everybody (D1), or draw the leader of the first round (D2)."""
        if any(self.hands):
            return First(rng.randrange(self.players))
        return Deal(_dealt(self.aside, [HAND_SIZE] * self.players, rng))

    def check_chance(self, action: Action) -> bool:
        """Return whether every hand has 11 different cards from this match's deck, or whether the seat exists."""
        if any(self.hands):
            return isinstance(action, First) and action.seat < self.players
        return (
            isinstance(action, Deal)
            and [hand.bit_count() for hand in action.hands] == [HAND_SIZE] * self.players
            and sum(action.hands) == reduce(or_, action.hands)
            and not reduce(or_, action.hands) & ~self.aside
        )

    def resample_from_infostate(self, player: int | None, rng: Rng) -> Self:
        """Redraw the other hands and the undealt cards from the cards that `player` hasn't seen in this round."""
        if self.is_terminal:
            return self
        known = self.hands[player] if player is not None else 0
        unseen = reduce(or_, self.hands, self.aside) & ~known
        sizes = [0 if seat == player else hand.bit_count() for seat, hand in enumerate(self.hands)]
        drawn = _dealt(unseen, sizes, rng)
        hands = tuple(known if seat == player else hand for seat, hand in enumerate(drawn))
        return self.evolve(hands=hands, aside=unseen & ~reduce(or_, drawn))

    # What people may see.

    @property
    def round_number(self) -> int:
        """The current or coming round, from 1; after the end the last one."""
        return len(self.results) + (not self.is_terminal)

    @property
    def rounds_over(self) -> int:
        """The number of rounds whose points are counted (D10)."""
        return len(self.results)

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of every seat (D10, D11)."""
        return _totals(self.results, self.players)

    def returns(self) -> tuple[float, ...]:
        """Return the points of every seat."""
        return tuple(map(float, self.scores))

    def scored(self) -> tuple[tuple[int, ...], ...]:
        """Return the points of every seat after each round (D10, D11)."""
        return tuple(_totals(self.results[:number], self.players) for number in range(1, len(self.results) + 1))

    def merits(self) -> tuple[tuple[int, int], ...]:
        """Return the points of every seat, and its negative place in the last round (D10, D11)."""
        if not self.results:
            return tuple((score, 0) for score in self.scores)
        last = self.results[-1].places
        return tuple((score, -last.index(seat)) for seat, score in enumerate(self.scores))

    def _reason(self, winners: tuple[int, ...], merits: tuple[Any, ...]) -> str:
        """Return the points, and what broke a tie (D10, D11)."""
        tie = "; the better place in the last round decides" if self.scores.count(max(self.scores)) > 1 else ""
        return f"{lead(self.scores, 'point')}, after {len(self.results)} rounds{tie}."

    def observation(self, player: int | None) -> AbissalObservation:
        """Return what `player` may see. All hands and the undealt cards are open once the match is over."""
        over = self.is_terminal
        return AbissalObservation(
            *self.common_facts(player),
            round_number=self.round_number,
            leader=self.leader,
            hand=() if player is None else cards_of(self.hands[player]),
            counts=tuple(hand.bit_count() for hand in self.hands),
            trick=tuple(Laid(seat, actions.laid(play)) for seat, play in self.trick),
            strength=self.strength,
            passed=self.passed,
            out=self.out,
            scores=self.scores,
            results=self.results,
            hands=tuple(map(cards_of, self.hands)) if over else None,
            aside=cards_of(self.aside) if over else None,
        )

    def open_observation(self) -> AbissalObservation:
        """Return a spectator's observation, plus all hands and the undealt cards."""
        return replace(self.observation(None), hands=tuple(map(cards_of, self.hands)), aside=cards_of(self.aside))

    def seen_by(self, viewer: int | None, player: int, action: Action) -> Action:
        """Return a deal with only the viewer's own hand. Every other action is public."""
        if not isinstance(action, Deal):
            return action
        return Deal(tuple(hand if seat == viewer else actions.HIDDEN_HAND for seat, hand in enumerate(action.hands)))

    def forced_action(self) -> Action | None:
        """Return a pass that everybody can see to be forced, or the last card of the player who leads.

        A pass is forced if no unseen card beats the trick, or if the player has one card and the trick is played with
        pairs. Any other lack of choice would tell something about a hand.
        """
        if self.current_player < 0:
            return None
        hand = self.hands[self.current_player]
        if self.strength is None:
            return actions.play_of(hand) if hand.bit_count() == 1 else None
        if self.strength in PAIRS and hand.bit_count() == 1:
            return PASS
        unseen = reduce(or_, self.hands, self.aside)
        return None if followers(unseen, self.strength, self.trick[-1][1]) else PASS

    def __str__(self) -> str:
        plays = ", ".join(f"{seat} {actions.action_to_string(play)}" for seat, play in self.trick)
        rows = [
            f"round {self.round_number}, led by {self.leader}; scores {self.scores}; to move {self.current_player}",
            *(f"{seat}: {' '.join(cards_of(hand)) or '-'}" for seat, hand in enumerate(self.hands)),
            f"aside: {' '.join(cards_of(self.aside))}",
            f"trick by {self.strength}: {plays}" if self.strength else "a new trick",
            f"passed {self.passed}; out {self.out}",
        ]
        return "\n".join(rows)


def _totals(results: tuple[RoundResult, ...], players: int) -> tuple[int, ...]:
    return tuple(sum(result.points[seat] for result in results) for seat in range(players))


def _dealt(cards: int, sizes: list[int], rng: Rng) -> tuple[int, ...]:
    """Return hands of these sizes, drawn from a set of cards that is at least as large."""
    pool = [*shuffled(indices(cards), rng)]
    return tuple(sum(1 << pool.pop() for _ in range(size)) for size in sizes)


def new_match(players: int, options: Mapping[str, str]) -> AbissalState:
    """Return the position before the first deal. The game has no options."""
    return AbissalState(players=players, current_player=CHANCE, last=None, hands=(0,) * players, aside=DECKS[players])
