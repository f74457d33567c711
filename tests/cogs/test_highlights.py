"""**Big moments**: picked from a menu, the same pictures as were posted, and posted again for all."""

from typing import Any

import pytest

from cogs.look import highlights
from games.log import beats, parse_log
from matches.api import MatchId, Status, UserId
from render import RENDERERS
from tests.cogs.table import Table, at_match, behind, labels
from tests.cogs.test_manners import one_sentence
from tests.cogs.test_replay import ended, picture
from tests.conformance.matches import LOGS

BIG, POST = "Big moments", "Post it here"


async def played(room: Table, game: str) -> int:
    """A match of two, played to its end at the host."""
    number = await room.begin(game, 2)
    while (match := await room.bot.host.look.match(number)).status is Status.RUNNING:
        view = await room.bot.host.look.view(number, match.mover.user_id)
        await room.bot.host.play.act(number, UserId(match.mover.user_id or 0), view.moves[-1].text)
        await room.told()
    return number


def entries(message: Any) -> dict[str, str]:
    """The entries of the message's menu, and what each means."""
    message = getattr(message, "message", message)
    (menu,) = [item for row in message.components for item in row.children if hasattr(item, "options")]
    return {option.label: option.value for option in menu.options}


async def posted(room: Table, name: str) -> list[bytes]:
    """The pictures of this file name in the channel, oldest first."""
    found = [message for message in room.place().history() if [each.filename for each in message.attachments] == [name]]
    return [await picture(message) for message in found]


async def test_the_ends_of_rounds_and_of_the_match_are_shown_as_they_were_posted(room3: Table) -> None:
    number = await played(room3, "abissal")
    rounds, (end,) = await posted(room3, "round.png"), await posted(room3, "end.png")
    watcher = room3.people[2]
    viewer = (await at_match(watcher, room3.channel, "replay", match=number)).response
    shown = (await watcher.click(viewer, label=BIG)).response
    assert shown.ephemeral
    assert await picture(shown) == end
    menu = entries(shown)
    assert len(menu) <= highlights.MOST
    names = [name for name in menu if name.startswith("The end of round")]
    assert names == [f"The end of round {each}" for each in range(1, len(names) + 1)]
    # The newest of them has been posted for sure.
    shown = (await watcher.select(shown, [menu[names[-1]]])).response
    assert await picture(shown) == rounds[-1]
    before = len(room3.place().history())
    public = (await watcher.click(shown, label=POST)).response
    assert not public.ephemeral
    assert labels(public) == []
    assert f"-# Posted by <@{watcher.id}>" in public.content
    assert names[-1] in public.content
    assert await picture(public) == rounds[-1]
    assert len(room3.place().history()) == before + 1


async def test_a_match_that_people_ended_has_its_end_among_them(room3: Table) -> None:
    await ended(room3, "gambo", 3)
    watcher = room3.people[2]
    viewer = (await behind(watcher, room3.latest("Rematch"), "Replay")).response
    shown = (await watcher.click(viewer, label=BIG)).response
    (end,) = await posted(room3, "end.png")
    assert await picture(shown) == end
    assert any("has resigned" in entry for entry in entries(shown))


async def test_a_match_without_any_says_so(at_gambo: Table) -> None:
    ann = at_gambo.people[0]
    viewer = (await at_match(ann, at_gambo.channel, "replay", match=MatchId(1))).response
    assert "Nothing big has happened" in one_sentence(await ann.click(viewer, label=BIG))


@pytest.mark.parametrize("name", ["abissal-3-players", "ambagibus-basic-4-players-nobody-can-play"])
def test_of_many_moments_the_ends_and_the_latest_are_offered(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    header, lines = parse_log((LOGS / f"{name}.log").read_text())
    draw, seen = RENDERERS[header.game], tuple(beats(header, lines))
    every = highlights.found(draw, seen, draw.ended(seen[-1].seen))
    monkeypatch.setattr(highlights, "MOST", 6)
    few = highlights.found(draw, seen, draw.ended(seen[-1].seen))
    ends = [each for each in every if each.caption is None]
    assert len(few) == 6 < len(every)
    assert set(ends) <= set(few)
    moments = [each for each in every if each.caption is not None]
    assert [each for each in few if each.caption is not None] == moments[len(moments) - 6 + len(ends) :]
    assert few == sorted(few)
