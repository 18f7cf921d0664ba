"""Python-like text, as people type it and language models propose it, read into trees. Never run as code."""

from mathrag.compute.pythontext.reader import read_python_text

__all__ = ["read_python_text"]
