"""Demands on the items of a table or a file of sets: options of commands, and second tables."""

import csv
import io
import itertools
import json
import random
import sys
import warnings

import pytest

import dlx_numba as dlx
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds

STAFF = """\
person,day,shift,cost
Ann,Mon,early,1
Ann,Mon,late,2
Bob,Mon,early,3
Bob,Mon,late,1
Cy,Mon,early,4
Cy,Tue,late,0
"""
FORM = "--items", "day+shift", "--optional", "person+day", "--cost", "cost"


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "staff.csv").write_text(STAFF)
    return lambda command, *words, **how: invoke(command, *FORM, *words, "staff.csv", **how)[0]


def rows(text):
    return [*csv.DictReader(io.StringIO(text))]


def people(text):
    return ["".join([row["person"][:1], row["day"][:1], row["shift"][:1]]) for row in rows(text)]


def test_a_column_demands_bounds_and_penalties_of_each_of_its_values(run):
    assert people(run("cheapest", "--multiplicity", "day+shift=1:")) == ["AMe", "BMl", "CTl"]
    two = "--multiplicity", "day+shift=2:", "--penalty", "day+shift=9.5"
    assert people(run("cheapest", *two)) == ["AMe", "BMl", "CMe", "CTl", "Ml", "Tl"]
    assert run("count", "--multiplicity", "day+shift=2:", status=1) == "0\n"
    assert "Tue late" in run("diagnose", "--multiplicity", "day+shift=2:", status=1)
    assert run("count", "--multiplicity", "*,early=0:2") == run(
        "count", "--multiplicity", "*early=:2"
    )


def test_demands_of_a_column_include_the_items_that_a_table_adds(run, tmp_path):
    (tmp_path / "demand.csv").write_text("day,shift,low\nTue,early,1\nMon,early,2\n")
    plan = run("cheapest", "--demand", "demand.csv", "--penalty", "day+shift=5")
    assert people(plan) == ["AMe", "BMl", "CMe", "CTl", "Te"]


def test_the_items_of_sets_are_in_the_column_of_that_name(tmp_path):
    (tmp_path / "sets.txt").write_text("S1 = {a, b}\nS2 = {b}\n")
    for text in ("element,low\nb,1\n", "item,place,low\na,b,1\n"):
        (tmp_path / "demand.csv").write_text(text)
        demand = "--demand", tmp_path / "demand.csv", tmp_path / "sets.txt"
        _, err = invoke("cheapest", *demand, status=2)
        assert "demand.csv:2: no items have the columns" in err
        assert err.endswith("; there are item\n")


def test_items_that_are_meant_are_called_by_their_cells(run, tmp_path):
    (tmp_path / "demand.csv").write_text("day,shift,low\nMon,erly,1\nZoe,night,1\n")
    reasons = run("diagnose", "--demand", "demand.csv", status=1).splitlines()
    assert reasons[0] == "Mon erly has no option; did you mean 'Mon early'?"
    assert reasons[1] == "Zoe night has no option."


def test_the_rows_of_a_table_demand_bounds_and_penalties_of_items(run, tmp_path):
    demand = tmp_path / "demand.csv"
    demand.write_text("shift,day,low,high,penalty\nearly,Mon,3,,60\nlate,Mon,,1,\nlate,Tue,,,7\n")
    plan = run("cheapest", "--demand", "demand.csv", "--penalty", "day+shift=50")
    assert people(plan) == ["AMe", "BMe", "CMe", "CTl"]
    reported = invoke(
        "cheapest", *FORM, "--demand", demand, "--forbidden", "person=Cy", "staff.csv"
    )
    assert [row["cost"] for row in rows(reported[0])] == ["1", "3", "7", "60"]
    (tmp_path / "plan.csv").write_text(reported[0])
    words = "verify", *FORM, "--demand", demand, "staff.csv", "plan.csv"
    assert "cover (cost 71)" in invoke(*words)[0]


