"""Opening a table and everything that can be pressed on its lobby message (P1, P2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

import discord

from cogs.lobby import lobby_picture, lobby_post
from cogs.post import dms
from cogs.press import components, places, rights
from cogs.press.components import Item, Verb, choice, of_match
from cogs.press.custom_ids import ANYWAY, LISTED, Ref, expect, id_in, is_id
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.places import Place
from cogs.press.reply import Message, Press, acknowledge, announce, answer, turn_into, whisper
from cogs.process import faults
from cogs.process.faults import has_code, is_transient
from cogs.process.looks import is_gone
from cogs.text import names, words
from matches.api import Dm, Match, NewMatch, NotAllowed, NotFound, Private, Status, Terms, UserId, Where
from matches.computers.levels import Level
from matches.computers.thinking import levels_of
from matches.features import start_of
from matches.table.lobby import ENOUGH
from render.grammar import counted

_MENTION = re.compile(r"<@!?([0-9]{15,20})>")
MAX_INVITED: Final = 20

LEVELS: Final = {
    Level.EASY: "Easy: makes beginner's mistakes",
    Level.NORMAL: "Normal: plays well",
    Level.HARD: "Hard: gives little away",
    Level.EXPERT: "Expert: as strong as I can play",
}

FILL: Final = "fill"

FOR_MODERATORS: Final = "`/settings server` says where matches can be played, in the channel or in threads."

SEATED_BEFORE: Final = "You already have a seat at this table."
DMS_ARE_CLOSED: Final = "Your DMs are closed to me. No problem: press **My hand** under the board to see your cards."
TOO_FEW_LEFT: Final = "Somebody can't play at this table right now, so their seat is free again. Wait for more players."
ASKING: Final = (
    "Somebody has pressed nothing here for an hour, so I'm asking whether they're here. It starts after that."
)
IN_LINE: Final = (
    "All seats are taken, so you're number {place} in line. Whoever is next gets any seat that becomes free. Shortly "
    "before the start I'll ask everybody who's ready."
)
BY_BUTTON: Final = "You're in! Press **My hand** under the board to see your cards."


async def open_lobby(
    press: Press,
    game: str,
    said: Mapping[str, Any],
    *,
    invite: str | None = None,
    shown: Mapping[str, Any] = MappingProxyType({}),
    computers: tuple[str, ...] = (),
) -> None:
    """``/<game> new``: post the lobby in this channel, after a look at what the bot may do here (P29).

    `said` are the fields of `Terms` that the host has chosen. The server's settings decide pace and place otherwise
    (P19). A person's first match of a game isn't rated unless they choose that. `invite` is a text that mentions
    people. `shown` is what features keep of the table, by their keys. `computers` are the levels of those who sit there
    from the beginning.
    """
    here = await places.playable(press)
    if "rated" not in said and not await press.host.archive.has_played(press.person, game):
        said = {**said, "rated": False}
    terms, notes = await placed(press, here, said)
    mentioned = filter(is_id, _MENTION.findall(invite or ""))
    invited = tuple(dict.fromkeys(UserId(int(user)) for user in mentioned))[:MAX_INVITED]
    if invite and not invited:
        raise NotAllowed("I couldn't tell who to invite: mention them, like @name.")
    request = NewMatch(
        game=game,
        channel_id=here.channel_id,
        terms=replace(terms, invited=invited),
        guild_id=here.guild_id,
        in_thread=here.in_thread,
        computers=computers,
        interaction_id=press.id,
        shown=shown,
    )
    match = await press.host.lobby.open(request, names.person(press.interaction.user))
    await post_lobby(press, match, notes=notes)
    for face in press.bot.faces:
        await face.opened(press, match)


async def placed(press: Press, here: Place, said: Mapping[str, Any]) -> tuple[Terms, tuple[str, ...]]:
    """Return the terms of a table in this place, and a sentence for each permission that the bot misses there."""
    terms = Terms(**{"pace": here.settings.pace, "where": here.settings.where, **said})
    if await press.host.look.is_taken(here.channel_id):
        terms = replace(terms, where=Where.THREAD)
    wants_thread = terms.where is Where.THREAD and not here.in_thread
    if here.in_thread or (wants_thread and not places.may_thread(press)):
        terms = replace(terms, where=Where.CHANNEL)
    return terms, places.restrictions(press, wants_thread=wants_thread)


async def post_lobby(press: Press, match: Match, *, notes: tuple[str, ...] = ()) -> None:
    """Answer with the lobby message, which everybody sees. It pings invited people who want that."""
    message = await lobby_post.message(press.bot, match)
    await lobby_picture.add_where_allowed(press, message, match)
    details = await press.host.look.details(match.id)
    rung = await press.host.settings.rung_by(press.person, details.invited, match.guild_id)
    message.mentions = discord.AllowedMentions(users=[discord.Object(user) for user in rung])
    try:
        message_id = await announce(press, message, f"{words.title(match)} is open.")
    except faults.FAILURES as error:
        if is_transient(error) or has_code(error, *faults.UNHEARD):
            raise
        # Nobody could join a table that nobody sees.
        await press.host.votes.cancel(match.id, press.person)
        raise NotAllowed(f"I couldn't open the table here: {faults.why(error)}.") from error
    if message_id is not None:
        await press.host.outbox.set_lobby_message(match.id, message_id)
        lobby_picture.remember(press.bot, message, match)
    if details.first_here and press.interaction.permissions.manage_guild:
        notes = (*notes, FOR_MODERATORS)
    if notes:
        await whisper(press, Message("\n".join(notes)))
    if (where := await _where_cards_come(press, match)) is not None:
        await whisper(press, Message(where))


async def join(press: Press, match: Match) -> None:
    """**Join**; the match starts by itself when its wanted number of players is reached."""
    anyway = ANYWAY in press.ref.path
    elsewhere = anyway or LISTED in press.ref.path
    person = names.person(press.interaction.user)
    after = await press.host.lobby.join(press.once(match.id), person, shown=not elsewhere, anyway=anyway)
    if elsewhere:
        where = "table" if after.seat_of(press.person) is not None else "line"
        await answer(press, Message(f"You've joined the {where}: {words.title(after)} ({words.link(after)})."))
    else:
        await _show(press, after)
    pressed = (await press.host.look.details(after.id)).pressed
    await _welcome(press, after, "" if f"join-{press.id}" in pressed else SEATED_BEFORE)


def to_join(match: Match) -> Item:
    """The button that joins a table whose lobby message isn't at hand."""
    ref, label = Ref("join", match.id, None, (LISTED,)), f"Join {match.info.name} #{match.id}"
    return components.button(ref, label, components.Style.primary)


