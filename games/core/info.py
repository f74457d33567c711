"""What is true of a game in every match: names, numbers, options, and the steps in which a person picks an action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.core.action_errors import Refusal


class Step(NamedTuple):
    """One named step in which a person picks an action; it is a slash option and a step of the panel.

    `name` is lower-case letters (Discord's rule for options), `label` what the panel asks, as a short phrase. A step
    that `turns` a card is always the last of an action: the panel does not ask it, one turns the card that is shown.
    A step is asked together with the one before it where that makes no more entries than `joins`; places are then named
    and not numbered.
    """

    name: str
    label: str
    turns: bool = False
    joins: int = 0


class Choice(NamedTuple):
    """One entry of a step: `value` is what machines keep, `label` what people read.

    `seat` is set where the entry means a player (people then see the name instead of the label); `place` where it
    means a place of the board, written as in the notation, so that a picture can number it. `gives_up` says that a
    card or the turn is given up by it, which nobody should pick by mistake.
    """

    step: str
    value: str
    label: str
    seat: int | None = None
    place: str | None = None
    gives_up: bool = False


class Option(NamedTuple):
    """Something agreed before a match (a variant): the allowed `values`, `default` first among equals."""

    name: str
    label: str
    values: tuple[str, ...]
    default: str


@dataclass(frozen=True)
class GameInfo:
    """What is true of a game in every match.

    `rules_version` counts changes of the rules that could change a stored match; `max_game_length` bounds the
    number of log lines of any match, chance lines included. `turn_rule` and `end_rule` are the rule numbers
    named when somebody acts out of turn or after the end. `decisive` is a sentence on what decides which actions are
    legal, for whoever plays for the first time. `hands` says that players hold secret cards;
    `hidden_information` that anything at all is hidden (deck orders too).
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
    decisive: str
    hands: bool
    hidden_information: bool
    steps: tuple[Step, ...]
    options: tuple[Option, ...] = ()

    @property
    def not_your_turn(self) -> Refusal:
        """What somebody is told who acts out of turn."""
        return Refusal(self.turn_rule, "It's not your turn.")
