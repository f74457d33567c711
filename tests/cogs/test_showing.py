"""**Post it here**: what everybody may see is posted for all. It shows nobody what they couldn't see otherwise."""

from pathlib import Path
from typing import Any

import discord
import pytest

from cogs.drawing import DRAWER, FEW
from cogs.press.custom_ids import parse
from matches.engine.shared import Shared
from matches.table.limits import Deed
from tests.cogs.ratings.test_ratings import rate, server
from tests.cogs.table import Clocked, Member, Table, at_match, behind, buttons, labels
from tests.cogs.test_limits import COSTS, attacked
from tests.cogs.test_manners import one_sentence
from tests.cogs.test_replay import begun, ended, here, picture, posted
from tests.cogs.test_rights import NOT_HERE, Scene, said, scene
from tests.statements import statements

POST = "Post it here"


@pytest.mark.parametrize("game", ["abissal", "saboteur"])
async def test_what_a_player_posts_is_the_board_that_everybody_saw(room3: Table, game: str) -> None:
    number = await (begun(room3, game, 3) if game == "abissal" else room3.begin(game, 3))
    boards, player = await posted(room3), room3.people[0]
    shown = (await at_match(player, room3.channel, "replay", match=number)).response
    assert shown.ephemeral
    before = len(room3.channel.history())
    result = (await player.click(shown, label=POST)).response
    assert not result.ephemeral
    assert len(room3.channel.history()) == before + 1
    assert f"-# Posted by <@{player.id}>" in result.content
    assert labels(result) == []
    assert await picture(result) == boards[here(shown)]


async def test_the_animation_the_last_board_and_what_was_hidden_can_be_posted(room3: Table) -> None:
    number = await ended(room3, "abissal", 2)
    end, watcher = room3.latest("Rematch"), room3.people[2]
    film = (await behind(watcher, end, "Animation")).response
    public = (await watcher.click(film, label=POST)).response
    assert not public.ephemeral
    assert await picture(public) == await picture(film)
    revealed = (await watcher.click(film, label="With what was hidden")).response
    public = (await watcher.click(revealed, label=POST)).response
    assert "with nothing hidden" in public.content
    assert await picture(public) == await picture(revealed)
    board = (await at_match(watcher, room3.channel, "board", match=number)).response
    assert board.ephemeral
    assert labels(board) == [POST]
    public = (await watcher.click(board, label=POST)).response
    assert await picture(public) == await picture(end)


async def test_a_match_of_a_private_channel_is_posted_nowhere_else(tmp_path: Path) -> None:
    async with scene(tmp_path / "ambit.db") as at:
        ann = at.room.people[0]
        refused = await at.forge(ann, "posthere", place=at.public)
        assert "out of date" in said(refused)
        private = (await at_match(ann, at.public, "replay", match=1)).response
        before = len(at.public.history())
        assert "Not everyone here can see" in one_sentence(await ann.click(private, label=POST))
        assert len(at.public.history()) == before
        # When everybody can see its place, everybody may see the match elsewhere, too.
        await at_match(ann, at.public, "move", match=1)
        await at.room.told()
        private = (await at_match(ann, at.private, "replay", match=1)).response
        assert not (await ann.click(private, label=POST)).response.ephemeral
        assert NOT_HERE not in said(await at_match(at.stranger, at.public, "replay", match=1))


async def test_in_a_direct_message_and_on_another_server_nothing_is_posted(room2: Table) -> None:
    number = await begun(room2, "gambo", 1)
    ann = room2.people[0]
    private = (await at_match(ann.user, None, "replay", match=number)).response
    assert "on the server where it's played" in one_sentence(await ann.user.click(private, label=POST))
    elsewhere = room2.env.create_guild("Elsewhere")
    other, member = elsewhere.create_text_channel("games"), Member(elsewhere.add_member(ann.user))
    private = (await at_match(member, other, "replay", match=number)).response
    assert "on the server where it's played" in one_sentence(await member.click(private, label=POST))


async def test_whoever_may_not_write_in_a_channel_posts_nothing_there(room3: Table) -> None:
    await begun(room3, "gambo", 1)
    guild = room3.channel.guild
    zoe = room3.people[2]
    mute: Any = {zoe: discord.PermissionOverwrite(view_channel=True, send_messages=False)}
    silent = guild.create_text_channel("silent", overwrites=mute)
    at = Scene(room3, silent, silent, *[zoe] * 4)
    await at_match(room3.people[0], silent, "move", match=1)
    await room3.told()
    private = (await at_match(zoe, at.private, "replay", match=1)).response
    assert "You can't post in this channel" in one_sentence(await zoe.click(private, label=POST))


async def test_twenty_presses_post_a_few_pictures(room2: Table) -> None:
    await begun(room2, "gambo", 1)
    ann = room2.people[0]
    private = (await at_match(ann, room2.channel, "replay", match=1)).response
    noise, refused = await attacked(room2, lambda _: ann.click(private, label=POST))
    assert (noise.posts, noise.pings) == (Deed.SHOW.most, 0)
    assert refused[0].startswith(Deed.SHOW.refusal)


async def test_whoever_has_posted_enough_has_nothing_drawn_or_read_for_another_post(timed2: Clocked) -> None:
    """Every button that posts uses its allowance before the work begins. FOUND P4"""
    ann, bob = timed2.people
    number = await ended(timed2, "abissal", 2)
    await rate(timed2, {ann.id: "Ann", bob.id: "Bob"})
    step = (await at_match(ann, timed2.channel, "replay", match=number)).response
    film = (await behind(ann, timed2.latest("Rematch"), "Animation")).response
    ladder = (await ann.slash(timed2.channel, "leaderboard", game="ambush")).response
    page = (await ann.slash(timed2.channel, "profile")).response
    posts = (step, film, ladder, page)
    verbs = {parse(each.custom_id or "").verb for post in posts for each in buttons(post) if each.label == POST}
    shows = {verb for verb, costs in COSTS.items() if isinstance(costs, tuple) and Deed.SHOW in costs}
    assert verbs == shows - {"puzshare"}, "that of the day's puzzle is in test_puzzles.py"
    for _ in range(Deed.SHOW.most):
        await timed2.bot.host.reach.show_on(server(timed2), ann.id)
    timed2.bot.animations = Shared(0)
    DRAWER.close()  # a process left by an earlier test draws nothing here
    DRAWER.few = 0
    try:
        for post in posts:
            with statements() as made:
                refused = await ann.click(post, label=POST)
            assert said(refused).startswith(Deed.SHOW.refusal)
            assert not [each for each in made if "log.action FROM log" in each], "no log is read"
        assert not DRAWER.process.processes, "no process draws"
    finally:
        DRAWER.few = FEW
        DRAWER.close()
