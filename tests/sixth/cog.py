"""Moor on Discord, with a command that no other game has: ``/moor stones``."""

from __future__ import annotations

from typing import cast

from cogs.commands.finding import match_command
from cogs.commands.game_cog import GameCog
from cogs.commands.slash import Command
from cogs.press.reply import Message, Press, whisper
from matches.api import Match
from tests.sixth.game.components import LETTERS
from tests.sixth.game.observation import MoorObservation


class Moor(GameCog, game="moor"):
    """``/moor new|play|rules|stones``."""

    def rows(self) -> list[Command]:
        stones = match_command("stones", "How many stones are left, shown only to you.", _stones, {}, game=self.game)
        return [*super().rows(), stones]


async def _stones(press: Press, match: Match) -> None:
    view = await press.host.look.view(match.id, press.person)
    seen = cast(MoorObservation, view.observation)
    left = zip(LETTERS, seen.stones, strict=True)
    await whisper(press, Message(f"Stones left: {', '.join(f'{cairn} {count}' for cairn, count in left)}."))
