"""Examples of concepts of the glossary: `example of a field extension`, `squarefree integer meaning, with an example
and a non-example`, `what is a monoid, example please`.

What asks for an example is taken off a question; whatever answers the rest may then be given its examples.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from mathrag.language.word_classes import any_of
from mathrag.reason.direct.glossary_answers import entry_text
from mathrag.reason.direct.named_concepts import named_concept
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.types.answer import Reply
from mathrag.types.concept import GlossaryEntry

_LONGEST = 300
_MATRIX = re.compile(r"\[\[[^\[\],]+,[^\[\],]+\], ?\[[^\[\],]+,[^\[\],]+\]\]")
_SIZE = re.compile(r"\b(?P<rows>[0-9]) ?(?:x|×|by) ?(?P<columns>[0-9])\b", re.IGNORECASE)
_HAS_OWN = re.compile(r"\b(?:such as|for example|for instance|like|example)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wish:
    """What a question asks for besides a definition."""

    example: bool = False
    counterexample: bool = False
    size: str = ""


@cache
def _word() -> str:
    return r"(?:(?:non|counter)[- ]?)?e?x(?:a|e)?mples?"


@cache
def _behind() -> re.Pattern[str]:
    """A wish for an example that ends a question."""
    asks, sort = any_of("examples.asking"), any_of("examples.sorts")
    one = rf"(?:(?:an?|one|some|any|the|two|few|a few|at least one|also|even) )*(?:(?:{sort})(?: and |,? ))*{_word()}"
    both = rf"{one}(?:(?:,? and | or |, |/| plus ){one})*"
    tail = rf"(?: (?:{any_of('examples.behind')}))?"
    wish = rf"(?:(?:{asks})[ ,]+)*(?P<wish>{both}{tail})[ ,]*(?:{any_of('examples.courtesy')})?"
    return re.compile(rf"(?P<rest>.*?\S)(?:[.?!;:,]+ | [–—+&-]+ |\s){wish}", re.IGNORECASE)


@cache
def _before() -> re.Pattern[str]:
    """A question for an example alone."""
    asks, sort = any_of("examples.asking"), any_of("examples.sorts")
    one = rf"(?:(?:an?|one|some|any|the|two|few|a few) )*(?:(?:{sort})(?: and |,? ))*{_word()}"
    return re.compile(
        rf"(?:(?:{asks})[ ,]+)*(?P<wish>{one}(?:(?:,? and | or |, |/){one})*) (?:of|for) (?P<name>.+)", re.IGNORECASE
    )


def without_wish(text: str) -> tuple[str, Wish | None]:
    """A question without what asks for examples, and that wish; the text as it is where it asks for none."""
    if len(text) > _LONGEST or "mple" not in text.lower():
        return text, None
    asked = without_ending(tidy(text))
    found = _behind().fullmatch(asked)
    if found is None or len(found["rest"].split()) < 1:
        return text, None
    return found["rest"].rstrip(" ,;:–—-+&"), _wish(found["wish"])


def _wish(said: str) -> Wish:
    words = said.lower()
    others = re.findall(r"(?:non|counter)[- ]?e?x", words)
    size = _SIZE.search(words)
    return Wish(
        len(re.findall(_word(), words)) > len(others),
        bool(others),
        f"{size['rows']}x{size['columns']}" if size is not None else "",
    )


def with_examples(reply: Reply, wish: Wish) -> Reply:
    """A reply with examples of what it defines; that there is none, where the definition has none of its own."""
    lines = [line for entry in reply.glossary for line in _lines(entry, wish)]
    if not reply.glossary or not lines:
        return reply
    return replace(reply, text="\n".join((reply.text, *lines)))


def _lines(entry: GlossaryEntry, wish: Wish) -> list[str]:
    lines: list[str] = []
    if wish.example and entry.example and _fits(entry, wish):
        lines.append(f"Example of {entry.name}: {entry.example}")
    elif wish.example and not _HAS_OWN.search(entry.definition):
        lines.append(f"The glossary has no such example of {entry.name}.")
    if wish.counterexample and entry.counterexample:
        lines.append(f"Not an example of {entry.name}: {entry.counterexample}")
    return lines


def _fits(entry: GlossaryEntry, wish: Wish) -> bool:
    """Whether an example has the size that is wanted: of the matrices all examples are two by two."""
    return not wish.size or (wish.size == "2x2" and _MATRIX.search(entry.example) is not None)


def answer_example(text: str) -> Reply | None:
    """An example of what a question names, with its definition; None where it asks for none, or none is known."""
    if len(text) > _LONGEST or "mple" not in text.lower():
        return None
    asked = without_ending(tidy(text))
    found = _before().fullmatch(asked)
    if found is None:
        return None
    named, wish = named_concept(found["name"], may_be_misspelt=True), _wish(found["wish"])
    if named is None:
        return None
    told = [
        one for one in named.entries if (one.example and wish.example) or (one.counterexample and wish.counterexample)
    ]
    if not told:
        return None
    lines = [line for one in told for line in (*_lines(one, wish), entry_text(one))]
    return Reply(text, "\n".join(lines), glossary=tuple(told))
