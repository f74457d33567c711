"""A part of the host, and how a decision about a table becomes one of its methods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from types import MappingProxyType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from db.model.ids import MatchId, UserId
from matches.records.match import Match
from matches.records.requests import Once, Person
from matches.records.seen import Done
from matches.table.value import Table
from matches.work.unit_of_work import UnitOfWork

C = TypeVar("C", bound=Hashable)
P = ParamSpec("P")


@dataclass(eq=False)
class Chore(Generic[C]):
    """What a part does in the background, in short steps. The scheduler claims each step anew.

    `due` returns at most so many things to do, and `go_on` does a step for one. If that is something that people must
    be able to answer (`for_people`), `due` is also told where they can: on which shards, and not on which servers.
    `wake` has the scheduler look at once, and not only at its next tick.
    """

    name: str
    due: Callable[..., Awaitable[Sequence[C]]]
    go_on: Callable[[C], Awaitable[None]]
    for_people: bool = False
    wake: Callable[[], None] = lambda: None


class Part:
    """A part of the host: it shares the unit of work with the others, and nothing else."""

    chores: tuple[Chore[Any], ...] = ()
    """What it does in the background."""

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work


class FeaturePart(Part):
    """The part of the host that a feature has."""

    counted: Mapping[str, Counter[str]] = MappingProxyType({})
    """What it counts in this process, by the name of the measurement."""

    async def forget(self, user_id: UserId) -> None:
        """End what involves others, before all that is kept of this person is deleted. Raises Unavailable."""

    async def done_for(self, match_id: MatchId, user_id: UserId) -> Done | None:
        """Return what the feature has done for this person since they last acted by hand, ``None`` for nothing."""
        return None

    async def learnt(self, user_id: UserId) -> dict[str, datetime]:
        """Return, by game, when this person had learnt it here."""
        return {}

    async def strength(self, guild_id: int, game: str, user_id: UserId) -> int | None:
        """Return how good this person is at a game on a server, as they may know it; ``None`` if that isn't known."""
        return None

    async def meant(self, user_id: UserId, game: str) -> str:
        """Return what somebody may mean who has no match of this game, as a sentence; empty for nothing."""
        return ""


def deed(
    decision: Callable[Concatenate[Table, P], Table], *, may_sit: bool = False
) -> Callable[Concatenate[Part, MatchId | Once, P], Coroutine[Any, Any, Match]]:
    """Make a decision ``(table, …) -> table`` a method ``(match_id, …) -> match``, which stores the result.

    `may_sit`: the person whom it names first may sit down or leave by it, so what the store knows about them is loaded,
    too. The method raises NotFound, Frozen, Unavailable, and what the decision raises. Its documentation is the
    decision's.
    """

    @wraps(decision)
    async def method(part: Part, match_id: MatchId | Once, /, *args: P.args, **kwargs: P.kwargs) -> Match:
        first: Any = args[0] if may_sit else None
        people = (first.user_id if isinstance(first, Person) else first,) if may_sit else ()
        effect = await part._work.change(match_id, lambda table: decision(table, *args, **kwargs), people=people)
        return effect.match

    return method
