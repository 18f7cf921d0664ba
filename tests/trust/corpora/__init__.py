"""One module for each class of attempts: a `TITLE` and `attempts()`."""
