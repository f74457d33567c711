"""Recomputes ratings that are missing or come from another version, once for all who wait."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from db.model.rating_rows import Ladder
from matches.engine.workers import WorkerDied, Workers
from matches.errors import Unavailable
from matches.ratings import ladder, storing
from matches.ratings.ladder import Computed
from matches.ratings.result import Result
from matches.ratings.storing import FEW
from matches.work.unit_of_work import UnitOfWork


class Upkeep:
    """Keeps ladders up to date. At most one computation of each is under way in this process."""

    def __init__(self, work: UnitOfWork, workers: Workers) -> None:
        self._work = work
        self._workers = workers
        self._under_way: dict[Ladder, asyncio.Task[None]] = {}

    async def bring_up_to_date(self, of: Ladder) -> None:
        """Return once a ladder's stored ratings include all its results. Raises Unavailable."""
        if await self._work.read(storing.is_complete, of):
            return
        task = self._under_way.get(of)
        if task is None:
            task = self._under_way[of] = asyncio.create_task(self._compute(of))
            task.add_done_callback(partial(self._over, of))
        # The computation goes on for the others if one of them is cancelled.
        await asyncio.shield(task)

    def _over(self, of: Ladder, task: asyncio.Task[None]) -> None:
        del self._under_way[of]
        if not task.cancelled():
            # Marks it as seen: everybody who waited for it may have been cancelled.
            task.exception()

    async def _compute(self, of: Ladder) -> None:
        """Compute all results, then on top of them those that came meanwhile, until none are left."""
        whole, latest, count = Computed({}, [], {}), 0, 0
        while not await self._work.read(storing.is_complete, of):
            still, results = await self._work.read_at_length(of.guild_id, storing.left, of, latest)
            if still != count:
                # Somebody's data was deleted meanwhile, and their practice results with it.
                whole, latest, count = Computed({}, [], {}), 0, 0
                continue
            whole = await self._extended(of.game, results, whole)
            latest, count = max([latest, *(one.number for one in results)]), count + len(results)
            await self._work.write(storing.replace, of, whole, latest, count)

    async def _extended(self, game: str, results: Sequence[Result], whole: Computed) -> Computed:
        if len(results) <= FEW:
            return ladder.computed(game, results, whole)
        try:
            return await self._workers.run(ladder.computed, game, results, whole)
        except WorkerDied as error:
            raise Unavailable("I couldn't compute the ratings. Please try again later.") from error
