"""Headless Chromium, driven over its DevTools protocol with what the bot needs anyway (aiohttp)."""

import asyncio
import itertools
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import aiohttp

PROGRAM: Final = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
"""The path of Chromium, if this machine has it."""

TRIES: Final = 30
"""How often an element is pressed."""

FRAMES: Final = 120
"""How many frames the page paints after each press."""

_OPTIONS: Final = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"),
)
_LISTENS: Final = "DevTools listening on "


class Tab:
    """A page of the browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self.errors: list[str] = []
        """What the page's scripts have thrown."""

    async def ask(self, method: str, **parameters: Any) -> Any:
        """Call a method of the protocol, and return its result."""
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        while True:
            told = await self._socket.receive_json()
            if told.get("method") == "Runtime.exceptionThrown":
                self.errors.append(str(told["params"]["exceptionDetails"]))
            if told.get("id") == number:
                assert "error" not in told, told["error"]
                return told["result"]

    async def run(self, script: str) -> Any:
        """Evaluate an expression in the page, wait if it is a promise, and return its value."""
        told = await self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    async def until(self, condition: str) -> Any:
        """Wait until an expression in the page is true, and return its value."""
        look = (
            f"const look = () => {{ const found = {condition}; found ? done(found) : setTimeout(look, 50); }}; look();"
        )
        return await self.run(f"new Promise((done) => {{ {look} }})")

    async def click(self, element: str) -> None:
        """Press the mouse on an element, given as an expression, in this document or in a frame of it."""
        box = await self.run(
            f"""(() => {{
                const found = {element};
                found.scrollIntoView({{ block: "center" }});
                const {{ x, y, width, height }} = found.getBoundingClientRect();
                const frame = found.ownerDocument.defaultView.frameElement?.getBoundingClientRect() ?? {{ x: 0, y: 0 }};
                return [frame.x + x + width / 2, frame.y + y + height / 2];
            }})()"""
        )
        for kind in ("mousePressed", "mouseReleased"):
            await self.ask("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    async def press(self, element: str, until: str) -> None:
        """Click an element until a condition is true: a page that is still loading takes no notice."""
        frames = f"const look = () => {{ {until} ? done(true) : left-- ? requestAnimationFrame(look) : done(false); }};"
        for _ in range(TRIES):
            await self.click(element)
            if await self.run(f"new Promise((done) => {{ let left = {FRAMES}; {frames} look(); }})"):
                return
        raise AssertionError(f"{until} didn't become true")

    async def show(self, address: str, wide: int, high: int) -> None:
        """Open an address in a window of this size."""
        await self.ask("Runtime.enable")
        await self.size(wide, high)
        await self.ask("Page.navigate", url=address)

    async def size(self, wide: int, high: int) -> None:
        await self.ask("Emulation.setDeviceMetricsOverride", width=wide, height=high, deviceScaleFactor=1, mobile=False)


@asynccontextmanager
async def browsing(folder: Path) -> AsyncIterator[Tab]:
    """A new browser with one page. It keeps its profile in this folder."""
    assert PROGRAM is not None
    process = await asyncio.create_subprocess_exec(
        *(PROGRAM, *_OPTIONS, "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank"),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        line = ""
        while not line.startswith(_LISTENS):
            line = (await process.stderr.readline()).decode()
            assert line, "Chromium didn't start"
        address = line.removeprefix(_LISTENS).strip().replace("ws://", "http://").partition("/devtools")[0]
        async with aiohttp.ClientSession() as session:
            async with session.get(f"{address}/json/list") as answer:
                page = next(each for each in await answer.json() if each["type"] == "page")
            async with session.ws_connect(page["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                yield Tab(socket)
    finally:
        process.kill()
        await process.wait()
