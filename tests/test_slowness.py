"""What `make test` leaves out follows from measured seconds."""

import pytest

from tests.slowness import COLLECTED, MOST, gone, measured, merged, slow


def test_every_measured_test_exists(request: pytest.FixtureRequest) -> None:
    """`pytest --collect-only --seconds` removes the others."""
    there = request.config.stash[COLLECTED]
    assert gone(measured(), there) == []


def test_measuring_again_changes_what_differs_by_a_third_and_forgets_what_is_gone() -> None:
    here = "tests/test_slowness.py::"
    before = {f"{here}a": 3.0, f"{here}b": 3.0, f"{here}c": 3.0, f"{here}gone": 3.0, "tests/test_gone.py::d": 3.0}
    before["tests/test_imports.py::elsewhere"] = 3.0
    now = {f"{here}a": 3.9, f"{here}b": 4.04, f"{here}new": 0.2, f"{here}quick": 0.11, f"{here}quicker": 0.01}
    kept = {f"{here}a": 3.0, f"{here}b": 4.0, f"{here}c": 3.0, f"{here}new": 0.2}
    assert merged(before, now, {*now, f"{here}c"}) == {**kept, "tests/test_imports.py::elsewhere": 3.0}


class Case(pytest.Item):
    def runtest(self) -> None: ...


def test_of_alike_cases_the_cheapest_stay_and_of_each_test_one_that_is_not_too_dear(
    request: pytest.FixtureRequest,
) -> None:
    left_out = {"dear": 1.2, "each[a-1]": 0.8, "some[b]": 2.7, "none[a]": 3.2, "none[b]": 3.5, "match[a-1]": 22.0}
    stay = {"one": 1.0, "each[a-2]": 0.5, "each[b-1]": 1.0, "each[b-2]": 0.0, "some[a]": 2.5}
    stay |= {"match[a-2]": 20.0, "match[b-1]": 17.0}
    takes = {name: MOST * times for name, times in (left_out | stay).items()}
    items = [Case.from_parent(request.session, name=name, nodeid=name) for name in takes]
    for item in items:
        if item.name.startswith("match"):
            item.add_marker("always")
    assert {item.name for item in slow(items, takes)} == {*left_out}
