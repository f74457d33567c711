"""Questions to the table: about a player whose time is up (P13), and whether a match goes on (P18).

`matches/host/votes.py` stores the answers.
"""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum

from db.model.enums import ABSENCE, Due, Ended, Kind, Pace, Status, Vote
from db.model.ids import Ply, UserId
from matches.errors import NotAllowed, WrongTime
from matches.table import lobby, turn
from matches.table.limits import Deed
from matches.table.play import ended_in_absence, ended_without_winner, excused, hand_over
from matches.table.questions import VOTES, Asks, check_open, opened, question
from matches.table.rating import is_rated
from matches.table.value import NO_PACE_PATIENCE, Table


def remind(table: Table, user_id: UserId) -> Table:
    """Remind the player to move, at somebody's request. That happens once a turn, by people or by the clock.

    Raises WrongTime (nobody else to remind, or already reminded), NotSeated, Frozen.
    """
    table.running()
    table.match.own_seat(user_id)
    if table.match.mover is None or not table.match.mover.present:
        raise WrongTime("It's a computer's turn, so there's nobody to remind.")
    if table.match.mover.user_id == user_id:
        raise WrongTime("It's your own turn, so there's nobody else to remind.")
    if table.details.reminded:
        raise WrongTime("They've already been reminded this turn.")
    return reminded(table.heard_of(user_id).using(Deed.REMIND, user_id))


class Cancelling(StrEnum):
    """What `cancel` does for somebody as the table stands.

    `CLOSE`: the lobby is closed. `LEAVE`: they leave a lobby that nobody has opened, and the others keep it. `END`: the
    match ends at once. `VOTE`: their vote to end it is counted.
    """

    CLOSE = "close"
    LEAVE = "leave"
    END = "end"
    VOTE = "vote"


def cancelling(table: Table, by: UserId, *, moderator: bool = False) -> Cancelling:
    """Return what `cancel` would do now, or raise what it would raise."""
    match = table.match
    if match.status in (Status.OVER, Status.CANCELLED):
        raise WrongTime("This match is over.")
    if match.status is Status.LOBBY:
        if not moderator and by != match.host_id:
            raise NotAllowed("Only the host or a moderator can cancel this table.")
        if table.unowned is not None and by == match.host_id:
            return Cancelling.LEAVE
        return Cancelling.CLOSE
    if (moderator and not _has_stake(table, by)) or _host_may_end(table, by):
        return Cancelling.END
    if match.status is Status.FROZEN:
        match.own_seat(by)
        return Cancelling.END
    table.check_present(by)
    return Cancelling.VOTE


def cancel(
    table: Table,
    by: UserId,
    *,
    moderator: bool = False,
    meant: Cancelling | None = None,
    number: int | None = None,
) -> Table:
    """Cancel a lobby (host, moderators) or end a match. The host of a lobby that nobody has opened leaves it instead.

    Moderators without a seat end a match at once. So does its host if only computers play, or if the server lets hosts
    do so and no rating is at stake. Otherwise more than half of those who play must agree. While the vote is open, the
    status is unchanged and `Match.ballots` has the votes.

    `meant` is what the person confirmed: nothing else is done. `number` is that of the question whose button was
    pressed. Raises WrongTime if it is over, something else would be done or that question is closed, NotAllowed,
    NotSeated, TooSoon.
    """
    check_open(table, Asks.CANCEL, number)
    match, what = table.match, cancelling(table, by, moderator=moderator)
    if meant is not None and what is not meant:
        raise WrongTime("The table has changed since I asked you. Please press **End …** again.")
    if what is Cancelling.LEAVE:
        return lobby.leave(table, by)
    if what is Cancelling.CLOSE:
        return table.ended(Ended.MODERATOR if moderator and by != match.host_id else Ended.HOST)
    if what is Cancelling.VOTE:
        return _vote_to_cancel(table, by)
    if moderator and not _has_stake(table, by):
        return ended_without_winner(table, Ended.MODERATOR)
    return ended_without_winner(table, Ended.HOST) if _host_may_end(table, by) else table.ended(Ended.VOTE)


def _has_stake(table: Table, by: UserId) -> bool:
    """Whether the person has an interest in the match's end: they have or had a seat."""
    return table.match.seat_of(by) is not None or table.has_seen(by)


def refuse(table: Table, by: UserId, asks: Asks, number: int) -> Table:
    """Vote No on the question about the match with this number.

    Raises WrongTime if that question is closed, NotSeated, NotAllowed, Frozen.
    """
    table.running()
    table.check_present(by)
    check_open(table, asks, number)
    return table.with_ballot(by, VOTES[asks][1]).heard_of(by)


def _host_may_end(table: Table, by: UserId) -> bool:
    match = table.match
    at_stake = is_rated(match) and not table.unrated
    return by == match.host_id and (match.of_computers or (table.hosts_may_end and not at_stake))


