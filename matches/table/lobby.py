"""Decisions before a match: sit down, stand up, add computers, start (P1-P3, P11).

`matches/host/lobby.py` stores them; `render/lobby.py` draws a lobby.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from db.matches.outbox import News
from db.model.enums import Due, Ended, Kind, Status, Where
from db.model.ids import NO_LINES, MatchId, Ply, UserId
from games import GAMES
from games.core import GameInfo
from games.log import Course
from matches.computers.levels import Level, name_for
from matches.computers.thinking import levels_of
from matches.errors import KeptApart, NotAllowed, NotFound, NotSeated, Refused, WrongTime
from matches.records.match import NOT_PLAYING, Match
from matches.records.requests import NewMatch, Person
from matches.records.seat import Known
from matches.table import fair, silence
from matches.table.events import Missed, Told, Written
from matches.table.limits import IN_LINE, Deed
from matches.table.value import LOBBY_STAYS, NO_STANDING, READY_BEFORE, Standing, Table, lobby_clocks

ENOUGH: Final = "There are enough players already. Press **Start**, or **Add computer** for one more."

SHOWN_WITHIN: Final = timedelta(seconds=30)
"""After this time the porter posts a lobby whose message nobody has noted. Its process may have died."""

PEOPLE: Final = 2
"""A match that starts by itself needs at least this many people."""

POSTED_WITHIN: Final = timedelta(seconds=10)
"""How long a lobby that starts by itself waits for its message to be posted, at first. Then it waits ever longer."""


def opened(
    request: NewMatch,
    host: Person,
    seed: bytes,
    now: datetime,
    known: Mapping[int, Known],
    stranger: Known,
    standing: Standing = NO_STANDING,
    *,
    first_here: bool = False,
) -> Table:
    """Return a new lobby, without a number yet. The host sits down unless they only watch, and so do the `seated`.

    `standing` is that of the host and of the others. `first_here`: the store has no other match of its server. If the
    request has `starts_by`, nobody pressed for the lobby: it uses nobody's allowance, and the porter posts it at once.

    Raises NotFound (game), Refused (players, options), and TooSoon or NotAllowed as `join` does, for any of the people.
    """
    info, terms = check(request), request.terms
    fixed = info.max_players if info.min_players == info.max_players else None
    terms = replace(
        terms,
        options={option.name: option.default for option in info.options} | dict(terms.options),
        size=fixed if terms.size is None else terms.size,
        host_starts=bool(terms.host_starts) and terms.appointed is None,
        fill_with=None if terms.appointed is None else terms.fill_with,
        rated=terms.rated and request.branch is None,
    )
    match = Match(
        **vars(terms),
        id=MatchId(0),
        game=request.game,
        rules_version=info.rules_version,
        status=Status.LOBBY,
        host_id=host.user_id,
        guild_id=request.guild_id,
        channel_id=request.channel_id,
        created_at=now,
        rematch_of=request.rematch_of,
        in_thread=request.in_thread,
        scheme=fair.SCHEME,
        first_here=first_here,
        asking=terms.appointed is not None and terms.appointed - now <= READY_BEFORE,
        mirrored=request.mirrored and terms.appointed is not None,
        starts_by=request.starts_by,
        lobby_message_id=request.lobby_message_id,
        **_branch(request),
    )
    table = Table(match, now, seed, known=known, stranger=stranger, standing=standing, press=request.interaction_id)
    table.check_welcome(host.user_id)
    table.check_free_to_sit(host.user_id)
    if request.starts_by is None:
        table = table.using(Deed.OPEN, host.user_id).using(Deed.INVITE, host.user_id, len(terms.invited))
    if terms.appointed is not None:
        table = table.using(Deed.APPOINT, host.user_id)
    if not request.watching:
        table = table.add_seat(host.name, person=host)
    for person in request.seated:
        _check_room(table)
        table.check_welcome(person.user_id)
        table.check_free_to_sit(person.user_id)
        table = table.add_seat(person.name, person=person)
    for level in request.computers:
        # The name of a host who only watches is nobody else's either.
        taken = {host.name, *table.match.seat_names}
        table = table.add_seat(name_for(Level(level), taken), computer=level)
    rows = (News(Kind.LOBBY), News(Kind.EVENT)) if match.mirrored else (News(Kind.LOBBY),)
    for line in () if request.branch is None else request.branch.lines:
        table = table.with_event(Written(line, secret=False))
    table = table.clocks(lobby_clocks(match, now))
    due = now + SHOWN_WITHIN if request.starts_by is None else now
    return table.with_event(Told(rows, NO_LINES, due=due))


def _branch(request: NewMatch) -> dict[str, Any]:
    """Return the fields of a match that say from where it is played on; none if it isn't."""
    if request.branch is None:
        return {}
    of, seat, lines = request.branch
    copied = Ply(len(lines))
    return {"branch_of": of, "branch_ply": copied, "branch_seat": seat, "ply": copied}


