"""What a seat knew at a line of a log: the question that a computer would be asked there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from games.core import Played, State
from games.log import TABLE, Line, branched
from matches.computers.thinking import judgement_of


class Known(NamedTuple):
    """What the current player of a position knows.

    `position` is never the true one: it is resampled from what they may know. `lines` are the lines of the match as
    they saw them, if the game's judgement uses them. `digest` is a hash of all that: positions that look alike to the
    player have the same one, and so the same `position`.
    """

    position: State[Any]
    lines: tuple[Played[Any], ...]
    digest: bytes

    def rng(self, purpose: str) -> Random:
        """Return random numbers that follow from what the player knows, different ones for each purpose."""
        return Random(sha256(self.digest + purpose.encode()).digest())


def known(state: State[Any], lines: Iterable[Line] = ()) -> Known:
    """Return what the current player of `state` knows. `lines` are those in force before it."""
    seat = state.current_player
    seen: tuple[Played[Any], ...] = ()
    if judgement_of(state.info.key).remembers:
        lines = tuple(lines)
        # If the match continues another one, hidden cards were drawn again there. So of the lines before that, the
        # player knows only what a spectator saw.
        begun = max((line.ply for line in lines if branched(line) is not None), default=0)
        whose = ((line, seat if line.ply >= begun else None) for line in lines if line.player != TABLE)
        seen = tuple(_seen(state, viewer, line) for line, viewer in whose)
    told = [
        f"{state.info.key} {state.info.rules_version}",
        written(state.observation(seat)),
        *(f"{line.player} {state.action_to_string(line.action)}" for line in seen),
    ]
    digest = sha256("\n".join(told).encode()).digest()
    return Known(state.resample_from_infostate(seat, Random(digest)), seen, digest)


def _seen(state: State[Any], seat: int | None, line: Line) -> Played[Any]:
    action = state.string_to_action(line.player, line.text)
    return Played(line.player, state.seen_by(seat, line.player, action))


def written(value: Any) -> str:
    """Return a text that is the same for equal values, in every process. Sets and mappings are sorted."""
    if is_dataclass(value) and not isinstance(value, type):
        named = {part.name: getattr(value, part.name) for part in fields(value) if part.compare}
        return f"{type(value).__name__}({','.join(f'{name}={written(each)}' for name, each in named.items())})"
    if isinstance(value, Enum):
        return repr(value.value)
    if isinstance(value, Mapping):
        return "{" + ",".join(sorted(f"{written(key)}:{written(each)}" for key, each in value.items())) + "}"
    if isinstance(value, AbstractSet):
        return "{" + ",".join(sorted(map(written, value))) + "}"
    if isinstance(value, tuple | list):
        return "(" + ",".join(map(written, value)) + ")"
    assert value is None or isinstance(value, str | int | float), f"{type(value)} has no text of its own"
    return repr(value)
