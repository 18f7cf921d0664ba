"""Write a file all at once or not at all. Knows nothing of what is in it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from mathrag.errors import LibraryError


def write_whole(target: Path, pieces: Iterable[bytes]) -> Path:
    """Write the pieces; an existing file is replaced only when all of them are written."""
    temporary = target.with_name(f".{target.name}.part")
    try:
        with temporary.open("wb") as stream:
            for piece in pieces:
                stream.write(piece)
        temporary.replace(target)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise LibraryError(f"{target} cannot be written: {reason}") from error
    finally:
        temporary.unlink(missing_ok=True)
    return target
