"""One thing at a time: nobody waits for all of somebody else's wishes, or for a person who has given up."""

import asyncio

from matches.engine.fair_lock import FairLock


async def test_what_waits_has_its_turn_by_owners_and_who_gives_up_leaves_it_to_the_next() -> None:
    lock, done, go_on = FairLock(), list[str](), asyncio.Event()

    async def work(owner: int, name: str) -> None:
        async with lock.hold(owner):
            await go_on.wait()
            done.append(name)

    tasks = {name: asyncio.create_task(work(int(name[0]), name)) for name in ("1a", "1b", "1c", "1d", "2a", "3a")}
    await asyncio.sleep(0)
    tasks["1b"].cancel()
    go_on.set()
    await asyncio.gather(*tasks.values(), return_exceptions=True)
    assert done.index("2a") < done.index("1d")
    assert done.index("3a") < done.index("1d")
    assert sorted(done) == ["1a", "1c", "1d", "2a", "3a"]
    await work(1, "again")
    assert done[-1] == "again"


async def test_whoever_is_cancelled_while_they_are_called_passes_their_turn_on() -> None:
    lock, done = FairLock(), list[str]()

    async def work(name: str) -> None:
        async with lock.hold(None):
            done.append(name)

    async with lock.hold(None):
        called, behind = asyncio.create_task(work("called")), asyncio.create_task(work("behind"))
        await asyncio.sleep(0)
    called.cancel()
    await asyncio.gather(called, behind, return_exceptions=True)
    assert done == ["behind"]
