"""Decisions before a match: sit down, stand up, add computers, say that one is here, start (P1-P3, P11).

`matches/host/lobby.py` stores them; `render/lobby.py` draws a lobby; `opening.py` decides how one begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final

from db.matches.outbox import News
from db.model.enums import Ended, Kind, Status, Where
from db.model.ids import UserId
from games import GAMES
from games.core import GameInfo
from games.log import Course
from matches.computers.levels import Level, name_for
from matches.computers.thinking import levels_of
from matches.errors import KeptApart, NotAllowed, NotSeated, Refused, WrongTime
from matches.records import fair
from matches.records.match import NOT_PLAYING
from matches.records.requests import Person
from matches.records.seat import Seat
from matches.table import silence, tidying
from matches.table.events import Left, Told
from matches.table.limits import IN_LINE, WATCHED_ON_A_SERVER, WATCHED_TABLES, Deed
from matches.table.value import Table

ENOUGH: Final = "There are enough players already. Press **Start**, or **Add computer** for one more."

REDRAWN_EVERY: Final = timedelta(seconds=3)
"""The shortest time between two redraws of a lobby in which one person after the other says that they're ready."""


def join(table: Table, person: Person, *, shown: bool = True, anyway: bool = False) -> Table:
    """Sit down, unless the person sits already. The match starts when its agreed size is reached.

    At an appointed table that is full they wait in line.

    Unless the caller shows it in the lobby's message itself (`shown`), the porter redraws that; it also makes the
    thread that the lobby owes then. Raises WrongTime, NotAllowed (no seat is free, the host has removed them, or the
    table is for reliable people), TooSoon (barred, or at too many tables), or KeptApart if they haven't said that they
    join `anyway`.
    """
    if table.match.at_table(person.user_id) is not None:
        return table
    table.check_lobby()
    _check_room_or_line(table)
    table.check_free_to_sit(person.user_id)
    if not anyway and table.avoided_by(person.user_id):
        raise KeptApart(table.match.id)
    table = table.using(Deed.JOIN, person.user_id).noticing(person.user_id)
    table = _started_when_full(table.add_seat(person.name, person=person).counting("join"))
    return table if shown and not table.match.owes_thread else drawn_anew(table)


def leave(table: Table, user_id: UserId) -> Table:
    """Leave before the start. If the host leaves, somebody else becomes host; without anybody the table is cancelled.

    The lobby is redrawn. Raises WrongTime or NotSeated.
    """
    table.check_lobby()
    if table.match.host_id != user_id and table.match.at_table(user_id) is None:
        raise NotSeated(NOT_PLAYING)
    return stand_up(table.with_event(Left(user_id)), user_id).telling(Kind.LOBBY)


def watch(table: Table, by: UserId) -> Table:
    """Let the host give up their seat and stay host, so that they can watch computers play each other.

    The lobby is redrawn. Does nothing if they have no seat. Raises WrongTime or NotAllowed.
    """
    check_host(table, by)
    if table.match.is_branched:
        raise NotAllowed("You play on from your own seat here, so you can't give it up.")
    seat = table.match.seat_of(by)
    if seat is None:
        return table
    return drawn_anew(table.with_event(Left(by)).using(Deed.ARRANGE, by).delete_seat(seat).counting("leave"))


def remove(table: Table, by: UserId, user_id: UserId) -> Table:
    """Remove somebody at the host's request. They can't sit down at this table again. The lobby is redrawn.

    Raises WrongTime, NotAllowed or NotSeated.
    """
    check_host(table, by)
    match = table.match
    if match.at_table(user_id) is None:
        raise NotSeated("That person isn't at this table.")
    if user_id == by:
        raise NotAllowed("That's you: **⋯** has **Leave**.")
    invited = tuple(each for each in table.details.invited if each != user_id)
    table = table.set(removed=(*table.hidden.removed, table.person_hash(user_id)), invited=invited)
    return stand_up(table.using(Deed.ARRANGE, by), user_id).telling(Kind.LOBBY)


def add_computer(table: Table, by: UserId, level: str = Level.EASY) -> Table:
    """Add a computer at the host's request. The lobby is redrawn, or the match starts when its agreed size is reached.

    Raises WrongTime, or NotAllowed (not the host, no seat free, no such level).
    """
    check_host(table, by)
    check_level(table.match.game, table.match.options, table.match.players_with(1), level)
    check_room(table)
    return drawn_anew(_started_when_full(with_computers(table.using(Deed.ARRANGE, by), level, 1)))


