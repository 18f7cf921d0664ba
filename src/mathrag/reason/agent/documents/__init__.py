"""The kit of actions on documents: what a model may do to answer a question about them, and how it writes that."""
