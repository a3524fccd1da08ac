"""Plans on the command line: rows are named and selected, and plans are written and read again."""

import csv
import io
import random

import pytest

import dlx_numba as dlx
from dlx_numba.cover.relax import describe_relaxed
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds

LESSONS = """\
class,subject,teacher,slot,cost
5a,Math,Ng,Mon 9:00,1
5a,Math,Ng,Tue 9:00,2
5a,Art,Lindh,Mon 9:00,3
5a,Art,Lindh,Tue 9:00,1
5b,Math,Ng,Mon 9:00,4
5b,Math,Ng,Tue 9:00,2
5b,Art,Lindh,Mon 9:00,0
5b,Art,Lindh,Tue 9:00,5
"""
FORM = "--items", "class+subject", "--optional", "class+slot,teacher+slot", "--cost", "cost"
SLOTS = [("class", "slot"), ("teacher", "slot")]


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lessons.csv").write_text(LESSONS)
    return lambda command, *words, **how: invoke(command, *FORM, *words, "lessons.csv", **how)[0]


def rows(text):
    return [*csv.DictReader(io.StringIO(text))]


def test_rows_are_named_by_the_cells_that_distinguish_them():
    school = dlx.ExactCover.from_frame(LESSONS, [("class", "subject")], SLOTS, "cost")
    assert school.option_names[:2] == ["5a, Math, Mon 9:00", "5a, Math, Tue 9:00"]
    assert school.cheapest(given=["5a, Math, Tue 9:00"])[0].names[0] == "5a, Math, Tue 9:00"
    same = dlx.ExactCover.from_frame("a,b\nx,1\nx,1\nx,2\ny,\n3,2\n", ["a"])
    assert same.option_names == ["x, b 1", "x, b 1 (row 2)", "x, b 2", "y", "a 3, b 2"]
    with pytest.raises(ValueError, match="did you mean '5a, Math, Mon 9:00'"):
        school.first(given=["5a,Math,Mon 9.00"])


def test_names_of_random_rows_consist_of_cells_that_no_other_row_has():
    for seed in seeds(300):
        rng = random.Random(seed)
        titles = "abcd"[: rng.randint(1, 4)]
        table = [[rng.choice(["x", "y", "z", ""]) for _ in titles] for _ in range(9)]
        lines = [",".join(["v" + row[0], *row[1:]]) for row in table]
        text = "\n".join([",".join(titles), *lines])
        optional = [title for title in titles[1:] if rng.random() < 0.5]
        names = dlx.ExactCover.from_frame(text, ["a"], optional).option_names
        assert len({*names}) == len(names) == len(table)
        for name, line in zip(names, lines, strict=True):
            cells = name.partition(" (row")[0].split(", ")
            assert {*cells} <= {*line.split(",")}
            matching = [other for other in lines if {*cells} <= {*other.split(",")}]
            assert lines.count(line) <= len(matching)


@pytest.mark.parametrize(
    ("selected", "expected"),
    [
        ("5a, Math, Mon 9:00", ["5a, Math, Mon 9:00"]),
        ("5a,Math,Mon 9:00", ["5a, Math, Mon 9:00"]),
        ("5a, Math, Mon 9:00; 5b, Art, Mon 9:00", ["5a, Math, Mon 9:00", "5b, Art, Mon 9:00"]),
        ("class=5a,subject=Math,slot=Mon 9:00", ["5a, Math, Mon 9:00"]),
        ("class=5a, cost=1 ,slot=Mon 9:00", ["5a, Math, Mon 9:00"]),
        ("0,6", ["5a, Math, Mon 9:00", "5b, Art, Mon 9:00"]),
    ],
)
def test_given_rows_are_selected_by_names_cells_and_numbers(selected, expected, run):
    out = run("cheapest", "-f", "names", "--given", selected)
    assert {*expected} <= {*out.partition(" |")[0].split("; ")}


def test_cells_select_the_same_rows_as_filters(run):
    read = rows(LESSONS)
    for seed in seeds(40):
        rng = random.Random(seed)
        row = rng.choice(read)
        titles = rng.sample([*row], rng.randint(1, 3))
        selected = [k for k, each in enumerate(read) if all(each[t] == row[t] for t in titles)]
        condition = ",".join(f"{title}={row[title]}" for title in titles)
        table = dlx.ExactCover.from_frame(LESSONS, [("class", "subject")], SLOTS, "cost")
        left = [*map(list, table.replace(forbidden=selected).solve())]
        out = run("cover", "--forbidden", condition, "-f", "numbers", status=None)
        assert [[*map(int, line.split(" |")[0].split())] for line in out.splitlines()] == left


