"""A person's page on a server: their rating in each game over time, and how they play (P34).

`render/profile.py` draws it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import discord

from cogs.look.replay import posted_by
from cogs.post import pictures
from cogs.press import components, places, rights
from cogs.press.components import Verb
from cogs.press.custom_ids import Ref, id_in
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Message, Press, announce, answer, whisper
from cogs.ratings import changes
from cogs.ratings.leaderboard import season_menu
from cogs.text import names, words
from games import GAMES
from matches.api import NotAllowed, Season, UserId
from matches.ratings import Ratings, profiles
from matches.ratings.model import MU
from matches.ratings.profiles import Best, Skill
from matches.results import reliability
from matches.results.reliability import Reliability
from render import profile as drawn
from render.grammar import counted, listed
from render.profile import Between, Course, Profile, Role

TURN: Final = "profile"
POST: Final = "postprofile"


class Page(NamedTuple):
    """A person's profile, the server's seasons, and their recent reliability.

    `courses` are the games whose lessons they have finished.
    """

    found: profiles.Profile
    seasons: tuple[Season, ...]
    record: Reliability | None
    courses: tuple[str, ...]

    @property
    def about(self) -> str:
        """Which server and season the page is about, in words."""
        return f"on this server, season {self.found.season}" if len(self.seasons) > 1 else "on this server"


async def show(press: Press, person: discord.User | None, season: int | None) -> None:
    """Show the page of somebody on this server, by default the person's own, in private."""
    await whisper(press, await _page(press, press.person if person is None else UserId(person.id), season))


async def _page(press: Press, person: UserId, season: int | None) -> Message:
    server, user, host = rights.server(press), press.person, press.host
    page = await _read(press, server, person, season)
    may_attach = places.may_attach(press)
    message = Message(_words(page, whole=not may_attach), view=_buttons(page, own=person == user))
    if may_attach and (page.found.skills or page.found.begun):
        style = pictures.private_style(await host.settings.player_settings(user))
        message.pictures = [await pictures.profile(_shown(page, names.plain(page.found.name)), style)]
    return message


async def _read(press: Press, server: int, person: UserId, season: int | None) -> Page:
    """Read a person's page. Raises NotAllowed if they have none, or hide it from others."""
    host, user = press.host, press.person
    found = await host.part(Ratings).profile(server, person, user, season)
    if found is None:
        if person == user:
            raise NotAllowed("You haven't started a match on this server yet. `/help` explains how to.")
        raise NotAllowed(f"There's nothing to see of <@{person}> on this server.")
    record = (await host.archive.reliability_of(server, [person], user)).get(person)
    return Page(found, await host.settings.seasons(server), record, tuple(await host.learnt(person)))


def _shown(page: Page, name: str) -> Profile:
    """The page as it is drawn or put into words."""
    found, against = page.found, page.found.against
    return Profile(
        name,
        page.about,
        tuple(_course(skill) for skill in found.skills),
        tuple(_role(part) for skill in found.skills for part in skill.parts),
        Between(against.together, against.after, against.before) if against and against.together else None,
        tuple(_facts(page)),
    )


def _facts(page: Page) -> Iterator[str]:
    """Their best moment, and how many matches they finish, in all seasons together and recently."""
    if page.found.best is not None:
        yield best_moment(page.found.best)
    if page.found.begun:
        yield f"Finished {page.found.finished} of {counted(page.found.begun, 'match', 'matches')}"
    if page.record is not None:
        yield f"Last {reliability.WINDOW.days} days: {changes.reliability(page.record)}"


def best_moment(best: Best) -> str:
    """A win in one line: ``Best moment: 26 : 14 in Gambo, after 4 : 14 (3 Mar 2026)``."""
    it, when = best.feat, best.ended_at
    after = f", after {it.low} : {it.high}" if it.low < it.high else ""
    return f"Best moment: {it.own} : {it.other} in {GAMES[best.game].info.name}{after} ({when.day} {when:%b %Y})"


def _course(skill: Skill) -> Course:
    """A person's results in a game; those against computers if there are none against people."""
    practice = skill.rating is None
    rating = skill.rating or skill.practice
    assert rating is not None
    points = tuple((point.ended_at, float(round(point.row.mu))) for point in skill.history)
    if points:
        # Everybody begins a season at MU. With that point even a single match makes a line.
        points = ((points[0][0], MU), *points)
    counts = (rating.number, rating.uncertainty, rating.matches, rating.won)
    name = GAMES[skill.game].info.name
    return Course(skill.game, name, *counts, points, skill.place, rating.provisional, practice)


def _role(share: profiles.Share) -> Role:
    role, rounds, won, average = share
    return Role(f"As {role}", rounds, won, average)


def _words(page: Page, *, whole: bool) -> str:
    """The text beside the picture; with all of the page if there can be no picture."""
    found = page.found
    heading = f"**{names.in_message(found.name)}** {page.about}"
    # The picture of a full page has no room for the lessons.
    learned = [f"Lessons done: {listed([GAMES[game].info.name for game in page.courses])}."] if page.courses else []
    if not found.skills:
        nothing = f"{heading}: no match that counts has ended yet. Start one with `/{next(iter(GAMES))} new`."
        return "\n".join((nothing, *learned))
    practice = [
        f"{GAMES[skill.game].info.name} against computers: {changes.number(skill.practice)}."
        for skill in found.skills
        if skill.rating is not None and skill.practice is not None
    ]
    shown = _shown(page, names.in_message(found.name))
    # The text has the facts for which the picture has no room.
    rows = drawn.in_words(shown) if whole else tuple(f"{fact}." for fact in drawn.left_out(shown))
    return words.first_that_fit([heading, *rows, *practice, *learned])


def _buttons(page: Page, *, own: bool) -> discord.ui.View | None:
    found = page.found
    items = season_menu(Ref(TURN, None, None, (str(found.person),)), page.seasons, found.season)
    if own and found.skills:
        post = components.button(Ref(POST, None, None, (str(found.season),)), "Post it here", row=0)
        items = [post, *items]
    return components.view(*items) if items else None


async def _turn(press: Press) -> None:
    """Another season."""
    person, season, *_ = (*press.ref.path, *press.values, "", "")
    await answer(press, await _page(press, UserId(id_in(person)), id_in(season)))


async def _post(press: Press) -> None:
    """**Post it here**: post the person's own page for all to see."""
    server, user = rights.server(press), press.person
    season = id_in(*press.ref.path[:1] or ("",))
    rights.refuse_posting(press)
    host = press.host
    page = await _read(press, server, user, season)
    if not page.found.skills:
        raise NotAllowed("There's nothing to post: no match of yours that counts has ended yet.")
    shown = _shown(page, names.plain(page.found.name))
    with one_at_a_time(press, Long.POST):
        await host.reach.show_on(server, user)
        picture = await pictures.profile(shown, pictures.PUBLIC)
    heading = f"**{names.in_message(page.found.name)}** {page.about}"
    await announce(press, Message(f"{heading}\n{posted_by(user)}", [picture]), "I've posted it.")


HANDLERS: Final[dict[str, Verb]] = {TURN: Verb(_turn, edits=True), POST: Verb(_post)}
