"""What was done since the last picture is marked in it: by whom, in which order, where, and with what effect."""

from itertools import combinations, islice

import pytest

from benchmarks.players import Table
from benchmarks.retelling import NAMES, TABLES, Picture, pictures
from games import GAMES
from games.ambush.components import COLUMNS, ROWS
from games.core import HIDDEN, Played
from games.grid import cell_to_string
from games.saboteur.actions import Drop
from games.saboteur.observation import SaboteurObservation
from render import RENDERERS, Mark, Style, badges, deeds
from render.canvas import Box, Canvas, Told
from render.marks import CARD, Spot
from render.palette import INK
from render.story import Passed
from tests.conformance.matches import SETUPS, Setup, played
from tests.conformance.policies import random_play
from tests.render.positions import KEYS, LARGEST, people

STYLE = Style(600)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_p43_pictures_tell_nine_of_ten_actions_with_mover_place_and_effect(table: Table) -> None:
    shown = actions = 0
    for picture in islice(pictures(table, 0), 24):
        shown += len(picture.shown())
        actions += len(picture.kinds)
    assert actions > 24
    assert shown >= 0.9 * actions


@pytest.mark.parametrize("key", ["gambo", "ambush", "ambagibus"])
def test_the_picture_of_an_end_says_what_it_does_not_show_otherwise(key: str) -> None:
    *_, end = pictures(next(table for table in TABLES if table.game == key), 7)
    assert len(end.kinds) > 1
    assert end.shown() == set(range(1, len(end.kinds) + 1))
    whole = " ".join(label.text for label in end.canvas.labels)
    places = {"gambo": "to 7", "ambush": "on A5", "ambagibus": "at 11,3"}
    assert places[key] in whole


def test_whoever_played_to_a_trick_that_is_over_has_their_letters_and_none_is_left_out() -> None:
    (table,) = (table for table in TABLES if table.game == "abissal")
    names = badges.texts(NAMES[: table.players], RENDERERS["abissal"].mood.letters)
    for picture in islice(pictures(table, 7), 9):
        shown = [(each.box, each.number, each.place) for each in picture.canvas.told]
        for mark in picture.marks:
            (left, top, right, bottom), *_ = next(each for each in shown if each[1:] == (mark.number, mark.place))
            inside = [what for x, y, (what, _) in picture.canvas.readings if left <= x < right and top <= y < bottom]
            assert names[mark.seat or 0] in inside


def test_gold_cards_have_the_numbers_of_those_who_took_them() -> None:
    (table,) = (table for table in TABLES if table.game == "saboteur")
    picture = next(picture for picture in pictures(table, 7) if "Take" in picture.kinds)
    taken = {str(number) for number, kind in enumerate(picture.kinds, 1) if kind == "Take"}
    assert len(taken) > 3
    assert taken <= {what for _, _, (what, _) in picture.canvas.readings}


def test_a_rock_fall_is_marked_where_another_card_lies_now() -> None:
    setup = next(setup for setup in SETUPS if setup.key == "saboteur")
    *_, last = (state for state in played(setup, random_play, 1).states if state.current_player >= 0)
    seen = last.observation(None)
    assert isinstance(seen, SaboteurObservation)
    marks = (Mark(1, cell_to_string(max(seen.maze)), sign="rock", gone="NESW", seat=0),)
    fell, not_fell = (
        RENDERERS["saboteur"].paint(seen, people(setup.players), some, STYLE)
        for some in (marks, (marks[0]._replace(sign="", gone=""),))
    )
    assert len(fell.readings) > len(not_fell.readings)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_mark_of_what_only_a_plate_shows_covers_no_name(table: Table) -> None:
    for picture in islice(pictures(table, 0), 24):
        for each in picture.canvas.told:
            assert each.place[:1] != "#" or not any(overlap(each.box, label.box) for label in picture.canvas.labels)


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_the_number_of_an_action_is_on_the_far_side_of_its_place() -> None:
    canvas = Canvas(1200, 900, INK, (Mark(1, "a", seat=0), Mark(2, "a", seat=1), Mark(3, "a", seat=0)))
    mood = RENDERERS["gambo"].mood
    deeds.draw(canvas, mood, people(2), canvas.done, lambda _: Spot(600, 450, 0, corner=(60, -60)))
    found = {what: (x - 600, y - 450) for x, y, (what, _) in canvas.readings if what.isdigit()}
    assert [(x > 0, y > 0) for x, y in found.values()] == [(True, False), (False, False), (True, True)]
    assert all(abs(x) > 60 and abs(y) > 60 for x, y in found.values())


