"""**Play on from here**: from a step of a finished match, at a private table or at one that others can join (P38).

`matches/review/branching.py` opens the table.
"""

from __future__ import annotations

from typing import Any, Final

import discord

from cogs.lobby import lobby_buttons
from cogs.post import dms
from cogs.press import components, places, rights
from cogs.press.components import Style, Verb, of_match
from cogs.press.custom_ids import Ref, expect
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Message, Press, answer
from cogs.text import names, words
from matches.api import NO_LINES, Match, NewMatch, NotAllowed, Ply, SeatNumber, Terms, Where
from matches.computers.levels import Level
from matches.computers.thinking import levels_of
from matches.review import PLAY_ON, Reviews
from matches.review.branching import Offer

ALONE: Final = "playalone"
HERE: Final = "playhere"
PICKED: Final = "picked"
"""In the menu's path: the answer replaces the message that has the menu."""

DMS_ARE_CLOSED: Final = (
    "A private table is in your DMs, and I can't write to you there right now. Allow DMs from this server, or open a "
    "table that others can join."
)

_SEAT: Final = "You play as {}"


async def _ask(press: Press, match: Match) -> None:
    """Ask how to play on: alone with computers of which level, or with others; in open games also at which seat."""
    offer = await press.host.part(Reviews).offer(match.id, press.ref.ply or NO_LINES, press.person)
    picked = next((seat for seat in offer.seats if str(seat) == press.picked), offer.seats[0])
    await answer(press, _question(press, offer, picked))


def _question(press: Press, offer: Offer, seat: int) -> Message:
    match, ply = offer.match, offer.ply
    people = names.plain_people(match)
    lines = [f"{words.title(match)}: play on from here, as it was for **{names.in_message(people[seat])}**."]
    if match.info.hidden_information:
        lines.append("What you couldn't know then is dealt again, so nothing you've seen since will help you.")
    lines.append("It's not rated, and it counts for nothing else.")
    computers, are = ("computer", "is") if len(match.seats) == 2 else ("computers", "are")
    lines.append(f"**In private:** pick how strong the {computers} {are}, and I'll set it up in your DMs.")
    levels: list[discord.ui.Item[Any]] = [
        components.button(
            Ref(ALONE, match.id, ply, (str(seat), level.value)),
            f"{level.value.title()} {computers}",
            Style.primary,
            row=0,
        )
        for level in levels_of(match.game, match.options, len(match.seats))
    ]
    items = levels
    if press.interaction.guild_id is not None and press.interaction.guild_id == match.guild_id:
        lines.append("**With others:** open a table here that anybody can join.")
        if match.info.hidden_information:
            lines.append("-# They could look up your old cards in the replay, so play with people you trust.")
        items = [*items, components.button(Ref(HERE, match.id, ply, (str(seat),)), "Open a table here", row=1)]
    if len(offer.seats) > 1:
        ref, offered = Ref(PLAY_ON, match.id, ply, (PICKED,)), {str(n): _SEAT.format(people[n]) for n in offer.seats}
        items = [*items, components.menu(ref, offered, "Which seat?", (str(seat),))]
    return Message("\n".join(lines), view=components.view(*items))


def _read(press: Press) -> tuple[Ply, SeatNumber, str]:
    """Return the step, the seat and the level that a button names. Raises NotAllowed for what isn't offered."""
    seat, *rest = press.ref.path or ("",)
    if not seat.isdecimal() or press.ref.ply is None:
        raise NotAllowed(words.OUT_OF_DATE)
    return press.ref.ply, SeatNumber(int(seat)), "".join(rest[:1])


async def _alone(press: Press, match: Match) -> None:
    """**… computers**: play on at a private table, which is in the person's direct messages."""
    ply, seat, level = _read(press)
    expect(level in set(Level))
    with one_at_a_time(press, Long.TABLE):
        await press.host.part(Reviews).offer(match.id, ply, press.person)
        greeting = Message(f"{words.title(match)}: I'm setting up your table …")
        sent, _ = await dms.send(press.bot, press.person, greeting, asked=True, nonce=str(press.id))
        if sent is None:
            raise NotAllowed(DMS_ARE_CLOSED)
        request = NewMatch(
            match.game,
            sent.channel.id,
            Terms(where=Where.CHANNEL),
            interaction_id=press.id,
            lobby_message_id=sent.id,
        )
        person = names.person(press.interaction.user)
        new = await press.host.part(Reviews).alone(match.id, ply, seat, person, level, request)
    await answer(press, Message(f"Your table is ready in your DMs: {words.title(new)} ({words.link(new)})."))


async def _here(press: Press, match: Match) -> None:
    """**Open a table here**: play on with whoever joins."""
    ply, seat, _ = _read(press)
    await rights.refuse_showing(press, match)
    here = await places.playable(press)
    with one_at_a_time(press, Long.TABLE):
        terms, notes = await lobby_buttons.placed(press, here, {})
        request = NewMatch(
            match.game,
            here.channel_id,
            terms,
            guild_id=here.guild_id,
            in_thread=here.in_thread,
            interaction_id=press.id,
        )
        person = names.person(press.interaction.user)
        new = await press.host.part(Reviews).opened(match.id, ply, seat, person, request)
        await lobby_buttons.post_lobby(press, new, notes=notes)


HANDLERS: Final[dict[str, Verb]] = {
    PLAY_ON: of_match(_ask, edits=lambda ref: PICKED in ref.path),
    ALONE: of_match(_alone, edits=True),
    HERE: of_match(_here),
}
