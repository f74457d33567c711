"""Forget a person at a table that is still open (P20).

`matches/host/privacy.py` calls this, and `cogs/commands/privacy.py` calls that.
"""

from __future__ import annotations

from db.model.enums import Kind, Status
from db.model.ids import UserId
from db.people.people import NOBODY
from matches.computers.levels import Level
from matches.table.events import Left
from matches.table.lobby import stand_up
from matches.table.play import end_when_deserted, hand_over
from matches.table.value import Table


def forget(table: Table, user_id: UserId) -> Table:
    """Take the person off the table: they leave a lobby, and in a match a computer plays on."""
    match = table.match
    if match.status not in (Status.LOBBY, Status.RUNNING, Status.FROZEN):
        return table
    if user_id in table.details.invited:
        table = table.set(invited=tuple(each for each in table.details.invited if each != user_id))
    if match.status is not Status.LOBBY:
        table = _erased(table, user_id)
    elif match.at_table(user_id) is not None or match.host_id == user_id:
        table = stand_up(table.with_event(Left(user_id)), user_id)
        if table.match.host_id == user_id:
            table = table.set(host_id=NOBODY)
    return table if table.match.ended_by is not None else table.telling(Kind.LOBBY)


def _erased(table: Table, user_id: UserId) -> Table:
    """Erase the person from a match that has started. A computer called "Player 3" gets their seat."""
    match = table.match
    wanted = (
        each._replace(
            agreed=tuple(other for other in each.agreed if other != user_id),
            declined=tuple(other for other in each.declined if other != user_id),
        )
        for each in match.applications
    )
    table = table.set(
        applications=tuple(each for each in wanted if each.user_id != user_id),
        ballots=tuple(ballot for ballot in match.ballots if ballot.user_id != user_id),
        rung=tuple(each for each in table.hidden.rung if each != user_id),
    )
    seat = match.seat_of(user_id)
    if seat is not None:
        replays = table.course is not None
        table = table.with_witness(seat).empty_seat(seat.position, f"Player {1 + (seat.seat or 0)}")
        if not replays:
            table = table.set_seat(seat.position, computer=Level.NORMAL)
        elif seat.computer is None:
            table = hand_over(table, seat)
        if replays:
            table = end_when_deserted(table)
    if table.match.host_id == user_id:
        heirs = table.match.present
        table = table.set(host_id=(heirs[0].user_id or NOBODY) if heirs else NOBODY)
    return table
