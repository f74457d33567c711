"""What the pictures of a round's and a match's end show in Saboteur, and how the treasure is reached."""

from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

from games.core import Suspicion
from games.grid import OPPOSITE, neighbours
from games.saboteur import SaboteurObservation
from games.saboteur.components import ROLE_NAMES, SIDES
from render import RENDERERS, Computer, Style
from render.canvas import Canvas
from render.saboteur import board, dwarfs, finale, words
from render.saboteur.board import MOOD
from render.story import End, Passed, Story
from tests.conformance.matches import LOGS, Match, recorded
from tests.render.stories import Scene, course, scenes_of
from tests.render.test_labels import assert_legible

NAMES = tuple(f"Name{letter}" for letter in "ABCDEFGHIJ")
MATCHES = sorted(LOGS.glob("saboteur-*.log"))


def found(number: int, kind: str) -> list[Scene]:
    """The scenes of this kind in the golden log with this number of players."""
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


# FOUND V8
@pytest.mark.parametrize("number", [3, 5, 10])
def test_a_round_that_missed_the_treasure_shows_where_it_was_and_no_board_before_does(number: int) -> None:
    missed = [scene for scene in found(number, "round") if scene.story.seen.results[-1].reached_by is None]
    assert missed or number == 3
    for scene in missed:
        kinds = [door.kind for door in scene.story.seen.finish_cards]
        assert sorted(map(str, kinds)) == ["NE", "NW", "T"]
        where = ("upper", "middle", "lower")[kinds.index("T")]
        assert f"It was under the {where} finish card." in scene.words(NAMES[:number])
        assert f"It was under the {where} finish card." in words.round_text(scene.story.seen, NAMES[:number])
        canvas = scene.canvas(NAMES[:number])
        hidden = replace(scene.story.seen, finish_cards=())
        last = scene.story.course[-1]._replace(observation=hidden)
        without = scene._replace(story=Story((*scene.story.course[:-1], last))).canvas(NAMES[:number])
        assert len(canvas.readings) > len(without.readings)
        for before, after in pairwise(scene.story.course):
            for door in before.observation.finish_cards if after.observation.roles_hidden else ():
                assert door.kind is None or door.card is not None


# FOUND V8
@pytest.mark.parametrize("number", [5, 10])
def test_the_end_shows_the_role_cards_of_the_third_round_like_those_of_every_round(number: int) -> None:
    scene = next(each for each in found(number, "end") if len(each.story.seen.results) == 3)
    canvas = scene.canvas(NAMES[:number])
    picture, many = Image.open(BytesIO(canvas.png())).convert("RGB"), number > finale._FEW
    size, card = finale._HELD[many], dwarfs.sign_card if many else dwarfs.role_card
    rows = {text: y for _, y, (text, _) in canvas.readings}
    for place, (left, _) in enumerate(finale._columns(canvas)):
        for seat in range(number):
            ground, *_ = MOOD.plate_colours(seat in scene.story.end.winners)
            alone = Canvas(size, size, ground)
            alone.put(card(size, ground, scene.story.seen.results[place].roles[seat]), 0, 0)
            top, middle = rows[NAMES[seat]] - size // 2, (size // 4, size // 4, size * 3 // 4, size * 3 // 4)
            shown = picture.crop((left, top, left + size, top + size)).crop(middle)
            assert shown.tobytes() == Image.open(BytesIO(alone.png())).convert("RGB").crop(middle).tobytes()


# FOUND V8
def test_a_name_has_its_room_before_a_computers_sign_and_a_suspicion() -> None:
    names = (Computer("Copper"), "Annabella", Computer("Juniper"), "Mozart", "Eve")
    for scene in (*found(5, "round"), *found(5, "end")):
        plies = len(scene.story.course)
        word = Suspicion(seat=1, suspect=4, round=len(scene.story.seen.results), ply=plies)
        shown = scene._replace(story=scene.story._replace(suspicions=(word,))).canvas(names)
        assert set(names) <= {each.text for each in shown.labels}


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
    written = texts(scene)
    for total in seen.uncovered.totals:
        assert f"= {total}" in written
    for seat, rounds in enumerate(seen.uncovered.gold):
        assert [len(cards) for cards in rounds] == [result.gold_cards[seat] for result in seen.results]
    winners = scene.story.end.winners
    assert any("Counted by round: " in text for text in written) == (len(winners) == 1)