def test_items_of_one_cell_select_their_row(tmp_path):
    path = tmp_path / "pairings.csv"
    path.write_text("pairing,flights\nP1,F0+F40\nP2,F0+F80\nP3,F80\nP4,F40\n")
    form = "--items", "flights", "--separator", "+", "--name", "pairing", "-f", "names"
    assert invoke("cover", *form, path, "--forbidden", "flights=F40,pairing=P1")[0] == "P2 P4\n"


@pytest.mark.parametrize(
    ("selected", "reason"),
    [
        ("clas=5a", "there is no column 'clas'; did you mean 'class'?"),
        ("class=5c", "no row has class=5c"),
        ("5a, Math, Mon 9:15", "there is no option named '5a, Math, Mon 9:15'"),
        ("class=5a,slot=Mon 9:00", "cannot be in one cover: both contain 5a on Mon 9:00"),
    ],
)
def test_wrong_selections_say_what_is_wrong(selected, reason, run):
    with pytest.raises(AssertionError, match=reason.replace("?", r"\?")):
        run("cheapest", "--given", selected)


def test_covers_of_a_table_are_rows_in_a_pipe(run):
    best = rows(run("cheapest"))
    assert [row["slot"] for row in best] == ["Mon 9:00", "Tue 9:00", "Tue 9:00", "Mon 9:00"]
    several = rows(run("cheapest", "-n", 2))
    assert [row["plan"] for row in several] == ["1"] * 4 + ["2"] * 4
    assert [{**row, "plan": "1"} for row in several[:4]] == [{"plan": "1", **row} for row in best]
    assert "plan" not in rows(run("cover", "--limit", 1))[0]
    assert {row["plan"] for row in rows(run("cover"))} == {"1", "2"}
    assert rows(run("sample", "-n", 3, "--seed", 1))[-1]["plan"] == "3"


def test_people_see_aligned_rows_and_timetables(run, monkeypatch):
    monkeypatch.setattr("dlx_numba.cli.inputs.is_terminal", lambda stream: True)
    drawn = run("cheapest")
    assert "Lindh\n  Mon 9:00  5b Art\n" in drawn or "class  subject  teacher  slot" in drawn
    roster = "day,shift,person,wish\nMon,early,Ann,3\nMon,late,Bob,2\n"
    form = "--items", "day+shift", "--optional", "person+day", "--cost", "wish"
    shown = "day  shift  person  wish\nMon  early  Ann     3\nMon  late   Bob     2\n"
    assert invoke("cheapest", *form, "-", stdin=roster)[0] == f"{shown}(cost 5)\n\n"
    ill = "diagnose", "--relax", "--forbidden", "person=Ann", *form, "-"
    out, _ = invoke(*ill, stdin=roster, status=1)
    assert (
        "- Mon early is not covered\nThe cheapest one (cost 2):\nday  shift  person  wish\n" in out
    )


def test_a_resumed_list_of_rows_is_that_of_one_run(run, tmp_path):
    for limit in (1, "all"):
        run("cover", "--checkpoint", "saved", "--resume", "--limit", limit, "-o", "rows.csv")
    assert (tmp_path / "rows.csv").read_text() == run("cover")


