"""SimCord at less expense: with fewer looks at what the bot still does, and cheaper copies.

SimCord looks at all tasks of the bot whenever one of them ends, and every few milliseconds. It copies everything that
Discord and the bot say to each other, some of it several times. That was half the CPU time that a press took.
"""

import asyncio
import copy
import marshal
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, Final

import simcord
from simcord import components, gateway, results
from simcord._dpy_internals import is_tasks_loop_task, reset_webhook_adapter, set_webhook_adapter
from simcord._runtime import _CLOCK_SCOPE
from simcord._settlement import _is_parked, _owned_tasks, _run_due_virtual_callbacks
from simcord.backend import serializers
from simcord.http import router

AGAIN: Final = 0.1
"""Seconds after which this looks whether what is at work now waits for a later time."""

IDLE: Final = 0.005
"""Seconds between two looks of SimCord's own; its default is 0.05, and nearly every press waits for that."""

_settle: Final = simcord.Env._settle_internal
_time_context: Final = simcord.Env.time_context


def lighten() -> None:
    """Let SimCord settle and copy like this from now on."""
    _replace(simcord.Env, "_settle_internal", _settle, _settle_at_once)
    _replace(simcord.Env, "time_context", _time_context, _time_context_of_a_fixture)
    for module in (components, results, serializers):
        _replace(module, "deepcopy", copy.deepcopy, _copied)
    for module in (gateway, router):
        _replace(module, "copy", copy, SimpleNamespace(deepcopy=_copied))


def _replace(owner: Any, name: str, known: object, other: object) -> None:
    """Replace a private name of SimCord's. Raises AssertionError if it isn't what it was."""
    assert getattr(owner, name) is known, f"SimCord has another {name} now"
    setattr(owner, name, other)


async def _settle_at_once(env: simcord.Env, *, idle: float = IDLE, **options: Any) -> None:
    """Wait until everything that is at work has ended, then let SimCord look itself."""
    loop = asyncio.get_running_loop()
    until = loop.time() + env.settle_timeout
    _run_due_virtual_callbacks(env._settlement_state(), until)
    await asyncio.sleep(0)
    while (busy := _at_work(env, until)) and loop.time() < until:
        await asyncio.wait(busy, timeout=AGAIN)
        await asyncio.sleep(0)
    await _settle(env, idle=idle, **options)


@contextmanager
def _time_context_of_a_fixture(env: simcord.Env) -> Iterator[None]:
    """Let time be that of `env`, also where this ends in a copy of the context in which it began, as fixtures do."""
    before = _CLOCK_SCOPE.get()
    adapter = set_webhook_adapter(env._webhook_adapter)
    _CLOCK_SCOPE.set(env)
    try:
        yield
    finally:
        _CLOCK_SCOPE.set(before)
        reset_webhook_adapter(adapter)


def _at_work(env: simcord.Env, until: float) -> list[asyncio.Future[Any]]:
    """The bot's tasks and threads that will end, besides its loops. What a loop does is among them."""
    state = env._settlement_state()
    tasks = (task for task in _owned_tasks(state) if not is_tasks_loop_task(task))
    return [*(task for task in tasks if not _is_parked(state, task, until)), *env._work.executors]


def _copied(value: Any) -> Any:
    """A deep copy. Nearly everything is JSON, which `marshal` copies in a tenth of the time."""
    try:
        return marshal.loads(marshal.dumps(value))
    except ValueError:
        return copy.deepcopy(value)
