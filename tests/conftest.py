"""What is so for every test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.store import SERVER, swept_up

settings.register_profile("whatever the load", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("whatever the load")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without a server there are no tests of one."""
    if SERVER is None:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("server")])
        items[:] = [item for item in items if not item.get_closest_marker("server")]


@pytest.fixture(autouse=True, scope="session")
def _no_store_is_left_after_all() -> Iterator[None]:
    with swept_up():
        yield


@pytest.fixture(autouse=True)
def _no_store_is_left() -> Iterator[None]:
    with swept_up():
        yield
