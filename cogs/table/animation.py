"""A whole match as one animated picture, for whoever asks for it once the match is over."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import discord

from cogs.table import components, pictures, words
from cogs.table.ids import Ref
from cogs.table.replay import OPEN
from cogs.table.reply import Interaction, Message, in_time, turn_into, whisper
from matches import NotAllowed, Replay, Status, WrongTime
from render import RENDERERS, gif

_DRAWER: Final = ThreadPoolExecutor(1, "animation")
"""One animation at a time, however many are asked for: each keeps a processor busy for seconds."""


async def _show(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """The buttons **Animation**, under a board, and **With what was hidden**, under an animation."""
    everything = OPEN in ref.path
    message = await in_time(interaction, _message(interaction, ref, everything), edit=everything)
    await (turn_into if everything else whisper)(interaction, message)


async def _message(interaction: Interaction, ref: Ref, everything: bool) -> Message:
    if ref.match is None:
        raise NotAllowed(words.OUT_OF_DATE)
    # A spectator's eyes: the frames are the boards that were posted, whoever asks.
    replay = await interaction.client.host.replay(ref.match, None, everything=everything)
    match = replay.match
    if match.status is not Status.OVER:
        raise WrongTime("A match can be shown as an animation when it is over; until then there is `/match replay`.")
    data = await drawn(replay)
    alt = f"{match.info.name} #{match.id} from the first board to the last, {words.how_it_ended(match)}"
    file = discord.File(io.BytesIO(data), f"{match.game}-{match.id}.gif", description=alt[:1024])
    text = f"{words.title(match)}, from the first board to the last{', nothing hidden' if everything else ''}."
    offered = match.info.hidden_information and not everything
    button = components.button(Ref("animation", match.id, None, (OPEN,)), "With what was hidden")
    return Message(text, [file], components.view(button) if offered else None)


async def drawn(replay: Replay) -> bytes:
    """The animation, drawn in a thread; when nobody waits for it any more, the thread stops at the next frame."""
    given_up = threading.Event()
    try:
        return await asyncio.get_running_loop().run_in_executor(_DRAWER, _draw, replay, given_up.is_set)
    finally:
        given_up.set()


def _draw(replay: Replay, stopped: Callable[[], bool]) -> bytes:
    wanted = {replay.plies[number] for number in gif.chosen(len(replay.plies))}
    seen = []
    for moment in replay.moments():
        if stopped():
            raise gif.Stopped
        if moment.ply in wanted:
            seen.append(moment.observation)
    return RENDERERS[replay.match.game].animate(seen, pictures.people(replay.match), stopped)


HANDLERS: Final[dict[str, components.Handler]] = {"animation": _show}
