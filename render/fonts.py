"""The bundled fonts: which face has which letter, text made ready for drawing, widths.

Names come in any script. Text is laid out here and not by the machine's shaping libraries, which differ from place to
place: right-to-left runs are turned round and Arabic letters take their joined forms; what no bundled face has becomes
a drawn mark, never a box.
"""

from __future__ import annotations

import re
import struct
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from PIL import ImageFont

ASSETS: Final = Path(__file__).parent / "assets"

FACES: Final = (
    "Fredoka-SemiBold",
    "Nunito-ExtraBold",
    "NotoSans-Bold",
    "NotoSansArabic-Bold",
    "NotoSansThai-Bold",
    "NotoSansArmenian-Bold",
    "NotoSansGeorgian-Bold",
    "DroidSansFallback",
)
"""Faces in the order in which they are asked for a letter."""

THIN_FACES: Final = frozenset({"DroidSansFallback"})
"""Faces without a bold cut, drawn with a stroke to match the others."""

ELLIPSIS: Final = "…"
ISOLATE: Final = "\u2068"
ISOLATE_END: Final = "\u2069"
_ISOLATES: Final = frozenset({ISOLATE, ISOLATE_END})
_WHITE: Final = re.compile(r"\s+")
_SPLIT: Final = re.compile(f"[{ISOLATE}{ISOLATE_END}]")

MARK: Final = "\ufffc"
"""Stands for something no face has; drawn as a small star."""

MARK_WIDTH: Final = 0.78
"""Width of the mark, in sizes."""


class Run(NamedTuple):
    """A piece of text in one face (``None``: marks), in the order in which it is drawn."""

    face: str | None
    text: str


def _character_map(data: bytes) -> frozenset[int]:
    """The code points a TrueType file has glyphs for, from its `cmap` (formats 4 and 12)."""
    tables = struct.unpack_from(">H", data, 4)[0]
    start = next(
        struct.unpack_from(">I", data, 12 + 16 * i + 8)[0]
        for i in range(tables)
        if data[12 + 16 * i : 16 + 16 * i] == b"cmap"
    )
    found: set[int] = set()
    for i in range(struct.unpack_from(">H", data, start + 2)[0]):
        at = start + struct.unpack_from(">I", data, start + 8 + 8 * i)[0]
        kind = struct.unpack_from(">H", data, at)[0]
        if kind == 4:
            count = struct.unpack_from(">H", data, at + 6)[0] // 2
            ends = struct.unpack_from(f">{count}H", data, at + 14)
            starts = struct.unpack_from(f">{count}H", data, at + 16 + 2 * count)
            for first, last in zip(starts, ends, strict=True):
                found.update(range(first, last + 1))
        elif kind == 12:
            for group in range(struct.unpack_from(">I", data, at + 12)[0]):
                first, last = struct.unpack_from(">II", data, at + 16 + 12 * group)
                found.update(range(first, last + 1))
    return frozenset(found - {0xFFFF})


@cache
def coverage(face: str) -> frozenset[int]:
    """The code points that a bundled face has."""
    return _character_map((ASSETS / f"{face}.ttf").read_bytes())


@lru_cache(maxsize=512)
def font(face: str, size: int) -> ImageFont.FreeTypeFont:
    """A face at a size in pixels; laid out letter by letter, so that every machine draws the same."""
    return ImageFont.truetype(str(ASSETS / f"{face}.ttf"), size, layout_engine=ImageFont.Layout.BASIC)


# Arabic: the forms of a letter are listed in Unicode as compatibility characters; whether a letter joins on its
# left follows from whether it has an initial form.


@cache
def _arabic_forms() -> dict[str, dict[str, str]]:
    forms: dict[str, dict[str, str]] = {}
    for code in (*range(0xFB50, 0xFBB2), *range(0xFBD3, 0xFC00), *range(0xFE80, 0xFEF5)):
        kind, _, rest = unicodedata.decomposition(chr(code)).partition(" ")
        if kind in {"<initial>", "<medial>", "<final>", "<isolated>"} and len(rest) == 4:
            forms.setdefault(chr(int(rest, 16)), {})[kind.strip("<>")] = chr(code)
    return forms


@cache
def _lam_alef() -> dict[str, tuple[str, str]]:
    """Alef letters after a lam: the isolated and the final form of the pair."""
    pairs = {}
    for isolated in range(0xFEF5, 0xFEFC, 2):
        letters = unicodedata.decomposition(chr(isolated)).split()[1:]
        pairs[chr(int(letters[1], 16))] = (chr(isolated), chr(isolated + 1))
    return pairs


def _joined(text: str) -> str:
    """Arabic letters in the forms that their neighbours ask for; marks between letters are left out."""
    forms = _arabic_forms()
    letters = [c for c in text if not (c in "\u0640" or "\u064b" <= c <= "\u065f" or c == "\u0670")]
    out: list[str] = []
    joins_before = False
    place = 0
    while place < len(letters):
        letter = letters[place]
        following = letters[place + 1] if place + 1 < len(letters) else ""
        if letter == "\u0644" and following in _lam_alef():
            out.append(_lam_alef()[following][joins_before])
            joins_before = False
            place += 2
            continue
        known = forms.get(letter, {})
        joins_after = "initial" in known and "final" in forms.get(following, {})
        kind = ("medial" if joins_after else "final") if joins_before else ("initial" if joins_after else "isolated")
        out.append(known.get(kind, letter))
        joins_before = joins_after
        place += 1
    return "".join(out)


