"""What the rules of conduct say about a player's decisions in a round of Saboteur.

A search doesn't know what being believed is worth, so single moves aren't judged by one. These rules are the computers'
own (`judgements/saboteur/conduct.py`). They see what the player could see, with the suspicions of
`judgements/saboteur/roles.py`. Only whether a player was a friend is the truth, and that is public once a round is
over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, Self

from games.log import Line
from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Dig, Drop, LookAt, RockFall, card_played
from games.saboteur.components import BREAK_CARDS, DEAD_ENDS, DIGGER, FINISH, ROCK, SABOTEUR
from matches.analysis.progress import Decision, Moment, Verdict
from matches.analysis.reasons import About, Reason
from matches.computers.judgements.saboteur.conduct import FOE, Conduct, Rank
from matches.computers.judgements.saboteur.paths import Front, believed
from matches.computers.judgements.saboteur.roles import Beliefs, Known

THROWN, WASTED, IGNORED, FRIEND, EARLY, LATE = "thrown", "wasted", "ignored", "friend", "early", "late"
"""The rules: a card thrown away that helped, a map used on what was known, a map's answer ignored, a friend's tool
broken, an attack too early, an attack too late."""

RISE: Final = 0.1
"""The least rise of the table's suspicion that makes an attack early."""

DEARER: Final = 0.4
"""A discard is a fault if the card was this much more useful than the least useful one."""

_WEAPONS: Final = frozenset((*BREAK_CARDS, *DEAD_ENDS, ROCK))


class Fault(NamedTuple):
    """A decision against a rule of conduct.

    Attributes:
        rule: one of those above.
        better: the canonical text of what the rules would have done.
        weight: how clear the case is, 0 to 1. The clearest are told.
        number: of the round, from 1.
        times: how often the rule was broken in that round.
        numbers: the facts. `missing` cards of the path before, and `then` after the better action; the chance that
            somebody was a `friend`, and their `target` seat; what the table believed `before` and `after`; the finish
            card with the `treasure`.
    """

    decision: Decision
    rule: str
    better: str
    weight: float
    number: int
    times: int
    numbers: Mapping[str, float]

    def as_json(self) -> list[Any]:
        """Return it as the store keeps it."""
        numbers = {name: round(number, 3) for name, number in self.numbers.items()}
        return [list(self.decision), self.rule, self.better, round(self.weight, 3), self.number, self.times, numbers]

    @classmethod
    def from_json(cls, stored: Sequence[Any]) -> Self:
        """Read what `as_json` returned."""
        decision, *others = stored
        return cls(Decision(*decision), *others)

    @property
    def moment(self) -> Moment:
        """The fault as a moment of a review."""
        numbers = self.numbers
        missing = numbers.get("missing", 0.0)
        found = {
            About.KNEW: (0.0, numbers.get("treasure")),
            About.FRIEND: (numbers.get("friend", 0.0), numbers.get("target")),
            About.PATH: (missing, numbers.get("then")),
            About.EARLY: (numbers.get("after", 0.0), missing if self.rule == EARLY else None),
            About.LATE: (0.0, missing if self.rule == LATE else None),
        }
        said = [Reason(about, played, better) for about, (played, better) in found.items() if better is not None]
        said = said or [Reason(About.USEFUL, 0.0, 0.0)]
        if self.times > 1:
            said.append(Reason(About.TIMES, 0.0, self.times))
        return Moment(self.decision, Verdict.COST, self.better, self.weight, reasons=tuple(said))


class Watch:
    """Watches the decisions of a round. `roles` are those of the seats, empty if the round isn't decided."""

    def __init__(self, roles: str, players: int) -> None:
        self._roles = roles
        self._own: list[list[Any]] = [[] for _ in range(players)]
        self._found: list[Fault] = []

    def played(self, seat: int, action: Any) -> None:
        """Note what a seat has done."""
        self._own[seat].append(action)

    def judge(self, state: SaboteurState, line: Line, action: Any, beliefs: Beliefs) -> list[Fault]:
        """Return the faults of a decision. For an early attack, `note` decides later whether it is a fault.

        Until then, it has only what the table believed before the attack.
        """
        return _Decided(state, line, action, beliefs, self._own[line.player], self._roles).faults()

    def note(self, faults: Sequence[Fault], after: float) -> None:
        """Keep the faults of a decision. `after` is how much the table suspected the player after it.

        An early attack is kept only if the suspicion has risen by `RISE`.
        """
        for fault in faults:
            if fault.rule == EARLY:
                rise = after - fault.numbers["before"]
                if rise >= RISE:
                    self._found.append(fault._replace(weight=rise, numbers={**fault.numbers, "after": after}))
            else:
                self._found.append(fault)

    def faults(self) -> list[Fault]:
        """Return the clearest case of each rule for each seat."""
        by_rule: dict[tuple[int, str], list[Fault]] = {}
        for fault in self._found:
            by_rule.setdefault((fault.decision.seat, fault.rule), []).append(fault)
        return [
            max(found, key=lambda each: each.weight)._replace(times=len(found)) for _, found in sorted(by_rule.items())
        ]


