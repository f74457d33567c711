"""**I suspect …** in Saboteur: silent, in public, and unmasked at the end of the round."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from cogs.text.suspicions import HEADING
from games.core.suspicion import is_right
from matches.api import Host, MatchId, Status
from matches.suspicions import Suspicions, talk
from tests.cogs.table import Table, at_match, behind, labels, play_by_panel, private, table
from tests.cogs.test_manners import one_sentence
from tests.matches.tables import digging, play


async def say(room: Table, person: Any, name: str) -> Any:
    """Press **I suspect …** under the newest board, and a name."""
    menu = private(await behind(person, room.latest("Play"), "I suspect …"))
    return await person.click(menu, label=name)


def posts(room: Table, since: int) -> list[str]:
    """The requests since then, apart from answers to presses."""
    return [each.path for each in room.env.http_requests[since:] if not each.path.endswith("/callback")]


async def test_a_press_says_it_without_any_request_and_the_next_board_has_it(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 4) as room:
        await room.begin("saboteur", 3)
        (ann, bob, cleo, dan), board = room.people, room.latest("Play")
        assert labels(board) == ["Play", "My hand", "⋯"]
        before = len(room.env.http_requests)
        menu = private(await behind(ann, board, "I suspect …"))
        assert sorted(map(str, labels(menu))) == ["Bob", "Cleo", "Nobody"]
        told = await ann.click(menu, label="Bob")
        assert told.response.content == "**Saboteur #1**: you suspect Bob. Everybody reads that under the next board."
        assert not labels(told.response)
        await say(room, bob, "Nobody")
        assert not posts(room, before)
        assert "already said this turn" in one_sentence(await behind(ann, board, "I suspect …"))
        assert "I suspect …" not in labels((await behind(dan, board)).response)
        mover, newest = room.to_play()
        await play_by_panel(mover, newest, random.Random(3))
        newest = room.latest("Play")
        assert newest.content.splitlines()[-1] == "-# Ann suspects Bob · Bob suspects nobody"
        assert newest.content.count("<@") == 1
        asked = private(await at_match(ann, room.channel, "suspect"))
        again = private(await ann.click(asked, label="Cleo"))
        assert again.content.startswith("**Saboteur #1**: you suspect Cleo.")
        own = private(await at_match(cleo, room.channel, "board"))
        assert "-# Ann suspects Cleo · Bob suspects nobody" in own.content
        log = private(await at_match(cleo, room.channel, "log")).content.splitlines()
        assert [line for line in log if "suspect" in line] == [
            "Ann suspects Bob.",
            "Bob suspects nobody.",
            "Ann suspects Cleo.",
        ]
        assert log.index("Bob suspects nobody.") < log.index("Ann suspects Cleo.") - 1
        replay = private(await at_match(cleo, room.channel, "replay")).content
        assert "Ann suspects Cleo" in replay


async def test_whoever_may_suspect_somebody_is_shown_the_others(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        await room.begin("saboteur", 3)
        (ann, *_), match = room.people, MatchId(1)
        menu = private(await at_match(ann, room.channel, "suspect"))
        assert "Nobody" in labels(menu)
        assert "Ann" not in labels(menu)
        assert not talk.said(await room.bot.host.look.match(match))


async def suspect_at_random(host: Host, number: MatchId, rng: random.Random) -> None:
    """Somebody says something, if roles are hidden."""
    match = await host.look.match(number)
    if match.status is Status.RUNNING and (await host.look.view(number, None)).observation.roles_hidden:
        who, whom = rng.sample(match.seats, 2)
        if whom.seat is not None and not any(
            word.seat == who.seat and word.ply == match.turn_ply for word in talk.said(match)
        ):
            assert who.user_id is not None
            await host.part(Suspicions).suspect(number, who.user_id, rng.choice((whom.seat, whom.seat, None)))


async def play_round(room: Table, number: MatchId, rng: random.Random) -> dict[int, int]:
    """Play until one more round is decided and its gold is taken, and deliver the news.

    Return in which turn of the round each seat said its last word.
    """
    turn, turns = 0, dict[int, int]()
    host = room.bot.host
    words = len(talk.said(await host.look.match(number)))
    done = len((await host.look.view(number, None)).observation.unmasked_by_round)
    while True:
        match = await host.look.match(number)
        seen = (await host.look.view(number, None)).observation
        if match.status is not Status.RUNNING or (len(seen.unmasked_by_round) > done and seen.roles_hidden):
            break
        if rng.randrange(4) == 0:
            await suspect_at_random(host, number, rng)
        said, turn = talk.said(await host.look.match(number)), turn + 1
        turns |= {word.seat: turn for word in said[words:]}
        words = len(said)
        await play(host, match, rng, digging)
    await room.told()
    return turns


async def test_p11_when_the_roles_are_turned_up_everybody_reads_who_was_right_and_who_was_first(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 5) as room:
        number, host, rng = await room.begin("saboteur", 5), room.bot.host, random.Random(5)
        for played in (1, 2, 3):
            turns = await play_round(room, number, rng)
            match = await host.look.match(number)
            end = await host.look.round_end(number, match.ply)
            assert end is not None
            if played < 3:
                told = next(each for each in room.newest_first(room.channel) if HEADING.format(played) in each.content)
            else:
                told = private(await behind(room.people[0], room.latest("Rematch"), "Details"))
            first = [word for word in talk.said(match) if word.round == played]
            last = {word.seat: word for word in first}
            correct = {seat for seat, word in last.items() if is_right(word, end.observation.unmasked_by_round[-1])}
            lines = told.content.split(f"{HEADING.format(played)}\n")[1].splitlines()[: len(last)]
            marked = [line.endswith(("(right first)", "(right)")) for line in lines]
            assert marked == sorted(marked, reverse=True)
            assert sum(marked) == len(correct)
            earliest = min((last[seat].ply for seat in correct), default=None)
            names = {match.seats[seat].name for seat in correct if last[seat].ply == earliest}
            assert {line.split(":")[0] for line in lines if line.endswith("(right first)")} == names
            assert {line.split(":")[0] for line in lines} == {match.seats[seat].name for seat in last}
            for line in lines:
                (seat,) = (seat for seat in last if line.startswith(match.seats[seat].name))
                assert f" from turn {turns[seat]} (" in line
            if played == 3:
                post = room.latest("Rematch").content
                assert ("had it right first" in post) == bool(names)
                assert all(name in post for name in names)
        assert match.status is Status.OVER
        assert "\nRight suspicions: " in told.content
