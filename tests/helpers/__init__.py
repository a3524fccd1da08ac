"""Helpers of several tests: oracles, example problems, and the command line as a process."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = ROOT / "data"
INSTANCES = ROOT / "tests" / "instances"
SAMPLES = ROOT / "tests" / "samples"
