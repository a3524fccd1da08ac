"""Measure one part of the package, and print the tables.

    python -m scripts.measure                       lists the measurements
    python -m scripts.measure NAME [OPTIONS]        --help explains one

The machine should be idle otherwise.
"""

import argparse
import json
import sys
from dataclasses import asdict, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from dlx_numba.bench.report import machine

from ..blocks import measured_with, write_table
from ..tables import format_machine, markdown_table, text_table

NAMES = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
NAMES.remove("harness")


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in NAMES:
        for each in NAMES:
            print(f"{each:18} {first_line(import_module(f'.{each}', __package__))}")
        sys.exit(name not in ("", "-h", "--help"))
    module: Any = import_module(f".{name}", __package__)
    options = parse(module, name, sys.argv[2:])
    results = module.measure(options)
    if options.json:
        print(json.dumps(results, default=as_data, indent=1))
        return
    table = module.table(results) if hasattr(module, "table") else results
    print((markdown_table if options.markdown else text_table)(table))
    print(f"Measured with {format_machine(machine())}.")
    if getattr(options, "write", False):
        write_table(module.BLOCK, table, measured_with(machine()))
        if hasattr(module, "write_page"):
            module.write_page(results)


def first_line(module: Any) -> str:
    return str(module.__doc__).splitlines()[0]


def parse(module: Any, name: str, arguments: list[str]) -> argparse.Namespace:
    """Return the options of a measurement: the common ones, and its own."""
    parser = argparse.ArgumentParser(
        prog=f"python -m scripts.measure {name}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if hasattr(module, "RUNS"):
        parser.add_argument("--runs", type=int, default=module.RUNS, help="the best one counts")
    parser.add_argument("--markdown", action="store_true", help="print Markdown")
    parser.add_argument("--json", action="store_true", help="print the results only, as JSON")
    if hasattr(module, "BLOCK"):
        help_text = "write the table into the documentation"
        parser.add_argument("--write", action="store_true", help=help_text)
    if hasattr(module, "add_options"):
        module.add_options(parser)
    return parser.parse_args(arguments)


def as_data(value: Any) -> Any:
    """Return a result as JSON can store it."""
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)


if __name__ == "__main__":
    main()
