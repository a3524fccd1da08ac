"""Problems that people know, as exact cover: each a page, with its items and options in words."""
