"""The commands that every game has, made from its `GameInfo`: ``new``, ``play``, ``hand``, ``board``, ``rules``.

The step names of a game are the options of its ``play``, with autocomplete of what is legal now for that very
person, so a game's own cog holds little more than its key.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Final, Literal, NamedTuple, TypeAlias

import discord
from discord import app_commands
from discord.ext import commands

from cogs.commands import finding
from cogs.commands.finding import Which, match_command
from cogs.commands.slash import Body, Choices, Command, Group, Option, short
from cogs.lobby import lobby_buttons
from cogs.look import private, rule_pages
from cogs.play import panel
from cogs.play.panel_steps import common_path, is_as_shown, label, matching, meant, step_choices, words
from cogs.press.custom_ids import Ref
from cogs.press.reply import Press, whisper
from games import GAMES
from games.typed import shortened, undecorated
from matches.api import Match, Pace, Refused, View, Where

MAX_TYPED: Final = 100
STARTS_WITH: Final = "Start automatically with this many players (otherwise the host starts)."


class Term(NamedTuple):
    """An option of ``/… new``: its description, and the fields of `Terms` that each of its words stands for."""

    explained: str
    means: Mapping[str, Mapping[str, Any]]


TERMS: Final = {
    "pace": Term(
        "Time per turn (default: the server's setting).",
        {pace.value: {"pace": pace} for pace in Pace},
    ),
    "where": Term(
        "In this channel or in a thread of its own (default: the server's setting).",
        {where.value: {"where": where} for where in Where},
    ),
    "undo": Term(
        "Whether moves can be taken back if everybody agrees (default: yes).",
        {"yes": {"moves_stand": False}, "no": {"moves_stand": True}},
    ),
    "rated": Term(
        "Whether the result counts for ratings (default: yes, but not in your first match of the game).",
        {"yes": {"rated": True}, "no": {"rated": False}},
    ),
    "start": Term(
        "Start when full, or when you say so (default: full, or host if your list isn't empty).",
        {"full": {"host_starts": False}, "host": {"host_starts": True}},
    ),
    "reliable": Term(
        "Only for people who are known to finish their matches (default: no).",
        {
            "yes": {"reliable": True},
            "newcomers too": {"reliable": True, "newcomers": True},
            "no": {"reliable": False},
        },
    ),
}
"""The terms that every game has; `players`, the game's own options, those of features and `invite` are added."""

Agrees: TypeAlias = Callable[[Press, Mapping[str, Any]], Awaitable[Any]]
"""Returns what a feature keeps of a new table that is opened with these options, ``None`` for nothing."""

OfGame: TypeAlias = Callable[["GameCog"], tuple[Command, ...]]
"""Makes a feature's commands for a game."""


