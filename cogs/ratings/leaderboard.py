"""The leaderboard of a game on a server: a page for one person, and the post for everybody (P34).

`render/leaderboard.py` draws it.

Everything is about the server where it is asked for, whatever a button says. People who hide are in no list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import discord

from cogs.look.replay import posted_by
from cogs.post import pictures
from cogs.press import attachments, components, places, rights
from cogs.press.components import Verb, of_match
from cogs.press.custom_ids import Ref, expect
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Message, Press, announce, answer, whisper
from cogs.ratings import changes
from cogs.text import names, words
from games import GAMES
from matches.api import Match, NotAllowed, PlayerSettings, Season
from matches.ratings import Ratings
from matches.ratings import asking as ratings
from matches.ratings.asking import Row
from matches.ratings.model import LISTED
from matches.ratings.profiles import Rating
from render import leaderboard as drawn
from render.grammar import counted, spelled
from render.leaderboard import Leaderboard, Rated

TURN: Final = "ladder"
POST: Final = "postladder"
RESULTS: Final = "results"
AT_TABLE: Final = "ratings"

GREY: Final = f"Grey: fewer than {LISTED} rated matches, so not on the list yet."
SWITCHED_OFF: Final = "Ratings are switched off on this server (`/settings server`), so new matches don't count."
WHAT_RESULTS_ARE: Final = (
    "All results that count on this server, and the ratings that they come to. `python -m matches.ratings FILE` "
    "computes them again, and says whether every number is right (`docs/ratings.md`).\n"
    "For each result the file says the game, the day, who played and who came in where, whatever channel it was in. "
    "Anyone who isn't on lists, or has deleted their data, has a number instead of a name, and another one in every "
    "file. But someone who knows the match can still tell who that was."
)
MAX_SEASONS: Final = 25


class Page(NamedTuple):
    """A page of the leaderboard for one person: `mine` is their own row, which may be on another page."""

    board: ratings.Leaderboard
    mine: Row | None
    settings: PlayerSettings
    off: bool


async def show(press: Press, game: str | None, season: int | None) -> None:
    """Show this person the first page of a game's leaderboard, by default of the game that is played most here."""
    server = rights.server(press)
    if game is None:
        game = await press.host.part(Ratings).busiest(server, season) or next(iter(GAMES))
    await whisper(press, await _page(press, server, game, season, 0))


async def _page(press: Press, server: int, game: str, season: int | None, number: int) -> Message:
    page = await _read(press, server, game, season, number)
    message = Message(_words(page, with_rows=not places.may_attach(press)), view=_buttons(page))
    if page.board.rows and places.may_attach(press):
        style = pictures.private_style(page.settings)
        message.pictures = [await pictures.leaderboard(_shown(page, names.plain), game, style)]
    return message


async def _read(press: Press, server: int, game: str, season: int | None, number: int) -> Page:
    host, user = press.host, press.person
    board = await host.part(Ratings).leaderboard(server, game, season, number)
    mine = await host.part(Ratings).row_of(server, game, user, board.season)
    settings = await host.settings.player_settings(user)
    return Page(board, mine, settings, (await host.settings.guild_settings(server)).unrated)


def _shown(page: Page, named: Callable[[str], str], *, public: bool = False) -> Leaderboard:
    """The page as it is drawn or put into words, with names made by `named`; in `public` no row is marked."""
    board, mine = page.board, None if public else page.mine
    rows = tuple(_rated(row, named, own=mine is not None and row.person == mine.person) for row in board.rows)
    on_page = any(row.own for row in rows)
    beside = None if mine is None or on_page or not mine.place else _rated(mine, named, own=True)
    return Leaderboard(rows, _about(board), f"page {board.page + 1} of {board.pages}", beside)


def _about(board: ratings.Leaderboard) -> str:
    """How many people there are, and in which season."""
    season = f", season {board.season}" if len(board.seasons) > 1 else ""
    return f"{counted(board.listed + board.newcomers, 'player')} on this server{season}"


