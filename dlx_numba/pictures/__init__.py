"""Matrices, boards and distributions as SVG, in light and in dark."""
