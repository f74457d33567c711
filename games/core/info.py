"""What is true of every match of a game: its names, numbers and options, and the steps of its menus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from games.core.action_errors import Refusal


class Step(NamedTuple):
    """One step in which a person picks an action: a slash option, and a step of the panel.

    Attributes:
        name: lower-case letters, as Discord requires for options.
        label: the panel's question, a short phrase.
        turns: the step turns a card. It must be the last one. The panel doesn't ask it: people turn the card itself.
        joins: the most entries with which the panel asks this step together with the one before. It then names places
            instead of numbering them.
        named: the labels are the names of places, so the picture shows these names instead of numbers.
    """

    name: str
    label: str
    turns: bool = False
    joins: int = 0
    named: bool = False


class Choice(NamedTuple):
    """One entry of a step.

    Attributes:
        value: the entry for machines.
        label: the entry for people.
        seat: the player that the entry stands for, if it does. People then see that player's name instead of the label.
        place: the place on the board that the entry stands for, in the notation, so that a picture can number it.
        gives_up: the entry gives up a card or the turn. Nobody should pick it by mistake.
        whole: the text for people that stands for this choice and the one before it, where both are shown together.
            Without it, their labels stand one after the other.
        brief: the entry for people beside the number of its `place`, where the label would be too long for a button.
        card: the value is a card that the player holds, or is offered, so that the picture of the hand can mark it.
    """

    step: str
    value: str
    label: str
    seat: int | None = None
    place: str | None = None
    gives_up: bool = False
    whole: str | None = None
    brief: str | None = None
    card: bool = False


def of_several(label: str, count: int) -> str:
    """Return the label of `count` equal cards, of which people pick any one: ``NES (two)``."""
    words = _COUNTS[count] if count < len(_COUNTS) else str(count)
    return f"{label} ({words})" if count > 1 else label


_COUNTS: Final = ("", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Option(NamedTuple):
    """A variant that people agree on before a match: one of `values`, by default `default`."""

    name: str
    label: str
    values: tuple[str, ...]
    default: str


@dataclass(frozen=True)
class GameInfo:
    """The facts of a game that are the same in every match.

    Attributes:
        rules_version: raised by every change of the rules that could change a stored match.
        max_game_length: the most log lines that a match can have, chance lines included.
        turn_rule: the number of the rule that forbids acting out of turn.
        end_rule: the number of the rule that forbids acting after the end.
        key_rule: one sentence for beginners about what makes an action legal.
        hands: whether players hold secret cards.
        hidden_information: whether anything is hidden, the order of a deck included.
        suspected: the hidden role that players can publicly suspect each other of, in one word for one player; empty if
            the game has none.
    """

    key: str
    name: str
    summary: str
    min_players: int
    max_players: int
    rules_version: int
    max_game_length: int
    turn_rule: str
    end_rule: str
    key_rule: str
    hands: bool
    hidden_information: bool
    steps: tuple[Step, ...]
    options: tuple[Option, ...] = ()
    suspected: str = ""

    @property
    def not_your_turn(self) -> Refusal:
        """The refusal for acting out of turn."""
        return Refusal(self.turn_rule, "It's not your turn.")
