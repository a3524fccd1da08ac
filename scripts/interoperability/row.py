"""A row of the table of programs, and what the modules share."""

import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

VERSIONS = Path(__file__).with_name("versions.txt")


class Row(NamedTuple):
    """The findings about one program, in the words of the table."""

    program: str
    version: str
    reads: str  # what it reads of ours
    is_read: str  # what we read of it
    surprises: str


@cache
def pinned() -> dict[str, str]:
    """The pinned version of each package."""
    lines = VERSIONS.read_text(encoding="utf-8").splitlines()
    pypi = [line.split("==") for line in lines if "==" in line and not line.startswith("#")]
    debian = [line.split()[1:] for line in lines if line.startswith("debian ")]
    npm = [line.split() for line in lines if line.startswith("npm/")]
    return dict([*pypi, *debian, *npm])


def version_of(package: str) -> str:
    """Return the version of a package of PyPI that is pinned, or that of Debian as installed."""
    if f"debian {package} " not in VERSIONS.read_text(encoding="utf-8"):
        return pinned()[package]
    query = ["dpkg-query", "-W", "-f=${Version}", package]
    found = subprocess.run(query, capture_output=True, text=True, check=True).stdout
    if found != pinned()[package]:
        raise SystemExit(f"{package} has the version {found}, not {pinned()[package]}")
    return found.partition("+")[0].partition("-")[0]
