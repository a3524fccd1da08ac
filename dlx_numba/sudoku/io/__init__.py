"""Readers and writers of Sudoku boards as text.

`read.read_records` reads files in chunks, and `write` has the styles of the output. To add a format
of lines, extend `lines.LineReader`, and `sniff`, which finds the size of the boards. A format that
spans lines, such as JSON, is a subclass of `lines.LineReader`, too, which `read` selects by the
first characters. To add a style of the output, add it to `write.STYLES`.
"""
