"""Sentences about whether a match counts for ratings."""

from __future__ import annotations

from typing import Final

from matches.api import Match
from matches.table.rating import has_no_hints

COUNTS: Final = "counts for ratings"
DOES_NOT_COUNT: Final = "unrated: hints are free"
FOR_THE_RELIABLE: Final = "for people who finish their matches"
AND_NEWCOMERS: Final = f"{FOR_THE_RELIABLE}, and newcomers"

NO_HINTS: Final = "-# No hints in rated matches."
"""For the players of a rated match between people."""

NO_GAIN: Final = "-# You can't gain rating in this match any more."
"""For somebody who had help in a rated match."""

LEAVING: Final = "-# For ratings you're last if you don't return; if you do, you can't gain, and nobody loses to you."
"""For somebody who is about to let a computer play for them in a rated match."""

EXCUSED: Final = (
    "-# You haven't moved yet, so your rating stays as it is, once a day on this server. For you it counts as not "
    "finished."
)
NOT_EXCUSED: Final = (
    "-# You've already left a match before your first move today. Once your turn has come, you're last for ratings."
)
"""For somebody who is about to leave a larger rated match before their own first move, by the day's abort or not."""


def agreed(match: Match) -> str:
    """Return whether an open match counts, and who may join, in a few words."""
    counts = (f"{COUNTS}: no hints" if has_no_hints(match) else COUNTS) if match.rated else DOES_NOT_COUNT
    return f"{counts} · {AND_NEWCOMERS if match.newcomers else FOR_THE_RELIABLE}" if match.reliable else counts
