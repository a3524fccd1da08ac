"""Run all benchmarks, and write the figures into README.md and docs/.

    python -m scripts.update_figures                  measure and write (scripts/benchmark)
    python -m scripts.update_figures --only difficulty              measure one section
    python -m scripts.update_figures --program NAME=COMMAND         measure a program, too
    python -m scripts.update_figures --from docs/benchmarks.json    write without measuring

The raw results go to docs/benchmarks.json, the tables to README.md, docs/benchmarks.md and
docs/figures, which docs/benchmark-data.md shows; the chart is docs/images/benchmark.svg. The lines
of code in README.md and docs/architecture.md are counted at the same time.
"""

import argparse
import json
import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from dlx_numba.bench.report import machine

from .blocks import (
    DATA_PAGE,
    PAGE,
    PAGE_WIDTH,
    RESULTS,
    csv_table,
    measured,
    measured_with,
    page_markers,
    replace_block,
    shown_table,
    table_path,
)
from .chart import OTHER, OURS, Bar, Panel, draw_chart
from .code_lines import ROW, TABLE_ROW, counted
from .documents import ROOT
from .measure import batches, difficulty, files, search, sudoku, variants
from .measure.batches import OURS as SOLVE_BATCH
from .measure.batches import BatchTime
from .measure.difficulty import Difficulty
from .measure.files import FileTimes
from .measure.search import SearchTimes
from .measure.sudoku import SudokuSpeed
from .measure.variants import VariantSpeed
from .peers import adapters, tdoku
from .peers.compare import (
    ExactCoverComparison,
    PeerResults,
    SudokuComparison,
    counting_notes,
    exact_cover_table,
    fastest_of_ours,
    is_ours,
    sudoku_table,
)
from .peers.tdoku import ENGINE, TDOKU, TdokuComparison
from .tables import Row, format_speedup, markdown_table

README = ROOT / "README.md"
ARCHITECTURE = ROOT / "docs" / "architecture.md"
CHART = ROOT / "docs" / "images" / "benchmark.svg"

SECTIONS = ("sudoku", "difficulty", "files", "searches", "peers", "batches", "variants")
README_MARKERS = ("<!-- benchmarks: begin -->\n", "<!-- benchmarks: end -->")
HEADLINE_INSTANCES = {  # of README.md and the chart
    "queens12": "12 queens",
    "pent6x10r": "12 pentominoes in 6×10",
    "sudoku17m1": "a Sudoku with 16 givens",
}
HEADLINE_SETS = {"mixed": "9×9 Sudokus", "famous": "famous hard 9×9 Sudokus"}
LINKS_INSTANCE = "pent6x10r"
LINKS_PEERS = ("DLX2", "xcover")  # other programs with dancing links
BASELINE, BASELINE_SET, BASELINE_LIMIT = "C baseline", "mixed", 2
DLX_SET, DLX_TITLE = "expert", "9×9 Sudokus by Dancing Links"
PUZZLES, COUNTED = "puzzles/s", "all covers counted"
CHART_BARS = 5
README_ROWS = ("12 pentominoes", "all covers", "9×9 Sudokus: ", "calendar")

Data = dict[str, Any]


@dataclass(frozen=True)
class Results:
    """Everything that is measured."""

    machine: dict[str, str]
    sudoku: list[SudokuSpeed]
    difficulty: Difficulty
    files: list[FileTimes]
    searches: list[SearchTimes]
    peers: PeerResults
    batches: list[BatchTime]
    variants: list[VariantSpeed]
    tdoku: TdokuComparison
    tdoku_avx2: TdokuComparison
    schoku: TdokuComparison

    @classmethod
    def from_json(cls, data: Data) -> "Results":
        missing = [k for k in ("machine", *SECTIONS, *tdoku.SECTIONS) if k not in data]
        if missing:
            raise SystemExit(f"results without {', '.join(missing)}: run scripts/benchmark")
        return cls(
            machine=data["machine"],
            sudoku=[SudokuSpeed(**each) for each in data["sudoku"]],
            difficulty=Difficulty.from_json(data["difficulty"]),
            files=[FileTimes(**each) for each in data["files"]],
            searches=[SearchTimes(**each) for each in data["searches"]],
            peers=PeerResults.from_json(data["peers"]),
            batches=[BatchTime(**each) for each in data["batches"]],
            variants=[VariantSpeed(**each) for each in data["variants"]],
            **{name: TdokuComparison.from_json(data[name]) for name in tdoku.SECTIONS},
        )

    @property
    def usual_tdoku(self) -> TdokuComparison:
        """The comparison with tdoku on the machine of the other results, if there is one."""
        usual = self.machine["processor"]
        is_usual = self.tdoku_avx2.machine["processor"] == usual
        return self.tdoku_avx2 if is_usual else self.tdoku