def test_items_that_a_table_of_demands_lacks_are_named(run, tmp_path):
    demand = tmp_path / "demand.csv"
    demand.write_text("day,shift,low,high\nMon,early,2,2\n")
    words = "cheapest", *FORM, "--demand", demand, "staff.csv"
    notice = "day.shift 'Mon late' and 1 other without demand are covered exactly once"
    with pytest.warns(UserWarning, match=notice):
        invoke(*words)
    for more in (["--multiplicity", "day+shift=0:2"], ["--packing"]):
        with warnings.catch_warnings(record=True) as noticed:
            invoke(*words, *more)
        assert not any("without demand" in str(each.message) for each in noticed)


def test_workbooks_are_tables_and_demands(run, tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "notes"
    book.active["B2"] = "who works when"
    for name, text in (
        ("staff", STAFF),
        ("demand", "day,shift,low,high,penalty\nMon,early,2,2,60\nMon,late,0,1,\nTue,late,1,,7\n"),
    ):
        sheet = book.create_sheet(name)
        for row in csv.reader(io.StringIO(text)):
            sheet.append([int(cell) if cell.isdigit() else cell or None for cell in row])
    book.save(tmp_path / "staff.xlsx")
    form = *FORM, "--excel-sheet", "staff", "--demand", "demand"
    invoke("cheapest", *form, "-o", "plan.xlsx", "staff.xlsx")
    [titles, *cells] = openpyxl.load_workbook("plan.xlsx").active.iter_rows(values_only=True)
    assert titles[:4] == ("person", "day", "shift", "cost")
    assert [row[3] for row in cells] == [1, 3, 0]
    with pytest.raises(AssertionError, match="no sheet 'deman'; there are notes, staff, demand"):
        invoke("cheapest", *FORM, "--demand", "deman", "--excel-sheet", "staff", "staff.xlsx")
    by_csv = tmp_path / "demand.csv"
    by_csv.write_text(
        "day,shift,low,high,penalty\nMon,early,2,2,60\nMon,late,0,1,\nTue,late,1,,7\n"
    )
    assert people(run("cheapest", "--demand", by_csv)) == ["AMe", "BMe", "CTl"]
    # The same in a sheet of another workbook
    other = *FORM, "--excel-sheet", "demand", "--demand", "staff.xlsx"
    assert people(invoke("cheapest", *other, "staff.csv")[0]) == ["AMe", "BMe", "CTl"]
    book = openpyxl.load_workbook("staff.xlsx")
    for name in ("notes", "demand"):
        del book[name]
    book.save("staff.xlsx")
    problem = dlx.ExactCover.from_frame("staff.xlsx", [("day", "shift")])
    assert problem.option_names[0] == "Mon, early, cost 1"


@pytest.mark.parametrize("is_workbook", [False, True])
def test_dates_and_numbers_of_a_workbook_stay_what_they_are(is_workbook, tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    from datetime import date

    book = openpyxl.Workbook()
    for row in (
        ["day", "room", "cost"],
        [date(2026, 11, 30), 7, 1.5],
        [None] * 3,
        [date(2026, 12, 1), 8, 2],
    ):
        book.active.append(row)
    book.save(tmp_path / "rooms.xlsx")
    words = "cheapest", "--items", "day", "--optional", "room", "--cost", "cost"
    plan = tmp_path / ("plan.xlsx" if is_workbook else "plan.csv")
    invoke(*words, "-o", plan, tmp_path / "rooms.xlsx")
    if is_workbook:
        [_, first, second] = openpyxl.load_workbook(plan).active.iter_rows(values_only=True)
        assert first[1:] == (7, 1.5)
        assert second[0].date() == date(2026, 12, 1)
    else:
        assert plan.read_text() == "day,room,cost\n2026-11-30,7,1.5\n2026-12-01,8,2\n"
    assert "a cover" in invoke("verify", *words[1:], tmp_path / "rooms.xlsx", plan)[0]


def test_a_workbook_is_a_matrix_with_names(tmp_path, monkeypatch):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in ((None, "A", "-B"), ("S1", 1, 0), ("S2", 0, "x"), ("S3", 1, 1)):
        book.active.append(row)
    path = tmp_path / "sets.xlsx"
    book.save(path)
    assert invoke("cover", "-f", "names", path)[0].split() == ["S1", "S2", "S3"]
    assert invoke("show", "-f", "knuth", path)[0].startswith("A -B\n")
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    for words in (["cover", path], ["solve", "--items", "A", path]):
        assert "openpyxl: pip install 'dlx-numba[excel]'" in invoke(*words, status=2)[1]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--multiplicity", "shift=2:"], "--multiplicity shift=2:: there are no items 'shift'"),
        (["--multiplicity", "day+shift=3:2"], "bounds must satisfy 0 <= low <= high, not 3 and 2"),
        (["--multiplicity", "day+shift=two"], "bounds must be whole numbers, not 'two' and 'two'"),
        (["--multiplicity", "2:"], "--multiplicity needs items and bounds, as in shift=2:3"),
        (["--penalty", "day+shift=-1"], "--penalty needs items and a cost, as in shift=60"),
        (["--multiplicity", "person+day=2"], "is optional (secondary), which means at most once"),
        (["--packing", "--covering"], "--packing cannot be combined with --covering"),
        (["--excel-sheet", "staff"], "staff.csv: this is no workbook with a sheet 'staff'"),
        (["--demand", "missing.csv"], "missing.csv"),
        (["--demand", "day,low\nMon,2\n"], "demand.csv:2: no items have the columns day; there"),
        (["--demand", "day,shift\nMon,late\n"], "none of the columns low, high, penalty"),
        (["--demand", "day,shift,low\nMon,late,\n"], "a row needs an item, and low, high or"),
        (
            ["--demand", "day,shift,low\nMon,late,x\n"],
            "demand.csv:2: low must be a number, such as 2, not",
        ),
        (["--demand", "day,shift,low\nMon,late,1.5\n"], "bounds must be whole numbers, not 1.5"),
        (["--demand", "day,shift,penalty\nMon,late,-1\n"], "demand.csv:2: penalty must be 0 or"),
        (["--demand", "day,shift,low\nMon,late,1\n\nMon,late,2\n"], ":4: the item is listed twice"),
        (["--demand", "day,shift,low\nMon,Late,1\n"], "no option has 'Mon Late'; did you mean"),
        (["--demand", "person,day,low\nDi,Mon,1\n"], "demand.csv:2: no option has 'Di Mon'"),
    ],
)
def test_wrong_demands_are_errors(words, reason, run, tmp_path):
    if "\n" in words[-1]:
        (tmp_path / "demand.csv").write_text(words[-1])
        words = ["--demand", "demand.csv"]
    _, err = invoke("cheapest", *FORM, *words, "staff.csv", status=2)
    assert reason in err


