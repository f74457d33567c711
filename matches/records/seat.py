"""A place at the table, and what is known about whoever has it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from db.model.enums import Dm, Ping
from db.model.rows import DEFAULTS, PersonRow, PlayerSettings, SeatRow


@dataclass(frozen=True, kw_only=True)
class Known(PersonRow):
    """What is known about a person at a table: what goes with whoever sits there.

    `settings` are the person's own. `dm` is `CLOSED` also where they, or the server, want what is private `by_button`.
    """

    settings: PlayerSettings = DEFAULTS
    by_button: bool = False


NOTHING_KNOWN: Final = Known()


@dataclass(frozen=True, kw_only=True)
class Seat(SeatRow, Known):
    """A place at the table, as it is stored, with what is known about its person.

    `entered`: the match began with a person there, whom the ratings of its server know.
    """

    entered: bool = False

    @property
    def present(self) -> bool:
        """Whether a person plays this seat now."""
        return self.user_id is not None and self.computer is None and not self.resigned

    @property
    def left(self) -> bool:
        """Whether the person whose seat it is has left it, for good or to a computer."""
        return self.resigned or (self.user_id is not None and self.computer is not None)

    def is_away(self, now: datetime) -> bool:
        """Whether the person has said that they are away until later."""
        return self.away_until is not None and self.away_until > now

    @property
    def rings_by_dm(self) -> bool:
        """Whether a turn rings the person by a direct message, which must be open for that (P26, P32)."""
        return self.settings.ping in (Ping.DM, Ping.BOTH) and self.dm is Dm.OPEN

    @property
    def rings_in_place(self) -> bool:
        """Whether a turn mentions the person where the match is played; whose DMs are closed is reached there."""
        return self.settings.ping is not Ping.NONE and not (self.settings.ping is Ping.DM and self.rings_by_dm)
