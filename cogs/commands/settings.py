"""``/settings``: what a server and what a person can choose (P19).

The commands over `matches/host/settings.py`; the queries are in `db/people/settings.py`. `setting_pages` draws the
pages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from cogs.commands import apart, bars
from cogs.commands.setting_pages import Book, Choice, Keep, Setting, Shown
from cogs.commands.slash import Choices, Command, Group
from cogs.lobby.lobby_picture import PACES
from cogs.post import dms
from cogs.press import places, rights
from cogs.press.components import Verb
from cogs.press.custom_ids import is_id
from cogs.press.reply import Message, Press
from cogs.press.typed_times import ZONES
from matches.api import (
    Boards,
    Cancellers,
    Dm,
    LastLook,
    NotAllowed,
    Pace,
    Ping,
    PlayerSettings,
    Private,
    Where,
)
from matches.records import quiet
from render.grammar import counted

_CHANNEL = re.compile(r"<#([0-9]{15,20})>")
MAX_CHANNELS: Final = 50
ALL: Final = "all"
NONE: Final = "none"
ANY: Final = "any"
_NIGHTS: Final = {
    "22-8": "a long night",
    "23-7": "the night",
    "0-9": "the night, and a late morning",
    "8-17": "the day",
}
NEW_SEASON: Final = "new season"

_BY_DM: Final = (Ping.DM, Ping.BOTH)
_WHO_CANCELS: Final = "moderators (Manage Messages) who don't play in it, or a majority of the players"
_SAME_SEASON: Final = "Nobody has played in this season yet, so it continues."


def channels_in(text: str) -> list[int]:
    """The channels that a text mentions."""
    return [int(channel) for channel in filter(is_id, _CHANNEL.findall(text))]


def read_channels(text: str) -> tuple[int, ...] | None:
    """The channels that a text names; ``None`` for all. Raises NotAllowed."""
    wanted = text.strip().casefold()
    if wanted in (ALL, NONE):
        return None if wanted == ALL else ()
    found = tuple(dict.fromkeys(channels_in(text)))
    if not found:
        raise NotAllowed("I couldn't tell which channels you mean: mention them like #games, or write “all” or “none”.")
    if len(found) > MAX_CHANNELS:
        raise NotAllowed(f"You can name at most {MAX_CHANNELS} channels; “all” means every one.")
    return found


def read_quiet(text: str) -> str | None:
    """The quiet hours that a text names, ``None`` for none. Raises NotAllowed."""
    if text.strip().casefold() == NONE:
        return None
    try:
        return quiet.read(text)
    except ValueError as error:
        raise NotAllowed("I couldn't read that: write full hours, like “22-8”, or “none”.") from error


def read_zone(text: str) -> str:
    """The time zone that a text names. Raises NotAllowed."""
    wanted = text.strip().replace(" ", "_").casefold().removeprefix("etc/")
    zone = {each.casefold().removeprefix("etc/"): each for each in quiet.zones()}.get(wanted)
    if zone is None:
        raise NotAllowed("I don't know that time zone: pick one that's offered, like “Europe/Berlin”.")
    return zone


async def _offer_zones(press: Press, current: str) -> Choices:
    typed = current.casefold().strip().replace(" ", "_")
    return [(zone, zone) for zone in quiet.zones() if typed in zone.casefold()]


_OF_SERVERS: Final = {
    "where": Setting(
        "Where matches are played",
        "By default, matches are played {}.",
        "where",
        (
            Choice("channel", "In the channel", Where.CHANNEL, "in the channel"),
            Choice("thread", "In a thread", Where.THREAD, "in a thread of their own"),
        ),
    ),
    "pace": Setting(
        "Time per turn",
        "By default, a match has {}.",
        "pace",
        (
            Choice("live", "5 minutes", Pace.LIVE, PACES[Pace.LIVE], "for matches in one sitting"),
            Choice("day", "24 hours", Pace.DAY, PACES[Pace.DAY], "for matches over some days"),
            Choice("slow", "3 days", Pace.SLOW, PACES[Pace.SLOW], "for people with little time"),
            Choice("none", "No limit", Pace.NONE, PACES[Pace.NONE], "nobody is reminded"),
        ),
    ),
    "boards": Setting(
        "Boards",
        "A match has {}.",
        "boards",
        (
            Choice(
                "each turn", "A new post each turn", Boards.EACH, "a new post each turn", "the channel shows it all"
            ),
            Choice(
                "one board",
                "One board, edited",
                Boards.ONE,
                "one board, edited",
                "a short post calls the player whose turn it is, and goes when they've moved",
            ),
        ),
    ),
    "channels": Setting(
        "Channels for matches",
        "Matches can be started in: {}",
        "channels",
        (
            Choice(ALL, "Every channel", None, "every channel", "wherever I may write"),
            Choice(NONE, "No channel", (), "no channel", "no new matches; running ones go on"),
        ),
        "Channels where matches can be started: mention them, or write “all” or “none”.",
        read_channels,
        channels=MAX_CHANNELS,
    ),
    "cancel": Setting(
        "Who can end a match",
        "A running match can be ended by: {}",
        "who_cancels",
        (
            Choice("moderators", "Moderators", Cancellers.MODERATORS, _WHO_CANCELS),
            Choice(
                "hosts",
                "Moderators and hosts",
                Cancellers.HOSTS,
                f"{_WHO_CANCELS}; if it isn't rated, also its host (it then counts as not finished for them)",
            ),
        ),
    ),
    "private": Setting(
        "Hands and roles",
        "People get their hands and roles {}",
        "private",
        (
            Choice("dm", "By DM", Private.DM, "by direct message", "by direct message, and **My hand** shows them"),
            Choice(
                "button",
                "By button first",
                Private.BUTTON,
                "by button first; by direct message to people who choose that with `/settings me`",
            ),
        ),
    ),
    "ratings": Setting(
        "Ratings",
        "Ratings: {}",
        "unrated",
        (
            Choice("on", "On", False, "on", "matches count, unless their host says otherwise"),
            Choice("off", "Off", True, "off, so no match counts"),
            Choice(
                NEW_SEASON,
                "New season",
                False,
                "on",
                "everybody starts over; earlier seasons stay readable",
                "**Start a new season?** Everybody's ratings on this server start over. Earlier seasons stay "
                "readable, but you can't go back to them.",
            ),
        ),
    ),
}
_OF_PEOPLE: Final = {
    "ping": Setting(
        "When it's your turn",
        "When it's your turn, {}.",
        "ping",
        (
            Choice("mention", "Mention me", Ping.MENTION, "the board mentions you"),
            Choice("dm", "Send me a DM", Ping.DM, "you get a DM instead of a mention"),
            Choice("both", "Do both", Ping.BOTH, "you get a mention and a DM"),
            Choice("none", "Don't notify me", Ping.NONE, "you aren't notified"),
        ),
    ),
    "private": Setting(
        "Your hands and roles",
        "You get your hands and roles {}.",
        "private",
        (
            Choice("server", "As the server says", Private.SERVER, "as this server has set it"),
            Choice("dm", "By DM", Private.DM, "by direct message", "by direct message, and **My hand** shows them"),
            Choice("button", "Only by button", Private.BUTTON, "only by button, never by direct message"),
        ),
    ),
    "confirm": Setting(
        "Last look at your move",
        "Last look before a move: {}",
        "confirm",
        (
            Choice("always", "Always", LastLook.ALWAYS, "always", "every move waits for **Confirm**"),
            Choice("unseen", "For unseen moves", LastLook.UNSEEN, "only for moves that you can't see on the picture"),
            Choice(
                "never", "Never", LastLook.NEVER, "never; the last tap plays the move", "the last tap plays the move"
            ),
        ),
    ),
    "large": Setting(
        "Size of private pictures",
        "Private pictures: {}",
        "large",
        (
            Choice("phone", "Phone-sized", False, "phone-sized", "900 pixels wide, and quick to load"),
            Choice("large", "Large", True, "large", "1200 pixels wide, for a large screen"),
        ),
    ),
    "spoiler": Setting(
        "Pictures of your hand",
        "Pictures of your hand: {}",
        "spoiler",
        (
            Choice("shown", "Shown", False, "shown (your role is always hidden)", "you see them at once"),
            Choice(
                "spoiler", "Behind a spoiler", True, "behind a spoiler", "you tap to see them, so nobody reads along"
            ),
        ),
    ),
    "listed": Setting(
        "Leaderboards and profiles",
        "Ratings in lists, profiles and end posts: {}",
        "hidden",
        (
            Choice("with", "With me", False, "with you", "everybody on a server sees your rating there"),
            Choice("without", "Without me", True, "without you", "only you see your rating"),
        ),
    ),
    "quiet": Setting(
        "Quiet hours",
        "Quiet hours, without calls to a table: {}",
        "quiet",
        (
            Choice(NONE, "None", None, "none", "I may call you at any hour"),
            *(Choice(hours, hours, hours, hours, does) for hours, does in _NIGHTS.items()),
        ),
        "Hours in which I never call you to a table, such as 22-8, or “none”.",
        read_quiet,
    ),
    "zone": Setting(
        "Time zone",
        "Your time zone, for quiet hours and days that you type: {}",
        "zone",
        tuple(Choice(zone, zone.rpartition("/")[2].replace("_", " "), zone, zone) for zone in ZONES),
        "Where you live, such as Europe/Berlin: for your quiet hours, and for days that you type.",
        read_zone,
        _offer_zones,
    ),
    "limit": Setting(
        "Matches at once",
        "I call you to a table {}.",
        "at_once",
        (
            Choice(ANY, "Any number", 0, "however many matches you're playing"),
            *(
                Choice(str(n), str(n), n, f"while you're playing fewer than {counted(n, 'match')}")
                for n in (1, 2, 3, 5)
            ),
        ),
    ),
}


def _fields(known: Mapping[str, Setting], given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the settings that somebody has chosen."""
    return {known[name].field: known[name].value(word) for name, word in given.items()}


