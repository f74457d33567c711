"""Every press passes this gate before anything reads it: two processes may get it, and one of them answers."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, NamedTuple

import discord

from cogs import internals

KEPT: Final = 10.0
"""Seconds for which the gate holds a press, or remembers that it has taken it."""

JUDGED: Final = 50
"""How many presses show whether this machine's clock is behind Discord's."""

INTERACTION: Final = "INTERACTION_CREATE"


class _Came(NamedTuple):
    at: float
    id: int
    data: Mapping[str, Any]


class Gate:
    """Takes the presses of a client, or holds them while another process answers. Make it before it connects.

    `doubtful` are presses that another process may have answered before it died. Discord is asked before anything is
    done for them.
    """

    def __init__(self, client: discord.Client) -> None:
        parsers = internals.parsers(client)
        self._take: Callable[[Any], None] = parsers[INTERACTION]
        self._held: deque[_Came] = deque()
        self._taken: deque[_Came] = deque()
        self._left: list[_Came] = []
        self._delays: deque[float] = deque(maxlen=JUDGED)
        """How many seconds the last presses took to come, by this machine's clock."""
        self.holds = False
        self.doubtful: set[int] = set()
        parsers[INTERACTION] = self._come

    def hold(self) -> None:
        """Take no press from now on. Hold each for `KEPT` seconds."""
        self.holds = True

    def taken(self) -> tuple[int, ...]:
        """Return the ids of the presses that were taken within the last seconds."""
        self._forget()
        return tuple(each.id for each in self._taken)

    def open(self, without: Collection[int] = (), *, in_doubt: bool = False) -> None:
        """Take the held presses, except `without`, and all later ones. `in_doubt`: the held ones are `doubtful`."""
        self.holds = False
        self._forget()
        held, self._held = self._held, deque()
        self._left = [each for each in held if each.id in without]
        self._accept_all([each for each in held if each.id not in without], in_doubt=in_doubt)

    def reconsider(self) -> None:
        """Take the presses that `open` left out, as `doubtful` ones: the process that had taken them has died."""
        left, self._left = self._left, []
        self._accept_all(left, in_doubt=True)

    def _accept_all(self, presses: Collection[_Came], *, in_doubt: bool) -> None:
        for each in presses:
            if in_doubt:
                self.doubtful.add(each.id)
            self._accept(each)

    def age(self, press: int) -> float:
        """Return how many seconds ago this press was made, corrected if this machine's clock is behind Discord's."""
        return _since(press) - min(0.0, min(self._delays, default=0.0))

    def _come(self, data: Mapping[str, Any]) -> None:
        came = _Came(time.monotonic(), int(data["id"]), data)
        self._delays.append(_since(came.id))
        self._forget()
        if self.holds:
            self._held.append(came)
        else:
            self._accept(came)

    def _accept(self, came: _Came) -> None:
        self._taken.append(came._replace(data={}))
        self._take(came.data)

    def _forget(self) -> None:
        for kept in (self._held, self._taken):
            while kept and time.monotonic() - kept[0].at > KEPT:
                self.doubtful.discard(kept.popleft().id)


def _since(press: int) -> float:
    return (discord.utils.utcnow() - discord.utils.snowflake_time(press)).total_seconds()
