"""Times that people type: what was understood is shown to them, in their time zone, before it counts.

A span (“3 days”) and Discord's own times mean the same everywhere, so they count at once. For anything else the option
offers what it means while it's typed. Whoever types on is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, tzinfo
from typing import Final, TypeVar

from discord.utils import format_dt

from cogs.press import components
from cogs.press.asking_again import again
from cogs.press.components import choice
from cogs.press.custom_ids import Ref
from cogs.press.reply import Instead, Message, Press
from cogs.text.names import in_message
from cogs.text.times import needs_zone, read_time
from matches.api import NotAllowed
from matches.records import quiet

ZONES: Final = (
    *("Etc/UTC", "Europe/London", "Europe/Berlin", "Europe/Athens", "America/New_York", "America/Chicago"),
    *("America/Denver", "America/Los_Angeles", "America/Sao_Paulo", "Asia/Kolkata", "Asia/Tokyo", "Australia/Sydney"),
)
"""The time zones that menus offer. `quiet.UTC`, which isn't among them, is stored for people who haven't chosen."""

WHICH_ZONE: Final = (
    "Which time zone do you live in? Write the time again after that. `/settings me zone:` has all zones."
)

_READ: Final = 60
"""The longest text that is shown again, in characters."""

Moment = TypeVar("Moment", datetime, datetime | None)


async def understood(press: Press, option: str, text: str, read: Callable[[str, datetime, tzinfo], Moment]) -> Moment:
    """Return the moment that somebody has typed in this option of a command, by `read`. Raises its NotAllowed.

    Raises Instead with a question first: for their time zone, if that matters and isn't known, or whether the text was
    understood. The button that says yes gives the command again, with the time as Discord writes it.
    """
    now, chosen = press.host.now(), await press.host.settings.player_settings(press.person)
    moment = read(text, now, quiet.zone_named(chosen.zone))
    if moment is None or not needs_zone(text):
        return moment
    if chosen.zone == quiet.UTC:
        offered = {zone: zone.removeprefix("Etc/").replace("_", " ") for zone in ZONES}
        raise Instead(choice(WHICH_ZONE, Ref("setme", path=("zone",)), offered, "Time zone"))
    when = format_dt(moment, "F")
    ref = again(press, **{option: when})
    said = f"“{in_message(text[:_READ])}” is {when} ({format_dt(moment, 'R')})."
    if ref is None:
        raise Instead(Message(f"{said} If that's right, write `{when}` there, or pick the time while you type."))
    yes = components.button(ref, "Yes, then", components.Style.success)
    raise Instead(Message(f"{said} Is that right? If not, write it in another way.", view=components.view(yes)))


async def offer(press: Press, current: str, offers: Iterable[str]) -> list[tuple[str, str]]:
    """Return what an option for a time offers: what the text means in the writer's time zone, and fitting `offers`."""
    typed = current.casefold().strip()
    fitting = [(each, each) for each in offers if typed in each]
    name = (await press.host.settings.player_settings(press.person)).zone
    # Whoever hasn't chosen a zone is asked for it once they send a time that depends on it.
    if not typed or name == quiet.UTC or not needs_zone(typed):
        return fitting
    zone = quiet.zone_named(name)
    try:
        moment = read_time(typed, press.host.now(), zone, too_far="")
    except NotAllowed:
        return fitting
    shown = f"{moment.astimezone(zone):%a %d %b %Y, %H:%M} · {name.replace('_', ' ')}"
    return [(shown, format_dt(moment, "F")), *fitting]
