"""Symbols out of marks: which letters belong together, what a script says about a letter, what the symbol is called."""

from __future__ import annotations

import itertools
import re

from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.lexicon import (
    BARE_FUNCTIONS,
    CLEAR_GROUPS,
    GREEK_PHASES,
    GROUP_NAMES,
    LABEL_WORDS,
    OPERATOR_WORDS,
    PHASE_LETTERS,
    SURE_NAMES,
)
from mathrag.compute.grammar.species import species_parts
from mathrag.compute.grammar.word_names import WordName, is_spelled_word, note_phrase, word_name
from mathrag.compute.notation import (
    Accent,
    Digits,
    Fence,
    Mark,
    Name,
    Row,
    Script,
    Sign,
    Space,
    Species,
    Stack,
    Words,
    visible,
)
from mathrag.types.expression import Ambiguity
from mathrag.types.symbol_names import GREEK_NAMES, WORD_LETTERS, SymbolParts, join_name

# Words before a symbol that say which of its kind it is.
_QUALIFIERS = frozenset(("net", "total"))
# A token of more letters is a word or an abbreviation.
_MOST_FACTORS = 4

# Runs of italic letters: which are products, which spell a name, which a function typed without a backslash.


def _letter_of(mark: Mark) -> str | None:
    """The italic ASCII letter a mark is, itself or under its scripts."""
    base = mark.base if isinstance(mark, Script) else mark
    if isinstance(base, Name) and base.style == "italic" and len(base.text) == 1:
        return base.text
    return None


def join_letters(marks: list[Mark], context: Context) -> list[Mark]:
    """Join italic letters that spell a known name; a script after the last letter belongs to the whole name."""
    joined: list[Mark] = []
    index = 0
    while index < len(marks):
        if _letter_of(marks[index]) is None:
            joined.append(marks[index])
            index += 1
            continue
        stop = index
        while stop < len(marks) and _letter_of(marks[stop]) is not None:
            if stop > index and is_blank_between(marks[stop - 1], marks[stop], context.source):
                break
            stop += 1
            if isinstance(marks[stop - 1], Script):
                break
        run = marks[index:stop]
        following = next((mark for mark in marks[stop:] if not isinstance(mark, Space)), None)
        bare = bare_function(run, following, context) if len(run) > 1 else None
        joined.extend(bare if bare is not None else _segment(run, context) if len(run) > 1 else run)
        index = stop
    return joined


def is_blank_between(first: Mark, second: Mark, source: str) -> bool:
    """Whether a blank or a thin space stands between two letters; a name is written without. Tags do not count."""
    between = source[first.position + 1 : second.position]
    return bool(between) and "<" not in between


def _segment(run: list[Mark], context: Context) -> list[Mark]:
    letters = "".join(_letter_of(mark) or "" for mark in run)
    if letters in context.choices.products:
        return run
    parts = _known_parts(letters, context)
    if len(parts) < len(letters):
        if parts == [letters] and is_spelled_word(letters):
            note_phrase(WordName(letters, letters, "", ""), context, run[0].position)
        return _in_parts(run, parts)
    pieces = _sure_pieces(letters, run[-1], context)
    if pieces is None:
        context.note(Ambiguity("letters", letters, "product", _subscript_text(run[-1]), is_set=context.in_words))
        if letters.isupper() and (len(letters) > 2 or context.source.count(letters) > 1):
            context.flag(
                "multi_letter_name",
                f"the letters {letters} are read as a product; give the name as a known symbol if it is one",
                run[0].position,
            )
        return run
    context.flag(
        "multi_letter_name",
        f"the letters {letters} are read as {' times '.join(pieces)}; give the names as known symbols to be sure",
        run[0].position,
    )
    if pieces == [letters] and is_spelled_word(letters):
        note_phrase(WordName(letters, letters, "", ""), context, run[0].position)
    return _in_parts(run, pieces)


