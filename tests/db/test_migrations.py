"""The migrations: their names and numbers, and stores from before the first one."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from db import Database, DatabaseError, migrations
from db.upkeep.backup import restore
from tests.pages import page
from tests.sources import ROOT
from tests.store import SERVER, address, carry_out, of_sqlite


def chain(folder: Path) -> list[tuple[str, str]]:
    """The name and revision of each migration in a folder of migrations, in the order in which they run."""
    config = Config()
    config.set_main_option("script_location", str(folder))
    scripts = reversed(list(ScriptDirectory.from_config(config).walk_revisions()))
    return [(Path(script.path).name, script.revision) for script in scripts]


@contextmanager
def with_another(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In this block, the program has one migration more, as a later version will."""
    shutil.copytree(migrations._HERE, folder / "migrations", ignore=shutil.ignore_patterns("__pycache__"))
    newest = chain(folder / "migrations")[-1][1]
    number = f"{int(newest) + 1:04}"
    more = f'revision = "{number}"\ndown_revision = "{newest}"\n\n\ndef upgrade() -> None: ...\n'
    (folder / "migrations" / "versions" / f"v{number}_more.py").write_text(more, "utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "_HERE", folder / "migrations")
        migrations._revisions.cache_clear()
        yield
    migrations._revisions.cache_clear()


# FOUND B2
def test_files_numbers_and_order_of_the_migrations_agree() -> None:
    folder = Path(migrations.__file__).parent
    found = chain(folder)
    assert sorted(name for name, _ in found) == sorted(path.name for path in folder.glob("versions/*.py"))
    assert all(re.fullmatch(rf"v{revision}_[a-z0-9_]+\.py", name) for name, revision in found), found
    first, *later = [int(revision) for _, revision in found]
    assert later == [first + 1 + i for i in range(len(later))]


@pytest.mark.parametrize("revision", ["0001", "0036", "0038"])
async def test_a_store_or_backup_from_before_the_first_is_refused_with_two_commands(
    path: Path, url: str, tmp_path: Path, revision: str
) -> None:
    async with await Database.open(url):
        pass

    def age(connection: Connection) -> None:
        connection.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})

    carry_out(path, age)
    commands = rf"git checkout {migrations.TAG}, then python bot\.py --check --migrate\."
    with pytest.raises(DatabaseError, match=commands):
        await Database.open(url)
    with pytest.raises(DatabaseError, match=commands):
        await Database.open(url, migrate=False)
    if SERVER is None:
        with pytest.raises(DatabaseError, match=commands):
            restore(address(tmp_path / "other.db"), path)


# FOUND B2
@of_sqlite
def test_a_migration_made_as_the_page_says_gives_a_store_that_opens(tmp_path: Path) -> None:
    """A copy of the program, in which somebody does what CONTRIBUTING.md prints; and in which the store is opened."""
    (said,) = (code for code in page("CONTRIBUTING.md").code if code.startswith(".venv/bin/alembic revision "))
    shutil.copytree(ROOT / "db", tmp_path / "db", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    before = chain(tmp_path / "db" / "migrations")
    number = f"{max(int(revision) for _, revision in before) + 1:04}"
    _, *recipe = said.replace("NUMBER", number).replace("WHAT", "what").split()
    made = [sys.executable, "-m", "alembic", *recipe]
    subprocess.run(made, cwd=tmp_path, check=True, capture_output=True)
    assert chain(tmp_path / "db" / "migrations") == [*before, (f"v{number}_what.py", number)]
    program = (
        "import asyncio; from db import Database\n"
        f"async def use():\n    async with await Database.open({address(tmp_path / 'new.db')!r}): pass\n"
        "asyncio.run(use())"
    )
    opened = [sys.executable, "-c", program]
    done = subprocess.run(opened, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
