"""The kinds of puzzles: what each asks, and what is said of answers.

A new kind is one entry of `KINDS`, a finder in `finders` and, if it is proven, its check in `checker`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, Final

from games.abissal import AbissalState
from games.abissal.actions import play_of
from games.abissal.components import card_in_words, cards_of, mask_of
from games.abissal.tricks import followers, strength_after
from games.ambagibus import AmbagibusState
from games.ambagibus.components import BASIC
from games.ambush import AmbushState
from games.core import State
from games.gambo import GamboState
from games.gambo.components import DUELS_IN_A_MATCH
from games.saboteur import SaboteurState
from games.saboteur.board import Maze
from games.saboteur.components import FINISH, ROLE_NAMES, ROLES, SABOTEUR
from matches.puzzles.puzzle import Puzzle, Refuted, Shelf

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")


def _word(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _of(number: int, one: str, many: str | None = None) -> str:
    return f"{_word(number)} {one if number == 1 else many or one + 's'}"


def _listed(parts: Sequence[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


Words = Callable[[Any, Any, int, Refuted | None], str]
"""Makes the sentence for a wrong answer from the position before it and after it, the seat, and its refutation."""


def _always(words: str) -> Callable[..., str]:
    return lambda *_: words


@dataclass(frozen=True)
class Kind:
    """A kind of puzzle.

    Attributes:
        game: its game.
        title: a short name of the question.
        question: returns what is asked, from the puzzle, the position, and how many answers were right. After the first
            one it says again what the picture doesn't show.
        wrong: returns what is wrong with an answer.
        right: what is said once the puzzle is solved.
        shelf: the shelf that has its puzzles.
        so_far: what is said of a right answer that isn't the last one.
        meanwhile: says in one sentence what follows every right answer that isn't the last one, if that's always the
            same.
        near: what is said of an answer that is nearly right.
        holding: returns the position in which the other player holds these cards.
    """

    game: str
    title: str
    question: Callable[[Puzzle, Any, int], str]
    wrong: Words
    right: str
    shelf: Shelf = Shelf.PROVEN
    so_far: str = "There's more to find."
    meanwhile: str = ""
    near: str = "That's good, too, but there's something a little better."
    holding: Callable[[Any, int, tuple[str, ...]], Any] = lambda state, *_: state


def fitting(game: str | None = None, shelf: Shelf | None = None) -> Mapping[str, Kind]:
    """Return the kinds of a game and a shelf by their names. ``None`` is any."""
    return {key: kind for key, kind in KINDS.items() if game in (None, kind.game) and shelf in (None, kind.shelf)}


def question(puzzle: Puzzle, state: State[Any] | None = None, right: int = 0) -> str:
    """Return what a puzzle asks at its start, or in this position after so many right answers."""
    return KINDS[puzzle.kind].question(puzzle, state or puzzle.start, right)


# Gambo.


def _force(puzzle: Puzzle, state: GamboState, right: int) -> str:
    left = _of(DUELS_IN_A_MATCH - len(state.scored()), "duel is", "duels are").capitalize()
    asked = "you can still win. What's next?" if right else "you can win whatever your opponent does. How?"
    return f"{left} left, and {asked}"


def _force_wrong(before: Any, after: GamboState, seat: int, refuted: Refuted | None) -> str:
    if after.current_player < 0:
        return "After that, your opponent has won."
    if after.current_player == seat:
        return "It's your turn again after that, but whatever you do, your opponent can win."
    return "After that, your opponent can win."


# Ambush.


def ahead(state: State[Any], seat: int) -> int:
    """Return the seat's lead over the only opponent, in the game's points."""
    points = state.returns()
    return round(points[seat] - points[1 - seat])


def _capture(puzzle: Puzzle, state: AmbushState, right: int) -> str:
    if right:
        return "The order of the captures matters. Which one comes next, to bring you the most?"
    return (
        "What captures the most for you this turn? "
        "Count the pips that you take, less those that your opponent takes in your turn."
    )


def _capture_wrong(before: AmbushState, after: AmbushState, seat: int, refuted: Refuted | None) -> str:
    won = ahead(after, seat) - ahead(before, seat)
    if after.current_player == seat:
        return "Another order brings you more."
    if won < 0:
        return f"That costs you {_of(-won, 'pip')}."
    return f"That brings you {_of(won, 'pip')}. You can get more."


def _setup(puzzle: Puzzle, state: AmbushState, right: int) -> str:
    left = _of(puzzle.amount - (ahead(state, puzzle.seat) - ahead(puzzle.start, puzzle.seat)), "pip")
    if right:
        return f"This is your second turn, and you still need {left}. How do you get there?"
    return (
        f"You have this turn and the next, with your opponent's turn in between. Get {left} more than they do in these "
        "three turns, whatever they answer."
    )


# Ambagibus.


def _sections(puzzle: Puzzle, state: AmbagibusState, right: int) -> str:
    which = "this card" if len(state.cards[puzzle.seat].row) == 1 else "one of your cards"
    return f"How do you get the most closed sections with {which}? Only your own colour counts, right after your turn."


def _sections_wrong(before: AmbagibusState, after: AmbagibusState, seat: int, refuted: Refuted | None) -> str:
    gained = round(after.returns()[seat] - before.returns()[seat])
    if gained < 0:
        return "That opens a section of yours again."
    if gained == 0:
        return "That closes nothing of yours."
    return f"That gets you {_of(gained, 'more section')}. More is possible."


def _ahead(puzzle: Puzzle, state: AmbagibusState, right: int) -> str:
    cards = "" if state.variant == BASIC else " The cards that you keep count, too."
    return (
        "Look two draws ahead. Which play leaves you with the best chances then, on average? "
        f"What counts is closed sections, and open ones that have few passages left.{cards}"
    )


def _ahead_wrong(before: AmbagibusState, after: AmbagibusState, seat: int, refuted: Refuted | None) -> str:
    own, *others = (round(after.returns()[(seat + step) % after.players]) for step in range(after.players))
    now = f"That leaves you with {_of(own, 'closed section')} to {_word(max(others))}."
    how = (
        "Here's how it could be answered." if refuted is not None and refuted.lines else "You can do better than that."
    )
    return f"{now} Two draws later, you're clearly worse off than you could be. {how}"


# Ambiente Abissal.


def _out(puzzle: Puzzle, state: AbissalState, right: int) -> str:
    # The picture shows only the current trick, so the question says what has not been played.
    unseen, held = cards_of(unseen_by(state, puzzle.seat)), state.hands[1 - puzzle.seat].bit_count()
    if right:
        asked = "You can still go out first, whatever they hold. What's next?"
    else:
        asked = "You can go out first, whatever they hold and whatever they do. What do you play?"
    return f"You haven't seen {_listed(unseen)}, and your opponent holds {_word(held)} of these. {asked}"


def _out_wrong(before: AbissalState, after: AbissalState, seat: int, refuted: Refuted | None) -> str:
    if refuted is None or not refuted.holding:
        return "After that, it depends on what your opponent holds."
    held = _listed([card_in_words(card) for card in refuted.holding])
    return f"If your opponent holds {held}, they can go out first."


def with_hand(state: AbissalState, seat: int, hand: int) -> AbissalState:
    """Return the position of a match for two in which the other player holds this hand."""
    unseen = state.hands[1 - seat] | state.aside
    hands = (state.hands[0], hand) if seat == 0 else (hand, state.hands[1])
    return state.evolve(hands=hands, aside=unseen & ~hand)


def _round(puzzle: Puzzle, state: AbissalState, right: int) -> str:
    seats = [(puzzle.seat + step) % state.players for step in range(1, state.players)]
    held = [_word(state.hands[seat].bit_count()) for seat in seats]
    unseen = _listed(cards_of(unseen_by(state, puzzle.seat)))
    return (
        f"You haven't seen {unseen}. The next player holds {held[0]} of these, and "
        f"the player after them holds {held[1]}. Any deal of them is equally likely. The first to go out gets two "
        "points, and the second gets one. What brings you the most points in this round, on average?"
    )


def _round_wrong(before: AbissalState, after: AbissalState, seat: int, refuted: Refuted | None) -> str:
    play, unseen = before.hands[seat] & ~after.hands[seat], unseen_by(before, seat)
    least = "On average, that brings you clearly fewer points."
    if not play:
        return f"{least} You keep all your {_word(before.hands[seat].bit_count())} cards."
    last = play_of(play)
    strength = last.strength if before.strength is None else strength_after(before.strength, before.trick[-1][1], last)
    assert strength is not None
    beaten = len(followers(unseen, strength, last))
    if play.bit_count() > 1:
        return f"{least} The cards that you haven't seen make {_of(beaten, 'pair')} that would beat it."
    return f"{least} Of the {_word(unseen.bit_count())} cards that you haven't seen, {_word(beaten)} would beat it."


def unseen_by(state: AbissalState, seat: int) -> int:
    """Return the cards that a seat hasn't seen."""
    return reduce(or_, (hand for other, hand in enumerate(state.hands) if other != seat), state.aside)


