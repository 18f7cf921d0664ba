"""Numbers in words that the reader of quantities does not know: halves and doubles, other languages, Roman numerals.

Only for texts that strangers write for the user; it is strict, since a text it refuses costs no more than its wording.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_SPACED = re.compile(r"\b(?:[A-Za-z][ .\-]){2,11}[A-Za-z]\b")
_ROMAN = re.compile(r"\bM{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})\b")
# Two letters that are units, currents, discs and companies far more often than numbers.
_NOT_ROMAN = frozenset("CC CD CI CL CM CV DC DI DL DV LI MC MD MI ML MM MV MX".split())
_HAN = re.compile(r"[二两三四五六七八九十百千万亿零〇壱弐参億兆]")
_PICTURES = re.compile("[🔟💯🎱]")
_TENS = ("twenty", "thirty", "forty", "fourty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ENGLISH = frozenset(
    """zero nought nil two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen hundred hundreds thousand thousands million millions billion billions trillion
    quadrillion quintillion googol dozen dozens half halves halved third thirds quarter quarters fifths sixths sevenths
    eighths ninths tenth tenths hundredth hundredths thousandth thousandths twice thrice double doubled doubles triple
    tripled quadruple twofold threefold fourfold fivefold sixfold sevenfold eightfold ninefold tenfold hundredfold
    thousandfold percent umpteen eleventy infinity infinite""".split()
)
# The commonest of the languages that questions come in; words that are ordinary English are left out.
_OTHERS = frozenset(
    """zwei drei vier fünf fuenf sechs sieben acht neun zehn elf zwölf zwoelf zwanzig dreißig dreissig hundert tausend
    halb hälfte doppelt
    deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt vingts trente quarante
    cinquante soixante cent cents mille moitié
    dos tres cuatro cinco seis siete ocho nueve diez doce trece veinte treinta cuarenta cincuenta sesenta setenta
    ochenta noventa cien ciento mitad
    quattro cinque sette otto nove dieci dodici venti trenta quaranta cinquanta sessanta settanta ottanta novanta metà
    dois três quatro oito dez vinte trinta quarenta cinquenta sessenta oitenta metade
    twee drie vijf zes zeven negen tien twintig dertig veertig vijftig zestig honderd duizend
    dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć sto tysiąc
    два две три четыре пять шесть семь восемь девять десять двадцать тридцать сорок пятьдесят шестьдесят семьдесят
    восемьдесят девяносто сто двести тысяча тысячи половина
    اثنان اثنين ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة عشرون ثلاثون أربعون وأربعون خمسون مئة مائة ألف نصف
    दो तीन चार पांच पाँच छह सात आठ नौ दस बीस तीस चालीस पचास सौ हज़ार""".split()
)
_GERMAN_TENS = ("zwanzig", "dreißig", "dreissig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig")


def spoken_numbers(text: str, known_words: Collection[str]) -> tuple[str, ...]:
    """The words of a text that say a number and are not among the known ones (lower case), as written."""
    found = [match.group() for match in _PICTURES.finditer(text)]
    found += [match.group() for match in _HAN.finditer(text) if match.group() not in known_words]
    for match in _ROMAN.finditer(text):
        numeral = match.group()
        if len(numeral) > 1 and numeral not in _NOT_ROMAN and numeral.lower() not in known_words:
            found.append(numeral)
    for match in _SPACED.finditer(text):
        joined = re.sub(r"[ .\-]", "", match.group()).lower()
        if _says_number(joined) and joined not in known_words:
            found.append(match.group())
    for match in _WORD.finditer(text):
        word = match.group()
        if word.lower() in known_words:
            continue
        if any(_says_number(part) and part not in known_words for part in (word.lower(), *_parts(word))):
            found.append(word)
    return tuple(dict.fromkeys(found))


def words_of(texts: Collection[str]) -> frozenset[str]:
    """The words of texts as `spoken_numbers` compares them."""
    found: set[str] = set()
    for text in texts:
        for match in _WORD.finditer(text):
            found |= {match.group().lower(), *_parts(match.group())}
        found |= set(_HAN.findall(text))
    return frozenset(found)


def _parts(word: str) -> list[str]:
    return re.split(r"[-'’]", word.lower()) if not word.isalpha() else []


def _says_number(word: str) -> bool:
    return word in _ENGLISH or word in _OTHERS or word.startswith(_TENS) or word.endswith(_GERMAN_TENS)
