"""Pieces that fill a region."""
