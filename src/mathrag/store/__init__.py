"""The library on disk: one SQLite file is the truth; words and vectors are derived beside it, the graph in `graph/`."""