class GameCog(commands.Cog):
    """Base of every game's cog; a subclass names its game: ``class Saboteur(GameCog, game="saboteur")``.

    It knows no bot, so all bots of a process share it. `terms` are the options that ``/… new`` has by its features,
    and `agreed` says by their keys what follows from them. `of_game` make their commands for the game.
    """

    game: ClassVar[str]

    def __init_subclass__(cls, *, game: str, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.game = game

    def __init__(self, terms: Mapping[str, Option], agreed: Mapping[str, Agrees], of_game: Iterable[OfGame]) -> None:
        self._more_terms, self._agreed, self._of_game = terms, agreed, of_game
        self.info = GAMES[self.game].info
        self.group = Group(self.game, f"{self.info.name}: {self.info.summary}", tuple(self.rows()))

    def rows(self) -> list[Command]:
        """The commands of the game; a subclass adds those that no other game has."""
        name = self.info.name
        hand = self.about_match("hand", "Your cards and everything only you know.", private.show_hand, Which.SEATED)
        return [
            Command("new", f"Open a table for {name} in this channel.", self._new, self._terms()),
            self.about_match(
                "play",
                "Make a move; leave the options empty to choose step by step.",
                self._play,
                Which.SEATED,
                before=self._steps(),
            ),
            *([hand] if self.info.hands else []),
            *(row for of_game in self._of_game for row in of_game(self)),
            self.about_match("board", "The current board, shown only to you.", private.show_board),
            Command("rules", f"How to play {name}.", lambda press: rule_pages.show(press, self.game, 0)),
        ]

    def _terms(self) -> dict[str, Option]:
        """The options of ``/… new``."""
        info = self.info
        options = {}
        if info.min_players < info.max_players:
            count = app_commands.Range[int, info.min_players, info.max_players]
            options["players"] = Option(count, STARTS_WITH)
        for option in info.options:
            options[option.name] = Option(Literal[option.values], f"{option.label} (default: {option.default}).")
        options |= {name: Option(Literal[tuple(term.means)], term.explained) for name, term in TERMS.items()}
        return {**options, **self._more_terms, "invite": Option(str, "Who to invite: mention them.")}

    def _steps(self) -> dict[str, Option]:
        """The options of ``/… play``."""
        steps = {step.name: Option(str, step.label, partial(self._offers, step=step.name)) for step in self.info.steps}
        return {**steps, "move": Option(str, "The whole move in notation, instead of the other options.")}

    async def _new(self, press: Press, **given: Any) -> None:
        options = {option.name: given[option.name] for option in self.info.options if given.get(option.name)}
        said: dict[str, Any] = {"options": options, "size": given.get("players")}
        for name, term in TERMS.items():
            if given.get(name):
                said |= term.means[given[name]]
        agreed = {key: await agrees(press, given) for key, agrees in self._agreed.items()}
        shown = {key: kept for key, kept in agreed.items() if kept is not None}
        await lobby_buttons.open_lobby(press, self.game, said, invite=given.get("invite"), shown=shown)

    async def _play(self, press: Press, match: Match, move: str | None, **steps: str | None) -> None:
        view = await panel.acting_view(replace(press, ref=Ref(panel.PLAY, match.id), match=match))
        if move:
            text = view.parse(move[:MAX_TYPED])
            await self._played(press, view, text, as_shown=undecorated(move) == text)
            return
        written = {step: value for step, value in steps.items() if value}
        wanted = {step: _value(view, step, value) for step, value in written.items()}
        moves = matching(view, wanted)
        if not moves:
            raise Refused(_nothing_fits(view, wanted))
        if len({move.text for move in moves}) == 1 and wanted:
            as_shown = all(is_as_shown(view, step, value, written[step]) for step, value in wanted.items())
            await self._played(press, view, moves[0].text, as_shown=as_shown)
            return
        await whisper(press, await panel.page(press.host, view, common_path(moves) if wanted else (), 0))

    async def _played(self, press: Press, view: View, text: str, *, as_shown: bool) -> None:
        """Play a move that was written exactly; ask about one that had to be interpreted."""
        if as_shown:
            await panel.play(press, view, text)
        else:
            await whisper(press, await panel.as_read(press.host, view, text))

    async def _offers(self, press: Press, current: str, step: str) -> Choices:
        """The choices of one step that are legal for this person now, given the other options filled in so far."""
        given = vars(press.interaction.namespace)
        match = await finding.find_match(press, given.get("match") or None, Which.SEATED, game=self.game)
        view = await press.host.look.view(match.id, press.person)
        filled = {
            other.name: str(given[other.name])
            for other in self.info.steps
            if other.name != step and given.get(other.name)
        }
        for name, written in filled.items():
            values = meant(view, name, written)
            filled[name] = values[0] if len(values) == 1 else written
        shown = {value: label(view, choice) for value, choice in step_choices(matching(view, filled), step).items()}
        typed = current.casefold()
        fitting = [value for value, words in shown.items() if typed in value.casefold() or typed in words.casefold()]
        fitting.sort(key=lambda value: current not in value and current not in shown[value])
        return [(short(shown[value]), value) for value in fitting]

    def about_match(self, name: str, description: str, body: Body, which: Which = Which.ANY, **more: Any) -> Command:
        """A command about a match of this game, as `match_command` makes it."""
        return match_command(name, description, body, which, game=self.game, **more)


def _value(view: View, step: str, written: str) -> str:
    """The value that a written text means, or else the text itself. Raises Refused if it could mean several."""
    values = meant(view, step, written)
    if len(values) <= 1:
        return values[0] if values else written
    found = step_choices(view.moves, step)
    names = ", ".join(f"`{value}` ({words(view, found[value])})" for value in values)
    quoted = discord.utils.escape_markdown(shortened(written, 30))
    raise Refused(f"“{quoted}” could mean {names} for “{step}”. Please pick one.")


def _nothing_fits(view: View, wanted: Mapping[str, str]) -> str:
    """Why no legal move has the wanted steps: the first impossible one, and what is possible instead."""
    so_far: dict[str, str] = {}
    for step, value in wanted.items():
        found = step_choices(matching(view, so_far), step)
        if value not in found:
            offers = ", ".join(words(view, choice) for choice in list(found.values())[:8])
            return f"“{discord.utils.escape_markdown(shortened(value, 30))}” isn't possible for “{step}” right now." + (
                f" You could choose: {offers}." if offers else ""
            )
        so_far[step] = value
    return "These choices don't add up to a legal move."