def test_demanded_items_that_no_option_has_are_reported_and_paid(run, tmp_path):
    (tmp_path / "demand.csv").write_text("day,shift,low,penalty\nSun,late,2,40\n")
    with pytest.warns(UserWarning, match="demand.csv:2: no option has 'Sun late'"):
        assert people(run("cheapest", "--demand", "demand.csv"))[-2:] == ["Sl", "Sl"]
    (tmp_path / "demand.csv").write_text("day,shift,low\nSun,late,2\n")
    with pytest.warns(UserWarning, match="no option has 'Sun late'"):
        _, err = invoke("cheapest", *FORM, "--demand", "demand.csv", "staff.csv", status=1)
    assert "dlx-numba diagnose" in err
    assert "--demand=demand.csv" in err


def test_files_of_sets_are_packings_and_coverings(tmp_path):
    path = tmp_path / "sets.txt"
    path.write_text("S0 = {1, 2, 3}\nS1 = {3, 6, 8}\nS2 = {4, 9}\nS3 = {6, 11}\n")
    assert invoke("count", "--packing", path)[0] == "10\n"
    assert invoke("cheapest", "--packing", "-f", "names", path)[0] == "S0 S2 S3\n"
    assert invoke("count", "--covering", path)[0] == "1\n"
    only = "--packing", "--multiplicity", "8=1", "-f", "names"
    assert invoke("cheapest", *only, path)[0] == "S1 S2\n"
    priced = tmp_path / "priced.json"
    priced.write_text('{"options": {"a": [1], "b": [2], "ab": [1, 2]}, "costs": [1, 1, 5]}')
    assert invoke("cheapest", "-f", "names", priced)[0] == "a b |2\n"
    assert invoke("cheapest", "--fewest", "-f", "names", priced)[0] == "ab |1\n"
    assert invoke("cheapest", "--most", "-f", "names", priced)[0] == "a b |2\n"
    with pytest.warns(UserWarning, match="the costs are the weights of a packing"):
        assert invoke("cheapest", "--packing", "-f", "names", priced)[0] == "ab |5\n"
    board = tmp_path / "board.txt"
    board.write_text("1" + "." * 80 + "\n")
    assert "no items of which" in invoke("cheapest", "--packing", board, status=2)[1]
    assert "do not express all" in invoke("count", "--packing", "hashiwokakero", status=2)[1]


