"""TeX in the addresses of pictures: servers that draw formulas are told in the address what to draw. Loads nothing."""

from __future__ import annotations

import re
from urllib.parse import unquote_plus, urlsplit

_FORMULA_SITES = (
    "codecogs.com", "render.githubusercontent.com", "math.vercel.app", "tex.s2cms", "mathurl.com", "i.upmath.me",
)  # fmt: skip
# As one of the servers spells signs that an address cannot have.
_SPELLINGS = (("&space;", "%20"), ("&plus;", "%2B"), ("&hash;", "%23"))


def formula_in_address(address: str) -> str:
    """The LaTeX that a picture of a formula carries in its address; empty for any other picture."""
    if "?" not in address:
        return ""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    if not any(parts.netloc.endswith(site) or site in parts.netloc for site in _FORMULA_SITES):
        return ""
    query = parts.query + (f"#{parts.fragment}" if parts.fragment else "")
    for written, meant in _SPELLINGS:
        query = query.replace(written, meant)
    for name in ("math=", "from=", "latex=", "tex="):
        if query.startswith(name):
            query = query[len(name) :].split("&", 1)[0]
            break
    # Where spaces have a spelling of their own, a plus is a plus.
    if "codecogs" in parts.netloc or "%" not in query:
        query = query.replace("+", "%2B")
    return re.sub(r"^\\(?:inline|dpi\{\d+\}|large|bg_white|fn_\w+)\s*", "", unquote_plus(query)).strip()
