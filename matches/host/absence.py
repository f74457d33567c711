"""Host.absence: people who are away, who leave, and who take over a seat (P14-P17).

The commands are in `cogs/commands/absence.py`, the decisions in `matches/table/absence.py`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from db import Connection
from db.matches import queries
from db.model.enums import Status
from db.model.ids import UserId
from db.people import settings
from matches.engine.sweep import sweep
from matches.records.match import Match
from matches.table import absence, cut_off
from matches.work.part import Part, deed
from matches.work.unit_of_work import Effect

_MANY: Final = 1000


class Absence(Part):
    """People's absence: being away, leaving the server, and asking for somebody's seat."""

    note_look = deed(cut_off.looked)
    apply = deed(absence.apply, may_sit=True)
    agree = deed(absence.agree)

    async def away(self, user_id: UserId, until: datetime | None) -> tuple[Match, ...]:
        """Stop this person's clocks until then, or let them run again (``None``). Returns the matches told (P16).

        A turn that has begun keeps the rest of its time. `Match.away_left` limits how long its clock can stand still.
        If a person comes back who isn't away, no match is told. Raises TooSoon, Unavailable.
        """

        def work(connection: Connection) -> list[Effect]:
            before = settings.known(connection, (user_id,)).get(user_id, settings.UNKNOWN_PERSON).person.away_until
            settings.note(connection, user_id, away_until=until)
            if until is None and before is None:
                return []
            numbers = queries.open_of(connection, user_id, (Status.RUNNING,), _MANY)
            effects = (
                self._work.change_within(connection, number, lambda table: absence.away(table, user_id, until))
                for number in numbers
            )
            return [effect for effect in effects if effect.owed]

        effects = await self._work.write(work)
        self._work.announce(*effects)
        matches = tuple(effect.match for effect in effects)
        # People who are away aren't counted, so this may decide a question. That needs the position.
        voting = [match.id for match in matches if match.ballots or match.applications]
        await sweep("match", voting, lambda number: self._work.change(number, lambda table: table))
        return matches
