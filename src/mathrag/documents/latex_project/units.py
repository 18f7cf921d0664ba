"""siunitx: numbers and units as plain text for prose and as LaTeX for formulas. Checks no dimension.

Units come out in ASCII (`kg*m^2/s^2`), which the unit reader takes back; unit macros the document declares are known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mathrag.documents.latex_project.expander import Expander
from mathrag.documents.latex_project.macros import Macro
from mathrag.documents.latex_project.tokens import TexToken, as_source

_PREFIXES = dict(
    pair.split("=")
    for pair in (
        "quecto=q ronto=r yocto=y zepto=z atto=a femto=f pico=p nano=n micro=u milli=m centi=c deci=d deca=da deka=da "
        "hecto=h kilo=k mega=M giga=G tera=T peta=P exa=E zetta=Z yotta=Y"
    ).split()
)
_UNITS = dict(
    pair.split("=")
    for pair in (
        "metre=m meter=m gram=g kilogram=kg second=s ampere=A kelvin=K mole=mol candela=cd hertz=Hz newton=N pascal=Pa "
        "joule=J watt=W coulomb=C volt=V farad=F ohm=ohm siemens=S weber=Wb tesla=T henry=H lumen=lm lux=lx "
        "becquerel=Bq "
        "gray=Gy sievert=Sv katal=kat radian=rad steradian=sr minute=min hour=h day=day hectare=ha liter=L litre=L "
        "tonne=t electronvolt=eV dalton=Da atomicmassunit=u astronomicalunit=au celsius=degC degreeCelsius=degC "
        "degree=deg arcminute=arcmin arcsecond=arcsec percent=% decibel=dB bel=bel neper=Np bit=bit byte=B bar=bar "
        "barn=barn knot=knot mmHg=mmHg angstrom=angstrom nauticalmile=nmi clight=c planckbar=hbar electronmass=m_e "
        "elementarycharge=e bohr=bohr hartree=hartree"
    ).split()
)
_AFTER = {"squared": "2", "cubed": "3"}
_BEFORE = {"square": "2", "cubic": "3"}
_JOINTS = frozenset(("cdot", "times", ",", ";", ":", " ", "quad", "thinspace", "!", "/"))
_IGNORED = frozenset((".", "~", "(", ")", "xspace", "ensuremath", "relax"))
_GREEK = {
    "mu": "u",
    "Omega": "ohm",
    "circ": "deg",
    "degree": "deg",
    "textmu": "u",
    "textdegree": "deg",
    "AA": "angstrom",
}
_NUMBER = re.compile(
    r"([+-]?)(\d*(?:[.,]\d*)?)(?:\((\d{1,20})\))?(?:(?:\+-|\\pm|±)(\d*(?:[.,]\d*)?))?(?:[eEdD]([+-]?\d{1,6}))?\Z"
)
_POWER_OF_TEN = re.compile(r"(?:\\times|\\cdot|x|×)10\^\{?([+-]?\d{1,6})\}?")
_LONGEST = 400
# Unit words that are functions in formulas.
_FUNCTION_LIKE = re.compile(r"(?<![A-Za-z])(lb|min|deg|th|sh|ch)(?![A-Za-z])")

COMMANDS = frozenset("SI si qty unit num ang SIrange qtyrange numrange SIlist qtylist numlist numproduct".split())


@dataclass(frozen=True, slots=True)
class Written:
    """A number, a unit or both: for prose, for formulas, and whether it is only a unit."""

    plain: str
    latex: str
    unit: str = ""


def read_quantity(expander: Expander, token: TexToken) -> Written:
    """The siunitx command `token` with its arguments, taken from the stream."""
    expander.option()
    name = token.text
    if name in ("si", "unit"):
        unit = unit_text(expander.argument(), expander)
        return Written(unit, f"\\mathrm{{{unit_latex(unit)}}}", unit)
    if name == "ang":
        return _angle(as_source(expander.argument()))
    numbers = [_number(as_source(expander.expanded(expander.argument())))]
    if name.endswith(("list", "product")):
        numbers = [_number(part) for part in _split(numbers[0][0])]
    if name.endswith("range"):
        numbers.append(_number(as_source(expander.expanded(expander.argument()))))
    unit = ""
    if not name.startswith("num"):
        before = expander.option()
        unit = unit_text(expander.argument(), expander)
        if before:
            numbers[0] = (f"{as_source(before)}{numbers[0][0]}", f"{as_source(before)}{numbers[0][1]}")
    joint, latex_joint = _joints(name)
    return _written(
        joint.join(number for number, _ in numbers), latex_joint.join(number for _, number in numbers), unit
    )


def _joints(name: str) -> tuple[str, str]:
    """What a command sets between its numbers, in prose and in formulas."""
    if name.endswith("range"):
        # The formula reader rightly declines an ellipsis; words between two numbers it would take for a factor.
        return " to ", r"\ldots "
    return (" x ", r"\times ") if name.endswith("product") else (", ", r",\ ")


def _written(plain: str, latex: str, unit: str) -> Written:
    """A number, or several, with its unit."""
    if not unit:
        return Written(plain, latex)
    if unit == "deg":
        return Written(f"{plain} deg", f"{latex}^{{\\circ}}")
    if unit == "%":
        return Written(f"{plain} %", f"{latex}\\ \\%")
    return Written(f"{plain} {unit}", f"{latex}\\ \\mathrm{{{unit_latex(unit)}}}")


def _split(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"[;x]", text) if part.strip()]


def _angle(text: str) -> Written:
    """`\\ang{30}` or `\\ang{12;3;4}` in degrees, minutes, seconds."""
    parts = [part.strip() for part in text.split(";")]
    if len(parts) == 1:
        plain, latex = _number(parts[0])
        return Written(f"{plain} deg", f"{latex}^{{\\circ}}")
    marks = ("^{\\circ}", "'", "''")
    given = [(part, index) for index, part in enumerate(parts[:3]) if part]
    words = ("deg", "arcmin", "arcsec")
    plain = " ".join(f"{part} {words[index]}" for part, index in given)
    return Written(plain, "".join(part + marks[index] for part, index in given))


def _number(source: str) -> tuple[str, str]:
    """A number for prose and for formulas; what is none stays as written."""
    compact = _POWER_OF_TEN.sub(r"e\1", re.sub(r"[\s~]|\\[,;: ]", "", source))
    match = _NUMBER.match(compact) if len(compact) < 200 else None
    if match is None or not compact:
        return source.replace("\\pi", "pi"), source
    sign, digits, doubt, spread, exponent = match.groups()
    value = sign + digits.replace(",", ".")
    if not digits:
        return (f"{sign}1e{exponent}", f"{sign}10^{{{exponent}}}") if exponent else (source, source)
    uncertainty = spread.replace(",", ".") if spread else ""
    if doubt:
        decimals = len(value.partition(".")[2])
        padded = doubt.rjust(decimals + 1, "0")
        uncertainty = f"{padded[:-decimals]}.{padded[-decimals:]}" if decimals else doubt
    if uncertainty:
        plain, latex = f"({value} +/- {uncertainty})", rf"({value}\pm {uncertainty})"
        if exponent:
            return f"{plain}*10^{exponent}", rf"{latex}\times 10^{{{exponent}}}"
        return plain, latex
    if exponent:
        return f"{value}e{exponent}", rf"{value}\times 10^{{{exponent.lstrip('+')}}}"
    return value, value


def unit_latex(unit: str) -> str:
    """ASCII unit text as the inside of `\\mathrm`."""
    text = re.sub(r"\^(-?\d+(?:/\d+)?)", r"^{\1}", unit).replace("*", r"\cdot ").replace("%", r"\%")
    return _FUNCTION_LIKE.sub(r"\\text{\1}", text)


def unit_text(tokens: list[TexToken], expander: Expander) -> str:
    """A unit argument as ASCII: macros are interpreted, literal text is only cleaned."""
    tokens = _opened(tokens, expander)
    if any(_is_unit_word(token, expander) for token in tokens):
        return _interpreted(tokens, expander)
    return _literal(tokens)


def _is_unit_word(token: TexToken, expander: Expander) -> bool:
    return token.kind in ("command", "frozen") and (
        token.text in _UNITS
        or token.text in _PREFIXES
        or token.text in expander.units
        or token.text in ("per", "square", "cubic", "squared", "cubed")
        or (len(token.text) <= 4 and token.text.isalpha() and token.text not in _GREEK and token.text not in _JOINTS)
    )


def _opened(tokens: list[TexToken], expander: Expander) -> list[TexToken]:
    """Declared units made of other units, and macros without arguments, put in their places."""
    for _ in range(6):
        result: list[TexToken] = []
        changed = False
        for token in tokens:
            declared = expander.units.get(token.text) if token.kind == "command" else None
            meaning = expander.macros.get(token.text) if token.kind == "command" else None
            if declared is not None and any(part.kind == "command" for part in declared):
                result.extend(declared)
                changed = True
            elif (
                declared is None and token.text not in _UNITS and isinstance(meaning, Macro) and not meaning.parameters
            ):
                result.extend(meaning.body)
                changed = True
            else:
                result.append(token)
        tokens = result[:_LONGEST]
        if not changed:
            break
    return tokens


def _interpreted(tokens: list[TexToken], expander: Expander) -> str:
    """Unit macros one after the other, with powers, prefixes and `\\per`."""
    above: list[str] = []
    below: list[str] = []
    prefix, power, is_per = "", "", False
    last: list[str] | None = None
    index = 0
    while index < len(tokens):
        token = tokens[index]
        index += 1
        name = token.text
        if token.kind == "super" or name in ("tothe", "raiseto", "of"):
            value, index = _group_text(tokens, index)
            if name == "raiseto":
                power = value
            elif name != "of" and last:
                last[-1] += f"^{value}"
        elif name in _AFTER and last:
            last[-1] += f"^{_AFTER[name]}"
        elif name in _BEFORE:
            power = _BEFORE[name]
        elif name == "per" or (token.kind == "characters" and name == "/"):
            is_per = True
        elif name in _PREFIXES and name not in expander.units:
            prefix = _PREFIXES[name]
        elif token.kind in ("command", "frozen", "characters") and name not in _JOINTS and name not in _IGNORED:
            symbol = _symbol(name, expander)
            if token.kind != "characters" and name not in _UNITS and name not in expander.units:
                # \\mathrm{photon}: a word of the author's own.
                word, following = _group_text(tokens, index)
                if index < len(tokens) and tokens[index].kind == "open":
                    symbol, index = word, following
            last = below if is_per else above
            last.append(prefix + symbol + (f"^{power}" if power else ""))
            prefix, power, is_per = "", "", False
    if prefix:
        above.append(prefix)
    return _joined(above, below)


def _symbol(name: str, expander: Expander) -> str:
    declared = expander.units.get(name)
    if declared is not None:
        return _literal(list(declared)) or name
    return _UNITS.get(name) or _GREEK.get(name) or name


def _joined(above: list[str], below: list[str]) -> str:
    top = "*".join(above)
    if not below:
        return top
    if not top:
        return "*".join(_inverted(part) for part in below)
    bottom = "*".join(below)
    return f"{top}/({bottom})" if len(below) > 1 else f"{top}/{bottom}"


def _inverted(part: str) -> str:
    symbol, _, power = part.partition("^")
    return f"{symbol}^{power[1:] if power.startswith('-') else f'-{power or 1}'}"


def _group_text(tokens: list[TexToken], index: int) -> tuple[str, int]:
    """The script or argument that starts at `index` as text, and where it ends."""
    if index >= len(tokens):
        return "", index
    if tokens[index].kind != "open":
        text = tokens[index].text
        return text, index + 1
    depth, start = 0, index
    while index < len(tokens):
        depth += (tokens[index].kind == "open") - (tokens[index].kind == "close")
        index += 1
        if not depth:
            break
    return as_source(tokens[start + 1 : index - 1]).replace(" ", ""), index


def _literal(tokens: list[TexToken]) -> str:
    """Unit text typed as it is to look: `kg.m^{-3}`, `m/s`."""
    parts: list[str] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        index += 1
        if token.kind == "super":
            value, index = _group_text(tokens, index)
            parts.append("deg" if value == "\\circ" else f"^{value}")
        elif token.kind in ("command", "frozen"):
            parts.append("%" if token.text == "%" else _GREEK.get(token.text, "*" if token.text in _JOINTS else ""))
        elif token.kind in ("space", "tie"):
            parts.append("*")
        elif token.kind == "characters":
            text = (
                token.text.replace("µ", "u").replace("μ", "u").replace("Ω", "ohm").replace("°", "deg").replace("·", "*")
            )
            parts.append(text.replace(".", "*"))
    return re.sub(r"\*?([/^])\*?|\*+", lambda found: found.group(1) or "*", "".join(parts)).strip("*")


# mhchem in prose: `\ce{H2SO4}` as plain characters. Inside formulas it stays as written, for the formula reader.

_ARROWS = (("<=>>", " ⇌ "), ("<=>", " ⇌ "), ("<->", " ↔ "), ("->", " → "), ("<-", " ← "))


def plain_chemistry(source: str) -> str:
    """The inside of `\\ce` as text: scripts keep `^` and `_`, arrows become arrows."""
    text = source
    for written, arrow in _ARROWS:
        text = text.replace(written, arrow)
    text = re.sub(r"([\^_])\{([^{}]{0,40})\}", r"\1\2", text)
    text = re.sub(r"\\(?:text|mathrm)\{([^{}]{0,80})\}", r"\1", text)
    text = re.sub(r"[{}$]|\\[,;! ]", "", text)
    return re.sub(r" +", " ", text).strip()
