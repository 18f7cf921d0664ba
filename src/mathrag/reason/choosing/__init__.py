"""Choosing formula, unknown and values together: evidence, scores, chains, confidence. Computes nothing."""
