"""``/sample``, as people see it."""

from __future__ import annotations

from pathlib import Path

from tests.cogs.table import private, table


async def test_a_note_is_shown_to_its_writer_alone_and_escaped(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.begin("ambush", 2)
        ann, bob = room.people
        written = private(await ann.slash(room.channel, "sample", text="**take** care"))
        assert written.ephemeral
        assert r"\*\*take\*\* care" in written.content
        assert "You've noted nothing." in private(await bob.slash(room.channel, "sample")).content
