"""From what is printed on a page to rows, words, formulas, tables and paragraphs in reading order. Decodes no file."""
