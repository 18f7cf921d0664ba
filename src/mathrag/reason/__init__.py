"""Deciding how to answer: reading the question, choosing formula and values, computing, the agent. Stores nothing."""
