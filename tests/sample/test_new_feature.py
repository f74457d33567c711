"""``make feature``: what it makes works, and it touches the places that CONTRIBUTING names and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sample.__main__ import checked, main
from tests.sixth.test_new_game import assert_named, contents, copy_to, run

KEY = "leaguex"
IN_THE_COPY = (
    f"tests/matches/{KEY}",
    f"tests/cogs/{KEY}",
    "tests/db/test_schema.py",
    "tests/db/test_plans.py",
    "tests/cogs/test_limits.py",
    "tests/cogs/test_privacy_page.py",
    "tests/cogs/test_without.py",
    "tests/matches/test_own_data.py",
    "tests/test_what_a_feature_brings.py",
    "tests/test_papers.py",
)
PICKED = f"{KEY} or migrations or every_question or every_table or every_command or every_verb or page_says or touches"


@pytest.mark.parametrize("key", ["", "League", "a league", "orders", "class", "table"])
def test_a_key_that_cannot_be_used_is_refused_in_a_sentence(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(key.split()) == 2
    assert capsys.readouterr().err.startswith(("A key is 1 to 16 letters", f"{key!r} is taken by"))


def test_a_new_feature_works_and_touches_the_places_that_contributing_names(tmp_path: Path) -> None:
    assert checked(KEY) == KEY
    copy_to(tmp_path)
    before = contents(tmp_path)
    run(tmp_path, "-m", "tests.sample", KEY)
    assert_named({path for path, data in contents(tmp_path).items() if before.get(path) != data}, "Add a feature", KEY)
    picked = f"({PICKED}) and not without_a_features"
    run(tmp_path, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *IN_THE_COPY, "-k", picked)
