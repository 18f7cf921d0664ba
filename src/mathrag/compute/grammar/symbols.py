"""Symbols in operand position: letters with prefix, accent or argument, and words that name a quantity."""

from __future__ import annotations

import re

from mathrag.compute.grammar import applications, functions
from mathrag.compute.grammar.lexicon import FUNCTION_WORDS, OPERATOR_WORDS, SENTENCE_WORDS
from mathrag.compute.grammar.matrices import Value
from mathrag.compute.grammar.names import script_marks, symbol_name, symbol_parts
from mathrag.compute.grammar.terms import Terms, read_row
from mathrag.compute.notation import Accent, Fence, Mark, Name, Row, Script, Sign, Words
from mathrag.types.expression import Expression, Symbol, power
from mathrag.types.symbol_names import SymbolParts, safe_identifier


def read_symbol(terms: Terms, mark: Mark) -> Expression:
    """A mark that must be a symbol, and what a parenthesis after it means."""
    parts = symbol_parts(mark, terms.context)
    if parts is None:
        terms.context.decline("symbol", "a mark over an expression is not the name of a symbol", mark.position)
    return finish_symbol(terms, parts, mark)


def finish_symbol(terms: Terms, parts: SymbolParts, mark: Mark) -> Expression:
    """Name the symbol; look whether a parenthesis right after it is an argument."""
    name = symbol_name(parts, terms.context, mark.position)
    if "hat" in parts.marks and not parts.subscripts and is_unit_vector(parts):
        terms.context.flag("unit_vector", f"{name} is probably a unit vector: its value is 1", mark.position)
    following = terms.peek()
    if isinstance(following, Fence) and following.opening in ("(", "["):
        named = applications.symbol_with_arguments(terms, name, following, mark)
        if named is not None:
            return Symbol(named)
    if isinstance(following, Script) and isinstance(following.base, Fence) and _holds_one_mark(following.base):
        reading = f"{name}(...) with a power is read as a product; it may be a function"
        terms.context.flag("call_or_product", reading, following.position)
    if isinstance(following, Words) and re.fullmatch(r"\([A-Za-z ]+\)", following.text.strip()):
        terms.index += 1
        terms.context.flag(
            "label", f"the words in parentheses after {name} are read as part of its name", following.position
        )
        return Symbol(safe_identifier("_".join((name, *re.findall(r"[A-Za-z]+", following.text)))))
    return Symbol(name)


def _holds_one_mark(fence: Fence) -> bool:
    return fence.opening == "(" and len(fence.body.items) == 1 and isinstance(fence.body.items[0], Name | Script)


def is_unit_vector(parts: SymbolParts) -> bool:
    """Whether a hatted letter is one that usually names a direction."""
    return parts.letter in ("r", "i", "j", "k", "n", "z", "theta", "phi", "rho", "u", "e", "s", "imath", "jmath")


def read_prefixed(terms: Terms, mark: Mark, subscripts: tuple[str, ...]) -> Value | None:
    """`\\Delta x` and `\\Sigma F` are one symbol with what follows; None when nothing fitting follows."""
    following = terms.peek()
    letter = mark.text if isinstance(mark, Name) else "Delta"
    base, exponent_row = following, None
    if isinstance(following, Fence) and letter == "Delta":
        inner = symbol_parts(following.body, terms.context) if len(following.body.items) == 1 else None
        if inner is None or inner.prefix:
            terms.context.decline("change", "the change of an expression is not one symbol", following.position)
        terms.index += 1
        return Symbol(
            symbol_name(
                inner.extended(subscripts=subscripts, prefix=letter),
                terms.context,
                mark.position,
            )
        )
    if isinstance(following, Script):
        marks, labels, exponent_row = script_marks(following.sup, terms.context)
        parts = symbol_parts(Script(following.base, following.sub, None, following.position), terms.context)
        if parts is not None:
            parts = parts.extended(subscripts=labels, marks=marks)
    elif isinstance(base, Name | Accent | Words) or (isinstance(base, Row) and base.items):
        parts = symbol_parts(base, terms.context)
    else:
        return None
    if parts is not None and letter == "Delta" and (parts.letter == "Delta" or parts.prefix == "Delta"):
        terms.context.decline("change", "the change of a change is not one symbol", mark.position)
    if parts is None or parts.prefix:
        return None
    terms.index += 1
    if letter == "Sigma":
        terms.context.flag("net_sum", f"the sum of all {parts.letter} is read as one symbol", mark.position)
    name = symbol_name(parts.extended(subscripts=subscripts, prefix=letter), terms.context, mark.position)
    if exponent_row is None:
        assert following is not None
        argument = terms.peek()
        named = (
            applications.symbol_with_arguments(terms, name, argument, following)
            if isinstance(argument, Fence) and argument.opening == "(" and name in terms.context.applications
            else None
        )
        return Symbol(named or name)
    symbol = Symbol(name)
    if letter == "Delta":
        terms.context.flag("delta_power", "the square of a change is read, not the change of a square", mark.position)
    return power(symbol, read_row(exponent_row, terms.context))


def read_words(terms: Terms, mark: Words) -> Value:
    """Running text as an operand: the name of a quantity in one to five words, or nothing we can use."""
    text = " ".join(mark.text.replace("#", " number of ").replace("%", " percent ").split())
    without_unit = re.sub(r"(?<=\w) \([^()]{1,12}\)$", "", text)
    if without_unit != text:
        terms.context.flag("unit_annotation", f"the unit after {without_unit!r} is left out", mark.position)
        text = without_unit
    words = re.findall(r"[A-Za-z][A-Za-z0-9]*", text)
    is_name = bool(words) and len(words) <= 6 and len(text) <= 48 and re.fullmatch(r"[A-Za-z0-9 ,.'\-()]+", text)
    if text in FUNCTION_WORDS or text in OPERATOR_WORDS:
        return functions.read_function(terms, Name(text, mark.position, "upright"), None, None)
    if not is_name or text.startswith("-") or _is_sentence(words):
        terms.context.decline("free_text", f"running text inside the formula: {text[:40]!r}", mark.position)
    terms.index += 1
    if len(words) > 1 or (terms.index > 1 and not isinstance(terms.peek(-2), Sign)):
        terms.context.flag("words_as_symbol", f"the words {text!r} are read as one symbol", mark.position)
    return finish_symbol(terms, SymbolParts(safe_identifier("_".join(words))), mark)


def _is_sentence(words: list[str]) -> bool:
    """Whether the words say something; a lone capitalised one (We, Is) is a name all the same."""
    if len(words) == 1 and words[0][0].isupper():
        return False
    return any(word.lower() in SENTENCE_WORDS for word in words)
