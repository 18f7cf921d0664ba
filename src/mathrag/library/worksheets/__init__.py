"""Worksheets over a library: what lines cite, results as data, and the formats they are written in."""