def _in_parts(run: list[Mark], parts: list[str]) -> list[Mark]:
    """The run with one mark for each part."""
    result: list[Mark] = []
    index = 0
    for part in parts:
        result.append(_joined(run[index : index + len(part)]) if len(part) > 1 else run[index])
        index += len(part)
    return result


def _known_parts(letters: str, context: Context) -> list[str]:
    """The letters taken apart at the names that are known, the longest first.

    A run of capitals and a word are one name themselves, so that a known name inside parts them only where all the
    rest are symbols, too: EBIT ends no EBITDA.
    """
    longest = max((len(name) for name in context.known), default=0)
    parts: list[str] = []
    index = 0
    while index < len(letters):
        sizes = range(min(longest, len(letters) - index), 1, -1)
        length = next((size for size in sizes if letters[index : index + size] in context.known), 1)
        parts.append(letters[index : index + length])
        index += length
    is_whole = letters.isupper() or is_spelled_word(letters)
    rest = {part for part in parts if len(part) == 1}
    if is_whole and len(parts) > 1 and not rest <= context.lone_letters | context.known:
        return list(letters)
    return parts


def _subscript_text(mark: Mark) -> str:
    """The subscript that the last letter of a run carries, as it stands there: the 50 of `EC_{50}`."""
    below = mark.sub.items if isinstance(mark, Script) and mark.sub is not None else ()
    return "".join(item.text for item in below if isinstance(item, Name | Digits | Words))


def _split_tokens(marks: list[Mark], context: Context) -> list[Mark]:
    """Letters that the source sets as one token, `<mi>mv</mi>`: kept as a name, or taken apart where chosen so."""
    result: list[Mark] = []
    for mark in marks:
        base = mark.base if isinstance(mark, Script) else mark
        if not isinstance(base, Name) or not _may_be_letters(base, context) or _is_unit(base, result):
            result.append(mark)
            continue
        if base.text not in context.choices.products:
            context.note(Ambiguity("letters", base.text, "name", _subscript_text(mark), is_set=True))
            result.append(mark)
            continue
        *before, last = (Name(letter, base.position, "italic") for letter in base.text)
        result.extend(before)
        result.append(Script(last, mark.sub, mark.sup, mark.position) if isinstance(mark, Script) else last)
    return result


def _may_be_letters(name: Name, context: Context) -> bool:
    """Whether a token of several letters may be a product of them: a few letters that are no function and no word."""
    text = name.text
    is_short = 1 < len(text) <= _MOST_FACTORS and text.isascii() and text.isalpha()
    if not is_short or name.style not in ("upright", "italic") or not context.source.startswith("<"):
        return False
    return text not in OPERATOR_WORDS and text not in WORD_LETTERS and text not in context.known


def _is_unit(name: Name, before: list[Mark]) -> bool:
    """Whether the token is the unit of a number before it."""
    from mathrag.knowledge.units import is_unit_text

    last = next((mark for mark in reversed(before) if not isinstance(mark, Space)), None)
    base = last.base if isinstance(last, Script) else last
    return isinstance(base, Digits) and is_unit_text(name.text)


def _sure_pieces(letters: str, last: Mark, context: Context) -> list[str] | None:
    """The run as well-known names, the whole of it or nothing; None when it is a product of letters."""
    has_script = isinstance(last, Script)
    if letters in SURE_NAMES or _is_doubled(letters, has_script) or _is_word(letters) or _is_group(letters, last):
        return [letters]
    pieces: list[str] = []
    index = 0
    while index < len(letters):
        size = next((size for size in (3, 2) if letters[index : index + size] in context.groups), 1)
        pieces.append(letters[index : index + size])
        index += size
    return pieces if any(len(piece) > 1 for piece in pieces) else None


def _is_doubled(letters: str, has_script: bool) -> bool:
    """Nobody writes a product as opp or SS_res; a doubled letter would be a square."""
    doubled = any(first == second for first, second in itertools.pairwise(letters))
    return doubled and (len(letters) > 2 or has_script)


