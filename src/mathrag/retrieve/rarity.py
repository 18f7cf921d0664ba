"""How rare the words are by which a library names its formulas: `pendulum` is particular, `energy` is not.

Counts labels and the nearest headings, once for each formula; knows no question.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from mathrag.language.stems import stems
from mathrag.store.truth.database import Database

_LABELS = "SELECT id, label FROM formulas WHERE status = 'executable' AND purpose IN ('general', 'definition')"
_HEADINGS = "SELECT formula, headings FROM formula_places"
# In a library of so many formulas a word that only one of them has is as rare as can be; in a smaller one no word is,
# because there is little that it could be told apart from.
_FORMULAS = 1_000
_BELOW = " > "
# The heading above a formula and the one above that: below a section there may only be "Examples" or "Summary".
_NEAREST = 2


def nearest_stems(headings: Sequence[str]) -> frozenset[str]:
    """The words of the nearest headings above a formula, apart from the title of the document."""
    return frozenset(stems(" ".join(headings[1:][-_NEAREST:])))


class Rarity:
    """How rare each word is, from 0 to 1, by its stem. A word that no formula has is as rare as can be."""

    def __init__(self, names: Iterable[frozenset[str]] = ()) -> None:
        counts: Counter[str] = Counter()
        total = 0
        for words in names:
            counts.update(words)
            total += 1
        self._total = total
        self._known: Mapping[str, float] = {word: self._of(count) for word, count in counts.items()}

    def _of(self, count: int) -> float:
        return min(math.log1p(self._total / count) / math.log1p(_FORMULAS), 1.0)

    def __call__(self, word: str) -> float:
        """How rare a word is, by its stem."""
        return self._known.get(word) or self._of(1)


def rarity_of(database: Database) -> Rarity:
    """How rare words are in a library as it is now."""
    with database.reading() as connection:
        labels = dict(connection.execute(_LABELS).fetchall())
        places = connection.execute(_HEADINGS).fetchall()
    names = {formula: set(stems(label)) for formula, label in labels.items()}
    for formula, text in places:
        if formula in names:
            names[formula].update(nearest_stems(text.split(_BELOW)))
    return Rarity(frozenset(words) for words in names.values())