class _Decided:
    """One decision, as its player could see it."""

    def __init__(
        self,
        state: SaboteurState,
        line: Line,
        action: Any,
        beliefs: Beliefs,
        own: Sequence[Any],
        roles: str,
    ) -> None:
        self._seat, self._action, self._roles = line.player, action, roles
        self._decision = Decision(line.ply, line.player, line.text)
        # What the player can't know is dealt anew, always alike.
        self._state = state.resample_from_infostate(self._seat, Random(0))
        self._digs = self._state.roles[self._seat] == DIGGER
        self._goals = believed(self._state, self._seat)
        suspected = beliefs.saboteurs(Known.by(self._state, self._seat))
        self._foes = [chance if self._digs else 1 - chance for chance in suspected]
        self._foes[self._seat] = 0.0
        self._exposed = beliefs.saboteurs()[self._seat]
        self._conduct = Conduct(self._state, self._foes, self._exposed, own)
        self._legal = self._state.legal_actions(self._seat)
        self._ranks = {each: self._conduct.rank(each) for each in self._legal}
        self._considered = self._conduct.candidates(self._legal)

    def faults(self) -> list[Fault]:
        """Return what the rules say."""
        found = [self._thrown(), self._friend()]
        found += [self._wasted(), self._ignored()] if self._digs else [self._early(), self._late()]
        return [fault for fault in found if fault is not None]

    def _fault(self, rule: str, better: Any, weight: float, **numbers: float) -> Fault:
        text = self._state.action_to_string(better)
        return Fault(self._decision, rule, text, weight, len(self._state.decided) + 1, 1, numbers)

    def _best(self, actions: Sequence[Any] = ()) -> Any:
        """Return the action that the computers like best, among these, or by default among the considered ones."""
        return max(actions or self._considered, key=lambda each: (self._conduct.opinion(each), str(each)))

    def _thrown(self) -> Fault | None:
        """A card thrown away that helped, or that was of far more use than another one."""
        if not isinstance(self._action, Drop) or self._action in self._considered:
            return None
        card = self._action.card
        uses = [each for each in self._considered if card_played(each) == card]
        if uses and self._digs:
            best = self._best(uses)
            if not isinstance(best, Dig):
                return self._fault(THROWN, best, 0.3)
            missing, then = self._missing(self._goals, best)
            return self._fault(THROWN, best, 0.3 + 0.1 * max(missing - then, 0), missing=missing, then=then)
        others = [each for each in self._legal if isinstance(each, Drop)]
        least = min(self._conduct.use(each.card) for each in others)
        if (self._digs or card in _WEAPONS) and self._conduct.use(card) >= least + DEARER:
            spared = [each for each in others if self._conduct.use(each.card) == least]
            return self._fault(THROWN, spared[0], 0.2)
        return None

    def _missing(self, goals: Sequence[Any], dig: Dig) -> tuple[int, int]:
        """Return how many cards the path needs to one of these finish cards, before and after a path card."""
        front = Front(self._state.maze, tuple(goals))
        return front.missing, front.missing_after(dig)

    def _friend(self) -> Fault | None:
        """A broken tool of a friend, although the player could have taken them for a friend."""
        if not isinstance(self._action, Break) or self._action.seat == self._seat or not self._roles:
            return None
        target = self._action.seat
        same = (self._roles[target] == DIGGER) == self._digs
        enough = FOE if self._digs else 1 - FOE
        if not same or self._foes[target] >= enough or not self._considered:
            return None
        friend = 1 - self._foes[target]
        return self._fault(FRIEND, self._best(), friend, friend=friend, target=target)

    def _wasted(self) -> Fault | None:
        """A map used although the place of the treasure was known."""
        if not isinstance(self._action, LookAt) or len(self._goals) != 1:
            return None
        return self._fault(WASTED, self._best(), 0.5, treasure=FINISH.index(self._goals[0]))

    def _ignored(self) -> Fault | None:
        """A path card towards another finish card, although the place of the treasure was known."""
        if not isinstance(self._action, Dig) or len(self._goals) != 1 or self._ranks[self._action] != Rank.DROP:
            return None
        others = [cell for cell in FINISH if cell not in self._goals and cell not in self._state.maze.cards]
        towards = [each for each in self._legal if isinstance(each, Dig) and self._ranks[each] != Rank.DROP]
        strays = any(then < missing for missing, then in (self._missing((cell,), self._action) for cell in others))
        if not strays or not towards:
            return None
        best = self._best(towards)
        missing, then = self._missing(self._goals, best)
        treasure = FINISH.index(self._goals[0])
        return self._fault(IGNORED, best, 0.7, treasure=treasure, missing=missing, then=then)

    def _attacks(self) -> bool:
        """Return whether everybody sees that the action is hostile."""
        match self._action:
            case Break(_, seat):
                return seat != self._seat
            case RockFall(cell):
                return self._state.maze.cards[cell].isupper()
            case Dig(piece):
                return piece.islower()
            case _:
                return False

    def _early(self) -> Fault | None:
        """An attack while the path was far away, and nobody was sure of the player."""
        if self._conduct.strikes or not self._attacks():
            return None
        return self._fault(EARLY, self._best(), 0.0, missing=self._conduct.public.missing, before=self._exposed)

    def _late(self) -> Fault | None:
        """No attack, although the path was near and there was a card for it."""
        missing = self._conduct.public.missing
        if not self._conduct.strikes or missing > self._conduct.near or self._attacks():
            return None
        if min(self._ranks.values()) != Rank.ACT or self._ranks[self._action] == Rank.ACT:
            return None
        assert self._state.roles[self._seat] == SABOTEUR
        return self._fault(LATE, self._best(), min(1.0, 0.4 + 0.08 * max(7 - missing, 0)), missing=missing)