def check(request: NewMatch) -> GameInfo:
    """Return the game's info if the request is valid. Raises NotFound (game) or Refused (players, options)."""
    game = GAMES.get(request.game)
    if game is None:
        raise NotFound("There's no such game.")
    try:
        terms = request.terms
        game.new_initial_state(game.info.min_players if terms.size is None else terms.size, terms.options)
    except ValueError as error:
        raise Refused(str(error)) from error
    if terms.fill_with is not None:
        check_level(request.game, terms.options, terms.size or game.info.min_players, terms.fill_with)
    return game.info


def join(table: Table, person: Person, *, shown: bool = True, anyway: bool = False) -> Table:
    """Sit down, unless the person sits already. The match starts when its agreed size is reached.

    At an appointed table that is full they wait in line. If its time has come, its start is tried anew.

    Unless the caller shows it in the lobby's message itself (`shown`), the porter redraws that; it also makes the
    thread that the lobby owes then. Raises WrongTime, NotAllowed (no seat is free, the host has removed them, or the
    table is for reliable people), TooSoon (barred, or at too many tables), or KeptApart if they haven't said that they
    join `anyway`.
    """
    if table.match.at_table(person.user_id) is not None:
        return table
    table.check_lobby()
    _check_room_or_line(table)
    table.check_welcome(person.user_id)
    table.check_free_to_sit(person.user_id)
    if not anyway and table.avoided_by(person.user_id):
        raise KeptApart("Somebody on your list (`/settings blocked`) is at this table.", table.match.id)
    table = table.using(Deed.JOIN, person.user_id).noticing(person.user_id)
    table = _started_when_full(looked_at(table.add_seat(person.name, person=person).counting("join")))
    return table if shown and not table.match.owes_thread else drawn_anew(table)


def leave(table: Table, user_id: UserId, *, shown: bool = True) -> Table:
    """Leave before the start. If the host leaves, somebody else becomes host; without anybody the table is cancelled.

    Unless the caller shows it in the lobby's message itself (`shown`), the porter redraws that. Raises WrongTime or
    NotSeated.
    """
    table.check_lobby()
    if table.match.host_id != user_id and table.match.at_table(user_id) is None:
        raise NotSeated(NOT_PLAYING)
    table = stand_up(not_coming(table, user_id), user_id)
    return table if shown else table.telling(Kind.LOBBY)


def not_coming(table: Table, user_id: UserId) -> Table:
    """At a table that pledges have made: with a note that this person doesn't play although they said yes."""
    return table if table.match.starts_by is None else table.with_event(Missed(user_id))


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
    return drawn_anew(not_coming(table, by).using(Deed.ARRANGE, by).delete_seat(seat).counting("leave"))


def remove(table: Table, by: UserId, user_id: UserId) -> Table:
    """Remove somebody at the host's request. They can't sit down at this table again. The lobby is redrawn.

    Raises WrongTime, NotAllowed or NotSeated.
    """
    check_host(table, by)
    match = table.match
    if match.at_table(user_id) is None:
        raise NotSeated("That person isn't at this table.")
    if user_id == by:
        raise NotAllowed("That's you: press **Leave** instead.")
    invited = tuple(each for each in match.invited if each != user_id)
    table = table.set(removed=(*match.removed, table.person_hash(user_id)), invited=invited)
    return stand_up(table.using(Deed.ARRANGE, by), user_id).telling(Kind.LOBBY)


def add_computer(table: Table, by: UserId, level: str = Level.EASY) -> Table:
    """Add a computer at the host's request. The lobby is redrawn, or the match starts when its agreed size is reached.

    Raises WrongTime, or NotAllowed (not the host, no seat free, no such level).
    """
    check_host(table, by)
    check_level(table.match.game, table.match.options, table.match.players_with(1), level)
    _check_room(table)
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
    if match.appointed is not None:
        raise NotAllowed("This table starts at its appointed time.")
    if match.size is None:
        raise NotAllowed("No number of players was agreed at this table, so it starts when you press **Start**.")
    table = table.using(Deed.ARRANGE, by).set(host_starts=not match.host_starts)
    return drawn_anew(_started_when_full(table.counting("start") if _starts_now(table) else table))


def switch_rated(table: Table, by: UserId) -> Table:
    """Switch whether the result counts for ratings, at the host's request. The lobby is redrawn.

    Raises WrongTime, or NotAllowed (not the host, or another person has joined: they agreed to what the lobby said).
    """
    check_host(table, by)
    if table.unrated:
        raise NotAllowed("No match on this server changes ratings.")
    if table.match.is_branched:
        raise NotAllowed("A match that's played on from another one is never rated.")
    if any(seat.user_id not in (None, by) for seat in table.match.seats):
        raise NotAllowed("Somebody has joined already, so this can't change any more. You can open another table.")
    return drawn_anew(table.using(Deed.ARRANGE, by).set(rated=not table.match.rated))


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
    _check_ready(table)
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