def how_to_read(ratings: Iterable[Rating], *, changes: bool = False, grey: bool = False) -> str:
    """What the signs beside these ratings mean, in small print: the question mark, the change, the grey row."""
    unsure = next((rating for rating in ratings if rating.provisional), None)
    said = [f"{unsure} = still uncertain (±{unsure.uncertainty})."] if unsure is not None else []
    said += ["Small: the last match."] if changes else []
    said += [GREY] if grey else []
    return f"-# {' '.join(said)}" if said else ""


def _how_to_read(page: Page) -> str:
    grey = any(not row.place for row in page.board.rows)
    return how_to_read((row.rating for row in page.board.rows), changes=True, grey=grey)


def _rated(row: Row, named: Callable[[str], str], *, own: bool) -> Rated:
    it, lacks = row.rating, 0 if row.place else max(0, LISTED - row.rating.matches)
    numbers = (it.number, it.uncertainty, it.matches, it.change, it.provisional)
    return Rated(row.place, named(names.plain(row.name)), *numbers, own, lacks)


def _words(page: Page, *, with_rows: bool) -> str:
    """The text beside the picture; with its rows if there can be no picture."""
    board, name = page.board, GAMES[page.board.game].info.name
    heading = f"**Ratings in {name}**: {_about(board)}"
    off = SWITCHED_OFF if page.off else ""
    if not board.rows:
        return "\n".join(part for part in (heading, off or _nobody(board), _own_place(page)) if part)
    shown = _shown(page, names.in_message)
    rows = [drawn.in_words(row) for row in shown.rows] if with_rows else []
    if with_rows:
        heading += f", {shown.note}"
    rest = "\n".join(part for part in (_own_place(page), off, _how_to_read(page)) if part)
    return words.first_that_fit([heading, *rows], rest)


def _nobody(board: ratings.Leaderboard) -> str:
    """The text of an empty leaderboard."""
    if board.season < board.seasons[-1].number:
        return "Nobody was listed in that season."
    return (
        f"Nobody is listed yet: that takes {LISTED} matches that count, each with at least two people. "
        f"Start one with `/{board.game} new`."
    )


def _own_place(page: Page) -> str:
    """The person's own place, or what they lack to be listed."""
    if page.mine is None:
        return "You haven't played a match that counts here." if page.board.rows else ""
    rating, place = page.mine.rating, page.mine.place
    if place:
        return f"You're number {place} with {rating}."
    if page.settings.hidden:
        return f"You have {rating}, which only you can see (`/settings me`)."
    left = LISTED - rating.matches
    more = f"{spelled(left).capitalize()} more rated {'match' if left == 1 else 'matches'}"
    return f"You're at {rating.number}. {more} and you're on the list."


def _buttons(page: Page) -> discord.ui.View:
    board = page.board
    season = str(board.season)
    row_at = None if page.mine is None or not page.mine.place else (page.mine.place - 1) // ratings.PAGE

    def turn(label: str, to: int, *, useless: bool) -> components.Item:
        ref = Ref(TURN, None, None, (board.game, season), max(0, to))
        return components.button(ref, label, disabled=useless, row=0)

    items: list[discord.ui.Item[Any]] = []
    if board.pages > 1:
        items += [
            turn("◀ Back", board.page - 1, useless=board.page == 0),
            turn("Next ▶", board.page + 1, useless=board.page == board.pages - 1),
        ]
        if row_at is not None and all(row.person != (page.mine and page.mine.person) for row in board.rows):
            items.append(
                components.button(Ref(TURN, None, None, (board.game, season, "me"), row_at), "My place", row=0)
            )
    if board.rows:
        ref = Ref(POST, None, None, (board.game, season), board.page)
        items.append(components.button(ref, "Post it here", row=0))
        items.append(components.button(Ref(RESULTS), "Results", row=0))
    games = {key: game.info.name for key, game in GAMES.items()}
    items.append(components.menu(Ref(TURN, None, None, ("", season)), games, "Another game", (board.game,)))
    return components.view(*items, *season_menu(Ref(TURN, None, None, (board.game, "")), board.seasons, board.season))


