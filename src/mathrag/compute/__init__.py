"""The calculator: formulas read into one tree, units, evaluation, solving. Pure and deterministic, no network."""