def vote(table: Table, user_id: UserId, choice: Vote, *, ply: Ply | None = None, number: int | None = None) -> Table:
    """Vote on what to do about the player to move, whose time is up: WAIT, COMPUTER or END.

    More than half of the other people decide. Those who are away count only if they vote. Once the table was asked a
    second time, each of them can decide alone, but one person alone can extend the wait only once. `ply` is that of
    the question, and `number` counts the questions of this turn: earlier ones are closed. Raises WrongTime while
    nobody's time is up, NotSeated, NotAllowed (for the player themselves, or CANCEL), Frozen.
    """
    table.running()
    match = table.match
    seat = match.own_seat(user_id)
    if choice.question != ABSENCE:
        raise NotAllowed("**End …** under `/match` does that.")
    asked = _asked(table)
    of_earlier = (ply is not None and ply < match.turn_ply) or (number and number != table.details.asked)
    if not asked or of_earlier or match.mover is None or not match.mover.present:
        raise WrongTime("There's nothing to decide: nobody's time is up.")
    if seat not in match.voters:
        raise NotAllowed("That's for the others to decide.")
    first = not any(ballot.vote.question == ABSENCE for ballot in match.ballots)
    if match.pace is Pace.NONE and first:
        table = _put_the_question(table)
    table = table.with_ballot(user_id, choice).heard_of(user_id)
    alone = asked == 2 or (asked > 2 and choice is not Vote.WAIT)
    return _carried_out(table, choice) if alone else table


def reminded(table: Table) -> Table:
    """Remind the player to move, once in a turn."""
    mover = table.match.mover
    if mover is None or table.details.reminded:
        return table
    return table.set(reminded=True).telling(Kind.REMIND, mover.seat, mover.user_id, rings=True)


def asked_about_mover(table: Table) -> Table:
    """Ask the others what to do about the player to move: now, and a turn's time later once more."""
    table = table.resumed().without_ballots(ABSENCE)
    table = _put_the_question(table.set(asked=table.details.asked + 1, asking=True))
    time = table.match.pace.turn
    return table if time is None or table.details.asked != 1 else _waiting(table, time)


def _waiting(table: Table, time: timedelta) -> Table:
    """Give the player to move this much more time."""
    closes_at = turn.unasked_until(table)
    return table.set(turn_due=table.now + time, closes_at=closes_at).clocks({Due.OVERDUE: table.now + time})


def _put_the_question(table: Table) -> Table:
    """Ask the table, and let the match end some time later unless the table is asked again (P13)."""
    table, mover = turn.closing(table), table.match.mover
    return table.telling(Kind.VOTE, table.match.to_move, None if mover is None else mover.user_id, rings=True)


def _asked(table: Table) -> int:
    """How many times the table has been asked about this turn, 0 while no question is open.

    Without a time limit anybody may ask after a week, and again a week after the table has decided to wait.
    """
    match, asked = table.match, table.details.asked
    if match.pace is not Pace.NONE or match.turn_at is None:
        return asked if match.asking else 0
    weeks = (table.now - match.turn_at) // NO_PACE_PATIENCE
    return asked + weeks if weeks > 0 or match.asking else 0


def _has_majority(table: Table, choice: Vote) -> bool:
    """Whether more than half of the electorate have voted for this."""
    match = table.match
    people = match.electorate(choice, table.now)
    return 2 * sum(ballot.vote is choice and ballot.user_id in people for ballot in match.ballots) > len(people)


def _carried_out(table: Table, choice: Vote) -> Table:
    mover = table.match.mover
    if choice is Vote.END:
        return ended_in_absence(table, Ended.VOTE)
    if choice is Vote.COMPUTER and mover is not None:
        return hand_over(excused(table, mover), mover)
    table = table.without_ballots(ABSENCE).set(asking=False)
    if table.match.pace.turn is not None:
        # The board says that the time is over.
        return _waiting(table, table.match.pace.turn).telling(Kind.ANEW)
    closes_at = turn.unasked_until(table)
    table = table.set(asked=table.details.asked + 1, turn_at=table.now, closes_at=closes_at)
    return table.clocks(turn.clocks(table))


def by_majority(table: Table) -> Table | None:
    """Carry out what the majority wants about the player to move; ``None`` if nothing is open or decided."""
    match = table.match
    if not _asked(table) or match.mover is None or not match.mover.present:
        return None
    wanted = (choice for choice in (Vote.WAIT, Vote.COMPUTER, Vote.END) if _has_majority(table, choice))
    choice = next(wanted, None)
    return None if choice is None else _carried_out(table, choice)


def _vote_to_cancel(table: Table, by: UserId) -> Table:
    first = question(table.match, table.now, Asks.CANCEL) is None
    if first:
        table = opened(table, Asks.CANCEL, by)
    table = table.with_ballot(by, Vote.CANCEL).heard_of(by)
    asked = question(table.match, table.now, Asks.CANCEL)
    if not first or asked is None or asked.passes:
        return table
    return table.using(Deed.END, by).telling(Kind.VOTE)
