"""Polyforms on lattices, and the regions that they fill in packing puzzles."""
