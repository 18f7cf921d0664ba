"""`mathrag evaluate m3sciqa`: how well the passages that answer questions about papers are found."""

from __future__ import annotations

from pathlib import Path

import click

from mathrag.cli.evaluate_options import print_odd, print_recall, progress_bar
from mathrag.cli.output import json_option, print_json
from mathrag.cli.paths import ExistingPath

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag evaluate m3sciqa combined_val.jsonl
  mathrag evaluate m3sciqa combined_val.jsonl --json
"""
)


@click.command("m3sciqa", epilog=EXAMPLE)
@click.argument("questions", type=ExistingPath(dir_okay=False))
@json_option
def command(questions: Path, as_json: bool) -> int:
    """Search the passage that answers each question of QUESTIONS among the passages of all of them.

    QUESTIONS has one JSON object a line in the format of M3SciQA: question, question_reference, evidence_reference,
    anchor_arxiv_id, reference_arxiv_id, answer. A question there first asks for a paper by a picture; the passage is
    searched for with the part that asks what the paper says, and also with the whole question. Answers are graded by
    mathrag evaluate airqa.
    """
    from mathrag.library.evaluate.paper_questions import measure_evidence_retrieval

    with progress_bar(quiet=as_json) as watch:
        figures = measure_evidence_retrieval(questions, watch=watch)
    if as_json:
        print_json(figures)
        return 0
    click.echo(f"{figures['questions']} questions, {figures['passages']} passages")
    click.echo("\nwith the part that asks what the paper says")
    print_recall(figures["recall"])
    click.echo("\nwith the whole question")
    print_recall(figures["recall_whole_question"])
    print_odd(figures)
    return 0
