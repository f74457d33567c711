"""A stand-in for Discord on this machine: HTTP API v10 and gateway v10, for tests of the real bot in its own process.

It keeps the servers, people and messages (`world`), answers the endpoints (`http`, `routes_*`), speaks the gateway
(`gateway`), refuses what Discord refuses (`rules`, `limits`), checks every body in both directions against Discord's
own description of its API where that file is at hand (`spec`), and fails on request (`faults`). People act only through
what they could see and press (`people`).

What it cannot tell: the true numbers of the rate limits, how clients draw, automatic moderation, permission overwrites
beyond what `Channel.denied` takes away, and anything that Discord's documentation leaves open.
"""

from .faults import Faults, Moment, Request
from .people import Answer, Person, Unanswered
from .server import Discord
from .spec import Spec, load_spec
from .world import Channel, Guild, Message, User, World

__all__ = [
    "Answer",
    "Channel",
    "Discord",
    "Faults",
    "Guild",
    "Message",
    "Moment",
    "Person",
    "Request",
    "Spec",
    "Unanswered",
    "User",
    "World",
    "load_spec",
]
