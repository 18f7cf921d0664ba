"""Whom a server trusts, and how much: hosts, origins, tokens, sessions, rates, sizes. One guard, one module."""
