"""Going away and coming back: reading how long, and what the person is told (P16)."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from typing import Final

import discord

from cogs.press import typed_times
from cogs.press.components import Form, Verb, choice
from cogs.press.custom_ids import TYPED, Ref
from cogs.press.reply import Message, Press, answer, whisper
from cogs.text import words
from cogs.text.times import LONGEST, read_time
from matches.api import Match, UserId

BACK: Final = "now"
OFFERS: Final = ("12 hours", "1 day", "2 days", "3 days", "1 week", "2 weeks", BACK)


async def _go(press: Press) -> None:
    """Pause this person's clocks until the time that they pick or write, and tell their tables. Raises NotAllowed."""
    host, user_id = press.host, press.person
    now = host.now()
    moment = await typed_times.understood(press, "until", press.written, read_until)
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
    """**Away** behind **⋯**: for how long?"""
    offered = {offer: "I'm back" if offer == BACK else offer for offer in OFFERS} | {TYPED: "Another time …"}
    text = "How long will you be away? Your clocks pause in all your matches, and I'll let your tables know."
    await whisper(press, choice(text, Ref("awayuntil"), offered, "How long?"))


def _shorter(told: tuple[Match, ...], user_id: UserId, until: datetime, now: datetime) -> list[str]:
    """A line for each of these matches in which the person's clock runs again before they are back."""
    seated = ((match, match.seat_of(user_id)) for match in told)
    return [line for match, seat in seated if seat and (line := words.pauses(match, seat, until, now)) is not None]


def read_until(text: str, now: datetime, zone: tzinfo = UTC) -> datetime | None:
    """The moment that somebody in this time zone means; ``None`` for “now”.

    Raises NotAllowed, with examples that work now.
    """
    if text.strip().casefold() in (BACK, "back"):
        return None
    too_far = f"You can be away for at most {LONGEST.days} days."
    return read_time(text, now, zone, too_far=too_far, passed=f" If you're back, write “{BACK}”.", instead=f"“{BACK}”")


WHEN: Final = Form("Away", "How long, or until when?", "3 days, or friday 8pm (within 60 days)")
HANDLERS: Final[dict[str, Verb]] = {"away": Verb(_ask), "awayuntil": Verb(_go, edits=True, form=WHEN)}
