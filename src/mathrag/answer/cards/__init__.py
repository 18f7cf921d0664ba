"""An outcome as a card for people, in text, Markdown, LaTeX and HTML."""
