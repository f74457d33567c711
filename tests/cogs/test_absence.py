"""Time and absence at the table: paces, votes, leaving, coming back, another person, being away (P13-P16)."""

import random
import re
from datetime import datetime, timedelta

import pytest

from cogs.play.away import OFFERS, WHEN, read_until
from matches.api import Ended, MatchId, NotAllowed, Status
from matches.records.quiet import zone_named
from tests.cogs.table import Clocked, Member, Table, at_match, away, labels, play_by_panel, private
from tests.cogs.test_manners import one_sentence
from tests.cogs.test_whole_matches import stored_log

NOW = datetime.fromisoformat("2030-05-01T12:00:00+00:00")


async def waiting_for(room: Clocked) -> int:
    mover = (await room.match()).mover
    assert mover.user_id is not None
    return mover.user_id


@pytest.mark.parametrize(("pace", "minutes"), [("live", 5), ("day", 24 * 60), ("slow", 3 * 24 * 60)])
async def test_p13_a_turn_has_one_reminder_and_then_the_table_is_asked(
    timed3: Clocked, pace: str, minutes: int
) -> None:
    await timed3.begin("abissal", 3, players=3, pace=pace)
    late = await waiting_for(timed3)

    def said(words: str) -> int:
        return sum(words in message.content for message in timed3.channel.history())

    await timed3.later(minutes=minutes * 0.79)
    assert said("the table is waiting for you") == 0
    await timed3.later(minutes=minutes * 0.02)
    await timed3.restart()
    await timed3.later(minutes=minutes * 0.02)
    assert said("the table is waiting for you") == 1
    assert said("What should the table do?") == 0
    await timed3.later(minutes=minutes * 0.18)
    assert said("What should the table do?") == 1
    asked = timed3.latest("Wait longer")
    assert labels(asked) == ["Wait longer", "Computer takes over", "End the match"]
    assert "for the others to decide" in one_sentence(await timed3.person(late).click(asked, label="Wait longer"))
    others = [person for person in timed3.people if person.id != late]
    await others[0].click(asked, label="Computer takes over")
    assert (await timed3.match()).present == (await timed3.match()).seats
    await timed3.later(minutes=minutes * 1.01)
    assert said("What should the table do?") == 2
    await others[1].click(timed3.latest("Wait longer"), label="Computer takes over")
    match = await timed3.match()
    assert (match.status, len(match.present)) == (Status.RUNNING, 2)


async def test_p13_a_majority_of_the_others_ends_the_match_and_nobody_wins(timed3: Clocked) -> None:
    await timed3.begin("ambagibus", 3, players=3)
    late = await waiting_for(timed3)
    await timed3.later(hours=25)
    for person in timed3.people:
        if person.id != late:
            await person.click(timed3.latest("Wait longer"), label="End the match")
    match = await timed3.match()
    assert (match.ended_by, [seat for seat in match.seats if seat.won]) == (Ended.VOTE, [])


async def test_p14_whoever_comes_back_takes_the_seat_over_with_one_button(timed_saboteur: Clocked) -> None:
    late = timed_saboteur.person(await waiting_for(timed_saboteur))
    board = timed_saboteur.latest("Play")
    asked = await at_match(late, timed_saboteur.channel, "leave")
    assert "leave this match?" in one_sentence(asked)
    left = await late.click(asked.response, label="Yes, leave")
    assert (await timed_saboteur.match()).seat_of(late.id).computer == "normal"
    refused = await late.click(board, label="Play")
    assert labels(private(refused)) == labels(left.response) == ["Take my seat back"]
    await late.click(private(refused), label="Take my seat back")
    assert (await timed_saboteur.match()).seat_of(late.id).present


async def test_p14_a_computer_is_called_one_while_it_plays_for_a_person_and_not_before_or_after(room3: Table) -> None:
    number = await room3.begin("saboteur", 3)
    rng = random.Random(5)
    actor, message = room3.to_play()
    mover = room3.person(actor.id)
    name = mover.name
    await play_by_panel(actor, message, rng)

    async def turns_until_moved() -> None:
        """Everybody moves until it is the first one's turn again, or the computer has moved for them."""
        for _ in range(2):
            await play_by_panel(*room3.to_play(), rng)

    await turns_until_moved()
    asked = await at_match(mover, room3.channel, "leave")
    await mover.click(asked.response, label="Yes, leave")
    await room3.told()
    board = room3.latest("Play")
    assert f"{name} (computer): " in str(board.attachments[0].description)
    await turns_until_moved()
    back = await mover.click(board, label="Play")
    await mover.click(private(back), label="Take my seat back")
    await play_by_panel(*room3.to_play(), rng)
    await room3.told()
    assert "computer" not in str(room3.latest("Play").attachments[0].description)
    log = (await at_match(mover, room3.channel, "log", match=number)).response.content
    before, between, after = re.split(rf"`\d+` A normal computer takes over for {name}|`\d+` {name} is back", log)
    assert "computer" not in before + after
    own = [line for line in between.split("\n") if f"` {name}" in line]
    assert own
    assert all(f"` {name} (computer) " in line for line in own)


