"""Files that answer a press."""

from __future__ import annotations

import asyncio
import gzip
import io
from typing import Final

import discord

from cogs.press.places import may_attach
from cogs.press.reply import Press
from matches.api import NotAllowed
from matches.engine.packing import Packed

PLAIN_BYTES: Final = 1_000_000
"""A larger export is sent packed (gzip)."""


def refuse_without(press: Press, way_on: str = "") -> None:
    """Raise NotAllowed if the answer can't have files; `way_on` is what the person can do instead."""
    if not may_attach(press):
        raise NotAllowed(f"I can't send files here: I need the Attach Files permission.{way_on}")


async def unpacked(made: Packed, name: str) -> discord.File:
    """An export as a JSON file, which stays packed if it's large."""
    if made.size > PLAIN_BYTES:
        return discord.File(io.BytesIO(made.data), f"{name}.json.gz")
    return discord.File(io.BytesIO(await asyncio.to_thread(gzip.decompress, made.data)), f"{name}.json")
