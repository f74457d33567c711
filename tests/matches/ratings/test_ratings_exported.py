"""A server's results as a file, from which its ratings follow to the bit."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import threading
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from db import Connection, Database
from db.model.rows import Ladder, ResultRow
from db.results import keyed
from matches.api import Host, ManualClock, MatchId, PlayerSettings, TooSoon, UserId
from matches.ratings import Ratings, export
from matches.ratings.__main__ import main
from matches.ratings.export import FileError, checked
from matches.results.result import Entrant, written
from matches.table.limits import Deed
from tests.matches.ratings.test_ratings import ANN, BOB, GUILD, resigned, resigned_to_who_had_help
from tests.matches.tables import PEOPLE, Seeds, moved, play_on, running
from tests.store import SERVER, fresh


async def exported(host: Host, server: int = GUILD, by: UserId = ANN.user_id) -> str:
    """The file, unpacked."""
    made = await host.part(Ratings).exported(server, by)
    text = gzip.decompress(made.data)
    assert len(text) == made.size
    return text.decode()


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of a server with two seasons and two games, a computer at a table, and somebody who plays alone.

    In one match somebody had help.
    """

    async def made() -> str:
        async with await Database.open(fresh(tmp_path_factory.mktemp("results") / "ambit.db")) as database:
            host = Host(database, clock := ManualClock(), Seeds())
            for loser in (BOB, ANN, BOB):
                await resigned(host, loser)
            await host.settings.begin_season(GUILD)
            await resigned(host, ANN)
            match = await moved(host, await running(host, "abissal", 2, 1, guild_id=GUILD))
            await host.play.resign(match.id, BOB.user_id)
            await play_on(host, await host.look.match(match.id), Random(3))
            alone = await moved(host, await running(host, "ambush", 1, 1, guild_id=GUILD))
            await host.play.resign(alone.id, ANN.user_id)
            helped = await resigned_to_who_had_help(host, clock)
            assert {change.change for change in await host.part(Ratings).changes(helped.id)} == {0}
            return await exported(host)

    return asyncio.run(made())


