"""**I'd play …** under ``/tables``: people say what they'd play if others did, and see and change that (P40).

The pages over `matches/pledges/asking.py`. `cogs/pledges/call_posts.py` makes the question **Ready?**.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import discord

from cogs.commands import open_tables
from cogs.lobby import lobby_buttons
from cogs.lobby.lobby_picture import PACES
from cogs.play import away
from cogs.pledges import call_posts
from cogs.post import dms
from cogs.press import components, places, rights
from cogs.press.components import Style, Verb
from cogs.press.custom_ids import Ref, expect, id_in
from cogs.press.reply import Message, Press, answer
from cogs.text import names, words
from games import GAMES
from games.core import GameInfo
from matches.api import Match, NotAllowed, Pace
from matches.features import start_of
from matches.pledges import Answer, Pledged, PledgeRow, Pledges
from matches.pledges.public import Wanted

MOST_SEATS: Final = 3
"""How many tables can be joined from the page, beside its other buttons."""

USUALLY: Final = timedelta(days=3)
"""How long a pledge lasts if nobody says anything else."""

OFFERS: Final = ("6 hours", "12 hours", "1 day", "3 days", "1 week", "2 weeks")
_SIZES = re.compile(r"(?P<fewest>[0-9]{1,2})(?:\s*(?:-|–|to)\s*(?P<most>[0-9]{1,2}))?")
_LEVELS: Final = {"any": False, "near": True}

NOTHING: Final = (
    "You haven't said what you'd play. Pick a game: when enough people would play it, I'll ask each of you whether "
    "you're ready. Until then nobody is told your name."
)
HOW: Final = (
    "When a table could begin, I'll ask you {}, at most twice a day and never in your quiet hours (`/settings me`)."
)
# None of these promises a table. A promise would reveal who keeps away from whom, and who has quiet hours.
SAID: Final = {
    Wanted.SOME: "some people",
    Wanted.MANY: "4 or more people",
    Wanted.ENOUGH: "enough people for a table, once it suits them all",
}


def _wished(
    game: str, players: str | None = None, pace: str | None = None, ratings: str | None = None
) -> dict[str, Any]:
    """What somebody's words change in what they'd play. Raises NotAllowed."""
    changes: dict[str, Any] = {}
    if players is not None:
        changes["fewest"], changes["most"] = read_sizes(players, GAMES[game].info)
    expect(pace in (None, *Pace) and ratings in (None, *_LEVELS))
    if pace is not None:
        changes["pace"] = Pace(pace)
    return changes if ratings is None else {**changes, "near": _LEVELS[ratings]}


def read_sizes(text: str, info: GameInfo) -> tuple[int, int]:
    """The fewest and the most players that somebody means, such as “3-5”. Raises NotAllowed."""
    found = _SIZES.fullmatch(text.strip().casefold())
    if found is not None:
        fewest, most = int(found["fewest"]), int(found["most"] or found["fewest"])
        if info.min_players <= fewest <= most <= info.max_players:
            return fewest, most
    example = _sizes(info.min_players, min(info.max_players, info.min_players + 2))
    raise NotAllowed(f"{info.name} is for {_sizes(info.min_players, info.max_players)} players: try “{example}”.")


def _key(game: str) -> str:
    expect(game in GAMES)
    return game


async def _own(press: Press, game: str) -> Pledged | None:
    found = await press.host.part(Pledges).of_person(press.person, rights.server(press))
    return next((each for each in found if each.game == game), None)


async def _from(press: Press, game: str, match: Match | None = None) -> PledgeRow:
    """What this person would play by default: as they said before, or as in this match, else anything."""
    guild_id, info, now = rights.server(press), GAMES[game].info, press.host.now()
    here, (_, name) = await places.playable(press), names.person(press.interaction.user)
    channel_id, in_thread = here.channel_id, here.in_thread
    if match is not None and match.guild_id == guild_id:
        channel_id, in_thread = match.channel_id, match.in_thread
    before = await _own(press, game)
    new = PledgeRow(
        name=name,
        channel_id=channel_id,
        in_thread=in_thread,
        everywhere=await places.is_open(press, channel_id),
        fewest=info.min_players,
        most=info.max_players,
        pace=here.settings.pace,
        since=now,
        until=now + USUALLY,
        rating=await press.host.strength(guild_id, game, press.person),
    )
    if before is not None:
        row = before.row
        # They agreed to be mentioned in that channel, not in this one.
        by_mention = row.by_mention and row.channel_id == channel_id
        new = replace(new, fewest=row.fewest, most=row.most, pace=row.pace, near=row.near, by_mention=by_mention)
        new = replace(new, until=row.until if match is None else max(row.until, new.until))
    elif match is not None:
        size = match.size or max(len(match.seats), info.min_players)
        around = max(info.min_players, size - 1), min(info.max_players, size + 1)
        new = replace(new, fewest=around[0], most=around[1], pace=match.pace)
    return new


async def _pledge(press: Press, game: str, wanted: PledgeRow, *, agreed: bool = False) -> None:
    """Store the pledge, once it's clear how the person can be called: by DM, or by a mention that they agree to."""
    greeting = f"When a table of {GAMES[game].info.name} could begin, I'll ask you here whether you're ready."
    by_dm = await dms.hears_calls(press.bot, press.person, greeting)
    if not by_dm and not agreed and not wanted.by_mention:
        await answer(press, _ask_for_mention(game, wanted))
        return
    wanted = replace(wanted, by_mention=not by_dm)
    await press.host.part(Pledges).pledge(Pledged(rights.server(press), press.person, game, wanted))
    await _show(press, game)


