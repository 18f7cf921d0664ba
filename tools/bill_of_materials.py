"""What an installation consists of: a software bill of materials (CycloneDX) and a page of licences, both made from the
metadata of the packages that are installed. Nothing is fetched.

    python tools/bill_of_materials.py --extra serve --out build/mathrag.cdx.json
    python tools/bill_of_materials.py --licences docs/licences.md
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import re
import tomllib
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).resolve().parent.parent
# Extras that users install; `dev` and `manual` are for those who work on the project.
EXTRAS = ("office", "ocr", "rerank", "llm", "serve", "parquet", "mcp")
HEAD = """<!-- Made by `make licences` from the metadata of installed packages, not by hand. -->
# Licences of what is used

MathRAG is under the [MIT licence](https://opensource.org/license/mit). These packages are installed with it or with its
extras, under their own licences, as their metadata states them. One carries a program under another licence than its
own: `pypandoc_binary` comes with pandoc (GPL 2 or later), which is run as a program of its own. `make bom` writes the
same as a software bill of materials in the format CycloneDX.

"""


@dataclass(frozen=True, slots=True)
class Package:
    """A package that is installed. `for_extras` says what it comes with; nothing: with the program itself."""

    name: str
    version: str
    licence: str
    needs: tuple[str, ...]
    for_extras: tuple[str, ...]


def collected(extras: Iterable[str]) -> list[Package]:
    """All that the program needs with these extras, as far as it is installed, by name."""
    reached: dict[str, set[str]] = {}
    walk(own_requirements(""), "", reached)
    for extra in extras:
        walk(own_requirements(extra), extra, reached)
    found = []
    for name, came_with in sorted(reached.items()):
        about = importlib.metadata.distribution(name)
        needs = sorted({one for one in direct_needs(about, ()) if one in reached})
        only_for = () if "" in came_with else tuple(sorted(came_with))
        found.append(Package(about.metadata["Name"], about.version, licence_of(about), tuple(needs), only_for))
    return found


def own_requirements(extra: str) -> list[Requirement]:
    """What pyproject.toml asks for."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    texts = project["dependencies"] if not extra else project["optional-dependencies"][extra]
    return [Requirement(text) for text in texts]


def walk(requirements: Iterable[Requirement], extra: str, reached: dict[str, set[str]]) -> None:
    """Mark everything that these need, however indirectly, as coming with an extra."""
    waiting: list[tuple[str, tuple[str, ...]]]
    waiting = [(canonicalize_name(one.name), tuple(one.extras)) for one in requirements]
    while waiting:
        name, extras = waiting.pop()
        if extra in reached.get(name, ()):
            continue
        try:
            about = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            # For another system or another Python, or an extra that is not installed here.
            continue
        reached.setdefault(name, set()).add(extra)
        waiting += [(need, ()) for need in direct_needs(about, extras)]


def direct_needs(about: importlib.metadata.Distribution, extras: tuple[str, ...]) -> list[str]:
    """What a package needs on this system, with these extras of its own."""
    found: list[str] = []
    for text in about.requires or ():
        one = Requirement(text)
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            found.append(canonicalize_name(one.name))
    return found


def licence_of(about: importlib.metadata.Distribution) -> str:
    """The licence as the package states it: as an expression, as a classifier, or in a few words."""
    expression, said = (_field(about, name) for name in ("License-Expression", "License"))
    if expression:
        return expression
    if said and len(said) < 60 and "\n" not in said:
        return said
    classifiers = (one.split(" :: ") for one in about.metadata.get_all("Classifier") or ())
    named = [parts[-1] for parts in classifiers if parts[0] == "License" and len(parts) > 1]
    return " and ".join(named) or (said.strip().splitlines()[0][:60] if said.strip() else "not stated")


def _field(about: importlib.metadata.Distribution, name: str) -> str:
    return next(iter(about.metadata.get_all(name) or ()), "")


def bill(packages: list[Package]) -> dict[str, Any]:
    """The bill of materials. The same packages give the same bill."""
    version = re.search(r'"(.+)"', (PROJECT / "src" / "mathrag" / "version.py").read_text(encoding="utf-8"))
    assert version is not None
    own = f"pkg:pypi/mathrag@{version.group(1)}"
    addresses: dict[str, str] = {
        canonicalize_name(one.name): f"pkg:pypi/{canonicalize_name(one.name)}@{one.version}" for one in packages
    }
    needed = {canonicalize_name(one.name) for one in own_requirements("")}
    needed |= {canonicalize_name(one.name) for one in packages if one.for_extras and not is_needed(one, packages)}
    body = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "mathrag",
                "version": version.group(1),
                "purl": own,
                "licenses": [{"license": {"id": "MIT"}}],
            }
        },
        "components": [
            {
                "type": "library",
                "bom-ref": addresses[canonicalize_name(one.name)],
                "name": one.name,
                "version": one.version,
                "purl": addresses[canonicalize_name(one.name)],
                "licenses": [{"license": {"name": one.licence}}],
            }
            for one in packages
        ],
        "dependencies": [
            {"ref": own, "dependsOn": sorted(addresses[name] for name in needed if name in addresses)},
            *(
                {
                    "ref": addresses[canonicalize_name(one.name)],
                    "dependsOn": [addresses[name] for name in one.needs if name in addresses],
                }
                for one in packages
            ),
        ],
    }
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(body, sort_keys=True))
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "serialNumber": f"urn:uuid:{serial}", **body}


def is_needed(one: Package, packages: list[Package]) -> bool:
    """Whether another package brings this one along."""
    return any(canonicalize_name(one.name) in other.needs for other in packages)


def page(packages: list[Package]) -> str:
    """The page of licences."""
    rows = [
        f"| {one.name} | {one.version} | {one.licence.replace('|', '/')} | {', '.join(one.for_extras)} |"
        for one in packages
    ]
    return HEAD + "\n".join(("| package | version | licence | only with |", "|---|---|---|---|", *rows)) + "\n"


def main() -> None:
    """Write what was asked for."""
    parser = argparse.ArgumentParser(description="Write a bill of materials, or the page of licences.")
    parser.add_argument("--extra", action="append", choices=EXTRAS, help="also what this extra needs; default: all")
    parser.add_argument("--out", type=Path, help="the bill of materials")
    parser.add_argument("--licences", type=Path, help="the page of licences")
    chosen = parser.parse_args()
    packages = collected(chosen.extra or EXTRAS)
    if chosen.licences:
        chosen.licences.write_text(page(packages), encoding="utf-8")
    text = json.dumps(bill(packages), indent=1, ensure_ascii=False) + "\n"
    if chosen.out:
        chosen.out.parent.mkdir(parents=True, exist_ok=True)
        chosen.out.write_text(text, encoding="utf-8")
    elif not chosen.licences:
        print(text, end="")


if __name__ == "__main__":
    main()
