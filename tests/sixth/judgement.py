"""Moor: the last stone of a cairn is worth having (rules page moor.md, M4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from matches.computers.judgement import Judgement
from tests.sixth.game import MoorState
from tests.sixth.game.actions import Action, Take
from tests.sixth.game.components import LETTERS


class MoorJudgement(Judgement[MoorState]):
    """At first glance an action that takes a last stone is good."""

    def opinions(self, state: MoorState, actions: Sequence[Action]) -> Sequence[float]:
        """Last stones first."""
        left = dict(zip(LETTERS, state.stones, strict=True))
        last = {Take(cairn, count) for cairn, count in left.items()}
        return [0.8 if action in last else 0.5 for action in actions]


JUDGEMENT: Final = MoorJudgement
