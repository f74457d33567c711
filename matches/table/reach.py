"""Decisions about where a match is played, and about one that can't be reached there (P17).

`matches/host/reach.py` stores them.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from db.matches.outbox import News
from db.model.enums import CutOff, Kind, Lost, Status, Where
from db.model.ids import UserId
from matches.errors import WrongTime
from matches.table import tidying
from matches.table.events import Held, Told
from matches.table.limits import Deed
from matches.table.turn import clocks, closing, computers, is_asked, is_present, out_of_reach, standing, unasked_until
from matches.table.value import STAYS_OUT_OF_REACH, Table

OPEN: Final = (Status.LOBBY, Status.RUNNING)

OF_NO_SERVER: Final = frozenset({Kind.SECRETS})
"""News for a person alone, which they get though the bot has left the match's server, as those of features."""


def move(table: Table, by: UserId, channel_id: int, *, moderator: bool = False, in_thread: bool = False) -> Table:
    """Move the match to another channel or thread (`in_thread`) of the server, and post everything there again.

    Players and moderators may do that. Raises WrongTime once it is over, NotSeated, Frozen.
    """
    if table.match.status is not Status.LOBBY:
        table.running()
    if not moderator:
        table.match.own_seat(by)
    table = tidying.moved(table.match, table.using(Deed.MOVE, by))
    table = table.set(
        channel_id=channel_id, thread_id=None, lobby_message_id=None, board_message_id=None, in_thread=in_thread
    )
    table = _shown_again(found(table))
    mover, asked = table.match.mover, table.match.asking and table.match.status is Status.RUNNING
    return table.telling(Kind.VOTE, mover.seat, mover.user_id) if asked and mover is not None else table


def bring_down(table: Table, by: UserId) -> Table:
    """Post the board again at the bottom of its place. Raises WrongTime unless the match runs, NotSeated, Frozen."""
    table.running()
    table.match.own_seat(by)
    return table.using(Deed.BRING, by).telling(Kind.ANEW)


def bring_back(table: Table, by: UserId, pressed: int) -> Table:
    """Post the board or the lobby again for somebody at the table whose press couldn't be answered.

    It costs no allowance. Nothing is posted if another board is about to come, or has come since the press (the ids of
    messages and presses rise with time).
    """
    match = table.match
    if match.status is Status.LOBBY:
        return table.telling(Kind.LOBBY)
    if match.status is not Status.RUNNING or match.at_table(by) is None or match.board_message_id is None:
        return table
    if match.board_message_id > pressed or match.board_ply < match.turn_ply:
        return table
    return table.with_event(Told((News(Kind.ANEW),), match.ply, (Kind.ANEW,)))


def show(table: Table, by: UserId) -> Table:
    """Use the allowance for posting a public picture of the match. Raises WrongTime before the start."""
    if table.match.status in (Status.LOBBY, Status.CANCELLED):
        raise WrongTime("This match hasn't started yet.")
    return table.using(Deed.SHOW, by)


def lose_place(table: Table, why: str = "") -> Table:
    """Note that nothing can be posted where the match is played, and tell its people once, with the reason."""
    match = table.match
    if match.lost is not None or match.status not in OPEN:
        return table
    if match.mover is not None and match.mover.present and match.away_left(match.mover, table.now) <= timedelta(0):
        # Their clock can't stop any more.
        told = match.cut_off is CutOff.REFUSED
        return table if told else table.set(cut_off=CutOff.REFUSED).telling(Kind.LOST)
    return _lost(table, Lost.PLACE).set(reason=why or None).telling(Kind.LOST)


def lose_thread(table: Table, thread_id: int) -> Table:
    """Continue a match whose thread was deleted in the thread's channel."""
    if table.match.thread_id != thread_id or table.match.status not in OPEN:
        return table
    if table.match.status is Status.LOBBY:
        return table.set(thread_id=None, where=Where.CHANNEL).telling(Kind.LOBBY)
    # The board that was posted keeps another thread from being made (P3).
    return _shown_again(table.set(thread_id=None, calls=()).telling(Kind.LOBBY))


