"""Notes that people write to themselves about a match."""

from __future__ import annotations

import pytest

from matches.api import Host, NotAllowed, NotSeated
from tests.matches.tables import PEOPLE, running
from tests.sample.matches import Sample
from tests.sample.matches.writing import LONGEST

ANN, BOB, CLEO = (person.user_id for person in PEOPLE[:3])


async def test_a_note_is_its_writers_alone_and_the_latest_one_counts(host: Host) -> None:
    match, sample = await running(host, "ambush"), host.part(Sample)
    for text in ("first", "then"):
        await sample.write(match.id, ANN, text)
    assert (await sample.read(match.id, ANN), await sample.read(match.id, BOB)) == ("then", "")
    await sample.write(match.id, ANN, "")
    assert not await sample.read(match.id, ANN)


async def test_only_who_plays_notes_anything_and_nothing_long(host: Host) -> None:
    match, sample = await running(host, "ambush"), host.part(Sample)
    with pytest.raises(NotSeated):
        await sample.write(match.id, CLEO, "hello")
    with pytest.raises(NotAllowed, match=str(LONGEST)):
        await sample.write(match.id, ANN, "x" * (LONGEST + 1))


async def test_p20_a_note_is_deleted_with_its_writers_data(host: Host) -> None:
    match, sample = await running(host, "ambush"), host.part(Sample)
    await sample.write(match.id, ANN, "first")
    await host.privacy.forget(ANN)
    assert not await sample.read(match.id, ANN)
