"""``make game``: it makes a game, and touches the places that CONTRIBUTING names and no others."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Collection
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.pages import page
from tests.sixth.__main__ import ROOT, checked, main

PRINTED = "four"
"""The key in CONTRIBUTING.md and README.md: somebody may have made a game of it."""


def free(key: str) -> str:
    """This key, or one like it that nobody has."""
    for longer in (key + "x" * more for more in range(20)):
        with suppress(ValueError):
            return checked(longer)
    raise AssertionError(f"{key} can't be used, however it goes on")


KEY = free(PRINTED)
ROOMS = ("benchmarks", "cogs", "db", "docs", "games", "matches", "render", "tests")
IN_THE_COPY = (
    f"tests/games/test_{KEY}.py",
    "tests/games/test_lessons.py",
    "tests/conformance/test_what_a_game_brings.py",
    "tests/render/test_reading.py",
    "tests/cogs/test_game_cogs.py",
    "tests/cogs/test_command_limits.py",
)
PICKED = f"{KEY} and (has or rule or listed or lesson or course or enough or cog) or letter or test_{KEY} or takes_all"
"""Quick tests of everything that a game brings, and those of its own rules."""


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("", "A key is 1 to 32 letters from a to z, as in `make game KEY=four`, and not ''."),
        ("Four", "A key is 1 to 32 letters from a to z, as in `make game KEY=four`, and not 'Four'."),
        ("four in a row", "A key is 1 to 32 letters from a to z, as in `make game KEY=four`, and not 'four in a row'."),
        ("../four", "A key is 1 to 32 letters from a to z, as in `make game KEY=four`, and not '../four'."),
        ("class", "'class' is a word of Python, so no module can be called so. Choose another key."),
        ("gambo", "'gambo' is taken by another game or by a part of the program. Choose another key."),
        ("moor", "'moor' is taken by another game or by a part of the program. Choose another key."),
        ("core", "'core' is taken by another game or by a part of the program. Choose another key."),
        ("profile", "'profile' is taken by another game or by a part of the program. Choose another key."),
        ("likely", "'likely' is taken by another game or by a part of the program. Choose another key."),
    ],
)
def test_a_key_that_cannot_be_used_is_refused_in_a_sentence(
    key: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(key.split()) == 2
    assert capsys.readouterr().err == f"{sentence}\n"


def test_a_key_that_nobody_has_can_be_used() -> None:
    assert checked(KEY) == KEY
    assert KEY.startswith(PRINTED)


# FOUND B3
def test_the_tests_of_the_sixth_game_stay_green_once_there_is_a_game_of_the_printed_key(tmp_path: Path) -> None:
    """A copy in which somebody has done what the page prints; its tests find another key, and make another game."""
    assert f"make game KEY={PRINTED}" in page("CONTRIBUTING.md").code
    copy_to(tmp_path)
    if KEY == PRINTED:
        run(tmp_path, "-m", "tests.sixth", PRINTED)
    picked = "(test_new_game or test_rules or test_a_sixth_game) and not printed_key"
    tested = ("tests/sixth", "tests/conformance/test_a_sixth_game.py")
    run(tmp_path, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *tested, "-k", picked)


def copy_to(folder: Path) -> None:
    """Copy the repository into this folder, with what is compiled."""
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / room)
    for file in ROOT.iterdir():
        if file.is_file() and not file.name.startswith("."):
            shutil.copy(file, folder)


def test_a_new_game_is_found_by_its_key_and_touches_the_places_that_contributing_names(tmp_path: Path) -> None:
    copy_to(tmp_path)
    before = contents(tmp_path)
    run(tmp_path, "-m", "tests.sixth", KEY)
    touched = {path for path, data in contents(tmp_path).items() if before.get(path) != data}
    assert_named(touched, "Add a game", KEY)
    run(tmp_path, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *IN_THE_COPY, "-k", PICKED)


def contents(folder: Path) -> dict[str, bytes]:
    """The files of the repository by their path in it."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def assert_named(touched: Collection[str], heading: str, key: str) -> None:
    """The table under this heading of CONTRIBUTING names these files and no others. A folder stands for all in it."""
    named = [place.replace("<key>", key).strip("`") for place, _ in page("CONTRIBUTING.md").under(heading).tables[0]]
    places = [f"{place}*" if place.endswith("/") else place for place in named]
    assert not [path for path in touched if not any(fnmatch(path, place) for place in places)]
    assert not [place for place in places if not any(fnmatch(path, place) for path in touched)]


def run(folder: Path, *arguments: str) -> None:
    """Run Python in this copy of the repository."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
