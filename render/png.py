"""Palette rows to a PNG file: one byte a pixel, unfiltered, deflated in bands that are kept.

Pillow's encoder would filter every row and look at the whole picture each time. Flat art on a palette is smallest
unfiltered, and between two actions of a match much of a picture stays as it is: each band of rows is deflated by
itself (so that bands can be joined in any order) and looked up first by what it contains. `isal` was measured instead
of zlib: it saves 4 ms of 7 a picture and makes the file 70 % larger.
"""

from __future__ import annotations

import struct
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from threading import Lock
from typing import Final, NamedTuple

BAND_ROWS: Final = 16
"""Most rows of a band: few enough that one action leaves many bands alone, enough that each deflates well."""

ROWS_ABOVE: Final = 2
"""Rows above a band, of the same part of the picture, that it is deflated with: it begins as they end."""

KEPT_BANDS: Final = 16_000
"""Deflated bands that are kept, about 1 kB each: those of some hundred matches that are played at the same time."""

_LEVEL: Final = 6
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_ZLIB_HEADER: Final = b"\x78\x9c"
_LAST_BLOCK: Final = b"\x03\x00"
_ADLER: Final = 65521
"""The modulus of Adler-32."""


Key = tuple[int, int]
"""Two hashes: of the rows above a band, and of its own."""


class Band(NamedTuple):
    """Some rows: as deflate blocks that end on a byte and refer to nothing before them, and their Adler-32."""

    deflated: bytes
    checksum: int
    length: int


class KeptBands:
    """Deflated bands by what is in them, the least recently used ones forgotten."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[Key, Band] = OrderedDict()
        self._lock = Lock()

    def band(self, rows: bytes | memoryview, above: bytes | memoryview = b"") -> Band:
        """These rows deflated, now or at an earlier time; what stands directly `above` them may be referred to."""
        key = self._key(rows, above)
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zlib.Z_DEFAULT_STRATEGY, above)
        made = Band(packer.compress(rows) + packer.flush(zlib.Z_FULL_FLUSH), zlib.adler32(rows), len(rows))
        with self._lock:
            self._kept[key] = made
            if len(self._kept) > self._size:
                self._kept.popitem(last=False)
        return made

    def holds(self, rows: bytes, above: bytes = b"") -> bool:
        """Whether a band is kept; asking does not count as use."""
        with self._lock:
            return self._key(rows, above) in self._kept

    @staticmethod
    def _key(rows: bytes | memoryview, above: bytes | memoryview) -> Key:
        # Python's own hash of bytes has 64 bits and a secret of this process in it: among some thousand bands two that
        # differ are never met with one hash, and it takes a third of the time of SHA-256, which was most of a redraw.
        return hash(bytes(above)), hash(bytes(rows))

    def clear(self) -> None:
        """Forget every band (benchmarks measure a first drawing so)."""
        self.restore({})

    def snapshot(self) -> Mapping[Key, Band]:
        """What is kept now, for `restore`."""
        with self._lock:
            return self._kept.copy()

    def restore(self, kept: Mapping[Key, Band]) -> None:
        """Keep what was kept then, and nothing else."""
        with self._lock:
            self._kept = OrderedDict(kept)


BANDS: Final = KeptBands(KEPT_BANDS)


def _checksum(bands: list[Band]) -> int:
    """The Adler-32 of bands one after the other, from those of each."""
    low, high = 1, 0
    for band in bands:
        high = (high + (band.checksum >> 16) + band.length * (low - 1)) % _ADLER
        low = (low + (band.checksum & 0xFFFF) - 1) % _ADLER
    return high << 16 | low


def _chunk(kind: bytes, data: bytes) -> bytes:
    return b"".join((struct.pack(">I", len(data)), kind, data, struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))))


def _cuts(height: int, seams: Iterable[int]) -> Iterator[tuple[int, int, int]]:
    """The bands: evenly between two seams. Of each the first of the rows above it that it may refer to, top, end."""
    for start, stop in pairwise(sorted({0, height, *(seam for seam in seams if 0 < seam < height)})):
        parts = -(-(stop - start) // BAND_ROWS)
        tops = [start + (stop - start) * part // parts for part in range(parts + 1)]
        for top, end in pairwise(tops):
            yield max(start, top - ROWS_ABOVE), top, end


def encode(width: int, height: int, rows: bytes, palette: bytes, seams: Iterable[int] = ()) -> bytes:
    """A PNG file of `height` rows of ``1 + width`` bytes: a zero (the row's filter: none), then palette indices.

    `palette` holds three bytes a colour. At `seams`, rows where another part of the picture begins, a new band begins
    too, so that a part is the same bands wherever it stands. Raises ValueError when the number of bytes does not fit
    the size.
    """
    stride = width + 1
    if len(rows) != stride * height:
        raise ValueError(f"{height} rows of {stride} bytes were expected, {len(rows)} bytes came.")
    view = memoryview(rows)
    bands = [
        BANDS.band(view[stride * top : stride * end], view[stride * above : stride * top])
        for above, top, end in _cuts(height, seams)
    ]
    deflated = (band.deflated for band in bands)
    data = b"".join((_ZLIB_HEADER, *deflated, _LAST_BLOCK, struct.pack(">I", _checksum(bands))))
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return b"".join(
        (_SIGNATURE, _chunk(b"IHDR", header), _chunk(b"PLTE", palette), _chunk(b"IDAT", data), _chunk(b"IEND", b""))
    )