def fill(table: Table, by: UserId, level: str = Level.EASY) -> Table:
    """Add computers until the match can start. If its size is agreed, it starts; otherwise the lobby is redrawn.

    Raises WrongTime, or NotAllowed (not the host, nobody missing, no such level).
    """
    check_host(table, by)
    match = table.match
    check_level(match.game, match.options, match.players_with(match.missing), level)
    if not match.missing:
        raise NotAllowed(ENOUGH)
    return drawn_anew(_started_when_full(with_computers(table.using(Deed.ARRANGE, by), level, match.missing)))


def with_computers(table: Table, level: str, count: int) -> Table:
    """Seat so many more computers of this level."""
    for _ in range(count):
        table = table.add_seat(name_for(Level(level), set(table.match.seat_names)), computer=level)
    return table.counting("join")


def check_level(game: str, options: Mapping[str, str], players: int, level: str) -> None:
    """Raise NotAllowed unless computers of this level play the game with these options, among so many players."""
    offered = levels_of(game, options, players)
    if level not in offered:
        listed = f"{', '.join(offered[:-1])} or {offered[-1]}"
        raise NotAllowed(f"There's no such level here. At this table, computers are {listed}.")


def switch_place(table: Table, by: UserId) -> Table:
    """Switch between playing in a thread of its own and playing in the channel, at the host's request.

    The lobby is redrawn. Raises WrongTime, or NotAllowed (not the host, or the channel is a thread itself).
    """
    check_host(table, by)
    if table.match.in_thread:
        raise NotAllowed("This table is in a thread already, so the match is played right here.")
    where = Where.THREAD if table.match.where is Where.CHANNEL else Where.CHANNEL
    return drawn_anew(table.using(Deed.ARRANGE, by).set(where=where, thread_id=None))


def switch_start(table: Table, by: UserId) -> Table:
    """Switch between a start when the table is full and a start by the host, at the host's request.

    The lobby is redrawn, or a full table starts. Raises WrongTime, or NotAllowed (not the host, no number agreed).
    """
    check_host(table, by)
    match = table.match
    if table.start is not None:
        raise NotAllowed("This table starts at its appointed time.")
    if match.size is None:
        raise NotAllowed("No number of players was agreed at this table, so it starts when you press **Start**.")
    table = table.using(Deed.ARRANGE, by).set(host_starts=not table.details.host_starts)
    return drawn_anew(_started_when_full(table.counting("start") if _starts_now(table) else table))


def agree(table: Table, by: UserId, /, **terms: Any) -> Table:
    """Change some of the `Terms`, at the host's request. The lobby is redrawn, or a table that is full now starts.

    Raises WrongTime, Refused (the game isn't for so many), or NotAllowed: not the host; another person is there, who
    agreed to what the lobby said; the table can't have these terms; or what `check_welcome` raises about the host.
    """
    check_host(table, by)
    match = table.match
    if match.is_branched:
        raise NotAllowed("A match that's played on from another one is never rated, and its terms stay.")
    if any(seat.user_id not in (None, by) for seat in match.everybody):
        raise NotAllowed("Somebody has joined already, so this can't change any more. You can open another table.")
    if terms.get("rated") and table.unrated:
        raise NotAllowed("No match on this server changes ratings.")
    if "size" in terms:
        check_players(match.game, terms["size"], match.options)
        terms["size"] = agreed_size(match.info, terms["size"])
        if terms["size"] is not None and terms["size"] < len(match.seats):
            raise NotAllowed(f"{len(match.seats)} are here already. Remove a computer first.")
    table = table.using(Deed.ARRANGE, by).set(**terms)
    table.check_welcome(by)
    return drawn_anew(_started_when_full(table.counting("start") if _starts_now(table) else table))


def check_players(game: str, size: int | None, options: Mapping[str, str]) -> None:
    """Raise Refused if the game isn't for so many players, or has no such options. `size`: ``None`` for any number."""
    info = GAMES[game].info
    try:
        GAMES[game].new_initial_state(info.min_players if size is None else size, options)
    except ValueError as error:
        raise Refused(str(error)) from error


def agreed_size(info: GameInfo, size: int | None) -> int | None:
    """Return the number of players with which a table starts: that of the game if it's always for as many."""
    return info.max_players if info.min_players == info.max_players else size


def remove_computer(table: Table, by: UserId) -> Table:
    """Remove the computer that was added last, at the host's request. The lobby is redrawn.

    Raises WrongTime, NotAllowed or NotSeated.
    """
    check_host(table, by)
    seats = [seat for seat in table.match.seats if seat.user_id is None]
    if not seats:
        raise NotSeated("There's no computer at this table.")
    return table.using(Deed.ARRANGE, by).delete_seat(seats[-1]).counting("leave").telling(Kind.LOBBY)


