"""Validate base64 images in notebooks against their MIME type and size limits."""

import base64
import warnings
from io import BytesIO
from typing import Any

from PIL import Image

# Allowed MIME types, with Pillow's names of the formats.
IMAGE_FORMATS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF"}
# Limits in bytes, for images in outputs and for attachments such as a photo of a page. The pixel limit guards
# against images that are small in bytes but large in memory.
MAX_IMAGE_SIZE, MAX_ATTACHMENT_SIZE = 2 * 2**20, 10 * 2**20
MAX_PIXELS = 80 * 10**6


def validate_image(found: Any, kind: str = "image/png", largest: int = MAX_IMAGE_SIZE) -> str | None:
    """Return an image as base64 without whitespace; None if invalid, too large or not of MIME type `kind`.

    largest: size limit in bytes.
    """
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