def _is_word(letters: str) -> bool:
    """Four small letters or more in a row spell a word, unless they run through the alphabet as abcd does."""
    if letters in GREEK_NAMES and len(letters) > 2:
        return True
    return (
        len(letters) > 3
        and (letters.islower() or letters[1:].islower())
        and letters not in "abcdefghijklmnopqrstuvwxyz"
    )


def _is_group(letters: str, last: Mark) -> bool:
    """A dimensionless group by its script: a subscript on a clear pair, a power that is no whole number on any."""
    if not isinstance(last, Script) or letters not in GROUP_NAMES:
        return False
    if last.sub is not None:
        return letters in CLEAR_GROUPS
    above = last.sup.items if last.sup is not None else ()
    return any(isinstance(mark, Digits) and "." in mark.text for mark in above) or any(
        isinstance(mark, Stack) for mark in above
    )


def bare_function(run: list[Mark], following: Mark | None, context: Context) -> list[Mark] | None:
    """`A exp(-x)` and `sin\\theta` typed without a backslash: the letters before, and the function as one word."""
    letters = "".join(_letter_of(mark) or "" for mark in run)
    last = run[-1]
    for word in BARE_FUNCTIONS:
        if word == "lg" and (letters != word or {"l", "g"} & context.lone_letters):
            # A length times g looks the same.
            continue
        before_parenthesis = isinstance(following, Fence) and letters.endswith(word)
        if (
            word in context.known
            or not (letters == word or before_parenthesis)
            or following is None
            or isinstance(following, Sign)
        ):
            continue
        start = len(letters) - len(word)
        context.flag("bare_function_name", f"the letters {word} are read as the function", run[start].position)
        name = Name(word, run[start].position, "upright")
        function = Script(name, last.sub, last.sup, name.position) if isinstance(last, Script) else name
        return [*(_segment(run[:start], context) if start > 1 else run[:start]), function]
    return None


def _joined(run: list[Mark]) -> Mark:
    """One mark for several letters, with the scripts of the last."""
    last = run[-1]
    text = "".join(_letter_of(mark) or "" for mark in run)
    name = Name(text, run[0].position, "italic")
    return Script(name, last.sub, last.sup, name.position) if isinstance(last, Script) else name


# What a subscript says, as parts of a symbol's name; and chemical species the same way.

_SUBSCRIPT_SIGNS = {
    "+": "plus", "-": "minus", "*": "star", "⋆": "star", "°": "circ", "∘": "circ", "⊖": "circ", "′": "prime",
    "∞": "infty",
    "⊕": "oplus", "⊙": "odot", "△": "triangle", "∪": "cup", "∩": "cap", "□": "square", "∥": "parallel",
    "⊥": "perp",
    "=": "eq", "→": "to", "⇌": "eq", "±": "pm", "%": "percent", "‖": "parallel", "|": "given", "≠": "ne",
    "!=": "ne", "<": "lt", ">": "gt", "†": "dagger",
    "‡": "ddagger", "·": "", "×": "x", "…": "dots", "<=": "le", ">=": "ge",
}  # fmt: skip
_SPLITTING = frozenset((",", ";", ":", "/", ".", "\u2062", "\u2061"))


def subscript_parts(row: Row, context: Context) -> tuple[str, ...]:
    """What a subscript says, as the parts of a name: `x,max` is (x, max), `rxn` one part, `i+1` (i, plus, 1)."""
    parts: list[str] = [""]
    for mark in row.items:
        for text, alone in _pieces(mark, context, follows=bool(parts[-1])):
            if alone:
                parts.extend((text, ""))
            else:
                parts[-1] += text
    return tuple(part for part in parts if part)


