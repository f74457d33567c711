"""**Post it here**: post what somebody looks at in private, as everybody may see it."""

from __future__ import annotations

from typing import Final

from cogs.look import animation, highlights, replay
from cogs.look.replay import BIG, FILM, OPEN, POST, STEP
from cogs.press import rights
from cogs.press.components import Verb, of_match
from cogs.press.custom_ids import expect
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Message, Press, announce
from matches.api import NO_LINES, Match, MatchId, Ply


async def _post(press: Press, match: Match) -> None:
    what, *cut = press.ref.path or ("",)
    of_features = {name: posted for face in press.bot.faces for name, posted in face.posted.items()}
    expect(what in (FILM, STEP, BIG, *of_features))
    await rights.refuse_showing(press, match)
    with one_at_a_time(press, Long.POST):
        # Before drawing, so that a refused post costs nothing.
        await press.host.reach.show(press.once(match.id), press.person)
        if what == FILM:
            message = await animation.film(press, match, OPEN in cut)
            message.content += f"\n{replay.posted_by(press.person)}"
        elif what == BIG:
            message = await highlights.posted(press, match, "".join(cut[:1]))
        elif what in of_features:
            message = await of_features[what](press, match, what, tuple(cut))
        else:
            message = await step(press, match.id, press.ref.ply or NO_LINES, everything=OPEN in cut)
    await announce(press, message, "I've posted it.")


async def step(press: Press, number: MatchId, ply: Ply, *, everything: bool = False) -> Message:
    """A step of a match as everybody may see it, without the hand of the person who posts it."""
    with one_at_a_time(press, Long.REPLAY):
        seen = await press.host.look.replay(number, None, everything=everything)
        return await replay.page(press.bot, seen, ply, shown_by=press.person)


HANDLERS: Final[dict[str, Verb]] = {POST: of_match(_post)}
