"""A seat at a table, and what is known about its person."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from db.model.enums import Dm, Ping
from db.model.rows import SeatRow
from db.model.setting_rows import DEFAULTS, PersonRow, PlayerSettings
from games.core import Refusal
from matches.errors import HostError


@dataclass(frozen=True, kw_only=True)
class Known(PersonRow):
    """What is known about a person at a table. It changes with the seat's person.

    `settings` are the person's own. `dm` is also `CLOSED` if they or the server want private things `by_button`.
    """

    settings: PlayerSettings = DEFAULTS
    by_button: bool = False


NOTHING_KNOWN: Final = Known()


@dataclass(frozen=True, kw_only=True)
class Seat(SeatRow, Known):
    """A seat as it is stored, with what is known about its person.

    `entered`: a person began the match here, and has a key in the server's ratings. `beside`: the names of everybody at
    its table, its own among them, by which texts tell equal names apart. `Match` sets it.
    """

    entered: bool = False
    beside: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @property
    def present(self) -> bool:
        """Whether a person plays this seat now."""
        return self.user_id is not None and self.computer is None and not self.resigned

    @property
    def left(self) -> bool:
        """Whether the seat's person has left it, for good or to a computer."""
        return self.resigned or (self.user_id is not None and self.computer is not None)

    def is_away(self, now: datetime) -> bool:
        """Whether the person has said that they are away until later."""
        return self.away_until is not None and self.away_until > now

    @property
    def rings_by_dm(self) -> bool:
        """Whether the person is pinged by direct message when it's their turn. Their DMs must be open (P26, P32)."""
        return self.settings.ping in (Ping.DM, Ping.BOTH) and self.dm is Dm.OPEN

    @property
    def rings_in_place(self) -> bool:
        """Whether the person is mentioned in the match's place when it's their turn, perhaps instead of a DM."""
        return self.settings.ping is not Ping.NONE and not (self.settings.ping is Ping.DM and self.rings_by_dm)


class NotYourTurn(HostError):
    """It's the turn of `mover`. The sentence doesn't name them, because names must be escaped where they are shown."""

    def __init__(self, refusal: Refusal, mover: Seat | None = None) -> None:
        super().__init__(refusal)
        self.rule = refusal.rule
        self.mover = mover
