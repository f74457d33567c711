"""What a viewer of Saboteur sees, and positions that they hold possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from games.core import Played, Rng, shuffled
from games.grid import cell_to_string
from games.saboteur import gold
from games.saboteur.actions import DROPS, TAKES, Drop, Take
from games.saboteur.components import DIGGER, FINISH, FIXED, START, TOOLS
from games.saboteur.observation import FinishCard, Phase, RoundResult, SaboteurObservation, Uncovered
from games.saboteur.position import IN_ROUND, Due, SaboteurPosition

_PHASES: dict[Due, Phase] = {"turn": "dig", "gold": "gold", "take": "gold", "nothing": "over"}


def observe(state: SaboteurPosition, player: int | None) -> SaboteurObservation:
    """Return what `player` (``None``: a spectator) may see, fact by fact."""
    seats = range(state.players)
    over = state.is_terminal
    roles_shown = state.due not in IN_ROUND and state.roles != ""
    passing = state.decided[-1].passing if state.due == "take" else ()
    return SaboteurObservation(
        *state.common_facts(player),
        round_number=state.round_number,
        phase=_PHASES.get(state.due, "deal"),
        maze={cell: piece for cell, piece in state.maze.cards.items() if cell not in FIXED or cell == START},
        cut_off=state.maze.cut_off(),
        finish_cards=tuple(_finish_card(state, player, number) for number in range(len(state.goals))),
        turned_up=state.effect.turned_up,
        removed=state.effect.removed,
        gone=state.pile,
        broken=tuple("".join(t for t, s in zip(TOOLS, state.broken, strict=True) if s >> seat & 1) for seat in seats),
        hand_sizes=tuple(map(len, state.hands)),
        stock_size=len(state.stock) - state.drawn,
        gold_counts=tuple(len(state.gold_of(seat)) for seat in seats),
        gold_left=len(state.gold_stock),
        gold_passing=len(passing),
        roles=tuple(state.roles[seat] if roles_shown or (seat == player and state.roles) else None for seat in seats),
        left_over=state.roles[-1] if roles_shown else None,
        results=tuple(_result(number, past) for number, past in enumerate(state.decided, 1)),
        role=state.roles[player] if player is not None and state.roles else None,
        hand=() if player is None else state.hands[player],
        discards=() if player is None else state.discards[player],
        gold=() if player is None else state.gold_of(player),
        offered=passing if player is not None and player == state.current_player else (),
        uncovered=_uncovered(state) if over else None,
    )


def observe_openly(state: SaboteurPosition) -> SaboteurObservation:
    """Return what a spectator sees, plus all that is hidden."""
    seen = observe(state, None)
    if state.last is not None:
        seen = replace(seen, last=Played(*state.last))
    if state.roles:
        seen = replace(seen, roles=tuple(state.roles[:-1]), left_over=state.roles[-1])
    doors = zip(seen.finish_cards, state.goals, strict=True)
    return replace(
        seen,
        finish_cards=tuple(replace(door, kind=kind) for door, kind in doors),
        uncovered=_uncovered(state),
    )


def _finish_card(state: SaboteurPosition, viewer: int | None, number: int) -> FinishCard:
    cell = FINISH[number]
    card = state.maze.cards.get(cell)
    known = card is not None or state.due not in IN_ROUND or _has_seen(state, viewer, number)
    seen_by = tuple(seat for seat in range(state.players) if _has_seen(state, seat, number))
    return FinishCard(cell, card, state.goals[number] if known else None, seen_by)


def _has_seen(state: SaboteurPosition, viewer: int | None, number: int) -> bool:
    """Return whether `viewer` has looked at finish card `number` in this round (S12)."""
    return viewer is not None and bool(state.seen[number] >> viewer & 1)


def _result(number: int, past: gold.Round) -> RoundResult:
    return RoundResult(
        number=number,
        winners=past.winners,
        roles=tuple(past.roles[:-1]),
        left_over=past.roles[-1],
        reached_by=past.reached_by,
        pay=0 if past.winners == DIGGER else gold.pay(past.roles),
        gold_cards=tuple(len(past.cards_of(seat)) for seat in range(len(past.roles) - 1)),
    )


def _uncovered(state: SaboteurPosition) -> Uncovered:
    golds = tuple(tuple(past.cards_of(seat) for past in state.decided) for seat in range(state.players))
    return Uncovered(
        hands=state.hands,
        stock=state.stock[state.drawn :],
        discards=state.discards,
        gold=golds,
        totals=tuple(sum(sum(cards) for cards in rounds) for rounds in golds),
    )


def resampled(state: SaboteurPosition, viewer: int | None, rng: Rng) -> dict[str, Any]:
    """Return the fields that differ in a position that looks like `state` to `viewer`. What they can't know is redealt.

    That is roles and, of the finish cards, those that the viewer hasn't seen, both until the round is over; other hands
    and face-down discards, the stock, and gold. After the match nothing is hidden, so nothing changes.
    """
    changes: dict[str, Any] = {}
    if state.is_terminal:
        return changes
    if state.roles and state.due in IN_ROUND:
        others = [seat for seat in range(state.players + 1) if seat != viewer]
        changes["roles"] = "".join(_redealt(state.roles, others, rng))
    if state.goals:
        unknown = [
            number
            for number, cell in enumerate(FINISH)
            if cell not in state.maze.cards and not _has_seen(state, viewer, number)
        ]
        # Stored matches were redrawn with these draws after a round, too, when finish cards stayed secret.
        goals = _redealt(state.goals, unknown, rng)
        changes["goals"] = goals if state.due in IN_ROUND else state.goals
    if state.dealt:
        changes |= _cards_redealt(state, viewer, rng)
    if state.decided:
        picking = state.due == "take" and state.current_player == viewer
        changes["decided"], changes["gold_stock"] = gold.resample(state.decided, viewer, picking, rng)
    if state.last is not None:
        player, action = state.last
        if isinstance(action, Drop):
            changes["last"] = player, DROPS[changes["discards"][player][-1]]
        elif isinstance(action, Take):
            changes["last"] = player, TAKES[changes["decided"][-1].takes[-1]]
    return changes


def _cards_redealt(state: SaboteurPosition, viewer: int | None, rng: Rng) -> dict[str, Any]:
    """Redeal other hands, other discards and the stock from all cards that `viewer` hasn't seen."""
    others = [seat for seat in range(state.players) if seat != viewer]
    hands, discards = list(state.hands), list(state.discards)
    hidden = [card for seat in others for card in (*hands[seat], *discards[seat])]
    cards = iter(shuffled(sorted([*hidden, *state.stock[state.drawn :]]), rng))
    for seat in others:
        hands[seat] = tuple(sorted(islice(cards, len(hands[seat]))))
        discards[seat] = tuple(islice(cards, len(discards[seat])))
    return {"hands": tuple(hands), "discards": tuple(discards), "stock": tuple(cards), "drawn": 0}


