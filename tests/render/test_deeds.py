"""What was done since the last picture is marked in it: by whom, in which order, where, and with what effect."""

from itertools import islice

import pytest

from benchmarks.players import Table
from benchmarks.retelling import TABLES, Picture, pictures
from games.core import HIDDEN, Played
from games.saboteur.actions import Drop
from render import RENDERERS, Mark, Style
from render.canvas import Canvas, Told
from render.marks import CARD
from render.palette import INK
from render.story import Passed
from tests.conformance.matches import SETUPS, Setup, played
from tests.conformance.policies import random_play
from tests.render.positions import people

STYLE = Style(600)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_p43_pictures_tell_nine_of_ten_actions_with_mover_place_and_effect(table: Table) -> None:
    shown = actions = 0
    for picture in islice(pictures(table, 0), 24):
        shown += len(picture.shown())
        actions += len(picture.kinds)
    assert actions > 24
    assert shown >= 0.9 * actions


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
    for text in ("SA1", "SF6", "NW90"):
        player = state.current_player
        action = next(each for each in state.legal_actions(player) if state.action_to_string(each).startswith(text))
        state = state.child(player, action)
        lines.append(Passed(Played(player, action), state.observation(None)))
    marks = draw.marked(lines, before)
    assert [(mark.number, mark.place) for mark in marks] == [(1, "C1"), (2, "F6"), (3, "NW")]
    canvas = draw.paint(state.observation(None), names, marks, STYLE)
    assert {(each.number, each.place) for each in canvas.told if each.place} == {(1, "C1"), (2, "F6"), (3, "NW")}


@pytest.mark.parametrize("setup", [each for each in SETUPS if each.key == "saboteur"], ids=str)
def test_what_finds_no_room_on_a_plate_is_left_out(setup: Setup) -> None:
    """Many tools may change hands before the next picture comes."""
    seen = next(state for state in played(setup, random_play, 1).states if state.current_player >= 0).observation(None)
    signs = ("+L", "-W")
    many = [Mark(k + 1, f"#{1 + k % 2}", sign=signs[k % 2], seat=k % setup.players) for k in range(12)]
    RENDERERS["saboteur"].paint(seen, people(setup.players), tuple(many), STYLE)