def test_every_number_follows_from_the_results_in_whatever_order_they_stand(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, found = tmp_path / "results.json", json.loads(text)
    for shuffled in (found["results"], found["results"][::-1]):
        file.write_text(json.dumps({**found, "results": shuffled}), encoding="utf-8")
        assert main([str(file)]) == 0
        said = capsys.readouterr().out
        assert [line for line in said.splitlines() if "season" in line] == [
            "Ambiente Abissal, season 2: 1 result",
            "Ambush, season 1: 3 results",
            "Ambush, season 2: 2 results",
        ]
        assert '"spared":[' in text  # FOUND D2
        assert said.endswith("Every number follows from the results, to the bit.\n")


def test_a_packed_file_is_read_as_it_is(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.json.gz"
    packed = gzip.compress(text.encode())
    file.write_bytes(packed)
    assert main([str(file)]) == 0
    for broken in (packed[:-20], packed[:40] + b"no" + packed[42:], b"\x1f\x8b"):
        file.write_bytes(broken)
        assert main([str(file)]) == 2
        assert capsys.readouterr().err


def test_a_number_that_was_changed_is_found(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.json"
    for name in ("mu", "sigma", "matches", "won"):
        found = json.loads(text)
        found["ratings"][0][name] += 2**-30 if name in ("mu", "sigma") else 1
        file.write_text(json.dumps(found), encoding="utf-8")
        assert main([str(file)]) == 1
        assert capsys.readouterr().out.count("not what the results come to") == 1


def test_whoever_was_left_out_is_missed(text: str) -> None:
    found = json.loads(text)
    del found["ratings"][0]
    assert not all(table.agrees for table in checked(json.dumps(found)))


def test_somebody_alone_against_computers_is_not_in_it(text: str) -> None:
    found = json.loads(text)
    assert len(found["results"]) == 6
    assert {tuple(seat for seat in each) for each in found["people"]} == {("who", "name")}
    assert all(sum("who" in seat for seat in each["seats"]) >= 2 for each in found["results"])


# FOUND S1
async def test_whoever_hides_or_is_forgotten_goes_by_a_number_that_is_another_in_every_file(
    host: Host, database: Database
) -> None:
    keys = await database.at_length(lambda connection: keyed.people_of(connection, GUILD), writes=False)
    assert keys == {}
    numbers = set()
    for _ in range(3):
        await resigned(host)
        await host.settings.set_player_settings(ANN.user_id, PlayerSettings(hidden=True))
        await host.settings.set_player_settings(BOB.user_id, PlayerSettings(hidden=True))
        text = await exported(host)
        found = json.loads(text)
        keys = await database.at_length(lambda connection: keyed.people_of(connection, GUILD), writes=False)
        assert [[*each] for each in found["people"]] == [["who"], ["who"]]
        assert not [known for known in keys.values() if known.name in text or known.key in text]
        assert not [person for person in PEOPLE[:2] if person.user_id in leaves(found["people"])]
        assert all(table.agrees for table in checked(text))
        numbers |= {each["who"] for each in found["people"]}
    assert len(numbers) == 6
    await host.privacy.forget(BOB.user_id)
    assert [[*each] for each in json.loads(await exported(host))["people"]] == [["who"], ["who"]]


# FOUND S1
async def test_a_file_that_was_made_before_names_nobody_who_hides_or_is_forgotten_since(
    host: Host, clock: ManualClock
) -> None:
    await resigned(host)
    assert [each["name"] for each in json.loads(await exported(host))["people"]] in (["Ann", "Bob"], ["Bob", "Ann"])
    await host.settings.set_player_settings(ANN.user_id, PlayerSettings(hidden=True))
    assert [each.get("name") for each in json.loads(await exported(host))["people"]].count("Bob") == 1
    await host.privacy.forget(BOB.user_id)
    text = await exported(host)
    assert "Ann" not in text
    assert "Bob" not in text


# FOUND S1
async def test_the_file_names_no_match_and_no_moment_but_the_day(host: Host, clock: ManualClock) -> None:
    first = await resigned(host)
    # Practice results have numbers, too, between those of the others.
    alone = await running(host, "ambush", 1, 1, guild_id=GUILD)
    await host.play.resign(alone.id, ANN.user_id)
    clock.advance(timedelta(days=1, hours=1))
    await play_on(host, await running(host, "saboteur", 3, guild_id=GUILD), Random(1))
    found = json.loads(await exported(host))
    assert first.ended_at is not None
    days = [first.ended_at.date().isoformat(), clock.now().date().isoformat()]
    assert [(each["number"], each["day"]) for each in found["results"]] == list(enumerate(days, 1))
    fields = {name for each in found["results"] for name in each}
    assert fields == {"game", "season", "number", "day", "seats"}
    assert {name for each in found["results"] for seat in each["seats"] for name in seat} <= {"place", "who", "helped"}
    assert not [rating for rating in found["ratings"] if "latest" in rating]
    assert not re.search(r"\d\d:\d\d", json.dumps({**found, "made_at": ""}))


async def many_results(host: Host, database: Database, count: int) -> None:
    """A server with this many results of twelve people, whose ratings are cached."""
    of, rng = Ladder(GUILD, "ambush", 1, False), Random(2)

    def put(connection: Connection) -> None:
        for number in range(1, count + 1):
            winner, loser = rng.sample("abcdefghijkl", 2)
            seats = (written(Entrant(1, winner * 16)), written(Entrant(2, loser * 16)))
            keyed.add_result(connection, of, ResultRow(MatchId(1000 + number), host.now(), seats))

    await database.write(put)
    await host.part(Ratings).bring_up_to_date(of)


# FOUND P2
async def test_the_results_are_written_once_for_all_who_ask_until_there_is_another(
    host: Host, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await many_results(host, database, 30)
    made: list[int] = []
    write = export.Writing.finished
    monkeypatch.setattr(export.Writing, "finished", lambda self: made.append(1) or write(self))
    asking = [exported(host, by=person.user_id) for person in PEOPLE]
    first, *others = [json.loads(text) for text in await asyncio.gather(*asking)]
    assert len(made) == 1
    assert all(other == first for other in others)
    await exported(host)
    assert len(made) == 1
    await resigned(host)
    assert len(json.loads(await exported(host))["results"]) == 31
    assert len(made) == 2


# FOUND P2
async def test_results_are_read_in_slices_on_the_connection_for_what_takes_long(
    host: Host, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("matches.ratings.asking.SLICE", 7)
    await many_results(host, database, 30)
    threads: list[tuple[str, int]] = []
    ask = keyed.results_page

    def asked(connection: Connection, *args: int) -> Any:
        rows = ask(connection, *args)
        threads.append((threading.current_thread().name, len(rows)))
        return rows

    monkeypatch.setattr("matches.ratings.asking.keyed.results_page", asked)
    assert all(table.agrees for table in checked(await exported(host)))
    assert [rows for _, rows in threads] == [7, 7, 7, 7, 2, 0]
    if SERVER is None:
        assert {thread for thread, _ in threads} == {"ambit-long-reads"}


# FOUND P2
async def test_results_that_come_while_a_file_is_written_are_left_out_of_it(
    host: Host, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("matches.ratings.asking.SLICE", 7)
    await many_results(host, database, 30)
    add, come = export.Writing.add_ratings, []

    def slow(self: export.Writing, *args: Any) -> None:
        come.append(asyncio.run_coroutine_threadsafe(resigned(host), loop).result())
        add(self, *args)

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(export.Writing, "add_ratings", slow)
    text = await exported(host)
    assert len(come) == 1
    assert len(json.loads(text)["results"]) == 30
    assert all(table.agrees for table in checked(text))


# FOUND P2
async def test_nobody_takes_the_results_along_without_end(host: Host, clock: ManualClock) -> None:
    await resigned(host)
    limit = Deed.RESULTS
    for _ in range(limit.most):
        await exported(host)
    with pytest.raises(TooSoon, match=limit.refusal):
        await exported(host)
    await exported(host, by=BOB.user_id)
    clock.advance(limit.each)
    await exported(host)


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for each in value.values() for leaf in leaves(each)]
    return [leaf for each in value for leaf in leaves(each)] if isinstance(value, list) else [value]


async def test_nothing_of_another_server_is_in_it(host: Host) -> None:
    await resigned(host)
    assert json.loads(await exported(host, GUILD + 1))["results"] == []


@pytest.mark.parametrize("wrong", ["", "[]", "{}", '{"format": "ambit ratings 1"}', "null", "3"])
def test_what_is_no_such_file_is_refused_in_a_sentence(
    wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.json"
    file.write_text(wrong, encoding="utf-8")
    assert main([str(file)]) == 2
    assert capsys.readouterr().err.startswith("This isn't a file of results")
    assert main([str(tmp_path / "nowhere.json")]) == 2


def test_a_file_with_something_that_cannot_be_read_is_refused(text: str) -> None:
    found = json.loads(text)
    for place, value in (("results", [{}]), ("people", []), ("ratings", [{"game": 3}]), ("scheme", 0)):
        with pytest.raises(FileError):
            checked(json.dumps({**found, place: value}))


# FOUND E6
@pytest.mark.parametrize(
    "wrong",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        "9" * 5000,
        '"\\ud800"',
        '{"format": "\\u001b[31m\\ud800", "scheme": "\\u0007"}',
        "\x00",
    ],
)
def test_a_file_made_to_annoy_is_refused_in_a_sentence_without_terminal_escapes(
    wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "results.json"
    file.write_text(wrong, encoding="utf-8")
    assert main([str(file)]) == 2
    said = capsys.readouterr().err
    assert said.rstrip("\n").isprintable()
    assert said.endswith(".\n")


# FOUND E6
@pytest.mark.parametrize("value", [None, [], "x", {}, True, 10**400, [[[]]]])
@pytest.mark.parametrize("name", ["mu", "sigma", "matches", "won", "met"])
def test_a_rating_that_is_no_number_is_refused(text: str, name: str, value: Any) -> None:
    found = json.loads(text)
    found["ratings"][0][name] = value
    with pytest.raises(FileError):
        checked(json.dumps(found))


# FOUND E6
def test_names_in_a_file_cannot_move_the_cursor(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, found = tmp_path / "results.json", json.loads(text)
    found["people"] = [{"name": f"\x1b[2J\ud800\u202e\r{number}"} for number in range(len(found["people"]))]
    for each in (*found["results"], *found["ratings"]):
        each["game"] = "\x1b[1m"
    file.write_text(json.dumps(found), encoding="utf-8")
    main([str(file)])
    assert all(line.isprintable() for line in capsys.readouterr().out.split("\n"))
