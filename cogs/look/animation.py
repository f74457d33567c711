"""A finished match as one animated picture, on request."""

from __future__ import annotations

import logging
from functools import partial
from typing import Final

from cogs.client import Client
from cogs.look.replay import FILM, OPEN, big_moments, posting
from cogs.post import pictures
from cogs.press import components
from cogs.press.components import Verb, of_match
from cogs.press.custom_ids import Ref
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Message, Press, answer
from cogs.text import names, words
from matches.api import Match, Replay, Status, Unavailable, WrongTime
from matches.engine.fair_queue import Rank
from matches.engine.workers import WorkerDied, Workers
from render import RENDERERS

log = logging.getLogger(__name__)


async def _show(press: Press, match: Match) -> None:
    """The buttons **Animation**, under a board, and **With what was hidden**, under an animation."""
    everything = OPEN in press.ref.path
    message = await film(press, match, everything)
    offered = match.info.hidden_information and not everything
    button = components.button(Ref("animation", match.id, None, (OPEN,)), "With what was hidden", row=2)
    post = posting(match, FILM, None, (OPEN,) if everything else ())
    message.view = components.view(*([button] if offered else []), post, big_moments(match))
    await answer(press, message)


async def film(press: Press, match: Match, everything: bool) -> Message:
    """The animation of a match that is over, without buttons. Raises WrongTime, Busy, Unavailable."""
    with one_at_a_time(press, Long.ANIMATION):
        # As a spectator: the frames are the boards that were posted, whoever asks.
        replay = await press.host.look.replay(match.id, None, everything=everything)
        match = replay.match
        if match.status is not Status.OVER:
            raise WrongTime("You can watch the animation once the match is over; until then, there is **Replay**.")
        data = await shared(press.bot, replay, press.person)
    alt = f"The whole match, {match.info.name} #{match.id}. {words.how_it_ended(match)}"
    file = pictures.file(data, f"{match.game}-{match.id}.gif", alt)
    text = f"The whole match, {words.title(match)}{', with nothing hidden' if everything else ''}."
    return Message(text, [file])


async def shared(bot: Client, replay: Replay, person: int) -> bytes:
    """The animation, cached for everybody who asks. Other names, after somebody was forgotten, are another cache entry.

    Servers take turns: on one of them, each person waits for one animation at a time.

    Raises Unavailable if drawing it kills every process.
    """
    question = (replay.match.id, replay.everything, names.first_people(replay.match))
    owner = replay.match.guild_id or person
    try:
        return await bot.animations.get(question, lambda: drawn(bot.computers.background, replay, owner))
    except WorkerDied as error:
        log.error("match %s: the animation was given up: %s", replay.match.id, error)
        raise Unavailable("I couldn't draw this animation. **Replay** shows the match step by step.") from error


async def drawn(background: Workers, replay: Replay, owner: int | None = None) -> bytes:
    """Draw the animation for this owner. Once nobody waits for it, drawing stops at the next frame."""
    paint = partial(RENDERERS[replay.match.game].animate, end=words.ended_by_people(replay.match))
    work = replay.film(paint, names.first_people(replay.match))
    return await background.run(work, owner=owner, rank=Rank.LONG)


HANDLERS: Final[dict[str, Verb]] = {"animation": of_match(_show, edits=lambda ref: OPEN in ref.path)}
