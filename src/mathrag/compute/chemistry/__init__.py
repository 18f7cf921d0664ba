"""Chemistry that is exact: formulas, masses, names, reactions and their amounts. Reads no questions."""
