"""Readers and writers of exact cover problems: text and binary files.

`read.read_problem` reads a file. A reader is a function that takes the text and the name of its
source, and returns a `Statement`. To add a format, write a module with such a function, and name it
in `detect.find_parser`, which tries the formats in order: one that could be mistaken for another
comes after it. Drawings and tables share `table.read_rows`. `read` handles binary files itself.
"""