async def test_p14_a_watcher_takes_a_seat_when_the_table_agrees_and_gets_its_secrets(room4: Table) -> None:
    await room4.begin("saboteur", 3)
    ann, bob, cleo, dan = room4.people
    asked = await at_match(ann, room4.channel, "leave")
    await ann.click(asked.response, label="Yes, leave")
    refused = await at_match(bob, room4.channel, "sit")
    assert "You already have a seat at this table" in one_sentence(refused)
    more = await dan.click(room4.latest("Play"), label="⋯")
    one_sentence(await dan.click(more.response, label="Take a seat"))
    wish = room4.latest("Agree")
    assert "Dan would like to take over the seat of Ann (computer)" in wish.content
    assert "not playing in this match" in one_sentence(await dan.click(wish, label="Agree"))
    await bob.click(wish, label="Agree")
    assert (await room4.bot.host.look.match(MatchId(1))).seat_of(dan.id) is None
    await cleo.click(wish, label="Agree")
    seat = (await room4.bot.host.look.match(MatchId(1))).seat_of(dan.id)
    assert seat.present
    dealt = dan.user.dm_channel.last_message
    assert {file.filename for file in dealt.attachments} == {"SPOILER_role.png", "hand.png"}
    assert "Ann" not in (await room4.bot.host.look.match(MatchId(1))).seat_names
    again = await at_match(ann, room4.channel, "sit", match=1)
    assert "No seat is free" in one_sentence(again)


async def test_p15_whoever_resigned_among_more_does_not_come_back(room3: Table) -> None:
    await room3.begin("saboteur", 3)
    asked = await at_match(room3.people[0], room3.channel, "resign")
    assert "you can't come back" in one_sentence(asked)
    await room3.people[0].click(asked.response, label="Yes, resign")
    match = await room3.bot.host.look.match(MatchId(1))
    assert (match.status, match.seat_of(room3.people[0].id).computer) == (Status.RUNNING, "normal")
    assert "You've resigned" in one_sentence(await room3.people[0].click(room3.latest("Play"), label="Play"))


@pytest.mark.parametrize("command", ["leave", "resign"])
async def test_p15_whoever_cannot_leave_or_resign_is_refused_before_being_asked(room4: Table, command: str) -> None:
    await room4.begin("saboteur", 3)
    resigned, left, _, watcher = room4.people
    twice = [(await at_match(resigned, room4.channel, "resign")).response for _ in range(2)]
    await resigned.click(twice[0], label="Yes, resign")
    await left.click((await at_match(left, room4.channel, "leave")).response, label="Yes, leave")
    log = len((await stored_log(room4, MatchId(1)))[1])

    async def refused(person: Member) -> str:
        answer = await at_match(person, room4.channel, command, match=1)
        assert labels(answer.response) == []
        return one_sentence(answer)

    assert await refused(watcher) == "You're not playing in this match."
    assert await refused(resigned) == "You've resigned from this match."
    again = await resigned.click(twice[1], label="Yes, resign")
    assert one_sentence(again) == "You've resigned from this match."
    if command == "leave":
        assert await refused(left) == "You've already left; a computer is playing your seat."
    else:
        assert "resign from this match?" in one_sentence(await at_match(left, room4.channel, command, match=1))
    assert len((await stored_log(room4, MatchId(1)))[1]) == log


