"""Files that tests of several commands read."""

import pytest

from tests.helpers.processes import NONE, SEVERAL, UNIQUE


@pytest.fixture
def mixed(tmp_path):
    path = tmp_path / "mixed.txt"
    path.write_text(f"{UNIQUE}\n{NONE}\nnot a board\n{SEVERAL}\n")
    return path


@pytest.fixture
def problem_file(tmp_path):
    """A function that writes a problem to a file, and returns its path."""

    def write(cover):
        path = tmp_path / "problem.json"
        path.write_text(cover.to_json())
        return path

    return write
