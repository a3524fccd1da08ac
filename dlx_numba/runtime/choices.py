"""The words that arguments and options choose from; importing them takes no time.

The command line lists them in its help and completes them, before it imports anything slow.
"""

from typing import Literal, get_args

# Searches
Algorithm = Literal["auto", "links", "bitset"]
AUTO: Literal["auto"] = "auto"
ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)[1:]
BranchingName = Literal[
    "smallest", "leftmost", "random", "sharp", "literal-leftmost", "literal-smallest"
]
Consistency = Literal["colors"]
Method = Literal["auto", "search", "memo", "planar"]  # of counts
METHODS: tuple[Method, ...] = get_args(Method)
Order = Literal["search", "any"]  # of the covers that are found
ORDERS: tuple[Order, ...] = get_args(Order)
FirstEngine = Literal["auto", "own", "sat", "both"]  # of a few covers
FIRST_ENGINES: tuple[FirstEngine, ...] = get_args(FirstEngine)
OptimizerEngine = Literal["auto", "own", "highs", "both"]
OPTIMIZER_ENGINES: tuple[OptimizerEngine, ...] = get_args(OptimizerEngine)

# Formats of problems and of covers
WrittenKind = Literal["knuth", "json", "mps", "cnf", "orlib"]
WRITTEN_KINDS: tuple[WrittenKind, ...] = get_args(WrittenKind)
SolutionStyle = Literal["numbers", "names", "json"]
COVER_STYLES: tuple[SolutionStyle, ...] = get_args(SolutionStyle)

# Boards of Sudoku
EngineName = Literal["auto", "lanes", "dlx", "textbook", "portfolio", "sat"]
BOARD_ENGINES: tuple[EngineName, ...] = get_args(EngineName)[1:]
BoardRule = Literal["smallest", "leftmost"]  # how the engine `dlx` chooses the next item
Difficulty = Literal["simple", "easy", "intermediate", "expert"]
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)
INVALID = "invalid"
CLASSES = (INVALID, *DIFFICULTIES)
TECHNIQUES = (  # the names of `LEVELS` for boards without rules
    *("naked single", "hidden single", "pointing", "claiming", "naked pair"),
    *("hidden pair", "X-wing", "naked triple", "hidden triple", "swordfish", "naked quadruple"),
    *("hidden quadruple", "jellyfish", "forcing chain"),
)
Symmetry = Literal["none", "rotate90", "rotate180", "mirror", "flip", "random"]
SYMMETRIES: tuple[Symmetry, ...] = get_args(Symmetry)
BOARD_STYLES = ("line", "csv", "grid", "json")
CANDIDATES = "candidates"  # a further style
RATING_STYLES = ("line", "csv", "json")

# What the benchmark measures
NAIVE = "naive"  # the baseline, which is no engine
SOLVERS = (NAIVE, *reversed(BOARD_ENGINES))  # the slowest first, of those measured by default
COVER_ENGINES = ("textbook", "links", "bitset", "memo")