async def not_now(press: Press) -> None:
    """**Not now**: the person doesn't join."""
    await answer(press, Message("You haven't joined. Nobody was told."))


async def leave(press: Press, match: Match) -> None:
    """**Leave**; a host who leaves hands the table on."""
    await press.host.lobby.leave(press.once(match.id), press.person)
    await answer(press, Message(f"{words.title(match)}: you've left the table."))


async def change(press: Press, match: Match) -> None:
    """**Change …**: show the host what they can change at the table."""
    _check_host(press, match)
    await answer(press, await _changed(press, match))


def _check_host(press: Press, match: Match) -> None:
    if match.status is Status.LOBBY and match.host_id != press.person:
        raise NotAllowed("Only the host can change this table.")


async def _changed(press: Press, match: Match) -> Message:
    """The answer to a change. The porter edits the lobby message."""
    return await lobby_post.changing(press.bot, match) if match.status is Status.LOBBY else Message("Done.")


async def switch(press: Press, match: Match) -> None:
    """What the host changes with one press.

    **Host only watches**: they give up their seat and watch computers play. **Start when full**, or **Wait for host**:
    how the match will start.
    """
    lobby = press.host.lobby
    change = {"watch": lobby.watch, "starts": lobby.switch_start}[press.ref.verb]
    await answer(press, await _changed(press, await change(press.once(match.id), press.person)))


async def agree(press: Press, match: Match) -> None:
    """The host changes what those agree to who join: whether it's rated, time per turn, …"""
    about, word = (*press.ref.path, *press.values, "", "")[:2]
    term = lobby_post.terms(match).get(about, {}).get(word)
    if term is None:
        raise NotAllowed(words.OUT_OF_DATE)
    after = await press.host.lobby.agree(press.once(match.id), press.person, **term.means)
    await answer(press, await _changed(press, after))


async def ask_level(press: Press, match: Match) -> None:
    """**Add computer** or **Add missing computers**: the host picks how strong."""
    if match.host_id != press.person:
        raise NotAllowed("Only the host can add a computer.")
    fills = press.ref.verb == FILL
    if fills and not match.missing:
        raise NotAllowed(ENOUGH)
    players = match.players_with(match.missing if fills else 1)
    levels = {level.value: LEVELS[level] for level in levels_of(match.game, match.options, players)}
    what = "add a computer."
    if fills:
        what = f"{counted(match.missing, 'computer')} will join, so that {players} play."
    picked = Ref("filllevel" if fills else "level", match.id)
    await answer(press, choice(f"{words.title(match)}: {what}", picked, levels, "How strong?"))


