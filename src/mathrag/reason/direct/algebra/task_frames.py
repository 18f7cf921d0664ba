"""A task of algebra in any order of words: one expression, and around it words that say what to do with it.

`x^4 + 4 can this be factored without complex numbers?` becomes `factor x^4 + 4 over the real numbers`, which the
readers of tasks know. Strict: there is one stretch of mathematics, every word around it is known here, and together
they ask for one thing; a word that may limit or deny anything leaves the text alone.
"""

from __future__ import annotations

import re
from functools import cache

from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.question_text import tidy

_LONGEST, _MOST_WORDS, _MOST_EQUATIONS = 400, 70, 3
_LAYOUT = re.compile(r"(?<!\\)\\(?:[,;:! ]|q?quad(?![A-Za-z])|(?:left|right)(?![A-Za-z])\.?|displaystyle(?![A-Za-z]))")
_MARKS = re.compile(r"\$+|\\[()\[\]]|`|[“”\"]")
_FRACTION = re.compile(r"\\[dtc]frac(?![A-Za-z])")
_TOKEN = re.compile(r"\S+")
_WORD = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*[.,;:?!…]*|[.,;:?!…–—-]+")
_FUNCTION = re.compile(
    r"(?:sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|arcsin|arccos|arctan|ln|log|lg|exp|sqrt|cbrt|abs|pi|root)$"
)
_STRONG = re.compile(r"[0-9^=/*+√²³\\]|(?:sin|cos|tan|ln|log|exp|sqrt)")
# The sign of a factorial stays.
_ENDING = re.compile(r"(?:[ .,;:?…]|(?<=[ ?!])!)+$")
# A number with a unit of several letters is no product.
_MEASURED = re.compile(r"[0-9] ?(?!sin|cos|tan|ln|log|sqrt|exp|arc|pi)[A-Za-zµ]{2,}")


@cache
def _phrases(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{any_of(f'task_frames.{name}')})(?![\w-])", re.IGNORECASE)


# In this order: what is asked for by several words comes before what one of them alone would ask for.
_TASKS = (
    ("rationalise", "rationalise the denominator of {body}"),
    ("partial_fractions", "partial fractions of {body}"),
    ("square", "complete the square for {body}"),
    ("sum_form", "write {body} in the form a + bi"),
    ("factor", "factor {body}"),
    ("expand", "expand {body}"),
    ("solve", "solve {body}"),
    ("simplify", "simplify {body}"),
)
_FIELDS = (
    ("over_integers", " over the integers"),
    ("over_reals", " over the real numbers"),
    ("over_complex", " over the complex numbers"),
)
# Words that may stand beside a task and ask for no other.
_BESIDE = {
    "partial_fractions": ("decompose", "simplify"),
    "rationalise": ("simplify", "solve"),
    "square": (),
    "sum_form": ("simplify",),
    "factor": ("decompose", "simplify"),
    "solve": (),
    "expand": ("simplify",),
}


def reworded(text: str) -> str:
    """The task in the usual words; empty where the text is none, or not wholly understood."""
    if len(text) > _LONGEST or not any(sign in text for sign in "^/+-−√²³=\\*("):
        return ""
    laid = _MARKS.sub(" ", _FRACTION.sub(r"\\frac", _LAYOUT.sub(" ", tidy(text))))
    laid = " ".join(laid.replace("’", "'").split())
    cuts = _mathematics(laid)
    if 2 <= len(cuts) <= _MOST_EQUATIONS:
        return _system(laid, cuts)
    if len(cuts) != 1:
        return ""
    cut = cuts[0]
    body = _ENDING.sub("", laid[cut[0] : cut[1]])
    if _MEASURED.search(body):
        return ""
    around = f"{laid[: cut[0]]} ; {laid[cut[1] :]}"
    return _asked(body, _corrected(around))


def _system(laid: str, cuts: list[tuple[int, int]]) -> str:
    """Equations with words between them and around them, which ask for the values of their letters."""
    bodies = [laid[start:end].strip(" .,;:?!") for start, end in cuts]
    if any(body.count("=") != 1 or _MEASURED.search(body) for body in bodies):
        return ""
    ends = [0, *(end for _, end in cuts)]
    starts = [*(start for start, _ in cuts), len(laid)]
    around = _corrected(" ; ".join(laid[end:start] for end, start in zip(ends, starts, strict=True)))
    letters = {each for body in bodies for each in re.findall(r"(?<![A-Za-z])[a-z](?![A-Za-z])|(?<=[0-9])[a-z]", body)}
    rest = re.findall(r"[A-Za-z]+(?:['-][A-Za-z]+)*", _phrases("solve").sub(" ", around))
    idle = word_class("task_frames.idle") | word_class("task_frames.systems")
    named = {each for each in rest if len(each) == 1 and each in letters}
    if any(each not in named and each.lower() not in idle for each in rest):
        return ""
    is_asked = _phrases("solve").search(around) is not None or named == letters
    return f"solve {', '.join(bodies)}" if is_asked and len(letters) == len(bodies) else ""


