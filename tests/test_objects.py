"""Public objects and exceptions: pickling, copying, comparison, hash values and length."""

import copy
import hashlib
import inspect
import pickle
import re
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.cover.batch import CoverBatch
from dlx_numba.cover.encode import Formulation
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.cover.names import ContradictionError, OptionSelectionError
from dlx_numba.cover.prepare import Presolved
from dlx_numba.kernels.dlx.links import OptionError
from dlx_numba.kernels.memo.search import MemoryLimitError
from dlx_numba.puzzles.question import KindError
from dlx_numba.runtime.errors import (
    ExecutorError,
    MissingFileError,
    TooLargeError,
)
from tests.helpers.processes import run_python

NAMES = ("solutions", "counts", "nodes")
PUZZLE = "1.....3..4.....2"
SOLVABLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
OPTIONS = [["a", ("s", 1)], ["b"], ["a", ("s", 2)], ["b", ("s", 1)]]


def make_cover(**arguments):
    return dlx.ExactCover(OPTIONS, secondary=["s"], costs=[1, 2, 3, 4], **arguments)


def option_selection_error(given=(7,), error=OptionSelectionError):
    with pytest.raises(error) as caught:
        make_cover(given=given)
    return caught.value


# What makes an object of each public class. Those of the first group are equal to their copies.
VALUES = {
    "BatchResult": lambda: dlx.solve_batch([PUZZLE, None], box="2x2", errors="mark"),
    "Board": lambda: dlx.solve_sudoku(dlx.Board(PUZZLE)),
    "Box": lambda: dlx.Box(2, 3),
    "Cover": lambda: make_cover().first(),
    "CoverBatch": lambda: make_cover().solve_batch(given=[[0], [0, 2]]),
    "CoverDiagram": lambda: make_cover().diagram(),
    "Covers": lambda: make_cover().cheapest(),
    "Diagnosis": lambda: dlx.ExactCover([["a", "b"], ["b", "c"], ["c", "a"]]).diagnose(),
    "Estimate": lambda: make_cover().search().estimate(paths=3),
    "ExactCover": make_cover,
    "GenerateResult": lambda: dlx.generate(3, box=(3, 2), seed=1),
    "Presolved": lambda: named_problem(make_cover(presolve=True)).find_presolved(),
    "Puzzle": lambda: dlx.example("queens", n=5),
    "Progress": lambda: make_cover().search().progress,
    "RatedStep": lambda: dlx.rate([SOLVABLE], with_steps=True).steps[0][0],
    "Ratings": lambda: dlx.rate(["." * 81, None], errors="mark"),
    "SudokuRules": lambda: dlx.SudokuRules(diagonals=True, cages=[(5, [0, 1])]),
    "Statistics": lambda: make_cover().statistics,
    "SymmetryGroup": lambda: make_cover().symmetries(),
    "Formulation": lambda: dlx.example("queens", n=4).statement,
}
RESUMABLE = {
    "CoverCounter": lambda: make_cover().counter("search"),
    "CoverOptimizer": lambda: make_cover().optimizer(),
    "Search": lambda: make_cover().search(),
}
EXCEPTIONS = {
    "KindError": lambda: KindError("a.txt", "this has two meanings", ("shikaku",)),
    "CheckpointError": lambda: dlx.CheckpointError("a.search", "it is damaged"),
    "ContradictionError": lambda: option_selection_error([0, 2], ContradictionError),
    "DlxError": lambda: dlx.DlxError("a reason"),
    "ExecutorError": lambda: ExecutorError("a task returned no result"),
    "FormatError": lambda: dlx.FormatError("a.dlx", 3, "a reason"),
    "MemoryLimitError": lambda: MemoryLimitError("a reason"),
    "MissingFileError": lambda: MissingFileError("a.dlx", "there is no such file"),
    "NoSolution": lambda: dlx.NoSolution("the puzzle has no solution"),
    "OptionError": lambda: OptionError(1, 2, "appears twice"),
    "OptionSelectionError": option_selection_error,
    "Stopped": lambda: dlx.Stopped("stopped after 3 covers", [[0, 1], [2, 3]]),
    "TooLargeError": lambda: TooLargeError("a.dlx", "it is too large"),
    "UnreadableError": lambda: dlx.UnreadableError("a.dlx", "it is damaged"),
}
NOT_HASHABLE = (dlx.BatchResult, dlx.Cover, dlx.Covers, CoverBatch, dlx.Diagnosis)
NOT_HASHABLE += (dlx.GenerateResult, Presolved, dlx.Puzzle, dlx.Ratings, Formulation, list)