def main() -> None:
    options = arguments()
    if options.source is None:
        measure(options.only or SECTIONS, options.program)
    write_documents(Results.from_json(read_json(options.source or RESULTS)))


def write(sections: Data) -> None:
    """Store sections of the results, and put them into the documents."""
    write_json(read_json(RESULTS) | rounded(sections))
    write_documents(Results.from_json(read_json(RESULTS)))


def write_documents(results: Results) -> None:
    for path, text in rendered(results).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmark", description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--from", dest="source", type=Path, metavar="FILE.json", help="use these results")
    more = "measure these, and keep the other results"
    add("--only", nargs="+", choices=SECTIONS, help=more)
    more = "a program to measure, too: see scripts/compare_peers (repeatable)"
    add("--program", action="append", default=[], metavar="NAME=COMMAND", help=more)
    return parser.parse_args()


def measure(sections: Sequence[str], programs: Sequence[str]) -> None:
    """Measure the sections, and store the results after each."""
    peers_python = str(ROOT / ".venv-peers" / "bin" / "python")
    measurements: dict[str, Callable[[], Any]] = {
        "sudoku": lambda: run_measurement("sudoku"),
        "difficulty": lambda: run_measurement("difficulty"),
        "files": lambda: [
            *run_measurement("files", "--engine", "lanes", "--check"),
            *run_measurement("files", "--engine", "dlx", "--boards", "1000000"),
        ],
        "searches": lambda: run_measurement("search"),
        "peers": lambda: run_json(
            *("bash", str(ROOT / "scripts" / "compare_peers"), "--json"),
            *(f"--program={program}" for program in programs),
        ),
        "batches": lambda: run_measurement("batches", python=peers_python),
        "variants": lambda: run_measurement("variants"),
    }
    data = read_json(RESULTS)
    if set(sections) != {"difficulty"}:  # which states the machine
        data["machine"] = machine()
    for section in sections:
        print(f"Measuring {section} ...", file=sys.stderr)
        data[section] = rounded(measurements[section]())
        write_json(data)


def run_measurement(name: str, *options: str, python: str = sys.executable) -> Any:
    """Return the results of `scripts.measure`."""
    return run_json(python, "-m", "scripts.measure", name, "--json", *options)


def run_json(*command: str) -> Any:
    """Return the output of a command."""
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT).stdout)


