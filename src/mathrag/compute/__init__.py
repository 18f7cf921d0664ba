"""The calculator: formulas read into one tree, units, evaluation, solving. Pure, deterministic, no files, no network."""
