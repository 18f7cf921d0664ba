"""Make the measuring PDFs and the truth about each: `python -m pdf_truth.make [VARIANT ...] --folder FOLDER`.

Needs TeX for the TeX variants, and node and chromium for the browser ones; what is missing is named and left out.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from pdf_truth.document_plan import Piece, make_plan, truth_of
from pdf_truth.formula_lists import HERE, ROOT
from pdf_truth.html_writer import formulas_to_typeset, html_document
from pdf_truth.latex_writer import latex_document
from pdf_truth.variants import SMALL_VARIANTS, VARIANTS, Variant

FOLDER = ROOT / "build" / "pdf_truth"
NODE_PACKAGES = ("katex@0.16", "mathjax-full@3")
_SECONDS = 240
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class CannotMakeError(Exception):
    """A program is missing or a document does not typeset; the sentence says which."""


def make_variant(variant: Variant, folder: Path) -> Path:
    """Write VARIANT.pdf and VARIANT.json to the folder; give the path of the PDF."""
    folder.mkdir(parents=True, exist_ok=True)
    plan = make_plan(variant.name, variant.extent)
    pdf = folder / f"{variant.name}.pdf"
    with tempfile.TemporaryDirectory() as scratch:
        if variant.engine in ("katex", "chtml", "svg"):
            _print_page(variant, plan, pdf, Path(scratch), folder)
        else:
            _typeset(variant, plan, pdf, Path(scratch))
    truth = {
        "variant": variant.name,
        "family": variant.family,
        "columns": variant.columns,
        "formulas": truth_of(plan),
    }
    pdf.with_suffix(".json").write_text(json.dumps(truth, indent=1, ensure_ascii=False), encoding="utf-8")
    return pdf


def _run(command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
    result: subprocess.CompletedProcess[str] = subprocess.run(
        command, capture_output=True, text=True, errors="replace", timeout=_SECONDS, check=False, **options
    )
    return result


def _typeset(variant: Variant, plan: tuple[Piece, ...], pdf: Path, scratch: Path) -> None:
    through_dvi = variant.engine == "dvipdfmx"
    program = "latex" if through_dvi else variant.engine
    if not shutil.which(variant.engine) or not shutil.which(program):
        raise CannotMakeError(f"{variant.engine} is not installed; run `make pdf-truth-tools`")
    source = scratch / "document.tex"
    source.write_text(latex_document(plan, variant.layout), encoding="utf-8")
    command = [program, "-interaction=nonstopmode", "-halt-on-error", source.name]
    # The second run settles the widths of long tables.
    for _ in range(2):
        result = _run(command, cwd=scratch)
        if result.returncode:
            shown = [line for line in result.stdout.splitlines() if line.startswith(("!", "l."))]
            shutil.copy(source, pdf.with_suffix(".failed.tex"))
            raise CannotMakeError(f"{program} stopped: {' '.join(shown[:4]) or result.stdout[-300:]}")
    if through_dvi:
        _run(["dvipdfmx", "-z", "9", source.with_suffix(".dvi").name], cwd=scratch)
    shutil.copy(source.with_suffix(".pdf"), pdf)


def _print_page(variant: Variant, plan: tuple[Piece, ...], pdf: Path, scratch: Path, folder: Path) -> None:
    browser = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    if browser is None or not shutil.which("node"):
        raise CannotMakeError("chromium or node is not installed; run `make pdf-truth-tools`")
    modules = _node_modules(folder)
    job = json.dumps({"engine": variant.engine, "formulas": formulas_to_typeset(plan)})
    script = scratch / "typeset.js"
    shutil.copy(HERE / "typeset.js", script)
    (scratch / "node_modules").symlink_to(modules)
    result = _run(["node", str(script)], input=job)
    if result.returncode:
        raise CannotMakeError(f"node stopped: {result.stderr[-500:]}")
    typeset = json.loads(result.stdout)
    page = scratch / "document.html"
    head = f"{typeset['head']}<style>{variant.layout.preamble}</style>"
    page.write_text(html_document(plan, typeset["html"], head=head), encoding="utf-8")
    made = scratch / "document.pdf"
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", "--virtual-time-budget=20000"]
    options += ["--allow-file-access-from-files", "--disable-pdf-tagging"]
    result = _run(
        [browser, *options, f"--print-to-pdf={made}", f"--user-data-dir={scratch / 'profile'}", page.as_uri()]
    )
    if not made.exists():
        raise CannotMakeError(f"the browser printed nothing: {result.stderr[-300:]}")
    shutil.copy(made, pdf)


def _node_modules(folder: Path) -> Path:
    place = folder / "node"
    modules = place / "node_modules"
    if not (modules / "katex").exists() or not (modules / "mathjax-full").exists():
        place.mkdir(parents=True, exist_ok=True)
        result = _run(["npm", "install", "--no-audit", "--no-fund", "--prefix", str(place), *NODE_PACKAGES])
        if result.returncode:
            raise CannotMakeError(f"npm could not install {' and '.join(NODE_PACKAGES)}: {result.stderr[-300:]}")
    return modules.resolve()


def main(arguments: list[str] | None = None) -> int:
    """Make all variants, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variants", nargs="*", help="names of variants; all of them if none is given")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--small", action="store_true", help="make the small documents of the fast tests")
    parser.add_argument("--missing", action="store_true", help="make only those that are not there yet")
    chosen = parser.parse_args(arguments)
    failed = 0
    for variant in SMALL_VARIANTS if chosen.small else VARIANTS:
        if chosen.variants and variant.name not in chosen.variants:
            continue
        if chosen.missing and (chosen.folder / f"{variant.name}.pdf").exists():
            continue
        try:
            pdf = make_variant(variant, chosen.folder)
        except (CannotMakeError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"{variant.name}: left out, {error}", file=sys.stderr)
        else:
            print(f"{variant.name}: {pdf.stat().st_size // 1024} kB")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
