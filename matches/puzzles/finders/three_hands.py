"""Ambiente Abissal for three: the play, or the pass, that clearly brings the most points in the round, on average.

All hands that the solver holds possible count the same: what others did earlier isn't seen in a puzzle. Everybody plays
on by habit. Every right, nearly right and wrong play must be confirmed where experts play on, and where plain players
do: a verdict that depends on how others play isn't clear.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Final

from games.abissal import AbissalState
from games.abissal.actions import Play
from games.abissal.components import indices
from matches.analysis.judging import MISTAKE
from matches.analysis.trying import chosen_by_expert
from matches.computers.judgements.abissal import AbissalJudgement
from matches.computers.judgements.abissal.turns import strength_of
from matches.computers.known import Known
from matches.computers.paired import mean_of
from matches.puzzles.finders.clearly_best import Verdict, verdict
from matches.puzzles.finders.found import Dropped, Found
from matches.puzzles.finders.going_out import packed_alike
from matches.puzzles.kinds import unseen_by

PLAYERS: Final = 3
FEWEST_OWN: Final = 4
MOST_UNSEEN: Final = 14
"""The most cards that the solver hasn't seen. With more of them, a verdict depends on the habits of whole rounds."""

EXPERTISE: Final = 0.2
"""The part of the work of a review's answers (`chosen_by_expert`) with which experts play on."""

_EARLY: Final = 20
"""After so many worlds the work ends if a play can't be confirmed any more."""


def find(state: AbissalState) -> Found:
    """Return the puzzle at a position. Raises Dropped."""
    player = state.current_player
    if state.players != PLAYERS or state.out:
        raise Dropped("somebody is out")
    if state.passed:
        raise Dropped("somebody has passed, which says something about their hand")
    if state.hands[player].bit_count() < FEWEST_OWN:
        raise Dropped("few cards in hand")
    if unseen_by(state, player).bit_count() > MOST_UNSEEN:
        raise Dropped("many cards haven't been seen")
    found = verdict(state, for_the_round, confirm)
    return Found("round", found.step(state), symmetry(state), found.share)


def confirm(found: Verdict) -> None:
    """Raise Dropped unless every play is what it was found to be, whoever plays on (`PLAYERS_ON`)."""
    best, fine = found.right[0], (*found.right[1:], *found.good)
    for name, (stages, choose) in PLAYERS_ON.items():
        # Whoever leads single cards first plays too badly to say what is wrong.
        wrong = found.wrong if name != SINGLES else ()
        rows = list[list[float]]()
        for worlds in (_EARLY, *stages):
            for number in range(len(rows), worlds):
                rows.append(_values(found.knows, (best, *fine, *wrong), f"{name} {number}", choose))
            losses = [mean_of([row[0] - row[place] for row in rows]) for place in range(1, len(rows[0]))]
            ties, lost = losses[: len(fine)], losses[len(fine) :]
            clear = [loss.low >= -MISTAKE and loss.high <= MISTAKE for loss in ties]
            clear += [loss.low >= MISTAKE for loss in lost]
            if worlds >= stages[0] and all(clear):
                break
            last = worlds == stages[-1]
            if any(loss.low > MISTAKE or loss.high < -MISTAKE for loss in ties) or (
                last and not all(clear[: len(fine)])
            ):
                raise Dropped(f"a tie isn't one for {name}")
            if last or any(loss.high < MISTAKE for loss in lost):
                raise Dropped(f"a wrong action isn't wrong for {name}")


def _values(knows: Known, actions: Sequence[Any], name: str, choose: Callable[[Any], Any]) -> list[float]:
    """Return what each action brings in a world if everybody then plays on by `choose`, until the solver is out."""
    player, found = knows.position.current_player, list[float]()
    world: Any = knows.position.resample_from_infostate(player, knows.rng(f"puzzle {name}"))
    judgement = for_the_round(world)
    for action in actions:
        state = world.child(player, action)
        while not judgement.is_decided(state) and player not in state.out:
            state = state.child(state.current_player, choose(state))
        places = state.results[-1].places if judgement.is_decided(state) else state.out
        found.append((1.0, 0.5, 0.0)[places.index(player)])
    return found


def _expert(state: Any) -> Any:
    legal = state.legal_actions(state.current_player)
    return legal[0] if len(legal) == 1 else chosen_by_expert(state, EXPERTISE)


def _weakest(state: Any, leads: int) -> Play:
    """Return the weakest play there is. Leads have this number of cards, where possible."""
    legal: Sequence[Play] = state.legal_actions(state.current_player)
    plays = [play for play in legal if play.cards] or [*legal]
    if state.strength is None:
        plays = [play for play in plays if play.cards.bit_count() == leads] or plays
    return min(plays, key=lambda play: strength_of(play.cards) / max(1, play.cards.bit_count()))


SINGLES: Final = "plain players who lead single cards"

PLAYERS_ON: Final[Mapping[str, tuple[tuple[int, ...], Callable[[Any], Any]]]] = {
    "plain players who lead pairs": ((400, 1500), lambda state: _weakest(state, 2)),
    SINGLES: ((400,), lambda state: _weakest(state, 1)),
    "experts": ((100, 300), _expert),
}
"""Who plays on, beside those with habits: in how many worlds, more of them where a loss isn't clear yet; and how."""


def for_the_round(position: Any) -> AbissalJudgement:
    """Return a judgement for which only the points of this round count."""
    judgement = AbissalJudgement(position)
    judgement.count_this_round_only()
    return judgement


def symmetry(state: AbissalState) -> Hashable:
    """Return a key that is the same for positions that differ only in names or in unused suits and numbers.

    It is also the same if suits and numbers are swapped.
    """
    player = state.current_player
    last = state.trick[-1][1].cards if state.trick else 0
    places = [("own", state.hands[player]), ("unseen", unseen_by(state, player)), ("last", last)]
    counts = [state.hands[(player + step) % PLAYERS].bit_count() for step in range(1, PLAYERS)]
    return repr((packed_alike([(indices(cards), where) for where, cards in places], state.strength), counts))
