"""What a number means where several kinds of them go side by side: a type each, so that none is taken for another."""

from __future__ import annotations

from typing import Final, NewType

MatchId = NewType("MatchId", int)
"""The number of a match, given by the store."""

UserId = NewType("UserId", int)
"""The snowflake of a person on Discord."""

SeatNumber = NewType("SeatNumber", int)
"""A seat in a match, from 0 on in the order of play."""

Ply = NewType("Ply", int)
"""How many lines a log has, or the index of one of them."""

NO_LINES: Final = Ply(0)
"""Before the first line of a log."""
