"""Run all benchmarks, and write the figures into README.md and docs/.

    python -m scripts.update_figures                  measure and write (scripts/benchmark)
    python -m scripts.update_figures --only difficulty              measure one section
    python -m scripts.update_figures --from docs/benchmarks.json    write without measuring

The raw results go to docs/benchmarks.json. The tables replace the marked blocks of README.md and
docs/benchmarks.md; the chart is docs/images/benchmark.svg.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dlx_numba.bench.report import format_speedup, machine

from .chart import BASELINE, OTHER, OURS, Bar, Panel, draw_chart
from .measure_difficulty import Difficulty, difficulty_table, measure_difficulty
from .measure_files import FileTimes, files_table, measure_files
from .measure_search import SearchTimes, measure_searches, searches_table
from .measure_sudoku import SudokuSpeed, measure_sudoku, standard_sets, sudoku_table
from .peers import adapters
from .peers.compare import (
    ExactCoverComparison,
    PeerResults,
    SudokuComparison,
    counting_notes,
    exact_cover_table,
    fastest_of_ours,
)
from .peers.compare import sudoku_table as peers_sudoku_table
from .tables import format_machine, markdown_table

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PAGE = ROOT / "docs" / "benchmarks.md"
RESULTS = ROOT / "docs" / "benchmarks.json"
CHART = ROOT / "docs" / "images" / "benchmark.svg"

SECTIONS = ("sudoku", "difficulty", "files", "searches", "peers")
README_MARKERS = ("<!-- benchmarks: begin -->\n", "<!-- benchmarks: end -->")
PAGE_BLOCKS = ("machine", "sudoku", "difficulty", "files", "searches", "exact-cover", "peers")
HEADLINE_INSTANCES = ("queens12", "pent6x10r", "sudoku17m1")  # of README.md and the chart
CHART_SET = "expert"
CHART_PACKAGES_PER_INSTANCE = 5

Data = dict[str, Any]


@dataclass(frozen=True)
class Settings:
    """The extent of the measurements."""

    sudoku_rounds: int = 5
    sudoku_seconds: float = 0.2
    difficulty_runs: int = 5
    file_boards: tuple[int, int] = (10_000_000, 1_000_000)  # for the engines lanes and dlx
    file_rounds: int = 3
    search_runs: int = 20
    peer_options: tuple[str, ...] = ()


QUICK = Settings(
    sudoku_rounds=1,
    sudoku_seconds=0.02,
    difficulty_runs=1,
    file_boards=(100_000, 20_000),
    file_rounds=1,
    search_runs=2,
    peer_options=("--boards", "20", "--seconds", "0.1", "--timeout", "5"),
)


@dataclass(frozen=True)
class Results:
    """Everything that is measured."""

    machine: dict[str, str]
    sudoku: list[SudokuSpeed]
    difficulty: Difficulty
    files: list[FileTimes]
    searches: list[SearchTimes]
    peers: PeerResults

    @classmethod
    def from_json(cls, data: Data) -> "Results":
        missing = [key for key in ("machine", *SECTIONS) if key not in data]
        if missing:
            raise SystemExit(f"results without {', '.join(missing)}: run scripts/benchmark")
        return cls(
            machine=data["machine"],
            sudoku=[SudokuSpeed(**each) for each in data["sudoku"]],
            difficulty=Difficulty.from_json(data["difficulty"]),
            files=[FileTimes(**each) for each in data["files"]],
            searches=[SearchTimes(**each) for each in data["searches"]],
            peers=PeerResults.from_json(data["peers"]),
        )


def main() -> None:
    options = arguments()
    if options.quick:
        print_blocks(
            Results.from_json(measure({}, SECTIONS, QUICK, options.mixed, save=report_section))
        )
        return
    if options.source is None:
        data = {} if options.only is None else read_json(RESULTS)
        measure(data, options.only or SECTIONS, Settings(), options.mixed, save=write_json)
    results = Results.from_json(read_json(options.source or RESULTS))
    for path, text in rendered(results).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmark", description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--from", dest="source", type=Path, metavar="FILE.json", help="use these results")
    add("--only", nargs="+", choices=SECTIONS, help="measure these, and keep the other results")
    add("--quick", action="store_true", help="try out the scripts in a few minutes; write no file")
    add("--mixed", type=Path, metavar="FILE", help="one-line puzzles instead of the mixed set")
    return parser.parse_args()


def measure(
    data: Data,
    sections: Sequence[str],
    settings: Settings,
    mixed: Path | None,
    save: Callable[[Data], object],
) -> Data:
    """Measure the sections and put them into `data`, which is saved after each."""
    sets = standard_sets(mixed)
    lanes_boards, dlx_boards = settings.file_boards
    rounds = settings.file_rounds
    measurements: dict[str, Callable[[], Any]] = {
        "sudoku": lambda: as_dicts(
            measure_sudoku(sets, rounds=settings.sudoku_rounds, seconds=settings.sudoku_seconds)
        ),
        "difficulty": lambda: asdict(measure_difficulty(settings.difficulty_runs)),
        "files": lambda: as_dicts(
            [
                measure_files(sets["mixed"], lanes_boards, "lanes", check=True, rounds=rounds),
                measure_files(sets["mixed"], dlx_boards, "dlx", check=False, rounds=rounds),
            ]
        ),
        "searches": lambda: as_dicts(measure_searches(settings.search_runs)),
        "peers": lambda: measure_peers_in_subprocess(settings.peer_options),
    }
    if set(sections) != {"difficulty"}:  # which states the machine itself
        data["machine"] = machine()
    for section in sections:
        print(f"Measuring {section} ...", file=sys.stderr)
        data[section] = rounded(measurements[section]())
        save(data)
    return data


def as_dicts(measurements: Sequence[Any]) -> list[Data]:
    return [asdict(each) for each in measurements]


def measure_peers_in_subprocess(options: Sequence[str]) -> Any:
    """Run the comparison in .venv-peers, the environment of the other packages."""
    command = ["bash", str(ROOT / "scripts" / "compare_peers"), "--json", *options]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


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


def report_section(data: Data) -> None:
    """Report the section that was measured last."""
    print(f"Measured {list(data)[-1]}.", file=sys.stderr)


def print_blocks(results: Results) -> None:
    print(readme_block(results))
    for name, block in page_blocks(results).items():
        print(f"== {name}\n{block}")
    print(f"== chart\n{len(chart(results)):,} characters")


def rendered(results: Results) -> dict[Path, str]:
    """Return the contents of all files that show the results."""
    readme = README.read_text(encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    for name, block in page_blocks(results).items():
        begin, end = page_markers(name)
        page = replace_block(page, begin, end, block, PAGE)
    return {
        README: replace_block(readme, *README_MARKERS, readme_block(results), README),
        PAGE: page,
        CHART: chart(results),
    }


def page_markers(name: str) -> tuple[str, str]:
    return f"<!-- figures:{name} begin -->\n", f"<!-- figures:{name} end -->"


def replace_block(text: str, begin: str, end: str, block: str, path: Path) -> str:
    """Return the text with a new block between two markers, with an empty line after `begin`."""
    before, begin_marker, rest = text.partition(begin)
    _, end_marker, after = rest.partition(end)
    if not (begin_marker and end_marker):
        raise SystemExit(f"{path}: expected the markers {begin.strip()} and {end}")
    return f"{before}{begin}\n{block.strip()}\n\n{end}{after}"


def page_blocks(results: Results) -> dict[str, str]:
    """Return the blocks of docs/benchmarks.md by name."""
    peers = results.peers
    blocks = {
        "machine": machine_block(results),
        "sudoku": markdown_table(sudoku_table(results.sudoku)),
        "difficulty": difficulty_block(results.difficulty),
        "files": markdown_table(files_table(results.files)),
        "searches": markdown_table(searches_table(results.searches)),
        "exact-cover": "\n".join(
            [markdown_table(exact_cover_table(peers)), *counting_notes(peers)]
        ),
        "peers": markdown_table(peers_sudoku_table(peers)),
    }
    assert tuple(blocks) == PAGE_BLOCKS
    return blocks


def machine_block(results: Results) -> str:
    """Return the machine and the versions of all packages as a list."""
    packages = {k: v for k, v in results.peers.versions.items() if k != adapters.OURS}
    return "\n".join(
        [
            *(f"- {key}: {value}" for key, value in results.machine.items()),
            f"- other packages: {', '.join(map(' '.join, packages.items()))}",
        ]
    )


def difficulty_block(difficulty: Difficulty) -> str:
    """Return the comparison of the sets, with the machine on which its times were measured."""
    table = markdown_table(difficulty_table(difficulty.sets))
    return f"{table}\nMeasured with {format_machine(difficulty.machine)}."


def readme_block(results: Results) -> str:
    """Return the compact table of README.md, each row of which is from one measurement."""
    rows = [["one thread", "dlx_numba", "engine `dlx`", "fastest other package"]]
    for comparison in results.peers.sudoku:
        rates = comparison.boards_per_second
        name, peer_rate = fastest_solver(comparison)
        speedup = format_speedup(rates[adapters.OURS_AUTO] / peer_rate)
        rows.append(
            [
                f"9×9 Sudoku, {comparison.set_name}: boards/s",
                f"{rates[adapters.OURS_AUTO]:,.0f}",
                f"{rates[adapters.OURS_DLX]:,.0f}",
                f"{name}: {peer_rate:,.0f} ({speedup})",
            ]
        )
    for each in results.peers.exact_cover:
        if each.instance not in HEADLINE_INSTANCES:
            continue
        _, own_seconds = fastest_of_ours(each)
        name, seconds = fastest_counter(each)
        speedup = format_speedup(seconds / own_seconds)
        rows.append(
            [
                f"{each.instance}: counting {each.n_covers:,} covers, ms",
                f"{1000 * own_seconds:,.1f}",
                "–",
                f"{name}: {1000 * seconds:,.1f} ({speedup})",
            ]
        )
    return markdown_table(rows)


def is_ours(solver: str) -> bool:
    """Return whether a solver or counter belongs to dlx_numba."""
    return adapters.package_of(solver) == adapters.OURS


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
    """Return the chart as SVG: boards per second of one set, times of some instances."""
    return draw_chart("Benchmarks of dlx_numba", [sudoku_panel(results), counting_panel(results)])


def sudoku_panel(results: Results) -> Panel:
    speed = next(s for s in results.sudoku if (s.set_name, s.limit) == (CHART_SET, 1))
    comparison = next(c for c in results.peers.sudoku if c.set_name == CHART_SET)
    rates = comparison.boards_per_second
    bars = [
        Bar("dlx_numba, auto", speed.engines["lanes"], OURS),
        Bar("dlx_numba, dlx", speed.engines["dlx"], OURS),
        Bar("C baseline", speed.baseline, BASELINE),
    ]
    bars += [Bar(k, v, OTHER) for k, v in rates.items() if not is_ours(k)]
    bars.sort(key=lambda bar: -bar.value)
    title = f"9×9 Sudoku, {CHART_SET} puzzles, one thread (longer is better)"
    return Panel(title, "boards per second", [("", bars)])


def counting_panel(results: Results) -> Panel:
    groups = []
    for each in results.peers.exact_cover:
        if each.instance in HEADLINE_INSTANCES:
            fastest = sorted(each.seconds.items(), key=lambda item: item[1])
            bars = [
                Bar(name, 1000 * seconds, OURS if is_ours(name) else OTHER)
                for name, seconds in fastest[:CHART_PACKAGES_PER_INSTANCE]
            ]
            groups.append((f"{each.instance}: {each.n_covers:,} covers", bars))
    return Panel(
        "Counting all exact covers, one thread (shorter is better)", "milliseconds", groups
    )


if __name__ == "__main__":
    main()
