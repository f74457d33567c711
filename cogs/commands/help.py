"""``/help``: how to begin, and what there is."""

from __future__ import annotations

from typing import Final

from cogs.client import Client
from cogs.commands.slash import Command
from cogs.press.reply import Message, Press, whisper
from games import GAMES


async def _help(press: Press) -> None:
    await whisper(press, Message(text(press.bot)))


def text(bot: Client) -> str:
    """The help page; it names the games whose commands this bot has."""
    hosted = [game.info for key, game in GAMES.items() if bot.tree.get_command(key) is not None]
    lines = [
        "**Ambit hosts tabletop games.** Open a table in a channel of your server:",
        *(
            f"• `/{info.key} new` — {info.name}, {_players(info.min_players, info.max_players)}: {info.summary}"
            for info in hosted
        ),
        "",
        "New to a game? `/learn` teaches it by playing, just for you.",
        "Others press **Join**. The host can add computers (or press **Host only watches**). The match starts when the "
        "table is full, or when the host presses **Start**.",
        "When it's your turn, the newest board mentions you:",
        "• **Play** shows what you can do, step by step; nothing is played until you press **Confirm**.",
        "• **My hand** shows your cards only to you; you may get them by DM, too.",
        "• **Rules** explains the game. **More** has the log, a replay and the board as text, and below them "
        "reminding, taking back, going away, leaving and resigning. **Hint** in the panel shows what a computer "
        "would play.",
        "Commands do the same: `/<game> play`, `board`, `hand`, `rules`. `/match list` shows all your matches, "
        "`/match open` the tables that you can join.",
        "A move typed in the rules' notation is played at once; anything else waits for **Confirm**.",
        "`/match away` pauses your clocks, `/settings me` sets how you're notified, `/privacy` shows what's stored.",
        "`/leaderboard` shows who is best at a game on your server, `/profile` how you or somebody else is doing.",
        "`/settings block` keeps you away from somebody, who won't be told.",
        "You only ever see what you're allowed to know; spectators see only what's public.",
    ]
    return "\n".join(lines)


def _players(least: int, most: int) -> str:
    return f"{least} players" if least == most else f"{least} to {most} players"


HELP: Final = Command("help", "How to start a match and what you can do in one.", _help)
