"""Pictures as the text they are kept and sent as."""

from __future__ import annotations

import base64
import binascii


def picture_of(text: str | None) -> bytes | None:
    """The picture that a text stands for; None where it stands for none."""
    try:
        return None if text is None else base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
