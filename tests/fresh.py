"""A new store for a test: a copy of an empty one, which is made once by the program itself and not for every test."""

from __future__ import annotations

import asyncio
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

from db import Database


def fresh(path: Path) -> Path:
    """Put an empty store, whose schema is that of today, at `path`, unless there is one."""
    if not path.exists():
        path.write_bytes(_empty())
        path.chmod(0o600)
    return path


@cache
def _empty() -> bytes:
    async def make(path: Path) -> None:
        await (await Database.open(f"sqlite+aiosqlite:///{path}")).close()

    # Tests have an event loop of their own already.
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as thread:
        path = Path(folder) / "empty.db"
        thread.submit(lambda: asyncio.run(make(path))).result()
        return path.read_bytes()
