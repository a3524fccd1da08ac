"""Algorithms X and M on bitmaps of options."""
