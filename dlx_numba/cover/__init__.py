"""Exact cover problems with named items: `ExactCover`, its preparation and its file formats."""