# Saboteur.


def _treasure(puzzle: Puzzle, state: SaboteurState, right: int) -> str:
    left = puzzle.amount - right
    if not right and left == 1:
        return "You know enough about the three finish cards. Reach the treasure in this turn!"
    if not right:
        return (
            f"You know enough about the three finish cards. Reach the treasure in {_word(left)} turns with the cards "
            "in your hand, if the others only discard. What comes first?"
        )
    when = "this turn" if left == 1 else f"in {_word(left)} turns, if the others only discard"
    before: SaboteurState = puzzle.start  # type: ignore[assignment]
    # People answer with the hand that they see, so a card drawn on the way is one of theirs.
    has_drawn = len(state.hands[puzzle.seat]) > len(before.hands[puzzle.seat]) - right
    drawn = " A card that you've drawn since then counts, too." if has_drawn else ""
    return f"Now reach the treasure {when}.{drawn} What's next?"


def _treasure_wrong(before: SaboteurState, after: SaboteurState, seat: int, refuted: Refuted | None) -> str:
    least = "After that, you can't reach the treasure in time with these cards."
    why = _leads_nowhere(before.maze, after.maze)
    return f"{why} {least}" if why else least


def _leads_nowhere(before: Maze, after: Maze) -> str:
    """Return why a card that was laid or removed opens no new way; empty if it does, or if none was."""
    laid = {cell: piece for cell, piece in after.cards.items() if cell not in before.cards}
    if any(piece.islower() for piece in laid.values()):
        return "A dead end leads nowhere."
    # What a finish card that is turned up leads to is hidden until then.
    if laid and laid.keys().isdisjoint(FINISH):
        leads_on = after.frontier.keys() - before.frontier.keys() or before.stranded - after.stranded
        return "" if leads_on else "That card opens no new way."
    lost = len(after.cut_off() - before.cut_off())
    return f"That cuts off {_of(lost, 'card')} from the ladder." if lost and not laid else ""


