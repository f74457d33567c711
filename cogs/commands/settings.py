"""``/settings``: what a server and what a person can choose (P19).

The commands over `matches/host/settings.py`; the queries are in `db/people/settings.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal, NamedTuple

from cogs.commands import apart, bars
from cogs.commands.slash import Choices, Command, Group, Option
from cogs.lobby.lobby_picture import PACES
from cogs.post import dms
from cogs.press import rights
from cogs.press.custom_ids import is_id
from cogs.press.reply import Message, Press, whisper
from matches.api import (
    Cancellers,
    Dm,
    GuildSettings,
    LastLook,
    NotAllowed,
    Pace,
    Ping,
    PlayerSettings,
    Private,
    Where,
)

_CHANNEL = re.compile(r"<#([0-9]{15,20})>")
MAX_CHANNELS: Final = 50
ALL: Final = "all"
NONE: Final = "none"
NEW_SEASON: Final = "new season"

_PINGS: Final = {
    Ping.MENTION: "the board mentions you",
    Ping.DM: "you get a DM instead of a mention",
    Ping.BOTH: "you get a mention and a DM",
    Ping.NONE: "you aren't notified",
}
_BY_DM: Final = (Ping.DM, Ping.BOTH)
_CANCELLERS: Final = {
    Cancellers.MODERATORS: "moderators (Manage Messages) who don't play in it, or a majority of the players",
    Cancellers.HOSTS: (
        "moderators (Manage Messages) who don't play in it, or a majority of the players; if it isn't rated, also its "
        "host (it then counts as not finished for them)"
    ),
}
_PRIVATE: Final = {
    Private.SERVER: "as this server has set it",
    Private.DM: "by direct message",
    Private.BUTTON: "only by button, never by direct message",
}
_CONFIRM: Final = {
    LastLook.ALWAYS: "always",
    LastLook.UNSEEN: "only for moves that you can't see on the picture",
    LastLook.NEVER: "never; the last tap plays the move",
}
_PRIVATE_OF_SERVERS: Final = {
    Private.DM: "by direct message",
    Private.BUTTON: "by button first; by direct message to people who choose that with `/settings me`",
}


async def _server(press: Press, **given: Any) -> None:
    """Keep what is chosen for a server, and show everything."""
    host, guild = press.host, rights.server(press)
    if not press.interaction.permissions.manage_guild:
        raise NotAllowed("Only people who can manage this server can do that (permission: Manage Server).")
    before = await host.settings.guild_settings(guild)
    chosen = replace(before, **_chosen(_OF_SERVERS, given))
    if chosen != before:
        await host.settings.set_guild_settings(guild, chosen)
    if given["ratings"] == NEW_SEASON:
        await host.ratings.begin_season(guild)
    season = (await host.ratings.seasons(guild))[-1].number
    await whisper(press, Message(_of_server(chosen, season)))


async def _me(press: Press, **given: Any) -> None:
    """Keep what is chosen for a person, and show everything.

    Somebody who chooses direct messages is sent one, so that they learn whether that works (P32).
    """
    host, user_id = press.host, press.person
    before = await host.settings.player_settings(user_id)
    chosen = replace(before, **_chosen(_OF_PEOPLE, given))
    if chosen != before:
        await host.settings.set_player_settings(user_id, chosen)
    server = Private.DM
    if press.interaction.guild_id is not None:
        server = (await host.settings.guild_settings(press.interaction.guild_id)).private
    asks = given["ping"] in _BY_DM or given["private"] == Private.DM
    if asks and chosen.private is not Private.BUTTON:
        dm = (await dms.send(press.bot, user_id, Message(_greeting(chosen)), asked=True)).dm
    else:
        dm = await host.dms.dm_of(user_id)
    await whisper(press, Message(_of_person(chosen, dm, server, tried=asks)))


def read_channels(text: str) -> tuple[int, ...] | None:
    """The channels that a text names; ``None`` for all. Raises NotAllowed."""
    wanted = text.strip().casefold()
    if wanted in (ALL, NONE):
        return None if wanted == ALL else ()
    found = tuple(dict.fromkeys(int(channel) for channel in filter(is_id, _CHANNEL.findall(text))))
    if not found:
        raise NotAllowed("I couldn't tell which channels you mean: mention them like #games, or write “all” or “none”.")
    if len(found) > MAX_CHANNELS:
        raise NotAllowed(f"You can name at most {MAX_CHANNELS} channels; “all” means every one.")
    return found


def _of_server(chosen: GuildSettings, season: int) -> str:
    channels = "every channel" if chosen.channels is None else " ".join(f"<#{each}>" for each in chosen.channels)
    return "\n".join(
        (
            "**This server**",
            f"• Matches can be started in: {channels or 'no channel'}",
            f"• Default: {_place(chosen.where)}, {PACES[chosen.pace]}",
            f"• A running match can be ended by: {_CANCELLERS[chosen.who_cancels]}",
            f"• People get their hands and roles {_PRIVATE_OF_SERVERS[chosen.private]}",
            f"• Ratings: {'off, so no match counts' if chosen.unrated else f'on, season {season}'}",
        )
    )


def _place(where: Where) -> str:
    return "in the channel" if where is Where.CHANNEL else "in a thread of its own"


def _of_person(chosen: PlayerSettings, dm: Dm, server: Private, *, tried: bool) -> str:
    """What somebody has chosen, and what it leads to: `dm` is the state of their DMs, `server` the server's choice.

    `tried`: the bot has just tried to send a DM.
    """
    by_dm, private_by_dm = chosen.ping in _BY_DM, chosen.private is Private.DM
    why = _why_no_dm(chosen, dm, server, tried=tried) if by_dm or private_by_dm else None
    call, private = _PINGS[chosen.ping], _PRIVATE[chosen.private]
    if why is not None and by_dm:
        call = f"the board mentions you, but you get no DM: {why}"
    if why is not None and private_by_dm:
        private = f"by button (**My hand**) until I can send them by direct message: {why}"
    lines = (
        "**Your settings**",
        f"• When it's your turn, {call}.",
        f"• You get your hands and roles {private}.",
        f"• Last look before a move: {_CONFIRM[chosen.confirm]}",
        f"• Private pictures: {'large' if chosen.large else 'phone-sized'}",
        f"• Pictures of your hand: {'behind a spoiler' if chosen.spoiler else 'shown (your role is always hidden)'}",
        f"• Ratings in lists, profiles and end posts: {'without you' if chosen.hidden else 'with you'}",
        "I've just sent you a DM, so that works." if tried and why is None else "",
    )
    return "\n".join(line for line in lines if line)


def _why_no_dm(chosen: PlayerSettings, dm: Dm, server: Private, *, tried: bool) -> str | None:
    """Why DMs don't reach somebody who has chosen them; ``None`` if they do."""
    if chosen.private is Private.BUTTON:
        return "you've turned them off"
    if chosen.private is Private.SERVER and server is Private.BUTTON:
        return "this server gives out private things by button (choose “by direct message” to get them by DM)"
    if dm is Dm.CLOSED:
        return "your DMs are closed to me (once they are open, use this command again)"
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


