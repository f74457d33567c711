"""Random numbers that follow from a text, so that anybody can compute them again in any language."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

_WORD_BYTES: Final = 8
_WORDS: Final = 1 << (8 * _WORD_BYTES)


class HashedRng:
    """An `Rng` whose block number `b` is the SHA-256 of `head`, `b` and `tail`: ASCII text, with `b` in decimal.

    `docs/fair-deals.md` specifies how numbers follow from the blocks. Stored matches depend on it, so it never changes.
    """

    def __init__(self, head: str, tail: str) -> None:
        self._head, self._tail = head, tail
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """Return the next 64 bits. A block has four such words, each with its most significant byte first."""
        if not self._words:
            digest = sha256(f"{self._head}{self._block}{self._tail}".encode("ascii")).digest()
            self._block += 1
            starts = reversed(range(0, len(digest), _WORD_BYTES))
            self._words = [int.from_bytes(digest[start : start + _WORD_BYTES], "big") for start in starts]
        return self._words.pop()

    def randrange(self, stop: int, /) -> int:
        """Return a number ``0 .. stop - 1``. Words are skipped until one is below the largest multiple of `stop`."""
        if not 0 < stop <= _WORDS:
            raise ValueError(f"randrange needs a number from 1 to 2^64, not {stop}.")
        limit = _WORDS - _WORDS % stop
        word = self.word()
        while word >= limit:
            word = self.word()
        return word % stop

    def shuffle(self, x: list[Any], /) -> None:
        """Shuffle `x` in place by Fisher-Yates, from the last place down to the second."""
        for last in range(len(x) - 1, 0, -1):
            other = self.randrange(last + 1)
            x[last], x[other] = x[other], x[last]
