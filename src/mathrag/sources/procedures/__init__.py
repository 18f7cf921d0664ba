"""Solutions in steps, from labelled collections and from documents."""
