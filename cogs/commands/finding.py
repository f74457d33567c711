"""Which match a command means without a number: the channel's or the person's only one (P6)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from enum import Enum, auto
from typing import Final

from cogs.commands.slash import Body, Choices, Command, Option
from cogs.press import rights
from cogs.press.reply import Press
from cogs.text import names, words
from games import GAMES
from matches.api import Match, MatchId, NotFound, Status, UserId

MATCH: Final = "Match number; leave it out if there is only one."


class Which(Enum):
    """Which matches a command can mean without a number."""

    ANY = auto()
    """The person's, and those of the channel."""
    SEATED = auto()
    """Those in which the person has a seat."""
    RECENT = auto()
    """Like `ANY`; if there is none, the person's last match that is over."""


def match_command(
    name: str,
    description: str,
    body: Body,
    which: Which = Which.ANY,
    *,
    before: Mapping[str, Option] | None = None,
    after: Mapping[str, Option] | None = None,
    game: str | None = None,
) -> Command:
    """A command about a match, with the option ``match`` between its others; `body` is called with the match found.

    With `game` it is about matches of this game.
    """

    async def answer(press: Press, match: int | None, **given: object) -> None:
        await body(press, await find_match(press, match, which, game=game), **given)

    return Command(name, description, answer, {**(before or {}), "match": match_option(game), **(after or {})})


def match_option(game: str | None = None) -> Option:
    """The option ``match``, which offers the person's matches and those of this channel, waiting ones first."""

    async def complete(press: Press, current: str) -> Choices:
        matches = {match.id: match for match in (*await press.host.look.matches_of(press.person), *await _here(press))}
        return [
            (label(match, press.person), match.id)
            for match in matches.values()
            if game in (None, match.game) and str(match.id).startswith(str(current or ""))
        ]

    return Option(int, MATCH, complete)


async def find_match(press: Press, number: int | None, which: Which = Which.ANY, *, game: str | None = None) -> Match:
    """The match that is meant.

    People with a seat can name their match anywhere. Everybody else can in the channel or thread where it is played,
    so that a number tells nobody what goes on in a channel that they can't see. Raises NotFound with a sentence; if
    several matches could be meant, it names them.
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
        return match
    async for candidates in _candidates(press, which):
        fitting = [match for match in candidates if game is None or match.game == game]
        playing = [match for match in fitting if match.status is not Status.LOBBY] or fitting
        if len(playing) == 1:
            return playing[0]
        if playing:
            names = ", ".join(f"`match:{match.id}` ({match.info.name}, {words.link(match)})" for match in playing[:10])
            raise NotFound(f"That could be several matches. Please add {names}.")
    if game:
        name = GAMES[game].info.name
        nothing = f"You're not playing {name}, and nobody is playing it here. Start a match with `/{game} new`."
        if (await host.lessons.standing(press.person, game)).is_under_way:
            nothing += f" For your lesson, use `/learn game:{game}`."
        raise NotFound(nothing)
    raise NotFound("You're not in a match, and none is being played here. `/help` explains how to start one.")


async def _candidates(press: Press, which: Which) -> AsyncIterator[Sequence[Match]]:
    """Which matches could be meant, likelier ones first. Each query runs only when it is asked for."""
    here = await _here(press)
    yield [match for match in here if match.seat_of(press.person) is not None]
    if which is not Which.SEATED:
        yield here
    yield await press.host.look.matches_of(press.person)
    if which is Which.RECENT:
        yield await press.host.archive.recent(press.person, 1)


async def _here(press: Press) -> tuple[Match, ...]:
    """The lobbies and running matches of the channel where the command is used."""
    channel_id = press.interaction.channel_id
    return () if channel_id is None else await press.host.look.matches_in(channel_id)


def label(match: Match, user_id: UserId) -> str:
    """A match in one line, for menus."""
    state = "your turn" if match.waits_for(user_id) else str(match.status)
    return f"{match.info.name} #{match.id} · {', '.join(names.plain_people(match))} · {state}"
