"""Limits how often a person is called, and how long their pledges rest.

The store keeps this as marks that name nobody. They stay when somebody withdraws their pledges, or deletes their data.
So nobody is called more often because they did that and pledged again.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from db import Connection
from db.matches import outbox
from db.matches.outbox import News
from db.model.enums import Kind, Status
from db.model.ids import NO_LINES, UserId
from db.people import allowances
from db.pledges import kept as pledges
from matches.errors import TooSoon
from matches.pledges.starting import starts_by
from matches.records.match import Match
from matches.table import limits
from matches.table.events import Left
from matches.table.limits import Limit
from matches.table.value import Table

MISS: Final = Limit("miss", 1, timedelta(days=1), "You said that you're ready, and then didn't play.")
"""They said that they're ready, and then didn't play."""

CALLED: Final = Limit("called", 1, timedelta(days=1), "You've been called twice today.")
"""Somebody is called, for whatever reason; a person has `CALLS_A_DAY` of these."""

CALLS_A_DAY: Final = 2
"""How often a person is called within any 24 hours, on all servers together."""


def rest(connection: Connection, user_id: UserId, now: datetime) -> None:
    """Let a person's pledges rest, because they said that they're ready and didn't play."""
    mark = limits.mark_on(MISS, user_id, 0)
    allowances.lock_used_until(connection, mark, now)
    until = now + MISS.each
    allowances.use(connection, mark, until)
    pledges.rest(connection, user_id, until)


def resting(connection: Connection, user_id: UserId, now: datetime) -> datetime | None:
    """Return until when nobody calls this person, ``None`` if somebody may."""
    missed = _full_again(connection, MISS, user_id, 0, now)
    calls = [_full_again(connection, CALLED, user_id, number, now) for number in range(CALLS_A_DAY)]
    called = None if None in calls else min(each for each in calls if each is not None)
    return max((each for each in (missed, called) if each is not None), default=None)


def use_call(connection: Connection, user_id: UserId, now: datetime) -> datetime | None:
    """Count a call. Returns until when no other may follow, ``None`` if one may.

    Raises TooSoon, and counts nothing, if they have been called as often as allowed, or if their pledges rest.
    """
    # The rows of a person's calls are locked, so that no other transaction calls them, too.
    for number in range(CALLS_A_DAY):
        allowances.lock_used_until(connection, limits.mark_on(CALLED, user_id, number), now)
    until = resting(connection, user_id, now)
    if until is not None:
        raise TooSoon(CALLED.refusal, until)
    for number in range(CALLS_A_DAY):
        if _full_again(connection, CALLED, user_id, number, now) is None:
            mark = limits.mark_on(CALLED, user_id, number)
            allowances.use(connection, mark, now + CALLED.each)
            break
    return resting(connection, user_id, now)


def give_back(connection: Connection, user_id: UserId, now: datetime) -> None:
    """Don't count a call that reached nobody (`use_call`)."""
    for number in range(CALLS_A_DAY):
        allowances.lock_used_until(connection, limits.mark_on(CALLED, user_id, number), now)
    until = resting(connection, user_id, now)
    ends = [(_full_again(connection, CALLED, user_id, number, now), number) for number in range(CALLS_A_DAY)]
    if used := [(end, number) for end, number in ends if end is not None]:
        allowances.use(connection, limits.mark_on(CALLED, user_id, max(used)[1]), now)
    if until is not None and resting(connection, user_id, now) is None:
        pledges.wake(connection, user_id, until)


def seats_changed(connection: Connection, table_before: Table, table: Table) -> None:
    """Decide what becomes of the pledges of people at a table that pledges have made.

    Whoever plays had what they wished. So had whoever has left the lobby by themselves; then their pledges rest, and so
    they do after they didn't play (`_absent`). If somebody else's deed took the seat or the match away from somebody in
    the lobby, they get their place in the queue back, and the call isn't counted.
    """
    before, after, now = table_before.match, table.match, table.now
    if starts_by(before) is None or before.guild_id is None:
        return
    missed = {event.user_id for event in table.events if isinstance(event, Left)} | _absent(before, after)
    for user_id in sorted(missed):
        rest(connection, user_id, now)
    if before.status is not Status.LOBBY:
        return
    there, still = ({seat.user_id for seat in each.everybody if seat.user_id} for each in (before, after))
    waits = after.status is Status.LOBBY and starts_by(after) is not None
    kept = still if waits or after.status is Status.RUNNING else set()
    asked = pledges.fulfil(connection, before.guild_id, before.game, {*missed} if waits else {*missed, *kept})
    if after.status is Status.RUNNING:
        news = [News(Kind.CALL_OVER, None, by, message_id=post, channel_id=where) for by, post, where in asked if post]
        outbox.put(connection, after.id, before.guild_id, NO_LINES, news, now)
    for user_id in pledges.restore(connection, before.guild_id, before.game, there - kept):
        give_back(connection, user_id, now)
        # If all pledges of the server were set aside, nothing was due any more.
        pledges.set_next_check(connection, before.guild_id, now)


def _absent(before: Match, after: Match) -> set[UserId]:
    """Return who came by a pledge and doesn't play: they left, or a computer took their seat, before they had moved.

    The same holds for a person for whom the match waited in vain until its end, if they hadn't moved.
    """
    if before.status is not Status.RUNNING:
        return set()
    found, then = set(), {seat.position: seat for seat in after.seats}
    for seat in before.present:
        now = then[seat.position]
        gone = (not now.present or now.absent) and not now.excused
        if gone and not now.acted and not seat.replaced and now.user_id == seat.user_id is not None:
            found.add(seat.user_id)
    return found


def _full_again(connection: Connection, deed: Limit, user_id: UserId, number: int, now: datetime) -> datetime | None:
    """Return when this allowance can be used again, ``None``: now."""
    until = allowances.used_until(connection, limits.mark_on(deed, user_id, number))
    return None if until is None or limits.is_left(deed, until, now) else until
