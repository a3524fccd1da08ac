"""The examples of the README, run as they stand."""

import doctest
import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.helpers import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_python_examples(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    examples = "\n".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "README.md", "README.md", 0)
    assert len(test.examples) > 10
    assert doctest.DocTestRunner(optionflags=OPTIONS).run(test).failed == 0


@pytest.mark.processes
@pytest.mark.skipif(shutil.which("bash") is None, reason="the examples are for a Unix shell")
def test_console_examples(tmp_path):
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    examples = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", "".join(blocks), re.MULTILINE)
    assert len(examples) >= 5
    for command, expected in examples:
        done = subprocess.run(
            ["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True
        )
        # A first run tells on standard error, which some examples show, that it compiles.
        printed = re.sub(r"^Compiling the kernels .*\n", "", done.stdout, flags=re.MULTILINE)
        assert doctest.OutputChecker().check_output(expected, printed, OPTIONS), printed


def test_pictures_are_there():
    pictures = re.findall(r'<img src="([^"]+)"', README)
    assert len(pictures) >= 3
    assert all((ROOT / picture).is_file() for picture in pictures)
