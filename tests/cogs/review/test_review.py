"""``/match review`` and **Review**: the story for everybody, moments for whoever played the seat."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord
import pytest
from PIL import Image
from sqlalchemy import update

from cogs.look.replay import MOMENT, POST
from cogs.press import components
from cogs.press.custom_ids import Ref, parse
from cogs.review import pages as review
from cogs.review import reviewed
from cogs.text import names
from db.model import schema
from db.review import kept as reviews
from games import GAMES
from matches.analysis.luck import Figure, Luck, Share
from matches.api import MatchId, Ply
from matches.review import Reviews
from matches.review.reviewing import NOT_YOURS
from render import RENDERERS
from tests.cogs.table import Table, at_match, buttons, entries, labels, path_of, pick, table
from tests.cogs.test_replay import begun, ended, picture
from tests.conformance.matches import LOGS, recorded


async def told_moments(room: Table, number: int, most: int = 999) -> None:
    """Store looks that have found something in the first decisions of the match, at most in this many."""
    host, match_id = room.bot.host, MatchId(number)
    _, plan = await host.part(Reviews)._planned(match_id)
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
        others = [text for text in texts if text not in (decision.text, better)]
        options: dict[str, list[Any]] = {better: [0.0], **{text: [0.03] for text in others[:2]}}
        answer = state.child(decision.seat, state.string_to_action(decision.seat, decision.text))
        then = [] if answer.current_player < 0 else [answer.legal_actions(answer.current_player)[0]]
        lines = [f"{answer.current_player} {answer.action_to_string(action)}" for action in then]
        results[f"options {decision.ply} 0"] = {**options, decision.text: [0.4, *lines]}
    await host.work.write(reviews.grow, match_id, results)


# FOUND V1
@pytest.mark.parametrize("log", ["saboteur-3-players", "abissal-2-players"])
def test_only_the_step_that_names_a_card_marks_a_card_in_the_hand(log: str) -> None:
    played, told_apart = recorded(LOGS / f"{log}.log"), 0
    for state, (player, action) in list(zip(played.states, played.lines, strict=False))[::7]:
        if player < 0:
            continue
        seen, notation = state.observation(player), state.notation
        held = {str(card) for card in getattr(seen, "offered", ()) or vars(seen)["hand"]}
        for other in state.legal_actions(player):
            moves = [notation.choices(seen, each) for each in (action, other)]
            marks = {mark.place: str(mark.name) for mark in review.marked(moves)[1]}
            named = [{choice.value for choice in move if choice.step in ("card", "second")} & held for move in moves]
            assert set(marks) == set().union(*named)
            assert all(
                (str(number) in marks[card]) == (card in cards)
                for number, cards in enumerate(named, 1)
                for card in marks
            )
            told_apart += len(set(marks.values())) > 1
    assert told_apart


async def test_the_button_begins_a_review_and_shows_it_later(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        await ended(room, "gambo", 6)
        watcher = room.people[2]
        begun = (await watcher.click(room.latest("Review"), label="Review")).response
        assert begun.ephemeral
        await room.told()
        # It has come by itself.
        assert "how it went" in begun.content
        assert labels(begun) == ["Numbers", "Post it here"]
        shown = (await watcher.click(room.latest("Review"), label="Review")).response
        assert "how it went" in shown.content
        assert labels(shown) == ["Numbers", "Post it here"]
        drawn = Image.open(io.BytesIO(await picture(shown)))
        assert drawn.width == 1200
        assert drawn.height <= 1600
        again = (await watcher.click(room.latest("Review"), label="Review")).response
        assert await picture(again) == await picture(shown)
        assert "Review again" not in again.content
        await room.bot.host.work.write(
            lambda connection: connection.execute(update(schema.metadata.tables["reviews"]).values(version=0))
        )
        older = (await watcher.click(room.latest("Review"), label="Review")).response
        assert "I've learnt to judge better since then" in older.content
        assert labels(older) == ["Numbers", "Review again", "Post it here"]
        begun = (await watcher.click(older, label="Review again")).response
        await room.told()
        assert labels(begun) == ["Numbers", "Post it here"]


@pytest.mark.parametrize("game", ["gambo", "abissal"])
async def test_the_story_says_what_was_done_as_everybody_saw_it_and_what_was_better(tmp_path: Path, game: str) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        number = await ended(room, game, 8)
        ann, cleo = room.people[0], room.people[2]
        await at_match(ann, room.channel, "review", match=number)
        await room.told()
        await told_moments(room, number)
        shown = (await at_match(cleo, room.channel, "review", match=number)).response
        watching = await room.bot.host.part(Reviews).look(MatchId(number), cleo.id)
        _, plan = await room.bot.host.part(Reviews)._planned(MatchId(number))
        people = names.people(watching.match)
        assert len(watching.story) == 3
        for told in watching.story:
            state, _ = plan.before(told.moment.decision.ply)
            line = next(each for each in plan.kept if each.ply == told.moment.decision.ply)
            after = state.child(line.player, state.string_to_action(line.player, line.text)).observation(None)
            did = RENDERERS[game].say(told.public.line, after, people)
            better = RENDERERS[game].advise(told.better, state.observation(None), people)
            assert f": {did} Better: {better}. It brings 5 points at once." in shown.content
        assert "%" not in shown.content
        counted = (await cleo.click(shown, label="Numbers")).response
        assert counted.content.count("5.5 points on average, 40% of the ") == 3
        first = replace(watching.story[0], moment=watching.story[0].moment._replace(loss=1.0, lead=0.0))
        (told_whole, *_) = reviewed.numbers(replace(watching, moments=(first,)))
        assert told_whole.endswith(f" the whole {watching.stake}."), "no points are lost with it"
        assert (await cleo.click(counted, label="The match")).response.content == shown.content


async def test_a_player_is_told_where_they_played_as_well_as_one_can_tell(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        number = await ended(room, "gambo", 1)
        await at_match(room.people[0], room.channel, "review", match=number)
        await room.told()
        shown = (await at_match(room.people[0], room.channel, "review", match=number)).response
        assert "I found no move of yours" in shown.content


async def test_a_review_that_is_not_finished_says_how_far_it_is(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        number = await ended(room, "gambo", 6)
        ann = room.people[0]
        room.bot.host.part(Reviews).chores[0].wake = lambda: None
        begun = (await at_match(ann, room.channel, "review", match=number)).response
        assert labels(begun) == ["Look again"]
        assert "I'm going through the match. 0% done." in begun.content
        again = (await ann.click(begun, label="Look again")).response
        assert again.id == begun.id


@pytest.mark.parametrize("game", ["gambo", "abissal"])
async def test_moments_are_for_the_seats_person_until_they_post_them(tmp_path: Path, game: str) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        number = MatchId(await ended(room, game, 8))
        ann, bob, cleo = room.people
        await at_match(ann, room.channel, "review", match=number)
        await room.told()
        await told_moments(room, number)
        pages: dict[int, list[str]] = {}
        for person in (ann, bob):
            shown = (await at_match(person, room.channel, "review", match=number)).response
            shown = (await person.click(shown, label="My 3 moments")).response
            pages[person.id] = [shown.content]
            while "Next ▶" in [each.label for each in buttons(shown) if not each.disabled]:
                shown = (await person.click(shown, label="Next ▶")).response
                pages[person.id].append(shown.content)
            assert len(pages[person.id]) == 3
            assert all("Better: " in page for page in pages[person.id])
            assert "The match" in labels(shown)
        assert not set(pages[ann.id]) & set(pages[bob.id])
        # From there they can play on.
        own = (await room.bot.host.part(Reviews).look(MatchId(number), ann.id)).own[0]
        shown = (await at_match(ann, room.channel, "review", match=number)).response
        shown = (await ann.click(shown, label="My 3 moments")).response
        (ply,) = (
            ref.ply
            for button in buttons(shown)
            if button.label == "Play on from here" and (ref := parse(button.custom_id or "")) is not None
        )
        assert ply is not None
        replay = await room.bot.host.look.replay(number, ann.id)
        assert replay.moment(ply).observation == own.own.before
        question = (await ann.click(shown, label="Play on from here")).response
        assert question.ephemeral
        assert "play on from here, as it was for" in question.content
        # Somebody who didn't play presses a forged button of a moment.
        story = (await at_match(cleo, room.channel, "review", match=number)).response
        assert labels(story) == ["Numbers", "Post it here"]
        before = len(list(room.place().history()))
        shown = (await at_match(ann, room.channel, "review", match=number)).response
        shown = (await ann.click(shown, label="My 3 moments")).response
        await ann.click(shown, label="Post it here")
        public = room.place().history()
        assert len(public) == before + 1
        latest = next(each for each in room.newest_first(room.place()) if "moment 1 of 3" in each.content)
        assert f"Posted by <@{ann.id}>" in latest.content
        assert ": Ann " in latest.content
        assert not re.search(r"\byour?\b", latest.content.lower()), "others read it, too"
        assert labels(latest) == ["Try it"]
        assert len(latest.attachments) == (2 if game == "abissal" else 1)


async def test_of_a_single_moment_there_is_nothing_to_page_through(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        number = await ended(room, "gambo", 6)
        for person in room.people:
            await at_match(person, room.channel, "review", match=number)
        await room.told()
        await told_moments(room, number, 2)
        for person in room.people:
            shown = (await at_match(person, room.channel, "review", match=number)).response
            shown = (await person.click(shown, label="My moment")).response
            assert labels(shown) == ["The match", "Try it", "Post it here", "Play on from here"]


def share(lead: float, *figures: float, is_known: bool = True) -> Share:
    return Share(lead, *(Figure(value, 0.2) for value in figures), is_known)


async def test_luck_is_told_for_everybody_where_it_is_known(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        number = await ended(room, "abissal", 2)
        ann = room.people[0]
        await at_match(ann, room.channel, "review", match=number)
        await room.told()
        found = await room.bot.host.part(Reviews).look(MatchId(number), ann.id)
        assert found.luck is None, "it wasn't played out"
        assert not reviewed.luck(found)
        told = Luck((share(-3, 0, -2.1, -1.2, 0.3), share(3, 0, 2.1, 1.2, -0.3, is_known=False)), 10.0)
        found = replace(found, luck=told)
        people = [seat.name for seat in found.match.seats]
        content = "\n".join(reviewed.numbers(found))
        row = f"{people[0]}: −3.0 = start 0.0 ± 0.2, luck −2.1 ± 0.2, play −1.2 ± 0.2, rest +0.3 ± 0.2"
        assert row in content
        assert f"{people[1]}:" not in content
        assert "luck" not in (await review.story(found)).content.lower()
        nothing = replace(found, luck=Luck(tuple(each._replace(is_known=False) for each in told.shares), 10.0))
        assert "luck" not in "\n".join(reviewed.numbers(nothing)).lower()


async def test_a_forged_moment_is_nobodys(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        number = await ended(room, "gambo", 6)
        await at_match(room.people[0], room.channel, "review", match=number)
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


async def tried(person: Any, shown: Any, text: str, game: str, seen: Any) -> Any:
    """What is answered to a move in the panel of a moment."""
    notation = GAMES[game].state.notation
    choices = notation.choices(seen, notation.string_to_action(seen.viewer, text))
    wanted = tuple(choice.value for choice in choices)
    while "Confirm" not in labels(shown) and "**Right!**" not in shown.content and "Try again" not in labels(shown):
        entry = next(each for each in entries(shown) if wanted[: len(path_of(shown, each))] == path_of(shown, each))
        shown = (await pick(person, shown, entry)).response
    return (await person.click(shown, label="Confirm")).response if "Confirm" in labels(shown) else shown


async def test_a_moment_is_tried_again_with_the_real_panel(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        number = await ended(room, "gambo", 8)
        ann, bob, cleo = room.people
        await at_match(ann, room.channel, "review", match=number)
        await room.told()
        await told_moments(room, number)
        host = room.bot.host
        own = (await host.part(Reviews).look(MatchId(number), ann.id)).own[1]
        ply = own.moment.decision.ply
        retry = await host.part(Reviews).to_try(MatchId(number), ply, ann.id)
        assert retry.task.state.observation(retry.task.seat) == own.own.before
        shown = (await at_match(ann, room.channel, "review", match=number)).response
        shown = (await ann.click(shown, label="My 3 moments")).response
        shown = (await ann.click(shown, label="Next ▶")).response
        panel = (await ann.click(shown, label="Try it")).response
        assert panel.ephemeral
        assert "What would have been better here?" in panel.content
        assert own.moment.better not in panel.content
        # What was played is wrong, and its answer stands on the board.
        answered = await tried(ann, panel, own.moment.decision.text, "gambo", own.own.before)
        assert "**Not this time.** That's what was played.\n" in answered.content
        assert "\nThen: " in answered.content
        assert labels(answered) == ["Try again", "Show me"]
        # It needs nothing in memory, so it also works after a restart: the button's id says all.
        panel = (await ann.click(answered, label="Try again")).response
        right = await tried(ann, panel, own.moment.better, "gambo", own.own.before)
        assert "**Right!** I found nothing better." in right.content
        assert labels(right) == ["Why", "Try the next"]
        other = (await ann.click(right, label="Try the next")).response
        assert "try moment 3 of 3" in other.content
        revealed = (await ann.click(other, label="Show me")).response
        assert "**Like this:**" in revealed.content
        assert labels(revealed) == ["Why", "Let me try"], "there's no next one"
        also = next(text for text, found in retry.task.answers.items() if found.right and text != own.moment.better)
        panel = (await ann.click((await ann.click(revealed, label="Why")).response, label="◀ Back")).response
        panel = (await ann.click(panel, label="Try it")).response
        assert "That's also good" in (await tried(ann, panel, also, "gambo", own.own.before)).content
        # Somebody else's moment is refused until it is posted.
        channel = room.bot.get_channel(room.channel.id)
        assert isinstance(channel, discord.TextChannel)
        verbs = ("", "pick", "page", "back", "confirm", "show")
        for person, words in ((cleo, NOT_YOURS), (bob, NOT_YOURS)):
            for verb in verbs:
                forged = components.button(Ref(review.RETRY + verb, MatchId(number), Ply(ply)), "Forged")
                message = await channel.send("here", view=components.view(forged))
                answered = (await person.click(message, label="Forged")).response
                assert words in answered.content
                assert not answered.attachments
        for forged_ref in (Ref(review.RETRY, MatchId(number), Ply(99999)), Ref(review.RETRY, MatchId(number), None)):
            message = await channel.send("here", view=components.view(components.button(forged_ref, "Forged")))
            assert not (await ann.click(message, label="Forged")).response.attachments
        shown = (await at_match(ann, room.channel, "review", match=number)).response
        shown = (await ann.click(shown, label="My 3 moments")).response
        shown = (await ann.click(shown, label="Next ▶")).response
        await ann.click(shown, label="Post it here")
        latest = next(each for each in room.newest_first(room.place()) if "moment 2 of 3" in each.content)
        assert labels(latest) == ["Try it"]
        assert " ||Better: " in latest.content
        panel = (await cleo.click(latest, label="Try it")).response
        assert panel.ephemeral
        assert "You're in the place of Ann" in panel.content
        right = await tried(cleo, panel, own.moment.better, "gambo", own.own.before)
        assert "**Right!**" in right.content
        assert not labels(right)


async def broken_rules(room: Table, number: int, rules: dict[str, dict[str, float]]) -> None:
    """Store that each seat broke these rules in its first decisions."""
    host, match_id = room.bot.host, MatchId(number)
    _, plan = await host.part(Reviews)._planned(match_id)
    row = await host.work.read(reviews.get, match_id)
    assert row is not None
    (key,) = row.results
    odds, believed, _ = row.results[key]
    faults, told = [], list[tuple[int, str]]()
    for decision in plan.decisions:
        rule = next((rule for rule in rules if (decision.seat, rule) not in told), None)
        if rule is not None:
            told.append((decision.seat, rule))
            state, _ = plan.before(decision.ply)
            texts = [state.action_to_string(action) for action in state.legal_actions(decision.seat)]
            better = next(text for text in texts if text != decision.text)
            faults.append([list(decision), rule, better, 0.3, 1, 1 + len(told), rules[rule]])
    await host.work.write(reviews.grow, match_id, {key: [odds, believed, faults]})


async def test_saboteurs_rounds_are_for_all_and_broken_rules_for_who_broke_them(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 4) as room:
        number = await begun(room, "saboteur", 14, 3)
        for person in room.people[:3]:
            asked = (await at_match(person, room.channel, "resign", match=number)).response
            await person.click(asked, label=labels(asked)[0])
        ann, watcher = room.people[0], room.people[3]
        await at_match(ann, room.channel, "review", match=number)
        await room.told()
        shown = (await at_match(watcher, room.channel, "review", match=number)).response
        assert "Round 1 wasn’t played to its end." in shown.content
        assert labels(shown) == ["Numbers", "Post it here"]
        assert "if people play as computers do" in (await watcher.click(shown, label="Numbers")).response.content
        assert Image.open(io.BytesIO(await picture(shown))).width == 1200
        assert "rules of conduct" in (await at_match(ann, room.channel, "review", match=number)).response.content
        rules = {
            "friend": {"friend": 0.999, "target": 1.0},
            "early": {"missing": 9.0, "before": 0.25, "after": 0.8},
            "ignored": {"treasure": 0.0, "missing": 5.0, "then": 4.0},
        }
        await broken_rules(room, number, rules)
        shown = (await at_match(ann, room.channel, "review", match=number)).response
        shown = (await ann.click(shown, label="My 3 moments")).response
        pages = [shown.content]
        while "Next ▶" in [each.label for each in buttons(shown) if not each.disabled]:
            shown = (await ann.click(shown, label="Next ▶")).response
            pages.append(shown.content)
        texts = "\n".join(pages)
        assert len(pages) == 3
        assert "%" not in texts
        assert "It was too early: the path still needed 9 cards." in texts
        assert "You already knew that the treasure is at 8,2. Then the path needs 4 more cards, not 5." in texts
        assert texts.count("Better: ") == 3
        assert "times in this round" in texts
        assert len(shown.attachments) == 2, "the board, and the cards"
        await ann.click(shown, label="Post it here")
        latest = next(each for each in room.newest_first(room.place()) if "moment 3 of 3" in each.content)
        assert "Round 1, turn " in latest.content
        assert not re.search(r"\byour?\b", latest.content.lower()), "others read it, too"
        story = (await at_match(ann, room.channel, "review", match=number)).response
        before = len(list(room.place().history()))
        await ann.click(story, label="Post it here")
        assert len(list(room.place().history())) == before + 1
