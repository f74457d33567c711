"""How fast Discord lets a bot ask: buckets by route, an interaction's and a channel's followups, and the global limit.

Discord doesn't document these numbers; people have observed them.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from .timing import Timepiece

Rate = tuple[int, float]
"""This many requests in this many seconds."""

GLOBAL: Final[Rate] = (50, 1.0)
MESSAGES: Final[Rate] = (5, 5.0)
OLD_EDITS: Final[Rate] = (3, 6.0)
FOLLOWUPS: Final[Rate] = (5, 2.0)
CHANNEL_FOLLOWUPS: Final[Rate] = (30, 60.0)
OTHER: Final[Rate] = (50, 1.0)


class TooFast(Exception):
    """A request that Discord answers with 429."""

    def __init__(self, retry_after: float, scope: str, code: int = 0) -> None:
        super().__init__(f"429 for {retry_after:.2f} s ({scope})")
        self.retry_after, self.scope, self.code = retry_after, scope, code


class Reading(NamedTuple):
    """What the headers of an answer say about its bucket."""

    bucket: str
    limit: int
    remaining: int
    reset: float
    reset_after: float

    def headers(self) -> dict[str, str]:
        """The five headers."""
        return {
            "X-RateLimit-Bucket": self.bucket,
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Reset": f"{self.reset:.3f}",
            "X-RateLimit-Reset-After": f"{self.reset_after:.3f}",
        }


@dataclass
class _Window:
    ends: float = 0.0
    used: int = 0


@dataclass
class Limits:
    """All buckets. Unless `paced`, nothing is refused or slowed, but everything is counted.

    `overall` limits all requests together, in a window that begins anywhere. `overall_kept` refuses the excess even if
    nothing else is paced.
    """

    time: Timepiece
    paced: bool = True
    refused: int = 0
    overall: Rate = GLOBAL
    overall_kept: bool = False
    _all: deque[float] = field(default_factory=deque)
    _windows: dict[str, _Window] = field(default_factory=dict)

    def take_of_all(self) -> None:
        """Count a request among all of them. Raises TooFast."""
        limit, seconds = self.overall
        now = self.time.now()
        while self._all and self._all[0] <= now - seconds:
            self._all.popleft()
        if (self.paced or self.overall_kept) and len(self._all) >= limit:
            self.refused += 1
            raise TooFast(self._all[0] + seconds - now, "global")
        self._all.append(now)

    def take(self, bucket: str, rate: Rate, *, scope: str = "user", code: int = 0) -> Reading:
        """Count a request. Raises TooFast."""
        limit, seconds = rate
        now = self.time.now()
        window = self._windows.setdefault(bucket, _Window())
        if now >= window.ends:
            window.ends, window.used = now + seconds, 0
        window.used += 1
        remaining = limit - window.used
        if self.paced and remaining < 0:
            self.refused += 1
            raise TooFast(window.ends - now, scope, code)
        return Reading(bucket, limit, remaining if self.paced else max(remaining, 1), window.ends, window.ends - now)
