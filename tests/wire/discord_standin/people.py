"""People: they read what is visible to them and press what is there. A client would let them do no more."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from .routes import ACKNOWLEDGE_WITHIN
from .rules import LABEL, LINE
from .world import DM, Channel, Interaction, Message, User

if TYPE_CHECKING:
    from .server import Discord

COMMAND, COMPONENT, AUTOCOMPLETE, FORM = 2, 3, 4, 5
BUTTON, MENU, CHANNEL_MENU = 2, 3, 8
SUBCOMMAND, STRING, INTEGER = 1, 3, 4
PATIENCE: Final = 60.0
"""Seconds that somebody waits for what follows an acknowledgement. Discord waits for 15 minutes."""

Json = dict[str, Any]


class Unanswered(AssertionError):
    """What people see as "This interaction failed" (or as an answer that stays at "thinking …")."""


class Impossible(AssertionError):
    """The test wants something that no client would let a person do."""


@dataclass(frozen=True)
class Answer:
    """The bot's answer to one interaction: the type of the callback, its message, and those that followed."""

    interaction: Interaction
    kind: int
    message: Message | None
    followups: tuple[Message, ...]
    choices: tuple[Json, ...] = ()

    @property
    def text(self) -> str:
        """Everything it says."""
        messages = [each for each in (self.message, *self.followups) if each is not None]
        return "\n".join(each.content for each in messages)


