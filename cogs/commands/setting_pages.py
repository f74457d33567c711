"""The pages of ``/settings me`` and ``/settings server`` (P19).

The first page says what is set now. Its menu leads to a page for each setting, with a button for each choice. Every
press stores or reads again, checks rights again, and redraws the page; custom_ids hold the setting and the choice.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple

from cogs.commands.slash import Choices, Option
from cogs.press import components
from cogs.press.components import Style, Verb
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message, Press, answer
from matches.api import GuildSettings, NotAllowed, PlayerSettings
from render.grammar import counted

SAVED: Final = "✓ Saved."
THESE: Final = "these"
"""In the path of a press on the menu of channels. The channels that were picked follow."""

_YES: Final = "yes"

Keep = Callable[[], Awaitable[None]]
"""Stores what is given of the settings that features keep. Raises NotAllowed for what can't be chosen."""


class Choice(NamedTuple):
    """One value of a setting.

    `word` is what the slash option carries, and `value` what is stored. `label` is on the button, `says` completes the
    setting's `line`, and `does` says what follows from it, if `says` doesn't. `asks`: the question that comes first,
    for a choice that can't be undone.
    """

    word: str | bool
    label: str
    value: object
    says: str
    does: str = ""
    asks: str = ""

    @property
    def key(self) -> str:
        """What a custom_id carries."""
        return str(self.word)


class Kept(NamedTuple):
    """What is set, if a feature keeps it: the value, and where no choice has them, the end of the line and the label.

    `note` is about the change.
    """

    value: Any
    says: str = ""
    label: str = ""
    note: str = ""


class Setting(NamedTuple):
    """A setting: the entry of the menu, the slash option's description, a sentence with ``{}`` for what is set.

    `field` is where it's stored, unless a feature keeps it. Then `keep` stores the word that is given, if one is, and
    returns what is set. It raises NotAllowed for what can't be chosen.

    `reads`: the slash option takes a text, for which `complete` makes offers. With `channels` it mentions up to so many
    of them, and the page has a menu of them. A field with several values has a choice for each, and some that remove
    values.
    """

    title: str
    explained: str
    line: str
    field: str
    choices: tuple[Choice, ...]
    reads: Callable[[str], object] | None = None
    complete: Callable[[Press, str], Awaitable[Choices]] | None = None
    channels: int = 0
    keep: Callable[[Press, Any], Awaitable[Kept]] | None = None

    def option(self) -> Option:
        """The slash option."""
        if self.reads is not None:
            return Option(str, self.explained, self.complete)
        if any(isinstance(choice.word, bool) for choice in self.choices):
            return Option(bool, self.explained)
        return Option(str, self.explained, choices=[(choice.label, str(choice.word)) for choice in self.choices])

    def value(self, word: Any) -> object:
        """What is stored for a slash option."""
        if self.reads is not None:
            return self.reads(word)
        return next(choice.value for choice in self.choices if choice.word == word)


class Shown(NamedTuple):
    """What is set, after a change if there was one.

    `says` replaces what a choice says, by the setting's name, and `labels` its label in the menu. `note` is about the
    change. `kept` is what features keep, by the setting's name.
    """

    stored: PlayerSettings | GuildSettings
    says: Mapping[str, str]
    note: str = ""
    labels: Mapping[str, str] = {}
    kept: Mapping[str, Any] = {}

    def value(self, name: str, setting: Setting) -> Any:
        """What is set of this setting."""
        return self.kept[name] if setting.keep is not None else getattr(self.stored, setting.field)


