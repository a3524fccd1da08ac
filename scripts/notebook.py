"""Execute the notebook of the documentation, and store the outputs of its cells.

    python -m scripts.notebook

Jupyter is not needed: cells contain Python only, and the outputs are those that Jupyter stores for
the representations that this package defines. Cells with the tag "varies" show times or rates.
"""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any, cast

NOTEBOOK = Path(__file__).resolve().parents[1] / "docs" / "notebook.ipynb"
MIME_TYPES = {"_repr_html_": "text/html", "_repr_svg_": "image/svg+xml"}

Cell = dict[str, Any]


def load(path: Path = NOTEBOOK) -> dict[str, Any]:
    """Return the content of a notebook."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def execute(notebook: dict[str, Any]) -> list[tuple[Cell, list[Any]]]:
    """Execute the code cells in order; return each of them with its outputs."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    results = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number = len(results) + 1
            results.append((cell, _outputs("".join(cell["source"]), namespace, number)))
    return results


def _outputs(source: str, namespace: dict[str, Any], number: int) -> list[Any]:
    """Execute the source of a cell; return what it prints and its last expression."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), f"<cell {number}>", "exec"), namespace)
        if last is not None:
            expression = ast.Expression(cast(ast.Expr, last).value)
            value = eval(compile(expression, f"<cell {number}>", "eval"), namespace)
    outputs: list[Any] = []
    if printed.getvalue():
        text = _lines(printed.getvalue())
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        data = {}
        for method, mime_type in MIME_TYPES.items():
            shown = getattr(value, method)() if hasattr(value, method) else None
            if shown is not None:
                data[mime_type] = _lines(shown)
        data["text/plain"] = _lines(repr(value))
        outputs.append(
            {
                "data": data,
                "execution_count": number,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return outputs


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def main() -> None:
    notebook = load()
    for number, (cell, outputs) in enumerate(execute(notebook), 1):
        cell["execution_count"], cell["outputs"] = number, outputs
    NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
