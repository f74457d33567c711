"""Classifies failed requests to Discord. Every sender uses this one table.

The HTTP status decides first: 5xx, network errors and most 429s are transient, any other 4xx of Discord's never is.
Discord's JSON error code decides the rest. An HTML page isn't Discord's: Cloudflare or a proxy has sent it.
`tests/cogs/discord_json_error_codes.tsv` lists every documented code with its class.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import aiohttp
import discord

FAILURES: Final = (discord.HTTPException, aiohttp.ClientError, ConnectionError, TimeoutError)
"""The exceptions of a failed request to Discord, for `except` and `suppress`."""


PAGE: Final = "text/html"
"""The content type of an answer that isn't Discord's, but of something between us and Discord."""


class Fault(StrEnum):
    """A class of failure."""

    TRANSIENT = "transient"
    """Discord or the network fails: repeat the request soon."""
    REFUSED = "refused"
    """Discord refuses this request for good: drop it."""
    GONE = "gone"
    """The server, channel or message is gone or closed to the bot: go elsewhere."""
    UNEDITABLE = "uneditable"
    """The message cannot be edited any more: post a new one."""
    FILTERED = "filtered"
    """AutoMod blocks what the message says: say it without people's words."""
    MALFORMED = "malformed"
    """The request breaks Discord's rules, so the program has a fault: log an error and drop it."""


UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_SERVER: Final = 10004
UNKNOWN_MESSAGE: Final = 10008
MISSING_ACCESS: Final = 50001
MISSING_PERMISSIONS: Final = 50013
UNKNOWN_EVENT: Final = 10070
THREAD_FULL: Final = 30033
TOO_MANY_COMMANDS: Final = 30034
ARCHIVED: Final = 50083
LOCKED: Final = 160005
BY_AUTOMOD: Final = (200000, 200001)
UPLOADS_LIMITED: Final = 400001

_BY_CODE: Final = {
    code: fault
    for fault, codes in {
        Fault.GONE: (
            *(UNKNOWN_CHANNEL, UNKNOWN_SERVER, UNKNOWN_MESSAGE),
            *(MISSING_ACCESS, MISSING_PERMISSIONS, ARCHIVED, LOCKED),
        ),
        Fault.UNEDITABLE: (20022, 30046, 50005, 50021, 50068, 50080, 50162, 520003),
        Fault.FILTERED: (*BY_AUTOMOD, 240000),
        Fault.MALFORMED: (
            *(30015, 40005, 50006, 50035, 50041, 50045, 50046, 50081, 50109, 50110, 50123, 50124, 50138, 50146),
            *(50159, 50160, 50161, 50192),
        ),
    }.items()
    for code in codes
}
"""All other codes that Discord documents are REFUSED."""

_WHY: Final = {
    code: clause
    for clause, codes in {
        "the channel or thread is gone": (UNKNOWN_CHANNEL,),
        "I'm not on that server": (UNKNOWN_SERVER, 50055),
        "the message is gone": (UNKNOWN_MESSAGE,),
        "that person isn't there any more": (10007, 10013),
        "Discord takes no more answers to that": (10015, 10062, 40060, 40094, 50027),
        "the scheduled event is gone or over": (UNKNOWN_EVENT, 180000),
        "Discord thinks that a picture is explicit": (20009,),
        "slow mode is on in that channel": (20016,),
        "too much was written in a short time": (20028, 20029),
        "that thread has room for no more members": (THREAD_FULL,),
        "too many commands were registered today": (TOO_MANY_COMMANDS,),
        "this server has no room for another scheduled event": (30038,),
        "Discord takes nothing from me right now": (40001, 40004, 40006, 40062, 40333, 50014, 130000),
        "I've opened too many direct messages in a short time": (40003,),
        "a forum takes no messages outside its posts": (40058,),
        "I can't get in there any more": (MISSING_ACCESS,),
        "they can't get direct messages from me": (50007, 50033, 50278),
        "that kind of channel doesn't allow it": (50008, 50024),
        "the channel wants a higher verification level": (50009,),
        "I'm missing a permission": (MISSING_PERMISSIONS,),
        "the thread is in the archive": (ARCHIVED,),
        "this server asks my operator for two-factor authentication": (60003,),
        "the message has a thread already": (160004,),
        "the thread is locked": (LOCKED,),
        "this server has no room for another thread": (160006, 160007),
        "AutoMod on this server blocks what I'd write (people who manage the server can exempt my role)": BY_AUTOMOD,
        "Discord thinks that a link is harmful": (240000,),
        "this server can't take files right now": (UPLOADS_LIMITED,),
    }.items()
    for code in codes
}
"""Why Discord refuses a request, as the end of a sentence, for each code that can answer a request of the bot's."""

