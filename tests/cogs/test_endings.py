"""The end of a round and of a match, as it is announced to the table (P11)."""

import random
from pathlib import Path

import pytest

from matches.api import MatchId, Ply, Status
from tests.cogs.table import Table, at_match, labels, table
from tests.matches.tables import moved, play, true_position

LONGEST = 600
"""A match played at random is over after this many moves."""


async def played_until(room: Table, number: MatchId, rounds: int) -> None:
    """Random moves until this many rounds are over."""
    host, rng = room.bot.host, random.Random(7)
    for _ in range(LONGEST):
        match = await host.look.match(number)
        if match.status is not Status.RUNNING or (await true_position(host, number)).rounds_over >= rounds:
            break
        await play(host, match, rng)
        await room.told()


@pytest.mark.parametrize(("game", "players"), [("abissal", 2), ("saboteur", 3)])
async def test_p11_the_end_of_a_round_is_a_post_of_its_own_before_the_next_board(
    tmp_path: Path, game: str, players: int
) -> None:
    async with table(tmp_path / "ambit.db", players) as room:
        await played_until(room, await room.begin(game, players), 1)
        told, board = room.channel.history()[-2:]
        assert " round 1" in told.content
        assert "**Saboteur #1**" in told.content or "Scores: " in told.content
        assert [file.filename for file in told.attachments] == ["round.png"]
        assert labels(told) == []
        assert "Play" in labels(board)
        assert board.content.startswith("<@"), (
            "what led to the end of the round is told once, and the picture shows the deal"
        )


async def test_p11_a_round_that_is_told_late_is_told_as_it_ended(at_saboteur: Table) -> None:
    """The news of the last round contains no roles or hands of the next."""
    host, rng = at_saboteur.bot.host, random.Random(7)
    await played_until(at_saboteur, MatchId(1), 1)
    match = await host.look.match(MatchId(1))
    ended = await host.look.round_end(MatchId(1), match.ply)
    for _ in range(4):
        await play(host, await host.look.match(MatchId(1)), rng)
    assert vars(ended.observation)["results"][-1].number == 1
    assert await host.look.round_end(MatchId(1), (await host.look.match(MatchId(1))).ply) == ended
    assert await host.look.round_end(MatchId(1), Ply(ended.ply - 1)) is None


async def test_p11_the_end_has_the_score_in_its_headline_and_names_who_has_played(at_gambo: Table) -> None:
    await played_until(at_gambo, MatchId(1), 99)
    end = at_gambo.latest("Rematch")
    match = await at_gambo.bot.host.look.match(MatchId(1))
    winner, loser = sorted(match.seats, key=lambda seat: not seat.won)
    title, headline = end.content.splitlines()[:2]
    assert title == "**Gambo #1**"
    assert headline == f"## {winner.name} wins {winner.points} : {loser.points}."
    assert {seat.user_id for seat in match.seats} == {user.id for user in end.mentions}
    bodies = [each.json for each in at_gambo.env.http_requests if isinstance(each.json, dict)]
    posted = [body for body in bodies if "## " in str(body.get("content"))]
    assert [body["allowed_mentions"].get("users", []) for body in posted] == [[]], "and that rings for nobody"


async def test_p11_whoever_resigns_is_named_in_the_headline(room2: Table) -> None:
    number = await room2.begin("ambush", 2)
    await moved(room2.bot.host, await room2.bot.host.look.match(number))
    await room2.told()
    ann, bob = room2.people
    asked = (await at_match(ann, room2.channel, "resign")).response
    await ann.click(asked, label="Yes, resign")
    assert room2.latest("Rematch").content.splitlines()[1] == f"## {bob.name} wins: {ann.name} has resigned."
    (picture,) = room2.latest("Rematch").attachments
    assert picture.filename == "end.png"
    assert f"{bob.name} wins: {ann.name} has resigned." in (picture.description or "")
    for shown in (
        (await at_match(bob, room2.place(), "board", match=number)).response,
        (await at_match(bob, room2.place(), "replay", match=number)).response,
    ):
        last = shown if "step" not in shown.content else (await bob.click(shown, label="Last")).response
        (picture,) = last.attachments
        assert picture.filename == "end.png", last.content
        assert f"{ann.name} has resigned." in (picture.description or "")
        assert "’s turn" not in (picture.description or "")


async def test_a_big_moment_has_a_caption_on_the_picture_of_its_turn_and_no_post_more(room2: Table) -> None:
    """Three captured pyramids in one turn of Ambush."""
    number = await room2.begin("ambush", 2)
    host = room2.bot.host
    for text in ("SC1", "SC2", "SE3", "SD3", "SE5", "SD4", "SC3"):
        match = await host.look.match(number)
        assert match.mover.user_id is not None
        await host.play.act(number, match.mover.user_id, text)
        before = len(room2.place().history())
        await room2.told()
        assert len(room2.place().history()) == before + 1
        (picture,) = room2.latest("Play").attachments
        assert picture.filename == ("moment.png" if text == "SC3" else "board.png")
    captor = next(seat.name for seat in match.seats if seat.seat == match.to_move)
    assert (picture.description or "").startswith(f"{captor} captures three: 3 pips!")
    await play(host, await host.look.match(number), random.Random(7))
    await room2.told()
    assert room2.latest("Play").attachments[0].filename == "board.png", "the next turn is an ordinary one"
