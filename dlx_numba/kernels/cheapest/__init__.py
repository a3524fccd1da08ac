"""Kernels of the search for the cheapest covers: prices of items, and covers within a budget."""
