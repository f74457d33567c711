"""A JSON file that is compressed as it grows, so that it is never in memory as a whole."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from matches.errors import NotAllowed

MAX_BYTES: Final = 10_000_000
"""The largest compressed file: Discord takes it from bots on any server."""

_GZIP: Final = 16 + zlib.MAX_WBITS


class Packed(NamedTuple):
    """A gzip file, and its size unpacked."""

    data: bytes
    size: int


class Packing:
    """Writes a JSON object, one value after another.

    It can continue a file that was `begun`: it appends another member to the same gzip file. Raises NotAllowed if the
    file gets too large for Discord, unless it is `unlimited`.
    """

    def __init__(self, begun: Packed | None = None, *, unlimited: bool = False) -> None:
        begun = begun or Packed(b"", 0)
        self._unlimited = unlimited
        self._packer = zlib.compressobj(wbits=_GZIP)
        self._parts = [begun.data]
        self._packed, self._size = len(begun.data), begun.size
        self._before = "{\n" if not begun.size else ",\n"
        self._list: str | None = None

    def put(self, name: str, value: Any) -> None:
        """Write a value."""
        self._end_list()
        self._write(f"{self._before}{json.dumps(name)}: {_json(value)}")
        self._before = ",\n"

    def add(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Append rows to the list with this name, one a line. The next value with another name ends the list."""
        text = ""
        if self._list != name:
            self._end_list()
            text, self._list, self._before = f"{self._before}{json.dumps(name)}: [", name, "\n"
        for row in rows:
            text += self._before + _json(row)
            self._before = ",\n"
        self._write(text)

    def broken_off(self) -> Packed:
        """Return the beginning of the file, which another `Packing` can continue."""
        self._end_list()
        return self._packed_up()

    def finished(self) -> Packed:
        """Return the whole file."""
        self._end_list()
        self._write("\n}\n")
        return self._packed_up()

    def _end_list(self) -> None:
        if self._list is not None:
            self._write("\n]")
            self._list, self._before = None, ",\n"

    def _write(self, text: str) -> None:
        data = text.encode()
        self._size += len(data)
        self._keep(self._packer.compress(data))

    def _packed_up(self) -> Packed:
        self._keep(self._packer.flush())
        return Packed(b"".join(self._parts), self._size)

    def _keep(self, packed: bytes) -> None:
        self._parts.append(packed)
        self._packed += len(packed)
        if self._packed > MAX_BYTES and not self._unlimited:
            raise NotAllowed("There's too much of it for one file on Discord.")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_written)


def _written(value: object) -> str | float:
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(value)
