"""What a number means where several kinds of them go side by side: a type each, so that none is taken for another."""

from __future__ import annotations

from typing import NewType

MatchId = NewType("MatchId", int)
"""The number of a match, given by the store."""

UserId = NewType("UserId", int)
"""The snowflake of a person on Discord."""
