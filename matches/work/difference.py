"""Stores what a decision has changed at a table. Nothing else writes these rows."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

from db import OF_MATCH, Connection, show
from db.matches import applications, deadlines, log_lines, outbox, presses, queries
from db.matches.outbox import Dropped, News
from db.model.columns import field_names, values_of
from db.model.enums import COMPUTERS, Due, Lost, Status
from db.model.ids import MatchId
from db.model.rows import Details, Hidden, MatchRow, SeatRow, Telling
from db.people import allowances
from db.results import keyed
from db.store.leases import Lease
from matches.records.match import Match
from matches.records.seat import Seat
from matches.table import limits
from matches.table.events import Clocks, Expires, Fires, Held, MatchEnded, Shifted, Told, Used, Written
from matches.table.limits import Limit
from matches.table.value import Table
from matches.work import endings

Entropy: TypeAlias = Callable[[int], bytes]
"""Draws so many secret random bytes."""

_BY_CLOCKS: Final = tuple(due for due in Due if due not in (Due.QUESTION, Due.ORDER))


def insert(connection: Connection, table: Table) -> Table:
    """Insert a new table, and return it with its number and its commitment."""
    match = table.match
    values = values_of(match, MatchRow)
    del values["id"]
    number = queries.insert_match(connection, **values, **vars(table.details), **vars(table.hidden))
    table = table.set(id=number)
    table = table.set(commitment=table.draws.commitment)
    queries.update_match(connection, number, commitment=table.match.commitment)
    _store_seats(connection, number, (), match.everybody)
    show(connection, number, {}, match.shown)
    _use_allowances(connection, table)
    _store_lines(connection, table, None)
    _store_events(connection, table, None, secrets.token_bytes)
    if table.press is not None:
        presses.note(connection, table.press, number)
    return table


def store(connection: Connection, before: Table, table: Table, lease: Lease | None, entropy: Entropy) -> list[Telling]:
    """Store the difference between `before` and `table`, and return the outbox rows that this process has leased.

    With a `lease` this process has the new rows from the start. `entropy` draws when a feature does something for
    somebody. The interaction is stored with the first line, or with the lobby's presses. Raises Conflict if another
    process has written a line with the same number, and TooSoon if an allowance is used up. Both roll back the
    transaction.
    """
    number, match, old = table.match.id, table.match, before.match
    _use_allowances(connection, table)
    _store_lines(connection, table, table.press)
    _store_seats(connection, number, old.everybody, match.everybody)
    _store_ballots(connection, old, match)
    _store_applications(connection, old, match)
    show(connection, number, old.shown, match.shown)
    for each in OF_MATCH if before.kept is not table.kept else ():
        if each.store is not None and before.kept.get(each.key) != table.kept.get(each.key):
            each.store(connection, number, before.kept.get(each.key, ()), table.kept.get(each.key, ()))
    changes = _changes(before.details, table.details, Details) | _changes(before.hidden, table.hidden, Hidden)
    if changes := changes | _changes(old, match, MatchRow):
        queries.update_match(connection, number, **changes)
    told = _store_events(connection, table, lease, entropy)
    if old.status is Status.LOBBY:
        if match.status is not Status.LOBBY:
            presses.forget(connection, number)
        people = {seat.position: (seat.user_id, seat.name) for seat in match.seats if seat.entered and seat.user_id}
        if people and match.guild_id is not None:
            keyed.add_keys(connection, match.guild_id, number, people)
        # The log has the interaction that starts a match. The one that closes a lobby is deleted with the lobby.
        if table.press is not None and match.status in (Status.LOBBY, Status.CANCELLED):
            presses.note(connection, table.press, number)
    for event in table.events:
        if isinstance(event, MatchEnded):
            endings.tell(connection, table, event)
    for feature in table.features:
        feature.stored(connection, before, table)
    return told


def _store_lines(connection: Connection, table: Table, press: int | None) -> None:
    """Store the lines that were written, the first with the interaction that caused it."""
    written = [event for event in table.events if isinstance(event, Written)]
    if written:
        same = {"match_id": table.match.id, "at": table.now, "interaction_id": None}
        rows: list[dict[str, Any]] = [
            {**same, "ply": line.ply, "player": line.player, "action": line.text, "by_order": by_order}
            for line, _, by_order in written
        ]
        rows[0]["interaction_id"] = press
        log_lines.insert_lines(connection, rows)


def is_owed(table: Table) -> bool:
    """Whether the decision changes outbox rows, or makes a computer's turn due."""
    return any(
        isinstance(event, Told) or (isinstance(event, Clocks) and not event.due.keys().isdisjoint(COMPUTERS))
        for event in table.events
    )


def _changes(before: object, after: object, row: type[Any]) -> dict[str, Any]:
    """Return the columns of `row` whose values differ."""
    return {name: getattr(after, name) for name in field_names(row) if getattr(after, name) != getattr(before, name)}


