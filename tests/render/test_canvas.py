"""The canvas: its bytes are the file's rows, pictures are never square, text keeps to its place."""

from render.canvas import Anchor, Canvas
from render.palette import INK, PAPER, index
from render.tiles import Pen
from tests.render.pictures import opened


def test_a_square_picture_gets_two_rows_more() -> None:
    assert (Canvas(50, 50, INK).width, Canvas(50, 50, INK).height) == (50, 52)
    assert Canvas(50, 49, INK).height == 49


def test_the_first_column_of_the_image_is_the_filter_of_the_rows_and_not_drawn() -> None:
    canvas = Canvas(30, 20, INK)
    canvas.fill(0, 0, 30, 20, PAPER)
    image = opened(canvas.png())
    assert image.size == (30, 20)
    assert set(image.tobytes()) == {index(PAPER)}


def test_a_tile_beyond_the_left_edge_is_cut_and_does_not_spoil_the_rows() -> None:
    canvas = Canvas(30, 20, INK)
    pen = Pen(10, 10, 10, PAPER)
    canvas.put(pen.tile(), -4, 2)
    image = opened(canvas.png())
    assert image.getpixel((5, 5)) == index(PAPER)
    assert image.getpixel((6, 5)) == index(INK)


def test_text_is_anchored_and_measured() -> None:
    placed: tuple[tuple[Anchor, int], ...] = (("left", 20), ("middle", 100), ("right", 180))
    for anchor, x in placed:
        canvas = Canvas(200, 60, INK)
        wide = canvas.text(x, 30, "HIH", 30, PAPER, INK, anchor)
        (label,) = canvas.labels
        start = {"left": x, "middle": x - wide // 2, "right": x - wide}[anchor]
        assert abs(label.x - start) <= 4
        assert abs(label.x + label.label.width - start - wide) <= 4
        middle = label.y + label.label.height / 2
        assert abs(middle - 30) <= 2
