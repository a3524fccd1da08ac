"""Algorithm X on bitmaps of options."""