def rounded(value: Any) -> Any:
    """Return JSON data with all floats rounded to six significant digits."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    return [rounded(each) for each in value] if isinstance(value, list) else value


def read_json(path: Path) -> Data:
    data: Data = json.loads(path.read_text(encoding="utf-8"))
    return data


def write_json(data: Data) -> None:
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def rendered(results: Results) -> dict[Path, str]:
    """Return the contents of all files that show the results."""
    readme, architecture, page, data_page = (
        path.read_text(encoding="utf-8") for path in (README, ARCHITECTURE, PAGE, DATA_PAGE)
    )
    readme = counted(readme, ROW, README)
    for name, block in page_blocks(results).items():
        page = replace_block(page, *page_markers(name), block, PAGE)
    texts = dict[Path, str]()
    for name, (rows, note) in tables(results).items():
        texts[table_path(name)] = csv_table(rows)
        block = shown_table(name, note)
        data_page = replace_block(data_page, *page_markers(name), block, DATA_PAGE)
    return texts | {
        README: replace_block(readme, *README_MARKERS, readme_block(results), README),
        ARCHITECTURE: counted(architecture, TABLE_ROW, ARCHITECTURE),
        PAGE: page,
        DATA_PAGE: data_page,
        CHART: chart(results),
    }


def page_blocks(results: Results) -> dict[str, str]:
    """Return the blocks of docs/benchmarks.md by name."""
    return {
        "summary": markdown_table(summary_rows(results)),
        "machine": machine_block(results),
    }


def tables(results: Results) -> dict[str, tuple[list[Row], str]]:
    """Return the tables of docs/benchmark-data.md by name, each with the note below it."""
    peers = results.peers
    avx2, schoku = (each.machine["processor"] for each in (results.tdoku_avx2, results.schoku))
    beside = f"; limited to AVX2, with {avx2}; beside {tdoku.SCHOKU}, with {schoku}"
    return {
        "sudoku": (sudoku.table(results.sudoku), ""),
        "difficulty": (
            difficulty.table(results.difficulty),
            measured_with(results.difficulty.machine),
        ),
        "files": (files.table(results.files), ""),
        "searches": (search.table(results.searches), ""),
        "exact-cover": (exact_cover_table(peers), "\n".join(counting_notes(peers))),
        "peers": (sudoku_table(peers), ""),
        "batches": (batches.table(results.batches), ""),
        "variants": (variants.table(results.variants), ""),
        "tdoku": (
            tdoku.tdoku_table(results.tdoku, results.tdoku_avx2, results.schoku),
            measured_with(results.tdoku.machine, beside),
        ),
    }


def machine_block(results: Results) -> str:
    """Return the machine and the versions of all packages as a list."""
    packages = {k: v for k, v in results.peers.versions.items() if k != adapters.OURS}
    lines = [f"- {key}: {value}" for key, value in results.machine.items()]
    lines.append(f"- other packages: {', '.join(map(' '.join, packages.items()))}")
    # No break at a hyphen: packages have them.
    fill = partial(textwrap.fill, width=PAGE_WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(map(fill, lines))


def readme_block(results: Results) -> str:
    """Return the table of README.md: Dancing Links itself, then what other engines add."""
    header, *rows = summary_rows(results)
    selected = [header, *(row for row in rows if row[0].startswith(README_ROWS))]
    return measured(selected, results.machine)


def summary_rows(results: Results) -> list[list[str]]:
    """Return the compact table of docs/benchmarks.md, with the engine of each figure."""
    rows = [["one thread", "dlx_numba", "compared with", "speedup"], *links_rows(results)]
    for speed in results.sudoku:
        if (speed.set_name, speed.limit) == (BASELINE_SET, BASELINE_LIMIT):
            name = f"{HEADLINE_SETS[BASELINE_SET]}: {PUZZLES}"
            rows.append(readme_row(name, "dlx", speed.engines["dlx"], BASELINE, speed.baseline))
    comparison = next(c for c in results.peers.sudoku if c.set_name == DLX_SET)
    own_rate = comparison.boards_per_second[adapters.OURS_DLX]
    rows.append(readme_row(f"{DLX_TITLE}: {PUZZLES}", "dlx", own_rate, *fastest_solver(comparison)))
    rows += [
        counting_row(counted, *fastest_of_ours(counted), *fastest_counter(counted))
        for counted in results.peers.exact_cover
        if counted.instance in HEADLINE_INSTANCES
    ]
    for each in results.usual_tdoku.sets:
        if each.set_name in HEADLINE_SETS:
            name = f"{HEADLINE_SETS[each.set_name]}: {PUZZLES}"
            rows.append(readme_row(name, ENGINE, each.rates[ENGINE], TDOKU, each.rates[TDOKU]))
    batch = [each for each in results.batches if each.batch == results.batches[0].batch]
    own, *others = sorted(
        batch, key=lambda each: (each.solved_by != SOLVE_BATCH, each.milliseconds)
    )
    other = next(each for each in others if "ExactCover" not in each.solved_by)
    figures = own.milliseconds, other.solved_by.split()[0], other.milliseconds
    rows.append(readme_row(f"{own.batch}, ms", "solve_batch", *figures, is_time=True))
    return rows


def links_rows(results: Results) -> list[list[str]]:
    """Return rows for Dancing Links itself: one instance, and all of them."""
    rows = []
    for peer in LINKS_PEERS:
        compared = [each for each in results.peers.exact_cover if peer in each.seconds]
        if not compared:
            continue  # it is not installed
        ratios = []
        for each in compared:
            seconds = each.seconds[adapters.OURS_LINKS]
            ratios.append(each.seconds[peer] / seconds)
            if each.instance == LINKS_INSTANCE:
                rows.append(
                    counting_row(each, adapters.OURS_LINKS, seconds, peer, each.seconds[peer])
                )
        least, most = (format_speedup(extreme(ratios)) for extreme in (min, max))
        name = f"all covers of {len(compared)} problems"
        rows.append([name, "`links`", peer, f"{least[:-1]} to {most}"])
    return rows


def counting_row(
    counted: ExactCoverComparison, own: str, own_seconds: float, peer: str, seconds: float
) -> list[str]:
    """Return the row of an instance: the times to count its covers."""
    name = f"{HEADLINE_INSTANCES[counted.instance]}: {counted.n_covers:,} covers counted, ms"
    engine = own.removeprefix(f"{adapters.OURS}, ")
    return readme_row(name, engine, 1000 * own_seconds, peer, 1000 * seconds, is_time=True)


def readme_row(
    name: str, engine: str, own: float, peer: str, other: float, *, is_time: bool = False
) -> list[str]:
    """Return a row of README.md: two figures, with the engine and the program, and their ratio."""
    speedup = format_speedup(other / own if is_time else own / other)
    figures = (f"{x:,.0f}" if x >= 1000 else f"{x:.1f}" for x in (own, other))
    return [name, f"`{engine}`: {next(figures)}", f"{peer}: {next(figures)}", speedup]


def fastest_solver(comparison: SudokuComparison) -> tuple[str, float]:
    """Return the fastest other package and its boards per second."""
    rates = comparison.boards_per_second
    others = {k: v for k, v in rates.items() if not is_ours(k)}
    return max(others.items(), key=lambda item: item[1])


def fastest_counter(comparison: ExactCoverComparison) -> tuple[str, float]:
    """Return the fastest other package and its seconds."""
    others = {k: v for k, v in comparison.seconds.items() if not is_ours(k)}
    return min(others.items(), key=lambda item: item[1])


def chart(results: Results) -> str:
    """Return the chart as SVG: a panel for each task of the table but the batch."""
    tdoku_panels = [
        Panel(f"{HEADLINE_SETS[each.set_name]} (longer is better)", PUZZLES, bars(each.rates, 1))
        for each in results.usual_tdoku.sets
        if each.set_name in HEADLINE_SETS
    ]
    comparison = next(c for c in results.peers.sudoku if c.set_name == DLX_SET)
    rates = {k: v for k, v in comparison.boards_per_second.items() if k != adapters.OURS_AUTO}
    dlx_panel = Panel(f"{DLX_TITLE} (longer is better)", PUZZLES, bars(rates, 1))
    counting_panels = [
        Panel(
            f"{HEADLINE_INSTANCES[each.instance]}, {COUNTED} (shorter is better)",
            "milliseconds",
            bars({k: v for k, v in each.seconds.items() if k != adapters.OURS_FILE}, -1000),
        )
        for each in results.peers.exact_cover
        if each.instance in HEADLINE_INSTANCES
    ]
    panels = [*tdoku_panels, dlx_panel, *counting_panels]
    return draw_chart("Benchmarks of dlx_numba, one thread", panels)


def bars(values: dict[str, float], factor: int) -> list[Bar]:
    """Return the best values times `factor`, best first. If it is negative, the least are best."""
    best = sorted(values.items(), key=lambda item: -item[1] * factor)[:CHART_BARS]
    names = {name: "dlx_numba, lanes" if name == ENGINE else name for name, _ in best}
    return [
        Bar(names[name], abs(factor) * value, OURS if is_ours(names[name]) else OTHER)
        for name, value in best
    ]


if __name__ == "__main__":
    main()
