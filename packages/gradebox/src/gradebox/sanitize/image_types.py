"""Tells pictures from what only says that it is one."""

import base64
import warnings
from io import BytesIO
from typing import Any

from PIL import Image

# The kinds that pages show, as Pillow calls them.
IMAGE_FORMATS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF"}
# Bytes of a picture that was drawn, and of one that was attached, such as a photo of a page. A larger one
# stays out, and so does one of more pixels, which may be few bytes.
MAX_IMAGE_SIZE, MAX_ATTACHMENT_SIZE = 2 * 2**20, 10 * 2**20
MAX_PIXELS = 80 * 10**6


def validate_image(found: Any, kind: str = "image/png", largest: int = MAX_IMAGE_SIZE) -> str | None:
    """A picture as base64, if it really is one of this kind: a page will have it in its text."""
    text = "".join(found) if isinstance(found, list) and all(isinstance(x, str) for x in found) else found
    if not isinstance(text, str) or len(text) > 3 * largest:
        return None
    text = "".join(text.split())
    try:
        content = base64.b64decode(text, validate=True)
        with (
            warnings.catch_warnings(action="ignore"),
            Image.open(BytesIO(content), formats=[IMAGE_FORMATS[kind]]) as seen,
        ):
            width, height = seen.size
    except (ValueError, OSError, SyntaxError, Image.DecompressionBombError):
        return None
    return text if len(content) <= largest and width * height <= MAX_PIXELS else None
