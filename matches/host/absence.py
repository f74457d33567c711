"""Host.absence: people who are away, who leave, and who take over a seat (P14-P17).

The commands are in `cogs/commands/absence.py`, the decisions in `matches/table/absence.py`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from db import Connection
from db.matches import queries
from db.model.enums import Status
from db.model.ids import MatchId, UserId
from db.people import settings
from matches.engine.sweep import sweep
from matches.host.unit_of_work import Done, UnitOfWork
from matches.records.match import Match
from matches.records.requests import Person
from matches.table import absence
from matches.table.value import Table

_MANY: Final = 1000


class Absence:
    """Who is away or gone, and who would like their seat."""

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work

    async def away(self, user_id: UserId, until: datetime | None) -> tuple[Match, ...]:
        """Stop this person's clocks until then, or let them run again (``None``); the matches that are told so (P16).

        A turn that has begun keeps the time that was left of it. How long it can stand still says `Match.away_left`.
        Whoever has said nothing, or is back, can't come back: then nobody is told. Raises TooSoon, Unavailable.
        """

        def work(connection: Connection) -> list[Done]:
            before = settings.known(connection, (user_id,)).get(user_id, settings.UNKNOWN_PERSON).person.away_until
            settings.set_away(connection, user_id, until)
            if until is None and before is None:
                return []
            numbers = queries.open_of(connection, user_id, (Status.RUNNING,), _MANY)
            told = (
                self._work.changed(connection, number, lambda table: absence.away(table, user_id, until))
                for number in numbers
            )
            return [done for done in told if done.owed]

        concerned = await self._work.write(work)
        for done in concerned:
            self._work.ring(done)
        # Who is away is not counted: a question may be decided by that, which takes the position.
        voting = [
            done.table.match.id for done in concerned if done.table.match.ballots or done.table.match.applications
        ]
        await sweep("match", voting, lambda number: self._work.change(number, lambda table: table))
        return tuple(done.table.match for done in concerned)

    async def note_gone(self, match_id: MatchId, user_id: UserId) -> None:
        """This person has left the server, as `table.absence.gone` says. Raises NotFound, Frozen, Unavailable."""
        await self._work.change(match_id, lambda table: absence.gone(table, user_id))

    async def apply(self, match_id: MatchId, person: Person, name: str | None = None, *, anyway: bool = False) -> Match:
        """Ask the table for a seat that the computer plays, as `table.absence.apply` says."""
        return await self._work.change(
            match_id, lambda table: absence.apply(table, person, name, anyway=anyway), people=(person.user_id,)
        )

    async def agree(
        self, match_id: MatchId, by: UserId, applicant: UserId, *, yes: bool = True, number: int | None = None
    ) -> Match:
        """Somebody at the table agrees to an application, or not, as `table.absence.agree` says."""

        def decide(table: Table) -> Table:
            return absence.agree(table, by, applicant, yes=yes, number=number)

        return await self._work.change(match_id, decide, people=(applicant,))
