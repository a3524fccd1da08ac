"""SVG pictures of matrices, boards, pieces, timetables and distributions, for light and dark mode.

The functions take plain texts and arrays and return whole SVG documents.
"""
