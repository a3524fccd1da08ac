"""Matrices, boards, pieces, timetables and distributions as SVG, in light and in dark."""
