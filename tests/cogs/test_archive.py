"""Lists, history and statistics, and forgetting, as people see them (P18, P20)."""

import gzip
import json
from pathlib import Path

import pytest

from matches.api import MatchId, NewMatch, Person
from tests.cogs.table import Table, at_match, finished, labels, table
from tests.cogs.test_lobby import play_to_the_end
from tests.cogs.test_manners import one_sentence
from tests.matches.tables import dump


async def test_p18_the_list_names_what_waits_first(room2: Table) -> None:
    assert "no matches right now" in (await room2.people[0].slash(room2.channel, "match")).response.content
    for _ in range(3):
        await room2.begin("gambo", 2)
    for person in room2.people:
        rows = (await person.slash(room2.channel, "match")).response.content.split("\n")
        waiting = ["your turn" in row for row in rows]
        assert len(rows) == 3
        assert waiting == sorted(waiting, reverse=True)


async def test_p18_history_and_statistics_are_ones_own_and_the_servers(room3: Table) -> None:
    ann, _, watcher = room3.people
    for _ in range(2):
        await play_to_the_end(room3, await room3.begin("gambo", 2))
    match = await room3.bot.host.look.match(MatchId(2))
    winner = next(seat.name for seat in match.seats if seat.won)
    own = (await finished(ann, room3.channel)).response.content
    assert "**Gambo #1**" in own
    assert f"won by {winner}" in own.split("\n")[0]
    assert "No finished matches yet" in one_sentence(await finished(watcher, room3.channel))
    server = (await finished(watcher, room3.channel, "This server's")).response
    assert server.ephemeral
    assert "**Gambo #2**" in server.content
    stats = (await finished(ann, room3.channel, "My statistics")).response.content
    assert "**Gambo**, 2 players: 2 played" in stats
    stats = (await finished(watcher, room3.channel, "This server's statistics")).response.content
    assert "2 players: 2 played, most wins:" in stats
    assert labels((await finished(ann.user, None)).response) == ["My matches", "My statistics"]


@pytest.mark.parametrize("agreed", [False, True])
async def test_p20_privacy_says_what_is_kept_and_deletes_it_after_a_confirmation(room3: Table, agreed: bool) -> None:
    await play_to_the_end(room3, await room3.begin("gambo", 2))
    number = await room3.begin("saboteur", 3)
    ann = room3.people[0]
    kept = await ann.slash(room3.channel, "privacy")
    assert "Right now that's 2 matches." in kept.response.content
    asked = await ann.click(kept.response, label="Delete my data …")
    assert labels(asked.response) == ["Yes, delete everything about me", "◀ Back"]
    assert await room3.bot.host.privacy.matches_kept(ann.id) == (1, number)
    if not agreed:
        return
    done = await ann.click(asked.response, label="Yes, delete everything about me")
    assert "has been deleted" in done.response.content
    assert await room3.bot.host.privacy.matches_kept(ann.id) == ()
    match = await room3.bot.host.look.match(number)
    assert any(name.startswith("Player ") for name in match.seat_names)
    lobby = next(m for m in room3.channel.history() if m.content.startswith("**Saboteur") and "Fair" in m.content)
    assert "Ann" not in lobby.content
    log = await at_match(room3.people[1], room3.channel, "log", match=number)
    assert "A normal computer takes over for Player" in log.response.content


# FOUND S1
async def test_privacy_gives_a_person_their_own_results_in_full_as_a_file(
    at_gambo: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    await play_to_the_end(at_gambo, MatchId(1))
    ann = at_gambo.people[0]
    kept = (await ann.slash(at_gambo.channel, "privacy")).response
    given = (await ann.click(kept, label="Give me my data")).response
    assert given.ephemeral
    (attachment,) = given.attachments
    assert attachment.filename == "my-data.json"
    text = await attachment.read()
    assert [each["match_id"] for each in json.loads(text)["results"]] == [MatchId(1)]
    monkeypatch.setattr("cogs.press.attachments.PLAIN_BYTES", 10)
    packed = (await ann.click(kept, label="Give me my data")).response.attachments[0]
    assert packed.filename == "my-data.json.gz"
    assert json.loads(gzip.decompress(await packed.read()))["matches"] == json.loads(text)["matches"]


async def test_p20_a_deletion_that_was_cut_short_goes_on_when_the_bot_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("matches.host.privacy.MATCHES_PER_STEP", 1)
    async with table(tmp_path / "ambit.db", 3) as room:
        for _ in range(3):
            await play_to_the_end(room, await room.begin("gambo", 2))
        ann, bob, _ = room.people
        room.bot.get_cog("Porter").scheduler.stop()
        await room.bot.host.privacy.forget(ann.id)
        for label in ("", "This server's", "My statistics"):
            assert ann.name not in (await finished(bob, room.channel, label)).response.content, label
        assert "No finished matches yet" in one_sentence(await finished(ann, room.channel))
        assert ann.name not in (await at_match(bob, room.channel, "log", match=1)).response.content
        assert await room.bot.host.privacy.being_forgotten() == (ann.id,)
        await room.restart()
        await room.told()
        assert await room.bot.host.privacy.being_forgotten() == ()
        assert str(ann.id) not in str(await dump(room.bot.database))


async def test_p18_a_list_too_long_for_a_message_ends_with_how_many_more_there_are(room1: Table) -> None:
    ann = room1.people[0]
    for server in range(30):
        request = NewMatch("saboteur", room1.channel.id, guild_id=server)
        await room1.bot.host.lobby.open(request, Person(ann.id, "Ann"))
    *rows, more = (await ann.slash(room1.channel, "match")).response.content.split("\n")
    assert all(row.startswith("**Saboteur #") and row.endswith(")") for row in rows)
    assert more == f"… and {30 - len(rows)} more."
    assert 10 < len(rows) < 30
