"""What searches look in, derived from the truth: words, vectors, signatures."""