def _who(puzzle: Puzzle, state: SaboteurState, right: int) -> str:
    cards = ROLES[state.players]
    saboteurs = cards.count(SABOTEUR)
    what = "is a saboteur" if saboteurs == 1 else "are saboteurs"
    among = f"{_word(saboteurs).capitalize()} of the {_word(len(cards))} role cards {what}"
    return (
        f"You're a {ROLE_NAMES[state.roles[puzzle.seat]]}. {among}, and one card is left over. "
        "How likely is each of the others a saboteur? Nobody can know, so give odds."
    )


KINDS: Final[Mapping[str, Kind]] = {
    "force": Kind("gambo", "Win by force", _force, _force_wrong, "Nothing can stop you now."),
    "capture": Kind("ambush", "Best capture", _capture, _capture_wrong, "Nothing brings more in this turn."),
    "setup": Kind(
        "ambush",
        "Two turns",
        _setup,
        _always("Your opponent has an answer after which you get less."),
        "No answer could keep you from it.",
    ),
    "sections": Kind("ambagibus", "Most sections", _sections, _sections_wrong, "No other play gets you more."),
    "ahead": Kind(
        "ambagibus",
        "Two draws ahead",
        _ahead,
        _ahead_wrong,
        "Two draws later, nothing leaves you better off.",
        Shelf.JUDGED,
    ),
    "out": Kind(
        "abissal",
        "Out first",
        _out,
        _out_wrong,
        "You go out first, whatever they held.",
        holding=lambda state, seat, cards: with_hand(state, seat, mask_of(cards)),
    ),
    "round": Kind(
        "abissal", "Most points", _round, _round_wrong, "Nothing brings you more points, on average.", Shelf.JUDGED
    ),
    "treasure": Kind(
        "saboteur",
        "To the treasure",
        _treasure,
        _treasure_wrong,
        "You've found the way.",
        meanwhile="Everybody else discards a card.",
    ),
    "gold": Kind(
        "saboteur",
        "Where's the gold?",
        _always(
            "Think of what you've seen of the finish cards. Which of them can still be the gold, and can be reached "
            "with one of your cards this turn?"
        ),
        _always("There's a place too many or too few. Check each of the three: can it be there, and do you get there?"),
        "Those are the places.",
    ),
    "who": Kind("saboteur", "Who is it?", _who, _always(""), "Here's what the computers would say.", Shelf.JUDGED),
}
"""Every kind by its name. Data files name them, so a name is never used again for something else."""
