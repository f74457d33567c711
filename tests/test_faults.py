"""The faults of `tests/faults.py` can be made: each edit still fits its file. `python -m tests.faults` makes them."""

import ast
from collections import Counter

import pytest

from tests.faults import A_ROOM, FAULTS, ROOMS, ROOT, Fault


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_can_still_be_made(fault: Fault) -> None:
    text = (ROOT / fault.file).read_text("utf-8")
    assert text.count(fault.old) == 1, "the old text of the fault must be there exactly once"
    faulty = text.replace(fault.old, fault.new)
    assert ast.dump(ast.parse(faulty)) != ast.dump(ast.parse(text)), "the fault must change what the program does"
    assert all((ROOT / test).exists() for test in fault.tests)


def test_every_room_has_six_faults_of_different_names() -> None:
    assert Counter(fault.room for fault in FAULTS) == dict.fromkeys(ROOMS, A_ROOM)
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
