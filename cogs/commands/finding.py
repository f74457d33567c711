"""Which match somebody means who gives no number: the channel's or the person's only one (P6)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Final

from discord import app_commands

from cogs.press import rights
from cogs.press.boundary import answered
from cogs.press.reply import Interaction, Press
from cogs.text import names, words
from games import GAMES
from matches.api import Match, MatchId, NotFound, Status, UserId

MAX_CHOICES: Final = 25
MATCH: Final = "Match number; leave it out if there is only one."


async def find_match(
    press: Press,
    number: int | None,
    *,
    game: str | None = None,
    seated: bool = False,
    recent: bool = False,
) -> Match:
    """The match that is meant; `recent` also looks among those that are over.

    A match can be asked for by who sits in it, anywhere, and by anybody in the channel or thread where it is played,
    so that a number tells nobody what goes on in a channel that they cannot see. Raises NotFound with a sentence; where
    several could be meant it names them.
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
    async for candidates in _candidates(press, seated=seated, recent=recent):
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


async def _candidates(press: Press, *, seated: bool, recent: bool) -> AsyncIterator[Sequence[Match]]:
    """Which matches could be meant, those first that are likelier; nothing is looked up before it is asked for."""
    host, user = press.host, press.person
    here = await host.look.matches_in(press.interaction.channel_id) if press.interaction.channel_id is not None else ()
    yield [match for match in here if match.seat_of(user) is not None]
    if not seated:
        yield here
    yield await host.look.matches_of(user)
    if recent and not seated:
        yield await host.archive.recent(user, 1)


async def autocomplete_match(press: Press, current: str, *, game: str | None = None) -> list[app_commands.Choice[int]]:
    """The person's matches and those of this channel, waiting ones first, for the option ``match``."""
    host = press.host
    here = await host.look.matches_in(press.interaction.channel_id) if press.interaction.channel_id is not None else ()
    mine = await host.look.matches_of(press.person)
    found = {match.id: match for match in (*mine, *here) if game is None or match.game == game}
    typed = str(current or "")
    return [
        app_commands.Choice(name=label(match, press.person)[:100], value=match.id)
        for match in found.values()
        if str(match.id).startswith(typed)
    ][:MAX_CHOICES]


async def complete_match(interaction: Interaction, current: str) -> list[app_commands.Choice[int]]:
    """`autocomplete_match` as the callback of an option that is for every game."""
    async with answered(interaction) as press:
        return await autocomplete_match(press, current)
    return []


def label(match: Match, user_id: UserId) -> str:
    """A match in one line, for menus."""
    state = "your turn" if match.waits_for(user_id) else str(match.status)
    return f"{match.info.name} #{match.id} · {', '.join(names.plain_people(match))} · {state}"
