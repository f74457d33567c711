"""The log of a match as text: a header, then ``<ply> <player> <action>``, one line each.

A log contains what chance drew, so it replays without a random number generator. Lines of player ``h`` are the table's
own events. They change seats and not positions, with two exceptions. ``undo 12`` returns to the position before line
12. ``branch 2 SEED`` begins a match that is played on from another one: the lines before it are a copy, and everything
that seat 2 couldn't know then is drawn again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile
from typing import Any, Final, NamedTuple, Self

from games import GAMES
from games.core import CHANCE, ActionError, Played, Rng, State
from games.core.hashed import HashedRng

TABLE: Final = -2
"""The player number of the table's own events (``h`` in the text)."""

RECENT: Final = 12
"""The number of lines that a course keeps with their positions: the most that one message tells or an undo removes."""

UNDO: Final = "undo"

BRANCH: Final = "branch"

_NAMES: Final = {CHANCE: "c", TABLE: "h"}
_PLAYERS: Final = {"c": CHANCE, "h": TABLE}
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
_BRANCH = re.compile(r"branch (0|[1-9][0-9]?) ([0-9a-f]{32})", re.ASCII)


class LogError(ValueError):
    """A log that can't be read or replayed. The message is a sentence that names the line."""


class Line(NamedTuple):
    """One line: `ply` counts lines from 0, `player` is a seat, `CHANCE` or `TABLE`, `text` is the canonical action."""

    ply: int
    player: int
    text: str

    def __str__(self) -> str:
        return f"{self.ply} {player_to_string(self.player)} {self.text}"


class Branch(NamedTuple):
    """Line `ply` begins a match that was played on from another one. What `seat` couldn't know follows from `seed`.

    The lines before it are a copy, without those that were taken back and without the table's own.
    """

    ply: int
    seat: int
    seed: str

    @property
    def event(self) -> str:
        """The text of the line."""
        return f"{BRANCH} {self.seat} {self.seed}"

    def drawn(self, state: State[Any]) -> State[Any]:
        """Return the position from which the match goes on. Raises LogError if it can't begin at `state`."""
        if state.current_player < 0 or self.seat >= state.players:
            raise LogError(f"Line {self.ply} ({self.event}) can't begin here.")
        return state.redrawn(self.seat, HashedRng("ambit/branch block=", f" seed={self.seed}"))


@dataclass(frozen=True)
class Header:
    """The first line: the game, the number of players, the options and the version of the rules."""

    game: str
    players: int
    options: Mapping[str, str] = field(default_factory=dict)
    rules_version: int = 1

    def __str__(self) -> str:
        options = "".join(f" {name}={value}" for name, value in sorted(self.options.items()))
        return f"game {self.game} players={self.players}{options} rules={self.rules_version}"


def player_to_string(player: int) -> str:
    """Return a seat number as it is, ``c`` for chance and ``h`` for the table."""
    return _NAMES.get(player) or str(player)


def string_to_player(text: str) -> int | None:
    """Return the player for a text of `player_to_string`, or ``None`` for any other text."""
    if text in _PLAYERS:
        return _PLAYERS[text]
    return int(text) if _NUMBER.fullmatch(text) else None


def parse_header(text: str) -> Header:
    """Read a header. Raises LogError."""
    words = text.split(" ")
    if len(words) < 4 or words[0] != "game":
        raise LogError("The first line must read: game <key> players=<n> … rules=<version>.")
    values: dict[str, str] = {}
    for word in words[2:]:
        name, equals, value = word.partition("=")
        if not equals or name in values:
            raise LogError(f"The first line has a part that can't be read: {word!r}.")
        values[name] = value
    players, version = values.pop("players", ""), values.pop("rules", "")
    if not _NUMBER.fullmatch(players) or not _NUMBER.fullmatch(version):
        raise LogError("The first line must give players=<n> and rules=<version>.")
    return Header(words[1], int(players), values, int(version))


def parse_log(text: str) -> tuple[Header, tuple[Line, ...]]:
    """Read a whole log. Raises LogError. Empty lines at the end are allowed.

    Lines before the header that begin with ``#`` are comments.
    """
    written = text.rstrip("\n").split("\n")
    rows = list(dropwhile(lambda row: row.startswith("#"), written)) or [""]
    before = len(written) - len(rows)
    header = parse_header(rows[0])
    lines = []
    for number, row in enumerate(rows[1:]):
        parts = row.split(" ", 2)
        player = string_to_player(parts[1]) if len(parts) == 3 else None
        if player is None or parts[0] != str(number):
            raise LogError(f"Line {before + number + 2} must read: {number} <player> <action>.")
        lines.append(Line(number, player, parts[2]))
    return header, tuple(lines)


def parse_told(text: str) -> tuple[int, str]:
    """Read a line without its number, ``<player> <action>``. Raises LogError."""
    who, _, action = text.partition(" ")
    player = string_to_player(who)
    if player is None:
        raise LogError(f"It must read: <player> <action>, not {text!r}.")
    return player, action


