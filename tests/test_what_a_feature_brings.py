"""A feature is a folder of its name in each room that it needs: the tests name what is missing, or knows too much."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cogs import FACES
from db import KEPT
from matches.features import FEATURES
from tests.sources import ROOT, modules, source

KEYS = [feature.key for feature in FEATURES]
ROOMS = ("db", "matches", "cogs")
LISTS = {"db": "db/features.py", "matches": "matches/features.py"}
"""The modules that import features by name. `cogs` finds them by the key."""


def folders(key: str) -> list[Path]:
    """The packages of a feature."""
    return [ROOT / room / key for room in ROOMS if (ROOT / room / key).is_dir()]


def is_brought(path: Path) -> bool:
    """Whether a module lies in the package of a feature."""
    return path.relative_to(ROOT).parts[1] in KEYS


def known_of(path: Path) -> set[str]:
    """The packages of features from which a module imports, as ``matches.orders``."""
    brought = {f"{each}.{key}" for each in ROOMS for key in KEYS}
    named = (f"{module}.{name}" for module, name in source(path).imports)
    return brought.intersection(".".join(name.split(".")[:2]) for name in named)


@pytest.mark.parametrize("key", KEYS)
def test_a_feature_has_a_side_for_the_host_one_for_discord_and_tests_of_both(key: str) -> None:
    assert (ROOT / "matches" / key / "__init__.py").is_file()
    assert key in FACES
    for room in ("matches", "cogs"):
        assert [*(ROOT / "tests" / room / key).glob("test_*.py")], f"tests/{room}/{key} has no tests"


def test_what_is_kept_belongs_to_a_feature_and_has_a_package() -> None:
    assert {each.key for each in KEPT} <= set(KEYS)
    for each in KEPT:
        assert (ROOT / "db" / each.key).is_dir()
        assert {"user_id", "guild_id"} & set(each.table.columns.keys()) or each.shown is not None
        assert (each.of_match is None) == (each.store is None)
        assert (each.of_match is None and each.shown is None) or "match_id" in each.table.columns


@pytest.mark.parametrize("key", KEYS)
def test_a_feature_imports_the_core_and_no_other_feature(key: str) -> None:
    others = {f"{room}.{other}" for room in ROOMS for other in KEYS if other != key}
    known = {(path, name) for folder in folders(key) for path in folder.rglob("*.py") for name in known_of(path)}
    assert not [f"{path.relative_to(ROOT)} imports {name}" for path, name in known if name in others]


@pytest.mark.parametrize("room", ROOMS)
def test_the_core_knows_no_feature_by_name(room: str) -> None:
    core = [path for path in modules(room) if not is_brought(path) and path != ROOT / LISTS.get(room, "")]
    assert not [f"{path.relative_to(ROOT)} imports {name}" for path in core for name in known_of(path)]


CORE = ("tests/matches/test_play.py", "tests/matches/test_votes.py", "tests/matches/test_undo.py")
"""Some tests of the core, which must pass without any one of the features."""

IN_CHECK = ("appointments", "pledges")
"""What knows most of tables. The others are taken out in a soak."""


@pytest.mark.parametrize("key", [key if key in IN_CHECK else pytest.param(key, marks=pytest.mark.soak) for key in KEYS])
def test_without_a_features_folders_and_its_line_the_types_agree_and_the_core_works(key: str, tmp_path: Path) -> None:
    # With what mypy and Python know already, they look only at what has changed.
    for each in ("bot.py", "pyproject.toml", *ROOMS, "games", "render", "tests", "docs", ".mypy_cache"):
        path = ROOT / each
        if path.is_dir():
            shutil.copytree(path, tmp_path / each)
        elif path.exists():
            shutil.copy2(path, tmp_path / each)
    for room in ("matches", "cogs"):
        shutil.rmtree(tmp_path / room / key)
        shutil.rmtree(tmp_path / "tests" / room / key)
    the_list = tmp_path / "matches" / "features.py"
    text = the_list.read_text("utf-8")
    assert f"    {key}.FEATURE,\n" in text
    text = re.sub(rf"(?<=import ){key}, |, {key}\b", "", text.replace(f"    {key}.FEATURE,\n", ""))
    the_list.write_text(text, "utf-8")
    run(tmp_path, "mypy", "bot.py", *ROOMS)
    run(tmp_path, "pytest", "-q", "-p", "no:cacheprovider", *CORE)


def run(folder: Path, module: str, *arguments: str) -> None:
    """Run a module there, and show what it says if it fails."""
    done = subprocess.run([sys.executable, "-m", module, *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
