"""Check the answers of `questions.jsonl`: each is computed here again, from its own line of arithmetic."""

from __future__ import annotations

import json
import math
from pathlib import Path

FOLDER = Path(__file__).parent

ANSWERS = {
    "every-d-001-01": 0.35 * 240,
    "every-d-002-01": 27 / 180 * 100,
    "every-d-003-01": 54 / 0.45,
    "every-d-004-01": 64 * (1 - 0.25),
    "every-d-005-01": (920 - 800) / 800 * 100,
    "every-d-006-01": 48.50 * 0.18,
    "every-d-007-01": 12_600 * 0.04,
    "every-d-008-01": 250 * 1.08,
    "every-d-009-01": (75 - 60) / 75 * 100,
    "every-d-010-01": 1500 * 0.04 * 3,
    "every-d-011-01": 54 / (600 * 2) * 100,
    "every-d-012-01": 2000 * (1 + 0.05) ** 3,
    "every-d-013-01": 7.20 / 6,
    "every-d-014-01": 3 / 4 * 22,
    "every-d-015-01": 6 * 25 / 2,
    "every-d-016-01": 3.2 * 1000,
    "every-d-017-01": 65 * 3.5,
    "every-d-018-01": 420 / (55 + 65),
    "every-d-019-01": 8 * 0.5 / (12 - 8),
    "every-d-020-01": (24 / 2 - 24 / 3) / 2,
    "every-d-021-01": 1 / (1 / 4 + 1 / 6),
    "every-d-022-01": 2 * (14 + 9),
    "every-d-023-01": (58 - 2 * 5) / 4,
    "every-d-024-01": 180 - 48 - 77,
    "every-d-025-01": math.hypot(9, 12),
    "every-d-026-01": math.sqrt(26**2 - 10**2),
    "every-d-027-01": 0.5 * 18 * 7,
    "every-d-028-01": math.pi * 5**2,
    "every-d-029-01": 4 * 3 * 2.5,
    "every-d-030-01": (14 + 18 + 11 + 21) / 4,
    "every-d-031-01": 9,
    "every-d-032-01": 31 - 12,
    "every-d-033-01": (41 - 5) / 4,
    "every-d-034-01": (50 + 12) / 2,
    "every-d-035-01": (72 - 3) / 3,
    "every-d-036-01": (42 + 3) / 3,
    "every-d-037-01": (350 - 5 * 22) / (10 + 5),
    "every-d-038-01": (1260 - 5 * 180) / (8 - 5),
    "every-d-039-01": 10 * (40 - 25) / (25 - 10),
    "every-d-040-01": 90 - 37,
    "every-d-041-01": 96 / 8,
    "every-d-042-01": (180 - 30) / 3,
    "every-d-043-01": 5 / (5 + 7),
    "every-d-044-01": 6 / 2 * 1.5,
    "every-d-045-01": (40 + 4) / 4,
    "every-d-046-01": 48 / 8,
}


def main() -> None:
    """Compare every stored answer with the arithmetic here."""
    lines = (FOLDER / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    for question in questions:
        computed = ANSWERS.get(question["id"])
        if question["answer"] is None:
            assert computed is None, question["id"]
        else:
            assert computed is not None, question["id"]
            assert math.isclose(question["answer"], computed, rel_tol=0.005), question["id"]
    assert len(ANSWERS) == sum(question["answer"] is not None for question in questions)


if __name__ == "__main__":
    main()