async def _change_server(press: Press, given: Mapping[str, Any], keep: Keep) -> Shown:
    """Store what is chosen for a server, and return all that is set."""
    host, guild = press.host, rights.server(press)
    if not press.interaction.permissions.manage_guild:
        raise NotAllowed("Only people who can manage this server can do that (permission: Manage Server).")
    before = await host.settings.guild_settings(guild)
    chosen = replace(before, **_fields(_OF_SERVERS, given))
    for channel in set(chosen.channels or ()).difference(before.channels or ()):
        if not await places.is_here(press.bot, guild, channel):
            raise NotAllowed(f"<#{channel}> isn't a channel of this server that I can see, so nothing has changed.")
    await keep()
    if chosen != before:
        await host.settings.set_guild_settings(guild, chosen)
    season, note = (await host.settings.seasons(guild))[-1].number, ""
    if given.get("ratings") == NEW_SEASON:
        last, season = season, await host.settings.begin_season(guild)
        note = _SAME_SEASON if season == last else ""
    says = {} if chosen.unrated else {"ratings": f"on, season {season}"}
    if chosen.channels:
        says["channels"] = " ".join(f"<#{each}>" for each in chosen.channels)
    return Shown(chosen, says, note)


async def _change_own(press: Press, given: Mapping[str, Any], keep: Keep) -> Shown:
    """Store what is chosen for a person, and return all that is set.

    Somebody who chooses direct messages is sent one, so that they learn whether that works (P32).
    """
    host, user_id = press.host, press.person
    before = await host.settings.player_settings(user_id)
    chosen = replace(before, **_fields(_OF_PEOPLE, given))
    await keep()
    if chosen != before:
        await host.settings.set_player_settings(user_id, chosen)
    server = Private.DM
    if press.interaction.guild_id is not None:
        server = (await host.settings.guild_settings(press.interaction.guild_id)).private
    asks = given.get("ping") in _BY_DM or given.get("private") == Private.DM
    tried = asks and chosen.private is not Private.BUTTON
    if tried:
        dm = (await dms.send(press.bot, user_id, Message(_greeting(chosen)), asked=True)).dm
    else:
        dm = await host.dms.dm_of(user_id)
    by_dm, private_by_dm = chosen.ping in _BY_DM, chosen.private is Private.DM
    why = _why_no_dm(chosen, dm, server, tried=tried) if by_dm or private_by_dm else None
    says = {}
    if why is not None and by_dm:
        says["ping"] = f"the board mentions you, but you get no DM: {why}"
    if why is not None and private_by_dm:
        says["private"] = f"by button (**My hand**) until I can send them by direct message: {why}"
    note = "I've just sent you a DM, so that works." if tried and why is None else ""
    if chosen.quiet is not None and chosen.zone == quiet.UTC:
        says["quiet"] = f"{chosen.quiet} in UTC (choose your time zone with `/settings me zone:`)"
    return Shown(chosen, says, note)


