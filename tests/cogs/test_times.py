"""Times as people type them, and that what was understood is shown before it counts."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from cogs.text.times import needs_zone, read_time
from matches.api import MatchId, NotAllowed, UserId
from tests.cogs.table import Table, away, change, fill_in, labels, pick, private
from tests.cogs.test_manners import one_sentence
from tests.matches.tables import appointment

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
"""A Thursday, 13:00 in Berlin."""
BERLIN = ZoneInfo("Europe/Berlin")


def read(text: str, now: datetime = NOW) -> str:
    return read_time(text, now, BERLIN, too_far="too far").astimezone(BERLIN).strftime("%d.%m. %H:%M")


# FOUND V3
@pytest.mark.parametrize(
    ("text", "moment"),
    [
        *[
            ("20:00", "01.01. 20:00"),
            ("8pm", "01.01. 20:00"),
            (" 8 PM ", "01.01. 20:00"),
            ("at 8:30pm", "01.01. 20:30"),
        ],
        *[("12:30", "02.01. 12:30"), ("noon", "02.01. 12:00"), ("midnight", "02.01. 00:00"), ("12am", "02.01. 00:00")],
        *[("tomorrow 20:00", "02.01. 20:00"), ("20:00 tomorrow", "02.01. 20:00"), ("tonight at 9pm", "01.01. 21:00")],
        *[("2026-01-02 20:00", "02.01. 20:00"), ("2026-01-02T20:00", "02.01. 20:00"), ("2026-01-02", "02.01. 00:00")],
        *[("friday 8pm", "02.01. 20:00"), ("next fri, 20:00", "02.01. 20:00"), ("tues 9pm", "06.01. 21:00")],
        *[("thursday 12:00", "08.01. 12:00"), ("thursday 14:00", "01.01. 14:00"), ("mon", "05.01. 00:00")],
        *[("2 january 20:00", "02.01. 20:00"), ("Jan 5th, 8am", "05.01. 08:00"), ("5.1. 20:00", "05.01. 20:00")],
        *[
            ("in 2 hours", "01.01. 15:00"),
            ("3h", "01.01. 16:00"),
            ("1h30m", "01.01. 14:30"),
            ("an hour", "01.01. 14:00"),
        ],
        *[("1.5 hours", "01.01. 14:30"), ("in half an hour", "01.01. 13:30"), ("20:00 UTC", "01.01. 21:00")],
        *[
            ("2026-01-02T20:00Z", "02.01. 21:00"),
            ("Fri 02 Jan 2026, 20:00", "02.01. 20:00"),
            ("mon. 8pm", "05.01. 20:00"),
        ],
        *[("1 day and 2 hours", "03.01. 15:00"), ("90 min", "01.01. 14:30"), ("<t:1767300000:F>", "01.01. 21:40")],
    ],
)
def test_what_people_type_is_the_next_such_moment_where_they_live(text: str, moment: str) -> None:
    assert read(text) == moment


@pytest.mark.parametrize(
    "text",
    [
        *("soon", "20", "8", "25:00", "13pm", "0am", "8:61", "30 february", "friday banana", "2 hours 20:00", "maybe"),
        *("20:00 21:00", "monday tuesday", "tomorrow friday", "2026-13-01", "٣ days", "9" * 50, "", "at", "on t"),
        *("tonight", "saturday 2 january 2026", "utc", "29 feb 2027"),
    ],
)
def test_nonsense_is_refused_with_examples(text: str) -> None:
    with pytest.raises(NotAllowed, match="I didn't understand that: try “3 days”, “20:00”"):
        read(text)


@pytest.mark.parametrize("text", ["1/2", "3/4 20:00", "20:00 12/11/2026"])
def test_a_date_that_other_countries_read_differently_is_refused(text: str) -> None:
    with pytest.raises(NotAllowed, match="another order"):
        read(text)


@pytest.mark.parametrize("text", ["today", "today 12:00", "2025-12-31 20:00", "2026-01-01"])
def test_a_moment_that_has_passed_is_refused(text: str) -> None:
    with pytest.raises(NotAllowed, match="passed"):
        read(text)


def test_an_hour_that_never_comes_is_refused_and_one_that_comes_twice_is_the_first() -> None:
    spring, autumn = datetime(2026, 3, 28, 12, tzinfo=UTC), datetime(2026, 10, 24, 12, tzinfo=UTC)
    for text in ("tomorrow 02:30", "sunday 2:30am", "29 march 02:00"):
        with pytest.raises(NotAllowed, match="put forward"):
            read(text, spring)
    assert read("tomorrow 03:00", spring) == "29.03. 03:00"
    assert read_time("tomorrow 02:30", autumn, BERLIN, too_far="") == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    between = datetime(2026, 10, 25, 1, 10, tzinfo=UTC)  # 2:10 in Berlin, for the second time
    assert read_time("02:30", between, BERLIN, too_far="") == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    assert read("02:05", between) == "26.10. 02:05"
    assert read_time("1 day", autumn, BERLIN, too_far="") == autumn + timedelta(days=1)


def test_the_day_that_most_years_lack_is_the_next_one_or_too_far() -> None:
    assert read("29 feb", datetime(2027, 12, 31, 12, tzinfo=UTC)) == "29.02. 00:00"
    with pytest.raises(NotAllowed, match="too far"):
        read("29 feb 20:00")


def test_only_what_depends_on_where_somebody_lives_needs_their_zone() -> None:
    assert not any(map(needs_zone, ("3 days", "in 2 hours", "3h", "<t:1767300000>", "<t:1767300000:R>")))
    assert all(map(needs_zone, ("20:00", "tomorrow", "2026-01-02", "friday 8pm", "noon")))


# FOUND V3
async def test_a_typed_time_asks_for_the_zone_once_and_counts_once_it_was_shown(room1: Table) -> None:
    (ann,), host = room1.people, room1.bot.host
    asked = (await ann.slash(room1.channel, "gambo new", at="20:00")).response
    assert "Which time zone" in asked.content
    assert not list(room1.channel.history())
    thanks = (await pick(ann, asked, "Europe/Berlin")).response
    assert "✓ **Berlin**: Europe/Berlin" in thanks.content
    assert (await host.settings.player_settings(UserId(ann.id))).zone == "Europe/Berlin"
    offered = await ann.autocomplete(room1.channel, "gambo new", "at", "20:00")
    assert any("20:00 · Europe/Berlin" in str(each) for each in offered)
    asked = (await ann.slash(room1.channel, "gambo new", at="20:00")).response
    assert ":F>" in asked.content
    assert "Is that right?" in asked.content
    assert not list(room1.channel.history())
    await ann.click(asked, label="Yes, then")
    match = await host.look.match(MatchId(1))
    assert appointment(match).appointed.astimezone(BERLIN).strftime("%H:%M") == "20:00"
    assert f"<t:{int(appointment(match).appointed.timestamp())}:F>" in asked.content
    lobby = room1.latest("Join")
    asked = private(await fill_in(ann, await change(ann, lobby, "Another time …"), "tomorrow 21:00"))
    assert appointment(await host.look.match(MatchId(1))).appointed == appointment(match).appointed
    moved = (await ann.click(asked, label="Yes, then")).response
    assert "now starts" in moved.content
    assert appointment(await host.look.match(MatchId(1))).appointed != appointment(match).appointed
    asked = private(await away(room1, ann, "tomorrow 8pm"))
    assert labels(asked) == ["Yes, then"]
    told = (await ann.click(asked, label="Yes, then")).response
    assert "Your clocks are paused until" in told.content
    # What doesn't fit on a button is written again.
    invite = "please come, all of you: " * 3
    said = one_sentence(await ann.slash(room1.channel, "gambo new", at="tomorrow 9pm", invite=invite))
    assert "write `<t:" in said


async def test_whoever_picks_utc_is_asked_once_as_anybody_else(room1: Table) -> None:
    (ann,) = room1.people
    asked = private(await away(room1, ann, "tomorrow 8pm"))
    assert "Which time zone" in asked.content
    assert "✓ **UTC**" in (await pick(ann, asked, "Etc/UTC")).response.content
    asked = private(await away(room1, ann, "tomorrow 8pm"))
    assert "Is that right?" in asked.content
