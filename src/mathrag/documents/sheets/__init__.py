"""Spreadsheets: Excel workbooks and OpenDocument spreadsheets, read into one model, their formulas with the names of
headers and labels, their numbers as tables."""
