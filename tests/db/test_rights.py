"""Who can read the files: they hold seeds and hands, so only their owner."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from db import Database
from db.store import meta
from db.upkeep import backup
from tests.store import of_sqlite

pytestmark = [pytest.mark.skipif(os.name != "posix", reason="rights of files are those of POSIX"), of_sqlite]


@pytest.fixture(autouse=True)
def everybody_may_read_what_is_made_here() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def rights(folder: Path) -> dict[str, int]:
    return {each.name: stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()}


async def test_a_new_store_and_its_journals_are_their_owners_alone(tmp_path: Path, url: str) -> None:
    async with await Database.open(url) as database:
        await database.write(meta.put, "word", "secret")
        assert rights(tmp_path) == {"ambit.db": 0o600, "ambit.db-wal": 0o600, "ambit.db-shm": 0o600}


async def test_the_rights_of_a_store_that_is_there_are_its_owners_business(tmp_path: Path, url: str) -> None:
    (tmp_path / "ambit.db").touch(mode=0o640)
    async with await Database.open(url):
        assert set(rights(tmp_path).values()) == {0o640}


async def test_copies_are_their_owners_alone(tmp_path: Path, url: str) -> None:
    (tmp_path / "ambit.db").touch(mode=0o640)
    async with await Database.open(url):
        backup.back_up(url, tmp_path / "copy.db")
    backup.restore(url, tmp_path / "copy.db")
    assert rights(tmp_path) == {"ambit.db": 0o640, "copy.db": 0o600, "ambit.db.before-restore-1": 0o600}
    (tmp_path / "ambit.db").unlink()
    backup.restore(url, tmp_path / "copy.db")
    assert rights(tmp_path)["ambit.db"] == 0o600
