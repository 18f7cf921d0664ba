"""Pages that were read and wait for the rest of their document: on disk without a name, so that no kill leaves them."""

from __future__ import annotations

import tempfile
from typing import IO

from mathrag.errors import DocumentError

# Packed pages of one document; a page of dense text takes some ten thousand bytes.
_LARGEST_SPOOL = 160 * 1024 * 1024


class PageSpool:
    """Packed pages by their numbers. Written as they come, given back in the order of the pages."""

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None
        self._places: dict[int, tuple[int, int]] = {}
        self._size = 0

    def __len__(self) -> int:
        return len(self._places)

    def add(self, number: int, page: str) -> None:
        """Keep a page; `DocumentError` where the document grows beyond all measure or the disk is full."""
        data = page.encode("ascii")
        if self._size + len(data) > _LARGEST_SPOOL:
            raise DocumentError("too_large", f"its pages hold more than {_LARGEST_SPOOL:,} bytes; split the file")
        try:
            if self._file is None:
                # Has no name in any folder from the start: the system frees it whatever becomes of this process.
                self._file = tempfile.TemporaryFile(prefix="mathrag-")  # noqa: SIM115 - closed by close()
            self._file.seek(self._size)
            self._file.write(data)
        except OSError as error:
            raise DocumentError("disk", f"pages cannot be kept on disk: {error.strerror or error}") from error
        self._places[number] = (self._size, len(data))
        self._size += len(data)

    def pages(self) -> list[str]:
        """Every page, in the order of the pages."""
        if self._file is None:
            return []
        found = []
        for number in sorted(self._places):
            start, length = self._places[number]
            self._file.seek(start)
            found.append(self._file.read(length).decode("ascii"))
        return found

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            self._file.close()
            self._file = None
        self._places.clear()