class Person:
    """One person with a client."""

    def __init__(self, discord: Discord, user: User) -> None:
        self.discord, self.user = discord, user

    @property
    def id(self) -> int:
        """The person's snowflake."""
        return self.user.id

    @property
    def dm(self) -> Channel:
        """The person's DM with the bot."""
        return self.discord.world.dm(self.user)

    def can_press(self, place: Channel) -> bool:
        """Whether they see a place of a server and can press something there."""
        guild = self.discord.world.guilds[place.guild_id or 0]
        hidden = self.id in self.discord.world.parent(place).hidden_from
        return self.id in guild.members and self.id not in guild.silenced and not hidden

    # Reading.

    def sees(self, place: Channel) -> list[Message]:
        """The messages of a place that this person sees, oldest first."""
        if place.kind == DM and place.recipient is not self.user:
            raise Impossible("That is somebody else's DM.")
        if place.guild_id is not None and self.id not in self.discord.world.guilds[place.guild_id].members:
            raise Impossible("This person is not in that server.")
        if self.id in self.discord.world.parent(place).hidden_from:
            raise Impossible("This person can't see that channel.")
        return [message for message in place.messages.values() if message.visible_to in (None, self.id)]

    def component(self, message: Message, label: str) -> Json:
        """A button by its label, or a menu by its placeholder. Raises Impossible if it can't be used."""
        for part in message.parts():
            if label in (part.get("label"), part.get("placeholder")):
                if part.get("disabled"):
                    raise Impossible(f"{label} is disabled.")
                return part
        raise Impossible(f"There is no {label!r} under {message.content!r}.")

    # Acting.

    async def press(self, message: Message, label: str, **how: Any) -> Answer:
        """Press a button."""
        part = self.component(message, label)
        return await self._component(message, {"component_type": BUTTON, "custom_id": part["custom_id"]}, **how)

    async def pick(self, message: Message, *values: str, menu: str | None = None, **how: Any) -> Answer:
        """Pick in the (only or named) menu of a message, by value."""
        menus = [part for part in message.parts() if part["type"] == MENU]
        part = menus[0] if menu is None and len(menus) == 1 else self.component(message, menu or "")
        offered = {option["value"] for option in part["options"]}
        if not set(values) <= offered or not part["min_values"] <= len(values) <= part["max_values"]:
            raise Impossible(f"{values} cannot be picked from {sorted(offered)}.")
        data = {"component_type": MENU, "custom_id": part["custom_id"], "values": list(values)}
        return await self._component(message, data, **how)

    async def pick_channels(self, message: Message, menu: str, *channels: Channel) -> Answer:
        """Pick in the named menu of channels."""
        part, world = self.component(message, menu), self.discord.world
        if part["type"] != CHANNEL_MENU or not part.get("min_values", 1) <= len(channels) <= part.get("max_values", 1):
            raise Impossible(f"{len(channels)} channels cannot be picked from {menu!r}.")
        found = {str(each.id): world.channel_json(each) | {"permissions": "0"} for each in channels}
        data = {"component_type": CHANNEL_MENU, "custom_id": part["custom_id"], "values": list(found)}
        return await self._component(message, data | {"resolved": {"channels": found}})

    async def forge(self, message: Message, custom_id: str, *values: str) -> Answer:
        """Do what only a hostile client could: press, pick or send what was never there."""
        if custom_id.startswith("f:"):
            place, form = self.discord.world.channel(message.channel_id), sent(custom_id, "".join(values))
            return await self._act(self.discord.interact(self, place, FORM, form, message))
        part: Json = {"type": MENU if values else BUTTON, "id": 2, "custom_id": custom_id}
        data: Json = {"id": 2, "component_type": part["type"], "custom_id": custom_id}
        if values:
            data["values"] = list(values)
            part |= {
                "options": [{"label": value, "value": value} for value in values],
                "min_values": 1,
                "max_values": 1,
            }
        else:
            part |= {"style": 1, "label": "Forged"}
        made = self.discord.interact(self, self.discord.world.channel(message.channel_id), COMPONENT, data, message)
        made.forged = [{"type": 1, "id": 1, "components": [part]}]
        return await self._act(made)

    async def fill_in(self, opened: Answer, text: str) -> Answer:
        """Write this into the form that a press has opened, and send it."""
        form = (opened.interaction.body or {}).get("data") or {}
        (row,) = form["components"]
        if not 1 <= len(text) <= row["component"]["max_length"]:
            raise Impossible(f"{len(text)} characters can't be written there.")
        asked, data = opened.interaction, sent(form["custom_id"], text)
        return await self._act(self.discord.interact(self, asked.channel, FORM, data, asked.message))

    async def _component(self, message: Message, data: Json, **how: Any) -> Answer:
        world = self.discord.world
        place = world.channels.get(message.channel_id)
        if place is None or message.id not in place.messages or message not in self.sees(place):
            raise Impossible("That message is not there for this person.")
        data = {"id": 1} | data
        return await self._act(self.discord.interact(self, place, COMPONENT, data, message), **how)

    async def command(self, place: Channel, name: str, *, how: Json | None = None, **options: Any) -> Answer:
        """A slash command: ``command(channel, "saboteur new", players=3)``, refused as a client refuses it."""
        self.sees(place)
        leaf, data = self._filled(place, name, options)
        missing = [
            each["name"] for each in leaf.get("options", ()) if each.get("required") and each["name"] not in options
        ]
        if missing:
            raise Impossible(f"/{name} needs {missing}.")
        return await self._act(self.discord.interact(self, place, COMMAND, data), **(how or {}))

    async def at_match(self, place: Channel, number: int, label: str, **how: Any) -> Answer:
        """Use ``/match`` for a match, and press a button of its page."""
        page = (await self.command(place, "match", match=number)).message
        if page is None:
            raise Impossible(f"There is no page of match {number}.")
        return await self.press(page, label, **how)

    async def complete(self, place: Channel, name: str, option: str, typed: str = "", **options: Any) -> Answer:
        """What autocomplete offers for an option."""
        leaf, data = self._filled(place, name, options | {option: typed}, typing=option)
        about = next(each for each in leaf["options"] if each["name"] == option)
        if not about.get("autocomplete"):
            raise Impossible(f"The option {option} offers nothing.")
        return await self._act(self.discord.interact(self, place, AUTOCOMPLETE, data))

    def _filled(self, place: Channel, name: str, options: Json, typing: str = "") -> tuple[Json, Json]:
        """The registered command and the data of an interaction with these options."""
        first, *rest = name.split(" ")
        found = next((each for each in self.discord.world.commands if each["name"] == first), None)
        if found is None or (place.kind == DM and 1 not in (found.get("contexts") or (0, 1, 2))):
            raise Impossible(f"There is no command /{first} here.")
        leaf = found
        for step in rest:
            leaf = next((each for each in leaf.get("options", ()) if each["name"] == step), {})
            if not leaf:
                raise Impossible(f"There is no command /{name}.")
        known = {each["name"]: each for each in leaf.get("options", ())}
        filled = []
        for key, value in options.items():
            if key not in known:
                raise Impossible(f"/{name} has no option {key}.")
            if key != typing:
                _fits(known[key], value)
            made = {"name": key, "type": known[key]["type"], "value": value}
            filled.append(made | ({"focused": True} if key == typing else {}))
        for step in reversed(rest):
            filled = [{"name": step, "type": SUBCOMMAND, "options": filled}]
        data = {"id": found["id"], "name": first, "type": 1, "options": filled}
        return leaf, data | ({} if place.guild_id is None else {"guild_id": str(place.guild_id)})

    async def _act(self, interaction: Interaction, *, deliveries: int = 1, wait: bool = True) -> Answer:
        """Cause the interaction and wait for the bot's answer. Discord delivers it `deliveries` times.

        Raises Unanswered if nothing comes in 3 seconds, or nothing follows a deferred answer.
        """
        guild = self.discord.world.guilds.get(interaction.channel.guild_id or 0)
        if guild is not None and self.id in guild.silenced:
            raise Impossible("Moderators have timed this person out.")
        before = None if interaction.message is None else interaction.message.edited
        for _ in range(deliveries):
            await self.discord.deliver(interaction)
        if not wait:
            return Answer(interaction, 0, None, ())
        if not await self._heard(interaction, lambda: interaction.acknowledged is not None, ACKNOWLEDGE_WITHIN):
            raise Unanswered(f"This interaction failed: {interaction.data}")
        kind, channel = interaction.acknowledged or 0, interaction.channel
        if kind == 5:
            waiting = interaction.original_id or 0
            if not await self._heard(interaction, lambda: not channel.messages[waiting].loading, PATIENCE):
                raise Unanswered(f"The bot is still thinking about {interaction.data}")
        elif kind == 6:
            await self._edited(interaction, before)
        body = interaction.body or {}
        return Answer(
            interaction,
            kind,
            channel.messages.get(interaction.original_id or 0),
            tuple(channel.messages[id] for id in interaction.followups if id in channel.messages),
            tuple((body.get("data") or {}).get("choices", ())) if kind == 8 else (),
        )

    async def answered_in_private(self, answer: Answer) -> Message:
        """What only they see of an answer: its message, or what followed it if that changed a public one."""
        if answer.message is not None and answer.message.visible_to == self.id:
            return answer.message
        said, place = answer.interaction.followups, answer.interaction.channel
        if not await self._heard(answer.interaction, lambda: bool(said), PATIENCE):
            raise Unanswered(f"Nothing followed {answer.interaction.data}")
        return place.messages[said[-1]]

    async def _edited(self, interaction: Interaction, before: str | None) -> None:
        """Wait until the pressed message changes after a silent acknowledgement, or something new is said."""
        message = interaction.message
        assert message is not None
        said = interaction.followups
        if not await self._heard(interaction, lambda: message.edited != before or bool(said), PATIENCE):
            raise Unanswered(f"Nothing followed the acknowledgement of {interaction.data}")

    async def _heard(self, interaction: Interaction, sign: Callable[[], bool], seconds: float) -> bool:
        """Whether the sign came in time."""
        discord = self.discord
        with contextlib.suppress(TimeoutError):
            await discord.until(
                lambda: sign() or (discord.impatient and not discord.gateway.connected()),
                seconds,
                place=interaction.channel,
            )
        return sign()


def sent(custom_id: str, text: str) -> Json:
    """What Discord says about a form with one line that somebody has sent."""
    line = {"type": LINE, "id": 2, "custom_id": "f", "value": text}
    return {"custom_id": custom_id, "components": [{"type": LABEL, "id": 1, "component": line}]}


def _fits(option: Json, value: Any) -> None:
    """Raises Impossible for a value that the client would not send."""
    kind = option["type"]
    if (kind == STRING and not isinstance(value, str)) or (kind == INTEGER and type(value) is not int):
        raise Impossible(f"{option['name']} does not take {value!r}.")
    choices = [each["value"] for each in option.get("choices", ())]
    if choices and value not in choices:
        raise Impossible(f"{option['name']} is one of {choices}.")
    if kind == INTEGER and not option.get("min_value", value) <= value <= option.get("max_value", value):
        raise Impossible(f"{option['name']} does not reach {value}.")
    if kind == STRING and len(value) > option.get("max_length", 6000):
        raise Impossible(f"{option['name']} is too long.")


async def together(*actions: Any) -> list[Answer | BaseException]:
    """Let several people act at the same moment."""
    return list(await asyncio.gather(*actions, return_exceptions=True))