def _pieces(mark: Mark, context: Context, *, follows: bool) -> list[tuple[str, bool]]:
    """What one mark adds: texts, each joined to the part before it or (True) a part of its own."""
    match mark:
        case Name(text, _, _):
            return [(text, text in GREEK_NAMES or (len(text) > 1 and follows))]
        case Digits(text, _):
            return [(text.replace(".", ""), False)]
        case Words(text, _):
            words = [word for word in re.split(r"[^0-9A-Za-z]+", text) if word]
            return [(word, len(words) > 1 or follows) for word in words]
        case Space():
            return [("", True)]
        case Sign():
            return [(_sign_word(mark, context), True)]
        case Species(text, _):
            return [("_".join(species_parts(text)), True)]
        case Row():
            inner = subscript_parts(mark, context)
            return [(part, len(inner) > 1 or (follows and len(part) > 1)) for part in inner]
        case Script():
            return _script_pieces(mark, context)
        case _:
            return [(part, True) for part in _parts_inside(mark, context)]


def _sign_word(sign: Sign, context: Context) -> str:
    word = "" if sign.text in _SPLITTING else _SUBSCRIPT_SIGNS.get(sign.text)
    if word is None:
        context.decline("subscript", f"the sign {sign.text} cannot stand in a subscript", sign.position)
    return word


def _parts_inside(mark: Mark, context: Context) -> tuple[str, ...]:
    """The parts of what is in parentheses, under an accent or in a fraction."""
    match mark:
        case Fence(_, _, body, _):
            return subscript_parts(body, context)
        case Accent(accent, body, _):
            return (*subscript_parts(body, context), accent)
        case Stack(above, below, _):
            return (*subscript_parts(above, context), *subscript_parts(below, context))
        case _:
            context.decline("subscript", "this cannot stand in a subscript", mark.position)


def _script_pieces(mark: Script, context: Context) -> list[tuple[str, bool]]:
    """A subscript that has scripts itself; the digits of a chemical formula (H_2O) stay with their element."""
    base = mark.base
    start = subscript_parts(Row((base,), base.position), context)
    below = subscript_parts(mark.sub, context) if mark.sub is not None else ()
    above = subscript_parts(mark.sup, context) if mark.sup is not None else ()
    is_chemical = isinstance(base, Name) and base.style == "upright" and all(part.isdigit() for part in below)
    return [
        *((part, len(start) > 1) for part in start),
        *((part, not is_chemical) for part in below),
        *((part, True) for part in above),
    ]


# What stands upper right of a symbol: marks (prime, star, degree), labels that belong to the name, or an exponent.

_SCRIPT_MARKS = {"*": "star", "⋆": "star", "∘": "circ", "°": "circ", "⊖": "circ", "†": "dagger", "‡": "ddagger"}
PRIMES = {"′": 1, "″": 2, "‴": 3}


def script_marks(
    sup: Row | None, context: Context, *, on_symbol: bool = True
) -> tuple[tuple[str, ...], tuple[str, ...], Row | None]:
    """The marks, labels and exponent of a superscript. `on_symbol`: it stands on a letter, where labels can be."""
    if sup is None:
        return (), (), None
    items = _without_citation(visible(sup.items), context)
    marks: list[str] = []
    primes = 0
    while items and isinstance(items[0], Sign):
        text = items[0].text
        if text in PRIMES:
            primes += PRIMES[text]
        elif text in _SCRIPT_MARKS:
            marks.append(_SCRIPT_MARKS[text])
        elif text in ("+", "-") and len(items) == 1:
            marks.append("plus" if text == "+" else "minus")
        else:
            break
        items.pop(0)
    if primes:
        marks.insert(0, {1: "prime", 2: "dprime"}.get(primes, "tprime"))
    if not items:
        return tuple(marks), (), None
    if all(_is_label(mark) for mark in items):
        return tuple(marks), subscript_parts(Row(tuple(items), sup.position), context), None
    if on_symbol and not marks:
        mark, label = _likely_label(items, context)
        if mark or label:
            context.flag(
                "superscript_label",
                "what stands upper right of the symbol is read as part of its name, not as a power",
                sup.position,
            )
            return mark, label, None
    return tuple(marks), (), Row(tuple(items), items[0].position)


