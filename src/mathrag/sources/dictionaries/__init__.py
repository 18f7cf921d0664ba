"""Dictionaries of mathematics into the library: concepts with their signatures, properties and examples."""
