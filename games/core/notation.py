"""How the actions of a game are written, read, picked and refused. None of that needs a position."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic

from games.core.action_errors import InvalidAction, Refusal
from games.core.info import Choice
from games.core.observation import CHANCE, A
from games.typed import shortened


@dataclass(frozen=True)
class Notation(Generic[A]):
    """The texts, menus and refusals of a game's actions, as functions.

    `seen` is the current player's observation. These functions see nothing else of a position, so they can't tell a
    secret.

    Attributes:
        action_to_string: returns the canonical text of an action, in ASCII. It is the same in every position.
        from_string: reads a canonical text of a player or of `CHANCE`, legal or not (`reader`). Raises InvalidAction,
            whose message names no secret.
        read: returns what a person typed with the game's synonyms replaced by its notation. It is given that person's
            legal actions. The caller compares the result with them by `fold`.
        why_illegal: returns why an illegal action is refused to the current player: the rule, and one sentence.
        choices: returns the steps in which a person picks an action, in the order of `GameInfo.steps`. No other legal
            action has the same steps.
    """

    action_to_string: Callable[[A], str]
    from_string: Callable[[int, str], A]
    read: Callable[[str, tuple[A, ...]], str]
    why_illegal: Callable[[Any, A], Refusal]
    choices: Callable[[Any, A], tuple[Choice, ...]]

    def string_to_action(self, player: int, text: str) -> A:
        """Read a canonical text strictly, legal or not. Raises InvalidAction."""
        action = self.from_string(player, text)
        if self.action_to_string(action) != text:
            raise InvalidAction(f"“{shortened(text)}” isn't valid notation for this game.")
        return action


def reader(
    remark: str, by_players: Mapping[str, Callable[..., Any]], by_chance: Mapping[str, Callable[..., Any]]
) -> Callable[[int, str], Any]:
    """Return a function that reads the canonical text of an action of a player or of `CHANCE`, legal or not.

    The mappings give a function for each pattern of texts. It makes the action from the pattern's groups, and returns
    ``None`` if they name no piece, card or cell of the game. Texts without an action raise InvalidAction, whose message
    is the text and the `remark`.
    """
    of_players, of_chance = (
        [(re.compile(pattern, re.ASCII).fullmatch, make) for pattern, make in table.items()]
        for table in (by_players, by_chance)
    )

    def string_to_action(player: int, text: str) -> Any:
        for match, make in of_chance if player == CHANCE else of_players:
            found = match(text)
            if found and (action := make(*found.groups())) is not None:
                return action
        raise InvalidAction(f"“{shortened(text)}” {remark}")

    return string_to_action
