"""Reading pictures back."""

import io

from PIL import Image


def opened(data: bytes) -> Image.Image:
    """A PNG file as Pillow reads it, fully loaded."""
    image = Image.open(io.BytesIO(data))
    image.load()
    return image
