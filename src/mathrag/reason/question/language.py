"""Whether a question is plainly not English, by its letters and small words. Names no language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from mathrag.reason.question import words as english
from mathrag.reason.question.tokens import Token

# Small words of other languages that are no English words.
_FOREIGN = frozenset(
    "der die das und ist nicht ein eine einer eines mit von wie wird bei zu im den dem des auf für berechne bestimme "
    "welche welcher gegeben eines wenn sich hat le la les des du une est et dans quelle quel quelles combien avec sur "
    "pour calculer trouver sont el los las un una es y en con por para cuál cual cuánto qué calcula calcular encuentra "
    "del que se il lo gli di che quanto qual calcola della nel o os um uma do da é qual com não het een van wat "
    "hoeveel "
    "och är vad hur jest jaki ile oraz w z".split()
) - frozenset("a i o do on an in as at the is un".split())
_ENGLISH = english.STOP_WORDS | frozenset("speed mass energy force time temperature pressure is of the".split())


def read_language(tokens: Sequence[Token]) -> Literal["en", "other"]:
    """`other` where most letters are not Latin or Greek symbols, or foreign small words outnumber English ones."""
    words = [token for token in tokens[:400] if token.kind == "word"]
    long = [token.text for token in words if len(token.text) > 1]
    letters = [letter for text in long for letter in text]
    if len(letters) >= 2:
        foreign_script = sum(1 for letter in letters if ord(letter) > 0x2AF)
        if foreign_script > len(letters) / 2 and any(len(text) >= 3 or ord(text[0]) > 0x2E80 for text in long):
            return "other"
    foreign = sum(1 for token in words if token.lower in _FOREIGN)
    native = sum(1 for token in words if token.lower in _ENGLISH and token.lower not in _FOREIGN)
    # Two small words may belong to a name (van der Waals); a sentence has more.
    return "other" if foreign >= 3 and foreign > native else "en"
