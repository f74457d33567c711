"""Ambiente Abissal for two: how the solver goes out first whatever the other player holds, and however they play it.

The other player may hold any of the cards that the solver hasn't seen. A pass tells nothing about their hand, and a
play tells only that they held these cards. So after each they may still hold any of the cards that are unseen then. A
plan that wins against each of their plays therefore wins in every world.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

from games.abissal import AbissalState
from games.abissal.actions import PASS, Play, action_to_string
from games.abissal.components import NUMBERS, Strength, cards_of, indices, mask_of
from games.abissal.tricks import followers, leads, strength_after
from games.log import Header, Line
from matches.puzzles.finders.found import Dropped, Found, Proof, of_few_steps, share_of
from matches.puzzles.kinds import with_hand
from matches.puzzles.puzzle import Refuted
from matches.puzzles.variety import PASSED, answers

MOST_AGAINST: Final = 4
"""The most cards of the other player, who then has at most 35 possible hands."""
FEWEST_AGAINST: Final = 2
FEWEST_OWN: Final = 3
FEWEST_ACTIONS: Final = 4
LARGEST_SHARE: Final = 0.34
MOST_TURNS: Final = 5
DEAL: Final = "deal "


class _Table(NamedTuple):
    """What the solver knows, in masks: their cards, the unseen ones, how many of these the other has, the last play.

    `strength` is ``None`` before a lead.
    """

    own: int
    unseen: int
    against: int
    last: Play | None = None
    strength: Strength | None = None

    def plays(self, cards: int) -> list[Play]:
        """Return what can be played from these cards, a pass left out."""
        if self.strength is None or self.last is None:
            return leads(cards)
        return followers(cards, self.strength, self.last)

    def laid(self, play: Play, mine: bool) -> _Table:
        """Return the table after a play."""
        before = self.strength
        strength = play.strength if before is None or self.last is None else strength_after(before, self.last, play)
        if mine:
            return _Table(self.own & ~play.cards, self.unseen, self.against, play, strength)
        left = self.against - play.cards.bit_count()
        return _Table(self.own, self.unseen & ~play.cards, left, play, strength)

    def passed(self) -> _Table:
        """Return the table after a pass: with two players, the other leads."""
        return _Table(self.own, self.unseen, self.against)


class _Plan(Proof[AbissalState]):
    """Whether the solver goes out first, for every table that was asked about."""

    def __init__(self, player: int) -> None:
        super().__init__(player)
        self._known: dict[tuple[_Table, bool], bool] = {}

    def _wins(self, table: _Table, mine: bool) -> bool:
        """Return whether the solver has a plan that wins in every world. `mine`: they are to move."""
        key = table, mine
        known = self._known.get(key)
        if known is None:
            if mine:
                known = any(self._wins_after(table, play) for play in _own_actions(table))
            else:
                known = next(self._answers(table), None) is None
            self._known[key] = known
        return known

    def _wins_after(self, table: _Table, play: Play) -> bool:
        """Return whether the solver still wins after this action of theirs."""
        if play is PASS:
            return self._wins(table.passed(), False)
        after = table.laid(play, True)
        return not after.own or self._wins(after, False)

    def _answers(self, table: _Table) -> Iterator[Play]:
        """Yield the other player's actions after which the solver has no plan."""
        for play in table.plays(table.unseen):
            if play.cards.bit_count() <= table.against:
                after = table.laid(play, False)
                if not after.against or not self._wins(after, True):
                    yield play
        if table.strength is not None and not self._wins(table.passed(), True):
            yield PASS

    def is_right(self, state: AbissalState, action: Any) -> bool:
        return self._wins_after(_table(state), action)

    def refuted(self, state: AbissalState, wrong: Sequence[Play]) -> tuple[Refuted, ...]:
        table, found = _table(state), list[Refuted]()
        for action in wrong:
            example = self._example(table.passed() if action is PASS else table.laid(action, True))
            if example is not None:
                play, held = example
                answer = f"{1 - self._player} {action_to_string(play)}"
                found.append(Refuted((answer,), (action_to_string(action),), cards_of(held)))
        return tuple(found)

    def chances(self, state: AbissalState) -> float:
        """Return how easy it is to go on: the share of the actions that win. Easier after a pass than after a play."""
        if state.current_player != self._player:
            return 2.0
        actions = state.legal_actions(self._player)
        return sum(self.is_right(state, action) for action in actions) / len(actions) + (state.strength is None)

    def _example(self, table: _Table) -> tuple[Play, int] | None:
        """Return the other player's answer, and a hand with which they then win even if the solver sees it.

        ``None`` if there's no such hand: then the solver has to guess.
        """
        for cards in combinations(indices(table.unseen), table.against):
            held = sum(1 << index for index in cards)
            seen = table._replace(unseen=held)
            play = next(self._answers(seen), None)
            if play is not None:
                return play, held
        return None