def test_gold_stays_unknown_where_people_ended_the_match() -> None:
    match = recorded(LOGS / "saboteur-5-players.log")
    over = [ply for ply in range(len(match.lines)) if match.states[ply + 1].rounds_over > match.states[ply].rounds_over]
    story = Story(course(match, over[1] + 1), End((), "{0} left.", by_rules=False))
    told = finale.end_alt(story, NAMES[:5])
    assert "NameB: 1 gold card; gold-digger, saboteur." in told
    assert "nugget" not in told


def test_an_end_within_a_round_shows_the_mine_as_it_was_left() -> None:
    match = recorded(LOGS / "saboteur-5-players.log")
    ply = next(ply for ply in range(len(match.lines)) if len(seen_at(match, ply).maze) > 5)
    scene = Scene("end", "saboteur", Story(course(match, ply), End((), "The table ended the match.", by_rules=False)))
    canvas = scene.canvas(NAMES[:5])
    assert_legible(canvas, "an end within a round")
    written = [placed.text for placed in canvas.labels]
    assert written[1:3] == ["Round 1", "wasn't over"]
    assert written.count("not over") == 1
    assert len(canvas.overviews) == 1


def test_a_round_says_who_was_the_first_to_suspect_a_saboteur() -> None:
    scene = found(10, "round")[0]
    (saboteur, another, *_) = sorted(scene.story.seen.unmasked_by_round[0])
    digger, early, late = sorted({*range(10)} - scene.story.seen.unmasked_by_round[0])[:3]

    def said(*words: Suspicion) -> str:
        shown = scene._replace(story=scene.story._replace(suspicions=words))
        assert_legible(shown.canvas(tuple(letter * 32 for letter in "WMABCDEFGH")), "names of 32 letters")
        return shown.words(NAMES)

    wrong, right = Suspicion(early, 1, 5, digger), Suspicion(late, 1, 9, saboteur)
    assert "first." not in said()
    assert "first." not in said(wrong)
    assert f" {NAMES[late]} suspected {NAMES[saboteur]} first." in said(wrong, right)
    # A player who changes their mind starts again; another round says nothing about this one.
    again = Suspicion(early, 1, 11, saboteur)
    assert f" {NAMES[late]} suspected {NAMES[saboteur]} first." in said(wrong, right, again, right._replace(round=2))
    together = (right, right._replace(seat=early))
    assert f" {NAMES[early]} and {NAMES[late]} suspected {NAMES[saboteur]} first." in said(*together)
    apart = (right, right._replace(seat=early, suspect=another))
    assert f" {NAMES[early]} and {NAMES[late]} were right first about the saboteurs." in said(*apart)
    alone = found(3, "round")[1]
    shown = alone._replace(story=alone.story._replace(suspicions=(Suspicion(0, 2, 80, None),)))
    assert f" {NAMES[0]} suspected nobody, and was right." in shown.words(NAMES[:3])


@pytest.mark.parametrize("number", [5, 10])
def test_a_plate_shows_whom_its_player_suspected_with_a_tick_if_that_was_right(number: int) -> None:
    scene = found(number, "round")[0]
    unmasked = scene.story.seen.unmasked_by_round[0]
    saboteur, digger = min(unmasked), min({*range(number)} - unmasked)
    plain = scene.canvas(NAMES[:number])

    def signs(suspect: int | None) -> int:
        """How many more things are on the picture if somebody suspected this seat."""
        speaker = next(seat for seat in range(number) if seat not in (saboteur, digger))
        story = scene.story._replace(suspicions=(Suspicion(speaker, 1, 5, suspect),))
        canvas = scene._replace(story=story).canvas(NAMES[:number])
        assert_legible(canvas, "a suspicion")
        words = scene._replace(story=story).words(NAMES[:number])
        assert (suspect is not None and f", suspected {NAMES[suspect]}." in words) == (suspect is not None)
        return len(canvas.readings) - len(plain.readings)

    assert signs(None) == 0
    assert signs(saboteur) > signs(digger) > 0

    everybody = tuple(Suspicion(seat, 1, 5, saboteur if seat != saboteur else digger) for seat in range(number))
    long = tuple(letter * 32 for letter in "WMABCDEFGH"[:number])
    told = scene.story._replace(suspicions=everybody)
    assert len(RENDERERS["saboteur"].draw_round(told, long, Style(1200))) <= 60_000
