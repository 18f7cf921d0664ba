"""MathRAG as tools for other assistants, over the Model Context Protocol."""
