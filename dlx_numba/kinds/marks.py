"""The marks of kinds and formats: what a text unmistakably is, as data.

A mark is an ending of a file name, the root of an XML document, the keys of a JSON object, the host
and the genre of a link, or a header that only one format has. No mark is a pattern of digits.
"""

# What the ending of a file means
ENDINGS = {
    ".non": "nonogram",
    ".mk": "nonogram",
    ".xmpuzzle": "burr",
    ".ctt": "ctt",
    ".opensudoku": "sudoku",
    ".sdm": "sudoku",
    ".sdk": "sudoku",
    ".ss": "sudoku",
    ".lp": "lp",
    ".mps": "mps",
    ".dlx": "knuth",
    ".ec": "ec",
    ".yaml": "yaml",
    ".yml": "yaml",
}

# The root of an XML document
ROOTS = {
    "puzzle": "burr",
    "opensudoku": "sudoku",
    "puzzleset": "nonogram",
}

# Keys of a JSON object, all of which it has
KEYS = {
    ("dominoes", "regions"): "pips",
    ("sum", "cells"): "killer",
    ("cages",): "killer",
    ("rooms", "bookings"): "hotel",
    ("gates", "flights"): "airport",
    ("options",): "json",
}

# Names of collections of puzzles, as the `name` of a JSON object with records
COLLECTIONS = {
    "Binairo": "takuzu",
    "Dominosa": "dominosa",
    "Futoshiki": "futoshiki",
    "Hashi": "hashiwokakero",
    "Kakuro": "kakuro",
    "KillerSudoku": "killer",
    "Nonogram": "nonogram",
    "SamuraiSudoku": "samurai",
    "Shikaku": "shikaku",
    "Starbattle": "star-battle",
    "Tents": "tents",
}

# How a text begins, as regular expressions
HEADERS = {
    r"p ec ": "ec",
    r"\[Puzzle\]": "sudoku",
    r"(?:catalogue|title|by|copyright|license|color|width|height) .*\n": "nonogram",
    r"Name:.*\n\s*Courses:": "ctt",
}
