"""**Post it here**: what somebody looks at in private, posted for all to see as everybody may see it."""

from __future__ import annotations

from typing import Final

from cogs.look import animation, replay
from cogs.look.replay import FILM, OPEN, POST, STEP
from cogs.press import rights
from cogs.press.components import Verb
from cogs.press.custom_ids import Ref, match_of
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Message, Press, announce
from cogs.text import words
from matches.api import NO_LINES, MatchId, NotAllowed, Ply


async def _post(press: Press, ref: Ref, values: tuple[str, ...]) -> None:
    what, *cut = ref.path or ("",)
    if what not in (FILM, STEP):
        raise NotAllowed(words.OUT_OF_DATE)
    host, number, user = press.host, match_of(ref), press.person
    match = await host.look.match(number)
    rights.refuse_showing(press, match)
    with one_at_a_time(press, Long.POST):
        # Before anything is drawn: whoever has posted enough costs nothing more.
        await host.reach.show(number, user, press.id)
        if what == FILM:
            message = await _film(press, number, OPEN in cut)
        else:
            message = await step(press, number, ref.ply or NO_LINES, everything=OPEN in cut)
    await announce(press, message, "I've posted it.")


async def step(press: Press, number: MatchId, ply: Ply, *, everything: bool = False) -> Message:
    """A step of a match as everybody may see it, whoever posts it: what their own hand holds is not in it."""
    with one_at_a_time(press, Long.REPLAY):
        seen = await press.host.look.replay(number, None, everything=everything)
        return await replay.page(seen, ply, shown_by=press.person)


async def _film(press: Press, number: MatchId, everything: bool) -> Message:
    message, _ = await animation.film(press, number, everything)
    message.content += f"\n{replay.posted_by(press.person)}"
    return message


HANDLERS: Final[dict[str, Verb]] = {POST: Verb(_post)}
