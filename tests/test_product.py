"""Every built row of the product page has a test that is named after it."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent
ROWS = (*range(1, 33), 34, 36, 39, 40)


def rows_named() -> set[int]:
    """The rows in the names of test functions: ``test_p04_p21_…`` names two."""
    named: set[int] = set()
    for path in TESTS.rglob("test_*.py"):
        for rows in re.findall(r"^(?:async )?def test((?:_p[0-9]{2})+)_", path.read_text("utf-8"), re.MULTILINE):
            named.update(int(number) for number in re.findall(r"[0-9]{2}", rows))
    return named


def test_every_row_of_the_product_page_has_a_test_named_after_it() -> None:
    assert rows_named() == set(ROWS)
