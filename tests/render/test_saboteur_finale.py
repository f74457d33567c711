"""What the pictures of a round's and a match's end show in Saboteur, and how the treasure is reached."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from games.grid import OPPOSITE, neighbours
from games.saboteur import SaboteurObservation
from games.saboteur.components import ROLE_NAMES, SIDES
from render import RENDERERS
from render.saboteur import board, finale, words
from render.story import End, Passed, Story
from tests.conformance.matches import LOGS, Match, recorded
from tests.render.stories import Scene, course, scenes_of

NAMES = tuple(f"Name{letter}" for letter in "ABCDEFGHIJ")
MATCHES = sorted(LOGS.glob("saboteur-*.log"))


def found(number: int, kind: str) -> list[Scene]:
    """The scenes of this kind in the golden log of so many players."""
    match = recorded(LOGS / f"saboteur-{number}-players.log")
    return [scene for scene in scenes_of(match) if scene.kind == kind]


def texts(scene: Scene) -> list[str]:
    names = NAMES[: scene.story.seen.players]
    return [placed.text for placed in scene.canvas(names).labels]


@pytest.mark.parametrize("number", [3, 10])
def test_a_round_shows_every_role_the_left_over_one_and_who_took_gold(number: int) -> None:
    for scene in found(number, "round"):
        result, written = scene.story.seen.results[-1], texts(scene)
        roles = [*result.roles, result.left_over]
        assert written.count("Saboteur") == roles.count("S")
        assert written.count("Gold-digger") == roles.count("D")
        said = scene.words(NAMES[:number])
        for seat, cards in enumerate(result.gold_cards):
            gold = f"{cards} gold card{'s' if cards > 1 else ''}" if cards else "no gold"
            assert f"{NAMES[seat]}: {ROLE_NAMES[result.roles[seat]]}, {gold}." in said


def test_a_round_without_saboteurs_in_which_nobody_found_the_treasure_is_won_by_nobody() -> None:
    scene = found(3, "round")[1]
    assert "Nobody wins round 2!" in texts(scene)
    assert "There was no saboteur: you suspected each other for nothing." in scene.words(NAMES[:3])
    told = RENDERERS["saboteur"].round_text(scene.story.seen, NAMES[:3])
    assert "**Nobody wins round 2.**" in told
    assert "Nobody gets gold." in told


def test_gold_cards_are_told_in_words() -> None:
    told = [
        words.gold_words(scene.story.seen.results[-1], NAMES) for scene in (*found(10, "round"), *found(5, "round"))
    ]
    assert told[0] == "NameB, NameC and NameD took two gold cards each, the other gold-diggers one."
    assert told[1] == "Each saboteur gets 2 nuggets (gold cards: NameB 1, NameD 1, NameH 1 and NameJ 1)."


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_whoever_reaches_the_treasure_has_a_frame_of_their_own_with_the_way_to_it(path: Path) -> None:
    match = recorded(path)
    passed, won = course(match), [result for result in seen_at(match, -1).results if result.reached_by is not None]
    moments = [line for line in pairwise(passed) if finale.moment(line[0].observation, line[1])]
    assert len(moments) == len(won) == 1
    (before, after), (result,) = moments[0], won
    role = ", a saboteur," if result.roles[result.reached_by or 0] == "S" else ""
    assert finale.moment(before.observation, after) == f"{{{result.reached_by}}}{role} reaches the treasure!"
    assert_way(after)


def seen_at(match: Match, ply: int) -> SaboteurObservation:
    seen = match.states[ply].observation(None)
    assert isinstance(seen, SaboteurObservation)
    return seen


def assert_way(after: Passed) -> None:
    """The way leads from the ladder through openings to the treasure; before it was found there was none."""
    seen: SaboteurObservation = after.observation
    cards = {**seen.maze, **{door.cell: door.card for door in seen.finish_cards if door.card}}
    way = board.route(seen)
    assert (way[0], way[-1]) == ((0, 0), board.treasure_of(seen))
    for here, there in pairwise(way):
        edge = neighbours(here).index(there)
        assert SIDES[cards[here]][edge].joined
        assert SIDES[cards[there]][OPPOSITE[edge]].joined


def test_there_is_no_way_until_the_treasure_is_found() -> None:
    match = recorded(LOGS / "saboteur-3-players.log")
    assert board.route(seen_at(match, 0)) == ()
    assert board.route(seen_at(match, len(match.states) // 8)) == ()


@pytest.mark.parametrize("number", [5, 7])
def test_the_end_counts_the_winners_nuggets_by_round(number: int) -> None:
    scene = next(scene for scene in found(number, "end") if scene.story.end and scene.story.end.by_rules)
    seen: SaboteurObservation = scene.story.seen
    assert seen.uncovered is not None
    assert scene.story.end is not None
    written = texts(scene)
    for total in seen.uncovered.totals:
        assert f"= {total}" in written
    for seat, rounds in enumerate(seen.uncovered.gold):
        assert [len(cards) for cards in rounds] == [result.gold_cards[seat] for result in seen.results]
    winners = scene.story.end.winners
    assert any(text.startswith("Counted by round: ") for text in written) == (len(winners) == 1)


def test_gold_stays_unknown_where_people_ended_the_match() -> None:
    match = recorded(LOGS / "saboteur-5-players.log")
    over = [ply for ply in range(len(match.lines)) if match.states[ply + 1].rounds_over > match.states[ply].rounds_over]
    story = Story(course(match, over[1] + 1), End((), "{0} left.", by_rules=False))
    told = finale.end_alt(story, NAMES[:5])
    assert "NameB: 1 gold card; gold-digger, saboteur." in told
    assert "nugget" not in told
