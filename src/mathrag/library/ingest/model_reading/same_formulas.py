"""Formulas that read alike and were not merged: ask whether they are the same, and keep the word beside what arithmetic
shows. Nothing is merged or dropped by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mathrag.extract.duplicates import ALGEBRA, GREY_ZONE, are_comparable, description, proof_of_sameness
from mathrag.llm.judge import Sameness, same_or_different_each
from mathrag.llm.metered import Models
from mathrag.retrieve.vector_search import similar_pairs
from mathrag.store.truth.database import Database
from mathrag.store.truth.model_records import Verdict, list_verdicts, write_verdicts
from mathrag.store.truth.reader import formulas_by_ids, list_formula_ids
from mathrag.store.truth.times import time_now
from mathrag.types.library import Formula

# The most alike first; more in one run is a library that needs eyes, not calls.
MOST_PAIRS = 100
_MOST_LOOKED_AT = 2_000
Pair = tuple[Formula, Formula, float]


def pairs_to_compare(
    database: Database, documents: Sequence[str], *, embedder: str, model: str, most: int = MOST_PAIRS
) -> list[Pair]:
    """Pairs of formulas, one at least of these documents, that are worth a question and were not judged before."""
    own = frozenset(one for document in documents for one in list_formula_ids(database, document=document))
    known = {(one.first, one.second) for one in list_verdicts(database) if one.model in (model, "")}
    alike = similar_pairs(database, embedder=embedder, formulas=own, lowest=GREY_ZONE)
    found: list[Pair] = []
    for first, second, likeness in alike[:_MOST_LOOKED_AT]:
        if (first, second) in known:
            continue
        both = formulas_by_ids(database, [first, second])
        if len(both) == 2 and are_comparable(both[0], both[1]):
            found.append((both[0], both[1], likeness))
            if len(found) == most:
                break
    return found


def compare_alike(database: Database, documents: Sequence[str], *, embedder: str, models: Models) -> dict[str, int]:
    """Judge such pairs and keep the verdicts; how many of each. Stops quietly where no more may be spent or asked:
    the pairs that are left are found again next time."""
    if not models.has("judge"):
        return {}
    name = models.chat("judge").name
    pairs = pairs_to_compare(database, documents, embedder=embedder, model=name)
    verdicts = list(_judged(pairs, models, name))
    if verdicts:
        write_verdicts(database, verdicts)
    return dict(Counter(one.verdict for one in verdicts))


def _judged(pairs: Sequence[Pair], models: Models, name: str) -> Iterator[Verdict]:
    now = time_now()
    proofs = [proof_of_sameness(first, second) for first, second, _ in pairs]
    # Arithmetic needs no second opinion where the letters are the same. Where they are not, it only says that the forms
    # are: the distance at a speed and the charge at a current have one form too.
    open_ones = [place for place, proof in enumerate(proofs) if proof != ALGEBRA]
    texts = [(description(pairs[place][0]), description(pairs[place][1])) for place in open_ones]
    # Models tend to favour an order, so a verdict counts only where both orders give it.
    said = dict(zip(open_ones, _said(texts, models), strict=True))
    for place, (first, second, likeness) in enumerate(pairs):
        if proofs[place] == ALGEBRA:
            yield Verdict(first.id, second.id, "same", ALGEBRA, likeness, "", now)
        elif (verdict := said[place]) is not None:
            proof = proofs[place] if verdict == "same" else ""
            yield Verdict(first.id, second.id, verdict, proof, likeness, name, now)


def _said(texts: Sequence[tuple[str, str]], models: Models) -> list[Sameness | None]:
    """What the model says about each pair; None from where asking made no sense any more."""
    said: list[Sameness | None] = []
    step = 4 * models.concurrency
    for start in range(0, len(texts), step):
        some = texts[start : start + step]
        batch = same_or_different_each(models.chat("judge"), some, both_orders=True, workers=models.concurrency)
        said.extend(batch.results)
        if batch.stopped is not None or batch.failures == len(some):
            break
    return [*said, *[None] * (len(texts) - len(said))]
