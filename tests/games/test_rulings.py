"""Where our rules differ from the original's, or decide what it leaves open, the page for people says so, and why."""

import re
from typing import Final

import pytest

from cogs.text.sections import sections

RULINGS: Final = {
    "ambagibus": {"A1", "A2", "A3", "A5", "A9", "A11", "A15"},
    "ambush": {"B1", "B6", "B7", "B9", "B11"},
    "saboteur": {"S3", "S4", "S7", "S14", "S16", "S18", "S19"},
    "abissal": {"D1", "D2", "D8", "D9", "D10", "D11"},
    "gambo": {"G1", "G2", "G8", "G10", "G11"},
}
"""The rules of each game that the original doesn't have, or not like this."""


# FOUND V12
@pytest.mark.parametrize("key", RULINGS)
def test_each_difference_from_the_original_is_marked_as_a_ruling_with_its_reason(key: str) -> None:
    (section,) = (each for each in sections(key) if each.title == "Rulings")
    marked = dict(re.findall(r"^- \*\*([A-Z]\d+)\*\*: (.+)$", section.text, re.MULTILINE))
    assert marked.keys() == section.rules == RULINGS[key]
    for rule, words in marked.items():
        assert re.search("because|original|would|: ", words), f"{rule} gives no reason"
        assert words.endswith("."), rule
