"""A match as it stands, without the position (that is `View`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from db.ids import UserId
from db.rows import Application, Ballot, MatchRow
from db.words import Status
from games import GAMES
from games.core import GameInfo
from games.log import Header
from matches.errors import Frozen, NotSeated, WrongTime
from matches.seat import Seat

NOT_PLAYING: Final = "You're not playing in this match."


@dataclass(frozen=True, kw_only=True)
class Match(MatchRow):
    """A match as it stands, as it is stored, with what belongs to it.

    `seed` is there only once the match is over or cancelled. `seats` stand by position in the lobby and by seat once
    the match runs. `ballots` are the votes cast and not yet decided, `applications` who would like to take a seat.
    """

    seed: bytes | None = None
    seats: tuple[Seat, ...] = ()
    ballots: tuple[Ballot, ...] = ()
    applications: tuple[Application, ...] = ()

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats that their persons play now."""
        return tuple(seat for seat in self.seats if seat.present)

    @property
    def of_computers(self) -> bool:
        """Whether no person has a seat: there is only somebody who watches."""
        return all(seat.user_id is None for seat in self.seats)

    @property
    def mover(self) -> Seat | None:
        """The seat on turn, ``None`` unless the match runs."""
        return next((seat for seat in self.seats if self.to_move is not None and seat.seat == self.to_move), None)

    @property
    def voters(self) -> tuple[Seat, ...]:
        """Who decides about somebody whose time is up: the other persons who play."""
        return tuple(seat for seat in self.present if seat.seat != self.to_move)

    @property
    def place_id(self) -> int:
        """The thread or channel where the board stands."""
        return self.thread_id or self.channel_id

    @property
    def people(self) -> tuple[str, ...]:
        """The names, in the order of `seats`: by seat once the match runs."""
        return tuple(seat.name for seat in self.seats)

    @property
    def info(self) -> GameInfo:
        """What is true of this game in every match."""
        return GAMES[self.game].info

    @property
    def header(self) -> Header:
        """The first line of the match's log."""
        return Header(self.game, len(self.seats), self.options, self.rules_version)

    def seat_of(self, user_id: UserId | None) -> Seat | None:
        """The seat that belongs to this person, resigned or not."""
        return next((seat for seat in self.seats if user_id is not None and seat.user_id == user_id), None)

    def own_seat(self, user_id: UserId) -> Seat:
        """This person's seat, which they have not given up. Raises NotSeated."""
        seat = self.seat_of(user_id)
        if seat is None:
            raise NotSeated(NOT_PLAYING)
        if seat.resigned:
            raise NotSeated("You have resigned from this match.")
        return seat

    def seat_to_leave(self, user_id: UserId) -> Seat:
        """The seat that this person plays in a match that runs (P15).

        Raises WrongTime (also for who has left already), Frozen, NotSeated.
        """
        self.check_running()
        seat = self.own_seat(user_id)
        if seat.computer is not None:
            raise WrongTime("You've already left; a computer is playing your seat.")
        return seat

    def check_running(self) -> None:
        """Raises WrongTime before the start and after the end, and Frozen."""
        match self.status:
            case Status.LOBBY:
                raise WrongTime("This match hasn't started yet.")
            case Status.OVER | Status.CANCELLED:
                raise WrongTime("This match is over.")
            case Status.FROZEN:
                raise Frozen(self.reason or "This match is frozen.")

    def waits_for(self, user_id: UserId) -> bool:
        """Whether this person is on turn (and plays the seat themselves)."""
        return self.mover is not None and self.mover.present and self.mover.user_id == user_id
