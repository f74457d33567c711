"""Stories to draw: matches of every setup as a spectator saw them, up to each big moment and to each kind of end."""

from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from games.core import Played
from render import RENDERERS, People, Renderer, Style
from render.canvas import Canvas
from render.sentences import seats, told
from render.story import End, Passed, Story
from render.style import USUAL
from tests.conformance.matches import SETUPS, Match, Setup, played
from tests.conformance.policies import random_play

RESIGNED = "{1} wins: {0} has resigned."
NOBODY = (
    "The table ended the match by a vote; nobody wins.",
    "{0} left before their first move. The match isn't rated.",
    "{0} didn't make their first move, so the match is called off. It isn't rated.",
    "{1} didn't come back, so the match has ended.",
    "A moderator ended the match; nobody wins.",
)
"""Headlines of matches that people have ended (`cogs.text.words`)."""


def course(match: Match, ply: int | None = None, *, over: bool = False) -> tuple[Passed, ...]:
    """The first `ply` lines of a match, by default all, as a spectator sees them; whole once the match is `over`."""
    lines = []
    for player, action, after in [move[1:] for move in match.moves()][:ply]:
        shown = action if over else after.seen_by(None, player, action)
        lines.append(Passed(Played(player, shown), after.observation(None)))
    return tuple(lines)


class Scene(NamedTuple):
    """A story, and its picture's kind: a round, an end, or a moment with its caption."""

    kind: str
    key: str
    story: Story
    caption: str = ""

    @property
    def renderer(self) -> Renderer[Any]:
        return RENDERERS[self.key]

    def canvas(self, people: People, style: Style = USUAL) -> Canvas:
        draw = self.renderer
        if self.kind == "moment":
            return draw.paint_moment(self.story.seen, people, (), style, self.caption)
        if self.kind == "round":
            return draw.paint_round_end(self.story, people, style)
        return draw.paint_match_end(self.story, people, style)

    def words(self, people: People) -> str:
        draw = self.renderer
        if self.kind == "moment":
            return draw.moment_text(self.story.seen, people, self.caption)
        return draw.round_words(self.story, people) if self.kind == "round" else draw.end_words(self.story, people)

    def sentence(self, people: People) -> str:
        """What the picture is about: the caption or the headline."""
        return told(self.caption or (self.story.end.headline if self.story.end else ""), people)


def scenes_of(match: Match) -> Iterator[Scene]:
    """The big moments of a match, the ends of its rounds, its end, and ends that people could have made."""
    key, players = match.info.key, match.header.players
    renderer, passed = RENDERERS[key], course(match)
    for ply in range(1, len(match.lines)):
        caption = renderer.moment(match.states[ply].observation(None), passed[ply])
        if caption is not None:
            yield Scene("moment", key, Story(passed[: ply + 1]), caption)
        # The end of the last round is told as the end of the match.
        if ply + 1 < len(match.lines) and match.states[ply + 1].rounds_over > match.states[ply].rounds_over:
            yield Scene("round", key, Story(passed[: ply + 1]))
    last = match.states[-1].observation(None)
    headline = renderer.headline(last, seats(players))
    yield Scene("end", key, Story(course(match, over=True), End(last.outcome.winners, headline)))
    rng = Random(match.name)
    first = next(ply for ply, state in enumerate(match.states) if state.current_player >= 0)
    for number, sentence in enumerate(NOBODY):
        ply = first if number == 1 else rng.randint(first, len(match.lines) - 1)
        yield Scene("end", key, Story(course(match, ply, over=True), End((), sentence, by_rules=False)))
    for ply in (first, rng.randint(first, len(match.lines) - 1), len(match.lines) - 1):
        yield Scene("end", key, Story(course(match, ply, over=True), End((1,), RESIGNED, by_rules=False)))


@lru_cache(maxsize=16)
def scenes(setup: Setup, seed: int = 1) -> list[Scene]:
    """The scenes of a random match."""
    return list(scenes_of(played(setup, random_play, seed)))


def extremes(key: str) -> list[Setup]:
    """The first and the last setup of a game: the fewest and the most players."""
    some = [setup for setup in SETUPS if setup.key == key]
    return some[:1] if len(some) == 1 else [some[0], some[-1]]