def _mathematics(text: str) -> list[tuple[int, int]]:
    """Where stretches of mathematics stand."""
    tokens = list(_TOKEN.finditer(text))
    if len(tokens) > _MOST_WORDS:
        return []
    is_word = [_is_word(each[0]) for each in tokens]
    stretches: list[tuple[int, int]] = []
    place = 0
    while place < len(tokens):
        if is_word[place]:
            place += 1
            continue
        start = place
        while place < len(tokens) and not is_word[place] and (place == start or not _ends(tokens[place - 1][0])):
            place += 1
        stretches.append((start, place))
    places = [(tokens[start].start(), tokens[end - 1].end()) for start, end in stretches]
    # A letter between words is no mathematics of its own: "in a form", "for x".
    return [place for place in places if _is_strong(text[place[0] : place[1]])]


def _is_strong(part: str) -> bool:
    return bool(_STRONG.search(part)) and not _phrases("sum_form").search(f"form {part}") and len(part) > 2


def _is_word(token: str) -> bool:
    bare = token.rstrip(".,;:?!…")
    if not _WORD.fullmatch(token):
        return False
    if bare in ("-", "–", "—", ""):
        return bare == "" or bare in ("–", "—")
    return bare in ("I", "a") or (len(bare) > 1 and not _FUNCTION.match(bare.lower()))


def _ends(token: str) -> bool:
    return token[-1] in "?.;,:" and len(token) > 1


def _corrected(words: str) -> str:
    """Words of a task that are misspelt by one slip, put right."""
    return re.sub(r"[A-Za-z]{6,}", lambda found: _right(found[0].lower()), words)


@cache
def _task_words() -> frozenset[str]:
    names = ("simplify", "factor", "expand", "solve", "decompose")
    words = {word for name in names for word in word_class(f"task_frames.{name}")}
    return frozenset(word for word in words if len(word) >= 6 and " " not in word) | {"fractions", "denominator"}


def _right(word: str) -> str:
    known = _task_words()
    if word in known or word in word_class("task_frames.idle"):
        return word
    near = [each for each in known if _is_one_slip(word, each)]
    return min(near) if near else word


def _is_one_slip(one: str, other: str) -> bool:
    """Whether one letter is too many, missing, wrong, or two neighbours have changed places."""
    if abs(len(one) - len(other)) > 1 or one[0] != other[0]:
        return False
    start = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rests = one[start:], other[start:]
    return (
        rests[0][1:] == rests[1][1:]
        or rests[0][1:] == rests[1]
        or rests[0] == rests[1][1:]
        or (rests[0][:2] == rests[1][:2][::-1] and rests[0][2:] == rests[1][2:])
    )


def _asked(body: str, around: str) -> str:
    """The task that the words around an expression ask for; empty where it is none or several."""
    field = ""
    for name, said in _FIELDS:
        if _phrases(name).search(around):
            if field:
                return ""
            field, around = said, _phrases(name).sub(" ; ", around)
    found = next(((name, form) for name, form in _TASKS if _phrases(name).search(around)), None)
    if found is None:
        return ""
    name, form = found
    if (name == "solve") != ("=" in body) or (field and name not in ("factor", "solve")):
        return ""
    rest = _phrases(name).sub(" ", around)
    for other in _BESIDE.get(name, ()):
        rest = _phrases(other).sub(" ", rest)
    letters = re.findall(r"[A-Za-z]+(?:['-][A-Za-z]+)*", rest)
    named = {each for each in letters if len(each) == 1 and each in "xyztuvwn"}
    idle = word_class("task_frames.idle")
    if any(each not in named and each.lower() not in idle for each in letters) or len(named) > 1:
        return ""
    if re.search(r"[0-9^=<>+*/\\]", rest) or (named and name != "solve"):
        return ""
    target = f" for {named.pop()}" if named else ""
    return form.format(body=body) + target + field