async def add_computer(press: Press, match: Match) -> None:
    """A computer player of the picked level sits down."""
    after = await press.host.lobby.add_computer(press.once(match.id), press.person, _level(press))
    added = max((seat for seat in after.seats if seat.user_id is None), key=lambda seat: seat.position)
    await answer(press, Message(f"{names.of(added)} joins the table."))


async def fill(press: Press, match: Match) -> None:
    """A level was picked after **Add missing computers**: as many computers as are missing sit down."""
    after = await press.host.lobby.fill(press.once(match.id), press.person, _level(press))
    # A full table starts, and then its seats stand in the order in which they were drawn.
    known = {seat.position for seat in match.seats}
    new = [names.of(seat) for seat in after.seats if seat.position not in known]
    sentence = f"{' and '.join(new)} {'joins' if len(new) == 1 else 'join'} the table."
    await answer(press, Message(sentence if len(new) < 3 else f"{len(new)} computers join the table."))


def _level(press: Press) -> Level:
    """The level that was picked. Raises NotAllowed for what the menu doesn't offer."""
    expect(press.picked in set(Level))
    return Level(press.picked)


async def switch_place(press: Press, match: Match) -> None:
    """**In a thread**, or **In the channel**: the host changes where the match will be played."""
    if match.where is Where.CHANNEL:
        places.refuse_threads(press)
    elif await press.host.look.is_taken(match.channel_id):
        raise NotAllowed("Another match is being played in this channel, so this one gets a thread.")
    await answer(press, await _changed(press, await press.host.lobby.switch_place(press.once(match.id), press.person)))


async def start(press: Press, match: Match) -> None:
    """**Start**: seats and cards are dealt, and the table is told; or first somebody is asked whether they're here."""
    match = await _with_host(press, match)
    after = await press.host.lobby.start(press.once(match.id), press.person)
    await _show(press, after)
    if after.status is Status.LOBBY:
        await whisper(press, Message(ASKING if after.asking else TOO_FEW_LEFT))


async def be_ready(press: Press, match: Match) -> None:
    """**I'm ready**, or **I'm here**."""
    after = await press.host.lobby.ready(press.once(match.id), press.person)
    if after.at_table(press.person) is None:
        await answer(press, Message(words.OUT_OF_DATE))
        return
    if (start := start_of(after)) is not None:
        seat = " You get a seat if one is free then." if after.seat_of(press.person) is None else ""
        starts = f"It starts {discord.utils.format_dt(start.at, 'R')}.{seat}"
    else:
        starts = "It starts once the others have answered." if after.status is Status.LOBBY else "It has started."
    await answer(press, Message(f"{words.title(after)} ({words.link(after)}): great! {starts}"))


async def _with_host(press: Press, match: Match) -> Match:
    """Return the table. If its host isn't on the server any more, somebody seated who presses has become host."""
    if await _lacks_host(press, match):
        return await press.host.lobby.hand_on(match.id, press.person, match.host_id)
    return match


async def _lacks_host(press: Press, match: Match) -> bool:
    """Whether somebody seated presses at a table whose host isn't on the server any more."""
    guild_id, seated = match.guild_id, match.at_table(press.person) is not None
    if guild_id is None or not seated or press.person == match.host_id or match.status is not Status.LOBBY:
        return False
    return await is_gone(press.bot, guild_id, match.host_id)


async def close(press: Press, match: Match) -> None:
    """**Cancel**, by the host or a moderator."""
    match = await _with_host(press, match)
    if match.status not in (Status.LOBBY, Status.CANCELLED):
        raise NotAllowed("This match has already started: **End …** under `/match` ends it.")
    moderator = await rights.is_moderator(press, match)
    after = await press.host.votes.cancel(press.once(match.id), press.person, moderator=moderator)
    await answer(press, Message(f"{words.title(after)}: {words.cancelled(after, press.host.now())}"))


async def more(press: Press, match: Match) -> list[Item]:
    """Return what is behind **⋯** for this person."""
    closes = match.host_id == press.person or await rights.is_moderator(press, match) or await _lacks_host(press, match)
    return await lobby_post.more(press.bot, match, press.person, closes=closes)


async def choose_whom_to_remove(press: Press, match: Match) -> None:
    """**Remove …**: the host picks who loses their seat."""
    _check_host(press, match)
    others = [seat for seat in match.everybody if seat.user_id != match.host_id]
    if not others:
        raise NotAllowed("You're the only one here.")
    people = {str(seat.user_id or "computer"): names.called(seat) for seat in others}
    text = f"{words.title(match)}: who should be removed?"
    await answer(press, choice(text, Ref("remove", match.id), people, "Who should leave?"))


