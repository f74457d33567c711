"""``/privacy``: what is stored about a person, and how they delete it (P20).

The commands over `matches/host/privacy.py`; `matches/table/privacy.py` forgets them at a table.
"""

from __future__ import annotations

from typing import Final

from cogs.commands.slash import Command
from cogs.press import attachments, components
from cogs.press.components import Style, Verb
from cogs.press.custom_ids import Ref
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Message, Press, answer, whisper
from cogs.text import words
from matches.api import kept_by_features

_STORED: Final = "**What Ambit stores about you**"
FIRST: Final = f"""{_STORED}
• **Matches**: your moves{{moves}}, your times and your results. Right now that's {{count}}.
• **Ratings and statistics** of each server.
• **Settings**, lists, lessons and puzzles: what you've chosen, and how far you are.
• **For a short time**: invitations, votes, and markers of what you did.
Nothing else: no messages, no addresses, no profile. Ambit can't read what people write."""


def _items(*, lasts: bool) -> str:
    """Return the items of a page about what features keep."""
    return "".join(f"\n• {each.said}" for each in kept_by_features if each.said and each.lasts is lasts)


KEPT: Final = {
    "matches": (
        "Matches",
        """• For every match you're in or host: your Discord ID and display name, your moves{moves} and when you made \
them, how long it waited while you were away, what on Discord keeps you from playing in your turn, \
when you last pressed anything before the start, how quickly you answered, the IDs of Ambit's messages to you, \
and the result. Right now that's {count}.
• The IDs of your Join, Leave and Start presses. The deals are drawn from them, so they stay with the match. The ID of \
any other press in a match goes within two days, and before a match when it starts or its table is deleted.""",
    ),
    "ratings": (
        "Ratings and statistics",
        """• For each server's statistics and ratings: your last name there, your results under a random key, and how \
often you met somebody on the last day you did. Everybody there can see your rating and how many matches you finish, \
unless you hide them (`/settings me`).""",
    ),
    "settings": (
        "Settings, lists, lessons and puzzles",
        """• Your settings, how long you said you'd be away, whether your DMs with Ambit are open, and the ID of their \
channel.
• Who you want to be kept away from; nobody else can see that (`/settings me`). Other people's lists are theirs.
• If a server's moderators have barred you, or those who run me: until when."""
        + _items(lasts=True),
    ),
    "while": (
        "For a short time",
        """• Invitations, votes, seat requests, your place in line for a table, whether you're ready for its start, \
pings and news for you, and the review of a match that you're waiting for, until they're settled.
• If you gave up a seat, or were removed: an anonymous marker until that match ends, so nobody sees two seats' secrets.
• For a day at most, and even if you delete your data: anonymous markers of how often you were called, did something \
that notifies others, or left before you moved. For two days: that you tried the day's puzzle. For 30 days: that a \
match wasn't rated because Discord kept you from playing.
• If you delete your data: your ID, until your old matches have been rewritten."""
        + _items(lasts=False),
    ),
}
"""The pages that say exactly what is stored: by key, the title and the text."""

DELETING: Final = """**Delete everything about you?** This can't be undone.
• You leave tables that haven't started, and a computer takes your seat in running matches.
• Your name becomes something like “Player 3” everywhere, and your settings, lists, lessons and puzzles are deleted.
• Your ratings are gone. In matches with others a random key that leads to nobody stays, so theirs don't change. So do \
the IDs of your Join, Leave and Start presses, so that anybody can still check the deals.
• If moderators have barred you, that stays until it ends, and a bar of those who run me until they lift it.
• What was posted on Discord stays there; the server's moderators can delete it."""


DELETED: Final = """Everything about you has been deleted. Nobody will find you in old matches any more; if there were \
many, it takes a few minutes to rewrite them all. You're welcome back any time."""


_VERB: Final = "privacy"
_MENU: Final = {"all": ("In short", ""), **KEPT}
GIVE: Final = "mydata"
GIVEN: Final = "Everything Ambit stores about you. Moves of matches that are still running come when they're over."


async def _privacy(press: Press) -> None:
    """Show what is kept: the first page, or the one that was picked."""
    (here, *_) = (*press.ref.path, *press.values, "")
    matches = await press.host.privacy.matches_kept(press.person)
    keep = press.host.retention.keep
    filled = {
        "count": "one match" if len(matches) == 1 else f"{len(matches)} matches",
        "moves": "" if keep is None else f" (until {words.span(keep)} after it ends)",
    }
    title, text = KEPT.get(here, ("", ""))
    page = f"{_STORED} · {title}\n{text}" if title else FIRST
    policy = press.interaction.client.policy_url
    view = components.view(
        components.menu(Ref(_VERB), {key: title for key, (title, _) in _MENU.items()}, "What exactly?", (here,)),
        components.button(Ref(GIVE), "Give me my data"),
        components.button(Ref("forget"), "Delete my data …", Style.danger),
        *([components.link(policy, "Privacy policy")] if policy else []),
    )
    await answer(press, Message(page.format(**filled), view=view))


async def _give(press: Press) -> None:
    """**Give me my data**: everything that is stored about the person, as a file for themselves."""
    attachments.refuse_without(press, " Try `/privacy` in our DM.")
    with one_at_a_time(press, Long.DATA):
        file = await attachments.unpacked(await press.host.privacy.exported(press.person), "my-data")
        await whisper(press, Message(GIVEN, [file]))


async def _ask(press: Press) -> None:
    yes = components.button(Ref("forgotten"), "Yes, delete everything about me", Style.danger)
    await answer(press, Message(DELETING, view=components.view(yes, components.button(Ref(_VERB), "◀ Back"))))


async def _forget(press: Press) -> None:
    await press.host.privacy.forget(press.person)
    await answer(press, Message(DELETED))


HANDLERS: Final[dict[str, Verb]] = {
    _VERB: Verb(_privacy, edits=True),
    GIVE: Verb(_give),
    "forget": Verb(_ask, edits=True),
    "forgotten": Verb(_forget, edits=True),
}
PRIVACY: Final = Command("privacy", "What's stored about you, and how to delete it.", _privacy)
