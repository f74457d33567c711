"""Ambiente Abissal in words (rules page abissal.md, Notation)."""

from __future__ import annotations

from typing import Final

from games.abissal.actions import Action, Deal, First, laid
from games.abissal.components import SUIT_NAMES, SUITS, Strength
from games.abissal.observation import AbissalObservation
from games.core import Played
from render.grammar import MAX_ALT_TEXT, MAX_TEXT_BOARD, acts, counted, cut, does, listed, plain, verb, verdict, within
from render.style import People

STRENGTH_WORDS: Final = {
    Strength.OPEN: "open: higher suit or number",
    Strength.SUIT: "by suit",
    Strength.NUMBER: "by number",
    Strength.SUIT_PAIR: "suit pairs",
    Strength.NUMBER_PAIR: "number pairs",
}
PLACES: Final = ("first", "second", "third")


def card_words(card: str) -> str:
    """``blue 4``."""
    return f"{SUIT_NAMES[card[0]]} {card[1]}"


def suits_of(players: int) -> str:
    """The suits in the game, from weak to strong (gray only with three players)."""
    return SUITS if players > 2 else SUITS[1:]


def say(played: Played[Action], seen: AbissalObservation, people: People) -> str:
    """One line of the log as a sentence."""
    player, action = played
    if isinstance(action, First):
        return f"{does(people[action.seat], 'leads')} the first round."
    if isinstance(action, Deal):
        return f"Round {seen.round_number}: everybody gets {counted(max(seen.counts), 'card')}."
    who, cards = people[player], laid(action)
    if not cards:
        return f"{does(who, 'passes')}."
    gone = seen.last == played and player in seen.out and seen.counts[player] == 0
    after = f" and {verb(who, 'is')} out" if gone else ""
    if len(cards) == 1:
        return f"{does(who, 'plays')} {card_words(cards[0])}{after}."
    return f"{does(who, 'plays')} the pair {' and '.join(map(card_words, cards))}{after}."


def advise(action: Action, seen: AbissalObservation, people: People) -> str:
    """A possible action as advice."""
    cards = " and ".join(map(card_words, laid(action)))
    return "pass" if not cards else f"play the pair {cards}" if " and " in cards else f"play {cards}"


def turn(seen: AbissalObservation, people: People) -> str:
    """Whose turn it is, as a sentence."""
    says = "{} must beat the last play or pass." if seen.trick else "{} leads a new trick."
    return acts(seen, people, f"Round {seen.round_number} is being dealt.", says)


def player_words(seen: AbissalObservation, seat: int) -> str:
    """What is known of a player, in words."""
    parts = [counted(seen.scores[seat], "point"), counted(seen.counts[seat], "card")]
    if seat in seen.out:
        parts[1] = f"out {PLACES[seen.out.index(seat)]}"
    elif seat in seen.passed:
        parts.append("passed")
    return ", ".join(parts)


def trick_words(seen: AbissalObservation, people: People) -> str:
    """The current trick in words."""
    if not seen.trick or seen.strength is None:
        return "No trick on the table."
    plays = [f"{people[laid.player]} {'+'.join(laid.cards)}" for laid in seen.trick]
    return f"Trick, {STRENGTH_WORDS[seen.strength]}: {', then '.join(plays)}."


def alt_text(seen: AbissalObservation, people: People) -> str:
    """The picture in words."""
    short = tuple(plain(name) for name in people)
    parts = [f"Ambiente Abissal, round {seen.round_number}.", say(seen.last, seen, short) if seen.last else ""]
    parts += [turn(seen, short), trick_words(seen, short)]
    parts += [f"{short[seat]}: {player_words(seen, seat)}." for seat in range(seen.players)]
    order = ", ".join(SUIT_NAMES[suit] for suit in suits_of(seen.players))
    parts.append(f"Suits from weak to strong: {order}.")
    if seen.hands is not None and seen.aside is not None:
        left = [f"{short[seat]} {' '.join(hand)}" for seat, hand in enumerate(seen.hands) if hand]
        parts.append(f"Left in hand: {'; '.join(left) or 'nothing'}. Set aside: {' '.join(seen.aside)}.")
    return within(MAX_ALT_TEXT, parts)


