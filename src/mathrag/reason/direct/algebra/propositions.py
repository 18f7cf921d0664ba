"""What is to be done with a proposition: its table, when it is false, a shorter form, normal forms, its negation,
whether it is a tautology, what follows from premises. All from the table of its cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from mathrag.compute.logic import (
    Joined,
    Not,
    Proposition,
    UnreadLogicError,
    cases,
    letters_of,
    read_proposition,
    truth,
)
from mathrag.compute.normal_forms import full_form, negated, short_form, shortest, written
from mathrag.compute.signs_of_logic import plain_signs
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.asked_claims import claim_of, without_asking, without_closing
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 300
_MOST_LETTERS = 5
_TABLE_LETTERS = 4
# Signs that stand for nothing but logic.
_OF_LOGIC = re.compile(r"[¬∧∨⊕→⇒↔⇔⊤⊥↑↓]|<->|<=>|->|=>|&&|\|\|")
_IF_THEN = re.compile(r"if (.+?),? then (.+)", re.IGNORECASE)
_ONLY_IF = re.compile(r"(.+?) only if (.+)", re.IGNORECASE)
_THEREFORE = re.compile(
    r" ?(?:⊢|⊨|∴|\|=|\|-) ?|[,.;]? (?:therefore|hence|thus|so|conclude|entails?|logically implies)[:,]? "
)


def answer_propositions(text: str) -> DirectStatement | None:
    """What a proposition comes to under what is asked of it; None for any other question."""
    if len(text) > _LONGEST:
        return None
    whole = without_ending(tidy(plain_signs(text)))
    asked = without_closing(whole)
    for each in dict.fromkeys((whole, asked)):
        opening = _task_opening().match(each)
        core = each[opening.end() :] if opening is not None else each
        for pattern, answer in _tasks():
            found = pattern.fullmatch(core)
            try:
                if found is not None:
                    return answer(found)
            except UnreadLogicError:
                continue
    try:
        return _argument(asked) or _bare(claim_of(text))
    except UnreadLogicError:
        return None


@cache
def _task_opening() -> re.Pattern[str]:
    return re.compile(rf"(?:(?:{any_of('logic.task_openings')})\b[ :,]*)+", re.IGNORECASE)


@cache
def _tasks() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], DirectStatement]], ...]:
    forms = any_of("logic.normal_forms")
    kinds = any_of("logic.table_values")
    of = r"(?: of| for|:)? (?:the )?(?:proposition |statement |formula |expression )?[\"“'‘]?(?P<it>.+?)[\"”'’]?"
    full = r"(?P<full>full |canonical |principal |perfect )?"
    sound = (
        r"(?:an? )?(?:always )?(?:valid|true|tautology|law|correct|sound)(?: (?:rule of inference|argument|form|law))?"
    )
    turns = r"(?:convert|bring|transform|write|express|put|turn|rewrite)"
    made: tuple[tuple[str, Callable[[re.Match[str]], DirectStatement]], ...] = (
        (rf"truth[- ]?tables?{of}", _table),
        (r"(?P<it>.+?)[ ,:]+truth[- ]?table", _table),
        (
            (
                r"(?:(?:when|in which cases?|under (?:what|which) conditions?|for (?:which|what) (?:truth )?values"
                r"(?: of [a-z](?:(?:,| and|, and) [a-z])*)?) (?:is|are|does)|is) (?P<it>.+?) (?P<value>false|true|fail)"
                r"(?: and when is it true)?"
            ),
            _when,
        ),
        (rf"(?:simplify|simplification|simplified form|simplest form|reduce|shorten|minimi[sz]e){of}", _simplified),
        (rf"{full}(?P<form>{forms}){of}", _normal_form),
        (rf"{turns} (?P<it>.+?) (?:in|into|to|as|in a) (?:the |a )?{full}(?P<form>{forms})", _normal_form),
        (rf"(?:negate|negation|denial|logical negation|opposite){of}", _negation),
        (rf"is (?P<it>.+?),? (?:is )?(?:always )?(?P<kind>{kinds})", _classified),
        (rf"(?P<it>.+?)[:,–—]? (?:is (?:it |this |that )?)?(?P<kind>{kinds})", _classified),
        (
            (
                rf"(?:how many|number of) (?P<places>unary |binary |ternary )?(?:{any_of('logic.boolean_functions')})"
                r"(?: are there| exist)?(?: (?:of|in|with|on) (?P<n>[1-6nk]|one|two|three|four) "
                r"(?:(?:boolean |binary )?(?:variables?|inputs?|arguments?)))?(?: are there| exist)?"
            ),
            _functions,
        ),
        (rf"(?:is |why is )?(?P<name>{any_of('logic.named_arguments')}) {sound}", _named),
    )
    return tuple((re.compile(pattern, re.IGNORECASE), answer) for pattern, answer in made)


def proposition_of(text: str) -> Proposition:
    """The proposition that a text is, in signs or as "if p then q"; raises `UnreadLogicError`."""
    body = text.strip(' .,;:"“”‘’')
    for pattern in (_IF_THEN, _ONLY_IF):
        found = pattern.fullmatch(body)
        if found is not None:
            return Joined("implies", proposition_of(found[1]), proposition_of(found[2]))
    made = read_proposition(body)
    if len(letters_of(made)) > _MOST_LETTERS:
        raise UnreadLogicError("too many letters")
    return made


def _composed(text: str) -> Proposition:
    made = proposition_of(text)
    if not isinstance(made, Not | Joined) or not letters_of(made):
        raise UnreadLogicError("no proposition with an operation")
    # "a or b" between words of everyday may be anything; letters and operations alone were read, so this is logic.
    return made


def _word(value: bool) -> str:
    return "true" if value else "false"


def _at(case: dict[str, bool]) -> str:
    return ", ".join(f"{name} {_word(value)}" for name, value in case.items())


def _table(found: re.Match[str]) -> DirectStatement:
    made = _composed(found["it"])
    names = letters_of(made)
    if len(names) > _TABLE_LETTERS:
        raise UnreadLogicError("too many rows")
    whole = written(made)
    rows = [(case, truth(made, case)) for case in cases(names)]
    lines = [" | ".join((*names, whole))]
    lines += [" | ".join("T" if value else "F" for value in (*case.values(), result)) for case, result in rows]
    true = sum(result for _, result in rows)
    text = f"Truth table of {whole}: true in {true} of {len(rows)} cases."
    told = [f"{_at(case)}: {_word(result)}" for case, result in rows]
    return DirectStatement(f"{text} {'; '.join(told)}.", whole, tuple(map(WorkingLine, lines)))


def _when(found: re.Match[str]) -> DirectStatement:
    made = _composed(found["it"])
    wanted = found["value"].lower() == "true"
    names = letters_of(made)
    held = [case for case in cases(names) if truth(made, case) == wanted]
    whole, word, total = written(made), _word(wanted), 2 ** len(names)
    if len(held) in (0, total):
        text = f"{whole} is {'always' if held else 'never'} {word}: all {total} cases were tried."
    elif len(held) == 1:
        text = f"{whole} is {word} only with {_at(held[0])}; in the other {total - 1} cases it is {_word(not wanted)}."
    else:
        told = "; ".join(f"with {_at(case)}" for case in held)
        text = f"{whole} is {word} {told}; in the other {total - len(held)} cases it is {_word(not wanted)}."
    return DirectStatement(text, whole, tuple(WorkingLine(f"{word} with {_at(case)}") for case in held))


def _simplified(found: re.Match[str]) -> DirectStatement:
    _needs_signs(found["it"])
    made = _composed(found["it"])
    short, whole = shortest(made), written(made)
    if len(written(short)) >= len(whole):
        text = f"{whole} is already as short as its normal forms."
        return DirectStatement(text, whole)
    always = {"⊤": " (always true)", "⊥": " (never true)"}.get(written(short), "")
    line = f"{whole} ≡ {written(short)}"
    return DirectStatement(
        f"{line}{always}. Both are true in the same cases; all {2 ** len(letters_of(made))} were tried.",
        whole,
        (WorkingLine(line),),
    )


def _needs_signs(text: str) -> None:
    """ "simplify a or b" says logic only with its signs, or with "not" and "and" between letters alone."""
    if not (_OF_LOGIC.search(text) or re.search(r"\b(?:and|or|not|xor|implies|iff)\b", text, re.IGNORECASE)):
        raise UnreadLogicError("no sign of logic")


def _normal_form(found: re.Match[str]) -> DirectStatement:
    made = _composed(found["it"])
    disjunctive = word_pairs("logic.normal_forms")[found["form"].lower()] == "disjunctive"
    full, short = (form(made, disjunctive=disjunctive) for form in (full_form, short_form))
    if len(written(full)) == len(written(short)):
        short = full
    name = "disjunctive" if disjunctive else "conjunctive"
    line = f"{written(made)} ≡ {written(short)}"
    count = 2 ** len(letters_of(made))
    text = f"A {name} normal form of {written(made)} is {written(short)}"
    if written(full) != written(short):
        text += f"; the full one, a part for each case, is {written(full)}"
    return DirectStatement(f"{text}. From the table of all {count} cases.", written(made), (WorkingLine(line),))


def _negation(found: re.Match[str]) -> DirectStatement:
    made = _composed(found["it"])
    opposite = negated(made)
    names = letters_of(made)
    assert all(truth(made, case) != truth(opposite, case) for case in cases(names))
    shown = f"¬({written(made)}) ≡ {written(opposite)}"
    return DirectStatement(
        f"The negation of {written(made)} is {written(opposite)}: in all {2 ** len(names)} cases one is true where the "
        "other is false.",
        written(made),
        (WorkingLine(shown),),
    )


def _classified(found: re.Match[str]) -> DirectStatement:
    made = _composed(without_asking(found["it"]))
    return told_kind(made, word_pairs("logic.table_values")[found["kind"].lower()])


def told_kind(made: Proposition, asked: str = "which") -> DirectStatement:
    """Whether a proposition is always true, never, or sometimes, with a case for each."""
    names = letters_of(made)
    rows = [(case, truth(made, case)) for case in cases(names)]
    true = [case for case, result in rows if result]
    false = [case for case, result in rows if not result]
    whole = written(made)
    tried = f"all {len(rows)} cases of true and false were tried, which proves it"
    if not false:
        text = f"{whole} is a tautology, always true: {tried}"
    elif not true:
        text = f"{whole} is a contradiction, never true (unsatisfiable): {tried}"
    else:
        text = (
            f"{whole} is neither a tautology nor a contradiction: it is true with {_at(true[0])} and false with "
            f"{_at(false[0])}, so it is satisfiable"
        )
    verdict = {"always": not false, "never": not true, "once": bool(true), "sometimes": bool(true and false)}.get(asked)
    opening = "" if verdict is None else "True: " if verdict else "False: "
    return DirectStatement(f"{opening}{text}.", whole)


_PLACES = {"unary": 1, "binary": 2, "ternary": 3, "one": 1, "two": 2, "three": 3, "four": 4}


def _functions(found: re.Match[str]) -> DirectStatement:
    """How many functions there are from values of true and false to one."""
    said = [each.strip().lower() for each in (found["places"], found["n"]) if each]
    if len(said) != 1:
        raise UnreadLogicError("of how many places")
    rule = "a value of two for each row of the table, which has 2^n rows for n variables"
    if said[0] in ("n", "k"):
        return DirectStatement(f"2^(2^{said[0]}): {rule.replace('n variables', f'{said[0]} variables')}.", "2^(2^n)")
    n = _PLACES.get(said[0]) or int(said[0])
    return DirectStatement(f"2^(2^{n}) = 2^{2**n} = {2**2**n} functions of {n} variables: {rule}.", f"2^(2^{n})")


def _named(found: re.Match[str]) -> DirectStatement:
    made = read_proposition(word_pairs("logic.named_arguments")[found["name"].lower()])
    told = told_kind(made, "always")
    return DirectStatement(f"{told.text} ({found['name']})", told.expression, told.lines)


def _bare(claim: str) -> DirectStatement | None:
    """A proposition alone: taken as a statement to judge where a letter comes back in it."""
    parts = re.split(r" ?≡ ?| (?:is )?(?:logically )?(?:equivalent to|the same as) ", claim)
    if len(parts) > 2 or (len(parts) == 1 and not _OF_LOGIC.search(claim)):
        return None
    sides = [proposition_of(part) for part in parts]
    made = sides[0] if len(sides) == 1 else Joined("iff", *sides)
    letters = re.findall(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])", claim)
    if not isinstance(made, Joined | Not) or len(letters) == len(set(letters)):
        return None
    names = letters_of(made)
    false = [case for case in cases(names) if not truth(made, case)]
    whole, total = written(made), 2 ** len(names)
    if not false:
        told = f"True: {whole} is a tautology, always true. All {total} cases of true and false were tried"
        return DirectStatement(f"{told}, which proves it.", whole)
    if len(false) == total:
        return DirectStatement(f"False: {whole} is a contradiction: it is false in all {total} cases.", whole)
    return DirectStatement(
        f"False: with {_at(false[0])}, {whole} is false (true in {total - len(false)} of {total} cases).",
        whole,
        (WorkingLine(f"with {_at(false[0])}: false"),),
    )


# Arguments.

_CONCLUDE = r"(?:conclude|deduce|infer|derive)"
_FOLLOWS = re.compile(
    r"(?:does|do|can) (?P<end>.+?) (?:logically )?(?:follow|be (?:concluded|deduced|inferred)) from (?P<given>.+)",
    re.IGNORECASE,
)
_FROM = re.compile(
    r"(?:from|given|assuming|if we know(?: that)?|if we have|suppose(?: that)?|if) (?P<given>.+?)[,:]? "
    rf"(?:can (?:we|you|i|one) {_CONCLUDE}|does it follow that|do we get|does|it follows(?: that)?|follows"
    rf"|we (?:can )?(?:{_CONCLUDE}|get)|conclude)(?: that)? (?P<end>.+?)(?: follows?)?",
    re.IGNORECASE,
)
_IMPLY = re.compile(
    r"(?:does|do) (?P<given>.+?) (?:together )?(?:imply|entail|logically imply) (?P<end>.+)", re.IGNORECASE
)
_ARGUMENT = re.compile(
    r"(?:is )?(?:the |this )?(?:following )?(?:argument|inference|reasoning)[:,]? (?P<rest>.+?)"
    r"(?:,? (?:is )?(?:it )?(?:valid|sound|correct))?",
    re.IGNORECASE,
)
_PREMISES = re.compile(r"(?:the )?premises?:? (?P<given>.+?)[.;,]? (?:the )?conclusions?:? (?P<end>.+)", re.IGNORECASE)


def _argument(asked: str) -> DirectStatement | None:
    """Premises and what is said to follow from them."""
    body = without_closing(asked)
    for pattern in (_FOLLOWS, _FROM, _IMPLY, _PREMISES):
        found = pattern.fullmatch(body)
        if found is not None:
            try:
                return _judged_argument(_premises(found["given"]), proposition_of(found["end"]))
            except UnreadLogicError:
                continue
    inner = _ARGUMENT.fullmatch(body)
    parts = _THEREFORE.split(without_asking(inner["rest"] if inner is not None else body))
    if len(parts) != 2 or not parts[1].strip():
        return None
    given = _premises(parts[0]) if parts[0].strip() else []
    return _judged_argument(given, proposition_of(without_closing(parts[1])))


def _premises(text: str) -> list[Proposition]:
    """Premises between commas and "and"; p ∧ q alone is one."""
    whole = text.strip(" {}")
    pieces = re.split(r", and |,|;| together with ", whole)
    if len(pieces) > 1:
        last = re.split(r" and ", pieces.pop())
        return [proposition_of(each) for each in (*pieces, *last)]
    try:
        return [proposition_of(each) for each in re.split(r" and ", whole)]
    except UnreadLogicError:
        return [proposition_of(whole)]


def _judged_argument(given: Sequence[Proposition], end: Proposition) -> DirectStatement | None:
    names = letters_of(*given, end)
    if not 1 <= len(names) <= _MOST_LETTERS or not any(isinstance(each, Joined | Not) for each in (*given, end)):
        return None
    shown = ", ".join(map(written, given)) or "no premise"
    whole = f"{shown} ⊢ {written(end)}"
    rows = list(cases(names))
    for case in rows:
        if all(truth(each, case) for each in given) and not truth(end, case):
            told = f"with {_at(case)}, every premise is true and {written(end)} is false"
            return DirectStatement(
                f"No: {written(end)} does not follow from {shown}; the argument is not valid: {told}.",
                whole,
                (WorkingLine(told),),
            )
    possible = any(all(truth(each, case) for each in given) for case in rows)
    note = "" if possible else " (the premises contradict each other, so anything follows)"
    return DirectStatement(
        f"Yes: {written(end)} follows from {shown}; the argument is valid{note}: in none of all {len(rows)} cases are "
        "the premises true and the conclusion false, which proves it.",
        whole,
    )
