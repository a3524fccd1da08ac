"""Nested lists as in JSON, and as array initializers of C, Java or Python, line by line.

Braces and brackets are equivalent, and so are the two kinds of quotes. Line breaks may occur
anywhere between elements.
"""

import re

# The text before the first brace in `int[][] board = new int[][] {{8, 0, ...`
_DECLARATION = re.compile(rb"[^={\[]*(?:\[[^\]={]*\][^={\[]*)*=(?!=)\s*(?:new\s[^{]*)?")
# The call around a list in `np.array([[8, 0], [0, 1]], dtype=int)`
_CALL = re.compile(rb"(?:\w+\.)*(?:as)?(?:array|matrix)\(\s*", re.IGNORECASE)
_END_OF_CALL = re.compile(rb"(?:(?<=\])\s*,?|^)\s*(?:dtype\s*=\s*[\w.'\"]+\s*)?\)\s*;?$")
_COMMENT = re.compile(rb"//.*|/\*.*?(?:\*/|$)")
_HASH_COMMENT = re.compile(rb"\s#.*")
_FLOAT = re.compile(rb"(?<![\w.])([0-9]+)\.0?(?![\w.])")  # a whole number, as NumPy writes floats
_START = re.compile(rb"[\[{]\s*(?:[\[{\"'.\d]|null\b|None\b|true\b|false\b|True\b|False\b|$)")
_OBJECT = re.compile(rb'\{\s*"[^"]*"\s*:')


def looks_like_arrays(head: bytes) -> bool:
    """Return whether a text starts like a list or an array initializer.

    Examples
    --------
    >>> looks_like_arrays(b"int[][] board = {{8,0"), looks_like_arrays(b"[Puzzle]")
    (True, False)
    """
    for line in head.splitlines():
        text = plain_line(line).strip()
        if text and not text.startswith(b"#"):
            text = without_declaration(text)
            if text:
                return _START.match(text) is not None and _OBJECT.match(text) is None
    return False


def plain_line(line: bytes) -> bytes:
    """Return a line without the comments of C and Python, and with integers for whole floats.

    >>> plain_line(b"[5. 3.0 0.], # text"), plain_line(b"'12..34.', // text")
    (b'[5 3 0],', b"'12..34.', ")
    """
    if b"/" in line:
        line = _COMMENT.sub(b"", line)
    if b"#" in line:  # in a string, it is not a comment
        end_of_strings = max(line.rfind(b'"'), line.rfind(b"'")) + 1
        line = line[:end_of_strings] + _HASH_COMMENT.sub(b"", line[end_of_strings:])
    if b"." in line and b'"' not in line and b"'" not in line:
        line = _FLOAT.sub(rb"\1", line)
    return line


def without_declaration(text: bytes) -> bytes:
    """Return a line without the declaration of the array that it starts, and without a call.

    Examples
    --------
    >>> without_declaration(b"a = np.array([[8,0],"), without_declaration(b"[0,1]], dtype=int)")
    (b'[[8,0],', b'[0,1]]')
    """
    text = text.strip()
    if b")" in text[-3:]:
        text = _END_OF_CALL.sub(b"", text)
    if declaration := _DECLARATION.match(text):
        text = text[declaration.end() :].lstrip()
    call = _CALL.match(text) if b"(" in text else None
    return text[call.end() :] if call else text
