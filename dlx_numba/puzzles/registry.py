"""The names of all kinds and formats, as data."""

# The module of each kind. A kind without `parse` is read from no file: it is an example with
# parameters.
KINDS = {
    "sudoku": "sudoku",
    "cover": "cover",
    "sukaku": "logic.sukaku",
    "pips": "logic.pips",
    "queens": "logic.queens",
    "dominate": "logic.dominate",
    "knight": "logic.knight",
    "hashiwokakero": "logic.hashiwokakero",
    "futoshiki": "logic.futoshiki",
    "words": "logic.words",
    "star-battle": "logic.star_battle",
    "nonogram": "logic.nonogram",
    "tents": "logic.tents",
    "shikaku": "logic.shikaku",
    "dominosa": "logic.dominosa",
    "kakuro": "logic.kakuro",
    "takuzu": "logic.takuzu",
    "euler": "logic.euler",
    "samurai": "logic.samurai",
    "killer": "logic.killer",
    "jigsaw": "logic.jigsaw",
    "pieces": "pieces.own",
    "burr": "pieces.burr",
    "polyominoes": "pieces.polyominoes",
    "polyiamonds": "pieces.polyiamonds",
    "calendar": "pieces.calendar",
    "genius-star": "pieces.genius_star",
    "polycubes": "pieces.polycubes",
    "tetrasticks": "pieces.tetrasticks",
    "tilings": "pieces.tilings",
    "macmahon": "pieces.macmahon",
    "langford": "numbers.langford",
    "latin": "numbers.latin",
    "mates": "numbers.mates",
    "matchings": "numbers.matchings",
    "partitions": "numbers.partitions",
    "ctt": "plans.ctt",
}

# The formats of exact cover problems: names that `--kind` accepts, too, as in `FORMATS`. They are
# listed here because most commands load no module that reads such problems.
COVER_FORMATS = (
    *("knuth", "sets", "matrix", "json", "table", "ec", "orlib", "routes"),
    *("yaml", "lp", "mps"),
)
