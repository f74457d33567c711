"""A match without its position (`View` has that).

The commands are in `cogs/commands/match.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final

from db.model.enums import Status, Vote, Where
from db.model.ids import UserId
from db.model.rows import Application, Ballot, MatchRow
from games import GAMES
from games.core import GameInfo
from games.log import Header
from matches.engine.fair_queue import Rank
from matches.errors import Frozen, NotSeated, WrongTime
from matches.records.seat import Seat

NOT_PLAYING: Final = "You're not playing in this match."


@dataclass(frozen=True, kw_only=True)
class Match(MatchRow):
    """A match as it is stored now, with its seats, votes and applications.

    `everybody` are the seats, and before the start also the places in line: by position in the lobby, and by seat once
    the match runs. `ballots` are the votes on open questions, `applications` the open requests for a seat. `one_board`:
    its server wants one board a match, which is edited. `shown` is what features keep of it, by their keys.
    """

    everybody: tuple[Seat, ...] = ()
    ballots: tuple[Ballot, ...] = ()
    applications: tuple[Application, ...] = ()
    one_board: bool = False
    shown: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Tell each seat the names at its table."""
        beside = tuple(seat.name for seat in self.everybody)
        if any(seat.beside != beside for seat in self.everybody):
            named = tuple(replace(seat, beside=beside) for seat in self.everybody)
            object.__setattr__(self, "everybody", named)

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that are taken."""
        return tuple(seat for seat in self.everybody if not seat.waits)

    @cached_property
    def line(self) -> tuple[Seat, ...]:
        """The people who wait for a seat at an appointed table, the next one first."""
        return tuple(seat for seat in self.everybody if seat.waits)

    @property
    def is_branched(self) -> bool:
        """Whether it is played on from another match."""
        return self.branch_seat is not None

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats that their persons play now."""
        return tuple(seat for seat in self.seats if seat.present)

    @property
    def of_computers(self) -> bool:
        """Whether no person has a seat, so that only computers play."""
        return all(seat.user_id is None for seat in self.seats)

    @property
    def rank(self) -> Rank:
        """The rank of work for the whole table."""
        return Rank.WATCHED if self.of_computers else Rank.TABLE

    @property
    def mover(self) -> Seat | None:
        """The seat to move, ``None`` unless the match runs."""
        return next((seat for seat in self.seats if self.to_move is not None and seat.seat == self.to_move), None)

    @property
    def voters(self) -> tuple[Seat, ...]:
        """The seats that vote about a player whose time is up: those of the other people who play."""
        return tuple(seat for seat in self.present if seat.seat != self.to_move)

    def electorate(self, choice: Vote, now: datetime) -> frozenset[UserId]:
        """Return the people of whom more than half must agree.

        For a question about the player to move these are the others, for one about the match everybody. People who are
        away are left out unless they vote, so that the rest can decide. About the match they count as long as they have
        away time left, so that nobody ends it behind their back.
        """
        cancels = choice is Vote.CANCEL
        voted = {ballot.user_id for ballot in self.ballots if ballot.vote.question == choice.question}
        entitled = self.present if cancels else self.voters
        counted = (
            seat.user_id
            for seat in entitled
            if seat.user_id in voted or not seat.is_away(now) or (cancels and self.away_left(seat, now) > timedelta(0))
        )
        return frozenset(user_id for user_id in counted if user_id is not None)

    def away_left(self, seat: Seat, now: datetime) -> timedelta:
        """How long the clock of this seat may still pause because its person is away (P16)."""
        left = self.pace.away - seat.away_used
        if self.stands_until is None or seat.seat != self.to_move:
            return left
        return left + max(timedelta(0), self.stands_until - now)

    @property
    def is_pruned(self) -> bool:
        """Whether retention has deleted its lines."""
        return self.log_sum is not None

    @property
    def place_id(self) -> int:
        """The thread or channel where the board is posted. A lobby is in its channel, even if its thread exists."""
        return self.channel_id if self.status is Status.LOBBY else self.thread_id or self.channel_id

    @property
    def owes_thread(self) -> bool:
        """Whether the lobby's thread must be made: somebody has joined a table that will be played in one (P3)."""
        wanted = self.where is Where.THREAD and not self.in_thread and self.guild_id is not None
        posted = self.lobby_message_id is not None and self.thread_id is None
        return wanted and posted and self.status is Status.LOBBY and len(self.present) >= 2

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The names, in the order of `seats`: by seat once the match runs."""
        return tuple(seat.name for seat in self.seats)

    @property
    def info(self) -> GameInfo:
        """The info of the match's game."""
        return GAMES[self.game].info

    @property
    def has_room(self) -> bool:
        """Whether somebody can sit down before the start."""
        return len(self.seats) < (self.size or self.info.max_players)

    @property
    def missing(self) -> int:
        """How many players it still needs: up to the number that its host has chosen, otherwise to the game's least."""
        return max(0, (self.size or self.info.min_players) - len(self.seats))

    def players_with(self, joining: int) -> int:
        """Return how many players it will have at least, when `joining` more have joined."""
        return max(len(self.seats) + joining, self.size or self.info.min_players)

    @property
    def header(self) -> Header:
        """The first line of the match's log."""
        # The lobby of a match that is played on from another one has lines already, for `size` players.
        waits = self.status is Status.LOBBY and self.is_branched
        players = self.size if waits and self.size is not None else len(self.seats)
        return Header(self.game, players, self.options, self.rules_version)

    def seat_of(self, user_id: UserId | None) -> Seat | None:
        """The seat that belongs to this person, resigned or not."""
        return next((seat for seat in self.seats if user_id is not None and seat.user_id == user_id), None)

    def at_table(self, user_id: UserId | None) -> Seat | None:
        """The seat that belongs to this person, or before the start perhaps their place in line."""
        return next((seat for seat in self.everybody if user_id is not None and seat.user_id == user_id), None)

    def own_seat(self, user_id: UserId) -> Seat:
        """Return the seat of this person, who hasn't resigned. Raises NotSeated."""
        seat = self.seat_of(user_id)
        if seat is None:
            raise NotSeated(NOT_PLAYING)
        if seat.resigned:
            raise NotSeated("You've resigned from this match.")
        return seat

    def seat_to_leave(self, user_id: UserId) -> Seat:
        """Return the seat that this person plays in a running match (P15).

        Raises WrongTime (also if they have left already), Frozen, NotSeated.
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
        """Whether it's this person's turn, and they play the seat themselves."""
        return self.mover is not None and self.mover.present and self.mover.user_id == user_id
