"""What a language model may add to an extraction: asked for in one form, believed record by record after checks."""

from __future__ import annotations

from mathrag.extract.proposals.applying import COMPLETED_BY, apply_proposals
from mathrag.extract.proposals.making import PROPOSED_BY
from mathrag.extract.proposals.nouns import (
    ConstantProposal,
    FormulaProposal,
    MalformedProposal,
    Parameter,
    Problem,
    Proposal,
    RejectedProposal,
    RelationProposal,
)
from mathrag.extract.proposals.prompting import constants_in_chunk, findings_in_chunk, request_for_chunk
from mathrag.extract.proposals.reading import read_proposals
from mathrag.extract.proposals.schema import PROPOSALS

__all__ = [
    "COMPLETED_BY",
    "PROPOSALS",
    "PROPOSED_BY",
    "ConstantProposal",
    "FormulaProposal",
    "MalformedProposal",
    "Parameter",
    "Problem",
    "Proposal",
    "RejectedProposal",
    "RelationProposal",
    "apply_proposals",
    "constants_in_chunk",
    "findings_in_chunk",
    "read_proposals",
    "request_for_chunk",
]
