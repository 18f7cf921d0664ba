"""A formula as a Python module of its own: text that checks units, cites its source and tests itself."""

from mathrag.answer.standalone.module import standalone_function

__all__ = ["standalone_function"]