def start(table: Table, by: UserId) -> Table:
    """Start the match at the request of its host, or of anybody seated after an hour without a press of the host.

    That means: draw the seats, and write the lines up to the first decision.

    People who aren't welcome any more lose their seats. If too few are left, the lobby stays open. An appointed table
    can start earlier once everybody there is ready.

    Raises WrongTime, NotAllowed, Refused for too few players, and what `check_welcome` raises about the host.
    """
    _check_starter(table, by)
    table.check_welcome(by)
    if table.start is not None and table.start.refusal is not None:
        raise table.start.refusal
    return _started_if_enough(silence.pressed(table, by), "start")


def start_unpressed(table: Table) -> Table:
    """Start the match without anybody's press. The id of the lobby's message counts in the draws instead.

    Discord assigns that id when the commitment is posted. So nobody knows the deals before, even if they know the seed.
    Raises WrongTime, also before the lobby is posted, and otherwise as `start`.
    """
    table.check_lobby()
    posted = table.match.lobby_message_id
    if posted is None:
        raise WrongTime("This table hasn't been posted yet, so its match can't start.")
    return _started_if_enough(table, fair.POST, posted)


def _started_if_enough(table: Table, what: str, number: int | None = None) -> Table:
    info = table.match.info
    if len(table.match.seats) < info.min_players:
        raise Refused(f"{info.name} needs at least {info.min_players} players.")
    left = without_unwelcome(table)
    enough = len(left.match.seats) >= info.min_players
    return _asked_or_started(left, what, number) if enough else drawn_anew(left)


def _asked_or_started(table: Table, what: str | None = None, number: int | None = None) -> Table:
    """Start the match, or first ask people who haven't pressed anything here for an hour whether they're here.

    The start counts in the draws as `what`, if it's given.
    """
    match = table.match
    if table.start is not None or not (silent := silence.silent(table)):
        return started(table if what is None else table.counting(what, number))
    if match.asking:
        return table
    asked = (replace(seat, ready=seat in match.present and seat not in silent) for seat in match.everybody)
    return silence.asked(table.set(asking=True, everybody=tuple(asked)))


def ready(table: Table, user_id: UserId) -> Table:
    """Note that a person is ready, or here at a table without a time. Raises WrongTime (also too early), NotSeated."""
    table.check_lobby()
    match = table.match
    seat = match.at_table(user_id)
    if seat is None:
        raise NotSeated("You aren't at this table. Press **Join** on its lobby message first.")
    if table.start is None:
        return _here(table, seat)
    if not match.asking:
        raise WrongTime("It's too early to say. I'll ask everybody shortly before the table starts.")
    return table if seat.ready else redrawn(table.set_seat(seat.position, ready=True))


def _here(table: Table, seat: Seat) -> Table:
    """Note that a person is here. Once all who were asked are, the match starts."""
    asks = table.match.asking
    table = table.set_seat(seat.position, pressed_at=table.now, ready=asks)
    if asks and not silence.silent(table):
        return _answered(table)
    return table.telling(Kind.LOBBY) if asks else table


def unready(table: Table) -> Table:
    """With nobody who has said that they're ready."""
    return table.set(everybody=tuple(replace(seat, ready=False) for seat in table.match.everybody))


def heard(table: Table) -> Table:
    """Start a match whose people had time to say that they're here. Those who haven't lose their seats.

    If too few are left, the lobby stays open. If the bot was away meanwhile, it asks again.
    """
    match = table.match
    if match.status is not Status.LOBBY or not match.asking or match.turn_due is None:
        return table
    late = silence.silent(table)
    if late and table.now - match.turn_due > silence.HERE_WITHIN:
        return silence.asked(table)
    for seat in late:
        if seat.user_id is not None and table.match.status is Status.LOBBY:
            table = stand_up(table, seat.user_id)
    return _answered(table)


def _answered(table: Table) -> Table:
    """Start the match with those who are here, or leave the lobby open if they're too few."""
    left = without_unwelcome(unready(table).set(asking=False, turn_due=None))
    match = left.match
    if match.status is Status.LOBBY and not match.missing and match.present:
        if table.press is not None:
            return started(left.counting("start"))
        if match.lobby_message_id is not None:
            return started(left.counting(fair.POST, match.lobby_message_id))
    if match.status is Status.LOBBY:
        left = tidying.without_calls(match, left).waits_to_start()
    return drawn_anew(left)


