"""The pages of ``/settings me`` and ``/settings server`` (P19).

The first page says what is set now. Its menu leads to a page for each setting, with a button for each choice, and to
lists of people. Every press stores or reads again, checks rights again, and redraws the page. Custom_ids hold the
setting and the choice.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from cogs.commands.slash import Choices, Option
from cogs.press import components
from cogs.press.components import Style, Verb
from cogs.press.custom_ids import Ref, id_in
from cogs.press.reply import Message, Press, answer
from matches.api import GuildSettings, NotAllowed, PlayerSettings, UserId
from render.grammar import counted

SAVED: Final = "✓ Saved."
THESE: Final = "these"
"""In the path of a press on the menu of channels. The channels that were picked follow."""

PUT, TAKE = "put", "take"
"""In the path of a press on the menus of a list of people: who gets on it, and who is taken off it."""

_YES: Final = "yes"
_BACK: Final = "◀ All settings"
_LISTED: Final = 25
"""How many people a page of a list shows. A menu has as many entries at most."""

Keep = Callable[[], Awaitable[None]]
"""Stores what is given of the settings that features keep. Raises NotAllowed for what can't be chosen."""


class Choice(NamedTuple):
    """One value of a setting.

    `word` is what its custom_id carries, and `value` what is stored. `label` is on the button, `says` completes the
    setting's `line`, and `does` says what follows from it, if `says` doesn't. `asks`: the question that comes first,
    for a choice that can't be undone.
    """

    word: str
    label: str
    value: object
    says: str
    does: str = ""
    asks: str = ""


class Kept(NamedTuple):
    """What is set, if a feature keeps it: the value, and where no choice has them, the end of the line and the label.

    `note` is about the change.
    """

    value: Any
    says: str = ""
    label: str = ""
    note: str = ""


class Setting(NamedTuple):
    """A setting: the entry of the menu, and a sentence with ``{}`` for what is set.

    `field` is where it's stored, unless a feature keeps it. Then `keep` stores the word that is given, if one is, and
    returns what is set. It raises NotAllowed for what can't be chosen.

    `reads`: what can be chosen is also typed, in a slash option that is `explained`, and for which `complete` makes
    offers. With `channels` it mentions up to so many of them, and the page has a menu of them. A field with several
    values has a choice for each, and some that remove values.
    """

    title: str
    line: str
    field: str
    choices: tuple[Choice, ...]
    explained: str = ""
    reads: Callable[[str], object] | None = None
    complete: Callable[[Press, str], Awaitable[Choices]] | None = None
    channels: int = 0
    keep: Callable[[Press, Any], Awaitable[Kept]] | None = None

    def value(self, word: str) -> object:
        """What is stored for a word that was chosen or typed."""
        if self.reads is not None:
            return self.reads(word)
        return next(choice.value for choice in self.choices if choice.word == word)


