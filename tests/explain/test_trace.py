"""Traces as text and CSV agree with the record."""

import csv
import io
import itertools

import numpy as np
import pytest

import dlx_numba as dlx
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_board, view_cover
from dlx_numba.explain.trace import trace_search
from dlx_numba.explain.trace_text import CSV_HEADER, format_csv, format_text
from dlx_numba.kernels.branching import Branching
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.symbols import Alphabet
from tests.helpers.examples import knuth_example, multiplicity_example
from tests.helpers.oracles import random_general_problem
from tests.helpers.seeds import seeds

LISTS = ("covered", "uncovered", "purified", "unpurified", "used", "released")
OPTION_LISTS = ("removed", "restored", "partial_solution")


def classic_example(names=None):
    """Return the view of the universe {A, B, C} with S1 = {A}, S2 = {A, B} and S3 = {B, C}."""
    view = view_cover(dlx.ExactCover([["A"], ["A", "B"], ["B", "C"]]), "classic")
    return view._replace(options=names or view.options)


def rows_of(table):
    """Return the rows of a table as dictionaries with lists of names."""

    def names(field):
        return next(csv.reader([field], delimiter=" ", strict=True), [])

    reader = csv.DictReader(io.StringIO(table), strict=True)
    assert tuple(reader.fieldnames) == CSV_HEADER
    return [
        {key: names(value) if key in LISTS + OPTION_LISTS else value for key, value in row.items()}
        for row in reader
    ]


def test_classic_example_as_text():
    view = classic_example(["S1", "S2", "S3"])
    assert format_text(view, record_search(view)) == (
        "classic: 3 options, 3+0 items, 5 entries\n"
        "\n"
        "step level      cover items; remove options; {partial solution}\n"
        "   0     0 X1  start with all items and options  {}\n"
        "   1     0 X3  choose C (1 option)  {}\n"
        "   2     0 X4  cover C; remove S3  {}\n"
        "   3     0 X5  try S3: cover B; remove S2  {S3}\n"
        "   4     1 X3  │ choose A (1 option)  {S3}\n"
        "   5     1 X4  │ cover A; remove S1  {S3}\n"
        "   6     1 X5  │ try S1  {S3 S1}\n"
        "   7     2 X2  │ │ ✓ cover 1: S1 S3\n"
        "   8     2 X8  │ │ end: 1 cover found  {S3 S1}\n"
        "\n"
        "The recording contains the complete search.\n"
    )


def test_classic_example_as_csv():
    view = classic_example(["S1", "S2", "S3"])
    lines = format_csv(view, record_search(view)).splitlines()
    assert [line[: line.rindex('"', 0, -1)] for line in lines[3:5]] == []
