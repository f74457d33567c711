"""Which match a command means without a number: the person's only one, here or anywhere (P6).

If there are several, the answer asks which one. Its buttons carry the command out (`cogs/press/asking_again.py`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final

import discord
from discord import app_commands

from cogs.commands.slash import ROW, Body, Choices, Command, Option, command_of, short
from cogs.press import coming_back, components, rights
from cogs.press.asking_again import AGAIN, MATCH, again, carried
from cogs.press.components import MAX_PICKED, Style, Verb
from cogs.press.custom_ids import Ref, id_in
from cogs.press.reply import Instead, Message, Press
from cogs.text import names, words
from games import GAMES
from matches.api import Match, MatchId, NotAllowed, NotFound, Status, UserId
from render.grammar import listed

NUMBER: Final = "Which match."
MAX_BUTTONS: Final = 5
"""The most matches that get a button each. More are in a menu."""

_ASKED: Final = {MATCH, "at"}
"""The options about which a command asks."""

_STATES: Final = {
    Status.LOBBY: "not started",
    Status.RUNNING: "under way",
    Status.FROZEN: "frozen",
    Status.OVER: "over",
    Status.CANCELLED: "closed",
}


def match_command(
    name: str, description: str, body: Body, options: Mapping[str, Option], *, game: str | None = None
) -> Command:
    """A command about a match in which somebody has a seat, with the option ``match`` after its others.

    `body` is called with the match found. With `game` it is about matches of this game.
    """

    async def answer(press: Press, match: int | None, **given: object) -> None:
        await body(press, await find_match(press, match, game=game), **given)

    return Command(name, description, answer, {**options, MATCH: match_option(game)})


def match_option(game: str | None = None) -> Option:
    """The option ``match``, which offers the person's matches and those of this channel, waiting ones first."""

    async def complete(press: Press, current: str) -> Choices:
        return [
            (label(match, press.person), match.id)
            for match in await near(press)
            if game in (None, match.game) and str(match.id).startswith(str(current or ""))
        ]

    return Option(int, NUMBER, complete)


async def near(press: Press) -> tuple[Match, ...]:
    """The person's open matches, those that wait for them first, and then the others of this channel."""
    found = (*await press.host.look.matches_of(press.person), *await _here(press))
    return tuple({match.id: match for match in found}.values())


async def find_match(press: Press, number: int | None, *, game: str | None = None) -> Match:
    """The match that is meant; without a number one in which the person has a seat.

    People with a seat can name their match anywhere. Everybody else can name it only in the channel or thread where it
    is played. So a number tells nobody what goes on in a channel that they can't see. Raises NotFound with a sentence,
    or Instead with a question if several matches could be meant.
    """
    host = press.host
    if number is not None:
        nowhere = NotFound(f"There's no match {number} here, and you're not in one with that number.")
        try:
            match = await host.look.match(MatchId(number))
        except NotFound as error:
            raise nowhere from error
        if not rights.is_at_hand(press, match):
            raise nowhere
        await coming_back.note(press, match)
        return match
    async for candidates in _candidates(press):
        fitting = [match for match in candidates if game is None or match.game == game]
        playing = [match for match in fitting if match.status is not Status.LOBBY] or fitting
        if len(playing) == 1:
            await coming_back.note(press, playing[0])
            return playing[0]
        if playing:
            raise _question(press, playing)
    if game:
        name = GAMES[game].info.name
        nothing = f"You're not playing {name}. Start a match with `/{game} new`."
        raise NotFound(f"{nothing} {await host.meant(press.person, game)}".rstrip())
    raise NotFound("You're not in a match. `/play` starts one.")


async def _candidates(press: Press) -> AsyncIterator[Sequence[Match]]:
    """Which matches could be meant, likelier ones first. Each query runs only when it is asked for."""
    yield [match for match in await _here(press) if match.at_table(press.person) is not None]
    yield await press.host.look.matches_of(press.person)


async def _here(press: Press) -> tuple[Match, ...]:
    """The lobbies and running matches of the channel where the command is used."""
    channel_id = press.interaction.channel_id
    return () if channel_id is None else await press.host.look.matches_in(channel_id)


def _question(press: Press, matches: Sequence[Match]) -> Instead | NotFound:
    """Ask which match is meant. What was typed may be too long for a button: then it must be typed again."""
    asked = again(press, match=max(match.id for match in matches))
    if asked is None:
        some = ", ".join(f"`match:{match.id}` ({match.info.name}, {words.link(match)})" for match in matches[:10])
        return NotFound(f"Which match? That doesn't fit on a button, so please add {some}.")
    rows = [f"• {words.title(match)}: {_among(match, press.person)} ({words.link(match)})" for match in matches]
    offered = picking(press, matches, asked)
    return Instead(Message(words.first_that_fit(["**Which match?**", *rows]), view=components.view(*offered)))


def picking(press: Press, matches: Sequence[Match], asked: Ref) -> list[components.Item]:
    """A button for each of a few matches, or a menu of many. Each carries `asked` with its match."""
    if len(matches) > MAX_BUTTONS:
        named = {str(match.id): short(label(match, press.person)) for match in matches[:MAX_PICKED]}
        return [components.menu(asked._replace(match=None), named, "Pick a match")]
    return [
        components.button(
            asked._replace(match=match.id),
            f"{match.info.name} #{match.id}",
            Style.primary if match.waits_for(press.person) else Style.secondary,
        )
        for match in matches
    ]


async def _carry_out(press: Press) -> None:
    """Carry out the command that was asked before, for the match that was picked, or with the time that was shown."""
    name, given = carried(press)
    command = command_of(press.bot.tree, name)
    options = {} if command is None else {option.name: option for option in command.parameters}
    required = {name for name, option in options.items() if option.required}
    if command is None or _ASKED.isdisjoint(options) or not required <= given.keys() <= options.keys():
        raise NotAllowed(words.OUT_OF_DATE)
    values = {name: _read(options[name], text) for name, text in given.items()}
    press.promise.settles = True
    await command.extras[ROW].answer(press, **{**dict.fromkeys(options), **values})


def _read(option: app_commands.Parameter, text: str) -> str | int:
    """Return an option's value as Discord would give it. Raises NotAllowed for one that it wouldn't."""
    if option.type is discord.AppCommandOptionType.integer:
        number = id_in(text)
        if (option.min_value or 0) <= number <= (option.max_value or number):
            return number
    elif not option.choices or text in {each.value for each in option.choices}:
        return text
    raise NotAllowed(words.OUT_OF_DATE)


def label(match: Match, user_id: UserId) -> str:
    """A match in one line, for menus."""
    return f"{match.info.name} #{match.id} · {', '.join(names.plain_people(match))} · {_state(match, user_id)}"


def _among(match: Match, user_id: UserId) -> str:
    """The state of a match and the others who play in it, for a message."""
    others = [names.in_list(seat) for seat in match.seats if seat.user_id != user_id]
    return f"{_state(match, user_id)}{f', with {listed(others)}' if others else ''}"


def _state(match: Match, user_id: UserId) -> str:
    return "your turn" if match.waits_for(user_id) else _STATES[match.status]


HANDLERS: Final[dict[str, Verb]] = {AGAIN: Verb(_carry_out, edits=True)}
