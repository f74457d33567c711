"""Parameters with which a test is slow: `make check` runs it with all of them, `make test` with the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def some_slow(parameters: Iterable[Any], *slow: Any) -> list[Any]:
    """All parameters of a test. Those that are in `slow` are marked slow.

    Raises AssertionError if one of `slow` is no parameter.
    """
    parameters = list(parameters)
    assert all(each in parameters for each in slow), "a parameter that doesn't exist is marked slow"
    return [
        pytest.param(*(each if isinstance(each, tuple) else [each]), marks=[pytest.mark.slow] if each in slow else [])
        for each in parameters
    ]