def _without_citation(items: list[Mark], context: Context) -> list[Mark]:
    """Superscripts without a number in square brackets at the end: it points to the literature, `c^{2[3]}`."""
    last = items[-1] if items else None
    if not isinstance(last, Fence) or last.opening != "[" or last.closing != "]":
        return items
    inside = visible(last.body.items)
    is_number = all(isinstance(mark, Digits) or (isinstance(mark, Sign) and mark.text in ",-") for mark in inside)
    if not inside or not is_number:
        return items
    context.flag("citation", "the number in square brackets is read as a reference, not as an exponent", last.position)
    return items[:-1]


def _is_label(mark: Mark) -> bool:
    """Upright words above a letter name it (T^{sat}); they are no exponent."""
    if isinstance(mark, Words):
        return bool(mark.text.strip())
    return (
        isinstance(mark, Name)
        and mark.style == "upright"
        and mark.text not in OPERATOR_WORDS
        and mark.text not in ("e", "d", "i", "T")
    )


def _likely_label(items: list[Mark], context: Context) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Superscripts that textbooks use as labels: 0 and o for standard states, phases, (0), words such as sat."""
    if len(items) == 1:
        return _lone_label(items[0], context)
    if any(isinstance(mark, Sign) and mark.text == "," for mark in items):
        return (), subscript_parts(Row(tuple(items), items[0].position), context)
    if all(isinstance(mark, Name) and len(mark.text) == 1 for mark in items):
        word = "".join(mark.text for mark in items if isinstance(mark, Name))
        if word in LABEL_WORDS:
            return (), (word,)
    return (), ()


def _lone_label(only: Mark, context: Context) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if isinstance(only, Digits) and only.text == "0" and not context.equals_one:
        return ("circ",), ()
    if isinstance(only, Fence) and only.opening == "(" and len(only.body.items) == 1:
        inside = only.body.items[0]
        return (), ((inside.text,) if isinstance(inside, Digits) else ())
    if isinstance(only, Name) and only.text not in context.known:
        is_apart = only.text not in context.plain_letters
        if only.text in ("o", "theta") and is_apart:
            return ("circ",), ()
        is_phase = only.text in PHASE_LETTERS and is_apart
        if is_phase or (only.text in GREEK_PHASES and context.has_greek_phases):
            return (), (only.text,)
    return (), ()


_MAXIMUM_NAME = 64


def prepare(items: tuple[Mark, ...], context: Context, *, quiet: bool = False) -> list[Mark]:
    """The marks of a row as the grammar wants them: letters that spell a name joined, stray scripts attached.

    `quiet` leaves no flags, for a look ahead.
    """
    noted = len(context.flags)
    prepared = _prepared(items, context)
    if quiet:
        del context.flags[noted:]
    return prepared


def _qualified(marks: list[Mark]) -> list[Mark]:
    """`net F` is one symbol, the F that is net; written like `F_net`."""
    result: list[Mark] = []
    word: Words | Name | None = None
    for mark in marks:
        is_word = isinstance(mark, Words | Name) and mark.text.strip().casefold() in _QUALIFIERS
        base = mark.base if isinstance(mark, Script) else mark
        if isinstance(mark, Space) and word is not None:
            continue
        if word is not None and isinstance(base, Name) and (base.text in GREEK_NAMES or len(base.text) <= 2):
            result.pop()
            scripts = mark if isinstance(mark, Script) else Script(mark, None, None, mark.position)
            below = () if scripts.sub is None else (Sign(",", word.position), *scripts.sub.items)
            named = Name(word.text.strip().casefold(), word.position, "upright")
            mark = Script(base, Row((named, *below), word.position), scripts.sup, base.position)
        result.append(mark)
        word = mark if isinstance(mark, Words | Name) and is_word else None
    return result


def _prepared(items: tuple[Mark, ...], context: Context) -> list[Mark]:
    marks: list[Mark] = []
    for mark in items:
        if isinstance(mark, Row) and not mark.items:
            continue
        joined = _joined_with(marks[-1], mark) if marks else None
        if joined is not None:
            marks[-1] = joined
        else:
            marks.append(mark)
    # Most rows hold italic letters and signs only; the rarer joins are tried where they can apply.
    if any(isinstance(mark, Words) or (isinstance(mark, Name) and mark.style == "upright") for mark in marks):
        marks = _join_negative_logarithm(_join_words(_qualified(marks)))
    if context.source.startswith("<"):
        marks = _split_tokens(marks, context)
    if len(marks) > 1 and any(isinstance(mark, Digits) for mark in marks):
        marks = _join_digits(marks, context)
    return join_letters(marks, context) if len(marks) > 1 else marks


def _joined_with(previous: Mark, mark: Mark) -> Mark | None:
    """One mark in place of two where the second belongs to the first: `:=`, a script set after it, a prime."""
    if isinstance(mark, Sign):
        if mark.text == "=" and isinstance(previous, Sign) and previous.text == ":":
            return Sign("≡", previous.position)
        return _with_sign_above(previous, mark) if _marks_symbol(mark, previous) else None
    if not isinstance(mark, Script):
        return None
    if isinstance(mark.base, Row) and not mark.base.items:
        return _attach(previous, mark)
    if isinstance(mark.base, Sign) and _marks_symbol(mark.base, previous):
        # E°_{cell}: the subscript was set after the degree sign but belongs to the letter.
        above = Row((mark.base, *(mark.sup.items if mark.sup else ())), mark.position)
        return _attach(previous, Script(Row((), mark.position), mark.sub, above, mark.position))
    return None


def _with_sign_above(previous: Mark, sign: Sign) -> Script:
    if not isinstance(previous, Script):
        return Script(previous, None, Row((sign,), sign.position), previous.position)
    above = (*(previous.sup.items if previous.sup else ()), sign)
    return Script(previous.base, previous.sub, Row(above, sign.position), previous.position)


def _join_digits(marks: list[Mark], context: Context) -> list[Mark]:
    """`A1` and `v0`: digits right after a letter are its subscript, for a factor would stand before it."""
    joined: list[Mark] = []
    for mark in marks:
        before = joined[-1] if joined else None
        if (
            isinstance(mark, Digits)
            and mark.text.isdigit()
            and isinstance(before, Name)
            and before.style != "upright"
            and before.text != "pi"
        ):
            context.flag(
                "digit_subscript",
                f"{before.text}{mark.text} is read as {before.text} with the subscript {mark.text}",
                before.position,
            )
            joined[-1] = Script(before, Row((mark,), mark.position), None, before.position)
        else:
            joined.append(mark)
    return joined


def _join_words(marks: list[Mark]) -> list[Mark]:
    """Upright words with word spaces between them are one phrase (`\\mathrm{wetted \\ perimeter}`)."""
    joined: list[Mark] = []
    for index, mark in enumerate(marks):
        before = joined[-2] if len(joined) > 1 else None
        between = joined[-1] if joined else None
        is_word = (
            isinstance(mark, Name)
            and mark.style == "upright"
            and len(mark.text) > 1
            and mark.text not in OPERATOR_WORDS
        )
        follows = isinstance(before, Words) or (
            isinstance(before, Name) and before.style == "upright" and len(before.text) > 1
        )
        after_number = len(joined) > 2 and isinstance(joined[-3], Digits)
        if is_word and follows and isinstance(between, Space) and between.between_words and not after_number and index:
            assert isinstance(mark, Name)
            assert isinstance(before, Name | Words)
            joined[-2:] = [Words(f"{before.text} {mark.text}", before.position)]
        else:
            joined.append(mark)
    return joined


def _marks_symbol(sign: Sign, previous: Mark) -> bool:
    """A prime after anything, or a degree sign after a letter (E°), belongs to what stands before it."""
    if isinstance(previous, Sign | Space):
        return False
    base = previous.base if isinstance(previous, Script) else previous
    return sign.text in PRIMES or (sign.text == "°" and isinstance(base, Name | Accent))


def _join_negative_logarithm(marks: list[Mark]) -> list[Mark]:
    """An upright p before K, H or OH is chemistry's minus logarithm: one name with the letter (pK_a)."""
    joined: list[Mark] = []
    for mark in marks:
        before = joined[-1] if joined else None
        is_p = (isinstance(before, Name) and before.text == "p" and before.style == "upright") or (
            isinstance(before, Words) and before.text.strip() == "p"
        )
        base = mark.base if isinstance(mark, Script) else mark
        if (
            before is not None
            and is_p
            and isinstance(base, Name)
            and base.text in ("K", "H", "OH", "Ka", "Kb", "M", "Ca")
        ):
            name = Name("p" + base.text, before.position, "upright")
            joined[-1] = Script(name, mark.sub, mark.sup, name.position) if isinstance(mark, Script) else name
        else:
            joined.append(mark)
    return joined


