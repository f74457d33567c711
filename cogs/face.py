"""What a feature shows on Discord."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from cogs.client import Client
from cogs.commands.game_cog import Agrees
from cogs.commands.operator import Report
from cogs.commands.setting_pages import Setting
from cogs.commands.slash import Command, Option
from cogs.delivery.hands import Whisper
from cogs.delivery.porter import Hears
from cogs.delivery.tellings import ToServer
from cogs.post.boards import Outcome
from cogs.press.components import Item, Verb
from cogs.press.reply import Message, Press
from matches.api import Kind, Match

Posting: TypeAlias = Callable[[Press, Match, str, tuple[str, ...]], Awaitable[Message]]
"""Returns a message that somebody posts for everybody. A button's path says what it is, and then the rest."""


async def _nothing(*_: object) -> Any:
    """Do and say nothing."""
    return ""


async def _no_more(*_: object) -> tuple[str, Sequence[Item]]:
    """Add nothing."""
    return "", ()


@dataclass(frozen=True, kw_only=True)
class Face:
    """A feature's side towards Discord. `cogs/<feature>/__init__.py` has it as `FACE`.

    Attributes:
        verbs: what its buttons and menus do, by the verb in their custom_ids.
        commands: its commands of their own.
        help: what it adds to pages of the help, by their keys.
        left_out: the sentence that its people read instead of its news if the bot begins without it, and where they
            were asked something.
        whispers: what delivers its direct messages, by the kind of news.
        to_servers: what delivers its news that are about a server, by the kind.
        of_servers: what a server can choose with ``/settings server``, by the name of the option.
        of_people: what a person can choose with ``/settings me``.
        for_operator: its commands under ``/operator``.
        reports: what returns its lines of ``/operator status``.
        added: the bot is about to start.
        opened: somebody has opened a table.
        posted: what is posted of it for everybody to see, by what the path of **Post it here** begins with.
        beside_tables: what it adds to the list of these tables, which have room: text and buttons.
        outcome: what it tells of the outcome of a match that is over; briefly (``True``) without a list of its people.
        beside_end: what it tells somebody alone who looks at the end of a match.
        posts: what delivers its other news of a match.
        terms: the options that ``/… new`` has because of it.
        agreed: what it keeps of a new table that somebody opens with these options, ``None`` for nothing.
        heard: what it does at an event of the gateway, by its name (`cogs/delivery/porter.py`).
    """

    verbs: Mapping[str, Verb] = field(default_factory=dict)
    commands: tuple[Command, ...] = ()
    help: Mapping[str, str] = field(default_factory=dict)
    left_out: str = ""
    whispers: Mapping[Kind, Whisper] = field(default_factory=dict)
    to_servers: Mapping[Kind, ToServer] = field(default_factory=dict)
    of_servers: Mapping[str, Setting] = field(default_factory=dict)
    of_people: Mapping[str, Setting] = field(default_factory=dict)
    for_operator: tuple[Command, ...] = ()
    reports: tuple[Report, ...] = ()
    added: Callable[[Client], None] = lambda bot: None
    opened: Callable[[Press, Match], Awaitable[None]] = _nothing
    posted: Mapping[str, Posting] = field(default_factory=dict)
    beside_tables: Callable[[Press, Sequence[Match]], Awaitable[tuple[str, Sequence[Item]]]] = _no_more
    outcome: Callable[[Client, Match, bool], Awaitable[Outcome | None]] = _nothing
    beside_end: Callable[[Press, Match], Awaitable[str]] = _nothing
    posts: Mapping[Kind, Whisper] = field(default_factory=dict)
    terms: Mapping[str, Option] = field(default_factory=dict)
    agreed: Agrees | None = None
    heard: Mapping[str, Hears] = field(default_factory=dict)

    @property
    def news(self) -> dict[Kind, Whisper]:
        """What delivers its news of a match."""
        return {**self.whispers, **self.posts}
