"""What each line of the log says about the process."""

from __future__ import annotations

import logging

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
