"""Packages that need not be installed: what is missing, and what is installed but fails."""

import sys
import warnings

import pytest

import dlx_numba as dlx
from dlx_numba.cover import engines, highs
from dlx_numba.runtime import extras
from dlx_numba.search import sat
from tests.helpers.processes import invoke

CAUSE = "libhighs.so.1: cannot open shared object file"


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """Make a package fail when it is imported, as highspy 1.15.0 and 1.15.1 do after OR-tools."""

    def make(package):
        (tmp_path / f"{package}.py").write_text(f"raise ImportError({CAUSE!r})\n")
        for name in [name for name in sys.modules if name.partition(".")[0] == package]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.syspath_prepend(tmp_path)

    extras.can_import.cache_clear()
    yield make
    extras.can_import.cache_clear()


def covering():
    return dlx.ExactCover.covering(
        [[k, (k + 1) % 9] for k in range(9)], costs=[1 + k % 3 for k in range(9)]
    )


def test_auto_uses_the_own_engine_with_a_notice_if_highs_cannot_be_imported(broken, monkeypatch):
    monkeypatch.setattr(engines, "MIN_HIGHS_ITEMS", 2)
    expected = covering().cheapest(engine="own")
    broken("highspy")
    with pytest.warns(UserWarning, match=f"highspy is installed, but fails.*: {CAUSE}"):
        optimizer = covering().optimizer()
    optimizer.run()
    assert [cover.cost for cover in optimizer.result] == [cover.cost for cover in expected]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # there is one notice
        assert covering().cheapest() == expected
        assert highs.strongest_engine() == "own"


def test_errors_say_why_highs_cannot_be_imported(broken):
    broken("highspy")
    with pytest.raises(
        ImportError, match=f"installed, but cannot be imported: ImportError: {CAUSE}"
    ):
        covering().cheapest(engine="highs")


@pytest.mark.parametrize("engine", ["auto", "both"])
def test_a_search_does_without_cadical_with_a_notice_if_it_fails(engine, monkeypatch):
    monkeypatch.setattr(sat, "PROGRAM", f"raise ImportError({CAUSE!r})")
    hard = dlx.example("queens", n=20).cover()
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        assert hard.first(engine=engine) is not None
    assert all(CAUSE in str(each.message) for each in found)


def test_errors_say_why_cadical_fails(monkeypatch):
    monkeypatch.setattr(sat, "PROGRAM", f"raise ImportError({CAUSE!r})")
    with pytest.raises(
        ImportError, match=f"needs CaDiCaL, which is installed, but fails: .*{CAUSE}"
    ):
        dlx.ExactCover([["a"]]).first(engine="sat")


CALLS = {
    "openpyxl": lambda path: covering().cheapest()[0].to_excel(path / "plan.xlsx"),
    "icalendar": lambda path: covering().cheapest()[0].to_ics(path / "plan.ics"),
    "pandas": lambda _: covering().cheapest().to_pandas(),
    "pyarrow": lambda _: covering().cheapest().to_arrow(),
    "yaml": lambda _: dlx.ExactCover.read("candidates:\n  a: b\n", kind="yaml"),
    "ortools": lambda _: covering().to_cpsat(),
}


@pytest.mark.parametrize("package", CALLS)
def test_the_error_of_every_extra_says_why_it_cannot_be_imported(package, broken, tmp_path):
    broken(package)
    reason = f"needs .*, which is installed, but cannot be imported: ImportError: {CAUSE}"
    with pytest.raises((ImportError, ValueError), match=reason):
        CALLS[package](tmp_path)


@pytest.mark.parametrize(
    ("package", "command"), [("mcp", ["mcp"]), ("distributed", ["count", "--dask", "x", "queens"])]
)
def test_commands_say_why_an_extra_cannot_be_imported(package, command, broken):
    broken(package)
    assert (
        f"which is installed, but cannot be imported: ImportError: {CAUSE}"
        in (invoke(*command, status=2)[1])
    )


def test_a_missing_package_of_an_extra_is_its_cause(tmp_path, monkeypatch):
    (tmp_path / "some_extra.py").write_text("import some_missing_package")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ImportError, match=r"cannot be imported: .*some_missing_package"):
        extras.import_extra("some_extra", "this needs an extra", "some-extra")
    with pytest.raises(ImportError, match=r"^this needs an extra: pip install some-extra$"):
        extras.import_extra("some_other.module", "this needs an extra", "some-extra")
