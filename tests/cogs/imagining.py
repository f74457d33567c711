"""A match as one viewer could imagine it: whatever they can't know is different, in the position and in the log.

`Standing` and `Imagination` are hosts that answer questions about one match: as it is, and as it could be. Whatever the
second says to that viewer, and to everybody, must equal what the first says. Neither changes anything.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

from games.core import CHANCE, InvalidAction, State
from games.log import TABLE, Course, Line
from matches.api import Host, Match, MatchId, Replay, Status
from matches.host.look import Look
from matches.host.votes import Votes
from matches.orders import Orders
from matches.table.value import Table
from matches.work.unit_of_work import UnitOfWork

Past = tuple[Line, State[Any]]
"""A line of a log with the position after it."""

_TRIES: Final = 30
"""How many other draws are tried, and how many cards of a partly visible draw are swapped."""


def imagined_past(before: State[Any], line: Line, after: State[Any], viewer: int | None, rng: random.Random) -> Past:
    """Another line that is consistent with what `viewer` knows, and a position after it that looks the same to them.

    The two need not come from one match, since the viewer is told each separately. They know what their observation
    says, not what the line tells them: that is what the tests prove.
    """
    other = after.resample_from_infostate(viewer, rng)
    if line.player == TABLE:
        return line, other
    if line.player == CHANCE:
        return line._replace(text=another_draw(before, line.text, viewer, rng)), other
    mover, action = after.last or (None, None)
    if other.last is None or mover != line.player or after.action_to_string(action) != line.text:
        return line, other
    return line._replace(text=other.action_to_string(other.last[1])), other


def another_draw(before: State[Any], text: str, viewer: int | None, rng: random.Random) -> str:
    """Another draw that `viewer` can't distinguish; `text` itself if there is none."""
    seen = _seen_after(before, before.string_to_action(CHANCE, text), viewer)
    for _ in range(_TRIES):
        action = before.sample_chance(rng)
        drawn = before.action_to_string(action)
        if drawn != text and _seen_after(before, action, viewer) == seen:
            return drawn
    for _ in range(_TRIES):
        try:
            action = before.notation.from_string(CHANCE, _exchanged(text, rng))
        except InvalidAction:  # the swapped parts were no cards
            continue
        if before.check_chance(action) and _seen_after(before, action, viewer) == seen:
            text = before.action_to_string(action)
    return text


def _seen_after(before: State[Any], draw: Any, viewer: int | None) -> str:
    return repr(before.child(CHANCE, draw).observation(viewer))


def _exchanged(text: str, rng: random.Random) -> str:
    """A draw with two of its cards swapped. Hands, which come before a bar, stay sorted."""
    verb, _, cards = text.partition(" ")
    places = [match.span() for match in re.finditer(r"[^,/|]+", cards)]
    (a, b), (c, d) = sorted(rng.choices(places, k=2))
    if a != c:
        cards = cards[:a] + cards[c:d] + cards[b:c] + cards[a:b] + cards[d:]
    hands, bar, stock = cards.partition("|")
    if bar:
        hands = "/".join(",".join(sorted(hand.split(","))) for hand in hands.split("/"))
    return f"{verb} {hands}{bar}{stock}"


@dataclass(frozen=True)
class _ImaginedReplay(Replay):
    """A replay in which every line and position is one that the viewer could imagine."""

    past: Callable[[Line, State[Any]], Past] = field(repr=False, kw_only=True)

    def line(self, line: Line, before: State[Any], state: State[Any]) -> Any:
        earlier = before if line.ply == 0 else self.past(line._replace(ply=line.ply - 1), before)[1]
        imagined, after = self.past(line, state)
        return super().line(imagined, earlier, after)


class Standing(Host):
    """The host of an unchanging match: it reads the match once, at `see`, and then answers from that."""

    def __init__(self, true: Host, match_id: int) -> None:
        super().__init__(true.work._database, true.work._clock)
        self.work = _StandingWork(self, true)
        self.look = _StandingLook(self)
        self.votes = Votes(self.work)
        self.parts[Orders] = Orders(self.work, true.thinking.computers)
        self._true = true
        self._match_id = match_id
        self._seen: tuple[Match, Course | None] | None = None

    async def see(self) -> None:
        """Read the match as it is now."""
        table, _ = await self._true.work.snapshot(MatchId(self._match_id))
        self._seen = table.match, table.course

    @property
    def course(self) -> Course:
        """The position, and the lines that led to it."""
        return self.standing(self._match_id)[1]

    def replayed(self, true: Replay) -> Replay:
        """The replay of the match."""
        return true

    def standing(self, match_id: int) -> tuple[Match, Course]:
        """The match with its position."""
        assert self._seen is not None
        assert self._match_id == match_id
        return self._seen


class _StandingWork(UnitOfWork):
    """Returns what its host has read, with the true lines."""

    def __init__(self, host: Standing, true: Host) -> None:
        super().__init__(true.work._database, true.work._clock, true.work.name, true.work.shards, true.work.entropy)
        self.features = true.work.features
        self._host = host
        self._true = true

    async def position(self, of: int | Match) -> tuple[Match, Course]:
        return self._host.standing(of.id if isinstance(of, Match) else of)

    async def snapshot(self, match_id: MatchId, **kwargs: Any) -> tuple[Table, list[Line]]:
        table, lines = await self._true.work.snapshot(match_id, **kwargs)
        match, course = self._host.standing(match_id)
        return replace(table, match=match, course=course), lines


class _StandingLook(Look):
    """Shows what its host has read."""

    def __init__(self, host: Standing) -> None:
        super().__init__(host.work)
        self._host = host

    async def match(self, match_id: int) -> Match:
        return self._host.standing(match_id)[0]

    async def replay(self, match_id: MatchId, user_id: int | None, *, everything: bool = False) -> Replay:
        return self._host.replayed(await super().replay(match_id, user_id, everything=everything))


class Imagination(Standing):
    """The host of a match as `viewer` could imagine it. The same `seed` gives the same match."""

    def __init__(self, true: Host, match_id: int, viewer: int | None, seed: int) -> None:
        super().__init__(true, match_id)
        self._viewer = viewer
        self._seed = seed
        self._state: State[Any] | None = None
        self._pasts: dict[int, Past] = {}

    async def see(self) -> None:
        await super().see()
        match, course = self.standing(self._match_id)
        if match.status is not Status.RUNNING:
            return  # nothing is hidden any more
        rng = random.Random(f"{self._seed} {self._viewer} {course.ply}")
        before = self._state or Course.begin(course.header).state
        news = course.ply - len(self._pasts)
        for line, after in course.recent[len(course.recent) - news :]:
            assert line.ply == len(self._pasts)
            self._pasts[line.ply] = imagined_past(before, line, after, self._viewer, rng)
            before = after
        self._state = course.state
        recent = tuple(self._pasts[line.ply] for line, _ in course.recent)
        state = course.state.resample_from_infostate(self._viewer, rng)
        self._seen = match, replace(course, state=state, recent=recent)

    def _past(self, line: Line, state: State[Any]) -> Past:
        return self._pasts[line.ply]

    def replayed(self, true: Replay) -> Replay:
        if true.match.status is not Status.RUNNING:
            return true
        return _ImaginedReplay(true.match, true.viewer, true.everything, true._lines, past=self._past)

    def differs_from(self, other: Standing) -> bool:
        """Whether anything differs from that match."""
        one, two = self.course, other.course
        return one.state != two.state or one.recent != two.recent
