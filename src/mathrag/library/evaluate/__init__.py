"""Evaluating a library: a set's documents read, its questions asked, graded and reported."""