def initial_state(header: Header) -> State[Any]:
    """Return the position before the first line. Raises LogError if the header doesn't fit the game as it is now."""
    game = GAMES.get(header.game)
    if game is None:
        raise LogError(f"There's no game called {header.game!r}.")
    if header.rules_version != game.info.rules_version:
        raise LogError(
            f"This log follows version {header.rules_version} of the rules of {game.info.name}; "
            f"this program plays version {game.info.rules_version}."
        )
    try:
        return game.new_initial_state(header.players, header.options)
    except ValueError as error:
        raise LogError(str(error)) from error


@dataclass(frozen=True)
class Course:
    """The state of a match after some lines: `ply` is their number, `draws` the number of chance lines among them.

    Every position that follows from a log is made here. `recent` are the latest lines, each with the position after it,
    so that telling them replays nothing. `round_ply` is the number of lines up to the end of the last finished round, 0
    before that. `asked` are the seats that have had to decide something, also if that was taken back.
    """

    header: Header
    state: State[Any]
    ply: int = 0
    draws: int = 0
    round_ply: int = 0
    branches: tuple[Branch, ...] = ()
    recent: tuple[tuple[Line, State[Any]], ...] = field(default=(), repr=False, compare=False)
    asked: frozenset[int] = frozenset()

    @classmethod
    def begin(cls, header: Header) -> Self:
        """Return the course before the first line. Raises LogError if the header doesn't fit the game as it is now."""
        return cls(header, initial_state(header))

    def after(self, line: Line, *, trusted: bool = False) -> Self:
        """Return the course with one more line. Raises LogError.

        The line is checked unless `trusted`.
        """
        state = self.state
        if line.player == TABLE:
            return self._next(line, self._after_event(line))
        try:
            action = state.string_to_action(line.player, line.text)
            return self._next(line, (state.child if trusted else state.apply_action)(line.player, action))
        except ActionError as error:
            raise LogError(f"Line {line.ply} ({line}) can't be replayed: {error}") from error

    def through(self, lines: Iterable[Line]) -> Self:
        """Return the course with more lines of a stored log, each checked.

        Raises LogError. Everybody may read its sentence: it gives the line's number, but not its text.
        """
        course = self
        for line in lines:
            try:
                course = course.after(line)
            except LogError as error:
                raise LogError(f"Line {line.ply} of its log can't be replayed.") from error
        return course

    def played(self, player: int, action: Any) -> tuple[Line, Self]:
        """Return the line of a legal action, and the course with it. The caller has checked the action."""
        line = Line(self.ply, player, self.state.action_to_string(action))
        return line, self._next(line, self.state.child(player, action))

    def noted(self, event: str) -> tuple[Line, Self]:
        """Return the line of one of the table's own events, and the course with it."""
        line = Line(self.ply, TABLE, event)
        return line, self._next(line, self._after_event(line))

    def settled(self, draw: Callable[[int], Rng]) -> Iterator[tuple[Line, Self]]:
        """Yield the lines that need nobody's decision, until somebody must decide or the match is over.

        These are chance lines and forced actions. `draw` returns the random numbers for a chance line, given that
        line's number among the chance lines (from 0). A forced action is taken for its player, unless it is `offered`
        to them (P8).
        """
        course = self
        while not course.state.is_terminal:
            state = course.state
            if state.current_player == CHANCE:
                action = state.sample_chance(draw(course.draws))
            else:
                action = state.forced_action()
                if action is None or offered(state) is not None:
                    return
            line, course = course.played(state.current_player, action)
            yield line, course

    def since(self, ply: int) -> tuple[tuple[Line, State[Any]], ...] | None:
        """Return the lines from number `ply` on, each with the position after it; ``None`` if some aren't kept."""
        missing = self.ply - max(ply, 0)
        return None if missing > len(self.recent) else self.recent[len(self.recent) - max(missing, 0) :]

    def before(self, ply: int) -> State[Any] | None:
        """Return the position before a line, so that the line can be taken back.

        ``None`` if that position isn't kept any more, or the line isn't written yet.
        """
        if not 0 <= ply < self.ply:
            return None
        if ply == 0:
            return initial_state(self.header)
        known = self.since(ply - 1)
        return None if known is None else known[0][1]

    def last_decision(self, players: Collection[int]) -> int | None:
        """Return the number of the latest line in force by which one of these players decided something.

        ``None`` if chance has drawn since then, or the line isn't kept any more, or it was copied from another match.
        """
        for line in reversed(in_force(line for line, _ in self.recent)):
            if line.player == CHANCE or branched(line) is not None:
                return None
            if line.player in players:
                before = self.before(line.ply)
                if before is None or before.forced_action() is None:
                    return None if before is None else line.ply
        return None

    def _after_event(self, line: Line) -> State[Any]:
        """Return the position after one of the table's own events. Raises LogError if it takes back what it can't."""
        branch, number = branched(line), taken_back(line)
        if branch is not None:
            return branch.drawn(self.state)
        if line.text.startswith(f"{BRANCH} "):
            raise LogError(f"Line {line.ply} ({line}) can't be read.")
        if number is None:
            return self.state
        state = self.before(number)
        drawn = any(each.player == CHANCE or branched(each) for each, _ in self.since(number) or ())
        if state is None or drawn:
            raise LogError(f"Line {line.ply} ({line}) takes back what can't be taken back.")
        return state

    def _next(self, line: Line, state: State[Any]) -> Self:
        recent = (*self.recent[1 - RECENT :], (line, state))
        ply = self.ply + 1
        round_ply = ply if state.rounds_over > self.state.rounds_over else self.round_ply
        branch = branched(line)
        branches = self.branches if branch is None else (*self.branches, branch)
        draws, asked, player = self.draws + (line.player == CHANCE), self.asked, state.current_player
        if player >= 0 and player not in asked and (state.forced_action() is None or offered(state) is not None):
            asked |= {player}
        return type(self)(self.header, state, ply, draws, round_ply, branches, recent, asked)


