"""Tables as Parquet: wherever a command writes CSV, an output named .parquet has the same table."""

import csv
import gzip
import io
import os
import random

import pytest

import dlx_numba as dlx
from dlx_numba.runtime.parquet import convert_csv
from tests.helpers import DATA, ROOT
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

EXAMPLES = ROOT / "docs" / "examples"
GATES = ("--items", "flight", "--optional", "gate+times", "--separator", "+", "--cost", "walk")
BOARDS = (DATA / "easy.txt").read_text().splitlines()[:5]


def as_texts(table):
    """Return the rows of a table with texts for its values, as CSV has them."""
    return [
        {title: "" if cell is None else str(cell) for title, cell in row.items()}
        for row in table.to_pylist()
    ]


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "boards.txt"),
        ("solve", "--all", "--limit", 2, "boards.txt"),
        ("rate", "boards.txt"),
        ("rate", "--with-steps", "boards.txt"),
        ("minimize", "--seed", 1, "boards.txt"),
        ("canonical", "boards.txt"),
        ("generate", "-n", 2, "--seed", 1),
        ("cover", "--batch", "lines.txt", "subsets.csv"),
        ("count", "--batch", "lines.txt", "subsets.csv"),
        ("cover", *GATES, "gates.csv"),
        ("cheapest", *GATES, "gates.csv"),
        ("cheapest", "-n", 2, *GATES, "gates.csv"),
        ("solve", *GATES, "gates.csv"),
        ("sample", "-n", 2, "--seed", 1, *GATES, "gates.csv"),
        ("diagnose", "--relax", "--forbidden", "gate=B1", *GATES, "gates.csv"),
        ("show", "--matrix", "subsets.csv"),
        ("explain", "subsets.csv"),
    ],
)
def test_a_table_in_parquet_is_that_in_csv(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "boards.txt").write_text("\n".join([*BOARDS, "1234341221434321", "bad"]) + "\n")
    (tmp_path / "lines.txt").write_text("S1\n!S1\nS9\n")
    for name in ("subsets.csv", "gates.csv"):
        (tmp_path / name).write_text((EXAMPLES / name).read_text())
    chosen = ("-f", "csv") if words[0] == "explain" else ()
    invoke(*words, *chosen, "-o", "table.csv", status=None)
    invoke(*words, "-o", "table.parquet", status=None)
    with open("table.csv", newline="") as file:
        expected = [*csv.DictReader(file)]
    assert expected
    assert as_texts(parquet.read_table("table.parquet")) == expected
    assert not [*tmp_path.glob("*.part*")]


def test_numbers_stay_numbers_and_boards_of_digits_stay_texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "boards.txt").write_text("1234341221434321\n")
    invoke("solve", "boards.txt", "-o", "solved.parquet")
    schema = parquet.read_schema("solved.parquet")
    assert schema.field("puzzle").type == schema.field("solution").type == pyarrow.string()
    assert schema.field("count").type == schema.field("line").type == pyarrow.int64()
    text = "task,room,cost\n=a,07,1.5\nb,x,2\n"
    for command in ("cheapest", "cover", "solve"):
        (tmp_path / "tasks.csv").write_text(text)
        invoke(command, "--items", "task", "--cost", "cost", "tasks.csv", "-o", "plan.parquet")
        [first, _] = parquet.read_table("plan.parquet").to_pylist()
        assert first == {"task": "=a", "room": "07", "cost": 1.5} | (
            {"plan": 1} if command == "cover" else {}
        )
    plan = dlx.ExactCover.from_frame(text, ["task"], cost="cost").cheapest()[0]
    plan.to_parquet("own.parquet")
    assert parquet.read_table("own.parquet").to_pylist()[1] == {"task": "b", "room": "x", "cost": 2}


