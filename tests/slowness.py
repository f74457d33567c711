"""Parameters with which a test is slow: `make check` runs it with all of them, `make test` with the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def some_slow(parameters: Iterable[Any], *slow: Any) -> list[Any]:
    """All parameters of a test. Those that are in `slow` are marked slow."""
    return [
        pytest.param(*(each if isinstance(each, tuple) else [each]), marks=[pytest.mark.slow] if each in slow else [])
        for each in parameters
    ]
