"""Asking a library: the session that answers, what an answer can be computed into again, what models may spend."""
