"""Files that tests of several commands read."""

import pytest


@pytest.fixture
def problem_file(tmp_path):
    """A function that writes a problem to a file, and returns its path."""

    def write(cover):
        path = tmp_path / "problem.json"
        path.write_text(cover.write(kind="json"))
        return path

    return write
