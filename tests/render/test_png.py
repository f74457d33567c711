"""The encoder writes files that others can read, in bands that are deflated once."""

from random import Random

import pytest

from render import png
from render.palette import PALETTE_BYTES
from tests.render.pictures import opened


def rows(width: int, height: int, seed: int = 1) -> bytes:
    rng = Random(seed)
    return b"".join(b"\0" + bytes(rng.randrange(200) for _ in range(width)) for _ in range(height))


@pytest.mark.parametrize("once", [False, True])
@pytest.mark.parametrize(("width", "height"), [(1, 1), (7, png.BAND_ROWS), (40, png.BAND_ROWS + 1), (33, 200)])
def test_pillow_reads_the_same_pixels(width: int, height: int, once: bool) -> None:
    data = rows(width, height)
    image = opened(png.encode(width, height, data, PALETTE_BYTES, once=once))
    assert image.mode == "P"
    assert image.size == (width, height)
    assert image.getpalette() == list(PALETTE_BYTES)
    assert b"".join(b"\0" + image.crop((0, y, width, y + 1)).tobytes() for y in range(height)) == data


def test_a_band_that_is_kept_gives_the_bytes_of_one_deflated_again() -> None:
    data = rows(50, 150)
    kept = png.encode(50, 150, data, PALETTE_BYTES)
    assert png.encode(50, 150, data, PALETTE_BYTES) == kept
    png.BANDS.clear()
    assert png.encode(50, 150, data, PALETTE_BYTES) == kept


def test_a_picture_that_is_drawn_once_is_smaller_and_no_band_of_it_is_kept() -> None:
    data = b"".join(bytes([0, *[y // 9] * 60, *[y % 7] * 40]) for y in range(200))
    png.BANDS.clear()
    once = png.encode(100, 200, data, PALETTE_BYTES, once=True)
    assert not png.BANDS
    assert len(once) < len(png.encode(100, 200, data, PALETTE_BYTES))


def test_a_part_that_begins_at_a_seam_is_the_same_bands_wherever_it_stands() -> None:
    part, above, below = rows(30, 40, 2), rows(30, 25, 3), rows(30, 9, 4)
    png.BANDS.clear()
    png.encode(30, 65, above + part, PALETTE_BYTES, [25])
    known = set(png.BANDS)
    png.encode(30, 49, below + part, PALETTE_BYTES, [9])
    assert len(set(png.BANDS) - known) == 1


@pytest.mark.parametrize("seams", [(), (1,), (5, 6, 199), (0, 200, 300, -4)])
def test_seams_anywhere_change_no_pixel(seams: tuple[int, ...]) -> None:
    data = rows(20, 200)
    image = opened(png.encode(20, 200, data, PALETTE_BYTES, seams))
    assert b"".join(b"\0" + image.crop((0, y, 20, y + 1)).tobytes() for y in range(200)) == data


def test_rows_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match="rows of 11 bytes"):
        png.encode(10, 3, rows(10, 2), PALETTE_BYTES)


def test_the_bands_least_recently_used_are_forgotten() -> None:
    png.BANDS.clear()
    first, second, *others = (png.band(b"%d" % number) for number in range(png.MAX_BANDS))
    assert png.band(b"0") is first
    png.band(b"one more")
    assert len(png.BANDS) == png.MAX_BANDS
    kept = [*png.BANDS.values()]
    assert [any(each is band for each in kept) for band in (first, second, others[0])] == [True, False, True]
