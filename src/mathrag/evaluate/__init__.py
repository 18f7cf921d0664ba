"""Measuring: question sets with known answers, grading, statistics, reports, comparison. Asks nothing by itself."""
