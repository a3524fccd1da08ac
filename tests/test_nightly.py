"""scripts/nightly: its parts, and what it prints."""

import re
import sys

import pytest

from scripts import night
from scripts.night import PARTS, Part
from tests.helpers import ROOT


def run_parts(monkeypatch, capfd, *words):
    """Run parts, and return the exit status, what is written, and the errors."""
    monkeypatch.setattr(sys, "argv", ["nightly", *words])
    status = 0
    try:
        night.main()
    except SystemExit as error:
        status = error.code
    return status, *capfd.readouterr()


@pytest.fixture
def small_parts(monkeypatch):
    """Parts that print their fields, and one that fails after two lines."""
    parts = {
        "fields": Part("prints", "python -c \"print(2); print('{seed} {first}')\""),
        "failing": Part("fails", "python -c \"print('one', flush=True); exit('two')\""),
    }
    monkeypatch.setattr(night, "PARTS", parts)


def test_the_workflow_and_the_documentation_have_all_parts():
    workflow = (ROOT / ".github" / "workflows" / "nightly.yml").read_text()
    assert re.findall(r"^          - (\w+)$", workflow, re.M) == [*PARTS]
    page = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.M) == [*PARTS]


def test_parts_run_what_exists():
    for part in PARTS.values():
        for word in part.command.split():
            assert "/" not in word or (ROOT / word).exists(), word


def test_each_part_prints_a_line_and_a_failure_how_to_repeat_it(monkeypatch, capfd, small_parts):
    status, out, _ = run_parts(monkeypatch, capfd, "--seed", "20261129")
    assert status == "FAILED: failing"
    first, fields, *failed, repeat = out.splitlines()
    assert first == "Seed 20261129."
    assert re.fullmatch(r"fields: ok, 0\.\d min, 20261129 \d+", fields)
    assert failed[:2] == ["one", "two"]
    assert re.search(r"failing: FAILED after 0\.\d min: two", failed[-1])
    assert repeat == "repeat with: bash scripts/nightly failing --seed 20261129"


def test_two_nights_share_no_seeds(monkeypatch, capfd, small_parts):
    firsts = []
    for seed in ("20261129", "20261130"):
        _, out, _ = run_parts(monkeypatch, capfd, "fields", "--seed", seed)
        firsts.append(int(out.split()[-1]))
    assert abs(firsts[0] - firsts[1]) > 100_000


def test_a_wrong_name_is_an_error_with_the_names(monkeypatch, capfd):
    status, _, err = run_parts(monkeypatch, capfd, "bound")
    assert status == 2
    assert "no part is called bound; the parts are instances, plain, bounds, " in err
