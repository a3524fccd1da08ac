"""The data of pages of `explain`: their records, arrays and colors."""

import base64
import itertools
import json
import re
import zlib

from dlx_numba.kernels.dlx.links import INACTIVE


def read_record(page):
    """Return the data in the text of a page."""
    packed = re.search(r'id="record">([^<]*)<', page)[1]
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def arrays_by_change(record):
    """Return the arrays before the first change of a record, and after each change."""
    arrays = {name: list(cells) for name, cells in record.arrays.items()}
    copies = [record.arrays]
    for step in record.steps:
        for change in step.changes:
            for number, index, value in record.assignments[change.start : change.end].tolist():
                arrays[list(arrays)[number]][index] = value
            copies.append({name: list(cells) for name, cells in arrays.items()})
    return copies


def arrays_by_step(record):
    """Return the arrays after each step of a record."""
    copies = arrays_by_change(record)
    ends = itertools.accumulate(len(step.changes) for step in record.steps)
    return [copies[end] for end in ends]


def cells_that_differ(before, after):
    """Return the array, the index and both values of each cell that differs."""
    return [
        (name, index, old, new)
        for name in before
        for index, (old, new) in enumerate(zip(before[name], after[name], strict=True))
        if old != new
    ]


def rgb(color):
    """Return a color such as "#0072b2" as computed styles have it."""
    return "rgb({}, {}, {})".format(*bytes.fromhex(color[1:]))


def covered_items(problem, arrays):
    return [
        item
        for item, size in enumerate(arrays["size"])
        if item and INACTIVE * (1 + (item > problem.n_primary)) <= size < 3 * int(INACTIVE)
    ]


def options_left(problem, arrays):
    """Return the options without removed nodes, nodes of covered items and wrong colors."""
    covered, n_headers = covered_items(problem, arrays), 1 + problem.n_items

    def is_removed(node):
        item = arrays["column"][node]
        purifier = arrays["purifier"][item] if "purifier" in arrays else 0
        if purifier and problem.color[purifier - n_headers] != problem.color[node - n_headers]:
            return True
        return item in covered or arrays["D"][arrays["U"][node]] != node

    ends = itertools.pairwise((problem.indptr + n_headers).tolist())
    return [k for k, nodes in enumerate(ends) if not any(map(is_removed, range(*nodes)))]
