"""Equal questions: answered once for everybody who waits, and cached for a while."""

import asyncio
from collections.abc import Hashable
from functools import partial

import pytest

from matches.engine.shared import Shared


class Answering:
    """Work that ends when told to, and records what happens to it."""

    def __init__(self) -> None:
        self.begun: list[Hashable] = []
        self.cancelled: list[Hashable] = []
        self.may_end = asyncio.Event()

    async def work(self, question: str) -> str:
        self.begun.append(question)
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.cancelled.append(question)
            raise
        if not question:
            raise ValueError("no question")
        return question * 2


async def begun(shared: Shared[str], answering: Answering, *questions: str) -> list[asyncio.Task[str]]:
    """Tasks that wait for the answers to these questions."""
    tasks = [asyncio.create_task(shared.get(question, partial(answering.work, question))) for question in questions]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return tasks


async def test_equal_questions_at_the_same_time_are_answered_once() -> None:
    shared, answering = Shared[str](10), Answering()
    asking = await begun(shared, answering, "a", "b", "a", "a")
    answering.may_end.set()
    assert await asyncio.gather(*asking) == ["aa", "bb", "aa", "aa"]
    assert answering.begun == ["a", "b"]


async def test_an_answer_is_kept_until_newer_ones_have_taken_its_place() -> None:
    shared, answering = Shared[str](4, len), Answering()
    answering.may_end.set()
    for question in ("a", "b", "a", "c", "a", "b"):
        await shared.get(question, partial(answering.work, question))
    assert answering.begun == ["a", "b", "c", "b"]
    await shared.get("much", lambda: answering.work("much"))
    await shared.get("b", lambda: answering.work("b"))
    assert answering.begun == ["a", "b", "c", "b", "much"]


async def test_work_goes_on_as_long_as_one_waits_for_it_and_then_stops() -> None:
    shared, answering = Shared[str](10), Answering()
    first, second, third = await begun(shared, answering, "a", "a", "b")
    first.cancel()
    third.cancel()
    await asyncio.gather(first, third, return_exceptions=True)
    assert (answering.begun, answering.cancelled) == (["a", "b"], ["b"])
    answering.may_end.set()
    assert await second == "aa"


async def test_whoever_asks_after_the_last_has_gone_does_not_wait_for_stopped_work() -> None:
    shared, answering = Shared[str](10), Answering()
    (first,) = await begun(shared, answering, "a")
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    (second,) = await begun(shared, answering, "a")
    answering.may_end.set()
    assert await second == "aa"


async def test_a_failure_is_told_to_everybody_who_waits_and_not_kept() -> None:
    shared, answering = Shared[str](10), Answering()
    asking = await begun(shared, answering, "", "")
    answering.may_end.set()
    assert [type(each) for each in await asyncio.gather(*asking, return_exceptions=True)] == [ValueError] * 2
    with pytest.raises(ValueError, match="no question"):
        await shared.get("", lambda: answering.work(""))
    assert answering.begun == ["", ""]
