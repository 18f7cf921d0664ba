"""Write the JSON twins of the data files (`make data`). To run after every edit of the data files."""

from __future__ import annotations

from pathlib import Path

from mathrag.knowledge.data_files import DATA_FILES, compile_entries, read_source
from mathrag.knowledge.units.table import factors_table

FOLDER = Path(__file__).resolve().parent.parent / "src" / "mathrag" / "knowledge" / "data"


def compiled_files() -> dict[Path, str]:
    """What each JSON file should hold."""
    twins = {FOLDER / file.compiled_name: compile_entries(file, read_source(file)) for file in DATA_FILES}
    return {FOLDER / "unit_factors.json": factors_table(), **twins}


def main() -> None:
    """Write the files that changed."""
    for path, text in compiled_files().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
