"""What whoever runs the bot can do to all of it: pause, announce, leave a server, bar somebody everywhere."""

from datetime import timedelta
from random import Random

import pytest

from db import Database
from db.pledges import kept as pledges
from matches.api import Host, Kind, ManualClock, NewMatch, NotAllowed, Ply, Status, Terms, TooSoon
from matches.host import store_state
from matches.host.operating import ANNOUNCED_FOR, LONGEST, REREAD
from matches.pledges import Pledges
from matches.review import Reviews
from tests.matches.pledges.promising import GUILD, HOUR, calls, look, pledge, wish
from tests.matches.tables import CHANNEL, DAY, PEOPLE, Hosted, lobby, play_on, raised, running, tellings, timed, watched

ANN, BOB, CLEO, DAN = PEOPLE[:4]
PAUSED = r"^No new tables open right now\. .*that are there go on\.$"
BARRED = r"^The people who run this bot have barred you"


@pytest.fixture
def other(url: str, database: Database, clock: ManualClock) -> Host:
    """Another process."""
    return Host(database, clock, name="other")


async def test_while_it_is_paused_no_table_opens_by_any_way_in_any_process_and_what_is_there_goes_on(
    host: Host, other: Host, clock: ManualClock
) -> None:
    over = await play_on(host, await running(host, "gambo", 2, guild_id=GUILD), Random(1))
    waiting = await lobby(host, "gambo", guild_id=GUILD)
    appointed = await lobby(host, "gambo", guild_id=GUILD, size=2, shown=timed(clock.now() + DAY))
    begun = await running(host, "ambush", 2, guild_id=GUILD)
    await host.operating.pause("We  move to a new machine.")
    for process in (host, other):
        for opens in (
            process.lobby.open(NewMatch("gambo", CHANNEL, guild_id=GUILD), CLEO),
            process.lobby.open(NewMatch("gambo", CHANNEL, guild_id=GUILD, shown=timed(clock.now() + DAY)), CLEO),
            process.lobby.open(NewMatch("gambo", CHANNEL, computers=("easy",)), CLEO),
            process.lobby.rematch(over.id, ANN),
            process.part(Reviews).alone(over.id, Ply(2), over.seats[0].seat, ANN, "easy", NewMatch("gambo", CHANNEL)),
            process.part(Reviews).opened(over.id, Ply(2), over.seats[0].seat, ANN, NewMatch("gambo", CHANNEL)),
        ):
            with pytest.raises(NotAllowed, match=PAUSED) as refused:
                await opens
            assert "“We move to a new machine.”" in str(refused.value)
        await raised(NotAllowed, watched(process, DAN), PAUSED)
    assert (await other.lobby.join(waiting.id, BOB)).status is Status.RUNNING
    await other.lobby.join(appointed.id, BOB)
    assert (await play_on(other, begun, Random(2))).status is Status.OVER
    await host.operating.pause("")
    await raised(NotAllowed, lobby(host, "gambo", guild_id=GUILD), r"Please try again later\.")
    assert await other.operating.resume() == "New tables open again."
    assert await other.operating.resume() == "New tables open already."
    assert (await host.lobby.rematch(over.id, ANN)).status is Status.LOBBY


async def test_a_press_that_has_opened_a_table_before_the_pause_finds_it(host: Host) -> None:
    request = NewMatch("gambo", CHANNEL, guild_id=GUILD, interaction_id=77)
    opened = await host.lobby.open(request, ANN)
    await host.operating.pause("")
    assert (await host.lobby.open(request, ANN)).id == opened.id


async def test_whoever_was_being_asked_to_play_has_their_time_again_after_the_pause(host: Hosted) -> None:
    await pledge(host, ANN, BOB, CLEO)
    await look(host)
    assert len(await calls(host)) == 3
    asked = await host.part(Pledges).call(GUILD, ANN.user_id)
    for person in (ANN, BOB):
        await host.part(Pledges).ready(asked.table.id, person)
    await host.operating.pause("")
    await pledge(host, DAN)  # What they'd play, they can say.
    host.clock.advance(5 * HOUR)
    await look(host)
    assert not await calls(host)
    for _ in range(2):
        await raised(NotAllowed, host.part(Pledges).ready(asked.table.id, CLEO), PAUSED)
    await host.operating.resume()
    await look(host)
    opened = (await host.part(Pledges).ready(asked.table.id, CLEO)).match
    assert [seat.name for seat in opened.seats] == ["Ann", "Bob", "Cleo"]


@pytest.mark.parametrize("order", ["gap in pause", "pause in gap", "gap first", "pause first"])
async def test_a_pause_that_overlaps_a_gap_gives_those_who_were_being_asked_the_time_once(
    host: Host, other: Host, database: Database, clock: ManualClock, order: str
) -> None:
    host.presence.arrive(0, 1, clock.now(), replayed=False)
    await host.presence.settle()
    await pledge(host, ANN, BOB, CLEO)
    await look(host)
    before = await host.part(Pledges).call(GUILD, ANN.user_id)
    for what in {
        "gap in pause": ("pause", "gap", "back", "resume"),
        "pause in gap": ("gap", "pause", "resume", "back"),
        "gap first": ("gap", "pause", "back", "resume"),
        "pause first": ("pause", "gap", "resume", "back"),
    }[order]:
        if what == "pause":
            await other.operating.pause("")
        elif what == "gap":
            host.presence.lose_server(GUILD)
        elif what == "back":
            host.presence.find_server(GUILD)
            await host.presence.settle()
        else:
            await other.operating.resume()
        await host.presence.tick()
        clock.advance(HOUR)
        await host.presence.tick()
    (after,) = await database.read(pledges.gatherings, GUILD)
    assert after.until - before.table.until == 3 * HOUR