def started_by_itself(table: Table) -> Table:
    """Start the match of people who had pledged to play, at its time.

    If the lobby isn't posted yet, try again later. If too few people are left, it becomes a lobby like any other.
    """
    match = table.match
    if match.status is not Status.LOBBY or match.starts_by is None:
        return table
    closes_at = match.created_at + LOBBY_STAYS
    if match.lobby_message_id is None:
        again = table.now + max(POSTED_WITHIN, table.now - match.starts_by)
        return table.clocks({Due.LOBBY: closes_at, Due.START: again})
    if len(match.seats) < match.info.min_players or len(match.present) < PEOPLE:
        return table.set(starts_by=None).clocks({Due.LOBBY: closes_at}).telling(Kind.LOBBY)
    after = start_unpressed(table)
    return after if after.match.status is not Status.LOBBY else after.set(starts_by=None)


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
    if match.appointed is not None or not (silent := silence.silent(table)):
        return started(table if what is None else table.counting(what, number))
    if match.asking:
        return table
    seats = (replace(seat, ready=seat in match.present and seat not in silent) for seat in match.seats)
    return silence.asked(table.set(asking=True, seats=tuple(seats)))


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


def rematch(table: Table, person: Person, channel_id: int | None = None, *, in_thread: bool = False) -> NewMatch:
    """Return the request for a rematch: the same people at the same place, or where it was asked for.

    Raises WrongTime before the end, NotSeated for a person who didn't play, and NotAllowed if the match was itself
    played on from another one.
    """
    old = table.match
    if old.status is not Status.OVER:
        raise WrongTime("You can ask for a rematch once the match is over.")
    if old.is_branched:
        raise NotAllowed(
            "This match was played on from another one. Press **Play on again** there, or open a new table."
        )
    watching = old.of_computers and old.host_id == person.user_id
    if old.seat_of(person.user_id) is None and not watching:
        raise NotSeated("You didn't play in this match.")
    people = [seat.user_id for seat in old.seats if seat.user_id is not None]
    same_place = channel_id is None or channel_id == old.channel_id
    terms = replace(
        old.terms,
        size=len(old.seats),
        where=old.where if same_place else Where.CHANNEL,
        invited=tuple(user_id for user_id in people if user_id != person.user_id),
        host_starts=True if old.host_starts else None,
        appointed=None,
        fill_with=None,
    )
    return NewMatch(
        game=old.game,
        channel_id=old.channel_id if channel_id is None else channel_id,
        terms=terms,
        guild_id=old.guild_id,
        rematch_of=old.id,
        in_thread=old.in_thread if same_place else in_thread,
        computers=tuple(seat.computer for seat in old.seats if seat.user_id is None and seat.computer is not None),
        watching=watching,
    )


def _starts_now(table: Table) -> bool:
    """Whether the table is full and starts without its host."""
    match = table.match
    return len(match.seats) == match.size and not match.host_starts and match.appointed is None


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
    table.check_watched()
    if not table.match.is_branched:
        return table.begun(Course.begin(table.match.header))
    if table.course is None:
        raise WrongTime("The match that this one is played on from can't be replayed any more, so it can't start.")
    return table.begun(table.course)


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
    if by != match.host_id and (match.appointed is not None or match.seat_of(by) is None or not silent):
        raise NotAllowed("Only the host can start this table. If they press nothing here for an hour, you all can.")


def _check_room(table: Table) -> None:
    if not table.match.has_room:
        raise NotAllowed("This table is full.")


def _check_room_or_line(table: Table) -> None:
    if table.match.appointed is None:
        _check_room(table)
    elif not table.match.has_room and len(table.match.line) >= IN_LINE:
        raise NotAllowed("This table is full, and so is the line for it.")


def _check_ready(table: Table) -> None:
    """Raise WrongTime or NotAllowed if the host can't start this appointed table yet."""
    match = table.match
    if match.appointed is None:
        return
    if not match.asking:
        minutes = READY_BEFORE // timedelta(minutes=1)
        raise WrongTime(
            f"This table starts at its appointed time. {minutes} minutes before, I ask who's ready. Once everybody is, "
            "you can start it yourself."
        )
    if not all(seat.ready for seat in match.present):
        raise NotAllowed("Not everybody has pressed **I'm ready** yet. The table starts by itself at its time.")


def looked_at(table: Table) -> Table:
    """Look at an appointed table anew if its time has come: perhaps enough people are ready now."""
    match = table.match
    if match.appointed is None or not match.asking or table.now < match.appointed:
        return table
    return table.clocks(lobby_clocks(match, table.now))


def drawn_anew(table: Table) -> Table:
    """Have the lobby redrawn, unless the match has started, which has its own news."""
    return table.telling(Kind.LOBBY) if table.match.status is Status.LOBBY else table
