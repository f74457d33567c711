"""Moor on Discord, with a command that no other game has: ``/moor stones``."""

from __future__ import annotations

from typing import Any, cast

from discord import app_commands

from cogs.commands import finding
from cogs.commands.game_cog import GameCog
from cogs.press.reply import Message, Press, whisper
from tests.sixth.game.components import LETTERS
from tests.sixth.game.observation import MoorObservation


class Moor(GameCog, game="moor"):
    """``/moor new|play|hand|board|rules|stones``."""

    def _commands(self) -> list[app_commands.Command[Any, ..., None]]:
        stones = self._command("stones", "How many stones are left, shown only to you.", self._stones, {})
        return [*super()._commands(), stones]

    async def _stones(self, press: Press, **given: Any) -> None:
        match = await finding.find_match(press, given.get("match"), game=self.game)
        view = await press.host.look.view(match.id, press.person)
        seen = cast(MoorObservation, view.observation)
        left = zip(LETTERS, seen.stones, strict=True)
        await whisper(press, Message(f"Stones left: {', '.join(f'{cairn} {count}' for cairn, count in left)}."))
