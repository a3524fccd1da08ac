"""Test helpers: oracles, example problems, and functions that run commands."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = ROOT / "data"
INSTANCES = ROOT / "tests" / "instances"
SAMPLES = ROOT / "tests" / "samples"
