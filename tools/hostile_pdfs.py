"""Write every hostile PDF and picture into a folder, each in a folder of its own, to try a reader on by hand.

    python tools/hostile_pdfs.py FOLDER [--only TEXT] [--quick]

The files are made byte by byte by tests/hostile_files and are the same on each run. `--quick` leaves out those that
take long to make or to read.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from hostile_files import pdf_pages, pdfs, pictures  # noqa: E402


def main() -> None:
    """Write them and list what each is."""
    parser = argparse.ArgumentParser(description="Write hostile PDF files and pictures into a folder.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="those whose name has this text")
    parser.add_argument("--quick", action="store_true", help="leave out what takes long")
    options = parser.parse_args()
    for recipe in (*pdfs.RECIPES, *pdf_pages.RECIPES, *pictures.RECIPES):
        if options.only not in recipe.id or (options.quick and recipe.is_slow):
            continue
        folder = options.folder / recipe.id
        if folder.exists():
            parser.error(f"{folder} is there already; name an empty folder")
        bad = recipe.made_in(folder)
        print(f"{bad.path.stat().st_size:>12,}  {recipe.id}: {recipe.what}")


if __name__ == "__main__":
    main()