def _attach(previous: Mark, script: Script) -> Mark | None:
    """x² and v₀ come as an empty base with a script: give it to the mark before."""
    if isinstance(previous, Sign | Space):
        return None
    if isinstance(previous, Script):
        if (previous.sub and script.sub) or (previous.sup and script.sup):
            return None
        return Script(previous.base, previous.sub or script.sub, previous.sup or script.sup, previous.position)
    return Script(previous, script.sub, script.sup, previous.position)


def is_unknown_operator(mark: Name, context: Context) -> bool:
    """A word the author marked as an operator that is no function of ours and no name we know."""
    is_name = mark.text in GROUP_NAMES or mark.text in context.known or mark.text == context.function
    return mark.style == "operator" and not is_name and mark.text not in OPERATOR_WORDS


def is_function_word(mark: Name, context: Context) -> bool:
    """Whether a name is a function: set upright, or (in MathML) several letters that are no Greek letter's name."""
    if mark.text not in OPERATOR_WORDS or mark.text in context.known:
        return False
    return mark.style == "upright" or (len(mark.text) > 2 and mark.text not in GREEK_NAMES)


def symbol_parts(mark: Mark, context: Context, *, quiet: bool = False) -> SymbolParts | None:
    """The symbol a mark is, when it is one: a letter, an accented letter, a letter with subscript and marks."""
    noted = len(context.flags)
    parts = _symbol_parts(mark, context)
    if quiet:
        del context.flags[noted:]
    return parts


