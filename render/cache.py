"""A cache of drawn tiles and labels, limited by bytes: one tile may be a hundred times as large as another."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, Final, ParamSpec, TypeVar

from cachetools import LRUCache
from PIL import Image

P = ParamSpec("P")
R = TypeVar("R")

MAX_BYTES: Final = 36_000_000
"""Most bytes in the cache of one process."""

_APART: Final = 1_500
"""Bytes of a tile without its pixels: palette, objects, key."""


def _size(drawn: Any) -> int:
    """Size in bytes of a tile, or of a tuple with tiles in it."""
    if isinstance(drawn, Image.Image):
        return _APART + drawn.width * drawn.height * len(drawn.getbands())
    return sum(map(_size, drawn)) if isinstance(drawn, tuple) else 0


CACHE: Final[LRUCache[Any, Any]] = LRUCache(MAX_BYTES, _size)
"""Drawn tiles by function and arguments; the least recently used are dropped first."""

_LOCK: Final = Lock()


def cached(draw: Callable[P, R]) -> Callable[P, R]:
    """Cache the results of `draw`, as `functools.lru_cache` does, in the cache that all these functions share."""
    name = f"{draw.__module__}.{draw.__qualname__}"

    @wraps(draw)
    def kept(*args: P.args, **kwargs: P.kwargs) -> R:
        key = (name, args, *kwargs.items())
        with _LOCK:
            found: R | None = CACHE.get(key)
        if found is None:
            found = draw(*args, **kwargs)
            with _LOCK:
                CACHE[key] = found
        return found

    return kept
