"""The file format of diagrams: an `.npz` archive with the arrays and a header in JSON."""

import io
import json
import os
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels.diagram import Diagram
from ..kernels.memo import FALSE, TRUE
from ..runtime.files import replace_file

KIND, VERSION = "dlx_numba diagram", 1


class DiagramFacts(NamedTuple):
    """Facts about a problem that a diagram has in addition to its graph."""

    n_options: int  # of the problem, as stated
    fixed: list[int]  # options of each cover that are not part of the graph
    order: str  # how items were chosen: "smallest", "given", "bandwidth" or "items"
    levels: NDArray[np.int64] | None  # all options, as a ZDD orders them; None if it cannot
    first_items: NDArray[np.int64]  # (options,) a primary item of each option; -1 if there is none
    indptr: NDArray[np.int64]  # the primary items of each option, in the CSR layout
    items: NDArray[np.int64]
    cost: NDArray[np.int64] | None


def write_diagram(path: str | os.PathLike[str], graph: Diagram, facts: DiagramFacts) -> None:
    """Write a diagram, completely or not at all."""
    header = {
        "kind": KIND,
        "version": VERSION,
        "n_options": facts.n_options,
        "fixed": facts.fixed,
        "order": facts.order,
    }
    arrays = {**graph._asdict(), **facts._asdict()}
    stored = {name: array for name, array in arrays.items() if isinstance(array, np.ndarray)}
    stored["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    stream = io.BytesIO()
    np.savez(stream, **stored)  # type: ignore[arg-type]  # allow_pickle is a keyword
    replace_file(path, stream.getbuffer())


def read_diagram(path: str | os.PathLike[str]) -> tuple[Diagram, DiagramFacts]:
    """Read a diagram. Raises ValueError as `CoverDiagram.load` does."""
    name = os.fspath(path)
    with open(path, "rb") as file:
        content = file.read()
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            arrays = dict(stored)
        header = json.loads(arrays.pop("header").tobytes())
        if header["kind"] != KIND:
            raise ValueError("another kind of file")
    except Exception:  # damaged files make NumPy and zipfile raise almost any exception
        raise ValueError(f"{name}: not a saved diagram, or the file is damaged") from None
    if header.get("version") != VERSION:
        found = header.get("version")
        reason = f"saved by another version: format {found}, but this version reads {VERSION}"
        raise ValueError(f"{name}: {reason}")
    try:
        graph = Diagram(*(arrays.pop(field) for field in Diagram._fields))
        optional = {"levels": arrays.pop("levels", None), "cost": arrays.pop("cost", None)}
        stated = {field: header[field] for field in ("n_options", "fixed", "order")}
        facts = DiagramFacts(**stated, **optional, **arrays)
        _check(graph, facts)
    except (KeyError, TypeError, ValueError, IndexError):
        raise ValueError(f"{name}: the diagram in the file is inconsistent") from None
    return graph, facts


def _check(graph: Diagram, facts: DiagramFacts) -> None:
    """Raise ValueError unless the arrays are a diagram."""
    start, option, child = graph
    n_options, n_edges = facts.n_options, len(option)
    arrays: list[tuple[NDArray[Any], type]] = [(start, np.int64)]
    arrays += [(option, np.uint32), (child, np.uint32)]
    arrays += [(each, np.int64) for each in (facts.first_items, facts.indptr, facts.items)]
    arrays += [(each, np.int64) for each in (facts.levels, facts.cost) if each is not None]
    is_valid = all(each.ndim == 1 and each.dtype == dtype for each, dtype in arrays)
    is_valid = is_valid and len(start) >= 2 and start[0] == start[: TRUE + 2].max() == 0
    is_valid = is_valid and start[-1] == n_edges == len(child)
    # Every other node has an edge, all of which lead to lower numbers, but not to FALSE.
    is_valid = is_valid and bool(np.all(np.diff(start[TRUE + 1 :]) > 0))
    node_of = np.repeat(np.arange(len(start) - 1), np.diff(start))
    is_valid = is_valid and bool(np.all((child > FALSE) & (child < node_of)))
    is_valid = is_valid and bool(np.all(option < n_options))
    sizes = (len(facts.first_items), len(facts.indptr) - 1)
    is_valid = is_valid and sizes == (n_options, n_options)
    is_valid = is_valid and facts.indptr[0] == 0 and facts.indptr[-1] == len(facts.items)
    is_valid = is_valid and bool(np.all(np.diff(facts.indptr) >= 0))
    is_valid = is_valid and all(0 <= each < n_options for each in facts.fixed)
    is_valid = is_valid and (facts.cost is None or len(facts.cost) == n_options)
    if facts.levels is not None:
        is_valid = is_valid and np.array_equal(np.sort(facts.levels), np.arange(n_options))
    if not is_valid:
        raise ValueError("inconsistent arrays")