def offered(state: State[Any]) -> Any | None:
    """Return the current player's forced action if it ends a round or the match, else ``None``.

    Such an action isn't taken for the player: they press it themselves (P8).
    """
    action = state.forced_action()
    if action is None:
        return None
    after = state.child(state.current_player, action)
    return action if after.is_terminal or after.rounds_over > state.rounds_over else None


def taken_back(line: Line) -> int | None:
    """Return the number from which an event of the table takes lines back; ``None`` for any other line."""
    verb, _, number = line.text.partition(" ")
    return int(number) if line.player == TABLE and verb == UNDO and _NUMBER.fullmatch(number) else None


def branched(line: Line) -> Branch | None:
    """Return the branch that an event of the table begins; ``None`` for any other line."""
    found = _BRANCH.fullmatch(line.text) if line.player == TABLE else None
    return None if found is None else Branch(line.ply, int(found[1]), found[2])


def is_seen_from(seat: int | None, ply: int, branches: Sequence[Branch]) -> bool:
    """Whether a viewer at this seat sees line `ply` as that seat did, and not as a spectator.

    It is false if the match was played on at another seat after that line: the cards of `seat` were then drawn again,
    and the viewer mustn't learn what they were before.
    """
    return all(branch.ply <= ply or branch.seat == seat for branch in branches)


def copied(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Return the first lines of a match that is played on after these lines: those that lead to the position."""
    kept = (line for line in in_force(lines) if line.player != TABLE or branched(line) is not None)
    return tuple(line._replace(ply=ply) for ply, line in enumerate(kept))


def in_force(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Return the lines without those that were taken back, and without the events that took them back."""
    kept: list[Line] = []
    for line in lines:
        number = taken_back(line)
        if number is None:
            kept.append(line)
        else:
            kept = [each for each in kept if each.ply < number or each.player == TABLE]
    return tuple(kept)


class Beat(NamedTuple):
    """A line of a match that is over, as an animation of the match needs it.

    `public_line` is the line as a spectator saw it, and `full_line` is the line with nothing hidden. `seen` is the
    observation of a spectator right after it. `shown` is the same, with nothing hidden if the animation shows
    everything. For lines copied from another match, `full_line` and `shown` hide what a spectator couldn't see.
    `round_over`: the line ended a round. `waits`: after it, a player had to act, or the match ended.
    """

    public_line: Played[Any]
    full_line: Played[Any]
    seen: Any
    shown: Any
    round_over: bool
    waits: bool


def beats(header: Header, lines: Iterable[Line], *, everything: bool = False) -> Iterator[Beat]:
    """Yield the lines of players and chance that weren't taken back. `everything`: `Beat.shown` hides nothing."""
    kept = copied(lines)
    begun = max((number for number, line in enumerate(kept) if line.player == TABLE), default=-1)
    following = (*(line.player for line in kept[1:]), None)
    course = Course.begin(header)
    for number, (line, then) in enumerate(zip(kept, following, strict=True)):
        over = course.state.rounds_over
        course = course.after(line, trusted=True)
        if line.player == TABLE:
            continue
        state = course.state
        action, seen = state.string_to_action(line.player, line.text), state.observation(None)
        public = Played(line.player, state.seen_by(None, line.player, action))
        yield Beat(
            public,
            public if number < begun else Played(line.player, action),
            seen,
            state.open_observation() if everything and number > begun else seen,
            state.rounds_over > over,
            then != CHANCE,
        )


def replay(header: Header, lines: Iterable[Line]) -> Iterator[tuple[Line, State[Any]]]:
    """Yield every line with the position after it. Every line is checked. Raises LogError."""
    course = Course.begin(header)
    for line in lines:
        course = course.after(line)
        yield line, course.state


def position_after(text: str, ply: int | None = None) -> State[Any]:
    """Return the position after line `ply` of a log's text, by default the last one. Every line is checked.

    Raises LogError.
    """
    header, lines = parse_log(text)
    if ply is not None and not 0 <= ply < len(lines):
        raise LogError(f"The log has no line {ply}.")
    course = Course.begin(header)
    for line in lines[: None if ply is None else ply + 1]:
        course = course.after(line)
    return course.state


def to_text(header: Header, lines: Iterable[Line]) -> str:
    """Return the whole log as it is stored in a file, with a final newline."""
    return "".join(f"{row}\n" for row in (header, *lines))