async def test_p16_going_away_and_leaving_stand_under_more(timed_saboteur: Clocked) -> None:
    late = timed_saboteur.person(await waiting_for(timed_saboteur))
    more = (await late.click(timed_saboteur.latest("Play"), label="⋯")).response
    asked = (await late.click(more, label="Away")).response
    chosen = (await late.select(asked, ["3 days"])).response
    assert "I've let 1 table know." in chosen.content
    assert f"{late.name} is away until <t:" in (told := timed_saboteur.channel.history()[-1]).content
    assert told.flags.silent
    asked = (await late.click(more, label="Away")).response
    assert "Welcome back!" in (await late.select(asked, ["now"])).response.content
    assert f"{late.name} is back." in timed_saboteur.channel.history()[-1].content
    assert "leave this match?" in (await late.click(more, label="Leave")).response.content


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("3 days", NOW + timedelta(days=3)),
        (" 12H ", NOW + timedelta(hours=12)),
        ("45 min", NOW + timedelta(minutes=45)),
        ("2 weeks", NOW + timedelta(weeks=2)),
        ("2030-05-09", datetime.fromisoformat("2030-05-09T00:00:00+00:00")),
        ("<t:1903953600>", NOW + timedelta(days=1)),
        *((f"<t:1903953600:{style}>", NOW + timedelta(days=1)) for style in "tTdDfFRsS"),
        (" <t:1903953600:R> ", NOW + timedelta(days=1)),
        ("now", None),
        ("back", None),
    ],
)
def test_p16_a_time_is_read_as_people_write_it(text: str, until: datetime | None) -> None:
    assert read_until(text, NOW) == until


@pytest.mark.parametrize(
    ("zone", "day", "until"),
    [
        ("Europe/Berlin", "2030-05-09", "2030-05-08T22:00:00+00:00"),
        ("America/St_Johns", "2030-05-09", "2030-05-09T02:30:00+00:00"),
        # There is no midnight on the day on which the clocks go forward there.
        ("Africa/Cairo", "2030-04-26", "2030-04-25T22:00:00+00:00"),
        ("Moon/Tycho", "2030-05-09", "2030-05-09T00:00:00+00:00"),
    ],
)
def test_p16_a_day_begins_at_midnight_where_the_person_lives(zone: str, day: str, until: str) -> None:
    moment = datetime.fromisoformat(until)
    assert read_until(day, moment - timedelta(days=3), zone_named(zone)) == moment


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "America/Los_Angeles"])
@pytest.mark.parametrize(
    "text",
    [
        *("0001-01-01", "9999-12-31"),
        *("", "soon", "0 days", "61 days", "2030-04-30", "2030-13-01", "9" * 50, "٣ days"),
        *("<t:1903867200>", "<t:0:R>", "<t:1999999999>", f"<t:{'9' * 11}:F>", f"<t:{'9' * 40}>", "<t:-5>", "<t:>"),
    ],
)
def test_p16_a_time_that_cannot_be_meant_is_refused(text: str, zone: str) -> None:
    with pytest.raises(NotAllowed):
        read_until(text, NOW, zone_named(zone))


EXAMPLE = re.compile("“([^”]+)”")


async def test_p16_every_example_that_is_offered_is_one_that_is_taken(timed1: Clocked) -> None:
    ann, channel = timed1.people[0], timed1.channel
    await ann.slash(channel, "settings me", zone="Europe/Berlin")
    said = [one_sentence(await away(timed1, ann, text)) for text in ("soon", "61 days", "2030-04-30", "<t:0>")]
    examples = {example for sentence in said for example in EXAMPLE.findall(sentence)}
    assert len(examples) >= 5
    for example in sorted({*examples, *OFFERS, *WHEN.example.split(" (")[0].split(", or ")}):
        told = await away(timed1, ann, example)
        if "Yes, then" in labels(told.response):
            told = await ann.click(told.response, label="Yes, then")
        answer = told.response.content
        assert answer.startswith(("Your clocks are paused until <t:", "Welcome back!")), (example, answer)


async def test_p16_whoever_is_away_reads_where_their_clock_pauses_for_less(timed3: Clocked) -> None:
    await timed3.begin("saboteur", 3, pace="live")
    late = timed3.person(await waiting_for(timed3))
    listed = one_sentence(await late.slash(timed3.channel, "match"))
    assert "**your turn**, the turn began <t:" in listed
    answer = one_sentence(await away(timed3, late, "3 days"))
    assert answer.splitlines()[1:] == ["**Saboteur #1**: your clock is paused there for at most 10 minutes more."]
    assert timed3.channel.history()[-1].content.endswith("; their clock is paused for at most 10 minutes of that.")
    await timed3.later(minutes=4)
    listed = one_sentence(await timed3.people[0].slash(timed3.channel, "match"))
    assert "waiting for" in listed
    assert "<t:" not in listed, "nobody has waited yet"
    await timed3.later(minutes=12)
    assert "What should the table do?" in timed3.latest("Wait longer").content
    answer = one_sentence(await away(timed3, late, "2 days"))
    assert answer.splitlines()[1:] == ["**Saboteur #1**: your time away is used up there, so your clock keeps running."]
    assert timed3.channel.history()[-1].content.endswith("is used up, so their clock keeps running.")
