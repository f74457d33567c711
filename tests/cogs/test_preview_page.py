"""The scripts of the preview's page, in a real browser."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from aiohttp.test_utils import TestServer

from cogs.preview.web import Site
from cogs.preview.world import World
from tests.cogs import chromium
from tests.cogs.table import make_bot

IN_FRAME = "document.getElementById('frame').contentDocument"
WANTED = "new URL(document.getElementById('frame').src).search"
BUTTONS = f"[...({IN_FRAME}?.querySelectorAll('.component-button') ?? [])]"
ADDING = f"{BUTTONS}.filter((each) => each.innerText === 'Add computer')"
MENUS = f"{IN_FRAME}.querySelectorAll('.select-trigger')"
OPEN = f"{IN_FRAME}.querySelector('.preview-select.is-open [role=option]')"
PAINTED = """new Promise((done) => {
    let left = 20;
    const next = () => (left-- ? requestAnimationFrame(next) : done(true));
    next();
})"""


async def test_the_page_follows_its_members_and_keeps_menus_open_in_high_windows(
    tmp_path: Path,
) -> None:
    if chromium.PROGRAM is None:
        pytest.skip("Chromium isn't installed here")
    bot = make_bot(tmp_path / "ambit.db")
    async with asyncio.timeout(120), World(bot, 3) as world, TestServer(Site(world).app) as server:
        async with world.acting():
            for game in ("saboteur", "abissal"):
                await world.members[0].slash(world.channel, f"{game} new")
        async with chromium.browsing(tmp_path / "profile") as tab:
            await tab.show(str(server.make_url("/")), 1280, 1000)
            assert await tab.until("document.querySelectorAll('#members .member').length") == 3

            for name in ("Bob", "Ann"):
                here = f"document.querySelector('[aria-current]')?.getAttribute('aria-label') === '#games as {name}'"
                await tab.press(f"document.querySelector('button[aria-label^=\"#games as {name}\"]')", here)
            await tab.until(f"document.getElementById('frame').contentWindow.location.search === {WANTED}")
            for number, high in enumerate((1000, 1080)):
                await tab.size(1280, high)
                await tab.until(f"({ADDING}).length === 2")
                await tab.press(f"({ADDING}).at(-1)", f"{MENUS}.length > {number}")
                await tab.run(PAINTED)
                await tab.press(f"[...{MENUS}].at(-1)", f"{OPEN} !== null")
                await tab.run(PAINTED)
                box = await tab.run(f"{OPEN}?.getBoundingClientRect().toJSON()")
                assert box is not None, "the menu was closed at once"
                assert 0 < box["top"] < box["bottom"] < high
                await tab.press(f"[...{MENUS}].at(-1)", f"{OPEN} === null")
            assert tab.errors == []
