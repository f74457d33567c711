"""A host who is silent or gone, and **I'm here**, as people see them (P1)."""

from typing import Any

from matches.api import Status
from tests.cogs.table import Clocked, Member, Table, behind, labels, private, strip
from tests.cogs.test_cut_off import expel, looks


async def joined(room: Table, *people: Member) -> Any:
    """Open a table that these people join. Returns the lobby's message."""
    await room.open("saboteur")
    lobby = room.latest("Join")
    for person in people:
        await person.click(lobby, label="Join")
    return lobby


async def test_w5_somebody_else_starts_and_who_was_silent_is_asked(timed4: Clocked) -> None:  # FOUND W5
    (ann, bob, cleo, _) = timed4.people
    lobby = await joined(timed4, bob, cleo)
    assert "Only the host" in private(await bob.click(lobby, label="Start")).content
    await timed4.later(minutes=56)
    await behind(ann, lobby, "Rules")
    await timed4.later(minutes=10)
    assert "Only the host" in private(await bob.click(lobby, label="Start")).content
    await timed4.later(minutes=55)
    answer = private(await bob.click(lobby, label="Start")).content
    assert "I'm asking whether they're here" in answer
    asked = timed4.latest("I'm here")
    assert asked.id != lobby.id
    assert ann.mention in asked.content
    assert bob.mention not in asked.content
    assert "are you still here? Whoever hasn't pressed **I'm here**" in asked.content
    shown = timed4.refreshed(lobby)
    assert "Starts once everybody is known to be here" in shown.content
    assert ["Bob (here)" in strip(shown).description, "(ready)" in strip(shown).description] == [True, False]
    assert "I'm here" in labels(shown)
    answer = private(await ann.click(asked, label="I'm here")).content
    assert "It starts once the others have answered." in answer
    answer = private(await cleo.click(shown, label="I'm here")).content
    assert "It has started." in answer
    assert (await timed4.match()).status is Status.RUNNING


async def test_w5_somebody_seated_cancels_for_a_host_who_has_left_the_server(timed3: Clocked) -> None:  # FOUND W5
    (ann, bob, cleo) = timed3.people
    lobby = await joined(timed3, bob, cleo)
    assert "Cancel" not in labels((await behind(bob, lobby)).response)
    assert looks(timed3) == 0, "the host has pressed within the hour"
    await timed3.later(hours=2)
    expel(timed3, ann)
    await behind(bob, lobby, "Cancel")
    assert looks(timed3) == 2, "one for each press"
    assert (await timed3.match()).status is Status.CANCELLED


async def test_w5_somebody_seated_starts_for_a_host_who_has_left_the_server(timed4: Clocked) -> None:  # FOUND W5
    (ann, *others) = timed4.people
    await timed4.open("saboteur")
    lobby = timed4.latest("Join")
    await timed4.later(hours=2)
    expel(timed4, ann)
    for person in others:
        await person.click(lobby, label="Join")
    await others[1].click(lobby, label="Start")
    match = await timed4.match()
    assert (match.status, match.host_id, len(match.seats)) == (Status.RUNNING, others[1].id, 3)


async def test_w5_the_question_goes_when_the_table_stays_open_without_them(timed3: Clocked) -> None:  # FOUND W5
    (_, bob, cleo) = timed3.people
    lobby = await joined(timed3, bob, cleo)
    await timed3.later(hours=2)
    await bob.click(lobby, label="Start")
    await timed3.later(minutes=5)
    match = await timed3.match()
    assert ([seat.name for seat in match.seats], match.host_id) == (["Bob"], bob.id)
    (left,) = timed3.channel.history()
    assert "2 more needed" in strip(left).description
