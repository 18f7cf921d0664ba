"""Ground truth for the PDF reader: makes PDFs from formulas of our own in many fonts, and scores what is read back."""
