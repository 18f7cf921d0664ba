"""From words to the entries of a library that fit them: searches, and joining their rankings."""
