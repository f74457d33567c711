"""When a lobby owes a thread, and which thread a match is played in (P3)."""

from dataclasses import replace

import pytest

from db.model.enums import Kind, Status, Where
from matches.api import NewMatch, Terms
from matches.records.seat import Known
from matches.table import lobby, opening, reach
from matches.table.events import Told
from matches.table.value import Table
from tests.matches.lives import START
from tests.matches.tables import CHANNEL, PEOPLE

THREAD, MESSAGE = 77, 76


def opened(where: Where = Where.THREAD, *, in_thread: bool = False) -> Table:
    """A posted lobby of Saboteur with its host."""
    request = NewMatch("saboteur", CHANNEL, Terms(where=where), guild_id=5, in_thread=in_thread)
    table = opening.opened(request, PEOPLE[0], bytes(32), START, {}, Known())
    return replace(table, events=()).set(lobby_message_id=MESSAGE)


def told(table: Table) -> list[Kind]:
    """The kinds of rows that the decision put into the outbox."""
    return [row.kind for event in table.events if isinstance(event, Told) for row in event.rows]


@pytest.mark.parametrize(
    ("table", "owes"),
    [(opened(), True), (opened(Where.CHANNEL), False), (opened(in_thread=True), False)],
    ids=["thread", "channel", "in a thread"],
)
def test_a_lobby_owes_its_thread_once_two_people_sit_there(table: Table, owes: bool) -> None:
    assert not table.match.owes_thread, "the host alone needs none"
    joined = lobby.join(table, PEOPLE[1])
    assert joined.match.owes_thread is owes
    assert (Kind.LOBBY in told(joined)) is owes, "whoever delivers that row makes the thread"
    noted = reach.note_thread(joined, THREAD, MESSAGE)
    assert noted.match.thread_id == (THREAD if owes else None)
    assert not noted.match.owes_thread
    assert noted.match.place_id == CHANNEL, "a lobby stays where its message is"
    assert noted.set(status=Status.RUNNING).match.place_id == (THREAD if owes else CHANNEL)


def test_a_thread_of_an_earlier_place_is_not_noted() -> None:
    joined = lobby.join(opened(), PEOPLE[1])
    assert reach.note_thread(joined, THREAD, MESSAGE + 1).match.thread_id is None
    posted = joined.set(status=Status.RUNNING, board_message_id=78)
    assert reach.note_thread(posted, THREAD, MESSAGE).match.thread_id is None
    assert reach.note_thread(joined.set(status=Status.CANCELLED), THREAD, MESSAGE).match.thread_id is None


def test_a_lobby_that_leaves_its_thread_has_that_shown_and_owes_it_when_it_returns() -> None:
    noted = reach.note_thread(lobby.join(opened(), PEOPLE[1]), THREAD, MESSAGE)
    away = lobby.switch_place(replace(noted, events=()), PEOPLE[0].user_id)
    assert (away.match.where, away.match.thread_id, told(away)) == (Where.CHANNEL, None, [Kind.LOBBY])
    back = lobby.switch_place(replace(away, events=()), PEOPLE[0].user_id)
    assert (back.match.owes_thread, told(back)) == (True, [Kind.LOBBY])
    deleted = reach.lose_thread(replace(noted, events=()), THREAD)
    assert (deleted.match.where, deleted.match.thread_id, told(deleted)) == (Where.CHANNEL, None, [Kind.LOBBY])


def test_a_match_without_a_thread_stays_in_its_channel_and_one_with_it_there() -> None:
    joined = lobby.join(opened(), PEOPLE[1])
    assert reach.stay_in_channel(joined).match.where is Where.CHANNEL
    noted = reach.note_thread(joined, THREAD, MESSAGE)
    assert reach.stay_in_channel(noted).match.where is Where.THREAD
