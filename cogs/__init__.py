"""Discord's face: one short cog per game, which is found by its key, and the rooms that all games share.

From the ground up: `log_format` (the log), `drawing` (where pictures are drawn), `servers` (what is known of Discord's
servers) and `gate` (which process takes a press); `client` (the bot as cogs know it); `process` (settings, limits,
shards, health), `text` (sentences), `press` (a press in, an answer out), `post` (messages about a match), `lobby`
(before a match), `play` (moving), `look` (looking at a match), `delivery` (sending news of matches), `learn` (exercises
and puzzles), `commands`, `face` (what a feature shows), and a package for each feature, which is found by its key; and
`preview`, which serves the bot without Discord.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

import discord

from cogs.client import Client
from cogs.commands import apart, archive, finding, help, match, open_tables, operator, privacy, settings
from cogs.commands.game_cog import GameCog
from cogs.commands.slash import Group, to_discord
from cogs.delivery.porter import Porter
from cogs.face import Face
from cogs.lobby import lobby_buttons
from cogs.look import animation, fair_deal, highlights, match_page, private, replay, rule_pages, showing
from cogs.play import away, ending, hint, move_here, panel, seats
from cogs.press.components import Verb
from cogs.press.router import Router
from cogs.process.watch import Watch
from games import GAMES
from matches.features import FEATURES

_WITH_VERBS: Final = (
    *(animation, archive, away, ending, fair_deal, finding, help, highlights, hint, lobby_buttons, match, match_page),
    *(move_here, open_tables, operator, panel, privacy, private, replay, rule_pages, seats, showing),
)
FACES: Final[dict[str, Face]] = {each.key: import_module(f"{__name__}.{each.key}").FACE for each in FEATURES}
"""What each feature shows, from the package of its key."""


@cache
def _settings(features: tuple[str, ...]) -> tuple[Group, dict[str, Verb]]:
    """The commands of settings, and the verbs of their pages, for a bot with these features."""
    faces = [FACES[key] for key in features]
    of_servers = {name: row for face in faces for name, row in face.of_servers.items()}
    return settings.offered(of_servers, {name: row for face in faces for name, row in face.of_people.items()})


HANDLERS: Final[dict[str, Verb]] = {
    name: verb
    for verbs in (*(module.HANDLERS for module in _WITH_VERBS), *(face.verbs for face in FACES.values()))
    for name, verb in (*verbs.items(), *_settings(tuple(FACES))[1].items())
}
"""What every button and menu does, by the verb in its custom_id."""


@cache
def game_cog(game: str, features: tuple[str, ...] = tuple(FACES)) -> GameCog:
    """The cog of a game, from the module of its key. Raises ImportError or LookupError if there is none."""
    terms = {name: option for key in features for name, option in FACES[key].terms.items()}
    agreed = {key: agrees for key in features if (agrees := FACES[key].agreed) is not None}
    for each in vars(import_module(f"{__name__}.{game}")).values():
        if isinstance(each, type) and issubclass(each, GameCog) and each is not GameCog and each.game == game:
            return each(terms, agreed)
    raise LookupError(f"In cogs.{game} there is no cog of the game {game}.")


async def add_all(bot: Client) -> None:
    """Add every cog and every command; called once, before the gateway connects."""
    keys = tuple(each.key for each in bot.host.work.features)
    faces, (chosen, pages) = tuple(FACES[key] for key in keys), _settings(keys)
    bot.faces = faces
    left_out = [face for face in FACES.values() if face not in faces]
    verbs = {name: verb for name, verb in HANDLERS.items() if not any(name in face.verbs for face in left_out)}
    await bot.add_cog(Router(bot, verbs | pages, {name for face in left_out for name in face.verbs}))
    ended = {kind: face.left_out for face in left_out for kind in (*face.news, *face.to_servers)}
    await bot.add_cog(Porter(bot, ended))
    for face in faces:
        face.added(bot)
    if bot.processes.may_lose:
        await bot.add_cog(Watch(bot))
    for row in (match.PLAY, match.MATCH, open_tables.TABLES, help.HELP, chosen, privacy.PRIVACY):
        bot.tree.add_command(to_discord(row))
    for row in (row for face in faces for row in face.commands):
        bot.tree.add_command(to_discord(row))
    bot.tree.add_command(apart.menu())
    if bot.operator_guild is not None:
        commands = tuple(row for face in faces for row in face.for_operator)
        reports = tuple(report for face in faces for report in face.reports)
        bot.tree.add_command(operator.group(commands, reports), guild=discord.Object(bot.operator_guild))
    for cog in (game_cog(game, keys) for game in GAMES):
        await bot.add_cog(cog)
        bot.tree.add_command(to_discord(cog.group))
