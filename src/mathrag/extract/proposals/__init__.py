"""What a language model may add to an extraction: asked for in one form, believed record by record after checks."""

from __future__ import annotations

from mathrag.extract.proposals.applied import COMPLETED_BY, apply_proposals
from mathrag.extract.proposals.findings import PROPOSED_BY
from mathrag.extract.proposals.formula_checks import OPEN_TO_AGREEMENT
from mathrag.extract.proposals.prompt import constants_in_chunk, findings_in_chunk, request_for_chunk
from mathrag.extract.proposals.records import (
    PROPOSALS,
    ConstantProposal,
    FormulaProposal,
    MalformedProposal,
    Parameter,
    Problem,
    Proposal,
    RejectedProposal,
    RelationProposal,
    read_proposals,
)

__all__ = [
    "COMPLETED_BY",
    "OPEN_TO_AGREEMENT",
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