def _redealt(cards: Sequence[str], places: Sequence[int], rng: Rng) -> tuple[str, ...]:
    """Return `cards` with those at `places` sorted, shuffled and put back."""
    new = list(cards)
    for place, card in zip(places, shuffled(sorted(cards[place] for place in places), rng), strict=True):
        new[place] = card
    return tuple(new)


def everything(state: SaboteurPosition) -> str:
    """Return all facts of a position for developers, one a line."""
    facts = {
        "round": f"{state.round_number}, {state.due} due, player {state.current_player}",
        "roles": f"{state.roles[:-1]}/{state.roles[-1:]}",
        "finish": ",".join(state.goals),
        "seen": state.seen,
        "maze": " ".join(f"{piece}@{cell_to_string(cell)}" for cell, piece in sorted(state.maze.cards.items())),
        "broken": state.broken,
        "hands": "/".join(",".join(hand) for hand in state.hands),
        "stock": ",".join(state.stock[state.drawn :]),
        "pile": ",".join(state.pile),
        "discards": "/".join(",".join(cards) for cards in state.discards),
        "gold": "/".join(",".join(map(str, state.gold_of(seat))) for seat in range(state.players)),
        "gold stock": ",".join(map(str, state.gold_stock)),
        "passing": ",".join(map(str, state.decided[-1].passing)) if state.due == "take" else "",
    }
    return "\n".join(f"{name}: {fact}" for name, fact in facts.items())