def _own_actions(table: _Table) -> list[Play]:
    plays = table.plays(table.own)
    return plays if table.strength is None else [*plays, PASS]


def find(state: AbissalState, header: Header, lines: Sequence[Line]) -> Found:
    """Return the puzzle at a position, whose other player holds what makes the solver think most. Raises Dropped."""
    player = state.current_player
    if state.players != 2 or not all(state.hands):
        raise Dropped("no round for two")
    table = _table(state)
    if not FEWEST_AGAINST <= table.against <= MOST_AGAINST:
        raise Dropped("too many or too few cards against it")
    actions: Sequence[Any] = state.legal_actions(player)
    if table.own.bit_count() < FEWEST_OWN or len(actions) < FEWEST_ACTIONS:
        raise Dropped("few actions")
    plan = _Plan(player)
    right = [action for action in actions if plan.is_right(state, action)]
    if not right:
        raise Dropped("depends on what they hold")
    share = share_of(right, actions, LARGEST_SHARE, "many actions win")
    hands = [state.hands[1 - player]]
    if any(action is PASS or table.laid(action, True).plays(table.unseen) for action in right):
        hands = [sum(1 << index for index in held) for held in combinations(indices(table.unseen), table.against)]
    steps = {held: plan.step(with_hand(state, player, held), MOST_TURNS) for held in hands}
    held = max(hands, key=lambda held: (PASSED not in answers("out", steps[held]), steps[held].length))
    if steps[held].length == 1:
        raise Dropped("over after one action")
    told = _redealt(lines, 1 - player, state.hands[1 - player], held)
    return Found("out", of_few_steps(steps[held]), symmetry(state), share, lines=told)


def _redealt(lines: Sequence[Line], player: int, before: int, after: int) -> tuple[Line, ...]:
    """Return the lines of the match if a player had been dealt other cards for those that they haven't played."""
    number, deal = next((number, line) for number, line in enumerate(lines) if line.text.startswith(DEAL))
    hands = deal.text.removeprefix(DEAL).split("/")
    hands[player] = ",".join(cards_of(mask_of(hands[player].split(",")) & ~before | after))
    return (*lines[:number], deal._replace(text=f"{DEAL}{'/'.join(hands)}"), *lines[number + 1 :])


def _table(state: AbissalState) -> _Table:
    player = state.current_player
    other = state.hands[1 - player]
    last = state.trick[-1][1] if state.trick else None
    return _Table(state.hands[player], other | state.aside, other.bit_count(), last, state.strength)


def symmetry(state: AbissalState) -> Hashable:
    """Return a key that is the same for positions that differ only in names or in unused suits and numbers.

    It is also the same if suits and numbers are swapped. With two players they are alike: there are five of each.
    """
    table = _table(state)
    places = (
        (indices(table.own), "own"),
        (indices(table.unseen), "unseen"),
        (indices(table.last.cards if table.last else 0), "last"),
    )
    return repr((packed_alike(places, table.strength), table.against))


def packed_alike(places: Iterable[tuple[Iterable[int], str]], strength: Strength | None) -> Hashable:
    """Return a key of cards in these places that ignores unused suits and numbers, and whether the two are swapped."""
    there = [(*divmod(index, NUMBERS), where) for cards, where in places for index in cards]
    name = str(strength)
    return min(
        (_packed(there), name),
        (_packed([(number, suit, where) for suit, number, where in there]), _SWAPPED.get(name, name)),
    )


_SWAPPED: Final = {
    "open": "open",
    "suit": "number",
    "number": "suit",
    "suit pair": "number pair",
    "number pair": "suit pair",
}


def _packed(places: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Return the places without empty rows and columns: only what is stronger matters."""
    rows, columns = sorted({row for row, _, _ in places}), sorted({column for _, column, _ in places})
    return sorted((rows.index(row), columns.index(column), where) for row, column, where in places)
