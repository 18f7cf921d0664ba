"""Taking documents into a library: which files, read how, stored one transaction each."""
