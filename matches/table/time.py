"""What happens at a table by itself when its time has come (P1, P13)."""

from __future__ import annotations

from db.words import Due, Ended, Status
from games.core import Stage
from matches.table.value import Table
from matches.table.votes import asked_about_mover, reminded


def happen(table: Table, what: Due) -> Table:
    """A moment has come that the match was waiting for."""
    match = table.match
    if what is Due.LOBBY:
        return table.ended(Ended.EXPIRED)
    if match.status is not Status.RUNNING or match.mover is None or match.lost is not None:
        return table
    if what is Due.REMIND:
        return reminded(table)
    return _overdue(table) if what is Due.OVERDUE else table


def _overdue(table: Table) -> Table:
    """A pick in a series is taken for who let it pass; about anything else the others are asked, twice at most."""
    state = table.running().state
    default = state.default_action() if state.stage is Stage.SERIES else None
    if default is not None:
        return table.played(state.current_player, default)
    return asked_about_mover(table) if table.match.voters else table
