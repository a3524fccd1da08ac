"""Files that tests of several commands read."""

import pytest

from tests.helpers.processes import NONE, SEVERAL, UNIQUE


@pytest.fixture
def mixed(tmp_path):
    path = tmp_path / "mixed.txt"
    path.write_text(f"{UNIQUE}\n{NONE}\nnot a board\n{SEVERAL}\n")
    return path
