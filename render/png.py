"""A PNG encoder for palette images: one byte a pixel, unfiltered, deflated in bands of rows that are cached.

Pillow's encoder would filter every row and compress the whole picture each time. Flat art on a palette is smallest
unfiltered, and much of a picture stays the same between two actions of a match. So each band is deflated by itself,
which lets bands be joined in any order, and is cached by its content. zlib-ng takes two thirds of zlib's time and makes
the file 3 % smaller; its bytes differ by processor and version. `isal` was measured, too: it saves 4 ms of 7 a picture
and makes the file 70 % larger. libdeflate can't join bands, and a whole picture takes it longer than the bands that an
action changes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from itertools import pairwise
from threading import Lock
from typing import Final, NamedTuple

from cachetools import LRUCache
from zlib_ng import zlib_ng as zlib

BAND_ROWS: Final = 16
"""Most rows of a band: few enough that an action changes few bands, enough that each deflates well."""

ROWS_ABOVE: Final = 2
"""Rows above a band, in the same part of the picture, that are the dictionary for deflating it."""

MAX_BANDS: Final = 16_000
"""Most bands in the cache, about 1 kB each: enough for some hundred matches at the same time."""

_LEVEL: Final = 6
_ONCE: Final = 9
"""How hard zlib-ng tries for a picture that is drawn once."""

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_ZLIB_HEADER: Final = b"\x78\x9c"
_LAST_BLOCK: Final = b"\x03\x00"
_ADLER: Final = 65521
"""The modulus of Adler-32."""


Key = tuple[int, int]
"""The hash of a band with the rows above it, and how many bytes those above have."""


class Band(NamedTuple):
    """Some rows as deflate blocks that end on a whole byte, their Adler-32, and their length in bytes."""

    deflated: bytes
    checksum: int
    length: int


BANDS: Final[LRUCache[Key, Band]] = LRUCache(MAX_BANDS)
"""Deflated bands by their content; the least recently used are dropped first."""


_LOCK: Final = Lock()


def band(data: bytes, above: int = 0) -> Band:
    """Deflate rows, or return them from the cache. The first bytes, so many as `above` says, are the dictionary."""
    # Python's hash of bytes has 64 bits and is seeded with a secret of the process, so bands that differ won't collide.
    # It takes a third of the time of SHA-256, which would be most of the time of a redraw.
    key = hash(data), above
    with _LOCK:
        found = BANDS.get(key)
    if found is None:
        rows = data[above:]
        packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, 8, zlib.Z_DEFAULT_STRATEGY, data[:above])
        found = Band(packer.compress(rows) + packer.flush(zlib.Z_FULL_FLUSH), zlib.adler32(rows), len(rows))
        with _LOCK:
            BANDS[key] = found
    return found


def _checksum(bands: list[Band]) -> int:
    """The Adler-32 of joined bands, computed from that of each."""
    low, high = 1, 0
    for each in bands:
        high = (high + (each.checksum >> 16) + each.length * (low - 1)) % _ADLER
        low = (low + (each.checksum & 0xFFFF) - 1) % _ADLER
    return high << 16 | low


def _chunk(kind: bytes, data: bytes) -> bytes:
    return b"".join((struct.pack(">I", len(data)), kind, data, struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))))


def _cuts(height: int, seams: Iterable[int]) -> Iterator[tuple[int, int, int]]:
    """Cut rows into bands, evenly between two seams. Of each: the first row of its dictionary, its top and its end."""
    for start, stop in pairwise(sorted({0, height, *(seam for seam in seams if 0 < seam < height)})):
        parts = -(-(stop - start) // BAND_ROWS)
        tops = [start + (stop - start) * part // parts for part in range(parts + 1)]
        for top, end in pairwise(tops):
            yield max(start, top - ROWS_ABOVE), top, end


def _in_bands(rows: bytes, stride: int, cuts: Iterable[tuple[int, int, int]]) -> bytes:
    """The rows as a zlib stream, deflated band by band."""
    bands = [band(rows[stride * above : stride * end], stride * (top - above)) for above, top, end in cuts]
    deflated = (each.deflated for each in bands)
    return b"".join((_ZLIB_HEADER, *deflated, _LAST_BLOCK, struct.pack(">I", _checksum(bands))))


def encode(
    width: int, height: int, rows: bytes, palette: bytes, seams: Iterable[int] = (), *, once: bool = False
) -> bytes:
    """Encode `height` rows of ``1 + width`` bytes as a PNG file: a zero (the row's filter: none), then palette indices.

    `palette` has three bytes a colour. `seams` are the rows at which parts of the picture begin. A band begins at each,
    so that a part has the same bands wherever it stands. A picture that is drawn only `once` has no bands, and is some
    15 % smaller. Raises ValueError if the number of bytes doesn't fit the size.
    """
    stride = width + 1
    if len(rows) != stride * height:
        raise ValueError(f"{height} rows of {stride} bytes were expected, {len(rows)} bytes came.")
    data = zlib.compress(rows, _ONCE) if once else _in_bands(rows, stride, _cuts(height, seams))
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return b"".join(
        (_SIGNATURE, _chunk(b"IHDR", header), _chunk(b"PLTE", palette), _chunk(b"IDAT", data), _chunk(b"IEND", b""))
    )
