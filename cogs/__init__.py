"""Discord's face: one short cog per game, the rooms that they share, and the commands across games."""

from __future__ import annotations

from typing import Final

from cogs.abissal import Abissal
from cogs.ambagibus import Ambagibus
from cogs.ambush import Ambush
from cogs.client import Client
from cogs.commands import privacy
from cogs.commands.game_cog import GameCog
from cogs.commands.help import HelpCog
from cogs.commands.match import MatchCog
from cogs.commands.privacy import PrivacyCog
from cogs.commands.settings import SettingsCog
from cogs.delivery.porter import Porter
from cogs.gambo import Gambo
from cogs.lobby import lobby
from cogs.look import animation, replay, rules
from cogs.play import panel, private
from cogs.press.components import Handler
from cogs.press.router import Router
from cogs.saboteur import Saboteur

GAME_COGS: Final[tuple[type[GameCog], ...]] = (Ambagibus, Ambush, Saboteur, Abissal, Gambo)
"""The games that can be played on Discord, in the order in which help names them."""

HANDLERS: Final[dict[str, Handler]] = {
    **animation.HANDLERS,
    **lobby.HANDLERS,
    **panel.HANDLERS,
    **private.HANDLERS,
    **replay.HANDLERS,
    **rules.HANDLERS,
    **privacy.HANDLERS,
}
"""What every button and menu does, by the verb in its custom_id."""


async def add_all(bot: Client) -> None:
    """Add every cog; called once, before the gateway is connected."""
    await bot.add_cog(Router(bot, HANDLERS))
    await bot.add_cog(Porter(bot))
    await bot.add_cog(MatchCog(bot))
    await bot.add_cog(HelpCog(bot))
    await bot.add_cog(SettingsCog(bot))
    await bot.add_cog(PrivacyCog(bot))
    for cog in GAME_COGS:
        await bot.add_cog(cog(bot))