_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})
_MIRRORED: Final = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def _in_drawing_order(text: str) -> str:
    """Text as it is seen from left to right: right-to-left runs turned round, numbers in them kept.

    One level of Unicode's bidirectional algorithm, which is what a name needs.
    """
    kinds = [unicodedata.bidirectional(c) for c in text]
    strong = [i for i, kind in enumerate(kinds) if kind in {"L", "R", "AL"}]
    if not any(kinds[i] in _RIGHT_TO_LEFT for i in strong):
        return text
    base = kinds[strong[0]] in _RIGHT_TO_LEFT
    levels = []
    for i, kind in enumerate(kinds):
        if kind in _RIGHT_TO_LEFT:
            levels.append(1)
        elif kind == "L" or kind in {"EN", "AN"}:
            levels.append(2 if kind != "L" or base else 0)
        else:
            before = next((kinds[j] in _RIGHT_TO_LEFT for j in reversed(strong) if j < i), base)
            after = next((kinds[j] in _RIGHT_TO_LEFT for j in strong if j > i), base)
            levels.append(1 if (before and after) or (before != after and base) else (2 if base else 0))
    pieces = list(zip(text, levels, strict=True))
    for level in (2, 1):
        out: list[tuple[str, int]] = []
        for high, group in groupby(pieces, key=lambda piece: piece[1] >= level):
            row = list(group)
            out += (
                [(c.translate(_MIRRORED) if n == 1 and level == 1 else c, n) for c, n in reversed(row)] if high else row
            )
        pieces = out
    return "".join(c for c, _ in pieces)


def _visible(text: str) -> str:
    """One line of composed letters, without what is never seen (controls, joiners, variation selectors)."""
    spaced = _WHITE.sub(" ", unicodedata.normalize("NFC", text))
    return "".join(c for c in spaced if c in _ISOLATES or not _is_never_seen(c))


def _is_never_seen(c: str) -> bool:
    return unicodedata.category(c) in {"Cc", "Cf", "Cs"} or 0xFE00 <= ord(c) <= 0xFE0F


def _face_of(text: str) -> str | None:
    """The first face that has all of `text`."""
    return next((face for face in FACES if all(ord(c) in coverage(face) for c in text)), None)


def _assigned(text: str) -> Iterator[tuple[str | None, str]]:
    """Face and letter, a word in one face where one has all of it."""
    for is_space, letters in groupby(text, key=str.isspace):
        word = "".join(letters)
        whole = FACES[0] if is_space else _face_of(word)
        for c in word:
            yield (whole or _face_of(c), c)


def isolated(name: str) -> str:
    """A name to be put into a sentence, whose direction must not change the sentence's."""
    return f"{ISOLATE}{name}{ISOLATE_END}"


@lru_cache(maxsize=4096)
def runs(text: str) -> tuple[Run, ...]:
    """`text` cut into runs of one face, in drawing order; neighbouring letters without a face share one mark."""
    pieces = _SPLIT.split(_joined(_visible(text)))
    ordered = "".join(_in_drawing_order(piece) for piece in pieces)
    return tuple(
        Run(face, "".join(c for _, c in letters) if face else MARK)
        for face, letters in groupby(_assigned(ordered), key=lambda pair: pair[0])
    )


def is_drawable(text: str) -> bool:
    """Whether anything of `text` can be drawn as a letter (else it would be a mark alone, or nothing)."""
    return any(run.face is not None and not run.text.isspace() for run in runs(text))


def stroke(face: str, size: int) -> int:
    """Extra width of the lines of a face that has no bold cut, in pixels on each side."""
    return max(1, round(size / 44)) if face in THIN_FACES else 0


@lru_cache(maxsize=8192)
def width(text: str, size: int) -> int:
    """How wide `text` is drawn at `size`, in pixels."""
    total = 0.0
    for face, letters in runs(text):
        total += font(face, size).getlength(letters) if face else MARK_WIDTH * size
    return int(total + 0.999)


def wrapped(text: str, size: int, room: int) -> list[str]:
    """`text` in lines of whole words that fit into `room` pixels each, as far as words do."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _clusters(text: str) -> list[str]:
    """Letters with the combining marks that belong to them."""
    out: list[str] = []
    for c in text:
        if out and unicodedata.category(c) in {"Mn", "Mc", "Me"}:
            out[-1] += c
        else:
            out.append(c)
    return out


@lru_cache(maxsize=4096)
def fitted(text: str, size: int, room: int) -> str:
    """`text`, or as much of its beginning as fits into `room` pixels with an ellipsis after it."""
    if width(text, size) <= room:
        return text
    clusters = _clusters(_visible(text))
    low, high = 0, len(clusters)
    while low < high:
        middle = (low + high + 1) // 2
        if width("".join(clusters[:middle]).rstrip() + ELLIPSIS, size) <= room:
            low = middle
        else:
            high = middle - 1
    return "".join(clusters[:low]).rstrip() + ELLIPSIS