def _symbol_parts(mark: Mark, context: Context) -> SymbolParts | None:
    match mark:
        case Name(text, _, style):
            if style == "upright" and text in OPERATOR_WORDS and text not in context.known:
                return None
            if style == "upright" and len(text) > 3 and text[1:].islower() and text not in GREEK_NAMES:
                note_phrase(WordName(text, text, "", ""), context, mark.position)
            # A script letter beside the plain one is another symbol.
            return (
                SymbolParts(text, (), ("cal",)) if style == "script" and text in context.clashing else SymbolParts(text)
            )
        case Words(text, _):
            named = word_name(text)
            if named is None:
                return None
            note_phrase(named, context, mark.position)
            return SymbolParts(named.name)
        case Accent(accent, body, _):
            inner = _sole_symbol(body, context) or _squared_symbol(body, context)
            if inner is None:
                return None
            return inner.extended(marks=(accent,))
        case Row():
            return _sole_symbol(mark, context)
        case Script(base, sub, sup, _):
            return _scripted_symbol(base, sub, sup, context)
        case _:
            return None


def _scripted_symbol(base: Mark, sub: Row | None, sup: Row | None, context: Context) -> SymbolParts | None:
    inner = symbol_parts(base, context)
    if inner is None:
        return None
    marks, labels, exponent = script_marks(sup, context)
    if exponent is not None:
        return None
    below = subscript_parts(sub, context) if sub is not None else ()
    return inner.extended(subscripts=(*below, *labels), marks=marks)


