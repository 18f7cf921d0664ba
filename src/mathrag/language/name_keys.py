"""What the name of a formula says that it is for, as a key for comparing names. Names that mean the same thing have one
key, however they are written: "Energy, kinetic", "Erratum: the kinetic energy" and "Energy of motion"."""

from __future__ import annotations

from functools import lru_cache

from mathrag.knowledge.spelling import normal_words
from mathrag.language.folding import folded
from mathrag.language.quantity_names import kinds_named
from mathrag.language.stems import STOP_WORDS, stem, stems
from mathrag.language.word_classes import word_class

_SILENT = frozenset(map(stem, word_class("names.claims") | word_class("names.forms") | word_class("names.carriers")))


def telling_stems(name: str) -> frozenset[str]:
    """The stems of the words in a name that tell what it is the name of; all of it where none does ("Rule 2")."""
    plain = folded(name)
    whole = normal_words(plain)
    return frozenset(stems(plain)) - _SILENT or (frozenset((whole,)) if whole else frozenset())


@lru_cache(maxsize=20_000)
def name_key(name: str) -> frozenset[str]:
    """Equal for names of the same thing: the quantity that they name where there is just one, else their stems. Empty
    for what names nothing."""
    plain = folded(name)
    head, comma, rest = plain.partition(",")
    # "Energy, kinetic" as registers write it.
    for text in (plain, f"{rest} {head}") if comma else (plain,):
        words = [word for word in normal_words(_words(text)).split() if stem(word) not in _SILENT]
        # What is left of "of a body".
        while words and words[-1] in STOP_WORDS:
            words.pop()
        kinds = kinds_named(words)
        if len(kinds) == 1:
            return frozenset((f"kind {kinds[0]}",))
    return telling_stems(name)


def _words(text: str) -> str:
    return "".join(each if each.isalpha() or each in "'’-" else " " for each in text)
