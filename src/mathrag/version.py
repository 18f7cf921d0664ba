"""The version of the program, apart from everything else so that any room may say it."""

__version__ = "0.1.0"
