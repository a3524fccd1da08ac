"""Shapes on lattices, and the pieces and regions of packing puzzles."""
