"""From a document to findings: definitions first, then formulas, their symbols, labels and conditions, by rules."""
