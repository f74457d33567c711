"""``/match review`` and **Review**: the story for everybody, moments for whoever played the seat."""

from __future__ import annotations

import io
import re
from pathlib import Path

import discord
import pytest
from PIL import Image
from sqlalchemy import update

from cogs.look import review
from cogs.look.replay import MOMENT, POST
from cogs.press import components
from cogs.press.custom_ids import Ref, parse
from db.matches import reviews
from db.model import schema
from matches.api import MatchId
from tests.cogs.table import Table, buttons, labels, table
from tests.cogs.test_replay import ended, picture


async def told_moments(room: Table, number: int, most: int = 999) -> None:
    """Store looks that have found something in the first decisions of the match, at most so many."""
    host, match_id = room.bot.host, MatchId(number)
    _, plan = await host.reviews._planned(match_id)
    row = await host.work.read(reviews.get, match_id)
    assert row is not None
    results = {key: found for key, found in row.results.items() if key.startswith("outline")}
    for place, decision in enumerate(plan.decisions):
        state, _ = plan.before(decision.ply)
        texts = [state.action_to_string(action) for action in state.legal_actions(decision.seat)]
        better = next(text for text in texts if text != decision.text)
        facts = {"gain": [0.0, 5.0], "answer": [3.0, 0.0]}
        results[f"survey {decision.ply} 0"] = [better, 0.5 if place < most else 0.0, False]
        for look in (1, 2):
            results[f"look {decision.ply} {look}"] = [0.4, 0.3, 5.5, 0.9, facts]
    await host.work.write(reviews.grow, match_id, results)


@pytest.mark.slow
async def test_the_button_begins_a_review_and_shows_it_later(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        await ended(room, "gambo", 6)
        watcher = room.people[2]
        begun = (await watcher.click(room.latest("Review"), label="Review")).response
        assert begun.ephemeral
        assert labels(begun) == ["Look again"]
        await room.told()
        shown = (await watcher.click(begun, label="Look again")).response
        assert "how the match went" in shown.content
        assert labels(shown) == ["Post it here"]
        drawn = Image.open(io.BytesIO(await picture(shown)))
        assert drawn.width == 1200
        assert drawn.height <= 1600
        again = (await watcher.click(room.latest("Review"), label="Review")).response
        assert await picture(again) == await picture(shown)
        assert "Review again" not in again.content
        await room.bot.host.work.write(lambda connection: connection.execute(update(schema.reviews).values(version=0)))
        older = (await watcher.click(room.latest("Review"), label="Review")).response
        assert "I've learnt to judge better since then" in older.content
        assert labels(older) == ["Review again", "Post it here"]
        begun = (await watcher.click(older, label="Review again")).response
        assert labels(begun) == ["Look again"]
        await room.told()
        assert labels((await watcher.click(begun, label="Look again")).response) == ["Post it here"]


async def test_a_player_is_told_where_they_played_as_well_as_one_can_tell(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        number = await ended(room, "gambo", 1)
        await room.people[0].slash(room.channel, "match review", match=number)
        await room.told()
        shown = (await room.people[0].slash(room.channel, "match review", match=number)).response
        assert "as well as I can tell" in shown.content


@pytest.mark.slow
@pytest.mark.parametrize("game", ["gambo", "abissal"])
async def test_moments_are_for_the_seats_person_until_they_post_them(tmp_path: Path, game: str) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        number = await ended(room, game, 8)
        ann, bob, cleo = room.people
        await ann.slash(room.channel, "match review", match=number)
        await room.told()
        await told_moments(room, number)
        pages: dict[int, list[str]] = {}
        for person in (ann, bob):
            shown = (await person.slash(room.channel, "match review", match=number)).response
            shown = (await person.click(shown, label="My 3 moments")).response
            pages[person.id] = [shown.content]
            while "Next ▶" in [each.label for each in buttons(shown) if not each.disabled]:
                shown = (await person.click(shown, label="Next ▶")).response
                pages[person.id].append(shown.content)
            assert len(pages[person.id]) == 3
            assert all("**Better,** among others:" in page for page in pages[person.id])
            assert "The match" in labels(shown)
        assert not set(pages[ann.id]) & set(pages[bob.id])
        # From there they can play on.
        own = (await room.bot.host.reviews.look(MatchId(number), ann.id)).own[0]
        shown = (await ann.slash(room.channel, "match review", match=number)).response
        shown = (await ann.click(shown, label="My 3 moments")).response
        (ply,) = (
            ref.ply
            for button in buttons(shown)
            if button.label == "Play on from here" and (ref := parse(button.custom_id or "")) is not None
        )
        assert ply is not None
        replay = await room.bot.host.look.replay(number, ann.id)
        assert replay.moment(ply).observation == own.seen
        question = (await ann.click(shown, label="Play on from here")).response
        assert question.ephemeral
        assert "play on from here, as it was for" in question.content
        # Somebody who didn't play presses a forged button of a moment.
        story = (await cleo.slash(room.channel, "match review", match=number)).response
        assert labels(story) == ["Post it here"]
        before = len(list(room.place().history()))
        shown = (await ann.slash(room.channel, "match review", match=number)).response
        shown = (await ann.click(shown, label="My 3 moments")).response
        await ann.click(shown, label="Post it here")
        public = room.place().history()
        assert len(public) == before + 1
        latest = next(each for each in room.newest_first(room.place()) if "moment 1 of 3" in each.content)
        assert f"Posted by <@{ann.id}>" in latest.content
        assert ":** Ann chose to" in latest.content
        assert not re.search(r"\byour?\b", latest.content.lower()), "others read it, too"
        assert not buttons(latest)
        assert len(latest.attachments) == (2 if game == "abissal" else 1)


@pytest.mark.slow
async def test_of_a_single_moment_there_is_nothing_to_page_through(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        number = await ended(room, "gambo", 6)
        for person in room.people:
            await person.slash(room.channel, "match review", match=number)
        await room.told()
        await told_moments(room, number, 2)
        for person in room.people:
            shown = (await person.slash(room.channel, "match review", match=number)).response
            shown = (await person.click(shown, label="My moment")).response
            assert labels(shown) == ["The match", "Post it here", "Play on from here"]


@pytest.mark.slow
async def test_a_forged_moment_is_nobodys(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        number = await ended(room, "gambo", 6)
        await room.people[0].slash(room.channel, "match review", match=number)
        await room.told()
        await told_moments(room, number)
        channel = room.bot.get_channel(room.channel.id)
        assert isinstance(channel, discord.TextChannel)
        for verb, path in (
            *((review.TURNED, path) for path in (("1",), ("2",), ("0",), ("x",), (), ("99",), ("-1",))),
            *((POST, (MOMENT, *path)) for path in (("1",), (), ("x",))),
        ):
            forged = components.button(Ref(verb, MatchId(number), None, path), "Forged")
            message = await channel.send("here", view=components.view(forged))
            answered = (await room.people[2].click(message, label="Forged")).response
            assert "isn't in the review" in answered.content, (verb, path)
            assert not answered.attachments
