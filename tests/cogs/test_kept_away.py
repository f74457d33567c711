"""A private list of blocked people: what it does for its owner, and that nobody else notices it."""

import re
from pathlib import Path
from typing import Any

import pytest

from cogs.commands.apart import IN_MENU
from cogs.commands.setting_pages import PUT, TAKE
from cogs.press.custom_ids import MENU, Ref
from matches.api import Ended, MatchId, Status, UserId
from matches.host.settings import MOST_BLOCKED
from tests.cogs.table import Table, at_match, labels, strip, table
from tests.cogs.test_limits import Noise
from tests.cogs.test_manners import one_sentence
from tests.cogs.test_rights import said
from tests.cogs.test_settings import forged

FIRST = MatchId(1)


async def blocked(room: Table, who: Any, whom: Any) -> None:
    assert f"I'll keep you away from <@{whom.id}>." in said(await who.context_menu(room.channel, IN_MENU, whom))


async def listed(room: Table, who: Any) -> Any:
    """The page with somebody's list."""
    return (await who.select((await who.slash(room.channel, "settings me")).response, ["apart"])).response


async def put(who: Any, page: Any, whom: Any) -> Any:
    """Pick somebody in the menu of people of a page."""
    return (await who.select(page, [whom], custom_id=Ref("setme", path=("apart", PUT)).custom_id(MENU))).response


def dm_of(person: Any) -> list[str]:
    return [message.content for message in person.user.dm_channel.history()]


async def test_the_list_is_kept_on_a_page_and_from_a_persons_menu_and_shown_to_its_owner(room3: Table) -> None:
    ann, bob, cleo = room3.people
    page = await listed(room3, ann)
    assert "Nobody is on this list." in page.content
    for _ in range(2):
        page = await put(ann, page, bob)
        assert page.content.endswith(f"I'll keep you away from <@{bob.id}>.")
    assert f"<@{cleo.id}>" in one_sentence(await ann.context_menu(room3.channel, IN_MENU, cleo))
    page = await listed(room3, ann)
    assert page.ephemeral
    assert {f"<@{bob.id}>", f"<@{cleo.id}>"} <= set(page.content.split())
    assert "Nobody is on this list." in (await listed(room3, bob)).content
    take = Ref("setme", path=("apart", TAKE)).custom_id(MENU)
    page = (await ann.select(page, [str(bob.id)], custom_id=take)).response
    assert page.content.endswith(f"<@{bob.id}> is off your list.")
    again = await forged(room3, room3.channel, ann, "setme", "apart", TAKE, str(bob.id))
    assert again.endswith(f"<@{bob.id}> isn't on your list.")
    assert (await put(ann, await listed(room3, ann), ann)).content == "That's you."
    for number in range(1, MOST_BLOCKED):
        await room3.bot.host.settings.block(ann.id, UserId(number))
    assert f"Your list can hold {MOST_BLOCKED} people" in (await put(ann, await listed(room3, ann), bob)).content
    await blocked(room3, ann, cleo)
    page, found = await listed(room3, ann), list[str]()
    while True:
        found += re.findall(r"<@(\d+)>", page.content)
        if "Next ▶" not in labels(page):
            break
        page = (await ann.click(page, label="Next ▶")).response
    assert len(set(found)) == len(found) == MOST_BLOCKED


async def test_an_invitation_by_somebody_on_the_list_pings_only_the_others_and_looks_sent(room3: Table) -> None:
    ann, bob, cleo = room3.people
    await blocked(room3, bob, ann)
    noise = Noise(room3)
    await ann.slash(room3.channel, "gambo new", invite=f"<@{bob.id}> <@{cleo.id}>")
    assert f"Invited: <@{bob.id}> <@{cleo.id}>" in room3.latest("Join").content
    assert [each["allowed_mentions"]["users"] for each in noise._posts()] == [[cleo.id]]
    noise = Noise(room3)
    await bob.slash(room3.channel, "gambo new", invite=f"<@{ann.id}>")
    assert noise.pings == 1


async def test_before_one_joins_a_table_where_somebody_on_the_list_sits_one_is_asked(room3: Table) -> None:
    ann, bob, _ = room3.people
    await blocked(room3, bob, ann)
    await room3.open("saboteur")
    lobby = room3.latest("Join")
    asked = await bob.click(lobby, label="Join")
    assert one_sentence(asked) == "Somebody on your list (`/settings me`) is at this table."
    assert labels(asked.response) == ["Join anyway", "Not now"]
    not_now = await bob.click(asked.response, label="Not now")
    assert said(not_now) == "You haven't joined. Nobody was told."
    assert (await room3.bot.host.look.match(FIRST)).seat_of(bob.id) is None
    asked = await bob.click(lobby, label="Join")
    joined = await bob.click(asked.response, label="Join anyway")
    assert "You've joined the table" in said(joined)
    await room3.told()
    assert "Bob" in strip(room3.refreshed(lobby)).description
    assert not [text for text in dm_of(ann) if "list" in text]


async def test_before_one_asks_for_a_seat_where_somebody_on_the_list_plays_one_is_asked(room4: Table) -> None:
    ann, bob, cleo, dan = room4.people
    await blocked(room4, dan, ann)
    await room4.begin("saboteur", 3)
    await room4.bot.host.play.depart(FIRST, cleo.id)
    asked = await at_match(dan, room4.channel, "sit")
    assert labels(asked.response) == ["Join anyway", "Not now"]
    assert (await room4.bot.host.look.match(FIRST)).applications == ()
    assert "I've asked the table" in said(await dan.click(asked.response, label="Join anyway"))
    (application,) = (await room4.bot.host.look.match(FIRST)).applications
    assert application.user_id == dan.id
    assert bob.id not in application.agreed


