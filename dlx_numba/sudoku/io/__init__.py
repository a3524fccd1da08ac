"""Readers and writers of Sudoku boards as text.

`read.read_records` reads files in chunks, and `write` has the styles of the output. A splitter
divides the lines of a text into pieces, which may be rows, boards or records: lines and tables
(`table.LineSplitter`), or lists and objects (`json.ObjectSplitter`). `lines.LineReader` reads the
pieces, by the tokenizer in `cells`, and `sniff` finds the size of the boards. To add a format, add
a splitter, and select it in `read`. To add a style of the output, add it to `write.STYLES`.
"""