def _squared_symbol(row: Row, context: Context) -> SymbolParts | None:
    """The mean of a square (`\\overline{v^2}`) is a symbol of its own, not the square of a mean."""
    items = visible(row.items)
    if len(items) != 1 or not isinstance(items[0], Script) or items[0].sup is None:
        return None
    script = items[0]
    inner = symbol_parts(Script(script.base, script.sub, None, script.position), context)
    exponent = script.sup.items if script.sup else ()
    if inner is None or len(exponent) != 1 or not (isinstance(exponent[0], Digits) and exponent[0].text == "2"):
        return None
    return inner.extended(subscripts=("squared",))


def _sole_symbol(row: Row, context: Context) -> SymbolParts | None:
    """The symbol of a braced group: one symbol, a change (`{\\Delta T}`), or letters grouped into a name (`{Re}`)."""
    items = visible(row.items)
    if len(items) == 1:
        return symbol_parts(items[0], context)
    if len(items) == 2 and isinstance(items[0], Name) and items[0].text == "Delta":
        inner = symbol_parts(items[1], context)
        return inner.extended(prefix="Delta") if inner and not inner.prefix else None
    letters = [mark for mark in items if isinstance(mark, Name) and len(mark.text) == 1]
    if items and len(letters) == len(items):
        return SymbolParts("".join(mark.text for mark in letters))
    return None


def is_braced_name(row: Row) -> bool:
    """Whether a brace group of letters is shaped like a name: {SG}, {Pr}."""
    text = "".join(mark.text for mark in row.items if isinstance(mark, Name))
    return text in GROUP_NAMES or text in SURE_NAMES or (len(text) > 1 and text.isupper())


def symbol_name(parts: SymbolParts, context: Context, position: int) -> str:
    """The name of a symbol, refusing what is no name at all."""
    name = join_name(parts)
    if len(name) > _MAXIMUM_NAME:
        context.decline("free_text", "this is too long to be the name of a symbol", position)
    return name


def argument_key(fence: Fence, context: Context) -> str:
    """The arguments of `f(x, t)` as text, to recognise the same call again."""
    return " ".join(
        _mark_key(mark) for mark in prepare(fence.body.items, context, quiet=True) if not isinstance(mark, Space)
    )


def _mark_key(mark: Mark) -> str:
    if isinstance(mark, Name | Digits | Sign | Words):
        return mark.text
    if isinstance(mark, Script):
        rows = (mark.sub, mark.sup)
        return _mark_key(mark.base) + "".join(
            "_" + " ".join(_mark_key(each) for each in row.items) for row in rows if row
        )
    return type(mark).__name__ + str(mark.position)


def is_minus_one(sup: Row | None) -> bool:
    """Whether a superscript is -1."""
    items = visible(sup.items) if sup is not None else []
    texts = [mark.text for mark in items if isinstance(mark, Sign | Digits)]
    return texts == ["-", "1"] and len(items) == 2


def is_vector(mark: Mark) -> bool:
    """Whether a mark is set as a vector: an arrow, or bold type."""
    base = mark
    while isinstance(base, Script):
        base = base.base
    if isinstance(base, Row):
        return bool(base.items) and is_vector(base.items[-1])
    if isinstance(base, Fence):
        return base.opening == "(" and any(is_vector(item) for item in base.body.items)
    if isinstance(base, Accent):
        return base.mark == "vec" or (base.mark == "hat" and any(is_vector(item) for item in base.body.items))
    return isinstance(base, Name) and base.style == "bold"
