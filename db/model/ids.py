"""A type for each kind of id, so that mypy tells them apart."""

from __future__ import annotations

from typing import Final, NewType

MatchId = NewType("MatchId", int)
"""The number of a match, given by the store."""

UserId = NewType("UserId", int)
"""The snowflake of a Discord user."""

SeatNumber = NewType("SeatNumber", int)
"""A seat in a match, from 0, in the order of play."""

Ply = NewType("Ply", int)
"""The number of lines in a log, or the index of a line."""

NO_LINES: Final = Ply(0)
"""The ply before the first line."""
