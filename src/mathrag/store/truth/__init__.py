"""The one SQLite file that is the truth: its tables, its rows, reading, writing, merging, checking."""
