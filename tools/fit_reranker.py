"""Fit the weights of the built-in reranker on the odd half of labelled problems and write them to its data file.

    python tools/fit_reranker.py LABELS.json PROBLEMS.jsonl BASE.json CONCEPTS.json

The files are those of `mathrag evaluate retrieval`. A logistic model is fitted to the scores that came with the labels,
for what fusion finds with names by rules and with the names of the file; what has no score counts as 0, for the labels
hold the highest ones. The even half is never looked at.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy

from mathrag.evaluate.problem_retrieval import is_of_half
from mathrag.library.evaluate.retrieval import load_base, load_labels
from mathrag.retrieve.concept_names import concept_names
from mathrag.retrieve.concepts import ConceptShelf, card_text, reranker_query
from mathrag.retrieve.rerankers.fitted import FEATURES, features
from mathrag.store.embedders import load_embedder

TARGET = Path(__file__).parents[1] / "src/mathrag/retrieve/data/reranker_weights.toml"
RIDGE = 1.0
HEAD = """\
# The weights of the built-in reranker, written by tools/fit_reranker.py. Fitted to the scores that a cross-encoder gave
# to concepts for the odd half of 500 problems of mathematics; the even half was not looked at.

[weights]
"""


def main(arguments: list[str]) -> None:
    """Fit and write."""
    labels, problems, base, concepts = map(Path, arguments)
    embedder = load_embedder()
    shelf = ConceptShelf(load_base(base), embedder)
    rows: list[numpy.ndarray] = []
    wanted: list[float] = []
    for index, problem in enumerate(load_labels(labels, problems=problems, concepts=concepts)):
        if not is_of_half(index, "odd"):
            continue
        for names in (problem.names or (), concept_names(problem.text)):
            hits = shelf.search(", ".join(names))
            texts = [card_text(one.concept) for one in hits]
            rows.extend(features(reranker_query(problem.text, names), texts, embedder))
            wanted.extend(problem.stored.get(one.concept.name, 0.0) for one in hits)
    weights = fitted(numpy.asarray(rows, dtype=float), numpy.asarray(wanted))
    lines = [f"{name} = {weight:.4f}" for name, weight in zip((*FEATURES, "bias"), weights, strict=True)]
    TARGET.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


def fitted(rows: numpy.ndarray, wanted: numpy.ndarray) -> numpy.ndarray:
    """Newton's method for logistic regression with shares as targets; all weights but the last are held small."""
    rows = numpy.c_[rows, numpy.ones(len(rows))]
    weights = numpy.zeros(rows.shape[1])
    held = RIDGE * numpy.eye(len(weights))
    held[-1, -1] = 0.0
    for _ in range(100):
        chance = 1 / (1 + numpy.exp(-rows @ weights))
        slope = rows.T @ (chance - wanted) + held @ weights
        step = numpy.linalg.solve((rows * (chance * (1 - chance))[:, None]).T @ rows + held, slope)
        weights = weights - step
        if abs(step).max() < 1e-9:
            break
    return weights


if __name__ == "__main__":
    main(sys.argv[1:])
