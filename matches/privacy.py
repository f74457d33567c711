"""What is kept about a person, and forgetting it (P20)."""

from __future__ import annotations

from typing import Final

from db import applications, people
from db.people import NOBODY
from matches.absence import end_when_deserted
from matches.computers import Level
from matches.desk import Desk
from matches.lobby import stand_up
from matches.play import hand_over
from matches.records import Kind, Match, Status
from matches.sitting import Sitting

AT_ONCE: Final = 100
"""In so many finished matches a person is forgotten at a time, so that nobody waits for who has played thousands."""


class Privacy(Desk):
    """The part of the host that forgets."""

    async def matches_kept(self, user_id: int) -> tuple[int, ...]:
        """The numbers of all matches that name this person."""
        async with self._reading() as connection:
            return tuple(await people.matches_with(connection, user_id))

    async def forget(self, user_id: int) -> tuple[Match, ...]:
        """Forget a person: lobbies are left, running matches go on by computer, old ones name "Player 3" instead.

        Settings, votes and applications go. The matches that were changed while they were open. Can be repeated when
        it was cut short.
        """
        async with self._reading() as connection:
            numbers = await people.matches_with(connection, user_id, ended=False)
            inviting = await people.inviting(connection, user_id, Status.LOBBY)
        changed = []
        for number in sorted({*numbers, *inviting}):
            async with self._sitting(number) as sitting:
                if sitting.match.status in (Status.LOBBY, Status.RUNNING, Status.FROZEN):
                    await _leave(sitting, user_id)
                    changed.append(sitting)
        async with self._transaction() as connection:
            await people.forget(connection, user_id)
        more = True
        while more:
            async with self._transaction() as connection:
                more = await people.erase(connection, user_id, AT_ONCE)
        return tuple(sitting.match for sitting in changed)


async def _leave(sitting: Sitting, user_id: int) -> None:
    """The person goes from a match that is not over."""
    match = sitting.match
    seat = match.seat_of(user_id)
    if user_id in match.invited:
        sitting.set(invited=tuple(each for each in match.invited if each != user_id))
    if match.status is Status.LOBBY:
        if seat is not None or match.host_id == user_id:
            await stand_up(sitting, user_id)
    else:
        await _erase(sitting, user_id)
    if sitting.match.status is not Status.CANCELLED and sitting.match.ended_by is None:
        await sitting.tell(Kind.LOBBY)


async def _erase(sitting: Sitting, user_id: int) -> None:
    """In a match that has begun, a computer called "Player 3" has the person's seat."""
    match = sitting.match
    for application in match.applications:
        if user_id in application.agreed:
            left = [each for each in application.agreed if each != user_id]
            await applications.agree(sitting.connection, match.id, application.user_id, left)
    if user_id in match.rung:
        sitting.set(rung=tuple(each for each in match.rung if each != user_id))
    seat = match.seat_of(user_id)
    if seat is not None:
        sitting.bear_witness(seat)
        replays = sitting.course is not None
        name = f"Player {1 + (seat.seat or 0)}"
        computer = seat.computer if replays else Level.NORMAL
        gone = await sitting.set_seat(seat, user_id=None, name=name, resigned=True, computer=computer)
        if gone.computer is None:
            await hand_over(sitting, gone)
        if not sitting.match.present and replays:
            end_when_deserted(sitting)
    if sitting.match.host_id == user_id:
        heirs = sitting.match.present
        sitting.set(host_id=(heirs[0].user_id or NOBODY) if heirs else NOBODY)