def _store_seats(connection: Connection, number: MatchId, before: tuple[Seat, ...], after: tuple[Seat, ...]) -> None:
    old = {seat.position: seat for seat in before}
    for position in old.keys() - {seat.position for seat in after}:
        queries.delete_seat(connection, number, position)
    for seat in after:
        if seat.position not in old:
            queries.insert_seat(connection, number, **values_of(seat, SeatRow))
        elif changes := _changes(old[seat.position], seat, SeatRow):
            queries.update_seat(connection, number, seat.position, **changes)


def _store_ballots(connection: Connection, before: Match, after: Match) -> None:
    kept = {(ballot.vote.question, ballot.user_id) for ballot in after.ballots}
    for ballot in before.ballots:
        if (ballot.vote.question, ballot.user_id) not in kept:
            queries.delete_vote(connection, after.id, ballot)
    for ballot in after.ballots:
        if ballot not in before.ballots:
            queries.put_vote(connection, after.id, ballot)


def _store_applications(connection: Connection, before: Match, after: Match) -> None:
    for user_id in {each.user_id for each in before.applications} - {each.user_id for each in after.applications}:
        applications.remove(connection, after.id, user_id)
    for each in after.applications:
        if each not in before.applications:
            applications.put(connection, after.id, each)


def _use_allowances(connection: Connection, table: Table) -> None:
    for event in table.events:
        if isinstance(event, Used):
            mark = limits.mark(event.deed, event.user_id, table.match)
            use_allowance(connection, mark, event.deed, table.now, event.times)


def use_allowance(connection: Connection, mark: str, deed: Limit, now: datetime, times: int = 1) -> None:
    """Use up some of the allowance with this mark. Raises TooSoon if not enough is left."""
    until = allowances.lock_used_until(connection, mark, now)
    allowances.use(connection, mark, limits.used(deed, until, now, times))


def _store_events(connection: Connection, table: Table, lease: Lease | None, entropy: Entropy) -> list[Telling]:
    match, told = table.match, []
    # The last clocks that were set replace the earlier ones.
    last = next((event for event in reversed(table.events) if isinstance(event, Clocks)), None)
    for event in table.events:
        if isinstance(event, Told):
            told += _tell(connection, table, event, lease)
        elif isinstance(event, Held):
            outbox.hold(connection, match.id, event.held, table.now)
        elif isinstance(event, Shifted):
            deadlines.shift(connection, match.id, event.kinds, event.by)
        elif isinstance(event, Clocks) and event == last:
            deadlines.replace(connection, match.id, match.guild_id, event.ply, event.due, _BY_CLOCKS)
        elif isinstance(event, Expires | Fires):
            kind = Due.QUESTION if isinstance(event, Expires) else event.kind
            at = event.due if isinstance(event, Expires) else _drawn(event, entropy)
            due = {} if at is None else {kind: at}
            deadlines.replace(connection, match.id, match.guild_id, match.ply, due, (kind,))
    return told


def _drawn(event: Fires, entropy: Entropy) -> datetime | None:
    """Draw the moment, to the microsecond: people don't press a whole number of seconds later."""
    if event.within is None:
        return None
    first, last = event.within
    return first + (last - first) * (int.from_bytes(entropy(8)) / 2**64)


def _tell(connection: Connection, table: Table, event: Told, lease: Lease | None) -> list[Telling]:
    match, held = table.match, table.match.lost is Lost.SERVER
    dropped: list[Dropped] = []
    if event.outdated:
        dropped = outbox.drop(connection, match.id, event.outdated, seat=event.seat, user_id=event.user_id)
    rows = [_heir(row, dropped) for row in event.rows]
    due = event.due if event.every is None else _paced(dropped, table.now, event.every, at_once=event.at_once)
    lease = None if held or (due is not None and due > table.now) else lease
    put = outbox.put(connection, match.id, match.guild_id, event.ply, rows, table.now, due=due, held=held, lease=lease)
    return [] if lease is None else put


def _paced(dropped: list[Dropped], now: datetime, every: timedelta, *, at_once: bool) -> datetime:
    """Return when to send what replaces the `dropped` rows: when the first of them was due, at the latest in `every`.

    Rows that are being sent right now don't count. Without any others it's in `every`, or `at_once`.
    """
    waiting = [each.due for each in dropped if each.leased_until is None or each.leased_until <= now]
    return min(max(now, min(waiting, default=now if at_once else now + every)), now + every)


def _heir(row: News, dropped: list[Dropped]) -> News:
    """Return the row. It rings if it replaces an unsent row of its kind that would have rung the same person."""
    rings = any(each.news.rings and each.news[:3] == row[:3] for each in dropped)
    return row._replace(rings=True) if rings else row
