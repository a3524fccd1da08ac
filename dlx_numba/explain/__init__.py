"""A search as a page to look at: recorded step by step, from the real arrays."""