class Book(NamedTuple):
    """The settings of a person or a server.

    `change` checks the presser's rights, stores what is given (slash options by name; maybe nothing), and returns what
    is set then. Before it stores, it calls the function that it is given, which stores what features keep.
    """

    verb: str
    command: str
    title: str
    settings: Mapping[str, Setting]
    change: Callable[[Press, Mapping[str, Any], Keep], Awaitable[Shown]]

    def options(self) -> dict[str, Option]:
        """The slash options."""
        return {name: setting.option() for name, setting in self.settings.items()}

    async def show(self, press: Press, **given: Any) -> None:
        """Answer the command: store what is given, and show the first page."""
        chosen = {name: value for name, value in given.items() if value is not None}
        shown = await self._changed(press, chosen)
        await answer(press, self._all(shown, saved=bool(chosen)))

    def handler(self) -> Verb:
        """The verb of the pages' buttons and menus."""
        return Verb(self._pressed, edits=True)

    async def _pressed(self, press: Press) -> None:
        """Show the page of the setting named in the path or the menu. If a choice is named, too, choose it."""
        name, *keys = (*press.ref.path, *press.values) or ("",)
        if not name:
            await answer(press, self._all(await self._changed(press, {})))
            return
        setting = self.settings.get(name)
        if setting is None:
            raise NotAllowed(f"This page is out of date. Use `/{self.command}` again.")
        if not keys:
            await answer(press, await self._one(press, name, await self._changed(press, {})))
            return
        key, *more = keys
        choice = next((choice for choice in setting.choices if choice.key == key), None)
        if choice is None and not (setting.channels and key == THESE):
            raise NotAllowed(f"This page is out of date. Use `/{self.command}` again.")
        if choice is not None and choice.asks and more != [_YES]:
            await self._changed(press, {})
            await answer(press, self._question(name, choice))
            return
        word = " ".join(f"<#{channel}>" for channel in more) if choice is None else choice.word
        await answer(press, await self._one(press, name, await self._changed(press, {name: word}), saved=True))

    async def _changed(self, press: Press, given: Mapping[str, Any]) -> Shown:
        """Store what is given, and return all that is set."""
        kept: dict[str, Kept] = {}

        async def keep() -> None:
            for name, setting in self.settings.items():
                if setting.keep is not None:
                    kept[name] = await setting.keep(press, given.get(name))

        others = {name: word for name, word in given.items() if self.settings[name].keep is None}
        shown = await self.change(press, others, keep)
        return shown._replace(
            kept={name: each.value for name, each in kept.items()},
            says={**shown.says, **{name: each.says for name, each in kept.items() if each.says}},
            labels={name: each.label for name, each in kept.items() if each.label},
            note=next((each.note for each in kept.values() if each.note), shown.note),
        )

    def _all(self, shown: Shown, *, saved: bool = False) -> Message:
        """The first page."""
        rows = [f"• {setting.line.format(self._says(name, shown))}" for name, setting in self.settings.items()]
        parts = (f"**{self.title}**", *rows, *([SAVED] if saved else []), shown.note)
        return Message("\n".join(filter(None, parts)), view=components.view(self._menu(shown)))

    async def _one(self, press: Press, name: str, shown: Shown, *, saved: bool = False) -> Message:
        """The page of a setting."""
        setting = self.settings[name]
        rows = [
            f"{'✓' if self._is_set(name, choice, shown) else '•'} **{choice.label}**: {choice.does or choice.says}"
            for choice in setting.choices
        ]
        # Which choice is set is marked; only what else follows from it needs a sentence.
        told = [setting.line.format(shown.says[name])] if name in shown.says else []
        after = [each for each in (SAVED if saved else "", shown.note) if each]
        parts = (f"**{self.title} · {setting.title}**", *told, *rows, *after)
        buttons = [
            components.button(
                Ref(self.verb, path=(name, choice.key)),
                f"✓ {choice.label}" if self._is_set(name, choice, shown) else choice.label,
                Style.success if self._is_set(name, choice, shown) else Style.secondary,
            )
            for choice in setting.choices
        ]
        return Message(
            "\n".join(parts),
            view=components.view(
                self._menu(shown, name),
                *([await self._channels(press, name, shown)] if setting.channels else []),
                *buttons,
                components.button(Ref(self.verb), "◀ All settings", row=4),
            ),
        )

    def _question(self, name: str, choice: Choice) -> Message:
        return Message(
            choice.asks,
            view=components.view(
                components.button(Ref(self.verb, path=(name, choice.key, _YES)), f"Yes: {choice.label}", Style.danger),
                components.button(Ref(self.verb, path=(name,)), "◀ Back"),
            ),
        )

    def _menu(self, shown: Shown, here: str = "") -> components.Item:
        """All settings, with what is set now."""
        titles = {name: setting.title for name, setting in self.settings.items()}
        about = {name: self._label(name, shown) for name in self.settings}
        return components.menu(Ref(self.verb), titles, "Change a setting …", (here,), about=about)

    async def _channels(self, press: Press, name: str, shown: Shown) -> components.Item:
        setting = self.settings[name]
        chosen = _several(shown.value(name, setting))
        server = await press.bot.servers.described(press.interaction.guild_id) if chosen else None
        # Discord refuses a menu that shows a deleted channel as picked.
        there = [each for each in chosen if server is not None and server.has_channel(each)]
        prompt = "Only these channels …" if setting.channels > 1 else "In this channel …"
        return components.channel_menu(Ref(self.verb, path=(name, THESE)), there, prompt, setting.channels)

    def _current(self, name: str, shown: Shown) -> Choice | None:
        choices = self.settings[name].choices
        return next((choice for choice in choices if self._is_set(name, choice, shown) and not choice.asks), None)

    def _is_set(self, name: str, choice: Choice, shown: Shown) -> bool:
        """Whether this is what is set, or part of it."""
        stored = shown.value(name, self.settings[name])
        several = isinstance(stored, tuple) and isinstance(choice.value, str)
        return not choice.asks and (choice.value in stored if several else choice.value == stored)

    def _says(self, name: str, shown: Shown) -> str:
        """What is set, to complete the setting's line."""
        if name in shown.says:
            return shown.says[name]
        current = self._current(name, shown)
        stored = shown.value(name, self.settings[name])
        return str(stored) if current is None else current.says

    def _label(self, name: str, shown: Shown) -> str:
        """What is set, for a menu, which shows no mentions."""
        current = self._current(name, shown)
        if name in shown.labels:
            return shown.labels[name]
        if current is not None:
            return current.label
        stored = shown.value(name, self.settings[name])
        return counted(len(_several(stored)), "channel") if self.settings[name].channels else str(stored)


def _several(stored: Any) -> tuple[Any, ...]:
    """What is stored as several values, one or none."""
    if stored is None:
        return ()
    return stored if isinstance(stored, tuple) else (stored,)
