"""What the host refuses; every message is one plain sentence for the person who asked."""

from __future__ import annotations

from datetime import datetime

from db.model.ids import MatchId
from games.core import Refusal
from matches.records.seat import Seat


class HostError(ValueError):
    """Something that the host does not do; nothing was changed. The message is a sentence for the person.

    `rule` is the number of the game's rule that forbids it, where one does.
    """

    rule: str | None = None


class NotFound(HostError):
    """There is no such match, game or player."""


class NotSeated(HostError):
    """Only somebody who sits at this table may do that."""


class NotYourTurn(HostError):
    """Somebody else is on turn: `mover`, whom the sentence does not name (whoever shows a name makes it harmless)."""

    def __init__(self, refusal: Refusal, mover: Seat | None = None) -> None:
        super().__init__(refusal)
        self.rule = refusal.rule
        self.mover = mover


class Stale(HostError):
    """The request was made from a position that is no longer the latest."""


class WrongTime(HostError):
    """That is for a match that has not begun, that runs, or that is over, and this one is at another point."""


class NotAllowed(HostError):
    """This person may not do that here."""


class Busy(HostError):
    """Work that takes long is on its way for this person already, so no more of it is begun."""


class KeptApart(HostError):
    """Somebody from whom this person wants to be kept away sits at the table: they are asked whether to join anyway.

    `seat` is the seat that they would ask for in a match that runs.
    """

    def __init__(self, sentence: str, match_id: MatchId, seat: int | None = None) -> None:
        super().__init__(sentence)
        self.match_id = match_id
        self.seat = seat


class TooSoon(HostError):
    """That costs others something, and this person has done it too often; it works `again` from that moment on."""

    def __init__(self, sentence: str, again: datetime) -> None:
        super().__init__(sentence)
        self.again = again


class Refused(HostError):
    """The rules of the game say no; the message begins with the rule's number (``S7: …``) where one forbids it."""

    def __init__(self, sentence: str, rule: str | None = None) -> None:
        super().__init__(sentence)
        self.rule = rule


class Frozen(HostError):
    """The log of the match does not replay under the rules of this program, so the match stands still."""


class Pruned(HostError):
    """The lines of a match that is over were deleted, as the host does after some time, so there is none to show."""

    def __init__(self, match_id: MatchId) -> None:
        super().__init__(
            f"The moves of match {match_id} have been deleted, because it ended long ago. "
            "Its result is still in `/match history`."
        )


class Unavailable(HostError):
    """What this needs failed (the store is locked, full, unreadable; the processes that think were killed).

    Nothing was changed; the cause says why, for the operator.
    """