def hand_text(seen: AbissalObservation, people: People) -> str | None:
    """The viewer's cards in words."""
    if seen.viewer is None:
        return None
    if not seen.hand:
        return "You have no cards."
    by_suit = [
        f"{SUIT_NAMES[suit]} {' '.join(card for card in seen.hand if card[0] == suit)}"
        for suit in SUITS
        if any(card[0] == suit for card in seen.hand)
    ]
    return f"Your {counted(len(seen.hand), 'card')}: {', '.join(by_suit)}."


def text_board(seen: AbissalObservation, people: People) -> str:
    """The position for a fixed-width font, with the viewer's own hand."""
    names = tuple(plain(name, 24) for name in people)
    rows = [f"Ambiente Abissal, round {seen.round_number}", turn(seen, names)]
    for seat, name in enumerate(names):
        sign = ">" if seat == seen.current_player else " "
        rows.append(f"{sign}{name}: {player_words(seen, seat)}")
    rows.append("")
    if seen.trick and seen.strength is not None:
        rows.append(f"trick, {STRENGTH_WORDS[seen.strength]}:")
        rows += [f"  {'+'.join(laid.cards):<6} {names[laid.player]}" for laid in seen.trick]
    else:
        rows.append("no trick on the table")
    rows.append(f"suits, weak to strong: {' '.join(suits_of(seen.players))}")
    if seen.hand:
        rows.append(f"your hand: {' '.join(seen.hand)}")
    if seen.hands is not None and seen.aside is not None:
        rows += [f"left: {' '.join(hand) or '-'} {names[seat]}" for seat, hand in enumerate(seen.hands)]
        rows.append(f"aside: {' '.join(seen.aside)}")
    return cut("\n".join(rows), MAX_TEXT_BOARD)


def headline(seen: AbissalObservation, people: People) -> str:
    """Who wins, by how many points (D11)."""
    return verdict(_winners(seen), seen.scores, people, "point", "better in the last round")


def round_text(seen: AbissalObservation, people: People) -> str:
    """Who was out of cards first, the points gained, and the scores (D10)."""
    if not seen.results:
        return ""
    result = seen.results[-1]
    gained = [f"{people[seat]} +{result.points[seat]}" for seat in result.places if result.points[seat]]
    stands = [f"{people[seat]} {seen.scores[seat]}" for seat in result.places]
    won = f"**{people[result.places[0]]} wins round {len(seen.results)}**, out of cards first: {listed(gained)}."
    left = f"Left in {people[result.places[-1]]}’s hand: {' '.join(result.left)}."
    return f"{won}\n{left}\nScores: {listed(stands)}."


def end_text(seen: AbissalObservation, people: People) -> str:
    """Standings, the rounds, and what was hidden."""
    if seen.outcome is None or seen.hands is None or seen.aside is None:
        return ""
    order = sorted(range(seen.players), key=lambda seat: (-seen.scores[seat], seat not in _winners(seen), seat))
    lines = [f"{place}. {people[seat]}: {counted(seen.scores[seat], 'point')}" for place, seat in enumerate(order, 1)]
    for number, result in enumerate(seen.results, 1):
        places = listed([f"{people[seat]} +{result.points[seat]}" for seat in result.places if result.points[seat]])
        lines.append(f"Round {number}: {places}.")
    left = [f"{people[seat]} {' '.join(hand)}" for seat, hand in enumerate(seen.hands) if hand]
    if left:
        lines.append(f"Left in hand: {'; '.join(left)}.")
    lines.append(f"Set aside: {' '.join(seen.aside)}.")
    return "\n".join([*lines, seen.outcome.reason])


def _winners(seen: AbissalObservation) -> tuple[int, ...]:
    return seen.outcome.winners if seen.outcome else ()
