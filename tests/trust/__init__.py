"""Ways to get a wrong number out of the product, tried for real. `make trust` prints the table (docs/trust.md)."""