def _ask_for_mention(game: str, wanted: PledgeRow) -> Message:
    size, until = _sizes(wanted.fewest, wanted.most), int(wanted.until.timestamp())
    path = (game, size, wanted.pace.value, str(until), "near" if wanted.near else "any", str(wanted.channel_id))
    return Message(
        "I can't send you a direct message right now, so I could only call you by a mention in "
        f"<#{wanted.channel_id}>. Everybody there would see that you want to play. Is that all right? Otherwise open "
        "your DMs (or choose them with `/settings me`), and try again.",
        view=components.view(
            components.button(Ref("wantcall", path=path), "Mention me there", Style.primary),
            components.button(Ref("unwant"), "No, don't call me"),
        ),
    )


async def _agree(press: Press) -> None:
    """**Mention me there**: store the pledge that the question was about."""
    path = press.ref.path
    expect(len(path) == 6 and id_in(path[3]) < 1 << 33)
    wanted = await _from(press, _key(path[0]))
    if wanted.channel_id != id_in(path[5]):
        raise NotAllowed("You agreed to a mention in another channel. Press **I'd play …** under `/tables` here.")
    until = datetime.fromtimestamp(id_in(path[3]), UTC)
    wanted = replace(wanted, until=until, **_wished(path[0], path[1], path[2], path[4]))
    await _pledge(press, path[0], wanted, agreed=True)


async def _tapped(press: Press) -> None:
    """Pledge: **I'd play another time** under a table, or a game that was picked. **I'd play …** shows the page."""
    (game, *_) = (*press.ref.path, *press.values, "")
    if press.match is not None:
        game = press.match.game
    if not game:
        await _show(press)
        return
    await _pledge(press, game, await _from(press, _key(game), press.match))


async def _change(press: Press) -> None:
    """Change a pledge as picked in a menu of its page."""
    (game, what, *given) = (*press.ref.path, *press.values, "", "")
    before = await _own(press, _key(game))
    if before is None:
        await _show(press)
        return
    if what == "until" and given[0] in OFFERS:
        changes: dict[str, Any] = {"until": away.read_until(given[0], press.host.now())}
    elif what in ("players", "pace", "ratings"):
        changes = _wished(game, **{what: given[0]})
    else:
        raise NotAllowed(words.OUT_OF_DATE)
    await _pledge(press, game, replace(await _from(press, game), **changes))


async def _withdraw(press: Press) -> None:
    """**I don't want … any more**: withdraw that pledge. **No, don't call me**: nothing was pledged."""
    (game, *_) = (*press.ref.path, "")
    if not game:
        await answer(press, Message("OK, I won't call you. Nobody was told."))
        return
    await press.host.part(Pledges).withdraw(rights.server(press), press.person, _key(game))
    await _show(press)


async def _show(press: Press, game: str | None = None) -> None:
    """The private page: what this person would play here, and menus to change it."""
    found = await press.host.part(Pledges).of_person(press.person, rights.server(press))
    shown = next((each for each in found if each.game == game), found[0] if found else None)
    tables, _ = await open_tables.found(press, rights.server(press)) if found else ((), 0)
    lines = ["**What you'd play here**", *_lines(press, found, tables)] if found else [NOTHING]
    joins = [lobby_buttons.to_join(match) for each in found if (match := _seat(each, tables)) is not None]
    if shown is not None:
        lines.append(
            HOW.format(f"by a mention in <#{shown.row.channel_id}>" if shown.row.by_mention else "by direct message")
        )
    await answer(press, Message("\n".join(lines), view=components.view(*_menus(found, shown), *joins[:MOST_SEATS])))


def _lines(press: Press, found: Sequence[Pledged], tables: Sequence[Match]) -> list[str]:
    """What this person would play, and where one of these tables has a seat for that."""
    lines, now = [], press.host.now()
    for each in found:
        match = _seat(each, tables)
        seat = "" if match is None else f" There's a seat: **Join {match.info.name} #{match.id}**."
        lines.append(f"{_line(each, now)}{seat}")
    return lines


def _line(pledged: Pledged, now: datetime) -> str:
    row, info = pledged.row, GAMES[pledged.game].info
    near = ", with similar ratings" if row.near else ""
    until = discord.utils.format_dt(row.until, "f")
    state = ""
    if row.gathering is not None:
        is_ready = row.answer is Answer.YES
        state = " **You've said that you're ready.**" if is_ready else " **You're being asked right now.**"
    elif row.rests_until is not None and row.rests_until > now:
        state = f" I won't ask you before {discord.utils.format_dt(row.rests_until, 'f')}."
    return (
        f"• **{info.name}** with {_sizes(row.fewest, row.most)} players, {PACES[row.pace]}{near}, until {until}.{state}"
    )


