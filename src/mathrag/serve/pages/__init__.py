"""Pages for people, made on the server; each has a `.json` twin. Computes nothing."""