def hand_on(table: Table, by: UserId, host: UserId) -> Table:
    """Take out a host who isn't on the server any more, as somebody at the table has noticed. They become host."""
    match = table.match
    if match.status is not Status.LOBBY or match.host_id != host or match.at_table(by) is None:
        return table
    return drawn_anew(stand_up(table, host, first=by))


def stand_up(table: Table, user_id: UserId, *, first: UserId | None = None) -> Table:
    """Let a person leave a lobby. If they host it, the first person there who could have opened it becomes host.

    `first` comes before all others. If nobody could be host, or the match is played on from another one, the lobby is
    closed.
    """
    seat = table.match.at_table(user_id)
    table = table.counting("leave")
    if seat is not None:
        table = table.delete_seat(seat)
    if table.match.host_id != user_id:
        return table
    heirs = sorted((seat.user_id for seat in table.match.present if seat.user_id), key=lambda each: each != first)
    heir = None if table.match.is_branched else next((each for each in heirs if table.may_host(each)), None)
    return table.ended(Ended.HOST) if heir is None else table.set(host_id=heir)


def barred(table: Table, user_id: UserId) -> Table:
    """Take out a person whom the server's moderators have just barred, if they sit in this lobby or host it."""
    match = table.match
    if match.status is not Status.LOBBY or (match.at_table(user_id) is None and match.host_id != user_id):
        return table
    return drawn_anew(stand_up(table, user_id))


def _starts_now(table: Table) -> bool:
    """Whether the table is full and starts without its host."""
    match = table.match
    return len(match.seats) == match.size and not table.details.host_starts and table.start is None


def _started_when_full(table: Table) -> Table:
    """Start the match if the table is full. Anybody who isn't welcome any more loses their seat instead."""
    if not _starts_now(table):
        return table
    left = without_unwelcome(table)
    return _asked_or_started(left) if _starts_now(left) else drawn_anew(left)


def without_unwelcome(table: Table) -> Table:
    """Return the lobby without everybody who isn't welcome any more."""
    for seat in table.match.everybody:
        if seat.user_id is not None and not table.is_welcome(seat.user_id):
            table = stand_up(table, seat.user_id)
    return table


def started(table: Table) -> Table:
    """Start the match. Raises NotAllowed if too many matches that only computers play are running."""
    _check_watched(table)
    if not table.match.is_branched:
        return table.begun(Course.begin(table.match.header))
    if table.course is None:
        raise WrongTime("The match that this one is played on from can't be replayed any more, so it can't start.")
    return table.begun(table.course)


def _check_watched(table: Table) -> None:
    """Raise NotAllowed if only computers sit here, and too many such matches run, of the host or on the server."""
    of_host, here = table.watched
    if not table.match.of_computers:
        return
    if of_host >= WATCHED_TABLES:
        raise NotAllowed(
            f"You already have {WATCHED_TABLES} matches running that only computers play. Wait for one of them to "
            "end, or end it with **End …** under `/match`."
        )
    if here >= WATCHED_ON_A_SERVER:
        raise NotAllowed(
            f"This server already has {WATCHED_ON_A_SERVER} matches running that only computers play. Wait for one "
            "of them to end, or take a seat yourself."
        )


def check_host(table: Table, by: UserId) -> None:
    """Raise WrongTime unless the match is still a lobby, or NotAllowed unless this person hosts it."""
    table.check_lobby()
    if table.match.host_id != by:
        raise NotAllowed("Only the host can do that.")


def _check_starter(table: Table, by: UserId) -> None:
    """Raise WrongTime or NotAllowed unless this person may start the match."""
    table.check_lobby()
    match, host = table.match, table.match.at_table(table.match.host_id)
    silent = silence.is_silent(table, None if host is None else host.pressed_at)
    if by != match.host_id and (table.start is not None or match.seat_of(by) is None or not silent):
        raise NotAllowed("Only the host can start this table. If they press nothing here for an hour, you all can.")


def check_room(table: Table) -> None:
    if not table.match.has_room:
        raise NotAllowed("This table is full.")


def _check_room_or_line(table: Table) -> None:
    if table.start is None:
        check_room(table)
    elif not table.match.has_room and len(table.match.line) >= IN_LINE:
        raise NotAllowed("This table is full, and so is the line for it.")


def drawn_anew(table: Table) -> Table:
    """Have the lobby redrawn, unless the match has started, which has its own news."""
    return table.telling(Kind.LOBBY) if table.match.status is Status.LOBBY else table


def redrawn(table: Table) -> Table:
    """Have the lobby redrawn; once for several changes that follow each other closely."""
    return table.with_event(Told((News(Kind.LOBBY),), table.match.ply, (Kind.LOBBY,), every=REDRAWN_EVERY))
