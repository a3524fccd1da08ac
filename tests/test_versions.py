"""scripts/test-versions: the versions that it selects, and its smoke test."""

import re
import sys

import pytest

import dlx_numba as dlx
from scripts import smoke_test, versions
from tests.helpers import ROOT

RELEASES = "Available versions: 0.62.0, 0.61.10, 0.61.2, 0.61.0, 0.60.9\n"


@pytest.mark.compiled
@pytest.mark.thorough
def test_smoke_test_passes(capsys):
    smoke_test.main()
    assert capsys.readouterr().out.count("ok: ") == 5


@pytest.mark.parametrize(
    ("installable", "expected"),
    [
        (["0.60.9", "0.61.2", "0.61.10", "0.62.0"], "numba==0.61.2"),
        (["0.61.10", "0.62.0"], "numba==0.61.10"),
        (["0.60.9"], None),
    ],
)
def test_oldest_release_that_can_be_installed(monkeypatch, installable, expected):
    class Done:
        def __init__(self, command, **options):
            self.returncode = command[-1].partition("==")[2] not in installable

    monkeypatch.setattr(versions, "run", lambda command: RELEASES)
    monkeypatch.setattr(versions.subprocess, "run", Done)
    assert versions.oldest_release("python", "numba>=0.61") == expected


def test_interpreters_have_the_version(monkeypatch):
    monkeypatch.setattr(versions, "candidates", lambda version: [sys.executable])
    major, minor = sys.version_info[:2]
    assert versions.interpreter(f"{major}.{minor}") == sys.executable
    assert versions.interpreter(f"{major}.{minor + 1}") is None


def test_the_workflow_runs_each_supported_python():
    workflow = (ROOT / ".github" / "workflows" / "versions.yml").read_text()
    project = (ROOT / "pyproject.toml").read_text()
    supported = re.findall(r'Python :: (3\.\d+)"', project)
    assert re.findall(r'"(3\.\d+)"', workflow) == supported


def test_the_recipe_has_the_version_and_the_dependencies_of_the_package():
    recipe = (ROOT / "scripts" / "recipe" / "recipe.yaml").read_text()
    project = (ROOT / "pyproject.toml").read_text()
    assert f'version: "{dlx.__version__}"' in recipe
    minimum, dependencies = re.search(
        r'requires-python = "(.*)"\n(?s:.*)^dependencies = \[(.*)\]', project, re.M
    ).groups()
    required = [f"python>={minimum.strip('>=')}", *re.findall('"(.*?)"', dependencies)]
    listed = re.search(r"^  run:\n((?:    - .*\n)*)", recipe, re.M)[1]
    assert [line[6:].replace(" ", "") for line in listed.splitlines()] == required
