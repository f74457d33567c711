"""Each term of a table can be chosen, is shown in the lobby, is kept by a rematch, and is forgotten with its people.

The tests walk the fields of `Terms`, so they ask the same of a term that is added later.
"""

from collections.abc import AsyncIterator
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import pytest

from cogs.lobby import lobby_post
from db import Database
from db.model.columns import field_names
from db.model.ids import UserId
from games import GAMES
from matches.api import Host, ManualClock, Match, NewMatch, Person, Status, Terms
from matches.records.seat import NOTHING_KNOWN
from matches.table import opening
from tests.matches.tables import CHANNEL, PEOPLE, Seeds, whole
from tests.store import fresh

ANN, BOB = PEOPLE[:2]
# An id that can't be in the store by chance.
ZED = Person(UserId(987_654_321_012_345_678), "Zed Zwart")
GUILD = 555
GAME, INFO = next(
    (key, game.info)
    for key, game in GAMES.items()
    if game.info.options and game.info.min_players == 2 < game.info.max_players
)
NAMES = field_names(Terms)
KINDS = get_type_hints(Terms)


def other_value(name: str) -> Any:
    """A value of this term that is not its default. It names Zed if a value of its type can name anybody."""
    if name == "options":
        return {option.name: next(each for each in option.values if each != option.default) for option in INFO.options}
    if name == "size":
        return 2
    kind, default = KINDS[name], getattr(Terms(), name)
    if NoneType in get_args(kind):
        (kind,) = set(get_args(kind)) - {NoneType}
    if kind == tuple[UserId, ...]:
        return (ZED.user_id,)
    if kind is UserId:
        return ZED.user_id
    if kind is bool:
        return not default
    if kind is str:
        return "Zed's own words"
    if issubclass(kind, StrEnum):
        return next(word for word in kind if word != default)
    raise AssertionError(f"Add a value of the term {name!r} to `other_value` in {__file__}.")


PLAIN = Terms()
OTHER = Terms(**{name: other_value(name) for name in NAMES})


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[Host]:
    async with await Database.open(fresh(tmp_path / "ambit.db")) as database:
        yield Host(database, ManualClock(), Seeds())


async def opened(host: Host, by: Person, terms: Terms) -> Match:
    return await host.lobby.open(NewMatch(GAME, CHANNEL, terms, GUILD), by)


async def test_every_term_can_be_chosen_at_the_table(host: Host) -> None:
    match = await opened(host, ANN, PLAIN)
    asked = {name for terms in lobby_post.terms(match).values() for term in terms.values() for name in term.means}
    assert asked <= set(NAMES)
    # A button changes place and start, the command asks for options and invitations.
    left = set(NAMES) - asked - {"options", "invited", "where", "host_starts"}
    assert not left, f"**Change …** doesn't ask for {left}: add it to _TERMS in cogs/lobby/lobby_post.py."


async def test_a_lobby_shows_every_term() -> None:
    def shown(terms: Terms) -> str:
        request, clock = NewMatch(GAME, CHANNEL, terms, GUILD), ManualClock()
        table = opening.opened(request, ANN, bytes(32), clock.now(), {}, NOTHING_KNOWN)
        return "\n".join(lobby_post.text(table.match, table.details))

    def makes_a_difference(name: str) -> bool:
        return any(
            shown(terms) != shown(replace(terms, **{name: getattr(others, name)}))
            for terms, others in ((PLAIN, OTHER), (OTHER, PLAIN))
        )

    unseen = [name for name in NAMES if not makes_a_difference(name)]
    assert not unseen, f"Nobody sees {unseen} in a lobby: say it in cogs/lobby/lobby_post.py."


@pytest.mark.parametrize("terms", [PLAIN, OTHER], ids=["plain", "other"])
async def test_a_rematch_keeps_every_term(host: Host, terms: Terms) -> None:
    old = await opened(host, ANN, terms)
    begun = await host.lobby.join(old.id, BOB)
    if begun.status is Status.LOBBY:
        begun = await host.lobby.start(old.id, ANN.user_id)
    await host.votes.cancel(old.id, UserId(0), moderator=True)
    new = await host.lobby.rematch(old.id, BOB)
    # A rematch is for the people who have played.
    kept, found = [(await whole(host, each)).terms for each in (old, new)]
    expected = replace(kept, size=len(begun.seats), invited=(ANN.user_id,))
    lost = [name for name in NAMES if getattr(found, name) != getattr(expected, name)]
    assert not lost, f"A rematch loses {lost}: keep it in `rematch` of matches/table/opening.py."


@pytest.mark.parametrize("stage", ["invited", "handed on", "closed", "running", "over"])
async def test_what_a_term_says_about_somebody_is_forgotten_with_them(host: Host, stage: str) -> None:
    # Another host's words aren't Zed's.
    by, traces = (ANN, {str(ZED.user_id)}) if stage == "invited" else (ZED, {str(ZED.user_id), "Zed"})
    match = await opened(host, by, OTHER)
    if stage in ("handed on", "running", "over"):
        await host.lobby.join(match.id, BOB)
    if stage in ("running", "over"):
        await host.lobby.start(match.id, ZED.user_id)
    if stage in ("closed", "over"):
        await host.votes.cancel(match.id, UserId(0), moderator=True)
    await host.privacy.forget(ZED.user_id)
    while await host.privacy.being_forgotten():
        await host.privacy.go_on(ZED.user_id)
    terms = (await whole(host, match)).terms
    kept = [name for name in NAMES if any(trace in repr(getattr(terms, name)) for trace in traces)]
    assert not kept, (
        f"{kept} of a table still says something about a person who is forgotten: take it out in "
        "matches/table/privacy.py, and where the match has ended in `erase` of db/people/people.py."
    )
