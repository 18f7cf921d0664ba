"""Markdown read into blocks: block structure by markdown-it, inline text and formulas by rules of our own."""

from mathrag.documents.markdown.reader import read_markdown

__all__ = ["read_markdown"]
