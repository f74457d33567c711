"""A `Look`: what no test of pictures can find out by itself."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from render.badges import SeatColours
from render.palette import Colour
from render.tiles import Sprite


@dataclass(frozen=True)
class Look:
    """What distinguishes things in the pictures of one game, and how its words name places.

    `match` is the golden log whose pictures are kept in ``tests/render/golden/``. `places` finds the places in a text;
    ``None`` for a game without places. Any two of the `colours` in a group mean different things. So do any two of the
    `signs` in a group, which are drawn when asked for. `lettered` are colours with that of the letter on them. `badge`
    is the least number of letters on a badge, `rounds` whether a match has rounds. `pieces` are the names of what lies
    on the table. `not_called` maps patterns of other names, which people would understand too, to the right name.
    """

    match: str
    places: re.Pattern[str] | None
    colours: dict[str, tuple[Colour, ...]] = field(default_factory=dict)
    signs: dict[str, Callable[[], list[Sprite]]] = field(default_factory=dict)
    lettered: dict[str, SeatColours] = field(default_factory=dict)
    badge: int = 1
    rounds: bool = False
    pieces: tuple[str, ...] = ()
    not_called: dict[str, str] = field(default_factory=dict)
