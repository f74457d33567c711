"""What the table decides together: about somebody whose time is up (P13), and whether a match goes on at all (P18)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from db import settings
from db.settings import Cancellers
from matches.desk import Desk
from matches.errors import NotAllowed, WrongTime
from matches.play import hand_over
from matches.records import Due, Ended, Kind, Match, Pace, Status, Vote
from matches.sitting import Sitting

NO_PACE_PATIENCE: Final = timedelta(days=7)


class Votes(Desk):
    """The part of the host that counts votes."""

    async def remind(self, match_id: int, user_id: int) -> Match:
        """Somebody at the table has the person on turn reminded; that happens once a turn, by people or by the clock.

        Raises WrongTime (nobody to remind, or done before), NotSeated, Frozen.
        """
        async with self._sitting(match_id) as sitting:
            sitting.running()
            sitting.seated(user_id)
            if sitting.match.mover is None or not sitting.match.mover.present:
                raise WrongTime("A computer is on turn: there is nobody to remind.")
            if sitting.match.reminded:
                raise WrongTime("The player on turn has been reminded already.")
            await sitting.remind()
        return sitting.match

    async def cancel(self, match_id: int, by: int, moderator: bool = False) -> Match:
        """Cancel a lobby (host, moderators) or end a match.

        A match is ended by moderators, by its host where the server lets hosts do so or computers play alone, else
        by more than half of those who play. While the vote is open the status is unchanged and `Match.ballots` tells
        who has voted. Raises WrongTime once it is over, NotAllowed, NotSeated.
        """
        async with self._sitting(match_id) as sitting:
            match = sitting.match
            if match.status in (Status.OVER, Status.CANCELLED):
                raise WrongTime("This match is over.")
            if match.status is Status.LOBBY:
                if not moderator and by != match.host_id:
                    raise NotAllowed("Only the host of this table or a moderator may cancel it.")
                sitting.end(Ended.MODERATOR if moderator and by != match.host_id else Ended.HOST)
            elif moderator:
                _end(sitting, Ended.MODERATOR)
            elif by == match.host_id and (match.of_computers or await _hosts_may(sitting)):
                _end(sitting, Ended.HOST)
            else:
                await _vote_to_cancel(sitting, by)
        return sitting.match

    async def vote(self, match_id: int, user_id: int, choice: Vote, *, ply: int | None = None) -> Match:
        """What to do about the person on turn, whose time is up: WAIT, COMPUTER or END.

        More than half of the other persons decide; once the table was asked a second time each of them alone. `ply` is
        that of the question: one about an earlier turn is closed. Raises WrongTime while nobody's time is up,
        NotSeated, NotAllowed (the person themselves; CANCEL), Frozen.
        """
        async with self._sitting(match_id) as sitting:
            sitting.running()
            seat = sitting.seated(user_id)
            match = sitting.match
            if choice is Vote.CANCEL:
                raise NotAllowed("That is a question of its own.")
            asked = _asked(match, sitting.now)
            of_earlier = ply is not None and ply < match.turn_ply
            if not asked or of_earlier or match.mover is None or not match.mover.present:
                raise WrongTime("There is nothing to decide: nobody's time is up.")
            if seat not in match.voters:
                raise NotAllowed("The others decide about this.")
            first = not any(ballot.vote is not Vote.CANCEL for ballot in match.ballots)
            if match.pace is Pace.NONE and first:
                await sitting.tell_vote()
            await sitting.cast(user_id, choice)
            if asked > 1 or _has_majority(sitting.match, choice):
                await _carry_out(sitting, choice)
        return sitting.match


def _asked(match: Match, now: datetime) -> int:
    """How many times the table has been asked about this turn, 0 while no question is open.

    Without a pace anyone may ask after a week, and again a week after the table has decided to wait.
    """
    if match.pace is not Pace.NONE or match.turn_at is None:
        return match.asked if match.asking else 0
    away = None if match.mover is None else match.mover.away_until
    since = match.turn_at if away is None else max(match.turn_at, away)
    weeks = (now - since) // NO_PACE_PATIENCE
    return match.asked + weeks if weeks > 0 or match.asking else 0


def _has_majority(match: Match, choice: Vote) -> bool:
    """Whether more than half of those who may decide want this."""
    entitled = match.present if choice is Vote.CANCEL else match.voters
    people = {seat.user_id for seat in entitled}
    return 2 * sum(ballot.vote is choice and ballot.user_id in people for ballot in match.ballots) > len(people)


async def _carry_out(sitting: Sitting, choice: Vote) -> None:
    mover = sitting.match.mover
    if choice is Vote.END:
        _end(sitting, Ended.VOTE)
    elif choice is Vote.COMPUTER and mover is not None:
        await hand_over(sitting, mover)
    else:
        await sitting.forget_ballots()
        sitting.set(asking=False)
        turn = sitting.match.pace.turn
        if turn is not None:
            sitting.set(turn_due=sitting.now + turn)
            await sitting.set_deadlines({Due.OVERDUE: sitting.now + turn})
        else:
            sitting.set(asked=sitting.match.asked + 1, turn_at=sitting.now)


async def _vote_to_cancel(sitting: Sitting, by: int) -> None:
    seat = sitting.seated(by)
    if sitting.match.status is Status.FROZEN:
        sitting.end(Ended.VOTE)
        return
    if not seat.present:
        raise NotAllowed("The computer plays your seat: take it back first.")
    first = not any(ballot.vote is Vote.CANCEL for ballot in sitting.match.ballots)
    await sitting.cast(by, Vote.CANCEL)
    if _has_majority(sitting.match, Vote.CANCEL):
        _end(sitting, Ended.VOTE)
    elif first:
        await sitting.tell(Kind.VOTE)


async def _hosts_may(sitting: Sitting) -> bool:
    """Whether the server lets hosts end their matches."""
    guild_id = sitting.match.guild_id
    if guild_id is None:
        return False
    return (await settings.guild_settings(sitting.connection, guild_id)).who_cancels is Cancellers.HOSTS


def _end(sitting: Sitting, how: Ended) -> None:
    """The match ends without a winner; its log says so, unless that cannot be replayed."""
    if sitting.course is not None:
        sitting.note(f"end {how}")
    sitting.end(how)
