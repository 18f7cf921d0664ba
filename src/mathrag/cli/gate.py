"""`mathrag gate`: by which score of quality worked examples or passages are ranked beside how well they fit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from mathrag.cli.options import ModelOptions, library_folder, library_option, model_options, open_library
from mathrag.cli.output import json_option, print_json
from mathrag.types.quality import CORPORA, Corpus

if TYPE_CHECKING:
    from mathrag.library import Library
    from mathrag.types.quality import GateDecision

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag gate --library my-library
  mathrag gate passages --sample 100 --max-calls 100 --library my-library
  mathrag gate --show --json --library my-library
"""
)


@click.command("gate", epilog=EXAMPLE)
@click.argument("corpus", type=click.Choice(CORPORA), default="solutions")
@click.option("--sample", type=click.IntRange(1, 100_000), help="How many texts are scored. Default: 200.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the sample.")
@click.option("--show", is_flag=True, help="Only show what was decided before.")
@library_option
@model_options()
@json_option
def command(
    corpus: str, sample: int | None, seed: int, show: bool, folder: Path | None, models: ModelOptions, as_json: bool
) -> int:
    """Decide whether worked solutions, or passages of documents, are ranked by quality beside how well they fit.

    A sample is scored by rules and, where a language model is set, by the model. Where the library knows which
    solutions are right, what decides is which score tells them from wrong ones; else how far the two scores agree, with
    the interval of the correlation. Where the data do not tell, it stays undecided, and quality does not count. The
    decision is kept in the library until the solutions, or passages, change.
    """
    from mathrag.library.quality import decision_object, gate_lines

    chosen = cast("Corpus", corpus)
    with open_library(folder) as library:
        found = library.quality_book.decision(chosen) if show else _decided(library, chosen, sample, seed, models)
    if as_json:
        print_json({"corpus": corpus, "decision": None if found is None else decision_object(found)})
    elif found is None:
        click.echo(f"nothing is decided for the {corpus} of this library as they are; run mathrag gate {corpus}")
    else:
        click.echo("\n".join(gate_lines(found, corpus)))
    return 0


def _decided(library: Library, corpus: Corpus, sample: int | None, seed: int, limits: ModelOptions) -> GateDecision:
    from mathrag.library.ask import models as opening
    from mathrag.settings import load_settings

    models = opening.open_models(library_folder(library.folder), settings=load_settings(), budget=limits.budget())
    if models is None:
        return library.decide_gate(corpus, sample=sample, seed=seed)
    with models:
        return library.decide_gate(corpus, models=models, sample=sample, seed=seed)
