"""A request for puzzles, and the check that such puzzles can exist."""

from itertools import pairwise
from typing import NamedTuple

from ...runtime.arguments import check_choice, check_integer
from ...runtime.choices import CLASSES, DIFFICULTIES, SYMMETRIES, TECHNIQUES
from ...runtime.text import plural
from ..box import Box
from ..engines.base import Rules
from ..engines.classify import EXPERT
from ..levels import class_of
from .start import RANDOM_SYMMETRY, find_orbits

MAX_SIDE = 25  # of boards
MAX_MINIMAL_SIDE = 16  # of boards that are minimal by default

# The smallest number of clues of a puzzle with a single solution, where it is known. In all other
# sizes, at least n - 1 different values must be given.
FEWEST_CLUES = {Box(2, 2): 4, Box(2, 3): 8, Box(3, 2): 8, Box(3, 3): 17}

# The range of clues, as fractions of the cells, of puzzles that need not be minimal.
DEFAULT_FRACTIONS = (0.35, 0.5)
GIANT_FRACTIONS = 0.48, 0.6  # beyond MAX_MINIMAL_SIDE, where fewer clues take minutes


class Request(NamedTuple):
    """The puzzles to generate."""

    box: Box
    symmetry: int  # an index of SYMMETRIES
    difficulty: int  # an index of CLASSES; 0 for any
    is_minimal: bool  # whether no orbit of clues can be removed without losing uniqueness
    is_reduced: bool  # whether no orbit of clues can be removed without a violation
    low: int  # the range of the number of clues
    high: int
    rules: Rules | None  # of a variant
    level: str = ""  # the hardest step of each puzzle; "" for any

    @property
    def hardest(self) -> int:
        """The class whose techniques must solve the puzzle while clues are removed; 0 for any.

        For X-wings, it is `EXPERT`: see `classify_lanes`.
        """
        is_free = self.difficulty == EXPERT and self.level != "X-wing"
        return 0 if self.is_minimal or is_free else self.difficulty

    def describe(self) -> str:
        """Return a description of the puzzles, such as "minimal 9x9 puzzles with 40 clues"."""
        kind = "class-minimal " if self.is_reduced else ""
        if self.is_minimal:
            kind = "minimal "
        size = f"{self.box.n}x{self.box.n} puzzles"
        name = self.level or (CLASSES[self.difficulty] if self.difficulty else "")
        if name:
            name += " "
        symmetry = f" with symmetry {SYMMETRIES[self.symmetry]}" if self.symmetry else ""
        return f"{kind}{name}{size}{symmetry}{self._describe_clues()}"

    def _describe_clues(self) -> str:
        if (self.low, self.high) == (0, self.box.cells):
            return ""
        if self.low == self.high:
            return f" with {plural(self.low, 'clue')}"
        return f" with {self.low} to {self.high} clues"


def make_request(
    box: Box | None,
    difficulty: str | None,
    symmetry: str | None,
    clues: object,
    minimal: bool | None,
    rules: Rules | None = None,
    level: str | None = None,
) -> Request:
    """Return the request of a caller of `generate`. Raises ValueError if it cannot be met."""
    box = box or Box(3, 3)
    if box.n > MAX_SIDE:
        raise ValueError(
            f"box {box}: puzzles of up to {MAX_SIDE}x{MAX_SIDE} can be generated, "
            f"not of {box.n}x{box.n}"
        )
    if level is not None:
        check_choice("level", level, TECHNIQUES)
        if difficulty is not None:
            raise ValueError(f"level {level} fixes the difficulty, too")
        difficulty = CLASSES[class_of(level)]
    # CLASSES begin with the invalid puzzles, which DIFFICULTIES lack.
    code = 0 if difficulty is None else _index(difficulty, DIFFICULTIES, "difficulty") + 1
    if code and rules is not None:
        raise ValueError("difficulty and level apply to plain Sudoku, not to puzzles with rules")
    if code and box != Box(3, 3):
        raise ValueError(f"difficulty applies to 9x9 puzzles with box 3x3, not to box {box}")
    if minimal is None:
        minimal = not code and box.n <= MAX_MINIMAL_SIDE
    symmetry_code = 0 if symmetry is None else _index(symmetry, SYMMETRIES, "symmetry")
    # Without a number of clues, they are removed as far as possible, or to a usual number.
    is_reduced = bool(minimal) or (code != 0 and clues is None)
    if clues is None and not is_reduced:
        fractions = DEFAULT_FRACTIONS if box.n <= MAX_MINIMAL_SIDE else GIANT_FRACTIONS
        low, high = (round(fraction * box.cells) for fraction in fractions)
    else:
        low, high = (0, box.cells) if clues is None else _clue_range(clues, box)
    request = Request(
        box, symmetry_code, code, bool(minimal), is_reduced, low, high, rules, level or ""
    )
    # With rules, fewer clues may suffice.
    _check_clues(request, 0 if rules is not None else FEWEST_CLUES.get(box, box.n - 1))
    return request


def _index(name: object, names: tuple[str, ...], argument: str) -> int:
    check_choice(argument, name, names)
    return names.index(name)


def _clue_range(clues: object, box: Box) -> tuple[int, int]:
    """Return the range of clues that a caller passes as an integer or a pair."""
    if isinstance(clues, tuple | list):
        if len(clues) != 2:
            raise ValueError(f"clues must be an integer or a pair of integers, not {clues!r}")
        low, high = (check_integer(number, "clues") for number in clues)
    else:
        low = high = check_integer(clues, "clues", "for any number")
    if not 0 <= low <= high <= box.cells:
        given = low if low == high else f"{low} to {high}"
        raise ValueError(f"clues must be from 0 to {box.cells} in ascending order, not {given}")
    return low, high


def _check_clues(request: Request, fewest: int) -> None:
    """Raise ValueError if no puzzle can have these numbers of clues; `fewest` is a lower bound."""
    if request.high < fewest:
        raise ValueError(
            f"there are no {request.describe()}: those with a single solution have {fewest} or more"
        )
    possible = _possible_numbers(request)
    if not any(request.low <= number <= request.high for number in possible):
        near = sorted(possible, key=lambda number: abs(number - request.low))[:2]
        numbers = " or ".join(map(str, sorted(near)))
        raise ValueError(f"there are no {request.describe()}; the nearest possible are {numbers}")


def _possible_numbers(request: Request) -> set[int]:
    """Return the numbers of cells that consist of complete orbits."""
    orbits = find_orbits(request.box)
    symmetries = [request.symmetry]
    if request.symmetry == RANDOM_SYMMETRY:
        symmetries = list(range(1, RANDOM_SYMMETRY))
    possible: set[int] = set()
    for symmetry in symmetries:
        numbers = {0}  # the sums of the sizes of some of the orbits so far
        ends = orbits.ends[symmetry, : orbits.numbers[symmetry] + 1].tolist()
        for start, end in pairwise(ends):
            numbers |= {number + end - start for number in numbers}
        possible |= numbers
    return possible
