"""**Fair deal**: all that proves the deals of a match (docs/fair-deals.md).

The other messages of a match name at most its commitment.
"""

from __future__ import annotations

from typing import Final

import discord

from cogs.press.components import Verb, of_match
from cogs.press.reply import Message, Press, whisper
from cogs.text import words
from matches.api import Match, Status

_EXPLAINED: Final = (
    "Before anybody joined, I drew a secret number, the seed, and showed its fingerprint. Every deal follows from the "
    "seed and from these presses. So nobody could choose a deal, and nobody can change one."
)

_PLAYED_ON: Final = (
    "This match is played on from another one, so **its deals aren't sealed**: what was dealt there is a copy, and "
    "the rest is drawn again each time somebody plays on. Deals from here on follow from a secret number, the seed, "
    "and from these presses."
)

_HEADING: Final = "Presses that count, in order, after {} earlier ones that the file of the match has:"


async def show(press: Press, match: Match) -> None:
    """Show the fingerprint and the presses; once the match is over, also the seed and whether every deal is right."""
    if match.status is Status.OVER:
        await whisper(press, Message(await _proof(press, match)))
        return
    found = await press.host.look.seed(match.id)
    if found is None:
        seed = "When the match is over, press **Fair deal** again: I'll show you the seed and check every deal."
    else:
        seed = f"Seed: `{found.hex()}`"
    explained = _PLAYED_ON if match.is_branched else _EXPLAINED
    text = f"{words.title(match)} · fair deal\n{explained}\nFingerprint (commitment): `{match.commitment}`"
    await whisper(press, Message(await _with_presses(press, text, match, seed)))


async def _proof(press: Press, match: Match) -> str:
    proof = await press.host.look.verify(match.id)
    rest = "what's left" if match.is_pruned else "everything"
    verdict = f"{rest} checks out" if proof.ok else "something doesn't match"
    how = (
        "If somebody kept this match's file: `python verify_deals.py FILE SUM` checks its deals."
        if match.is_pruned
        else "**Log**, **As a file**, has everything you need to check this without me."
    )
    text = (
        f"{words.title(match)} · fair deal: {verdict}. {proof.explanation}\n"
        f"Seed: `{proof.seed}`\nFingerprint (commitment): `{proof.commitment}`"
    )
    return await _with_presses(press, text, match, f"Sum: `{proof.sum}`\n-# {how}")


async def _with_presses(press: Press, before: str, match: Match, after: str) -> str:
    """Return both texts, and between them the presses that count, with their times, by which people recognise theirs.

    If these are too many for a message, the latest are shown.
    """
    pressed = (await press.host.look.details(match.id)).pressed
    if not pressed:
        return f"{before}\nNobody has pressed anything that counts yet.\n{after}"
    rows = [f"`{each}`{_when(each)}" for each in pressed]
    room = words.MAX_CONTENT - len(before) - len(after) - len(_HEADING.format(len(rows))) - 3
    shown = len(rows)
    while shown and sum(len(row) + 1 for row in rows[-shown:]) > room:
        shown -= 1
    heading = "Presses that count, in order:" if shown == len(rows) else _HEADING.format(len(rows) - shown)
    return "\n".join((before, heading, *rows[len(rows) - shown :], after))


def _when(pressed: str) -> str:
    """Return the time that a press's id contains; empty if it has none."""
    _, _, number = pressed.partition("-")
    if not number.isdecimal() or int(number) < 1 << 22:
        return ""
    return f" {discord.utils.format_dt(discord.utils.snowflake_time(int(number)), 'T')}"


HANDLERS: Final[dict[str, Verb]] = {"fair": of_match(show)}
