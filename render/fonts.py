"""The bundled fonts: their coverage, the layout of text, and its width.

Names come in any script. Text isn't laid out by the machine's shaping libraries, because they differ from machine to
machine. `python-bidi` reorders right-to-left runs, and `arabic-reshaper` joins Arabic letters. Only the scripts of
India and Cambodia are laid out by Raqm where Pillow has it, because their letters join. Without it they are drawn one
by one, as they are seen. A letter of a style that no face has, such as 𝕯, is drawn as the plain letter. A character
that no bundled face has then is drawn as a mark, never as a box.
"""

from __future__ import annotations

import re
import struct
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from arabic_reshaper import ArabicReshaper
from bidi import get_display
from bidi.mirror import MIRRORED
from PIL import ImageFont, features

ASSETS: Final = Path(__file__).parent / "assets"

SHAPED: Final = tuple(
    f"NotoSans{script}-Bold"
    for script in ["Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Tamil", "Telugu", "Kannada", "Malayalam", "Khmer"]
)
"""The faces of scripts whose letters join in ways that only a shaping library knows."""

_LAYOUT: Final = ImageFont.Layout.RAQM if features.check("raqm") else ImageFont.Layout.BASIC

FACES: Final = (
    "Fredoka-SemiBold",
    "Nunito-ExtraBold",
    "NotoSans-Bold",
    "NotoSansArabic-Bold",
    "NotoSansThai-Bold",
    "NotoSansArmenian-Bold",
    "NotoSansGeorgian-Bold",
    "NotoSansLao-Bold",
    *SHAPED,
    "DroidSansFallback",
)
"""The faces in order of preference: a letter is drawn in the first that has it."""

THIN_FACES: Final = frozenset({"DroidSansFallback"})
"""Faces without a bold cut, drawn with a stroke to match the others."""

ELLIPSIS: Final = "…"
ISOLATE: Final = "\u2068"
ISOLATE_END: Final = "\u2069"
_ISOLATES: Final = frozenset({ISOLATE, ISOLATE_END})
_WHITE: Final = re.compile(r"\s+")

MARK: Final = "\ufffc"
"""Stands for characters that no face has; drawn as a small star."""

MARK_WIDTH: Final = 0.78
"""Width of the mark, as a share of the font size."""


class Run(NamedTuple):
    """A piece of text in one face, in drawing order; a `face` of ``None`` is a mark."""

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
    """A face at a size in pixels. All but `SHAPED` are laid out letter by letter, so every machine draws the same."""
    layout = _LAYOUT if face in SHAPED else ImageFont.Layout.BASIC
    return ImageFont.truetype(str(ASSETS / f"{face}.ttf"), size, layout_engine=layout)


_SPLIT: Final = re.compile("[\u09cb\u09cc\u0bca-\u0bcc\u0d4a-\u0d4c]")
_BEFORE: Final = re.compile(
    r"(?P<base>[^\W\d_][\u093c\u09bc\u0a3c\u0abc]?(?:[\u094d\u09cd\u0a4d\u0acd\u0d4d\u17d2][^\W\d_])*)"
    r"(?P<sign>[\u093f\u09bf\u09c7\u09c8\u0a3f\u0abf\u0bc6-\u0bc8\u0d46-\u0d48\u17c1-\u17c3])"
)
"""A consonant, or several that are joined, and a vowel that is written before it."""


def unshaped(text: str) -> str:
    """The text with the vowels of Indian scripts where they're seen, for a machine without a shaping library."""
    parts = _SPLIT.sub(lambda found: unicodedata.normalize("NFD", found[0]), text)
    return _BEFORE.sub(r"\g<sign>\g<base>", parts)


_RESHAPER: Final = ArabicReshaper({"delete_harakat": True})
"""Replaces Arabic letters by their contextual forms, and leaves out their vowel marks (harakat)."""

_PROBE: Final = "\u034f"
"""An invisible combining mark. It stays with the bracket before it, and is on its left if the bracket is reordered."""

_MIRRORED: Final = f"[{re.escape(''.join(MIRRORED))}]"
_TO_PROBE: Final = re.compile(_MIRRORED)
_PROBED: Final = re.compile(f"{_PROBE}(?P<turned>{_MIRRORED})|(?P<kept>{_MIRRORED}){_PROBE}")


_FIRST_RIGHT_TO_LEFT: Final = "\u0590"
"""No letter before this one is written from right to left: those are Latin, Greek, Cyrillic and Armenian ones."""