def test_packings_and_coverings_say_that_items_keep_their_multiplicities(tmp_path):
    path = tmp_path / "problem.dlx"
    path.write_text("2|a b\na\na b\nb\n")
    for sets, number in (("packing", 1), ("covering", 2)):
        with pytest.warns(UserWarning, match=f"the {sets} keeps the multiplicities of 1 item"):
            assert invoke("count", f"--{sets}", path)[0] == f"{number}\n"


def test_puzzles_of_any_kind_are_packings():
    assert invoke("count", "--packing", "queens:n=4")[0] == f"{1 + 16 + 44 + 24 + 2}\n"


@pytest.mark.filterwarnings("ignore:the costs are the weights")
def test_demands_on_random_sets_are_those_of_all_subsets(tmp_path):
    path = tmp_path / "sets.json"
    for seed in seeds(60):
        rng = random.Random(seed)
        items = [f"i{k}" for k in range(rng.randint(1, 4))]
        options = [sorted(rng.sample(items, rng.randint(1, len(items)))) for _ in range(6)]
        costs = [rng.randint(0, 5) for _ in options]
        path.write_text(json.dumps({"items": items, "options": options, "costs": costs}))
        sets, (default_low, default_high) = rng.choice(
            [("", (1, 1)), ("--packing", (0, 1)), ("--covering", (1, 9))]
        )
        words = [sets] if sets else []
        bounds = dict.fromkeys(items, (default_low, default_high))
        prices = {}
        for item in items:
            if rng.random() < 0.5:
                low = rng.randint(0, 3)
                high = rng.choice(["", low + rng.randint(0, 2)])
                bounds[item] = low, 9 if high == "" else high
                words += ["--multiplicity", f"{item}={low}:{high}"]
            if rng.random() < 0.3 and bounds[item][0]:
                prices[item] = rng.randint(1, 6)
                words += ["--penalty", f"{item}={prices[item]}"]
        sign = -1 if sets == "--packing" else 1
        values = []
        for chosen in itertools.product((0, 1), repeat=6):
            uses = {
                i: sum(c for c, o in zip(chosen, options, strict=True) if i in o) for i in items
            }
            missing = {i: max(0, bounds[i][0] - uses[i]) for i in items}
            if all(uses[i] <= bounds[i][1] and (i in prices or not missing[i]) for i in items):
                cost = sum(c * x for c, x in zip(chosen, costs, strict=True))
                values.append(cost - sign * -1 * sum(prices.get(i, 0) * missing[i] for i in items))
        status = 0 if values else 1
        assert invoke("count", *words, path, status=status)[0] == f"{len(values)}\n", words
        out, _ = invoke("cheapest", *words, "-f", "json", path, status=status)
        if values:
            best = json.loads(out.splitlines()[0])["cost"]
            assert best == sign * min(sign * value for value in values), (words, options)