async def test_whoever_is_joined_by_somebody_on_the_list_is_told_and_can_call_the_match_off(room2: Table) -> None:
    ann, bob = room2.people
    await blocked(room2, ann, bob)
    await room2.begin("gambo", 2)
    await room2.told()
    (told,) = (text for text in dm_of(ann) if "on your list" in text)
    assert "Bob, on your list (`/settings me`), joined your table." in told
    assert "/match match:1" in told
    assert not [text for text in dm_of(bob) if "list" in text]


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("verb", ["leave", "resign"])
async def test_before_ones_own_first_move_one_of_two_calls_the_match_off_once_a_day(
    room2: Table, listed: bool, verb: str
) -> None:  # FOUND F1
    ann, bob = room2.people
    if listed:
        await blocked(room2, ann, bob)
    await room2.begin("gambo", 2)
    asked = await at_match(ann, room2.channel, verb, match=1)
    assert "call this match off? You haven't moved yet, so nobody wins and it isn't rated." in said(asked)
    assert "For you it counts as not finished." in said(asked)
    await ann.click(asked.response, label="Yes, call it off")
    await room2.told()
    match = await room2.bot.host.look.match(FIRST)
    assert (match.status, match.ended_by) == (Status.OVER, Ended.ABORTED)
    assert not (await room2.bot.host.look.details(match.id)).counts
    assert not [seat for seat in match.seats if seat.won]
    end = room2.latest("Rematch").content
    assert "Ann left before their first move. The match isn't rated." in end
    assert end.count("left before their first move") == 1
    assert "list" not in end
    # The second time on one day, leaving is resigning.
    number = MatchId(await room2.begin("gambo", 2))
    asked = await at_match(ann, room2.channel, verb, match=number)
    assert "Your opponent wins at once. You haven't both moved yet, so it isn't rated" in said(asked)
    await ann.click(asked.response, label="Yes, resign")
    assert (await room2.bot.host.look.match(number)).ended_by is Ended.RESIGNED


async def test_after_ones_first_move_leaving_is_losing_whoever_is_on_whose_list(room2: Table) -> None:
    ann, bob = room2.people
    await blocked(room2, ann, bob)
    await room2.begin("gambo", 2)
    assert "call this match off?" in said(await at_match(bob, room2.channel, "leave", match=1))
    for _ in range(2):
        view = await room2.bot.host.look.view(FIRST, (await room2.bot.host.look.match(FIRST)).mover.user_id)
        mover = view.match.mover.user_id
        await room2.bot.host.play.act(FIRST, mover, view.moves[0].text)
        if mover == ann.id:
            break
    assert "Your opponent wins at once." in said(await at_match(ann, room2.channel, "leave", match=1))


async def later(room: Table) -> None:
    """Go to a new second: the deals follow from the ids of the presses, which restart in each second."""
    await room.told()
    await room.env.advance_time(1)
    await room.told()


async def life(path: Path, listed: bool) -> tuple[list[Any], list[str], int]:
    """What Bob hears, everybody sees and Bob's requests cause, with him on Ann's list or not."""
    async with table(path, 3) as room:
        ann, bob, cleo = room.people
        if listed:
            await room.bot.host.settings.block(ann.id, bob.id)
        heard = []
        before = len(room.env.http_requests)
        heard.append(await bob.slash(room.channel, "saboteur new", invite=f"<@{ann.id}> <@{cleo.id}>"))
        await later(room)
        await ann.slash(room.channel, "saboteur new")
        lobby = room.latest("Join")
        await later(room)
        heard.append(await bob.click(lobby, label="Join"))
        await later(room)
        await cleo.click(lobby, label="Join")
        await later(room)
        await ann.click(lobby, label="Start")
        await room.told()
        board = room.latest("Play")
        for label in ("Play", "My hand", "⋯"):
            heard.append(await bob.click(board, label=label))
        heard += [await bob.slash(room.channel, name) for name in ("match", "play", "tables", "privacy", "settings me")]
        heard.append(await bob.select(heard[-1].response, ["apart"]))
        heard += [await at_match(bob, room.channel, deed, match=2) for deed in ("board", "leave")]
        await room.told()
        requests = room.env.http_requests[before:]
        told_ann = sum("joined your table" in str(request.json) for request in requests)
        assert told_ann == listed
        said = [(each.response.content, labels(each.response)) for each in heard]
        public = [message.content for message in reversed(room.channel.history())] + dm_of(bob) + dm_of(cleo)
        return said, [plain(text) for text in public], len(requests) - told_ann


def plain(text: str) -> str:
    """The text without what differs in every run."""
    return re.sub(r"[0-9]{15,20}|<t:\d+:R>", "#", text)


async def test_whoever_is_on_a_list_hears_and_sees_what_they_would_otherwise(tmp_path: Path) -> None:
    free, listed = await life(tmp_path / "free.db", False), await life(tmp_path / "listed.db", True)
    assert [(plain(text), buttons) for text, buttons in free[0]] == [(plain(text), b) for text, b in listed[0]]
    assert free[1:] == listed[1:]


async def test_p20_the_list_goes_with_its_owner_and_stays_when_somebody_on_it_is_forgotten(room2: Table) -> None:
    ann, bob = room2.people
    await blocked(room2, ann, bob)
    page = (await ann.slash(room2.channel, "privacy")).response
    assert "Who you want to be kept away from" in said(await ann.select(page, ["settings"]))
    settings, privacy = room2.bot.host.settings, room2.bot.host.privacy
    await privacy.forget(bob.id)
    assert await settings.blocked(ann.id) == (bob.id,)
    await privacy.forget(ann.id)
    assert await settings.blocked(ann.id) == ()
