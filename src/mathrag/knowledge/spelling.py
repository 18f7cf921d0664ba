"""One spelling for the words of a name, so that "Centres of Mass" meets "centre of mass". No stemming, no synonyms."""

from __future__ import annotations

import re
from functools import lru_cache

_HYPHENS = str.maketrans(dict.fromkeys("-‐‑–_", " "))
_APOSTROPHES = re.compile(r"['’]s\b|['’]")
_ARTICLES = frozenset({"the", "a", "an"})

# British spellings to American ones; only words that occur in names of quantities.
_SPELLINGS = {
    "centre": "center",
    "vapour": "vapor",
    "colour": "color",
    "fibre": "fiber",
    "metre": "meter",
    "litre": "liter",
    "dioptre": "diopter",
    "aluminium": "aluminum",
    "tyre": "tire",
    "neighbour": "neighbor",
    "travelled": "traveled",
}
# Plurals that do not end in s, or whose singular is not what remains without it.
_PLURALS = {
    "radii": "radius",
    "foci": "focus",
    "nuclei": "nucleus",
    "moduli": "modulus",
    "loci": "locus",
    "vertices": "vertex",
    "indices": "index",
    "matrices": "matrix",
    "axes": "axis",
    "bases": "base",
    "media": "medium",
    "momenta": "momentum",
    "spectra": "spectrum",
    "maxima": "maximum",
    "minima": "minimum",
    "quanta": "quantum",
    "equilibria": "equilibrium",
    "data": "data",
    "feet": "foot",
    "people": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "teeth": "tooth",
    "halves": "half",
    "lens": "lens",
    "lenses": "lens",
    "gas": "gas",
    "gases": "gas",
    "biases": "bias",
    "viruses": "virus",
}


def normal_words(text: str) -> str:
    """Lower case, single blanks, no hyphens, possessives or leading article, each word singular and spelled one way."""
    text = text.casefold()
    if "'" in text or "’" in text:
        text = _APOSTROPHES.sub("", text)
    words = text.translate(_HYPHENS).split()
    if len(words) > 1 and words[0] in _ARTICLES:
        del words[0]
    return " ".join([_normal_word(word) for word in words])


@lru_cache(maxsize=8192)
def _normal_word(word: str) -> str:
    if word in _PLURALS:
        word = _PLURALS[word]
    elif word[-1] == "s" and len(word) > 3:
        word = _singular(word)
    if "isation" in word:
        return word.replace("isation", "ization")
    return _SPELLINGS.get(word, word)


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word if word.endswith(("ss", "us", "is")) else word[:-1]
