"""The stand-in for Discord, for every test here."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from .discord_standin import Discord, Spec, load_spec
from .discord_standin.spec import PATH


@pytest.fixture(scope="session")
def spec() -> Spec | None:
    """Discord's description of its API; without it the written rules alone judge."""
    return load_spec()


@pytest.fixture
def needs_spec(spec: Spec | None) -> Spec:
    """For a test that cannot do without that file."""
    if spec is None:
        pytest.skip(f"{PATH.name} is not beside the repository ({PATH.parent.name}/): it is never copied into it")
    return spec


@pytest.fixture
async def discord(spec: Spec | None) -> AsyncIterator[Discord]:
    """A running stand-in; at the end nothing may have broken Discord's rules."""
    async with Discord(spec=spec) as made:
        yield made
        assert made.violations == []