async def remove(press: Press, match: Match) -> None:
    """The picked person or computer loses their seat."""
    lobby = press.host.lobby
    if press.picked == "computer":
        await lobby.remove_computer(press.once(match.id), press.person)
    else:
        await lobby.remove(press.once(match.id), press.person, UserId(id_in(press.picked)))
    await answer(press, Message("Done."))


async def rematch(press: Press, match: Match, shown: Mapping[str, Any] = MappingProxyType({})) -> None:
    """**Rematch**: open a new lobby, or join the one that somebody else's **Rematch** has opened.

    `shown`: what features keep of a table for another time. Nobody joins that without a look at its time.
    """
    here = await places.playable(press)
    if here.guild_id != match.guild_id:
        raise NotFound("This match belongs to another server.")
    # A second press before the new lobby is posted would post it again.
    with one_at_a_time(press, Long.REMATCH):
        person, channel_id = names.person(press.interaction.user), here.channel_id
        new = await press.host.lobby.rematch(
            press.once(match.id), person, channel_id, in_thread=here.in_thread, shown=shown
        )
        if new.lobby_message_id is None and new.host_id == press.person:
            await post_lobby(press, new)
        elif (start := start_of(new)) is not None:
            join = [] if new.at_table(press.person) else [to_join(new)]
            text = f"There's a table for that already: {words.title(new)}, which starts {words.moment(start.at)}."
            await whisper(press, Message(text, view=components.view(*join)))
        else:
            await _welcome(press, new, f"You've joined the new table: {words.title(new)}.")


async def _show(press: Press, match: Match) -> None:
    """Edit the pressed message to show the lobby now. If the lobby is over or owes a thread, leave that to the porter.

    Two writers might edit it in the wrong order, and the link to a new thread would be lost.
    """
    if match.lobby_message_id is None and press.interaction.message is not None:
        # The bot died after it had posted the lobby and before it had stored the message's id.
        await press.host.outbox.set_lobby_message(match.id, press.interaction.message.id)
    elif match.status is not Status.LOBBY or match.owes_thread:
        await acknowledge(press)
        return
    message = await lobby_post.message(press.bot, match)
    await lobby_picture.add_to_pressed(press, message, match)
    await turn_into(press, message, public=True)
    lobby_picture.remember(press.bot, message, match)


async def _welcome(press: Press, match: Match, seated: str) -> None:
    """Tell somebody who has just joined where their cards come, or their place in line."""
    waiting = [seat.user_id for seat in match.line]
    if press.person in waiting:
        await whisper(press, Message(IN_LINE.format(place=1 + waiting.index(press.person))))
    if match.seat_of(press.person) is None:
        return
    if told := await _where_cards_come(press, match) or seated:
        await whisper(press, Message(told))


async def _where_cards_come(press: Press, match: Match) -> str | None:
    """Send a DM to somebody who has just sat down, or return the sentence about **My hand** (P2, P32).

    They have just pressed a button, so Discord lets the bot write to them now. If that press started the match, the
    deal itself is the DM.
    """
    own = match.seat_of(press.person)
    if own is None or not match.info.hands or own.settings.private is Private.BUTTON:
        return None
    dm = own.dm
    if match.status is Status.LOBBY and not own.by_button:
        message = Message(f"{words.title(match)} ({words.link(match)}): you're in! Your cards will arrive here.")
        _, dm = await dms.send(press.bot, press.person, message, asked=True, seat=own)
    if (dm is Dm.CLOSED) != (own.dm is Dm.CLOSED) and dm is not Dm.UNKNOWN:
        await press.host.outbox.redraw_lobby(match.id)
    if dm is Dm.OPEN:
        return None
    return DMS_ARE_CLOSED if dm is Dm.CLOSED and not own.by_button else BY_BUTTON


HANDLERS: Final[dict[str, Verb]] = {
    "join": of_match(join, edits=True),
    "notnow": Verb(not_now, edits=True),
    "leave": of_match(leave, edits=True),
    "change": of_match(change, edits=True),
    **dict.fromkeys(("watch", "starts"), of_match(switch, edits=True)),
    "terms": of_match(agree, edits=True),
    "computer": of_match(ask_level),
    "level": of_match(add_computer, edits=True),
    FILL: of_match(ask_level, edits=True),
    "filllevel": of_match(fill, edits=True),
    "where": of_match(switch_place, edits=True),
    "start": of_match(start, edits=True),
    "ready": of_match(be_ready, edits=True),
    "close": of_match(close, edits=True),
    "seats": of_match(choose_whom_to_remove, edits=True),
    "remove": of_match(remove, edits=True),
    "rematch": of_match(rematch),
}
