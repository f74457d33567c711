"""What each line of the log says about the process."""

import json
import logging
from datetime import datetime

import pytest

from cogs import log_format
from tests.cogs.test_secrets import logged


@pytest.mark.parametrize(
    ("numbers", "text"), [((0,), "0"), ((3, 1, 2), "1-3"), ((0, 2, 3, 7), "0,2-3,7"), ((4, 5), "4-5")]
)
def test_neighbours_are_named_as_a_range(numbers: tuple[int, ...], text: str) -> None:
    assert log_format.in_ranges(numbers) == text


def test_each_line_names_the_shards_of_a_process_that_carries_only_some() -> None:
    with logged(shards=(0, 1, 4)) as said:
        logging.getLogger("ambit").warning("match %s: 100%% told", 7)
        logging.getLogger("ambit").warning(OSError("the disk is full"))
    first, second = said.getvalue().splitlines()
    assert first.endswith("[shards 0-1,4] match 7: 100% told")
    assert second.endswith("[shards 0-1,4] the disk is full")


def test_a_process_that_carries_all_names_none() -> None:
    with logged() as said:
        logging.getLogger("ambit").warning("told")
    assert "shards" not in said.getvalue()


def test_as_json_each_line_is_one_object_with_the_same_discretion() -> None:
    with logged(shards=(0, 1), as_json=True) as said:
        logging.getLogger("ambit").warning("match %s: “told”", 7)
        try:
            raise ValueError(" ".join(("the", "king")))
        except ValueError:
            logging.getLogger("ambit").exception("error")
    first, second = map(json.loads, said.getvalue().splitlines())
    assert {**first, "time": ""} == {
        "time": "",
        "level": "warning",
        "logger": "ambit",
        "message": "match 7: “told”",
        "shards": "0-1",
    }
    assert datetime.fromisoformat(first["time"]).tzinfo is not None
    assert "ValueError" in second["exception"]
    assert "the king" not in said.getvalue()


def test_without_a_terminal_the_log_has_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    # discord.py takes a container for a terminal.
    monkeypatch.setattr("discord.utils.is_docker", lambda: True)
    with logged() as said:
        logging.getLogger("ambit").warning("told")
    assert "\x1b" not in said.getvalue()
    assert said.getvalue().endswith("] [WARNING ] ambit: told\n")