def test_new_boards_and_codes_with_an_e_are_texts(tmp_path):
    target = tmp_path / "new.parquet"
    invoke("generate", "--box", "2x2", "--solution", "-o", target)
    assert parquet.read_schema(target).field("solution").type == pyarrow.string()
    target = io.BytesIO()
    convert_csv(lambda: io.BytesIO(b"a,b\n1e5,1e+16\n2e7,2.5\n"), target, ())
    assert parquet.read_table(target).to_pydict() == {"a": ["1e5", "2e7"], "b": [1e16, 2.5]}


def test_long_integers_keep_their_digits_if_a_decimal_comes_a_batch_later():
    cells = ["123456789012345678"] * 70_000 + ["1.5"]
    content = "\n".join(["a", *cells, ""]).encode()
    target = io.BytesIO()
    convert_csv(lambda: io.BytesIO(content), target, [])
    assert parquet.read_table(target)["a"].to_pylist() == cells


def test_an_output_of_parquet_is_continued(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with gzip.open("boards.txt.gz", "wt") as file:
        file.write("\n".join(BOARDS * 400))
    invoke("solve", "boards.txt.gz", "-o", "whole.parquet")
    invoke("rate", "--seconds", 0, "boards.txt.gz", "-o", "rated.parquet", status=3)
    invoke("rate", "--resume", "boards.txt.gz", "-o", "rated.parquet")
    assert parquet.read_table("rated.parquet").num_rows == 2000
    assert parquet.read_table("whole.parquet")["solution"].null_count == 0


def test_covers_of_a_continued_search_are_not_added_to_parquet(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("a,b\n1,x\n1,y\n2,x\n2,y\n")
    arguments = ("cover", "--items", "a", "--checkpoint", "saved", "t.csv", "-o", "x.parquet")
    invoke(*arguments, "--limit", 1)
    before = (tmp_path / "x.parquet").read_bytes()
    _, err = invoke(*arguments, "--resume", status=2)
    assert "x.parquet: the search has found 1 cover before, and a Parquet file cannot" in err
    assert (tmp_path / "x.parquet").read_bytes() == before
    assert not (tmp_path / "x.parquet.part").exists()


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX links")
def test_the_name_of_a_link_decides_the_format(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "boards.txt").write_text(BOARDS[0])
    os.symlink("run-001", "latest.parquet")
    invoke("solve", "boards.txt", "-o", "latest.parquet")
    assert parquet.read_table("run-001").num_rows == 1


def test_a_missing_package_and_other_formats_are_errors_before_the_work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "boards.txt").write_text(BOARDS[0])
    _, err = invoke("solve", "-f", "json", "boards.txt", "-o", "x.parquet", status=2)
    assert "x.parquet: a Parquet file has the table of --format csv" in err
    _, err = invoke("estimate", EXAMPLES / "knuth.dlx", "-o", "x.parquet", status=2)
    assert "--output takes the endings" in err
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    _, err = invoke("solve", "boards.txt", "-o", "x.parquet", status=2)
    assert "a Parquet file needs pyarrow: pip install 'dlx-numba[arrow]'" in err
    assert not (tmp_path / "x.parquet").exists()


def test_random_tables_keep_their_values():
    cells = ["", "7", "-3", "2.5", "1e-05", "007", "1.50", "x,y", 'a "b"', "two\nlines", "9" * 40]
    for seed in seeds(100):
        rng = random.Random(seed)
        titles = [f"c{k}" for k in range(rng.randint(1, 4))]
        choices = [rng.sample(cells, rng.randint(1, 3)) for _ in titles]
        rows = [[rng.choice(own) for own in choices] for _ in range(rng.randint(0, 6))]
        rows = [row for row in rows if any(row)]
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([titles, *rows])
        content = text.getvalue().encode()
        target = io.BytesIO()
        convert_csv(lambda content=content: io.BytesIO(content), target, ["c1"])
        table = parquet.read_table(target)
        assert table.column_names == titles
        for title, column in zip(titles, zip(*rows, strict=True), strict=False):
            for cell, value in zip(column, table[title].to_pylist(), strict=True):
                if isinstance(value, int | float):
                    assert title != "c1"
                    assert value == float(cell)
                else:
                    assert (value or "") == cell
