"""Which of the packages are there."""

import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .adapters import SOLVERS, package_of

PACKAGES = list(dict.fromkeys(map(package_of, SOLVERS)))


def installed_versions() -> dict[str, str]:
    versions = {}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    return versions


def not_installed() -> dict[str, str]:
    """Why each of the others is not there, as far as scripts/compare_peers wrote it down."""
    notes = Path(sys.prefix) / "not-installed"
    lines = notes.read_text().splitlines() if notes.exists() else []
    reasons = dict(line.split(": ", 1) for line in lines)
    missing = set(PACKAGES) - installed_versions().keys()
    return {
        package: f"not installed: {reasons.get(package, 'run scripts/compare_peers')}"
        for package in missing
    }
