"""``/… new at:``, **Another time …** and scheduled events: tables that start at an appointed time (P40).

The decisions are in `matches/appointments/appointed.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from functools import partial
from typing import Any, Final

from cogs.appointments.mirroring import Mirroring
from cogs.commands.slash import Option
from cogs.delivery.gathering import Gathering
from cogs.delivery.hands import Hands
from cogs.face import Face
from cogs.lobby import lobby_buttons
from cogs.press import places, typed_times
from cogs.press.components import Form, Verb, choice, of_match
from cogs.press.custom_ids import Ref, expect
from cogs.press.reply import Message, Press, answer, whisper
from cogs.text import times, words
from matches.api import Kind, Match, NotAllowed, Telling
from matches.appointments import FEATURE, Appointment, Appointments
from matches.computers.levels import Level
from matches.computers.thinking import levels_of
from matches.features import start_of

CALL_OFF: Final = "call off"

_TIMES: Final = partial(typed_times.offer, offers=("1 hour", "3 hours", "1 day", "2 days", "1 week"))
"""What `at` offers, besides what is typed (`cogs/press/typed_times.py`)."""

TERMS: Final = {"at": Option(str, "When it starts: “friday 20:00”, “2 days”, …", _TIMES)}
"""The option of ``/… new``. **Change …** says what happens if too few people are ready."""

WHEN: Final = Form("Another time", "When does the table start?", "friday 20:00, or 2 days (within 60 days)")


_OR_LEAVE: Final = "if you can't come, please leave it: **⋯** in its lobby, or `/match`."


def read(text: str, now: datetime, zone: tzinfo = UTC) -> datetime:
    """Return the moment that somebody in this time zone means, at a full minute. Raises NotAllowed."""
    too_far = f"A table can start at most {times.LONGEST.days} days from now."
    moment = times.read_time(text, now, zone, too_far=too_far, instead="a time as Discord writes it: type “@time”")
    return datetime.fromtimestamp(-(-moment.timestamp() // 60) * 60, UTC)


async def agreed(press: Press, given: Mapping[str, Any]) -> Appointment | None:
    """Return what somebody has chosen about a new table, ``None`` if it has no time. Raises NotAllowed."""
    at = given.get("at")
    return None if at is None else await _appointed(press, at)


async def _appointed(press: Press, at: str) -> Appointment:
    await places.playable(press)
    when = await typed_times.understood(press, "at", at, read)
    # Everybody on the server would see the event.
    channel_id, allowed = press.interaction.channel_id, press.interaction.app_permissions.create_events
    mirrored = channel_id is not None and allowed and await places.is_open(press, channel_id)
    return Appointment(appointed=when, fill_with=None, mirrored=mirrored)


async def again(press: Press, match: Match) -> None:
    """**Another time**: somebody writes when the same people play again, and invites them to that table."""
    press.promise.settles = bool(press.ref.path)
    await lobby_buttons.rematch(press, match, {FEATURE.key: await _appointed(press, press.written)})


async def ask_missing(press: Press, match: Match) -> None:
    """**If too few come …**: the host picks what happens then."""
    if match.host_id != press.person:
        raise NotAllowed("Only the host can decide that.")
    offered = {CALL_OFF: "Call the table off"}
    levels = levels_of(match.game, match.options, match.players_with(0))
    offered |= {level.value: f"Computers take the seats: {level}" for level in levels}
    text = f"{words.title(match)}: what if too few people are ready at its time?"
    await whisper(press, choice(text, Ref("missingpick", match.id), offered, "If too few come …"))


async def choose_missing(press: Press, match: Match) -> None:
    """The host has picked what happens to missing seats."""
    expect(press.picked == CALL_OFF or press.picked in set(Level))
    level = None if press.picked == CALL_OFF else press.picked
    after = await press.host.part(Appointments).fill_with(press.once(match.id), press.person, level)
    start = start_of(after)
    await answer(press, Message(f"{words.title(after)}: {start.missing if start is not None else ''}"))


async def reschedule(press: Press, match: Match) -> None:
    """**Another time …**: the host writes when the table starts, and everybody else is told."""
    when = await typed_times.understood(press, "at", press.written, read)
    after = await press.host.part(Appointments).reschedule(press.once(match.id), press.person, when)
    others = any(seat.user_id not in (None, press.person) for seat in after.everybody)
    told = " I'm telling the others." if others else ""
    await answer(press, Message(f"{words.title(after)} now starts {words.moment(when)}.{told}"))


async def tell(hands: Hands, row: Telling, match: Match) -> None:
    """Tell everybody but the host that the table has another time, if that rings: nothing has changed otherwise."""
    start = start_of(match)
    if start is None or not row.rings:
        return
    others = [seat for seat in match.everybody if seat.user_id != match.host_id]
    said = f"has another time: {words.moment(start.at)}."
    everybody = ", ".join(f"<@{seat.user_id}>" for seat in others if seat.user_id is not None)
    post = Message(f"{words.title(match)} {said} {everybody}, {_OR_LEAVE}")
    leave = f"You keep your seat. {_OR_LEAVE[0].upper()}{_OR_LEAVE[1:]}"
    dm = Message(f"{words.title(match)} ({words.link(match)}) {said} {leave}")
    await Gathering(hands.bot, hands.posting).call(row, match, others, post, dm)
    await hands.bot.host.part(Appointments).note_told(match.id)


HANDLERS: Final[dict[str, Verb]] = {
    "anothertime": of_match(again, form=WHEN),
    "reschedule": of_match(reschedule, edits=True, form=WHEN),
    "missing": of_match(ask_missing),
    "missingpick": of_match(choose_missing, edits=True),
}


FACE: Final = Face(
    verbs=HANDLERS,
    terms=TERMS,
    agreed=agreed,
    posts={
        Kind.EVENT: lambda hands, row, match: Mirroring(hands.bot).tell(row, match),
        Kind.RESCHEDULED: tell,
    },
    left_out="It doesn't start at a certain time any more: that isn't offered here now. Its host can start it.",
    heard={
        "event_changed": lambda bot, event, deleted: Mirroring(bot).changed(event, deleted=deleted),
        "servers_ready": lambda bot, here: Mirroring(bot).notice(here),
    },
)
