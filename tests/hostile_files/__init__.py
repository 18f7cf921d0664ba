"""Bad files, written when the tests run, and what must happen to each."""
