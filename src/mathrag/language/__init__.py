"""English, once: words, stems, phrases, numbers and quantities in running text. Knows no formula and no document."""
