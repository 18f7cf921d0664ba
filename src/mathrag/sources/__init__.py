"""Other sources than documents into the same library."""