def test_demands_on_random_tables_are_multiplicities_and_penalties_in_python(tmp_path):
    table = tmp_path / "staff.csv"
    demand = tmp_path / "demand.csv"
    for seed in seeds(60):
        rng = random.Random(seed)
        rows = {
            (rng.choice("ABC"), rng.choice(["Mon", "Tue"]), rng.choice([7, 8])): rng.randint(0, 4)
            for _ in range(rng.randint(2, 8))
        }
        lines = [f"{','.join(map(str, row))},{cost}" for row, cost in rows.items()]
        table.write_text("\n".join(["person,day,hour,cost", *lines]) + "\n")
        form = [("day", "hour"), "person"], [("person", "day")]
        items = {("day+hour", day, hour) for _, day, hour in rows}
        items |= {("person", person) for person, *_ in rows}
        how = {"multiplicity": {}, "penalty": {}}
        needs = []
        for item in sorted(items, key=str):
            low = rng.randint(0, 2)
            high = rng.choice([None, low + 1])
            how["multiplicity"][item] = low, high
            price = rng.choice(["", 5])
            if price:
                how["penalty"][item] = price
            cells = dict(zip(item[0].split("+"), item[1:], strict=True))
            shown = [str(cells.get(title, "")) for title in ("hour", "day", "person")]
            needs.append(
                ",".join([*shown, str(low), "" if high is None else str(high), str(price)])
            )
        demand.write_text("\n".join(["hour,day,person,low,high,penalty", *needs]) + "\n")
        problem = dlx.ExactCover.from_frame(table, *form, cost="cost", **how)
        best = problem.cheapest()
        words = "--items", "day+hour,person", "--optional", "person+day", "--cost", "cost"
        words = *words, "--demand", demand, table
        status = 0 if best else 1
        assert invoke("count", *words, status=status)[0] == f"{problem.count()}\n", seed
        if best:
            out, _ = invoke("cheapest", "-f", "json", *words)
            assert json.loads(out.splitlines()[0])["cost"] == best[0].cost, seed


def test_demands_on_files_of_sets_name_their_items(tmp_path):
    sets = tmp_path / "sets.txt"
    sets.write_text("S0 = {1, 2}\nS1 = {2, 3}\nS2 = {3}\nS3 = {1}\n")
    demand = tmp_path / "demand.csv"
    demand.write_text("item,low,high\n2,2,\n3,0,1\n")
    words = "--covering", "-f", "names", "--demand", demand
    assert invoke("cheapest", *words, sets)[0] == "S0 S1\n"
    later = "--multiplicity", "2=1", "--multiplicity", "?=2", "-f", "names"
    assert invoke("cheapest", *later, sets)[0] == "S0 S1 S2 S3\n"
    _, err = invoke("count", "--multiplicity", "4=1", sets, status=2)
    assert "--multiplicity 4=1: there are no items '4'" in err


def test_the_demand_is_an_input(tmp_path):
    path, demand, batch = tmp_path / "staff.csv", tmp_path / "demand.csv", tmp_path / "batch"
    path.write_text(STAFF)
    demand.write_text("day,shift,low,high\nMon,early,1,2\n")
    _, err = invoke("cheapest", *FORM, "--demand", demand, "-o", demand, path, status=2)
    assert "is both input and output" in err
    batch.write_text("\n" * 300_000)
    count = "count", *FORM[:4], "--demand", demand, "--batch", batch, "-o", tmp_path / "counts"
    invoke(*count, "--resume", "--seconds", 1, path, status=3)
    demand.write_text("day,shift,low,high\nMon,early,2,2\n")
    _, err = invoke(*count, "--resume", path, status=2)
    assert "is of another run" in err