def season_menu(ref: Ref, seasons: Sequence[Season], shown: int) -> list[components.Item]:
    """A menu of the latest seasons, if there are several."""
    offered = {str(each.number): f"Season {each.number}" for each in list(reversed(seasons))[:MAX_SEASONS]}
    return [components.menu(ref, offered, "Another season", (str(shown),))] if len(seasons) > 1 else []


def _wanted(press: Press) -> tuple[str, int]:
    """The game and the season that a button carries, or a menu with what was picked in it. Raises NotAllowed."""
    game, season, *_ = (*press.ref.path, "", "")
    game, season = game or press.picked, season or press.picked
    expect(game in GAMES and season.isdecimal() and len(season) <= 6)
    return game, int(season)


async def _turn(press: Press) -> None:
    """Another page, game or season."""
    server = rights.server(press)
    game, season = _wanted(press)
    await answer(press, await _page(press, server, game, season, press.ref.page))


async def _post(press: Press) -> None:
    """**Post it here**: post the page for all to see, with no row marked."""
    server = rights.server(press)
    game, season = _wanted(press)
    rights.refuse_posting(press)
    page = await _read(press, server, game, season, press.ref.page)
    if not page.board.rows:
        raise NotAllowed(f"There's nothing to post. {_nobody(page.board)}")
    shown = _shown(page, names.plain, public=True)
    with one_at_a_time(press, Long.POST):
        await press.host.reach.show_on(server, press.person)
        picture = await pictures.leaderboard(shown, game, pictures.PUBLIC)
    heading = f"**Ratings in {GAMES[game].info.name}**: {shown.about}"
    message = Message("\n".join(filter(None, (heading, _how_to_read(page), posted_by(press.person)))), [picture])
    await announce(press, message, "I've posted it.")


async def _results(press: Press) -> None:
    """**Results**: all results that count on this server, as a file with which anybody can check the ratings."""
    server = rights.server(press)
    attachments.refuse_without(press)
    with one_at_a_time(press, Long.RESULTS):
        file = await attachments.unpacked(await press.host.part(Ratings).exported(server, press.person), "ratings")
        packed = " The file is packed (gzip)." if file.filename.endswith(".gz") else ""
        await whisper(press, Message(f"{WHAT_RESULTS_ARE}{packed}", [file]))


async def _at_table(press: Press, match: Match) -> None:
    """**Ratings** in a lobby: the ratings and the reliability of the people at the table.

    Everybody sees the ratings that the leaderboard shows, and people at the table also how reliable the others are.
    People who hide are shown only to themselves.
    """
    host, user = press.host, press.person
    people = [seat for seat in match.seats if seat.user_id is not None]
    if match.guild_id is None or not people:
        raise NotAllowed("Nobody at this table has a rating yet.")
    wanted = [seat.user_id for seat in people if seat.user_id is not None]
    known = await host.part(Ratings).of_people(match.guild_id, match.game, wanted, user)
    seated = user in wanted
    # Without a turn clock, reliability isn't shown.
    clock = match.pace.turn is not None
    records = await host.archive.reliability_of(match.guild_id, wanted, user) if clock and seated else {}
    rows = []
    for seat, user_id in zip(people, wanted, strict=True):
        rating, record = known.get(user_id), records.get(user_id)
        # The same words for people without a rating and for people who hide it.
        told = "no rating to show" if rating is None else changes.number(rating)
        rows.append(f"• {names.of(seat)}: {told}{'' if record is None else f'; {changes.reliability(record)}'}")
    heading = f"{words.title(match)}: ratings on this server"
    await whisper(press, Message(words.first_that_fit([heading, *rows], how_to_read(known.values()))))


HANDLERS: Final[dict[str, Verb]] = {
    TURN: Verb(_turn, edits=True),
    POST: Verb(_post),
    RESULTS: Verb(_results),
    AT_TABLE: of_match(_at_table),
}
