"""Ambiente Abissal for two: how the solver goes out first whatever the other player holds, and however they play it.

The other player may hold any of the cards that the solver hasn't seen. A pass tells nothing about their hand, and a
play tells only that they held these cards. So after each they may still hold any of the cards that are unseen then. A
plan that wins against each of their plays therefore wins in every world.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Final, NamedTuple

from games.abissal import AbissalState
from games.abissal.actions import PASS, Play, action_to_string
from games.abissal.components import NUMBERS, Strength, cards_of, indices, mask_of
from games.abissal.tricks import followers, leads, strength_after
from games.log import Header, Line
from matches.puzzles.finders.found import Dropped, Found, of_few_steps, share_of, way
from matches.puzzles.kinds import with_hand
from matches.puzzles.puzzle import Refuted, Step, Way
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


class _Plan:
    """Whether the solver goes out first, for every table that was asked about."""

    def __init__(self) -> None:
        self._known: dict[tuple[_Table, bool], bool] = {}

    def wins(self, table: _Table, mine: bool) -> bool:
        """Return whether the solver has a plan that wins in every world. `mine`: they are to move."""
        key = table, mine
        known = self._known.get(key)
        if known is None:
            if mine:
                known = any(self.wins_after(table, play) for play in _own_actions(table))
            else:
                known = next(self._answers(table), None) is None
            self._known[key] = known
        return known

    def wins_after(self, table: _Table, play: Play) -> bool:
        """Return whether the solver still wins after this action of theirs."""
        if play is PASS:
            return self.wins(table.passed(), False)
        after = table.laid(play, True)
        return not after.own or self.wins(after, False)

    def _answers(self, table: _Table) -> Iterator[Play]:
        """Yield the other player's actions after which the solver has no plan."""
        for play in table.plays(table.unseen):
            if play.cards.bit_count() <= table.against:
                after = table.laid(play, False)
                if not after.against or not self.wins(after, True):
                    yield play
        if table.strength is not None and not self.wins(table.passed(), True):
            yield PASS

    def example(self, table: _Table) -> tuple[Play, int] | None:
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
    actions = state.legal_actions(player)
    if table.own.bit_count() < FEWEST_OWN or len(actions) < FEWEST_ACTIONS:
        raise Dropped("few actions")
    plan = _Plan()
    right = [action for action in actions if isinstance(action, Play) and plan.wins_after(table, action)]
    if not right:
        raise Dropped("depends on what they hold")
    share = share_of(right, actions, LARGEST_SHARE, "many actions win")
    hands = [state.hands[1 - player]]
    if any(action is PASS or table.laid(action, True).plays(table.unseen) for action in right):
        hands = [sum(1 << index for index in held) for held in combinations(indices(table.unseen), table.against)]
    steps = {held: _step(plan, with_hand(state, player, held), MOST_TURNS) for held in hands}
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


def _step(plan: _Plan, state: AbissalState, turns: int) -> Step:
    player = state.current_player
    table = _table(state)
    ways, refuted = [], []
    for action in state.legal_actions(player):
        assert isinstance(action, Play)
        text = action_to_string(action)
        if plan.wins_after(table, action):
            ways.append(_way(plan, text, state.child(player, action), player, turns - 1))
        else:
            after = table.passed() if action is PASS else table.laid(action, True)
            example = plan.example(after)
            if example is not None:
                play, held = example
                answer = f"{1 - player} {action_to_string(play)}"
                refuted.append(Refuted((answer,), (text,), cards_of(held)))
    ways.sort(key=lambda way: (way.next.length if way.next else 0, way.action))
    return Step(tuple(ways), (), tuple(refuted))


def _way(plan: _Plan, text: str, state: AbissalState, player: int, turns: int) -> Way:
    """Return how a right action goes on: with the play after which the fewest actions win, or else a pass.

    The other player answers with what they hold here, which is one of the hands that they could have.
    """

    def wins(state: AbissalState, action: Play) -> bool:
        return plan.wins_after(_table(state), action)

    return way(text, state, player, turns, wins, partial(_step, plan), lambda after: _chances(plan, after, player))


def _chances(plan: _Plan, state: AbissalState, player: int) -> float:
    """Return how easy it is to go on: the share of the actions that win. It's easier after a pass than after a play."""
    if state.current_player != player:
        return 2.0
    actions = state.legal_actions(player)
    table = _table(state)
    wins = sum(isinstance(action, Play) and plan.wins_after(table, action) for action in actions)
    return wins / len(actions) + (state.strength is None)


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