def told(*boxes: tuple[int, int, int, int]) -> list[bool]:
    """Which of these marks, one for each action, count in a picture 400 pixels wide."""
    marks = tuple(Mark(number, f"{number},0", seat=0) for number in range(1, len(boxes) + 1))
    canvas = Canvas(400, 300, INK, marks)
    canvas.told += [Told(mark.number, mark.place, box) for mark, box in zip(marks, boxes, strict=True)]
    return [mark.number in Picture(canvas, marks, ("Dig",) * len(marks)).shown() for mark in marks]


def test_a_mark_that_is_too_small_or_covered_or_outside_does_not_count() -> None:
    assert told((0, 0, 12, 12), (20, 0, 31, 12), (390, 0, 402, 12)) == [True, False, False]
    assert told((0, 0, 20, 20), (10, 0, 30, 20)) == [False, True]
    assert told((0, 0, 20, 20), (18, 0, 38, 20)) == [True, True]
    # Two sentences in one line.
    assert told((0, 0, 200, 20), (0, 0, 200, 20)) == [True, True]


def test_a_card_that_a_later_action_covers_is_not_shown_and_one_that_it_removes_is() -> None:
    for first, then, shown in (("", "", {2}), ("", "NES", {1, 2}), ("NES", "", {2})):
        marks = tuple(Mark(number, "1,0", seat=0, gone=gone) for number, gone in ((1, first), (2, then)))
        canvas = Canvas(400, 300, INK, marks)
        canvas.told += [Told(number, "1,0", (30 * number, 0, 30 * number + 20, 20)) for number in (1, 2)]
        assert Picture(canvas, marks, ("Dig", "Dig")).shown() == shown


def test_the_mark_of_a_hidden_action_has_its_mover_and_its_kind_and_no_more() -> None:
    setup = next(setup for setup in SETUPS if setup.key == "saboteur")
    match, draw = played(setup, random_play, 1), RENDERERS["saboteur"]
    found = 0
    for _, player, action, after in match.moves():
        if isinstance(action, Drop):
            public = after.seen_by(None, player, action)
            assert public == Drop(HIDDEN)
            marks = draw.marked([Passed(Played(player, public), after.observation(None))])
            said = f"{{{player}}} discards a card face down."
            assert marks == (Mark(1, f"#{player + 1}", seat=player, sign=CARD, said=said),)
            found += 1
    assert found


def test_what_stands_on_a_turned_coaster_is_marked_where_it_is_now() -> None:
    setup = next(setup for setup in SETUPS if setup.key == "ambush")
    draw, names = RENDERERS["ambush"], people(2)
    state = played(setup, random_play, 1).states[1]
    before, lines = state.observation(None), []
    for text in ("SC2", "SF6", "NW180"):
        player = state.current_player
        action = next(each for each in state.legal_actions(player) if state.action_to_string(each).startswith(text))
        state = state.child(player, action)
        lines.append(Passed(Played(player, action), state.observation(None)))
    marks = draw.marked(lines, before)
    assert [(mark.number, mark.place) for mark in marks] == [(1, "A2"), (2, "F6"), (3, "NW")]
    canvas = draw.paint(state.observation(None), names, marks, STYLE)
    assert {(each.number, each.place) for each in canvas.told if each.place} == {(1, "A2"), (2, "F6"), (3, "NW")}
    on_the_board = [each.box for each in canvas.told if each.place]
    assert not any(overlap(one, other) for one, other in combinations(on_the_board, 2))
    rows = [label.box for label in canvas.labels if label.text in ROWS]
    assert len(rows) == 6
    assert not any(overlap(box, row) for box in on_the_board for row in rows)
    first = next(label for label in canvas.labels if label.text == COLUMNS[0])
    assert all(each.box[2] < first.x for each in canvas.told if each.place == "NW"), "beside its coaster"


@pytest.mark.parametrize("setup", [each for each in SETUPS if each.key == "saboteur"], ids=str)
def test_what_finds_no_room_on_a_plate_is_left_out(setup: Setup) -> None:
    """Many tools may change hands before the next picture comes."""
    seen = next(state for state in played(setup, random_play, 1).states if state.current_player >= 0).observation(None)
    signs = ("+L", "-W")
    many = [Mark(k + 1, f"#{1 + k % 2}", sign=signs[k % 2], seat=k % setup.players) for k in range(12)]
    RENDERERS["saboteur"].paint(seen, people(setup.players), tuple(many), STYLE)


@pytest.mark.parametrize("key", KEYS)
def test_the_last_action_is_marked_wherever_a_move_is_said_in_advance(key: str) -> None:
    match, draw = played(LARGEST[key], random_play, 1), RENDERERS[key]
    for state in match.states:
        waiting = set(range(state.players)) - {state.current_player} if state.current_player >= 0 else ()
        for seat in waiting:
            then = GAMES[key].advance.next_turn(state, seat)
            if then is not None:
                seen = then.observation(seat)
                assert bool(deeds.shown(draw.trace, seen, ())) == (seen.last is not None)