COPIES = {
    "pickle": lambda each: pickle.loads(pickle.dumps(each)),
    "old pickle": lambda each: pickle.loads(pickle.dumps(each, protocol=2)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


def cases(table):
    return pytest.mark.parametrize("make", table.values(), ids=table.keys())


copies = pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES.keys())


def test_the_tables_have_all_public_classes():
    classes = {name for name in dlx.__all__ if inspect.isclass(getattr(dlx, name))}
    assert classes <= {*VALUES, *RESUMABLE, *EXCEPTIONS}


@cases(VALUES)
def test_copies_of_values_are_equal(make):
    original = make()
    for copied in COPIES.values():
        again = copied(original)
        assert type(again) is type(original)
        assert (again == original) is True
        assert (again != original) is False
        assert (again == 5) is False
        assert (str(again), repr(again)) == (str(original), repr(original))
        assert vars_of(again) == vars_of(original)
        if isinstance(original, NOT_HASHABLE):
            with pytest.raises(TypeError, match="unhashable"):
                hash(original)
        else:
            assert hash(again) == hash(original)


def vars_of(value):
    """The names of the attributes, other than those that are computed when they are needed."""
    return {name for name in vars(value) if name != "_below"} if hasattr(value, "__dict__") else ()


@copies
@cases(EXCEPTIONS)
def test_copies_of_exceptions_have_their_attributes(make, copied):
    original = make()
    again = copied(original)
    assert type(again) is type(original)
    assert (str(again), repr(again)) == (str(original), repr(original))
    assert vars(again) == vars(original)
    for name in ("args", "errno", "strerror", "filename"):
        assert getattr(again, name, None) == getattr(original, name, None)
    assert (again == original) is False
    assert (original == original) is True


@pytest.mark.parametrize("copied", [COPIES["pickle"], copy.deepcopy], ids=["pickle", "deepcopy"])
@cases(RESUMABLE)
def test_copies_of_resumable_objects_continue_on_their_own(make, copied):
    original = make()
    again = copied(original)
    assert (again == original) is False
    assert (original == original) is True
    again.run()
    assert (again.done, original.done) == (True, False)
    original.run()
    assert again.counters() == original.counters()


@copies
def test_steps_can_be_copied(copied):
    board = "1.....3..4.....2"
    variant = dlx.SudokuRules(cages=[(3, [0, 1])])
    for steps in (dlx.deduce(board), dlx.deduce("." * 16, variant), make_cover().deduce()):
        again = copied(steps)
        assert (str(again), again.end, again.cover) == (str(steps), steps.end, steps.cover)
        if steps:
            assert copied(steps[0]).svg() == steps[0].svg()
            assert (copied(steps[0]).name, again[-1].text) == (steps[0].name, steps[-1].text)


@copies
def test_lists_of_puzzles_can_be_copied(copied):
    text = "1.....3..4.....2\nnothing\n....1........2..\n"
    puzzles = dlx.read(text, kind="sudoku")
    for again in (copied(puzzles), puzzles):
        assert [puzzle.count(2) for puzzle in again[:]] == [1, 2]
        assert [str(error) for error in again.errors] == ["<text>:2: not a board"]


def fail(number):
    raise (dlx.FormatError("a.dlx", number, "a reason"), dlx.UnreadableError("a", "gone"))[number]


@pytest.mark.processes
def test_exceptions_of_tasks_do_not_break_a_pool():
    with ProcessPoolExecutor(1) as pool:
        errors = [pool.submit(fail, number).exception() for number in (0, 1)]
        assert [str(error) for error in errors] == ["a.dlx:0: a reason", "a: gone"]
        assert pool.submit(len, "abc").result() == 3


def test_messages_and_attributes_of_exceptions():
    error = pickle.loads(pickle.dumps(option_selection_error()))
    assert error.options == [7]
    assert error.describe(start=1) == "given: option 8 does not exist; there are 4"
    assert EXCEPTIONS["MissingFileError"]().filename == "a.dlx"
    assert dlx.Stopped("stopped").partial is None
    noted = dlx.FormatError("a", 1, "b")
    noted.comment = "an attribute of the caller"
    assert copy.copy(noted).comment == noted.comment


CONDITIONS = {
    "none": {},
    "given": {"given": [0]},
    "random": {"choose": "random", "seed": 3},
    "order": {"choose": ["b", "a"]},
}


def digest(cover):
    """Return digests of a pickle and of what Dask's `tokenize` reads, after some calls."""
    cover.cheapest()
    token = repr(cover.__dask_tokenize__()).encode()
    return [hashlib.md5(text).hexdigest() for text in (pickle.dumps(cover), token)]


def digests():
    return [digest(make_cover(**conditions)) for conditions in CONDITIONS.values()]


@cases(CONDITIONS)
def test_equal_problems_have_equal_pickles_and_tokens(make):
    expected = digest(make_cover(**make))
    for cover in (
        make_cover(seed=5),
        make_cover(forbidden=[0, 2]).replace(forbidden=()),
        dlx.ExactCover(iter(OPTIONS), secondary=("s",), costs={0: 1, 1: 2, 2: 3, 3: 4}),
        copy.copy(make_cover()),
    ):
        assert digest(cover.replace(**make)) == expected
    assert digest(pickle.loads(pickle.dumps(make_cover(**make))))[1] == expected[1]
    assert digest(make_cover(forbidden=[3], **make))[0] != expected[0]


def test_names_and_numbers_of_options_have_equal_pickles_and_tokens():
    named = dlx.ExactCover(dict(zip("wxyz", OPTIONS, strict=True)), secondary=["s"], costs=[1] * 4)
    numbers = named.replace(given=(1, 0, 1), forbidden=[2])
    assert digest(named.replace(given=["w", "x"], forbidden=["y"])) == digest(numbers)


@pytest.mark.slow
@pytest.mark.processes
def test_pickles_and_tokens_are_equal_in_two_processes():
    code = "from tests.test_objects import digests; print(digests())"
    done = run_python("-c", code)
    assert done.stdout == f"{digests()}\n", done.stderr


def test_problems_are_equal_if_they_are_the_same_and_searched_in_the_same_way():
    cover = make_cover()
    assert cover == make_cover()
    assert len({cover, make_cover(), make_cover(seed=5)}) == 1
    others = [
        *(make_cover(choose=rule) for rule in ("leftmost", ["b"])),
        *(make_cover(choose="random", seed=seed) for seed in (1, 2)),
        *(make_cover(**{name: [0]}) for name in ("given", "forbidden")),
        make_cover(presolve=True),
        make_cover(algorithm="links"),
        make_cover(multiplicity={"a": (0, 1)}),
        dlx.ExactCover(OPTIONS, secondary=["s"]),
        dlx.ExactCover(dict(zip("wxyz", OPTIONS, strict=True)), secondary=["s"]),
        dlx.ExactCover([["c", ("s", 1)], *OPTIONS[1:]], secondary=["s"]),
    ]
    assert len({cover, *others}) == len(others) + 1
    matrix = dlx.ExactCover.from_matrix([[1, 1], [1, 0]])
    assert matrix == dlx.ExactCover([[0, 1], [0]])
    assert matrix != dlx.ExactCover([["a", "b"], ["a"]])
    assert cover.diagram() == make_cover().diagram()
    assert cover.diagram() != make_cover(forbidden=[0]).diagram()


@copies
def test_copies_of_problems_have_the_same_solutions(copied):
    for arguments in ({"choose": "random", "presolve": True}, {"given": [0], "choose": ["b"]}):
        cover = make_cover(**arguments)
        solutions = cover.solve()
        again = copied(cover)
        assert again == cover
        assert again.statistics == (0, 0, 0)
        assert again.solve() == solutions
        assert again.statistics == cover.statistics != (0, 0, 0)


def test_results_are_tables():
    result = dlx.solve_batch([PUZZLE, PUZZLE, "." * 16])
    assert len(result) == 3
    assert len(dlx.rate(["." * 81] * 2)) == 2
    generated = dlx.generate(4, box="2x2", seed=1)
    puzzles, _ = generated
    assert len(generated) == len(puzzles) == 4
    assert generated == dlx.generate(4, box="2x2", seed=1)
    assert generated != dlx.generate(4, box="2x2", seed=2)
    assert dlx.BatchResult(*result) == result
    assert result != dlx.solve_batch([PUZZLE, PUZZLE, PUZZLE])
    assert result != dlx.solve_batch([PUZZLE, PUZZLE])
    with pytest.raises(AttributeError):
        result.counts = None


def test_replaced_arrays_keep_the_rest():
    letters = PUZZLE.translate(str.maketrans("1234", "ABCD"))
    result = dlx.solve_batch([letters, None], alphabet="A-", errors="mark")
    replaced = result._replace(counts=result.counts + 1)
    assert replaced.counts.tolist() == [2, 0]
    assert replaced.strings() == result.strings() == ["ACBDDBCABDACCADB", ""]
    assert replaced.errors == result.errors
    assert (replaced == result) is False
    assert replaced._replace(counts=result.counts) == result
    assert "<svg" in result._replace(solutions=1 + result.solutions % 4)._repr_html_()
    first = result._replace(**{name: getattr(result, name)[:1] for name in NAMES}, errors={})
    assert (len(first), first.strings()) == (1, result.strings()[:1])
    assert first._repr_html_().count("<svg") == 1
    wide = dlx.generate(1, box=(3, 2), seed=1)
    assert str(wide._replace(solutions=wide.puzzles).strings()) == str(wide.strings())
    assert wide._replace(puzzles=wide.puzzles) == wide
    assert wide != dlx.GenerateResult(*wide)  # without the box, it is 2x3
    with pytest.raises(TypeError, match="no array 'boxes'"):
        result._replace(boxes=1)


@copies
def test_boards_cannot_be_changed(copied):
    board = copied(dlx.Board(PUZZLE))
    for array in (board.values, board.givens):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 2
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    assert board == dlx.Board(PUZZLE)


def test_boards_are_copied_to_arrays():
    board = dlx.Board(PUZZLE)
    for array in (np.array(board), np.asarray(board), np.array(board, copy=True)):
        array[:] = 0
    assert board.string() == PUZZLE
    assert np.asarray(board, np.int64).dtype == np.int64
    for dtype in (None, np.uint8, np.int64):
        with pytest.raises(ValueError, match="without a copy"):
            np.array(board, dtype, copy=False)
    assert np.array([board, board]).shape == (2, 4, 4)


COMMANDS = (
    *("bench", "cheapest", "count", "cover", "demo", "diagnose", "estimate", "explain", "gallery"),
    *("hint", "mcp", "puzzles", "sample", "show", "solve", "verify", "warmup"),
)


@pytest.mark.parametrize("name", COMMANDS)
def test_names_of_commands_lead_to_functions(name):
    """Folders of the same name, which other modules have imported, do not hide the advice."""
    from dlx_numba import bench, cover, explain

    assert all(map(inspect.ismodule, (bench, cover, explain, dlx.dancing_links)))
    with pytest.raises(AttributeError, match=f"no attribute '{name}'; use ") as caught:
        getattr(dlx, name)
    for words in str(caught.value).partition("; use ")[2].replace(" and ", ", ").split(", "):
        if "`" not in words:
            target = dlx
            for part in words.split("."):
                target = getattr(target, part)


def test_commands_are_functions_or_lead_to_them():
    from dlx_numba.cli.app import COMMAND_NAMES

    assert {*COMMAND_NAMES} == {*COMMANDS, *{*COMMAND_NAMES} & {*dlx.__all__}}


def test_the_docstring_of_the_package_lists_its_functions_by_task():
    listed = {*re.findall(r"\w+", dlx.__doc__)}
    functions = {name for name in dlx.__all__ if inspect.isroutine(getattr(dlx, name))}
    assert functions - listed == set()
    assert max(map(len, dlx.__doc__.splitlines())) <= 76  # `help` indents it


def test_type_checkers_know_the_public_names_and_where_they_are():
    stub = Path(dlx.__file__).with_suffix(".pyi").read_text("utf-8")
    found = re.findall(r"^from (\S+) import (\w+) as \2$", stub, re.MULTILINE)
    modules = {name: module for module, name in found}
    assert modules.pop("dancing_links") == "."
    assert modules.pop("__version__") == ".runtime.version"
    for name, module in modules.items():
        owner = import_module(module, dlx.__name__)
        assert getattr(owner, name) is getattr(dlx, name)
    assert {*modules, "__version__"} == {*dlx.__all__}
