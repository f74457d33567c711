"""What a feature does at a table. `matches/features.py` lists them; the core knows none of them by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from db.model.enums import Due, Kind
from db.model.ids import Ply, SeatNumber
from games.core import Observation, Suspicion
from matches.errors import HostError
from matches.records.match import Match
from matches.records.replay import Replay
from matches.records.seat import Seat
from matches.records.seen import Offer

T = TypeVar("T")
"""A table."""

U = TypeVar("U")


Missed: TypeAlias = Callable[[int], tuple[datetime, datetime] | None]
"""From when to when people on a server couldn't answer; ``None`` if they could."""


def _unchanged(table: T, *_: Any) -> T:
    return table


class Start(NamedTuple, Generic[T]):
    """How a lobby starts that has an appointed time. It counts apart from others, and people wait in line for a seat.

    Attributes:
        at: its time, when it starts with those who are ready.
        clocks: its deadlines.
        given_back: gives the table time back that its people couldn't press in, from one moment to another.
        refusal: why its host can't start it by hand now, ``None`` if they can.
        missing: what happens to missing seats, as a sentence.
        change: the buttons of what its host can change about that.
    """

    at: datetime
    clocks: Mapping[Due, datetime]
    given_back: Callable[[T, datetime, datetime], T]
    refusal: HostError | None
    missing: str
    change: tuple[Offer, ...]


class Unowned(NamedTuple, Generic[T]):
    """How a lobby starts that nobody has opened: by itself. Its host can't close it, but leave it to the others.

    Attributes:
        at: when it starts (`Due.START`).
        why: how its people came together, as a sentence.
        moved: gives the table more time until then.
    """

    at: datetime
    why: str
    moved: Callable[[T, timedelta], T]


@dataclass(frozen=True, kw_only=True)
class Feature(Generic[T]):
    """A feature: what people can do beside a match, and its hooks. A hook that is left out does nothing.

    Hooks return another table. All of one event run in the order of the list, in the transaction of what caused them.

    Attributes:
        key: its name. What it keeps of a match is `table.kept[key]` (`db/features.py`).
        part: makes its part of the host, of the unit of work and the computers.
        by_hand: somebody is about to move by hand at this seat.
        at_once: lines were written. It makes moves that players have agreed to, which need no time.
        followed: a decision was made, and its consequences are clear but for the news. It takes the table after it,
            and the table before it.
        announced: a decision was made, and it's clear who hears of it, or a lobby was opened. It takes the table after
            it, and the table before it, ``None`` for a new lobby.
        opens: a lobby opens, in which nobody sits yet. It may refuse that.
        start: how this lobby starts, ``None`` for one without an appointed time.
        unowned: the same, ``None`` for one that somebody has opened.
        due: what happens at the deadlines of its own. They wait for as long as somebody can't press.
        answers: whether it will make the present decision for its player, so that nothing rings them.
        lasting: kinds of its news that stay true when the match is over.
        undropped: kinds of its news that wait to be delivered whatever becomes of the match, because more depends on
            them. People get them even if the bot has left the server.
        stored: what it stores besides, in the transaction of a decision, after all else. It takes the connection, the
            table before the decision, and the table after it.
        given_back: people on some servers couldn't answer for a while.
        offers: what it offers in private to whoever has this seat.
        again: what it offers instead of a rematch.
        in_replay: what it offers to the viewer of a replay, after so many lines.
        afterwards: what it offers to everybody when a match is over, or too few people came to a table.
        on_board: what it offers to everybody under a board, which shows this position.
        said: what players have said of each other.
        withdrawn: a bot begins without it, so what it has begun beside matches ends. It takes the connection, and the
            present moment.
        left_out: a bot begins without it, so what it has begun at this table ends. Its people are told by rows of its
            own kinds, which then say `Face.left_out`.
        in_lobby: what it offers to everybody in a lobby.
        for_newcomers: what it offers in the help.
        of_game: what it offers to whoever wants to know a game. The buttons carry the game's key.
    """

    key: str
    part: Callable[[Any, Any], Any] | None = None
    by_hand: Callable[[T, Seat], T] = _unchanged
    at_once: Callable[[T], T] = _unchanged
    followed: Callable[[T, T], T] = _unchanged
    announced: Callable[[T, T | None], T] = _unchanged
    opens: Callable[[T], T] = _unchanged
    start: Callable[[Match], Start[T] | None] = lambda match: None
    unowned: Callable[[Match], Unowned[T] | None] = lambda match: None
    due: Mapping[Due, Callable[[T], T]] = field(default_factory=dict)
    answers: Callable[[T], bool] = lambda table: False
    lasting: frozenset[Kind] = frozenset()
    undropped: frozenset[Kind] = frozenset()
    stored: Callable[[Any, T, T], None] = lambda connection, before, table: None
    given_back: Callable[[Any, Missed], None] = lambda connection, missed: None
    offers: Callable[[Match, SeatNumber | None], tuple[Offer, ...]] = lambda match, seat: ()
    again: Callable[[Match], Offer | None] = lambda match: None
    in_replay: Callable[[Replay, Ply], tuple[Offer, ...]] = lambda replay, ply: ()
    afterwards: Callable[[Match], tuple[Offer, ...]] = lambda match: ()
    on_board: Callable[[Match, Observation], tuple[Offer, ...]] = lambda match, seen: ()
    said: Callable[[Match], tuple[Suspicion, ...]] = lambda match: ()
    withdrawn: Callable[[Any, datetime], None] = lambda connection, now: None
    left_out: Callable[[T], T] = _unchanged
    in_lobby: tuple[Offer, ...] = ()
    for_newcomers: tuple[Offer, ...] = ()
    of_game: tuple[Offer, ...] = ()


def first(found: Iterable[U | None]) -> U | None:
    """Return the first answer of features to a question; ``None`` if none of them has one."""
    return next((each for each in found if each is not None), None)
