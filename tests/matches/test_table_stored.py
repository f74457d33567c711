"""The store and the value agree: a decided table equals what is read from the store, whatever was asked."""

import asyncio
import os
from collections.abc import Awaitable
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from db import Connection, Database
from db.matches import deadlines, log_lines, retention
from db.model.enums import Cancellers
from db.model.setting_rows import GuildSettings
from db.orders import kept as orders
from db.orders.kept import Order
from db.people import settings as kept
from db.review import kept as reviews
from games import GAMES
from games.log import Line
from matches.api import Due, Host, HostError, ManualClock, Match, MatchId
from matches.orders import giving
from matches.records.fair import SEED_BYTES
from matches.review import Reviews
from tests.matches.lives import GUILD, Life, Request, Wish, asked, requests, wishes
from tests.matches.tables import PEOPLE, Seeds
from tests.store import fresh

EXAMPLES = 5 * int(os.environ.get("AMBIT_SEEDS", "1"))


@pytest.mark.parametrize("game", GAMES)
@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)
@given(st.data(), requests)
def test_what_is_stored_is_what_the_table_has_become(
    tmp_path: Path, game: str, data: st.DataObject, wanted: list[Request]
) -> None:
    wish = data.draw(wishes(game))
    with TemporaryDirectory(dir=tmp_path) as folder:
        asyncio.run(lived(fresh(Path(folder, "ambit.db")), wish, wanted))


async def lived(url: str, wish: Wish, wanted: list[Request]) -> None:
    """Live it twice at the same time: as a value alone, and by a host with a store."""
    clock = ManualClock()
    async with await Database.open(url) as database:
        seeds = Seeds()
        # A life carries orders out at the earliest moment.
        host = Host(database, clock, lambda length: seeds(length) if length == SEED_BYTES else bytes(length))
        await database.write(prepared, wish)
        match = await host.lobby.open(wish.request(), PEOPLE[0])
        life = Life.begin(wish, match.id, match.commitment)
        assert await host.look.match(match.id) == match == life.table.match
        for request in (*wish.requests(), *wanted):
            life.pass_time(request.after)
            question = asked(request, life)
            if question is None:
                continue
            clock.advance(life.table.now - clock.now())
            refusal = life.ask(question, life.loaded())
            answer = await answered(question.ask(host, match.id))
            if isinstance(answer, Match):
                assert answer == life.loaded().match
            assert repr(answer if isinstance(answer, HostError) else None) == repr(refusal)
            assert await host.look.match(match.id) == life.loaded().match
            await check_rows(database, life, match.id)
        await check_review_goes(host, match.id)


async def check_review_goes(host: Host, number: MatchId) -> None:
    """Check that a review belongs to nobody once its person is forgotten, and that it is deleted with the lines."""
    row = await host.work.read(reviews.get, number)
    if row is None:
        return
    assert row.user_id is not None
    await host.privacy.forget_wholly(row.user_id)
    assert await host.work.read(reviews.get, number) == row._replace(user_id=None, turn=reviews.LAST)
    assert await host.part(Reviews).due() == (number,)
    await host.work.write(retention.prune, [(number, "0" * 64)])
    assert await host.work.read(reviews.get, number) is None
    assert await host.part(Reviews).due() == ()


async def answered(asking: Awaitable[object]) -> object:
    """The host's answer or refusal."""
    try:
        return await asking
    except HostError as refusal:
        return refusal


def prepared(connection: Connection, wish: Wish) -> None:
    """Store what is known about people before the life begins."""
    cancellers = Cancellers.HOSTS if wish.hosts_may_end else Cancellers.MODERATORS
    kept.set_guild_settings(connection, GUILD, GuildSettings(who_cancels=cancellers))
    for person, known in zip(PEOPLE, wish.known, strict=False):
        kept.set_player_settings(connection, person.user_id, known.settings)
        kept.note(connection, person.user_id, dm=known.dm, away_until=known.away_until)


async def check_rows(database: Database, life: Life, number: MatchId) -> None:
    """The log has the lines that were written, and deadlines and orders are those of the value."""

    def look(connection: Connection) -> tuple[list[Line], dict[Due, datetime], tuple[Order, ...]]:
        rows = [Line(*row) for row in log_lines.lines(connection, number)]
        due = {kind: row.due for kind in Due if (row := deadlines.get(connection, number, kind)) is not None}
        return rows, due, orders.of_match(connection, number)

    assert await database.read(look) == (life.lines, life.clocks, giving.orders_at(life.table))