class People(NamedTuple):
    """A list of people: the entry of the menu, what it means to be on it, and the prompt of the menu of people.

    `listed` returns who is on it, and what is said of each. `put` puts somebody on it, for one of the numbers of
    `days` if there are some, and `take` takes somebody off it. Both return a sentence. All three check rights.
    """

    title: str
    explained: str
    prompt: str
    listed: Callable[[Press], Awaitable[Mapping[UserId, str]]]
    put: Callable[[Press, UserId, int], Awaitable[str]]
    take: Callable[[Press, UserId], Awaitable[str]]
    days: tuple[int, ...] = ()


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

    `change` checks the presser's rights, stores what is given (words by the setting's name; maybe nothing), and returns
    what is set then. Before it stores, it calls the function that it is given, which stores what features keep.
    """

    verb: str
    command: str
    title: str
    settings: Mapping[str, Setting]
    change: Callable[[Press, Mapping[str, Any], Keep], Awaitable[Shown]]
    people: Mapping[str, People]

    def options(self) -> dict[str, Option]:
        """The slash options: for what can be typed."""
        typed = {name: setting for name, setting in self.settings.items() if setting.reads is not None}
        return {name: Option(str, setting.explained, setting.complete) for name, setting in typed.items()}

    async def show(self, press: Press, **given: Any) -> None:
        """Answer the command: store what is given, and show the first page."""
        chosen = {name: value for name, value in given.items() if value is not None}
        try:
            shown = await self._changed(press, chosen)
        except NotAllowed:
            # Whoever may not change the settings may have a list of people.
            for name in () if chosen else self.people:
                with suppress(NotAllowed):
                    await answer(press, await self._list(press, name))
                    return
            raise
        await answer(press, self._all(shown, saved=bool(chosen)))

    def handler(self) -> Verb:
        """The verb of the pages' buttons and menus."""
        return Verb(self._pressed, edits=True)

    async def _pressed(self, press: Press) -> None:
        """Show the page of the setting named in the path or the menu. If a choice is named, too, choose it."""
        name, *keys = (*press.ref.path, *press.values) or ("",)
        if not name:
            await self.show(press)
            return
        if name in self.people:
            await answer(press, await self._list(press, name, *keys))
            return
        setting = self.settings.get(name)
        if setting is None:
            raise NotAllowed(f"This page is out of date. Use `/{self.command}` again.")
        if not keys:
            await answer(press, await self._one(press, name, await self._changed(press, {})))
            return
        key, *more = keys
        choice = next((choice for choice in setting.choices if choice.word == key), None)
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
                Ref(self.verb, path=(name, choice.word)),
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
                components.button(Ref(self.verb), _BACK, row=4),
            ),
        )

    async def _list(self, press: Press, name: str, *keys: str) -> Message:
        """The page of a list of people, after the change that was picked there, if one was."""
        people, said = self.people[name], ""
        listed = await people.listed(press)
        if keys:
            what, who, days = (*keys, "", "")[:3]
            user, number = UserId(id_in(who)), next((each for each in people.days if str(each) == days), 0)
            if what == PUT and people.days and not number:
                return self._days(name, user)
            said = await (people.take(press, user) if what == TAKE else people.put(press, user, number))
            listed = await people.listed(press)
        last = max(len(listed) - 1, 0) // _LISTED
        page = min(press.ref.page, last)
        shown = list(enumerate(listed.items(), 1))[page * _LISTED :][:_LISTED]
        rows = [f"**{number}** <@{who}>{about}" for number, (who, about) in shown] or ["Nobody is on this list."]
        taken = {str(who): f"Number {number}" for number, (who, _) in shown}
        items: list[components.Item] = []
        with suppress(NotAllowed):  # Moderators who may not change the settings see the list alone.
            items = [self._menu(await self._changed(press, {}), name), components.button(Ref(self.verb), _BACK, row=4)]
        if press.interaction.guild_id is not None:
            items.append(components.person_menu(Ref(self.verb, path=(name, PUT), page=page), people.prompt))
        if taken:
            items.append(components.menu(Ref(self.verb, path=(name, TAKE), page=page), taken, "Take somebody off …"))
        for number, label in (page - 1, "◀ Back"), (page + 1, "Next ▶"):
            if 0 <= number <= last:
                items.append(components.button(Ref(self.verb, path=(name,), page=number), label))
        parts = (f"**{self.title} · {people.title}**", people.explained, *rows, said)
        return Message("\n".join(filter(None, parts)), view=components.view(*items))

    def _days(self, name: str, user: UserId) -> Message:
        """The question for how many days somebody gets on a list."""
        people, ref = self.people[name], Ref(self.verb, path=(name, PUT, str(user)))
        offered = {str(each): counted(each, "day") for each in people.days}
        menu = components.menu(ref, offered, "For how long?")
        back = components.button(Ref(self.verb, path=(name,)), "◀ Back")
        return Message(f"**{people.title}**\n<@{user}>: for how long?", view=components.view(menu, back))

    def _question(self, name: str, choice: Choice) -> Message:
        return Message(
            choice.asks,
            view=components.view(
                components.button(Ref(self.verb, path=(name, choice.word, _YES)), f"Yes: {choice.label}", Style.danger),
                components.button(Ref(self.verb, path=(name,)), "◀ Back"),
            ),
        )

    def _menu(self, shown: Shown, here: str = "") -> components.Item:
        """All settings, with what is set now."""
        titles = {name: setting.title for name, setting in self.settings.items()}
        titles |= {name: people.title for name, people in self.people.items()}
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
