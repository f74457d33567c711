"""How Python runs the bot: the event loop, and what the garbage collector looks at."""

import asyncio
import subprocess
import sys
from types import SimpleNamespace

import pytest

from matches.engine.running import run
from tests.sources import ROOT

MOST = 17_000
"""So many objects are looked at within ten milliseconds."""

PROGRAM = """
import gc
from matches.engine.running import COLLECTIONS, collect_seldom
collect_seldom()
most = [0]
def look(phase, about):
    if (phase, about["generation"]) == ("start", 2):
        most.append(sum(len(gc.get_objects(each)) for each in range(3)))
gc.callbacks.append(look)
kept = [[[]] for _ in range(250_000)]
print(max(most))
gc.collect()
print(gc.get_freeze_count() > 500_000, COLLECTIONS.cumulative[-1] > 0)
"""


def test_collections_look_at_few_objects_however_many_there_are() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)
    most, *rest = done.stdout.split()
    assert int(most) < MOST
    assert rest == ["True", "True"]


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
