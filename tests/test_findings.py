"""The form of the scripts in findings/, which are not run here."""

import os
import re

import pytest

from tests.helpers import ROOT

FOLDER = ROOT / "findings"
SCRIPTS = sorted(FOLDER.glob("*.sh"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_finding_is_short_pinned_and_says_what_is_seen(path):
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    assert lines[0] == "#!/usr/bin/env bash"
    assert len(lines) <= 40
    assert os.access(path, os.X_OK)
    about = " ".join(line[2:] for line in lines[1:6] if line.startswith("# "))
    assert re.search(r"\d\.\d", about)  # the version
    assert "mktemp -d" in text
    assert "diff - seen" in text
    assert re.search(r"install .*(?:==|@)", text)
    assert not re.search(r"dlx[-_]numba", text)


def test_the_readme_lists_each_finding_in_a_line():
    rows = re.findall(
        r"^\| \[(.*?\.sh)\]\(\1\) \|", (FOLDER / "README.md").read_text(), re.MULTILINE
    )
    assert rows == [path.name for path in SCRIPTS]
    assert len(rows) >= 8
