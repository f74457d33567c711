"""The view in which nothing is hidden: its pictures show more, and are as large as any."""

from random import Random

import pytest

from games import GAMES
from render.grammar import MAX_ALT_TEXT
from render.style import MAX_SIDE, Style
from tests.conformance.matches import SETUPS, Setup
from tests.render.positions import Position, positions

SECRETIVE = [setup for setup in SETUPS if GAMES[setup.key].info.hidden_information]


def hides_something(position: Position) -> bool:
    """Whether somebody has to move while a spectator could imagine another position."""
    state = position.state
    return state.current_player >= 0 and str(state.resample_from_infostate(None, Random(1))) != str(state)


@pytest.mark.parametrize("setup", SECRETIVE, ids=str)
def test_what_is_hidden_is_in_the_picture_when_nothing_is_hidden(setup: Setup) -> None:
    hiding = [position for position in positions(setup) if hides_something(position)]
    assert hiding
    for position in hiding:
        draw, people = position.renderer, position.people
        assert draw.draw(position.state.open_observation(), people) != draw.draw(position.seen(), people)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_picture_with_nothing_hidden_keeps_to_the_limits(setup: Setup) -> None:
    for position in positions(setup):
        draw, people, everything = position.renderer, position.people, position.state.open_observation()
        canvas = draw.paint(everything, people, (), Style())
        assert canvas.height <= MAX_SIDE
        assert len(draw.alt_text(everything, people)) <= MAX_ALT_TEXT
