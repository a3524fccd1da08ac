"""Frames and queries of other libraries, as solved with pandas 3.1, Polars and DuckDB."""

import io

import numpy as np
import pandas as pd
import pytest

import dlx_numba as dlx
from dlx_numba.runtime.frames import fill_missing

pytestmark = pytest.mark.compiled

BOARD = pd.DataFrame([[1, 0, 0, 0], [0, 0, 3, 0], [0, 0, 0, 0], [0, 0, 0, 2]])
SOLUTION = [[1, 3, 2, 4], [2, 4, 3, 1], [3, 1, 4, 2], [4, 2, 1, 3]]
NULLABLE = BOARD.astype("Int64")


@pytest.mark.parametrize(
    "frame",
    [BOARD, NULLABLE, NULLABLE.mask(BOARD == 0), BOARD.astype(float).mask(BOARD == 0)],
    ids=["int64", "Int64", "NA", "NaN"],
)
def test_missing_cells_of_pandas_are_empty_cells_of_boards(frame):
    expected = dlx.solve_sudoku(BOARD)
    assert dlx.solve_sudoku(frame) == expected
    row = pd.DataFrame([frame.to_numpy(object).ravel()]).astype(frame.dtypes[0])
    assert dlx.solve_batch(row).solutions.tolist() == [np.ravel(expected).tolist()]


class Frame:
    """A frame of Polars, which has the value NaN for a null in an array of NumPy."""

    __module__ = "polars.dataframe.frame"

    def __array__(self, dtype=None, copy=None):
        return BOARD.astype(float).mask(BOARD == 0).to_numpy()


def test_nulls_of_polars_are_empty_cells():
    assert fill_missing(Frame()).tolist() == BOARD.to_numpy().tolist()
    assert dlx.solve_sudoku(Frame()) == dlx.solve_sudoku(BOARD)


def test_other_frames_are_not_filled():
    for frame in (BOARD + 0.5, pd.DataFrame([["1", None]]), pd.Series([None, None]), [np.nan]):
        assert fill_missing(frame) is frame


@pytest.mark.parametrize(("name", "call"), [("LazyFrame", "collect"), ("DuckDBPyRelation", "df")])
def test_queries_of_polars_and_duckdb_get_the_call_to_add(name, call):
    query = type(name, (), {"columns": property(lambda self: 1 / 0)})()
    calls = (dlx.ExactCover, dlx.ExactCover.from_matrix, dlx.solve_batch, dlx.solve_sudoku)
    for function in (*calls, lambda query: dlx.ExactCover.from_frame(query, ["a"])):
        with pytest.raises(TypeError, match=rf"a {name} is .* result of its method {call}\(\)"):
            function(query)


def test_columns_with_several_levels_are_items():
    titles = pd.MultiIndex.from_tuples([("who", "name"), ("what", "name"), ("what", "cost")])
    frame = pd.DataFrame([["a", "x", 1], ["b", "y", 2]], columns=titles)
    who, what, cost = titles
    problem = dlx.ExactCover.from_frame(frame, [who, what], cost=cost)
    assert problem.options[0] == [("who/name", "a"), ("what/name", "x")]
    assert problem.cheapest()[0].cost == 3
    both = dlx.ExactCover.from_frame(frame, [(who, what)])
    assert both.options[1] == [("who/name+what/name", "b", "y")]


def test_texts_in_a_matrix_are_shown_as_texts():
    with pytest.raises(ValueError, match=r"\[0, 0\] is '1'"):
        dlx.ExactCover(pd.DataFrame([["1", "0"]]))


def test_the_layout_of_a_sparse_file_is_a_text():
    file = io.BytesIO()
    np.savez(file, format=b"csc", shape=(1, 1))
    with pytest.raises(ValueError, match="must have the layout 'csr', not 'csc'"):
        dlx.ExactCover.read(file.getvalue())
