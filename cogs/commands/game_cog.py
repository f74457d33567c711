"""The commands that every game has, made from its `GameInfo`: ``new``, ``play`` and ``rules``.

The option of ``play`` offers what is legal now for that very person, so a game's own cog holds its key alone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final, Literal, TypeAlias

from discord import app_commands
from discord.ext import commands

from cogs.commands import finding
from cogs.commands.finding import match_command
from cogs.commands.slash import MAX_CHARACTERS, MAX_CHOICES, Choices, Command, Group, Option, short
from cogs.lobby import lobby_buttons
from cogs.look import rule_pages
from cogs.play import panel
from cogs.play.panel_steps import beginnings, common_path, line, typed
from cogs.press.custom_ids import Ref
from cogs.press.reply import Press, whisper
from games import GAMES
from games.typed import undecorated
from matches.api import Match, Refused, View

MAX_TYPED: Final = 100
STARTS_WITH: Final = "With how many; it starts when they're there."


Agrees: TypeAlias = Callable[[Press, Mapping[str, Any]], Awaitable[Any]]
"""Returns what a feature keeps of a new table that is opened with these options, ``None`` for nothing."""


class GameCog(commands.Cog):
    """Base of every game's cog; a subclass names its game: ``class Saboteur(GameCog, game="saboteur")``.

    It knows no bot, so all bots of a process share it. `terms` are the options that ``/… new`` has by its features,
    and `agreed` says by their keys what follows from them.
    """

    game: ClassVar[str]

    def __init_subclass__(cls, *, game: str, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.game = game

    def __init__(self, terms: Mapping[str, Option], agreed: Mapping[str, Agrees]) -> None:
        self._more_terms, self._agreed = terms, agreed
        self.info = GAMES[self.game].info
        self.group = Group(self.game, f"{self.info.name}: {self.info.summary}", tuple(self.rows()))

    def rows(self) -> list[Command]:
        """The commands of the game; a subclass adds those that no other game has."""
        name = self.info.name
        move = Option(str, "Your move, in words or notation.", self._offers)
        return [
            Command("new", f"Open a table for {name}.", self._new, self._terms()),
            match_command("play", "Make a move.", self._play, {"move": move}, game=self.game),
            Command("rules", f"How to play {name}.", lambda press: rule_pages.show(press, self.game, 0)),
        ]

    def _terms(self) -> dict[str, Option]:
        """The options of ``/… new``. Whatever else can be agreed on is under **Change …**."""
        info = self.info
        options = {}
        if info.min_players < info.max_players:
            options["players"] = Option(app_commands.Range[int, info.min_players, info.max_players], STARTS_WITH)
        for option in info.options:
            options[option.name] = Option(Literal[option.values], f"{option.label} (default: {option.default}).")
        return {**options, **self._more_terms, "invite": Option(str, "Who to invite: mention them.")}

    async def _new(self, press: Press, **given: Any) -> None:
        options = {option.name: given[option.name] for option in self.info.options if given.get(option.name)}
        said: dict[str, Any] = {"options": options, "size": given.get("players")}
        agreed = {key: await agrees(press, given) for key, agrees in self._agreed.items()}
        shown = {key: kept for key, kept in agreed.items() if kept is not None}
        await lobby_buttons.open_lobby(press, self.game, said, invite=given.get("invite"), shown=shown)

    async def _play(self, press: Press, match: Match, move: str | None) -> None:
        """Play the move that is typed; show the panel where it's left out or leaves a choice."""
        view = await panel.acting_view(replace(press, ref=Ref(panel.PLAY, match.id), match=match))
        written, found = (move or "")[:MAX_TYPED], view.moves
        if written:
            try:
                text = view.parse(written)
            except Refused as refused:
                found = () if refused.rule is not None else typed(view, written)
                if not found:
                    raise
            else:
                await self._played(press, view, text, as_shown=undecorated(written) == text)
                return
        if len(found) == 1 and written:
            await self._played(press, view, found[0].text, as_shown=line(view, found[0]) == undecorated(written))
            return
        await whisper(press, await panel.page(press.host, view, common_path(found) if written else (), 0))

    async def _played(self, press: Press, view: View, text: str, *, as_shown: bool) -> None:
        """Play a move that was written exactly; ask about one that had to be interpreted."""
        if as_shown:
            await panel.play(press, view, text)
        else:
            await whisper(press, await panel.as_read(press.host, view, text))

    async def _offers(self, press: Press, current: str) -> Choices:
        """The moves that are legal for this person now and have the words typed so far, or what these begin with."""
        number = vars(press.interaction.namespace).get("match") or None
        match = await finding.find_match(press, number, game=self.game)
        view = await press.host.look.view(match.id, press.person)
        found = typed(view, current, notation=True)
        if len(found) > MAX_CHOICES and (begun := beginnings(view, found, MAX_CHOICES)):
            return [(short(f"{each} …"), each[:MAX_CHARACTERS]) for each in begun]
        return [(short(f"{line(view, move)} · {move.text}"), move.text) for move in found]