def _in_drawing_order(text: str) -> str:
    """Reorder text for drawing from left to right, by Unicode's bidirectional algorithm.

    `get_display` omits the last step, which mirrors the brackets in right-to-left text. `_PROBE` finds these brackets.
    """
    if max(shown := text.replace(ISOLATE, "").replace(ISOLATE_END, ""), default="") < _FIRST_RIGHT_TO_LEFT:
        return shown
    ordered: str = get_display(_TO_PROBE.sub(rf"\g<0>{_PROBE}", _RESHAPER.reshape(text)))
    shown = _PROBED.sub(lambda found: found["kept"] or str(MIRRORED[found["turned"]]), ordered)
    return shown.replace(ISOLATE, "").replace(ISOLATE_END, "")


def _visible(text: str) -> str:
    """The text on one line, in normal form C, without invisible characters (controls, joiners, variation selectors).

    Letters that no face has are in normal form KC: ``Dave`` for ``𝕯𝖆𝖛𝖊``.
    """
    spaced = _WHITE.sub(" ", unicodedata.normalize("NFC", text))
    seen = "".join(_plainer(c) for c in spaced if c in _ISOLATES or not _is_never_seen(c))
    return seen if _LAYOUT is ImageFont.Layout.RAQM else unshaped(seen)


def _plainer(c: str) -> str:
    return c if c.isascii() or c in _ISOLATES or _face_of(c) is not None else unicodedata.normalize("NFKC", c)


def _is_never_seen(c: str) -> bool:
    return unicodedata.category(c) in {"Cc", "Cf", "Cs"} or 0xFE00 <= ord(c) <= 0xFE0F or c == _PROBE


def _face_of(text: str) -> str | None:
    """The first face that has all of `text`; ``None`` if none has."""
    return next((face for face in FACES if all(ord(c) in coverage(face) for c in text)), None)


def _assigned(text: str) -> Iterator[tuple[str | None, str]]:
    """Every letter with its face. A word is in one face if one has all of it."""
    for is_space, letters in groupby(text, key=str.isspace):
        word = "".join(letters)
        whole = FACES[0] if is_space else _face_of(word)
        for c in word:
            yield (whole or _face_of(c), c)


def isolated(name: str) -> str:
    """Isolate a name, so that its writing direction doesn't change that of the sentence around it."""
    return f"{ISOLATE}{name}{ISOLATE_END}"


@lru_cache(maxsize=4096)
def runs(text: str) -> tuple[Run, ...]:
    """Cut `text` into runs of one face, in drawing order. Neighbouring letters without a face share one mark."""
    return tuple(
        Run(face, "".join(c for _, c in letters) if face else MARK)
        for face, letters in groupby(_assigned(_in_drawing_order(_visible(text))), key=lambda pair: pair[0])
    )


def is_drawable(text: str) -> bool:
    """Whether a face has any letter of `text`. Otherwise only a mark or nothing can be drawn."""
    return any(run.face is not None and not run.text.isspace() for run in runs(text))


def stroke(face: str, size: int) -> int:
    """Extra width of the lines of a face that has no bold cut, in pixels on each side."""
    return max(1, round(size / 44)) if face in THIN_FACES else 0


@lru_cache(maxsize=16_384)
def _length(face: str, size: int, letters: str) -> float:
    return font(face, size).getlength(letters)


def advance(run: Run, size: int) -> float:
    """How far a run moves the pen, in pixels. No face that is laid out letter by letter has kerning."""
    if run.face is None:
        return MARK_WIDTH * size
    parts = [run.text] if run.face in SHAPED else run.text
    return sum(_length(run.face, size, part) for part in parts)


@lru_cache(maxsize=8192)
def width(text: str, size: int) -> int:
    """Width of `text` at `size`, in pixels, rounded up."""
    return int(sum(advance(run, size) for run in runs(text)) + 0.999)


def size_for(text: str, sizes: Iterable[int], room: int) -> int:
    """The first of `sizes` at which `text` fits into `room` pixels; the last if none does."""
    for size in sizes:
        if width(text, size) <= room:
            break
    return size


def wrapped(words: Iterable[str], size: int, room: int) -> list[str]:
    """Join words to lines that fit into `room` pixels. A wider word gets a line of its own."""
    lines: list[str] = []
    for word in words:
        if lines and width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def clusters(text: str) -> list[str]:
    """The grapheme clusters of `text`: each letter with its combining marks."""
    out: list[str] = []
    for c in _visible(text):
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
    letters = clusters(text)
    low, high = 0, len(letters)
    while low < high:
        middle = (low + high + 1) // 2
        if width("".join(letters[:middle]).rstrip() + ELLIPSIS, size) <= room:
            low = middle
        else:
            high = middle - 1
    return "".join(letters[:low]).rstrip() + ELLIPSIS
