"""What a feature shows on Discord."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cogs.commands.slash import Command
from cogs.delivery.hands import Whisper
from cogs.press.components import Verb
from matches.api import Kind


@dataclass(frozen=True, kw_only=True)
class Face:
    """A feature's side towards Discord. `cogs/<feature>/__init__.py` has it as `FACE`.

    Attributes:
        verbs: what its buttons and menus do, by the verb in their custom_ids.
        commands: its commands of their own.
        of_match: those under ``/match``.
        left_out: the sentence that its people read instead of its direct messages if the bot begins without it.
        whispers: what delivers its direct messages, by the kind of news.
    """

    verbs: Mapping[str, Verb] = field(default_factory=dict)
    commands: tuple[Command, ...] = ()
    of_match: tuple[Command, ...] = ()
    left_out: str = ""
    whispers: Mapping[Kind, Whisper] = field(default_factory=dict)