_OUR_FAULT: Final = frozenset({400, 405, 406, 411, 413, 414, 415, 416, 417, 422, 431})
"""HTTP statuses that mean MALFORMED if Discord gives no JSON code."""

MAY_PASS: Final = frozenset(
    {MISSING_ACCESS, MISSING_PERMISSIONS, ARCHIVED, LOCKED}  # somebody can open the place again
    | {20016, 20028, 20029, 40003, 40004, 40006, 40062, 40333, 110000, 110001, 130000}  # "for now", "try again later"
    | {40001, 50014}  # the token, not the message
)
"""Codes of REFUSED and GONE after which the same request may succeed hours later."""

NO_MEMBER: Final = frozenset({10007, 10013})
"""The person is not on the server, or does not exist any more."""

NO_DMS: Final = frozenset({50007, 50278, 10013})
"""The person takes no DMs from the bot, shares no server with it, or does not exist any more."""

DMS_TOO_FAST: Final = frozenset({40003, 20026})
"""The bot opens DMs too fast, or is quarantined for it (20026 is undocumented). That says nothing about the person."""

NO_DM_CHANNEL: Final = frozenset({UNKNOWN_CHANNEL, MISSING_ACCESS})
"""The known DM channel is gone, or belongs to another bot that used this store."""

NO_PICTURES: Final = frozenset({MISSING_PERMISSIONS, UPLOADS_LIMITED})
"""The place may still accept a message without files."""

THREAD_EXISTS: Final = frozenset({160004})
"""The message has a thread already. The thread's id is the message's."""

EXPIRED: Final = frozenset({10062, 50027})
"""Unknown interaction, token expired: Discord has told the person that nobody answered, or has forgotten the press."""

UNHEARD: Final = EXPIRED | {40060}
"""Expired, or already acknowledged: nobody is waiting for this answer any more."""


def fault_of(error: BaseException) -> Fault:
    """Return the class of one of `FAILURES`."""
    if not isinstance(error, discord.HTTPException) or error.status >= 500:
        return Fault.TRANSIENT
    if getattr(error.response, "content_type", None) == PAGE:
        return Fault.TRANSIENT
    known = _BY_CODE.get(error.code)
    if error.status == 429:
        # A 429 can also mean that an old message can't be edited any more. A retry wouldn't help.
        return Fault.UNEDITABLE if known is Fault.UNEDITABLE else Fault.TRANSIENT
    if known is None and error.code == 0 and error.status in _OUR_FAULT:
        return Fault.MALFORMED
    return known or Fault.REFUSED


def is_transient(error: BaseException) -> bool:
    """Whether the same request may succeed within seconds."""
    return fault_of(error) is Fault.TRANSIENT


def may_pass(error: BaseException) -> bool:
    """Whether the same request may succeed within hours or days.

    A refusal without a JSON code is about the token, or comes from a proxy between us and Discord. It says nothing
    about the request.
    """
    if not isinstance(error, discord.HTTPException):
        return True
    fault = fault_of(error)
    return fault is Fault.TRANSIENT or error.code in MAY_PASS or (fault is Fault.REFUSED and error.code == 0)


def has_code(error: BaseException, *codes: int) -> bool:
    """Whether Discord answered with one of these JSON codes."""
    return isinstance(error, discord.HTTPException) and error.code in codes


def status_of(error: BaseException) -> int | None:
    """Return the HTTP status of Discord's answer, ``None`` if there was no answer."""
    return error.status if isinstance(error, discord.HTTPException) else None


def reason(error: BaseException) -> str:
    """Return why the request failed, in words. Never empty."""
    if isinstance(error, TimeoutError):
        return f"no answer in time ({type(error).__name__})"
    return str(error) or type(error).__name__


def why(error: BaseException) -> str:
    """Return why Discord refuses a request, as the end of a sentence that people read."""
    fault = fault_of(error)
    if fault is Fault.TRANSIENT or not isinstance(error, discord.HTTPException):
        return "Discord isn't answering right now"
    known = {Fault.MALFORMED: "I made a mistake in it", Fault.UNEDITABLE: "that message can't be changed right now"}
    return _WHY.get(error.code) or known.get(fault) or f"Discord refuses it (error {error.code or error.status})"
