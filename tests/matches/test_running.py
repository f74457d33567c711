"""How Python runs the bot: the event loop."""

import asyncio
import sys
from types import SimpleNamespace

import pytest

from matches.engine.running import run


def test_uvloop_is_used_where_it_is_installed_and_never_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Loop(asyncio.SelectorEventLoop):
        pass

    async def note() -> None:
        made.append(type(asyncio.get_running_loop()))

    monkeypatch.setitem(sys.modules, "uvloop", None)
    run(note())
    monkeypatch.setitem(sys.modules, "uvloop", SimpleNamespace(new_event_loop=Loop))
    run(note())
    assert made[0] is not Loop
    assert made[1] is Loop
