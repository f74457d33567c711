"""The order of waiting work: by rank, then by turns of its owners."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.engine.fair_queue import PATIENCE, FairQueue, Rank

ANN, BOB, CLEO = 1, 2, 3


def filled(*waiting: tuple[int | None, int]) -> FairQueue[str]:
    """A queue with this many items of each owner, one owner after the other: ``1a``, ``1b`` …"""
    queue: FairQueue[str] = FairQueue()
    for owner, count in waiting:
        for number in range(count):
            queue.push(f"{owner}{'abcdefghij'[number]}", owner)
    return queue


def emptied(queue: FairQueue[str]) -> list[str]:
    order = []
    while queue:
        order.append(queue.pop())
    return order


def test_a_person_with_ten_waiting_delays_another_by_one() -> None:
    assert emptied(filled((ANN, 10), (BOB, 1)))[:3] == ["1a", "2a", "1b"]


def test_whoever_comes_while_work_is_done_for_another_is_next() -> None:
    queue = filled((ANN, 10))
    assert queue.pop() == "1a"
    queue.push("2a", BOB)
    assert emptied(queue)[:2] == ["2a", "1b"]


def test_of_one_person_the_order_is_kept_and_all_have_their_turns() -> None:
    assert emptied(filled((ANN, 3), (None, 1), (CLEO, 2))) == ["1a", "Nonea", "3a", "1b", "3b", "1c"]


def test_a_lower_rank_comes_first_whoever_waits() -> None:
    queue = filled((ANN, 2))
    queue.push("later", BOB, 1)
    queue.push("sooner", BOB, -1)
    assert emptied(queue) == ["sooner", "1a", "1b", "later"]


# FOUND P1
def test_work_for_which_only_spectators_wait_comes_last_but_is_not_passed_over_for_ever() -> None:
    queue: FairQueue[str] = FairQueue()
    queue.push("watched", CLEO, Rank.WATCHED)
    queue.push("animation", BOB, Rank.LONG)
    order = []
    for number in range(3 * PATIENCE):
        queue.push(f"turn {number}", ANN, Rank.TABLE)
        queue.push(f"hint {number}", BOB, Rank.PERSON)
        order.append(queue.pop())
    places = [order.index(each) for each in ("hint 0", "animation", "watched")]
    assert places == sorted(places)
    assert places[0] == PATIENCE, "the first to be passed over so often"
    assert places[-1] <= PATIENCE + 2


# FOUND P1
def test_a_rank_that_had_its_turn_waits_as_long_for_the_next() -> None:
    queue: FairQueue[str] = FairQueue()
    for number in range(3):
        queue.push(f"watched {number}", CLEO, Rank.WATCHED)
    order = []
    for _ in range(3 * (PATIENCE + 1)):
        queue.push("turn", ANN, Rank.TABLE)
        order.append(queue.pop())
    assert [place for place, each in enumerate(order) if each != "turn"] == [
        PATIENCE,
        2 * PATIENCE + 1,
        3 * PATIENCE + 2,
    ]


def test_whoever_comes_again_and_again_keeps_nobody_waiting_for_ever() -> None:
    queue = filled((ANN, 3))
    order = []
    for number in range(6):
        queue.push(f"again {number}", BOB)
        queue.push(f"and again {number}", CLEO)
        order.append(queue.pop())
    assert {"1a", "1b"} <= set(order)


def test_what_is_removed_has_no_turn_and_delays_nobody() -> None:
    queue = filled((ANN, 3), (BOB, 1))
    queue.remove("1b")
    queue.remove("1b")
    queue.remove("2a")
    assert queue.count(BOB) == 0
    assert emptied(queue) == ["1a", "1c"]


def test_it_says_how_much_of_a_person_waits() -> None:
    queue = filled((ANN, 3), (BOB, 1))
    queue.push("other", ANN, 1)
    assert [queue.count(owner) for owner in (ANN, BOB, None)] == [4, 1, 0]
    assert sorted(queue.clear()) == ["1a", "1b", "1c", "2a", "other"]
    assert queue.count(ANN) == 0
    assert not queue
    with pytest.raises(IndexError):
        queue.pop()


@given(st.integers(0, 1 << 32))
def test_nobody_who_waits_is_overtaken_more_than_twice_by_the_same_person(seed: int) -> None:
    rng = Random(seed)
    queue: FairQueue[tuple[int, int]] = FairQueue()
    waiting: dict[int, list[int]] = {}
    overtaken: dict[int, dict[int, int]] = {}
    for number in range(200):
        if rng.random() < 0.5 or not queue:
            owner = rng.randrange(5)
            queue.push((owner, number), owner)
            if not waiting.setdefault(owner, []):
                overtaken[owner] = {}
            waiting[owner].append(number)
        else:
            owner, first = queue.pop()
            assert first == waiting[owner].pop(0)
            overtaken[owner] = {}
            for other in (each for each, line in waiting.items() if line and each != owner):
                overtaken[other][owner] = overtaken[other].get(owner, 0) + 1
                # Once in a round in which the other one already had a turn, and once in the next.
                assert overtaken[other][owner] <= 2, f"{owner} overtook {other}"
