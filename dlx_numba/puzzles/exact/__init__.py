"""Readers and writers of exact cover problems: text and binary files.

`read.parse_file` reads the content of a file. A reader is a function that takes the text and the
name of its source, and returns a `Formulation`. To add a format, write a module with such a
function and one that recognizes the first lines of a text, and add both to `read.FORMATS`.
`notation.TextLines` names the line of an error. `read` handles binary files itself.
"""
