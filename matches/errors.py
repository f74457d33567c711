"""The refusals of the host. Each message is one plain sentence for the person who asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from db.model.ids import MatchId
from games.core import ActionError


class HostError(ValueError):
    """A refusal: nothing was changed. The message is a sentence for the person.

    `rule` is the number of the game's rule that forbids it, if there is one.
    """

    rule: str | None = None


class NotFound(HostError):
    """There is no such match, game or player."""


class NotSeated(HostError):
    """Only somebody who sits at this table may do that."""


class Stale(HostError):
    """The request was made from an outdated position."""


class WrongTime(HostError):
    """The match is at another stage: that needs a lobby, a running match, or a finished one."""


NOT_OFFERED: Final = "That isn't offered here."


class NotAllowed(HostError):
    """This person may not do that here."""


class Busy(HostError):
    """Long work for this person is still under way, so no more of it is started."""


class KeptApart(HostError):
    """Somebody on this person's list sits at the table, so they are asked whether to join anyway.

    `seat` is the seat that they would ask for in a match that runs.
    """

    def __init__(self, match_id: MatchId, seat: int | None = None) -> None:
        super().__init__("Somebody on your list (`/settings me`) is at this table.")
        self.match_id = match_id
        self.seat = seat


class TooSoon(HostError):
    """Somebody has used up their allowance, or is barred.

    `again`: the moment from which they can do it again. `what`: the verb for the sentence "You can … again".
    """

    def __init__(self, sentence: str, again: datetime, what: str = "do this") -> None:
        super().__init__(sentence)
        self.again = again
        self.what = what


class Refused(HostError):
    """The rules of the game forbid it. The message begins with the number of the rule (``S7: …``), if there is one."""

    def __init__(self, sentence: str, rule: str | None = None) -> None:
        super().__init__(sentence)
        self.rule = rule


@contextmanager
def by_the_rules() -> Iterator[None]:
    """In this block, raise Refused for an action that the rules of the game don't know, or forbid."""
    try:
        yield
    except ActionError as error:
        raise Refused(str(error), error.rule) from error


class Frozen(HostError):
    """The log of the match doesn't replay with this version of the program, so the match stands still."""


class Pruned(HostError):
    """The lines of this finished match were deleted after some time, so they can't be shown."""

    def __init__(self, match_id: MatchId) -> None:
        super().__init__(
            f"The moves of match {match_id} have been deleted, because it ended long ago. "
            "Its result is still in **Finished matches** under `/match`."
        )


class Unavailable(HostError):
    """Something that this needs has failed: the store is locked, full or unreadable, or worker processes were killed.

    Nothing was changed; the cause says why, for the operator. `since`: when the store first failed.
    """

    def __init__(self, sentence: str, since: datetime | None = None) -> None:
        super().__init__(sentence)
        self.since = since
