"""Algebra over the formula tree for questions of pure mathematics: identities, rewriting, solving, calculus, limits.

Everything that is found is checked another way before it is handed out, and says how far that goes.
"""
