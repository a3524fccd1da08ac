"""The compression of JSON objects in links: LZ-String, and the short form of SudokuPad."""

import json
import re
from itertools import islice

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_WIDTHS = 8, 16  # of the characters that the numbers 0 and 1 introduce
_END = 2  # number
_DAMAGED = "the compressed puzzle is damaged"


def decompress(text: str, max_length: int) -> str:
    """Return the content of a compressed text in base 64.

    Raises ValueError if the text is damaged, or its content longer than `max_length`: 64 KB may
    contain 600 MB.

    >>> decompress("IwJl6A==", 9)
    '1212121'
    """
    values = [_DIGITS.find(digit) for digit in text.rstrip("=")]
    if min(values, default=0) < 0:
        raise ValueError(_DAMAGED)
    bits = iter("".join(f"{value:06b}" for value in values))

    def read(width: int) -> int:
        number = "".join(islice(bits, width))  # with the lowest bit first
        if len(number) < width:
            raise ValueError(_DAMAGED)
        return int(number[::-1], 2)

    length = 0
    last = ""
    # The text of each number. The first three have none: 0 and 1 introduce a new character of
    # `_WIDTHS` bits, and 2 is `_END`.
    known = [""] * 3
    parts: list[str] = []
    # A number has as many bits as the next number that will have a text.
    while (number := read(len(known).bit_length())) != _END:
        if number < _END:
            known.append(chr(read(_WIDTHS[number])))
            number = len(known) - 1
        # A number may be used just before its text is known: this is then the last text, followed
        # by the first character of the last text.
        if number > len(known) or (number == len(known) and not last):
            raise ValueError(_DAMAGED)
        entry = known[number] if number < len(known) else last + last[0]
        if last:
            known.append(last + entry[0])
        parts.append(entry)
        last = entry
        length += len(entry)
        if length > max_length:
            raise ValueError(f"the compressed puzzle has more than {max_length:,} characters")
    return "".join(parts)


# A string; a key; a value after a key: false, true, a color; an empty object in a list
_SHORT = re.compile(
    r"('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")|([A-Za-z0-9]+):"
    r"|(?<=:)(?:([ft])|#([0F])|([0-9A-Fa-f]{6}))(?=[,}\]])|(?<=[\[,])(?=[,\]])"
)
_QUOTES = re.compile(r"\\.|\"", re.DOTALL)  # a quote, or any escape sequence
_VALUES = {"f": "false", "t": "true"}
_KEYS = {
    "ca": "cages",
    "ce": "cells",
    "re": "regions",
    "l": "lines",
    "a": "arrows",
    "o": "overlays",
    "u": "underlays",
    "v": "value",
    "te": "text",
    "r": "rounded",
    "c": "color",
    "wp": "wayPoints",
    "vd": "videos",
}


def expand(text: str) -> str:
    """Return the JSON object that SudokuPad has shortened, as far as its keys have a meaning here.

    >>> expand("{metadata:{rules:'None'},ce:[[,{v:3}]],ca:[{unique:t}]}")
    '{"metadata":{"rules":"None"},"cells":[[{},{"value":3}]],"cages":[{"unique":true}]}'
    """

    def long_form(found: re.Match[str]) -> str:
        """Return a token of the short form in JSON."""
        string, key, truth, *colors = found.groups()
        if string is not None:
            return f'"{_QUOTES.sub(double_quoted, string[1:-1])}"'
        if key is not None:
            return f"{json.dumps(_KEYS.get(key, key))}:"
        if truth:
            return _VALUES[truth]
        return f'"{found[0]}"' if any(colors) else "{}"

    def double_quoted(found: re.Match[str]) -> str:
        return {'"': '\\"', "\\'": "'"}.get(found[0], found[0])

    return _SHORT.sub(long_form, text)
