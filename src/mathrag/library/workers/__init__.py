"""What runs in processes of its own for a library: reading, asking, evaluating."""
