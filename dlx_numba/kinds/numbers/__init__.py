"""Numbers, sequences and pairs."""