def stay_in_channel(table: Table) -> Table:
    """Play in the channel, because the bot can't make a thread there (P29)."""
    return table.set(where=Where.CHANNEL) if table.match.status in OPEN and table.match.thread_id is None else table


def note_thread(table: Table, thread_id: int, message_id: int) -> Table:
    """Play in the thread that was made under the lobby's message, unless the match has moved meanwhile."""
    match = table.match
    if match.lobby_message_id != message_id or match.status not in OPEN or match.board_message_id is not None:
        return table
    # A lobby that was switched to its channel doesn't use the thread. A running match may have no other free place.
    unwanted = match.in_thread or (match.status is Status.LOBBY and match.where is Where.CHANNEL)
    return table if unwanted else table.set(thread_id=thread_id)


def lose_server(table: Table) -> Table:
    """Pause a match whose server the bot has left: nothing is posted, and only its end becomes due."""
    if table.match.status not in OPEN:
        return table
    dropped = Told((), table.match.ply, frozenset(Kind) - OF_NO_SERVER - table.undropped)
    return _lost(table, Lost.SERVER).with_event(dropped).with_event(Held(True))


def find_server(table: Table) -> Table:
    """Resume a match to whose server the bot has come back."""
    if table.match.lost is not Lost.SERVER or table.match.status not in OPEN:
        return table
    return _shown_again(found(table).with_event(Held(False)))


def run_on(table: Table) -> Table:
    """Resume the clock although nothing can be posted: the player to move has no away time left (P13)."""
    return found(table).set(cut_off=CutOff.REFUSED)


def found(table: Table) -> Table:
    """Resume the clocks of a match that can be reached again.

    If its place was lost, the player to move has used away time.
    """
    match, lost_at = table.match, table.hidden.lost_at
    if lost_at is None:
        return table.set(cut_off=None) if match.cut_off is CutOff.REFUSED else table
    table = table.set(lost=None, lost_at=None, reason=None, closes_at=None)
    if match.status is Status.LOBBY:
        if table.start is None:
            # Nobody could say that they're here. They're asked again before the start.
            table = table.set(asking=False, turn_due=None)
            table = table.set(closes_at=table.lobby_closes_at + (table.now - lost_at))
        return table.waits_to_start()
    if match.status is not Status.RUNNING or match.turn_at is None:
        return table
    stopped = max(lost_at, match.turn_at)
    stood = table.now - stopped
    table = table.set(turn_at=match.turn_at + stood).shifting_features(stood - STAYS_OUT_OF_REACH)
    if match.lost is Lost.PLACE and match.mover is not None and match.mover.present:
        used = min(stood, match.away_left(match.mover, table.now))
        table = table.set_seat(match.mover.position, away_used=match.mover.away_used + used)
    if not is_present(match):
        return table.clocks(computers(table))
    asked = match.turn_due is not None and match.turn_due <= stopped
    if asked or is_asked(match):
        # The table has been asked already.
        table = table.set(turn_due=None if match.turn_due is None else match.turn_due + stood)
        return standing(closing(table))
    if match.turn_due is not None:
        table = table.set(turn_due=match.turn_due + stood)
    if match.offered_until is not None:
        table = table.set(offered_until=match.offered_until + stood)
    table = table.set(closes_at=unasked_until(table))
    return standing(table.clocks(clocks(table)))


def _lost(table: Table, what: Lost) -> Table:
    """Pause the clocks of a match that can't be reached, and let it end after some time."""
    if table.match.lost is None:
        table = table.resumed().set(lost_at=table.now, closes_at=table.now + STAYS_OUT_OF_REACH)
        # What was said in advance waits until the match is found again (`found`).
        table = table.shifting_features(STAYS_OUT_OF_REACH)
    return out_of_reach(table.set(lost=what))


def _shown_again(table: Table) -> Table:
    """Post the lobby or the board at the match's present place, without another ping (P26).

    The board replaces one that still waits to be posted, and rings if that would have rung.
    """
    if table.match.status is not Status.RUNNING:
        return table.telling(Kind.LOBBY)
    mover = table.match.mover
    board = News(Kind.BOARD, None, None if mover is None else mover.user_id)
    return table.with_event(Told((board,), table.match.ply, (Kind.BOARD,)))
