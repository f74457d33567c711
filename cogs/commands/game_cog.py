"""The commands that every game has, made from its `GameInfo`: ``new``, ``play``, ``hand``, ``board``, ``rules``.

The step names of a game are the options of its ``play``, with autocomplete of what is legal now for that very
person, so a game's own cog holds little more than its key.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar, Final, Literal, NamedTuple, cast

import discord
from discord import app_commands
from discord.ext import commands

from cogs.client import Client
from cogs.commands import finding
from cogs.lobby import lobby_buttons
from cogs.look import private, rule_pages
from cogs.play import panel
from cogs.play.panel_steps import common_path, is_as_shown, label, matching, meant, step_choices, words
from cogs.press.boundary import answered
from cogs.press.custom_ids import Ref
from cogs.press.reply import Interaction, Press, whisper
from games import GAMES
from games.typed import shortened, undecorated
from matches.api import Pace, Refused, View, Where

MAX_CHOICES: Final = 25
MAX_TYPED: Final = 100


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
        "Whether the result counts for ratings (default: yes).",
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
"""The terms that are chosen for every game alike; `players`, the game's own options and `invite` are made apart."""

_KINDS = inspect.Parameter
Answer = Callable[..., Awaitable[None]]


class GameCog(commands.Cog):
    """Base of every game's cog; a subclass names its game: ``class Saboteur(GameCog, game="saboteur")``."""

    game: ClassVar[str]

    def __init_subclass__(cls, *, game: str, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.game = game

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.info = GAMES[self.game].info
        self.group = app_commands.Group(name=self.game, description=_short(f"{self.info.name}: {self.info.summary}"))
        self.group.allowed_contexts = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
        for command in self._commands():
            self.group.add_command(command)

    async def cog_load(self) -> None:
        self.bot.tree.add_command(self.group)

    async def cog_unload(self) -> None:
        self.bot.tree.remove_command(self.group.name)

    def _commands(self) -> list[app_commands.Command[Any, ..., None]]:
        made = [self._new_command(), self._play_command()]
        if self.info.hands:
            made.append(self._command("hand", "Your cards and everything only you know.", self._hand, {}))
        made.append(self._command("board", "The current board, shown only to you.", self._board, {}))
        made.append(_command("rules", f"How to play {self.info.name}.", self._rules, {}))
        return made

    # /… new

    def _new_command(self) -> app_commands.Command[Any, ..., None]:
        info = self.info
        options: dict[str, tuple[Any, str]] = {}
        if info.min_players < info.max_players:
            count = app_commands.Range[int, info.min_players, info.max_players]
            options["players"] = (count, "Start automatically with this many players (otherwise the host starts).")
        for option in info.options:
            options[option.name] = (Literal[option.values], f"{option.label} (default: {option.default}).")
        options |= {name: (Literal[tuple(term.means)], term.explained) for name, term in TERMS.items()}
        options["invite"] = (str, "Who to invite: mention them.")
        return _command("new", f"Open a table for {info.name} in this channel.", self._new, options)

    async def _new(self, press: Press, **given: Any) -> None:
        options = {option.name: given[option.name] for option in self.info.options if given.get(option.name)}
        said: dict[str, Any] = {"options": options, "size": given.get("players")}
        for name, term in TERMS.items():
            if given.get(name):
                said |= term.means[given[name]]
        await lobby_buttons.open_lobby(press, self.game, said, invite=given.get("invite"))

    # /… play

    def _play_command(self) -> app_commands.Command[Any, ..., None]:
        options: dict[str, tuple[Any, str]] = {step.name: (str, step.label) for step in self.info.steps}
        options["move"] = (
            str,
            "The whole move in notation, instead of the other options.",
        )
        command = self._command(
            "play", "Make a move; leave the options empty to choose step by step.", self._play, options
        )
        for step in self.info.steps:
            command.autocomplete(step.name)(self._autocomplete_step(step.name))
        return command

    async def _play(self, press: Press, **given: Any) -> None:
        match = await finding.find_match(press, given.get("match"), game=self.game, seated=True)
        view = await panel.acting_view(press, Ref("play", match.id))
        typed = given.get("move")
        wanted = {step.name: given[step.name] for step in self.info.steps if given.get(step.name)}
        if typed:
            text = view.parse(typed[:MAX_TYPED])
            await self._played(press, view, text, as_shown=undecorated(typed) == text)
            return
        written, wanted = wanted, {step: _value(view, step, value) for step, value in wanted.items()}
        moves = matching(view, wanted)
        if not moves:
            raise Refused(_nothing_fits(view, wanted))
        if len({move.text for move in moves}) == 1 and wanted:
            as_shown = all(is_as_shown(view, step, value, written[step]) for step, value in wanted.items())
            await self._played(press, view, moves[0].text, as_shown=as_shown)
            return
        await whisper(press, await panel.page(press.host, view, common_path(moves) if wanted else (), 0))

    async def _played(self, press: Press, view: View, text: str, *, as_shown: bool) -> None:
        """Play a move that was written as the game or its menu writes it; ask about one that had to be interpreted."""
        if as_shown:
            await panel.play(press, view, text)
        else:
            await whisper(press, await panel.as_read(press.host, view, text))

    def _autocomplete_step(self, step: str) -> Any:
        async def complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
            async with answered(interaction) as press:
                return await self._offers(press, step, current)
            return []

        return complete

    async def _offers(self, press: Press, step: str, current: str) -> list[app_commands.Choice[str]]:
        """What is legal in one step for this person now, given the other options filled in so far."""
        given = vars(press.interaction.namespace)
        match = await finding.find_match(press, given.get("match") or None, game=self.game, seated=True)
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
        return [app_commands.Choice(name=_short(shown[value]), value=value) for value in fitting[:MAX_CHOICES]]

    # /… hand, board, rules

    async def _hand(self, press: Press, **given: Any) -> None:
        match = await finding.find_match(press, given.get("match"), game=self.game, seated=True)
        await private.show_hand(press, match)

    async def _board(self, press: Press, **given: Any) -> None:
        match = await finding.find_match(press, given.get("match"), game=self.game)
        await private.show_board(press, match)

    async def _rules(self, press: Press, **given: Any) -> None:
        await rule_pages.show(press, self.game, 0)

    def _command(
        self, name: str, description: str, answer: Answer, options: Mapping[str, tuple[Any, str]]
    ) -> app_commands.Command[Any, ..., None]:
        """A command with the option ``match`` after its own."""
        every = {**options, "match": (int, finding.MATCH)}
        command = _command(name, description, answer, every)

        async def complete(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
            async with answered(interaction) as press:
                return await finding.autocomplete_match(press, current, game=self.game)
            return []

        command.autocomplete("match")(cast(Any, complete))
        return command


def _value(view: View, step: str, written: str) -> str:
    """The value that somebody means who writes instead of picking, or else what they wrote. Raises Refused."""
    values = meant(view, step, written)
    if len(values) <= 1:
        return values[0] if values else written
    found = step_choices(view.moves, step)
    names = ", ".join(f"`{value}` ({words(view, found[value])})" for value in values)
    quoted = discord.utils.escape_markdown(shortened(written, 30))
    raise Refused(f"“{quoted}” could mean {names} for “{step}”. Please pick one.")


def _nothing_fits(view: View, wanted: Mapping[str, str]) -> str:
    """Why no legal move has the wanted steps: the first step that cannot be, and what it could be instead."""
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


def _command(
    name: str, description: str, answer: Answer, options: Mapping[str, tuple[Any, str]]
) -> app_commands.Command[Any, ..., None]:
    """An application command whose options are data: discord.py reads them from the callback's signature."""

    async def callback(interaction: Interaction, **given: Any) -> None:
        async with answered(interaction) as press:
            await answer(press, **given)

    parameters = [_KINDS("interaction", _KINDS.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction)]
    for option, (kind, _) in options.items():
        parameters.append(_KINDS(option, _KINDS.POSITIONAL_OR_KEYWORD, default=None, annotation=kind | None))
    cast(Any, callback).__signature__ = inspect.Signature(parameters)
    app_commands.describe(**{option: _short(explanation) for option, (_, explanation) in options.items()})(
        cast(Any, callback)
    )
    return app_commands.Command(name=name, description=_short(description), callback=cast(Any, callback))


def _short(text: str) -> str:
    """At most the 100 characters that Discord allows for a description."""
    return text if len(text) <= 100 else text[:99] + "…"
