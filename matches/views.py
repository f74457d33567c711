"""What is shown: a match, its position and its log as one viewer may see them."""

from __future__ import annotations

from typing import Any

from db import matches as queries
from db import settings
from db.settings import PlayerSettings
from games.core import Played, State
from games.log import HOST, Line, LogError
from matches import stored
from matches.course import Course, outcome_of
from matches.desk import Desk
from matches.errors import Frozen, WrongTime
from matches.records import Match, Status
from matches.seen import View

_BEGUN = (Status.RUNNING, Status.OVER)
_OPEN = (Status.LOBBY, Status.RUNNING, Status.FROZEN)
_MANY = 1000


class Views(Desk):
    """The part of the host that answers what is the case; it changes nothing (but for freezing what cannot go on)."""

    async def match(self, match_id: int) -> Match:
        """The match as it stands. Raises NotFound."""
        async with self._reading() as connection:
            return (await stored.read(connection, match_id)).match

    async def view(self, of: int | Match, user_id: int | None) -> View:
        """The position as this person may see it; a spectator's for who has no seat or ``None``.

        `of` is the number of a match, or a match as it was just read or stored: where its position is in memory the
        view is of that moment and asks nothing of the store, else it is of now. Raises NotFound, Frozen, and
        WrongTime before the start.
        """
        match, course = await self._position(of)
        seat = match.seat_of(user_id)
        viewer = None if seat is None else seat.seat
        state = course.state
        return View(
            match=match,
            seat=viewer,
            ply=course.ply,
            observation=state.observation(viewer),
            to_move=match.to_move,
            stage=state.stage,
            outcome=outcome_of(match, state),
            settings=await self._settings(user_id) if seat is None else seat.settings,
            _state=state,
        )

    async def matches_of(self, user_id: int) -> tuple[Match, ...]:
        """This person's matches that are not over: those that wait for him first, then the newest first."""
        async with self._reading() as connection:
            found = await stored.read_all(connection, await queries.open_of(connection, user_id, _OPEN, _MANY))
        playing = [match for match in found if not _has_left(match, user_id)]
        return tuple(sorted(playing, key=lambda match: not match.waits_for(user_id)))

    async def matches_in(self, place_id: int) -> tuple[Match, ...]:
        """The lobbies and running matches of a channel or thread, newest first."""
        async with self._reading() as connection:
            found = await queries.matches_in(connection, place_id, (Status.LOBBY, Status.RUNNING))
            return await stored.read_all(connection, found)

    async def recent(self, user_id: int, limit: int = 25) -> tuple[Match, ...]:
        """This person's finished matches, the latest first."""
        async with self._reading() as connection:
            return await stored.read_all(connection, await queries.ended_of(connection, user_id, Status.OVER, limit))

    async def _settings(self, user_id: int | None) -> PlayerSettings | None:
        if user_id is None:
            return None
        async with self._reading() as connection:
            return await settings.player_settings(connection, user_id)

    async def _position(self, of: int | Match) -> tuple[Match, Course]:
        """A match that has begun, with its position. Raises Frozen and WrongTime."""
        if isinstance(of, Match):
            _check_begun(of)
            known = self._courses.get(of.id)
            if known is not None and known.ply == of.ply:
                self._keep(of.id, known)
                return of, known
            of = of.id
        match, course, _ = await self._shown(of)
        return match, course

    async def _shown(self, match_id: int, *, with_lines: bool = False) -> tuple[Match, Course, list[Line]]:
        """A match that has begun, with its position (and all lines where wanted), of one moment."""
        try:
            found = await self._begun(match_id, with_lines=with_lines)
        except (Frozen, LogError) as error:
            # Whether it stands still is decided, and stored, in a transaction of its own.
            async with self._sitting(match_id) as sitting:
                if sitting.match.status is Status.OVER:
                    raise Frozen(f"This match cannot be shown any more. {error}") from error
                sitting.running()
            found = await self._begun(match_id, with_lines=with_lines)
        self._keep(match_id, found[1])
        return found

    async def _begun(self, match_id: int, *, with_lines: bool) -> tuple[Match, Course, list[Line]]:
        async with self._reading() as connection:
            match = (await stored.read(connection, match_id)).match
            _check_begun(match)
            behind = await self._behind(connection, match)
            rows = await queries.lines(connection, match_id) if with_lines else []
        return match, await self._course(match, behind), [Line(*row) for row in rows]


def seen_of(viewer: int | None, line: Line, state: State[Any], *, over: bool = False) -> Played[Any] | None:
    """What this viewer may see of a line, all of it once the match is `over`; `state` stands somewhere after it.

    ``None`` for an event of the host's own, which is no action.
    """
    if line.player == HOST:
        return None
    action = state.string_to_action(line.player, line.text)
    return Played(line.player, action if over else state.seen_by(viewer, line.player, action))


def _check_begun(match: Match) -> None:
    """Raises Frozen, and WrongTime before the start."""
    if match.status is Status.FROZEN:
        raise Frozen(match.reason or "")
    if match.status not in _BEGUN:
        raise WrongTime("This match has not begun." if match.status is Status.LOBBY else "This lobby is closed.")


def _has_left(match: Match, user_id: int) -> bool:
    seat = match.seat_of(user_id)
    return seat is None or seat.resigned
