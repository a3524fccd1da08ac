"""Asks a program in another Python for the optimum, or the number of solutions, of files."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import dlx_numba as dlx

Answer = dict[str, Any]  # "value", and "error" if the program refuses the file
Request = tuple[str, list[str]]  # the path of a file, and those into which the program writes it


def ask(python: str, name: str, requests: list[Request]) -> list[Answer]:
    """Return the answers of a function of `foreign_programs` about files, which it also writes."""
    program = Path(__file__).with_name("foreign_programs.py")
    text = "".join(json.dumps(request) + "\n" for request in requests)
    result = subprocess.run(
        [python, str(program), name], input=text, stdout=subprocess.PIPE, text=True, check=False
    )
    lines = [line for line in result.stdout.splitlines() if line.startswith("answer ")]
    if result.returncode:
        sys.exit(f"{name} failed after {len(lines)} of {len(requests)} files")
    answers = [json.loads(line.removeprefix("answer ")) for line in lines]
    for (path, _), answer in zip(requests, answers, strict=True):
        if "error" in answer:
            print(f"{name}, {path}: {answer['error'][-200:]}", file=sys.stderr)
    return answers


def optimum(stated: dlx.ExactCover) -> float | None:
    """The cost of the cheapest cover; None if there is no cover."""
    return next((cover.cost for cover in stated.cheapest()), None)


def check(what: str, found: float | None, expected: float | None) -> None:
    """End the program unless two results are the same."""
    if found is None or expected is None:
        is_same = found is expected
    else:
        is_same = abs(found - expected) < 1e-6
    if not is_same:
        sys.exit(f"{what}: {found}, not {expected}")
