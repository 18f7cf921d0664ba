"""Asking a library: the asker, what its answers can be computed into again, what may be spent on language models."""
