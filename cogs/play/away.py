"""Going away and coming back: reading how long, and what the person is told (P16)."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final

import discord

from cogs.press.components import Verb, choice
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message, Press, answer, whisper
from cogs.text import words
from matches.api import Match, NotAllowed, UserId

LONGEST: Final = timedelta(days=60)
BACK: Final = "now"
DAY: Final = "%Y-%m-%d"
OFFERS: Final = ("12 hours", "1 day", "2 days", "3 days", "1 week", "2 weeks", BACK)

_UNITS: Final = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_SPAN = re.compile(r"(?P<count>[0-9]{1,3})\s*(?P<unit>h|hours?|d|days?|w|weeks?)")

_DISCORDS_TIME = re.compile(r"<t:(?P<seconds>[0-9]{1,11})(?::[a-z])?>")


async def go(press: Press, until: str) -> None:
    """Pause this person's clocks until the time that they write, and tell their tables. Raises NotAllowed."""
    host, user_id = press.host, press.person
    now = host.now()
    moment = read_until(until, now)
    told = await host.absence.away(user_id, moment)
    sentence = (
        "Welcome back! Your clocks are running again."
        if moment is None
        else f"Your clocks are paused until {discord.utils.format_dt(moment, 'f')}."
    )
    tables = f" I've let {len(told)} table{'' if len(told) == 1 else 's'} know." if told else ""
    shorter = [] if moment is None else _shorter(told, user_id, moment, now)
    await answer(press, Message(words.first_that_fit([f"{sentence}{tables}", *shorter])))


async def _ask(press: Press) -> None:
    """**Away** under **More**: for how long?"""
    offered = {offer: "I'm back" if offer == BACK else offer for offer in OFFERS}
    text = "How long will you be away? Your clocks pause in all your matches, and I'll let your tables know."
    await whisper(press, choice(text, Ref("awayuntil"), offered, "How long?"))


async def _picked(press: Press) -> None:
    if press.picked not in OFFERS:
        raise NotAllowed(words.OUT_OF_DATE)
    await go(press, press.picked)


def _shorter(told: tuple[Match, ...], user_id: UserId, until: datetime, now: datetime) -> list[str]:
    """A line for each of these matches in which the person's clock runs again before they are back."""
    seated = ((match, match.seat_of(user_id)) for match in told)
    return [line for match, seat in seated if seat and (line := words.pauses(match, seat, until, now)) is not None]


def read_until(text: str, now: datetime) -> datetime | None:
    """The moment that somebody means; ``None`` for “now”.

    It reads spans (“3 days”), days (“2030-12-24”: its beginning in UTC) and the times that Discord's clients write
    (``<t:1764547200:R>``, in any style). Raises NotAllowed, with examples that work now.
    """
    wanted = text.strip().casefold()
    if wanted in (BACK, "back"):
        return None
    moment = None
    if (span := _SPAN.fullmatch(wanted)) is not None:
        moment = now + int(span["count"]) * _UNITS[span["unit"][0]]
    elif (time := _DISCORDS_TIME.fullmatch(wanted)) is not None:
        moment = datetime.fromtimestamp(int(time["seconds"]), UTC)
    else:
        with suppress(ValueError):
            moment = datetime.strptime(wanted, DAY).replace(tzinfo=UTC)
    if moment is None:
        day = (now + LONGEST / 2).strftime(DAY)
        raise NotAllowed(f"I didn't understand that: try “3 days”, “12 hours”, a day like “{day}”, or “{BACK}”.")
    if moment <= now:
        raise NotAllowed(f"That moment has passed. If you're back, write “{BACK}”.")
    if moment > now + LONGEST:
        raise NotAllowed(f"You can be away for at most {LONGEST.days} days.")
    return moment


HANDLERS: Final[dict[str, Verb]] = {"away": Verb(_ask), "awayuntil": Verb(_picked, edits=True)}
