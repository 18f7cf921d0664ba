"""Take the LaTeX out of unit text: `\\mathrm{m\\,s^{-2}}` and siunitx macros become plain text, with their places."""

from __future__ import annotations

from mathrag.errors import UnitError


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


_FONT_COMMANDS = _words(
    "mathrm text textrm mathsf textsf textup textnormal mathit textit mathbf textbf rm mbox hbox operatorname unit si",
    "mathnormal upright left right big Big bigl bigr limits displaystyle textstyle",
)
_SPACES = _words(", ; : ! / quad qquad thinspace space enspace nobreakspace") | {" "}
_SYMBOLS = {
    **dict.fromkeys(("cdot", "times", "ast", "bullet"), "*"),
    **dict.fromkeys(("mu", "textmu", "upmu", "textmicro"), "µ"),
    **dict.fromkeys(("Omega", "ohm", "textohm"), "Ω"),
    **dict.fromkeys(("circ", "degree", "textdegree"), "°"),
    **dict.fromkeys(("degreeCelsius", "celsius", "textcelsius"), "degC"),
    **dict.fromkeys(("AA", "angstrom"), "Å"),
    **dict.fromkeys(("%", "percent"), "%"),
    **dict.fromkeys(("litre", "liter"), "L"),
    **dict.fromkeys(("{", "lbrack"), "("),
    **dict.fromkeys(("}", "rbrack"), ")"),
    "$": "$",
    "mho": "℧",
    "ell": "l",
    "hbar": "ħ",
    "odot": "⊙",
    "oplus": "⊕",
    "prime": "′",
    "Delta": "Δ",
    "astronomicalunit": "au",
    "electronvolt": "eV",
    "atomicmassunit": "u",
    "arcminute": "arcmin",
    "arcsecond": "arcsec",
    "dalton": "Da",
    "decibel": "dB",
    "clight": "c",
    "elementarycharge": "e",
}
_PREFIXES = _words(
    "quecto ronto yocto zepto atto femto pico nano micro milli centi deci deca deka hecto kilo mega giga tera peta exa",
    "zetta yotta",
)
_SIUNITX = _words(
    "metre meter gram kilogram second ampere kelvin mole candela hertz newton pascal joule watt coulomb volt farad",
    "siemens weber tesla henry lumen lux becquerel gray sievert katal radian steradian minute hour day hectare bar",
    "barn mmHg knot bel neper bit byte ohm celsius degreeCelsius degree litre liter tonne electronvolt dalton",
    "astronomicalunit atomicmassunit arcminute arcsecond percent decibel angstrom",
)
_OHM_PREFIXES = _words("k M G m T n p")
_POWERS_AFTER = {"squared": 2, "cubed": 3}
_POWERS_BEFORE = {"square": 2, "cubic": 3}
_MAXIMAL_DEPTH = 16


def plain_unit_text(text: str) -> tuple[str, list[int]]:
    """Plain unit text and, for each of its characters, the place in the source it came from."""
    if not any(mark in text for mark in "\\{}$~"):
        return text, list(range(len(text)))
    if "\\" not in text and "{" not in text and "$" in text:
        return text, list(range(len(text)))
    writer = _Writer(text)
    writer.run(0, len(text), 0)
    writer.finish_macro()
    return "".join(writer.characters), writer.places


