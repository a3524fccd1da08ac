"""Measure the kernels as WebAssembly, against machine code, in one thread.

    python -m scripts.measure web [--runs 3] [--write]

Puzzles are strings, and so are their solutions; all covers of the problems are counted by the
algorithm that both choose. Node runs the module, after `scripts/build_web` has built it. Processes
of Node and runs in Python alternate, and the best time of each counts.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from dlx_numba import ExactCover, solve_batch

from ..build_web import build_web, node_command
from ..peers.problems import INSTANCES
from ..puzzles import encode_boards, mixed_boards
from ..tables import Row
from .harness import best_times

RUNS = 3
COPIES = 10  # of the puzzles; a browser optimizes functions that have run for a while
REPETITIONS = 5  # in each process of Node, which translates the module while it runs
BLOCK = "web"
PROBLEMS = ("pent6x10r", "queens10", "langford8")
SCRIPT = f"""
import {{readFileSync}} from "node:fs";
import {{load}} from "./dlx.js";
const dlx = await load(readFileSync("dlx.wasm")), input = JSON.parse(readFileSync(0, "utf8"));
const calls = {{"puzzles": () => dlx.solve(input.puzzles)}};
for (const [name, {{options, items, secondary}}] of Object.entries(input.problems)) {{
  const problem = new dlx.ExactCover(options, {{items, secondary}});
  calls[name] = async () => (await problem.count()).count;
}}
const best = {{}};
for (let run = 0; run < {REPETITIONS}; run++)
  for (const [name, call] of Object.entries(calls)) {{
    const start = performance.now();
    await call();
    best[name] = Math.min(best[name] ?? Infinity, performance.now() - start);
  }}
console.log(JSON.stringify(best));
"""

Times = dict[str, float]  # seconds, by what is measured


def measure(options: argparse.Namespace) -> dict[str, Any]:
    puzzles = encode_boards(mixed_boards()).decode().split() * COPIES
    covers = {name: ExactCover.read(INSTANCES / f"{name}.dlx") for name in PROBLEMS}
    problems = {
        name: {"options": cover.options, "items": cover.items[:n], "secondary": cover.items[n:]}
        for name, cover in covers.items()
        for n in [cover.problem.n_primary]
    }
    value = json.dumps({"puzzles": puzzles, "problems": problems})
    calls: dict[str, Any] = {"puzzles": lambda: solve_batch(puzzles, threads=1).strings()}
    for name in PROBLEMS:
        cover = ExactCover.read(INSTANCES / f"{name}.dlx")
        calls[name] = lambda cover=cover: cover.search().count()
    native, web = dict.fromkeys(calls, float("inf")), dict.fromkeys(calls, float("inf"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build_web(folder)
        (folder / "package.json").write_text('{"type": "module"}')
        (folder / "script.js").write_text(SCRIPT)
        for _ in range(options.runs):
            for what, seconds in best_times(calls, REPETITIONS).items():
                native[what] = min(native[what], seconds)
            for what, seconds in node_times(folder, value).items():
                web[what] = min(web[what], seconds)
    return {"puzzles": len(puzzles), "native": native, "web": web}


def node_times(folder: Path, value: str) -> Times:
    """Return the times of a new process of Node."""
    command = [*node_command(), "script.js"]
    output = subprocess.run(
        command, input=value, cwd=folder, check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    return {what: milliseconds / 1000 for what, milliseconds in json.loads(output).items()}


def table(results: dict[str, Any]) -> list[Row]:
    rows: list[Row] = [["one thread", "machine code, ms", "WebAssembly, ms", "ratio"]]
    for what, native in results["native"].items():
        web = results["web"][what]
        label = f"{results['puzzles']:,} mixed puzzles" if what == "puzzles" else what
        rows.append([label, f"{1000 * native:.1f}", f"{1000 * web:.1f}", f"{web / native:.2f}"])
    return rows
