"""The library written for other programs and for people: Turtle, JSON-LD, CSV, LaTeX, Markdown. Reads no files."""
