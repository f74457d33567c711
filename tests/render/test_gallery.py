"""The gallery equals the output of its command: the page word by word, the pictures pixel by pixel.

With other versions of the tools that draw letters, which the page names, the pictures must look alike.
"""

import io
import re

import pytest
from PIL import Image, ImageChops, ImageStat

from games import GAMES
from render import gallery
from render.gallery import FOLDER, GALLERY, PAGE, PICTURES, Picture
from render.grammar import MAX_ALT_TEXT
from tests.render.test_golden import MEAN_DIFFERENCE

ALL = list(gallery.all_pictures())
COMMITTED = (FOLDER / PAGE).read_text("utf-8")
SAME_TOOLS = gallery.tools() in COMMITTED
MAX_BYTES = {"png": 40_000, "gif": 400_000}


def last_frame(data: bytes) -> Image.Image:
    """A PNG, or the last frame of a GIF."""
    image = Image.open(io.BytesIO(data))
    image.seek(getattr(image, "n_frames", 1) - 1)
    return image.convert("RGB")


@pytest.mark.parametrize("picture", ALL, ids=[picture.file for picture in ALL])
def test_a_picture_is_what_the_command_draws(picture: Picture) -> None:
    kept, now = (FOLDER / PICTURES / picture.file).read_bytes(), picture.draw()
    assert len(kept) <= MAX_BYTES[picture.file.rpartition(".")[2]]
    if SAME_TOOLS and picture.file.endswith(".gif"):
        assert now == kept, "make gallery"
    one, other = last_frame(now), last_frame(kept)
    assert one.size == other.size
    difference = max(ImageStat.Stat(ImageChops.difference(one, other)).mean)
    assert difference <= (0 if SAME_TOOLS else MEAN_DIFFERENCE), "make gallery"


def test_the_page_is_what_the_command_writes() -> None:
    assert re.sub(r"Drawn with .*", "", COMMITTED) == re.sub(r"Drawn with .*", "", gallery.page()), "make gallery"


def test_no_picture_lies_about_that_the_page_does_not_show() -> None:
    files = {file.name for file in (FOLDER / PICTURES).iterdir()}
    assert files == {picture.file for picture in ALL} == set(re.findall(r"\(gallery/(.+?)\)", COMMITTED))


@pytest.mark.parametrize("key", GAMES)
def test_every_game_is_shown_from_its_lobby_to_its_end(key: str) -> None:
    assert set(GALLERY) == set(GAMES)
    titles = [picture.title for picture in gallery.pictures(key)]
    wanted = {"The lobby", "In the middle of a match", "The end", "In the rules", "The whole match"}
    assert wanted | ({"A hand"} if GAMES[key].info.hands else set()) <= set(titles)
    assert all(picture.alt and len(picture.alt) <= MAX_ALT_TEXT for picture in gallery.pictures(key))


def test_ratings_are_shown_as_a_table_and_as_a_person() -> None:
    assert [picture.title for picture in gallery.ratings()] == ["A table", "A person"]
    assert all(picture.alt and len(picture.alt) <= MAX_ALT_TEXT for picture in gallery.ratings())