@pytest.mark.parametrize("ending", ["csv", "xlsx", "ics"])
def test_verify_and_start_read_the_plans_that_were_written(ending, run, tmp_path):
    pytest.importorskip({"csv": "csv", "xlsx": "openpyxl", "ics": "icalendar"}[ending])
    one, several = tmp_path / f"plan.{ending}", tmp_path / f"plans.{ending}"
    run("cheapest", "-o", one)
    run("cheapest", "-n", 2, "-o", several)
    assert invoke("verify", *FORM, "lessons.csv", one)[0] == "a cover (cost 4)\n"
    assert invoke("verify", *FORM, "lessons.csv", several)[0].count(": a cover (cost ") == 2
    ill = "--forbidden", "teacher=Ng,class=5a,slot=Mon 9:00"
    changed = rows(run("cheapest", "--start", one, "--changes", 1, *ill))
    assert [row["change"] for row in changed] == ["new"] * 4 + ["dropped"] * 4
    assert "dropped" not in [row["change"] for row in rows(run("cheapest", "--start", one))]
    new = tmp_path / f"new.{ending}"
    run("cheapest", "--start", one, *ill, "-o", new)
    assert invoke("verify", *FORM, "lessons.csv", new)[0] == "a cover (cost 14)\n"
    with pytest.raises(AssertionError, match="expected one plan, not 2"):
        run("cheapest", "--start", several)
    with pytest.raises(AssertionError, match="--changes needs --start"):
        run("cheapest", "--changes", 1)


@pytest.mark.parametrize("separator", [";", "\t"])
def test_verify_and_start_read_plans_that_spreadsheets_have_saved(separator, run, tmp_path):
    """Spreadsheets separate cells by semicolons where commas are decimal marks."""
    saved = io.StringIO()
    csv.writer(saved, delimiter=separator).writerows(csv.reader(run("cheapest").splitlines()))
    (tmp_path / "plan.csv").write_text("\ufeff" + saved.getvalue(), "utf-8")
    assert invoke("verify", *FORM, "lessons.csv", "plan.csv")[0] == "a cover (cost 4)\n"
    assert {
        row["change"] for row in rows(run("cheapest", "--start", "plan.csv", "--changes", 1))
    } == {"kept"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"PAR1\x15\x04\x15\xfc", "binary data, not text"),
        ("class\n".encode("utf-16"), "UTF-16 text; save it as UTF-8"),
        (
            "class\nL\u00fcders\n".encode("latin-1"),
            "can't decode byte 0xfc on line 2; save the file",
        ),
    ],
)
def test_answers_that_are_no_text_are_no_wrong_answers(content, reason, run, tmp_path):
    (tmp_path / "plan").write_bytes(content)
    for command in (
        ["verify", "lessons.csv", "plan"],
        ["cheapest", "--start", "plan", "lessons.csv"],
    ):
        _, error = invoke(*command, *FORM, status=2)
        assert "error: plan: " in error
        assert reason in error


