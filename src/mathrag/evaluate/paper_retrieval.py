"""How well papers and passages are found for questions: by words, by meaning, by both; counted with intervals.

Odd places of a set were used to choose the numbers in `data/paper_retrieval.toml`; even ones tell how good they are.
Asks no model.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from mathrag.evaluate.graders.objective import grade_paper_relevance
from mathrag.evaluate.metrics import rounded, share_of
from mathrag.evaluate.paper_lists import ListedPaper
from mathrag.evaluate.paper_questions import PaperQuestion
from mathrag.evaluate.problem_retrieval import HALVES, is_of_half
from mathrag.language.stems import stem
from mathrag.retrieve.bm25 import WordScores
from mathrag.retrieve.fusion import fuse
from mathrag.store.embedders import Embedder
from mathrag.store.index.words import STOP_WORDS, fold
from mathrag.types.document_actions import WORDS
from mathrag.types.json_value import Json

FUSED = "fused"
DEPTHS = (1, 5, 10)
# Fusion joins so many of each ranking; further down nothing reaches the first places.
_DEEPEST = 100
_WORD = re.compile(r"[^\W_]{1,60}")
_LONGEST_QUERY = 20_000


@cache
def retrieval_numbers(group: str) -> Mapping[str, float]:
    """The numbers of one group of the data file."""
    source = resources.files("mathrag.evaluate").joinpath("data", "paper_retrieval.toml").read_text("utf-8")
    return {name: float(value) for name, value in tomllib.loads(source)[group].items() if name != "about"}


def search_words(text: str) -> list[str]:
    """The stems of the words of a text, without those that tell nothing."""
    return [stem(word) for word in _WORD.findall(fold(text)) if word not in STOP_WORDS]


class SearchedTexts:
    """Texts in memory, searched in one collection or another: `bm25`, that of the embedder, or both fused."""

    def __init__(self, texts: Sequence[str], embedder: Embedder | None, *, titles: Sequence[str] = ()) -> None:
        weight = int(retrieval_numbers("words")["title"])
        words = [search_words(text) for text in texts]
        for place, title in enumerate(titles):
            words[place] = weight * search_words(title) + words[place]
        self._words = WordScores(words)
        self._embedder = embedder
        whole = [f"{title}. {text}" for title, text in zip(titles, texts, strict=True)] if titles else list(texts)
        self._vectors = None if embedder is None or not whole else embedder.embed(whole)
        named = () if embedder is None else (embedder.name, FUSED)
        self.collections: tuple[str, ...] = (WORDS, *named)

    def rankings(self, query: str) -> dict[str, list[int]]:
        """The places of the texts that fit a question, best first, in every collection. Each word is asked for once."""
        query = query[:_LONGEST_QUERY]
        by_words = _ordered(self._words.scores(sorted(set(search_words(query)))).tolist())
        found = {WORDS: by_words}
        if self._embedder is not None and self._vectors is not None:
            vector = self._embedder.embed([query])[0]
            by_meaning = _ordered((self._vectors @ vector).tolist())
            numbers = retrieval_numbers("fusion")
            both = {WORDS: [str(place) for place in by_words], "meaning": [str(place) for place in by_meaning]}
            weights = {"meaning": numbers["meaning"]}
            found[self._embedder.name] = by_meaning
            found[FUSED] = [int(one.id) for one in fuse(both, k=int(numbers["k"]), weights=weights)]
        return found


def _ordered(scores: Sequence[float]) -> list[int]:
    """Places by score, equal ones in their order; what has no score is not found."""
    order = sorted(range(len(scores)), key=lambda place: -round(scores[place], 6))[:_DEEPEST]
    return [place for place in order if scores[place] > 0]


@dataclass(frozen=True, slots=True)
class Search:
    """A question with the places of the texts that count as found; none where it is not among them."""

    id: str
    query: str
    wanted: frozenset[int]


@dataclass(frozen=True, slots=True)
class SearchTrial:
    """At which rank each collection had what was wanted first, None where it did not; and what it had first of all."""

    index: int
    id: str
    ranks: Mapping[str, int | None]
    first: Mapping[str, int | None]


def run_searches(
    searches: Sequence[Search], texts: SearchedTexts, *, watch: Callable[[str, int, int], None] | None = None
) -> list[SearchTrial]:
    """Every search in every collection."""
    trials = []
    for index, search in enumerate(searches):
        rankings = texts.rankings(search.query)
        ranks = {
            name: next((rank for rank, place in enumerate(ranking, start=1) if place in search.wanted), None)
            for name, ranking in rankings.items()
        }
        first = {name: ranking[0] if ranking else None for name, ranking in rankings.items()}
        trials.append(SearchTrial(index, search.id, ranks, first))
        if watch is not None:
            watch("questions", index + 1, len(searches))
    return trials


def search_figures(trials: Sequence[SearchTrial], collections: Sequence[str]) -> Json:
    """For each collection and half: recall at 1, 5 and 10 with intervals, and the mean reciprocal rank."""
    return {
        name: {half: _recall([one for one in trials if is_of_half(one.index, half)], name) for half in HALVES}
        for name in collections
    }


def _recall(trials: Sequence[SearchTrial], collection: str) -> Json:
    ranks = [(one.id, one.ranks[collection]) for one in trials]
    shares = {
        f"at_{depth}": share_of((name, rank is not None and rank <= depth) for name, rank in ranks) for depth in DEPTHS
    }
    mean = sum(1 / rank for _, rank in ranks if rank is not None) / len(ranks) if ranks else None
    return {"questions": len(ranks), **shares, "reciprocal_rank": None if mean is None else rounded(mean)}


# ---- the two tasks


@dataclass(frozen=True, slots=True)
class PaperSearches:
    """Searches for papers, and what was left out: questions of conferences whose papers are not here."""

    searches: tuple[Search, ...]
    conferences: tuple[str, ...]
    left_out: int
    not_among_papers: tuple[str, ...]


def paper_searches(questions: Sequence[PaperQuestion], papers: Sequence[ListedPaper]) -> PaperSearches:
    """The questions that ask for a paper, of the conferences whose papers are here: at least half of those asked for.

    A question of these whose paper is not among them is a miss, not left out.
    """
    asked = [one for one in questions if one.evaluator.grader == "paper_relevance"]
    by_key: dict[str, list[int]] = {}
    for place, paper in enumerate(papers):
        by_key.setdefault(_key(paper.title), []).append(place)
    wanted = {one.uuid: _places(one, by_key) for one in asked}
    named = sorted({name for one in asked for name in one.conferences})
    here = tuple(
        name
        for name in named
        if 2 * sum(bool(wanted[one.uuid]) for one in asked if name in one.conferences)
        >= sum(name in one.conferences for one in asked)
    )
    kept = [one for one in asked if set(one.conferences) <= set(here) and (one.conferences or wanted[one.uuid])]
    # A slip in a title is looked for only where it can matter, for it takes a comparison with every title.
    for one in kept:
        wanted[one.uuid] = wanted[one.uuid] or _alike(one, papers)
    return PaperSearches(
        tuple(Search(one.uuid, one.question, wanted[one.uuid]) for one in kept),
        here,
        len(asked) - len(kept),
        tuple(one.uuid for one in kept if not wanted[one.uuid]),
    )


def _titles(question: PaperQuestion) -> list[str]:
    titles = question.evaluator.arguments.get("reference_answer")
    return [titles] if isinstance(titles, str) else [str(one) for one in titles or ()]


def _places(question: PaperQuestion, by_key: Mapping[str, Sequence[int]]) -> frozenset[int]:
    return frozenset(place for title in _titles(question) for place in by_key.get(_key(title), ()))


def _alike(question: PaperQuestion, papers: Sequence[ListedPaper]) -> frozenset[int]:
    titles = _titles(question)
    return frozenset(
        place
        for place, paper in enumerate(papers)
        if titles and grade_paper_relevance(paper.title, reference_answer=titles).verdict == "right"
    )


def _key(title: str) -> str:
    return "".join(_WORD.findall(fold(title)))


def evidence_searches(questions: Sequence[PaperQuestion], *, whole: bool = False) -> tuple[list[str], list[Search]]:
    """The different passages that answer questions, and a search for the passage of each.

    The questions of M3SciQA first ask which paper, by a picture, and then what it says. What is said is searched for
    with the second part alone; with `whole`, with both.
    """
    with_passage = [one for one in questions if one.passage_question]
    passages = list(dict.fromkeys(one.evidence for one in with_passage))
    place = {passage: number for number, passage in enumerate(passages)}
    return passages, [
        Search(one.uuid, one.question if whole else one.passage_question, frozenset((place[one.evidence],)))
        for one in with_passage
    ]
