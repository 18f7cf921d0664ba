"""Reading documents with a language model, after the rules: what is asked, when to stop, what is checked and stored.

The model only proposes. Whatever it says is checked in a process of its own and stored in one transaction a document,
together with what was refused; every reply is kept before it is used, so that a run that stops goes on where it was.
"""