def _sizes(fewest: int, most: int) -> str:
    return f"{fewest}" if fewest == most else f"{fewest}-{most}"


def _menus(found: tuple[Pledged, ...], shown: Pledged | None) -> list[components.Item]:
    """The menus of the page; the settings are those of the pledge that is `shown`."""
    games = {key: game.info.name for key, game in GAMES.items()}
    pledged = {each.game for each in found}
    if shown is None:
        return [components.menu(Ref("want"), games, "Which game?")]
    info, row = GAMES[shown.game].info, shown.row
    here = _sizes(row.fewest, row.most)
    sizes = list(dict.fromkeys([here, *_ranges(info)]))[: components.MAX_PICKED]

    def menu(what: str, offered: Mapping[str, str], placeholder: str, now: str = "") -> components.Item:
        return components.menu(Ref("wantset", path=(shown.game, what)), offered, placeholder, (now,))

    about = {key: "change what you said" if key in pledged else "I'd play this, too" for key in GAMES}
    rows = [components.menu(Ref("want"), games, "Another game?", (shown.game,), about=about)]
    if info.min_players < info.max_players:
        rows.append(menu("players", {each: f"{each} players" for each in sizes}, "Players?", here))
    rows.append(menu("pace", {each.value: PACES[each] for each in Pace}, "How fast?", row.pace))
    rows.append(menu("until", {each: f"for {each}" for each in OFFERS}, "Until when? (from now)"))
    other = "any" if row.near else "near"
    return [
        *rows,
        components.button(
            Ref("wantset", path=(shown.game, "ratings", other)),
            "Any rating" if row.near else "Only similar ratings",
            row=4,
        ),
        components.button(Ref("unwant", path=(shown.game,)), f"I don't want {info.name} any more", Style.danger, row=4),
    ]


def _ranges(info: GameInfo) -> list[str]:
    """Numbers of players that people may wish."""
    fewest, most = info.min_players, info.max_players
    spans = [(fewest, most), *((each, min(most, each + 2)) for each in range(fewest, most))]
    return [_sizes(*each) for each in (*spans, *((each, each) for each in range(fewest, most + 1)))]


# Answers to Ready?


async def _ready(press: Press) -> None:
    """**I'm ready**."""
    number = id_in(press.ref.path[0] if press.ref.path else "")
    readiness = await press.host.part(Pledges).ready(number, names.person(press.interaction.user))
    await answer(press, call_posts.answered(readiness))


async def _not_ready(press: Press) -> None:
    """**Not now**, or **I can't after all**."""
    await press.host.part(Pledges).not_now(id_in(press.ref.path[0] if press.ref.path else ""), press.person)
    await answer(press, Message(call_posts.NOT_NOW))


# What everybody is told.


async def beside_tables(press: Press, tables: Sequence[Match]) -> tuple[str, list[components.Item]]:
    """What this person would play, and roughly how many others would play each game; and **I'd play …**."""
    found = await press.host.part(Pledges).of_person(press.person, rights.server(press))
    own = ["**What you'd play**", *_lines(press, found, tables)] if found else []
    others = await would_play(press)
    return "\n".join(filter(None, (*own, others))), [components.button(Ref("want"), "I'd play …")]


def _seat(pledged: Pledged, tables: Sequence[Match]) -> Match | None:
    """The first of these tables that is as pledged. Which one is for similar ratings, nobody can see."""
    row = pledged.row
    for match in tables:
        sizes, start = (match.size or match.info.min_players, match.size or match.info.max_players), start_of(match)
        fits = sizes[0] <= row.most and row.fewest <= sizes[1] and match.pace is row.pace and not row.near
        in_time = start is None or start.at <= row.until
        if match.game == pledged.game and fits and in_time and match.at_table(pledged.user_id) is None:
            return match
    return None


async def would_play(press: Press) -> str:
    """Roughly how many would play each game, counting only places that this person can see; empty if nobody would."""
    counts = await press.host.part(Pledges).counts(rights.server(press))
    seen = [each for each in counts if not each.place or await rights.may_see_place(press, each.place)]
    best: dict[str, Wanted] = {}
    for each in seen:
        best[each.game] = max(best.get(each.game, each.wanted), each.wanted, key=list(Wanted).index)
    if not best:
        return ""
    listed = ", ".join(f"{GAMES[game].info.name} ({SAID[wanted]})" for game, wanted in best.items())
    return f"**Would be played**: {listed}."


HANDLERS: Final[dict[str, Verb]] = {
    "want": Verb(_tapped, edits=True),
    "wantset": Verb(_change, edits=True),
    "wantcall": Verb(_agree, edits=True),
    "unwant": Verb(_withdraw, edits=True),
    "willplay": Verb(_ready, edits=True),
    "wontplay": Verb(_not_ready, edits=True),
}