def test_each_plan_has_a_sheet(run, tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    run("cheapest", "-n", 2, "-o", "plans.xlsx")
    assert openpyxl.load_workbook(tmp_path / "plans.xlsx").sheetnames == ["plan 1", "plan 2"]


def test_changes_cost_as_much_in_an_optimizer_as_in_a_call():
    for seed in seeds(60):
        rng = random.Random(seed)
        options = [rng.sample("abcde", rng.randint(1, 3)) for _ in range(12)]
        cover = dlx.ExactCover(options, [*"abcde"], costs=[rng.randint(0, 9) for _ in options])
        how = {"start": rng.sample(range(12), 3), "changes": rng.choice([0, 1, 2.5])}
        found = cover.cheapest(2, **how)
        optimizer = cover.optimizer(2, **how)
        assert optimizer.run(seconds=60)
        assert optimizer.result == found
        assert [plan.cost for plan in optimizer.result] == [plan.cost for plan in found]
        assert optimizer.result.bound == found.bound


@pytest.mark.parametrize(
    ("kind", "lost"),
    [
        ("given", ["Mon,Ann,dropped,`Mon, Ann` is given, but not chosen"]),
        ("capacity", ["Mon,Ann,,Ann is used twice", "Tue,Ann,,Ann is used twice"]),
        ("uncovered", ["Tue,,uncovered,"]),
    ],
)
def test_tables_show_what_was_given_up(tmp_path, kind, lost):
    """Rows that break a requirement say which, and the file with them is a plan that is read."""
    path = tmp_path / "shifts.csv"
    path.write_text("shift,person\nMon,Ann\nMon,Bob\nTue,Ann\nWed,Cy\n")
    how = {"given": [0], "forbidden": [3]}
    cover = dlx.ExactCover.from_frame(path, ["shift"], ["person"], **how)
    weights = {"given": 2, "capacity": 2, "uncovered": 2, "forbidden": 0.5, kind: 1}
    relaxed = cover.relax(weights)
    rows = relaxed.to_frame().fillna("").to_dict("records")
    titles = "shift", "person", "change", "given up"
    found = [",".join(row.get(title, "") for title in titles) for row in rows]
    assert [row for row in found if not row.startswith("Wed") and row[-2:] != ",,"] == lost
    assert "Wed,Cy,,`Wed, Cy` is chosen, but forbidden" in found
    text = describe_relaxed(relaxed, is_cheapest=True)
    assert "\nshift  person\n" in text
    assert text.count("`Wed, Cy` is chosen, but forbidden") == 2
    plan = tmp_path / "plan.csv"
    relaxed.to_csv(plan, start=[1])
    form = "--items", "shift", "--optional", "person", path, plan
    out, _ = invoke("verify", *form, status=0 if kind == "given" else 1)
    assert kind == "given" or "not a cover" in out


def test_missing_items_are_no_changes(tmp_path):
    shifts, demand = tmp_path / "shifts.csv", tmp_path / "demand.csv"
    shifts.write_text("shift,person\nMon,Ann\nMon,Bob\nTue,Ann\n")
    demand.write_text("shift,low,high,penalty\nMon,1,1,5\nTue,1,1,5\nWed,1,1,5\n")
    how = "--items", "shift", "--demand", demand, "--start", "0,2", "-f", "names"
    out, err = invoke("cheapest", *how, shifts)
    assert "uncovered Wed" in out
    assert "(no changes)" in err


def test_changes_are_shown(tmp_path, monkeypatch):
    path = tmp_path / "shifts.csv"
    path.write_text("shift,person\nMon,Ann\nMon,Bob\nTue,Ann\n")
    start = "--start", "0,2", "--changes", "1", "--forbidden", "0"
    command = "cheapest", "--items", "shift", path, *start
    _, err = invoke(*command, "-f", "names")
    assert "(new: `Mon, Bob`; dropped: `Mon, Ann`)" in err
    _, err = invoke(*command[:-2], "-f", "names")
    assert "(no changes)" in err
    monkeypatch.setattr("dlx_numba.cli.inputs.is_terminal", lambda stream: True)
    out, _ = invoke(*command)
    assert out.splitlines()[:4] == [
        "shift  person  change",
        "Mon    Bob     new",
        "Tue    Ann     kept",
        "Mon    Ann     dropped",
    ]


def test_errors_of_plans_have_the_file_and_the_place(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    path = tmp_path / "shifts.csv"
    path.write_text("shift,person\nMon,Ann\nMon,Bob\nTue,Ann\n")
    plan = tmp_path / "plan.csv"
    start = "cheapest", "--items", "shift", path, "--start", plan
    verify = "verify", "--items", "shift", path, plan
    for text, reason in (
        ("shift,person\nMon,Al\n", "line 2 of the plan is no option; the nearest one has person"),
        ("shift,person\nMon,Ann\nMon,Ann\n", "line 3 of the plan repeats another one"),
        ("shift,person,x\nMon,Ann,1\n", "line 1 of the plan has the column 'x', which"),
    ):
        plan.write_text(text)
        for command in (start, verify):
            assert f"{plan}: {reason}" in invoke(*command, status=2)[1]
    plan.write_text("plan,shift,person\n1,Mon,Ann\n1,Tue,Ann\n2,Mon,Bob\n2,Tue,Ann\n")
    assert "expected one plan, not 2" in invoke(*start, status=2)[1]
    book = tmp_path / "plan.xlsx"
    command = "verify", "--items", "shift", path, book

    def error_of(*sheets):
        workbook = openpyxl.Workbook()
        workbook.remove(workbook.active)
        for k, rows in enumerate(sheets, 1):
            sheet = workbook.create_sheet(f"plan {k}")
            for row in rows:
                sheet.append(row)
        workbook.save(book)
        return invoke(*command, status=2)[1]

    titles = ["shift", "person"]
    good = [titles, ["Mon", "Ann"], ["Tue", "Ann"]]
    wrong = [titles, ["Mon", "Ann"], [None, None], ["Tue", "Bo"]]
    assert f"{book}: sheet 'plan 2', row 4 is no option; the" in error_of(good, wrong)
    assert f"{book}: all sheets are empty" in error_of([])
    assert f"{book}: sheet 'plan 1': column 2 has no title" in error_of([["shift"], ["Mon", "Ann"]])
    assert f"{book}: sheet 'plan 2' has other titles than the first one: x" in error_of(
        good, [[*titles, "x"], ["Mon", "Ann", 1]]
    )
    book.write_bytes(b"PK\x03\x04")
    assert f"{book}: not a workbook of Excel" in invoke(*command, status=2)[1]


def test_printed_covers_are_given(tmp_path):
    path = tmp_path / "lessons.csv"
    path.write_text("lesson,slot,cost\nMath,1,0\nArt,1,0\nMath,2,4\nArt,2,3\n")
    command = "cheapest", "--items", "lesson", "--optional", "slot", "--cost", "cost", path
    for style in ("names", "numbers"):
        printed = invoke(*command, "-n", "2", "-f", style)[0].splitlines()
        assert all("|" in line for line in printed)
        for line in printed:
            assert invoke(*command, "-f", style, "--given", line)[0] == f"{line}\n"


def test_rows_that_conditions_select_are_listed(tmp_path):
    path = tmp_path / "lessons.csv"
    path.write_text("lesson,slot\nMath,1\nArt,1\nMath,2\nArt,2\n")
    command = "count", "--items", "lesson", path
    out, err = invoke(*command, "--forbidden", "slot=1")
    assert out == "1\n"
    rows = "`Math, slot 1`, `Art, slot 1`"
    assert f"(--forbidden slot=1: 2 rows, of which none may be chosen: {rows})" in err
    out, err = invoke(*command, "--given", "slot=1")
    assert out == "1\n"
    assert f"(--given slot=1: 2 rows, of which all must be chosen: {rows})" in err
    assert "may be chosen" not in invoke(*command, "--forbidden", "slot=1,lesson=Art")[1]


def test_reasons_have_the_words_of_the_table(tmp_path):
    lessons = [f"L{k},{slot},{room}" for k in range(7) for slot in (8, 9, 10) for room in "AB"]
    path = tmp_path / "lessons.csv"
    path.write_text("\n".join(["lesson,slot,room", *lessons]))
    diagnosis = dlx.ExactCover.from_frame(path, ["lesson"], [("room", "slot")]).diagnose()
    first, *rest = diagnosis.text.split("\n")
    pairs = "A slot 8, B slot 8, A slot 9, B slot 9, A slot 10 and 1 more"
    what = f"one of 6 pairs of room and slot ({pairs})"
    assert first == f"There is no cover: 7 lessons all need {what}, which are enough for only 6."
    assert [line.partition(":")[0] for line in rest] == [
        "The lessons",
        "The pairs of room and slot",
    ]
    path.write_text("person,shift\n" + "".join(f"P{k},early\n" for k in range(7)))
    demand = {("shift", "early"): (2, 6)}
    cover = dlx.ExactCover.from_frame(path, ["person", "shift"], multiplicity=demand)
    first = cover.diagnose().text.split("\n")[0]
    assert first == "There is no cover: 7 persons all need early, which is enough for only 6."


def test_events_leave_out_what_was_dropped_and_no_other_cells(tmp_path):
    pytest.importorskip("icalendar")
    jobs, plan = tmp_path / "jobs.csv", tmp_path / "plan.ics"
    jobs.write_text("job,slot,delivery\na,Mon 9:00,picked up\nb,Mon 10:00,dropped\n")
    form = "--items", "job", "--optional", "slot"
    invoke("cheapest", *form, "-o", plan, jobs)
    assert "a cover" in invoke("verify", *form, jobs, plan)[0]


@pytest.mark.parametrize("words", [["cheapest", "-o"], ["solve", "-o"], ["cover", "--svg"]])
def test_a_file_that_gets_no_result_is_named(words, tmp_path):
    problem, plan = (
        tmp_path / "problem.json",
        tmp_path / f"plan.{'svg' if '--svg' in words else 'csv'}",
    )
    problem.write_text('{"options": [["x"]], "items": ["x", "y"]}')
    plan.write_text("old")
    _, err = invoke(*words, plan, problem, status=1)
    assert (plan.read_text(), "plan" in err.splitlines()[-1]) == ("old", True)
    assert err.endswith("has its old content: there is no result for it)\n")
    problem.write_text('{"options": [["x"]], "items": ["x"]}')
    _, err = invoke(*words, plan, problem)
    assert "old content" not in err
