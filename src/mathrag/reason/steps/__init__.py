"""Solutions in steps: checking without a model, solving with one, and voting among several."""
