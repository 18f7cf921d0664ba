"""What runs in processes of its own for a library: reading, asking, evaluating.

`*_worker.py` is what a process does; how it is started, limited and ended is the business of `mathrag.isolation`.
"""