class Setting(NamedTuple):
    """A setting: its option, the value that is stored for what was chosen, and its field if that has another name."""

    option: Option
    value: Callable[[Any], object]
    field: str | None = None


def _chosen(known: Mapping[str, Setting], given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the settings that somebody has chosen."""
    return {each.field or name: each.value(given[name]) for name, each in known.items() if given[name] is not None}


def _offered(texts: Mapping[Any, str]) -> Choices:
    return [(text.partition(";")[0], value) for value, text in texts.items()]


_CHANNELS: Final = "Channels where matches can be started: mention them, or write “all” or “none”."
_RATINGS: Final = "Whether matches count for ratings here; “new season” starts everybody over."
_UNCHOSEN: Final = "How people get their hands and roles if they haven't chosen."
_LAST_LOOK: Final = "When you get a last look at your move, with a Confirm button."
_LISTED: Final = "Whether lists of players, like the leaderboard, show you."

_OF_SERVERS: Final = {
    "where": Setting(Option(Literal["channel", "thread"], "Where matches are played by default."), Where),
    "pace": Setting(Option(Literal["live", "day", "slow", "none"], "Time per turn by default."), Pace),
    "channels": Setting(Option(str, _CHANNELS), read_channels),
    "cancel": Setting(
        Option(Literal["moderators", "hosts"], "Who can end a running match without a vote."), Cancellers, "who_cancels"
    ),
    "private": Setting(Option(str, _UNCHOSEN, choices=_offered(_PRIVATE_OF_SERVERS)), Private),
    "ratings": Setting(Option(Literal["on", "off", NEW_SEASON], _RATINGS), lambda word: word == "off", "unrated"),
}
_OF_PEOPLE: Final = {
    "ping": Setting(Option(Literal["mention", "dm", "both", "none"], "How you're notified when it's your turn."), Ping),
    "large": Setting(Option(bool, "Large private pictures (1200 pixels wide instead of 900)."), bool),
    "spoiler": Setting(Option(bool, "Hide pictures of your hand behind a spoiler (your role always is)."), bool),
    "private": Setting(Option(str, "How you get your hands and roles.", choices=_offered(_PRIVATE)), Private),
    "confirm": Setting(Option(str, _LAST_LOOK, choices=_offered(_CONFIRM)), LastLook),
    "listed": Setting(Option(bool, _LISTED), lambda listed: not listed, "hidden"),
}

SETTINGS: Final = Group(
    "settings",
    "Your settings and this server's.",
    (
        *bars.COMMANDS,
        *apart.COMMANDS,
        Command(
            "server",
            "How matches are played on this server (needs Manage Server).",
            _server,
            {name: each.option for name, each in _OF_SERVERS.items()},
        ),
        Command(
            "me",
            "How you're notified of your turn, and how you get pictures.",
            _me,
            {name: each.option for name, each in _OF_PEOPLE.items()},
        ),
    ),
)
