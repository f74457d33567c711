"""A server's results as a file, from which its ratings follow to the bit."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from matches import Host, PlayerSettings
from matches.ratings.__main__ import main
from matches.ratings.export import FileError, checked
from tests.matches.tables import PEOPLE, play_on, running
from tests.matches.test_ratings import ANN, BOB, GUILD, resigned


@pytest.fixture
async def text(host: Host) -> str:
    """The file of a server with two seasons and two games, a computer at a table, and somebody who plays alone."""
    for loser in (BOB, ANN, BOB):
        await resigned(host, loser)
    await host.ratings.begin_season(GUILD)
    await resigned(host, ANN)
    match = await running(host, "abissal", 2, 1, guild_id=GUILD)
    await host.play.resign(match.id, BOB.user_id)
    await play_on(host, await host.look.match(match.id), Random(3))
    alone = await running(host, "ambush", 1, 1, guild_id=GUILD)
    await host.play.resign(alone.id, ANN.user_id)
    return await host.ratings.exported(GUILD)


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
            "Ambush, season 2: 1 result",
        ]
        assert said.endswith("Every number follows from the results, to the bit.\n")


def test_a_number_that_was_changed_is_found(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.json"
    for name in ("mu", "sigma", "matches", "won"):
        found = json.loads(text)
        found["ratings"][0][name] += 2**-30 if name in ("mu", "sigma") else 1
        file.write_text(json.dumps(found), encoding="utf-8")
        assert main([str(file)]) == 1
        assert capsys.readouterr().out.count("not what the results come to") == 1


def test_who_was_left_out_is_missed(text: str) -> None:
    found = json.loads(text)
    del found["ratings"][0]
    assert not all(table.agrees for table in checked(json.dumps(found)))


def test_somebody_alone_against_computers_is_not_in_it(text: str) -> None:
    found = json.loads(text)
    assert len(found["results"]) == 5
    assert {tuple(seat for seat in each) for each in found["people"]} == {("name",)}
    assert all(sum("who" in seat for seat in each["seats"]) >= 2 for each in found["results"])


async def test_who_hides_or_is_forgotten_goes_by_a_key(host: Host) -> None:
    await resigned(host)
    await host.settings.set_player_settings(ANN.user_id, PlayerSettings(hidden=True))
    await host.privacy.forget(BOB.user_id)
    text = await host.ratings.exported(GUILD)
    for person in PEOPLE[:2]:
        assert person.name not in text
        assert str(person.user_id) not in [str(value) for value in leaves(json.loads(text)["people"])]
    assert [[*each] for each in json.loads(text)["people"]] == [["key"], ["key"]]
    assert all(table.agrees for table in checked(text))


def leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for each in value.values() for leaf in leaves(each)]
    return [leaf for each in value for leaf in leaves(each)] if isinstance(value, list) else [value]


async def test_nothing_of_another_server_is_in_it(host: Host) -> None:
    await resigned(host)
    assert json.loads(await host.ratings.exported(GUILD + 1))["results"] == []


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
