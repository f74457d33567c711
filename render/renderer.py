"""A game's renderer: an observation in, pictures and words out.

A renderer sees the observation of one viewer and nothing else, so it can't show what is hidden from them. The same
observation gives the same pixels, and on one machine the same bytes. Nothing here reads a file (fonts are loaded once),
a clock or a network.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, NamedTuple

from games.core import TERMINAL, Played
from games.log import Beat
from render import deeds, gif, leaderboard, lobby, sentences, story
from render.canvas import Canvas
from render.frame import Emblem, Mood, O
from render.grammar import MAX_ALT_TEXT, cut
from render.leaderboard import Leaderboard
from render.lobby import Lobby
from render.story import End, Passed, Story
from render.style import USUAL, Mark, People, Style

_SMALLER, _SMALLEST = Style(900), Style(600)
"""The styles of animations of long matches."""


def _nothing(*_: Any) -> None:
    return None


def _no_text(*_: Any) -> str:
    return ""


def _always(*_: Any) -> bool:
    return True


def _unchanged(first: Any, *_: Any) -> Any:
    return first


class Shot(NamedTuple):
    """A frame of an animation in any style. `stop`: it is shown for longer."""

    paint: Callable[[Style], Canvas]
    stop: bool


@dataclass(frozen=True, eq=False)
class Renderer(Generic[O]):
    """The pictures and words of one game, as functions of its modules.

    Processes that draw get a renderer by pickle, so each function has to be one that can be imported by its name.
    """

    # Pictures.

    mood: Mood
    """The colours of its pictures."""

    emblem: Emblem
    """The picture that stands for the game."""

    paint: Callable[[O, People, tuple[Mark, ...], Style], Canvas]
    """The board. `marks` are places that private pictures number, or actions since the last picture (`deeds`)."""

    # Words.

    alt_text: Callable[[O, People], str]
    """The picture in words, at most `MAX_ALT_TEXT` characters: what happened, whose turn, the position (P24)."""

    text_board: Callable[[O, People], str]
    """The position for a fixed-width font, enough to play by, at most `MAX_TEXT_BOARD` characters (P24)."""

    say: Callable[[Played[Any], O, People], str]
    """A line of the log, as the viewer may see it, as a sentence. The observation is the one after the line."""

    advise: Callable[[Any, O, People], str]
    """The viewer's own possible action as advice, without a full stop: “discard the dead end (card 6)”.

    The observation is the one before the action.
    """

    headline: Callable[[O, People], str]
    """Who has won by the rules, and by what score, as a sentence. Needs an observation with an outcome (P11)."""

    end_text: Callable[[O, People], str]
    """How the match ended, in words: standings, and what was hidden (P11)."""

    # What only some games have.

    paint_animated: Callable[[O, People, tuple[Mark, ...], Style], Canvas] | None = None
    """The board in an animation, if it differs from `paint`."""

    paint_hand: Callable[[O, People, tuple[Mark, ...], Style], Canvas | None] = _nothing
    """The viewer's secrets other than their role, with marks on cards; ``None`` if they have none."""

    paint_role: Callable[[O, People, Style], Canvas | None] = _nothing
    """The viewer's secret role; ``None`` if they have none."""

    hand_text: Callable[[O, People], str | None] = _nothing
    """What `paint_hand` shows, in words. Like the picture, it doesn't tell the role."""

    role_text: Callable[[O, People], str | None] = _nothing
    """What `paint_role` shows, in words."""

    why_again: Callable[[O, People], str] = _no_text
    """Why the player who has just moved is to move again, as a sentence for the post; "" if they aren't."""

    round_text: Callable[[O, People], str] = _no_text
    """How the round that is over went, before the next deal, and what it brought (P11); "" in games without rounds."""

    paint_round: Callable[[Story, People, Style], Canvas] | None = None
    """The picture of a round that is over, before the next deal (P11). Without it, the board is shown."""

    round_alt: Callable[[Story, People], str] | None = None
    """What `paint_round` shows, in words, at most `MAX_ALT_TEXT` characters."""

    paint_end: Callable[[Story, People, Style], Canvas] | None = None
    """The picture of a match that is over, however it ended (P11). Without it, the final board is shown."""

    end_alt: Callable[[Story, People], str] | None = None
    """What `paint_end` shows, in words, at most `MAX_ALT_TEXT` characters."""

    eventful: Callable[[O], bool] = _always
    """Whether anything has happened that `paint_end` could show. Otherwise the final board is shown."""

    moment: Callable[[O, Passed], str | None] = _nothing
    """The caption of a big moment, as a sentence of `render.story`; ``None`` for an ordinary line.

    It is given what a spectator saw before the line. Such a line has a frame of its own in the post of its turn.
    """

    foresee: Callable[[O, Any], O] = _unchanged
    """A preview: the observation as if the viewer's own action were done.

    The preview is made from the observation alone, so it reveals nothing that the action would turn up. Games without
    hidden information don't need it: there the real position after the action can be shown.
    """

    suppose: Callable[[O, Any], O] = _unchanged
    """For the rules: the observation with what the action lays, legal or not, and nothing else changed.

    The same observation if the action lays nothing, or if a mark at its place says enough.
    """

    trace: deeds.Trace[O] = _unchanged
    """Where an action is marked on the board, and what it did there. Without it, pictures mark no actions."""

    def marked(self, lines: Sequence[Passed], before: O | None = None) -> tuple[Mark, ...]:
        """The marks of these lines for the next picture; `before` is what a spectator saw before them."""
        return deeds.made(self.trace, self.say, lines, before)

    def paint_moment(
        self, observation: O, people: People, marks: tuple[Mark, ...], style: Style, caption: str
    ) -> Canvas:
        """Paint the board under the caption of a big moment (`moment`)."""
        canvas = self.paint(observation, people, marks, style)
        story.draw_banner(canvas, self.mood, caption, people, observation.current_player)
        return canvas

    def paint_frame(self, observation: O, people: People, style: Style) -> Canvas:
        """Paint the board for one frame of an animation."""
        return (self.paint_animated or self.paint)(observation, people, (), style)

    def draw(self, observation: O, people: People, marks: tuple[Mark, ...] = (), style: Style = USUAL) -> bytes:
        """Draw the board as a PNG file; see `paint`."""
        return self.paint(observation, people, marks, style).png()

    def draw_moment(self, observation: O, people: People, marks: tuple[Mark, ...], style: Style, caption: str) -> bytes:
        """Draw the board of a big moment as a PNG file; see `paint_moment`."""
        return self.paint_moment(observation, people, marks, style, caption).png()

    def draw_round(self, told: Story, people: People, style: Style = USUAL) -> bytes:
        """Draw a round that is over as a PNG file; see `paint_round_end`."""
        return self.paint_round_end(told, people, style).png(once=True)

    def draw_end(self, told: Story, people: People, style: Style = USUAL) -> bytes:
        """Draw a match that is over as a PNG file; see `paint_match_end`."""
        return self.paint_match_end(told, people, style).png(once=True)

    def paint_round_end(self, told: Story, people: People, style: Style) -> Canvas:
        """Paint a round that is over: the game's own picture, or the board."""
        return (self.paint_round or self._paint_last)(self._with_marks(told), people, style)

    def paint_match_end(self, told: Story, people: People, style: Style) -> Canvas:
        """Paint a match that is over: the game's own picture, or the board."""
        own = self.paint_end if self.eventful(told.seen) else None
        return (own or self._paint_last)(self._with_marks(told), people, style)

    def _with_marks(self, told: Story) -> Story:
        """The same with the marks of its last action, if it has none."""
        *_, before, last = (None, *told.course)
        return told if told.marks else told._replace(marks=self.marked([last], before and before.observation))

    def _paint_last(self, told: Story, people: People, style: Style) -> Canvas:
        """Paint the board where a game has no picture of its own."""
        canvas = self.paint(told.seen, people, told.marks, style)
        if told.end is not None and not told.end.by_rules:
            story.draw_banner(canvas, self.mood, told.end.headline, people, TERMINAL)
        return canvas

    def moment_text(self, observation: O, people: People, caption: str) -> str:
        """What `paint_moment` shows, in words."""
        return cut(f"{sentences.told(caption, people)} {self.alt_text(observation, people)}", MAX_ALT_TEXT)

    def round_words(self, told: Story, people: People) -> str:
        """What `draw_round` shows, in words."""
        return self.alt_text(told.seen, people) if self.round_alt is None else self.round_alt(told, people)

    def end_words(self, told: Story, people: People) -> str:
        """What `draw_end` shows, in words."""
        if self.end_alt is not None and self.eventful(told.seen):
            return self.end_alt(told, people)
        if told.end is None or told.end.by_rules:
            return self.alt_text(told.seen, people)
        return self.moment_text(told.seen, people, told.end.headline)

    def draw_hand(
        self, observation: O, people: People, style: Style = USUAL, marks: tuple[Mark, ...] = ()
    ) -> bytes | None:
        """Draw the viewer's secrets as a PNG file; see `paint_hand`."""
        canvas = self.paint_hand(observation, people, marks, style)
        return canvas.png() if canvas else None

    def draw_role(self, observation: O, people: People, style: Style = USUAL) -> bytes | None:
        """Draw the viewer's secret role as a PNG file; see `paint_role`."""
        canvas = self.paint_role(observation, people, style)
        return canvas.png() if canvas else None

    def draw_lobby(self, shown: Lobby, name: str, style: Style = USUAL) -> bytes:
        """Draw the lobby of a table for this game, which is called `name`, as a PNG file."""
        return lobby.paint(shown, name, self.mood, self.emblem, style).png()

    def draw_leaderboard(self, shown: Leaderboard, name: str, style: Style = USUAL) -> bytes:
        """Draw a page of the ratings in this game, which is called `name`, as a PNG file."""
        return leaderboard.paint(shown, name, self.mood, self.emblem, style).png()

    def shots(self, beats: Sequence[Beat], people: People, end: End | None = None) -> list[Shot]:
        """The frames of an animation: a board whenever somebody had to act, and the big moments, rounds and the end.

        `end`: how people ended the match; ``None`` if it was played to its end.
        """
        found: list[Shot] = []
        caption: str | None = None
        public = tuple(Passed(beat.public_line, beat.seen) for beat in beats)
        for number, beat in enumerate(beats):
            if number:
                caption = self.moment(beats[number - 1].seen, public[number]) or caption
            last = number + 1 == len(beats)
            if beat.round_over and not last:
                found.append(Shot(partial(self.paint_round_end, Story(public[: number + 1]), people), stop=True))
                caption = None
            elif beat.waits:
                found.append(Shot(partial(self._paint_shot, beat.shown, people, caption), stop=caption is not None))
                caption = None
        end = end or (self.ended(beats[-1].seen) if beats else None)
        if end is not None:
            whole = Story(tuple(Passed(beat.full_line, beat.seen) for beat in beats), end)
            found.append(Shot(partial(self.paint_match_end, whole, people), stop=True))
        return found

    def ended(self, observation: O) -> End | None:
        """How the rules ended a match; ``None`` if it isn't over by the rules."""
        if observation.outcome is None:
            return None
        return End(observation.outcome.winners, self.headline(observation, sentences.seats(observation.players)))

    def _paint_shot(self, observation: O, people: People, caption: str | None, style: Style) -> Canvas:
        """Paint a board of an animation, under the caption of a big moment if there is one."""
        canvas = self.paint_frame(observation, people, style)
        if caption is not None:
            story.draw_banner(canvas, self.mood, caption, people, observation.current_player)
        return canvas

    def animate(
        self,
        beats: Sequence[Beat],
        people: People,
        stopped: Callable[[], bool] = lambda: False,
        end: End | None = None,
    ) -> bytes:
        """Draw a match as a GIF file, with smaller boards if it would have too many bytes. See `shots` for `end`.

        Raises Stopped soon after `stopped` returns true.
        """
        every = self.shots(beats, people, end)
        shots = [every[number] for number in gif.chosen([shot.stop for shot in every])]
        times = gif.delays([shot.stop for shot in shots])

        def drawn(style: Style, most: int | None = None) -> bytes:
            paints = [partial(shot.paint, style) for shot in shots]
            return gif.animated(list(map(gif.Frame, paints, times)), stopped, most)

        for style in (USUAL, _SMALLER):
            try:
                return drawn(style, gif.MAX_BYTES)
            except gif.TooLarge:
                continue
        return drawn(_SMALLEST)
