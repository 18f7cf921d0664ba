"""Answers that differ from a given one by one digit or one sign."""

from __future__ import annotations

from collections.abc import Iterator

from mathrag.compute.answers import answer_key, read_answer
from mathrag.types.math_answer import ValueAnswer


def altered(text: str) -> Iterator[str]:
    """The text with one digit changed, or with one sign turned."""
    for place, sign in enumerate(text):
        if sign.isdigit():
            yield from (text[:place] + str((int(sign) + step) % 10) + text[place + 1 :] for step in (1, 3))
        elif sign == "-" and text[place - 1 : place] not in ("{", "(", "[", ",") and place:
            yield text[:place] + "+" + text[place + 1 :]
    read = read_answer(text)
    value = read.body if read is not None and not read.label else None
    if isinstance(value, ValueAnswer) and answer_key(text) not in ("0", "text 0") and text[0].isdigit():
        yield "-" + text