async def test_a_pause_is_said_by_the_state_of_the_store_until_it_is_over(host: Hosted) -> None:
    await host.operating.pause("Tea.")
    host.clock.advance(HOUR)
    await host.operating.pause("More tea.")
    assert (
        "No new tables open: paused (More tea.) for 60 min."
        in (await store_state.read(host.database, host.clock.now())).warnings()
    )
    await host.operating.resume()
    assert list((await store_state.read(host.database, host.clock.now())).warnings()) == []


async def test_a_board_carries_an_announcement_if_it_is_the_first_since(host: Hosted, other: Host) -> None:
    before = host.clock.now()
    assert await other.operating.announcement(None) == ""
    await host.operating.announce("Back at\n 8.")
    assert [await each.operating.announcement(before) for each in (host, other)] == ["", ""]
    host.clock.advance(REREAD)
    # Also a process that has looked just before has heard of it by now.
    assert [await each.operating.announcement(before) for each in (host, other)] == ["Back at 8."] * 2
    assert await host.operating.announcement(None) == "Back at 8."
    assert await host.operating.announcement(host.clock.now()) == ""
    host.clock.advance(ANNOUNCED_FOR - timedelta(seconds=1))
    assert await other.operating.announcement(before) == "Back at 8."
    host.clock.advance(timedelta(seconds=1))
    assert await other.operating.announcement(before) == ""
    await host.operating.announce("Again.")
    await host.operating.announce("")
    host.clock.advance(REREAD)
    assert await other.operating.announcement(before) == ""


@pytest.mark.parametrize("what", ["pause", "announce"])
async def test_what_is_said_to_everybody_is_short_and_text(host: Host, what: str) -> None:
    with pytest.raises(NotAllowed, match=f"may have {LONGEST} characters, and has {LONGEST + 1}"):
        await getattr(host.operating, what)("a" * (LONGEST + 1))
    await getattr(host.operating, what)("\udcff " * (LONGEST // 2))


async def test_whoever_is_barred_everywhere_opens_and_joins_nothing_on_any_server_and_plays_on_what_runs(
    host: Host, other: Host, clock: ManualClock
) -> None:
    begun = await running(host, "gambo", 2, guild_id=7)
    places = (7, 8, None)
    own = [await lobby(host, "saboteur", 2, guild_id=guild) for guild in places]
    theirs = [await host.lobby.open(NewMatch("saboteur", CHANNEL, guild_id=guild), DAN) for guild in places]
    await host.lobby.join(theirs[1].id, ANN)
    appointed = await host.lobby.open(
        NewMatch("gambo", CHANNEL, Terms(size=2), guild_id=8, shown=timed(clock.now() + DAY)), DAN
    )
    await host.lobby.join(appointed.id, ANN)
    await pledge(host, ANN, BOB, CLEO)
    await tellings(host)
    await other.operating.bar(ANN.user_id)
    assert {row.match_id for row in await tellings(host)} == {each.id for each in (*own, theirs[1], appointed)}
    assert [(await host.look.match(each.id)).seat_names for each in own] == [("Bob",)] * 3
    assert (await host.look.match(appointed.id)).seat_names == ("Dan",)
    assert await host.look.match(begun.id) == begun
    for guild, table in zip(places, theirs, strict=True):
        for refused in (
            host.lobby.join(table.id, ANN),
            host.lobby.open(NewMatch("gambo", CHANNEL, guild_id=guild), ANN),
        ):
            await raised(NotAllowed, refused, BARRED)
    await raised(NotAllowed, host.part(Pledges).pledge(wish(host, ANN, game="gambo", fewest=2, most=2)), BARRED)
    await look(host)
    assert not await calls(host), "a table of two isn't enough"
    assert await host.settings.barred(7) == (), "it's no affair of a server's"
    over = await play_on(host, begun, Random(3))
    await raised(NotAllowed, host.lobby.rematch(over.id, ANN), BARRED)
    assert await host.operating.unbar(ANN.user_id) == f"{ANN.user_id} can play again."
    assert await host.operating.unbar(ANN.user_id) == f"{ANN.user_id} isn't barred everywhere."
    await host.lobby.join(theirs[2].id, ANN)


async def test_a_bar_everywhere_and_one_of_a_server_stand_beside_each_other_and_outlive_a_deletion(
    host: Host, clock: ManualClock
) -> None:
    await host.settings.bar(7, ANN.user_id, clock.now() + DAY)
    await host.operating.bar(ANN.user_id)
    request = NewMatch("gambo", CHANNEL, guild_id=7)
    await host.privacy.forget_wholly(ANN.user_id)
    clock.advance(2 * DAY)
    await raised(NotAllowed, host.lobby.open(request, ANN), BARRED)
    await host.settings.bar(7, ANN.user_id, clock.now() + DAY)
    await host.operating.unbar(ANN.user_id)
    await raised(TooSoon, host.lobby.open(request, ANN), "moderators")
    clock.advance(DAY)
    assert (await host.lobby.open(request, ANN)).status is Status.LOBBY


async def test_leaving_a_server_is_news_about_it_for_whichever_process_has_its_shard(host: Host, other: Host) -> None:
    assert "the server 7 within seconds" in await other.operating.leave(7)
    (row,) = await tellings(host)
    assert (row.kind, row.guild_id, row.match_id) == (Kind.LEAVE, 7, None)
