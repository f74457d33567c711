"""Looking back at a match step by step, for one person only (P18).

Nothing of it is kept in memory: a button says at which ply it was pressed and which way it leads.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import discord

from cogs.post import pictures
from cogs.press import components
from cogs.press.ids import Ref, match_of
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Interaction, Message, in_time, turn_into, whisper
from cogs.text import words
from matches import NO_LINES, MatchId, Ply, Replay, Status, UserId

STEP: Final = "step"
OPEN: Final = "open"
"""In a button's path: the cut in which nothing is hidden."""

FIRST, BACK, NEXT, LAST, HERE = "first", "back", "next", "last", "here"
_LABELS: Final = {FIRST: "⏮ First", BACK: "◀ Back", NEXT: "Next ▶", LAST: "Last ⏭"}


async def show(interaction: Interaction, number: MatchId) -> None:
    """A new viewer: at the beginning of a finished match, at the latest step of one that goes on."""
    await whisper(interaction, await in_time(interaction, _opened(interaction, number)))


async def _opened(interaction: Interaction, number: MatchId) -> Message:
    with one_at_a_time(interaction, Long.REPLAY):
        replay = await interaction.client.host.look.replay(number, UserId(interaction.user.id))
        return await page(replay, replay.plies[0 if replay.match.status is Status.OVER else -1])


async def page(replay: Replay, ply: Ply) -> Message:
    """The viewer at one step: the board as it stood, and in words how it came to that."""
    match, plies = replay.match, replay.plies
    ply = replay.nearest(ply)
    moment = await asyncio.to_thread(replay.moment, ply)
    heading = f"{words.title(match)} · step {plies.index(ply) + 1} of {len(plies)}"
    if replay.everything:
        heading += " · with nothing hidden"
    happened = words.lines_in_words(match, moment.lines)
    picture = await pictures.position(match, moment.observation)
    return Message(words.fitted(heading, happened, ""), [picture], _buttons(replay, ply))


def _buttons(replay: Replay, ply: Ply) -> discord.ui.View:
    match, plies = replay.match, replay.plies
    cut = (OPEN,) if replay.everything else ()
    items: list[discord.ui.Item[Any]] = []
    for way, label in _LABELS.items():
        at_end = ply == plies[0 if way in (FIRST, BACK) else -1]
        # A match that goes on may have moved meanwhile, so forward is always open then.
        useless = at_end and (way in (FIRST, BACK) or match.status is Status.OVER)
        items.append(components.button(Ref(STEP, match.id, ply, (way, *cut)), label, disabled=useless))
    if match.status is Status.OVER and match.info.hidden_information:
        label, other = ("As it was shown", ()) if replay.everything else ("Show what was hidden", (OPEN,))
        items.append(components.button(Ref(STEP, match.id, ply, (HERE, *other)), label, row=1))
    return components.view(*items)


def _target(replay: Replay, ply: Ply, way: str) -> Ply:
    """Where a button leads from `ply`."""
    here = replay.plies.index(replay.nearest(ply))
    index = {FIRST: 0, BACK: max(0, here - 1), NEXT: here + 1, LAST: -1}.get(way, here)
    return replay.plies[min(index, len(replay.plies) - 1)]


async def _open(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """The button **Replay**."""
    await show(interaction, match_of(ref))


async def _step(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """A button of the viewer."""
    await turn_into(interaction, await in_time(interaction, _stepped(interaction, ref), edit=True))


async def _stepped(interaction: Interaction, ref: Ref) -> Message:
    way, *cut = ref.path or (HERE,)
    with one_at_a_time(interaction, Long.REPLAY):
        replay = await interaction.client.host.look.replay(
            match_of(ref), UserId(interaction.user.id), everything=OPEN in cut
        )
        return await page(replay, _target(replay, ref.ply or NO_LINES, way))


HANDLERS: Final[dict[str, components.Handler]] = {"replay": _open, STEP: _step}
