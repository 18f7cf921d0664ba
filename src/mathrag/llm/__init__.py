"""Language models: what one is asked, what it says, and what that costs. Believes nothing it is told."""
