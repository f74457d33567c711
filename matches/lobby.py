"""Before a match: the lobby opens, fills and starts, or is closed (P1-P3, P11)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final

from db import Connection, Database, deadlines, outbox, presses
from db import matches as queries
from games import GAMES
from matches import fair, stored
from matches.clock import Clock
from matches.computers import Level, name_for
from matches.desk import Desk
from matches.errors import NotAllowed, NotFound, NotSeated, Refused, WrongTime
from matches.records import Due, Ended, Kind, Match, NewMatch, Person, Status, Where
from matches.sitting import LOBBY_STAYS, Sitting

SHOWN_WITHIN: Final = timedelta(seconds=30)
"""After this time a lobby whose message nobody has noted is told like anything else: its bot may have died."""


class Lobbies(Desk):
    """The part of the host that looks after lobbies.

    An `interaction_id` that has changed a lobby before changes nothing.
    """

    def __init__(self, database: Database, clock: Clock, entropy: Callable[[int], bytes]) -> None:
        super().__init__(database, clock)
        self._entropy = entropy

    async def open(self, request: NewMatch, host: Person, interaction_id: int | None = None) -> Match:
        """Open a lobby; the host sits down at once. An interaction that has opened one before opens no other.

        Raises NotFound (game) or Refused (players, options).
        """
        game = GAMES.get(request.game)
        if game is None:
            raise NotFound("There is no such game.")
        info = game.info
        try:
            game.new_initial_state(info.min_players if request.size is None else request.size, request.options)
        except ValueError as error:
            raise Refused(str(error)) from error
        async with self._transaction() as connection:
            known = None if interaction_id is None else await presses.match_of(connection, interaction_id)
            if known is not None:
                return (await stored.read(connection, known)).match
            match = await self._open(connection, request, host)
            if interaction_id is not None:
                await presses.note(connection, interaction_id, match.id)
            return match

    async def _open(
        self,
        connection: Connection,
        request: NewMatch,
        host: Person,
        computers: Sequence[Level] = (),
        *,
        watching: bool = False,
    ) -> Match:
        """Write a lobby with its host, unless he is only watching, and computers of these levels at the table."""
        info = GAMES[request.game].info
        fixed = info.max_players if info.min_players == info.max_players else None
        now = self._clock.now()
        seed = self._entropy(fair.SEED_BYTES)
        match_id = await queries.insert_match(
            connection,
            game=request.game,
            options={option.name: option.default for option in info.options} | dict(request.options),
            rules_version=info.rules_version,
            status=Status.LOBBY,
            host_id=host.user_id,
            guild_id=request.guild_id,
            channel_id=request.channel_id,
            seed=seed,
            commitment="",
            pace=request.pace,
            setting=request.where,
            size=fixed if request.size is None else request.size,
            invited=list(request.invited),
            created_at=now,
            rematch_of=request.rematch_of,
            in_thread=request.in_thread,
        )
        await queries.update_match(connection, match_id, commitment=fair.commitment(seed, match_id))
        if not watching:
            await queries.insert_seat(connection, match_id, position=0, user_id=host.user_id, name=host.name)
        names = {host.name}
        for position, level in enumerate(computers, 1):
            name = name_for(level, names)
            names.add(name)
            await queries.insert_seat(connection, match_id, position=position, name=name, computer=level)
        due: dict[str, datetime] = {Due.LOBBY: now + LOBBY_STAYS}
        await deadlines.replace(connection, match_id, request.guild_id, 0, due, [Due.LOBBY])
        rows = [outbox.News(Kind.LOBBY)]
        await outbox.put(connection, match_id, request.guild_id, 0, rows, now, due=now + SHOWN_WITHIN)
        return (await stored.read(connection, match_id)).match

    async def join(
        self, match_id: int, person: Person, interaction_id: int | None = None, *, shown: bool = True
    ) -> Match:
        """Sit down (nothing happens to who sits already); the match starts when its wanted size is reached.

        Where the lobby's message does not show it by itself (`shown`) it is drawn anew. Raises WrongTime, or NotAllowed
        where no seat is free.
        """
        async with self._sitting(match_id) as sitting:
            if not await sitting.pressed(interaction_id) and sitting.match.seat_of(person.user_id) is None:
                sitting.lobby()
                await _sit_down(sitting, person.name, user_id=person.user_id)
                if not shown and sitting.match.status is Status.LOBBY:
                    await sitting.tell(Kind.LOBBY)
        return sitting.match

    async def leave(
        self, match_id: int, user_id: int, interaction_id: int | None = None, *, shown: bool = True
    ) -> Match:
        """Stand up before the start. The host hands the table on; a table without people is cancelled.

        Where the lobby's message does not show it by itself (`shown`) it is drawn anew. Raises WrongTime or NotSeated.
        """
        async with self._sitting(match_id) as sitting:
            sitting.lobby()
            if not await sitting.pressed(interaction_id):
                if sitting.match.host_id != user_id:
                    sitting.seated(user_id)
                await stand_up(sitting, user_id)
                if not shown:
                    await sitting.tell(Kind.LOBBY)
        return sitting.match

    async def watch(self, match_id: int, by: int, interaction_id: int | None = None) -> Match:
        """The host gives up his seat and stays: so computers can play each other, with one person watching.

        Nothing happens to a host who has no seat already. Raises WrongTime or NotAllowed.
        """
        async with self._sitting(match_id) as sitting:
            _host_only(sitting, by)
            seat = sitting.match.seat_of(by)
            if seat is not None and not await sitting.pressed(interaction_id):
                await sitting.delete_seat(seat)
        return sitting.match

    async def remove(self, match_id: int, by: int, user_id: int, interaction_id: int | None = None) -> Match:
        """The host removes somebody before the start; the lobby is drawn anew.

        Raises WrongTime, NotAllowed or NotSeated.
        """
        async with self._sitting(match_id) as sitting:
            _host_only(sitting, by)
            if not await sitting.pressed(interaction_id):
                if sitting.match.seat_of(user_id) is None:
                    raise NotSeated("This person does not sit at the table.")
                await stand_up(sitting, user_id)
                await sitting.tell(Kind.LOBBY)
        return sitting.match

    async def add_computer(
        self, match_id: int, by: int, level: str = Level.NORMAL, interaction_id: int | None = None
    ) -> Match:
        """The host adds a computer player; the lobby is drawn anew, the match starts when its wanted size is reached.

        Raises WrongTime, or NotAllowed (not the host, no seat free, no such level).
        """
        async with self._sitting(match_id) as sitting:
            _host_only(sitting, by)
            if not await sitting.pressed(interaction_id):
                await _add_computer(sitting, level)
                if sitting.match.status is Status.LOBBY:
                    await sitting.tell(Kind.LOBBY)
        return sitting.match

    async def remove_computer(self, match_id: int, by: int, interaction_id: int | None = None) -> Match:
        """The host removes the computer player added last; the lobby is drawn anew.

        Raises WrongTime, NotAllowed or NotSeated.
        """
        async with self._sitting(match_id) as sitting:
            _host_only(sitting, by)
            if not await sitting.pressed(interaction_id):
                seats = [seat for seat in sitting.match.seats if seat.user_id is None]
                if not seats:
                    raise NotSeated("No computer sits at the table.")
                await sitting.delete_seat(seats[-1])
                await sitting.tell(Kind.LOBBY)
        return sitting.match

    async def start(self, match_id: int, by: int) -> Match:
        """The host starts: seats are drawn from the seed, the lines up to the first decision are written.

        Raises WrongTime, NotAllowed, or Refused for too few players.
        """
        async with self._sitting(match_id) as sitting:
            _host_only(sitting, by)
            info = sitting.match.info
            if len(sitting.match.seats) < info.min_players:
                raise Refused(f"{info.name} needs at least {info.min_players} players.")
            await sitting.start()
        return sitting.match

    async def rematch(
        self, match_id: int, person: Person, channel_id: int | None = None, *, in_thread: bool = False
    ) -> Match:
        """A new lobby for the same people at the same place, or in the channel (or thread) where it is asked for.

        Whoever asks after the first joins that one's lobby, which is drawn anew. A new one that computers fill starts
        by `start_when_full`, once it is shown.

        Raises WrongTime before the end, NotSeated for who did not play.
        """
        async with self._sitting(match_id) as sitting:
            old = sitting.match
            if old.status is not Status.OVER:
                raise WrongTime("A rematch is for a match that is over.")
            watching = old.of_computers and old.host_id == person.user_id
            if old.seat_of(person.user_id) is None and not watching:
                raise NotSeated("You did not play in this match.")
            made = await queries.rematches(sitting.connection, match_id, (Status.LOBBY, Status.RUNNING))
            if made:
                new_id = made[0]
            else:
                people = [seat.user_id for seat in old.seats if seat.user_id is not None]
                request = NewMatch(
                    game=old.game,
                    options=old.options,
                    size=len(old.seats),
                    pace=old.pace,
                    where=old.where if channel_id in (None, old.channel_id) else Where.CHANNEL,
                    guild_id=old.guild_id,
                    channel_id=old.channel_id if channel_id is None else channel_id,
                    invited=tuple(user_id for user_id in people if user_id != person.user_id),
                    rematch_of=old.id,
                    in_thread=old.in_thread if channel_id in (None, old.channel_id) else in_thread,
                )
                computers = [
                    Level(seat.computer) for seat in old.seats if seat.user_id is None and seat.computer is not None
                ]
                new_id = (await self._open(sitting.connection, request, person, computers, watching=watching)).id
        if made and not watching:
            return await self.join(new_id, person, shown=False)
        async with self._reading() as connection:
            return (await stored.read(connection, new_id)).match

    async def start_when_full(self, match_id: int) -> Match:
        """A table that was full when its lobby opened starts now, since the lobby is shown. Raises NotFound."""
        async with self._sitting(match_id) as sitting:
            await _start_when_full(sitting)
        return sitting.match


async def _sit_down(sitting: Sitting, name: str, **values: object) -> None:
    """A new last seat; a full table starts."""
    match = sitting.match
    if len(match.seats) >= (match.size or match.info.max_players):
        raise NotAllowed("The table is full.")
    await sitting.add_seat(name, **values)
    await _start_when_full(sitting)


async def _start_when_full(sitting: Sitting) -> None:
    if sitting.match.status is Status.LOBBY and len(sitting.match.seats) == sitting.match.size:
        await sitting.start()


async def _add_computer(sitting: Sitting, level: str) -> None:
    if level not in list(Level):
        raise NotAllowed("There is no such level: computer players are easy, normal or hard.")
    name = name_for(Level(level), {seat.name for seat in sitting.match.seats})
    await _sit_down(sitting, name, computer=level)


async def stand_up(sitting: Sitting, user_id: int) -> None:
    """A person leaves a lobby; a host, seated or watching, hands the table on, and one without people is closed."""
    seat = sitting.match.seat_of(user_id)
    if seat is not None:
        await sitting.delete_seat(seat)
    if sitting.match.host_id == user_id:
        left = sitting.match.present
        if left:
            sitting.set(host_id=left[0].user_id)
        else:
            sitting.end(Ended.HOST)


def _host_only(sitting: Sitting, by: int) -> None:
    sitting.lobby()
    if sitting.match.host_id != by:
        raise NotAllowed("Only the host of this table may do that.")
