"""A stand-in for Discord on this machine: HTTP API v10 and gateway v10, for tests of the real bot in its own process.

It keeps the servers, people and messages (`world`), answers the endpoints (`routes`), speaks the gateway (`gateway`),
refuses what Discord refuses (`rules`, `limits`), and fails on request (`faults`). It checks every body in both
directions against Discord's own API description if that file is there (`spec`). People act only through what they can
see and press (`people`).

It can't show: the true numbers of the rate limits, how clients draw, automatic moderation, permission overwrites beyond
what `Channel.denied` takes away, and anything that Discord's documentation leaves open.
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