def _why_no_dm(chosen: PlayerSettings, dm: Dm, server: Private, *, tried: bool) -> str | None:
    """Why DMs don't reach somebody who has chosen them; ``None`` if they do."""
    if chosen.private is Private.BUTTON:
        return "you've turned them off"
    if chosen.private is Private.SERVER and server is Private.BUTTON:
        return "this server gives out private things by button (choose “by direct message” to get them by DM)"
    if dm is Dm.CLOSED:
        return "your DMs are closed to me (once they are open, choose this again)"
    if dm is Dm.UNKNOWN:
        return "I can't open one with you right now" if tried else "we don't have one yet"
    return None


def _greeting(chosen: PlayerSettings) -> str:
    """The DM to somebody who has chosen direct messages."""
    coming = (
        *(["I'll call you here when it's your turn"] if chosen.ping in _BY_DM else []),
        *(["your cards will arrive here"] if chosen.private is Private.DM else []),
    )
    return f"As you've chosen with `/settings me`, {' and '.join(coming)}."


def offered(of_servers: Mapping[str, Setting], of_people: Mapping[str, Setting]) -> tuple[Group, dict[str, Verb]]:
    """Return the commands, and the verbs of their pages, with what features let a server or a person choose."""
    server = Book(
        *("setserver", "settings server", "This server", {**_OF_SERVERS, **of_servers}),
        _change_server,
        {"barred": bars.PAGE},
    )
    me = Book(
        *("setme", "settings me", "Your settings", {**_OF_PEOPLE, **of_people}), _change_own, {"apart": apart.PAGE}
    )
    commands = (
        Command("server", "How matches are played here (needs Manage Server).", server.show, server.options()),
        Command("me", "How you're called and shown things.", me.show, me.options()),
    )
    group = Group("settings", "Your settings and this server's.", commands)
    return group, {book.verb: book.handler() for book in (server, me)}
