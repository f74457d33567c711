"""Decisions about a table that opens: what may be asked for, and what a rematch is (P1-P3, P11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from db.matches.outbox import News
from db.model.columns import values_of
from db.model.enums import Kind, Status, Where
from db.model.ids import NO_LINES, MatchId, Ply
from db.model.rows import Agreed, Conditions, Details, Hidden
from games import GAMES
from games.core import GameInfo
from matches.computers.levels import Level, name_for
from matches.errors import NotAllowed, NotFound, NotSeated, WrongTime
from matches.records import fair
from matches.records.match import Match
from matches.records.requests import NewMatch, Person
from matches.records.seat import Known
from matches.table.events import Told, Written
from matches.table.feature import Feature
from matches.table.limits import Deed
from matches.table.lobby import agreed_size, check_players, check_room
from matches.table.standing import NO_STANDING, Standing
from matches.table.value import Table

SHOWN_WITHIN: Final = timedelta(seconds=30)
"""After this time the porter posts a lobby whose message nobody has noted. Its process may have died."""


def opened(
    request: NewMatch,
    host: Person,
    seed: bytes,
    now: datetime,
    known: Mapping[int, Known],
    stranger: Known,
    standing: Standing = NO_STANDING,
    features: tuple[Feature[Table], ...] = (),
    *,
    first_here: bool = False,
) -> Table:
    """Return a new lobby, without a number yet. The host sits down unless they only watch, and so do the `seated`.

    `standing` is that of the host and of the others. `first_here`: the store has no other match of its server. If the
    lobby is unowned, nobody pressed for it: it uses nobody's allowance, and the porter posts it at once.

    Raises NotFound (game), Refused (players, options), and TooSoon or NotAllowed as `join` does, for any of the people.
    """
    info, terms = check(request), request.terms
    terms = replace(
        terms,
        options={option.name: option.default for option in info.options} | dict(terms.options),
        size=agreed_size(info, terms.size),
        host_starts=bool(terms.host_starts),
        rated=terms.rated and request.branch is None,
    )
    match = Match(
        **values_of(terms, Agreed),
        id=MatchId(0),
        game=request.game,
        rules_version=info.rules_version,
        status=Status.LOBBY,
        host_id=host.user_id,
        guild_id=request.guild_id,
        channel_id=request.channel_id,
        in_thread=request.in_thread,
        shown=request.shown,
        lobby_message_id=request.lobby_message_id,
        **_branch(request),
    )
    details = Details(
        **values_of(terms, Conditions),
        created_at=now,
        first_here=first_here,
        rematch_of=request.rematch_of,
        scheme=fair.SCHEME,
    )
    about: dict[str, Any] = {"known": known, "stranger": stranger, "standing": standing, "features": features}
    table = Table(match, now, details, Hidden(seed=seed), **about, press=request.interaction_id)
    table.check_free_to_sit(host.user_id)
    if table.unowned is None:
        table = table.using(Deed.OPEN, host.user_id).using(Deed.INVITE, host.user_id, len(terms.invited))
    for feature in features:
        table = feature.opens(table)
    if not request.watching:
        table = table.add_seat(host.name, person=host)
    for person in request.seated:
        check_room(table)
        table.check_free_to_sit(person.user_id)
        table = table.add_seat(person.name, person=person)
    for level in request.computers:
        # The name of a host who only watches is nobody else's either.
        taken = {host.name, *table.match.seat_names}
        table = table.add_seat(name_for(Level(level), taken), computer=level)
    for line in () if request.branch is None else request.branch.lines:
        table = table.with_event(Written(line, secret=False))
    due = now + SHOWN_WITHIN if table.unowned is None else now
    table = table.waits_to_start().with_event(Told((News(Kind.LOBBY),), NO_LINES, due=due))
    for feature in features:
        table = feature.announced(table, None)
    return table


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
    check_players(request.game, request.terms.size, request.terms.options)
    return game.info


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
        table.terms,
        size=len(old.seats),
        where=old.where if same_place else Where.CHANNEL,
        invited=tuple(user_id for user_id in people if user_id != person.user_id),
        host_starts=True if table.details.host_starts else None,
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
