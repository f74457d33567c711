"""``/privacy``: what is kept about a person, and how it is deleted (P20)."""

from __future__ import annotations

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from cogs.client import Client
from cogs.commands.match import EVERYWHERE
from cogs.press import components
from cogs.press.boundary import answered
from cogs.press.ids import Ref
from cogs.press.reply import Interaction, Message, in_time, turn_into, whisper
from matches import UserId

_DANGER: Final = discord.ButtonStyle.danger

KEPT: Final = """**What Ambit keeps about you**
• Of every match in which you have a seat: your Discord number, the name that the server showed, your moves, how \
long it waited while you were away, and how it ended. You are in {count} at present.
• Your settings, until when you said to be away, and of your DMs with Ambit: whether they are open, and the number of \
their channel.
• Whom you want to be kept away from, which nobody else can see (`/settings blocked`). Your list is deleted with the \
rest; other people's lists stay theirs.
• If the moderators of a server have barred you from its matches: until when. After that it counts for nothing.
• Invitations, votes and wishes for a seat, until they are decided.
• Once you have deleted it: your number, until the last of your old matches is rewritten.
• Of a seat that you gave up: a mark that names nobody, until that match is over, so that nobody sees the secrets of \
two seats.
• For about an hour, how often you did what notifies others, like inviting or moving a match: a mark that names \
neither you nor what you did. It goes by itself, not by deleting.
Nothing else: no messages, no addresses, no profile. Ambit cannot read what people write.

**Deleting it**: tables that have not begun are left, in running matches the computer plays your seat from then on, \
and everywhere your name becomes “Player 3” or the like. Your settings go. It cannot be undone. What was posted on \
Discord stays there; the server's moderators can delete it."""


DELETED: Final = """Everything about you is deleted. Nobody finds you in old matches any more; if there were many, it \
takes a few minutes until all of them are rewritten. You're welcome back any time."""


class PrivacyCog(commands.Cog):
    """``/privacy``."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot

    @app_commands.command(description="What is kept about you, and how to delete it.")
    async def privacy(self, interaction: Interaction) -> None:
        """What is kept, with the button that deletes it."""
        async with answered(interaction):
            matches = await in_time(interaction, self.bot.host.privacy.matches_kept(UserId(interaction.user.id)))
            count = "one match" if len(matches) == 1 else f"{len(matches)} matches"
            delete = components.button(Ref("forget"), "Delete it …", _DANGER)
            await whisper(interaction, Message(KEPT.format(count=count), view=components.view(delete)))

    async def cog_load(self) -> None:
        self.privacy.allowed_contexts = EVERYWHERE


async def _ask(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    yes = components.button(Ref("forgotten"), "Yes, delete everything about me", _DANGER)
    sentence = "Is everything about you to be deleted? The computer plays on in your matches, and nothing comes back."
    await whisper(interaction, Message(sentence, view=components.view(yes)))


async def _forget(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    host = interaction.client.host
    await in_time(interaction, host.privacy.forget(UserId(interaction.user.id)), edit=True)
    await turn_into(interaction, Message(DELETED))


HANDLERS: Final[dict[str, components.Handler]] = {"forget": _ask, "forgotten": _forget}