class _Writer:
    """Walks the source once and writes plain text beside the places it came from."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.characters: list[str] = []
        self.places: list[int] = []
        self.prefix = ""
        self.macro = ""
        self.macro_place = 0
        self.power = 1
        self.next_power = 1
        self.next_sign = 1

    def write(self, text: str, place: int) -> None:
        """Add text that stands for what is at `place`."""
        self.characters.extend(text)
        self.places.extend([place] * len(text))

    def run(self, place: int, stop: int, depth: int) -> None:
        """Translate a stretch of the source."""
        if depth > _MAXIMAL_DEPTH:
            raise UnitError("braces are nested too deeply for a unit", source=self.source, position=place)
        while place < stop:
            character = self.source[place]
            if character == "\\":
                place = self.command(place, stop, depth)
                continue
            self.finish_macro()
            if character == "{":
                end = self.closing(place, stop)
                raised = self.characters[-1:] == ["^"]
                circle = raised and self.source[place + 1 : end].strip() in ("\\circ", "°", "o")
                if circle:
                    self.degree(place)
                else:
                    self.write("(" if raised else " ", place)
                    self.run(place + 1, end, depth + 1)
                    self.finish_macro()
                    self.write(")" if raised else " ", end)
                place = end + 1
                continue
            if character == "$" and self.source.count("$") > 1:
                place += 1
                continue
            self.write(" " if character in "}~" else character, place)
            place += 1

    def command(self, place: int, stop: int, depth: int) -> int:
        """One command; answers where to go on."""
        end = place + 1
        while end < stop and self.source[end].isascii() and self.source[end].isalpha():
            end += 1
        end = max(end, min(place + 2, stop))
        name = self.source[place + 1 : end]
        if name in ("frac", "dfrac", "tfrac", "nicefrac", "sfrac"):
            return self.fraction(end, stop, depth)
        if name in _PREFIXES or name in _SIUNITX or name in ("per", "tothe", "raiseto") or name in _POWERS_AFTER:
            return self.siunitx(name, place, end, stop)
        if name in _POWERS_BEFORE:
            self.finish_macro()
            self.next_power = _POWERS_BEFORE[name]
            return end
        self.finish_macro()
        if name in _FONT_COMMANDS:
            return self.font_group(end, stop, depth)
        if name in _SPACES:
            self.write(" ", place)
        elif name == "circ" and self.characters[-1:] == ["^"]:
            self.degree(place)
        elif name in _SYMBOLS:
            self.write(_SYMBOLS[name], place)
        else:
            raise UnitError(f"the command \\{name[:20]} has no place in a unit", source=self.source, position=place)
        while name in ("mu", "textmu", "upmu", "circ") and end < stop and self.source[end] == " ":
            end += 1
        return end

    def font_group(self, place: int, stop: int, depth: int) -> int:
        """The braces after `\\mathrm` and the like; glued to what stands before only after a prefix sign."""
        while place < stop and self.source[place] == " ":
            place += 1
        if self.source[place : place + 1] != "{":
            return place
        end = self.closing(place, stop)
        if self.characters and self.characters[-1] not in ("µ", "°", "^"):
            self.write(" ", place)
        body = self.source[place + 1 : end]
        self.run(place + 1, end, depth + 1)
        self.finish_macro()
        glue = body.strip() in _OHM_PREFIXES and self.source[end + 1 :].lstrip().startswith("\\Omega")
        if not glue and self.source[end + 1 : end + 2] not in ("^", ""):
            self.write(" ", end)
        return end + 1

    def degree(self, place: int) -> None:
        """`^\\circ` is a degree sign."""
        self.characters.pop()
        self.places.pop()
        self.write("°", place)

    def fraction(self, place: int, stop: int, depth: int) -> int:
        """`\\frac{a}{b}` as `((a)/(b))`."""
        for opening, closing in (("((", ")/"), ("(", "))")):
            while place < stop and self.source[place] == " ":
                place += 1
            if place >= stop:
                raise UnitError("a fraction needs two parts", source=self.source, position=place)
            self.write(opening, place)
            if self.source[place] == "{":
                end = self.closing(place, stop)
                body = self.source[place + 1 : end].strip()
                self.run(place + 1, end, depth + 1)
                if not body:
                    raise UnitError("a part of the fraction is empty", source=self.source, position=place)
                place = end + 1
            else:
                self.write(self.source[place], place)
                place += 1
            self.finish_macro()
            self.write(closing, place - 1)
        return place

    def siunitx(self, name: str, place: int, end: int, stop: int) -> int:
        """Unit macros: a prefix glues to the unit after it, `\\per` inverts one unit, powers follow or come before."""
        if name == "per":
            self.finish_macro()
            self.next_sign = -1
        elif name in _POWERS_AFTER:
            self.power *= _POWERS_AFTER[name]
        elif name in ("tothe", "raiseto"):
            if self.source[end : end + 1] != "{":
                raise UnitError(f"\\{name} needs a number in braces", source=self.source, position=place)
            closing = self.closing(end, stop)
            number = self.source[end + 1 : closing].strip()
            if not number.lstrip("-").isdecimal() or len(number) > 3:
                raise UnitError(f"\\{name} needs a small whole number", source=self.source, position=end)
            self.power *= int(number)
            return closing + 1
        elif name in _PREFIXES:
            self.finish_macro()
            self.prefix = "deca" if name == "deka" else name
        else:
            self.finish_macro(keep_prefix=True)
            self.macro, self.macro_place = _SYMBOLS.get(name, name) if not self.prefix else name, place
        return end

    def finish_macro(self, *, keep_prefix: bool = False) -> None:
        """Write the unit macro gathered so far as `name^(power)`."""
        if not self.macro:
            if self.prefix and not keep_prefix:
                self.write(self.prefix, self.macro_place)
                self.prefix = ""
            return
        prefix = self.prefix
        exponent = self.power * self.next_power * self.next_sign
        self.write(f" {prefix}{self.macro}", self.macro_place)
        if exponent != 1:
            self.write(f"^({exponent})", self.macro_place)
        self.write(" ", self.macro_place)
        self.macro = self.prefix = ""
        self.power = self.next_power = self.next_sign = 1

    def closing(self, place: int, stop: int) -> int:
        """Where the brace that opens at `place` closes."""
        level = 0
        for index in range(place, stop):
            if self.source[index] == "\\":
                continue
            if self.source[index] == "{":
                level += 1
            elif self.source[index] == "}":
                level -= 1
                if level == 0:
                    return index
        raise UnitError("a brace is not closed", source=self.source, position=place)
