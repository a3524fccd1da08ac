"""Problems in long form, one option a row, and plans as tables, spreadsheets and calendars."""

import csv
import pickle
import random
import re
from datetime import timedelta
from zipfile import ZipFile

import pandas as pd
import pytest

import dlx_numba as dlx
from dlx_numba.cover import rows
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.cover.plan import read_plans
from dlx_numba.cover.rows import name_rows
from dlx_numba.explain import record_search
from dlx_numba.explain.problem_view import view_search
from dlx_numba.explain.trace import format_csv
from dlx_numba.puzzles.exact.table import format_table
from dlx_numba.runtime.errors import FormatError
from tests.helpers.processes import invoke
from tests.helpers.seeds import seeds

LESSONS = """\
lesson,teacher,slot,room,cost
5a Math,Ann,Mon 9:00-9:45,A1,0
5a Math,Ann,Mon 10:00-10:45,A1,2
5a Art,Bob,Mon 9:00-9:45,A2,0.5
5a Art,Bob,Mon 10:00-10:45,,1
5b Math,Ann,Mon 9:00-9:45,A1,0
5b Math,Ann,Mon 10:00-10:45,A1,1
"""
FORM = ["lesson"], [("teacher", "slot"), ("room", "slot")]
OPTIONS = "--items", "lesson", "--optional", "teacher+slot,room+slot", "--cost", "cost"


def school(**keywords):
    return dlx.ExactCover.from_frame(LESSONS, *FORM, cost="cost", **keywords)


def test_random_tables_are_the_problems_of_their_items(tmp_path):
    for seed in seeds(300):
        rng = random.Random(seed)
        titles = ["a", "b", "c", "d"]
        values = {"a": "xyz", "b": [1, 2, 3], "c": ["p", "q", ""], "d": ["u", "v", "w", ""]}
        rows = [[rng.choice(values[title]) for title in titles] for _ in range(rng.randint(1, 9))]
        frame = pd.DataFrame([[*row, rng.randint(0, 9)] for row in rows], columns=[*titles, "e"])
        options = [
            [("a", a), ("b", b)] + [("c", c)] * (c != "") + [("d+b", d, b)] * (d != "")
            for a, b, c, d in rows
        ]
        secondary = [item for option in options for item in option if item[0] in ("c", "d+b")]
        costs = frame["e"].tolist()
        expected = dlx.ExactCover(options, None, dict.fromkeys(secondary), costs=costs)
        cover = dlx.ExactCover.from_frame(frame, ["a", "b"], ["c", ("d", "b")], cost="e")
        path = tmp_path / "table.csv"
        frame.to_csv(path, index=False)
        read = dlx.ExactCover.from_frame(path, ["a", "b"], ["c", ("d", "b")], "e")
        for each in (cover, read):
            assert each.options == options
            assert {*each.items} == {*expected.items}
            assert sorted(each.solve()) == sorted(expected.solve())
        for found in cover.cheapest(2):
            pd.testing.assert_frame_equal(
                found.to_frame(), frame.loc[[*found]].reset_index(drop=True)
            )


def test_rows_with_one_item_each_are_grouped_as_the_message_says():
    frame = pd.DataFrame({"set": ["A", "A", "B", "C"], "item": ["x", "y", "x", "y"]})
    with pytest.raises(ValueError, match="row 1 has the name 'A' of another one; each") as error:
        dlx.ExactCover.from_frame(frame, ["item"], name="set")
    grouped = str(error.value).rpartition(": ")[2]
    options = eval(grouped, {"frame": frame, "column": "item"})
    assert [cover.names for cover in dlx.ExactCover(options)] == [["A"], ["B", "C"]]


def test_frames_of_polars_come_back():
    pl = pytest.importorskip("polars")
    frame = pl.read_csv(LESSONS.encode())
    [plan] = dlx.ExactCover.from_frame(frame, *FORM, cost="cost").cheapest()
    assert plan.to_frame().equals(frame[plan])
    assert plan == school().cheapest()[0]


def test_changes_and_uncovered_items_have_rows():
    problem = school(penalty={("lesson", "5b Math"): 9}).replace(forbidden=[4, 5])
    [plan] = pickle.loads(pickle.dumps(problem)).cheapest()
    frame = plan.to_frame(start=[0, 4])
    assert plan.uncovered == [("lesson", "5b Math")]
    assert frame["change"].tolist() == ["kept", "new", "dropped", "uncovered"]
    assert frame["lesson"].tolist() == ["5a Math", "5a Art", "5b Math", "5b Math"]
    assert plan.to_frame()["change"].fillna("").tolist() == ["", "", "uncovered"]
    assert frame["cost"].tolist()[3] == 9
    [cover] = dlx.ExactCover({"A": ["x"]}, ["x", "y"], costs=[2], penalty={"y": 7}).cheapest()
    assert cover.to_frame()["cost"].tolist() == [2, 7]


def test_a_column_is_not_both_of_items_and_of_weights():
    frame = pd.DataFrame({"lesson": ["5a", "5a", "5b"], "hour": [1, 2, 1]})
    with pytest.raises(ValueError, match=r"\('hour', 1\) is an item and a weight of total 'hour'"):
        dlx.ExactCover.from_frame(frame, ["lesson"], ["hour"], totals={"hour": (0, 2)})
    total = {"hour": ([1, 2, 1], 0, 3)}
    assert dlx.ExactCover.from_frame(frame, ["lesson"], ["hour"], totals=total).solve() == [[1, 2]]


def test_an_index_with_a_name_is_a_column():
    frame = pd.DataFrame({"slot": [1, 2]}, pd.Index(["5a", "5b"], name="class"))
    cover = dlx.ExactCover.from_frame(frame, ["slot"], name="class")
    assert cover.first().to_frame().equals(frame.reset_index())
    assert cover.first().names == ["5a", "5b"]


def test_items_are_columns_by_their_role():
    options = {"A": [("day", "mon"), ("cell", 1, 2), ("cell", 1, 3), ("hue", "x")], "B": ["b", "c"]}
    cover = dlx.ExactCover(
        options, ["b", ("day", "mon")], ["c", ("cell", 1, 2), ("cell", 1, 3), "hue"]
    )
    assert cover.first().to_frame().fillna("-").to_dict("list") == {
        "option": ["A", "B"],
        "day": ["mon", "-"],
        "cell": ["1,2; 1,3", "-"],
        "hue": ["x", "-"],
        "item": ["-", "b; c"],
    }


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ((["lessons"],), "no column 'lessons'; did you mean 'lesson'"),
        ((["x"],), "no column 'x'; there are lesson, teacher"),
        ((["lesson"], (), "teacher"), "<text>:2: a cost must be a number, such as 2.5, not 'Ann'"),
        ((["lesson"], (), None, "lesson"), ":3: the row has the name '5a Math' of another one"),
        ((["lesson"], ["lesson"]), "is listed in items and in secondary"),
    ],
)
def test_what_is_wrong_with_a_table(form, reason):
    with pytest.raises(ValueError, match=reason):
        dlx.ExactCover.from_frame(LESSONS, *form)
    with pytest.raises(ValueError, match=":2: the row has 2 fields, not 3"):
        dlx.ExactCover.from_frame("a,b,c\n1,2\n", ["a"])
    with pytest.raises(TypeError, match="items must be a list of columns, not the string"):
        dlx.ExactCover.from_frame(LESSONS, "lesson")


def test_a_table_in_long_form_is_no_matrix():
    frame = pd.DataFrame({"class": ["5a"], "slot": [1]})
    for create in (dlx.ExactCover, dlx.ExactCover.from_matrix):
        with pytest.raises(ValueError, match="with one option a row, use ExactCover"):
            create(frame)


def test_plans_are_written(tmp_path):
    [plan] = school().cheapest()
    path = tmp_path / "plan.csv"
    plan.to_csv(path, start=[0])
    text = "lesson,teacher,slot,room,cost,change\n5a Math,Ann,Mon 9:00-9:45,A1,0,kept\n"
    assert path.read_text().startswith(text)
    pytest.importorskip("openpyxl")
    plan.to_excel(path.with_suffix(".xlsx"))
    sheet = pd.read_excel(path.with_suffix(".xlsx"))
    pd.testing.assert_frame_equal(sheet, plan.to_frame())


def events(plan, path):
    icalendar = pytest.importorskip("icalendar")
    plan.to_ics(path)
    found = icalendar.Calendar.from_ical(path.read_bytes()).walk("VEVENT")
    times = [[e[k].dt.isoformat() for k in ("dtstart", "dtend") if k in e] for e in found]
    return [str(e["summary"]) for e in found], times, found


DAY = "2026-11-30"


@pytest.mark.parametrize(
    ("columns", "times"),
    [
        ({"at": f"{DAY} 09:00", "to": f"{DAY} 10:00"}, [f"{DAY}T09:00:00", f"{DAY}T10:00:00"]),
        ({"at": pd.Timestamp(f"{DAY} 9:00")}, [f"{DAY}T09:00:00"]),
        ({"at": DAY, "from": "9:00", "to": "9:45"}, [f"{DAY}T09:00:00", f"{DAY}T09:45:00"]),
        ({"at": DAY}, [DAY]),
        ({"at": f"{DAY} 9:00"}, [f"{DAY}T09:00:00"]),
        ({"at": DAY, "from": "22:00", "to": "6:00"}, [f"{DAY}T22:00:00", "2026-12-01T06:00:00"]),
        ({"at": f"{DAY} 10:00", "asked": "2026-11-02 09:00"}, [f"{DAY}T10:00:00"]),
        ({"at": f"{DAY} 10:00", "asked": "2026-11-02 09:00+01:00"}, [f"{DAY}T10:00:00"]),
    ],
)
def test_times_are_events(columns, times, tmp_path):
    frame = pd.DataFrame({"job": ["a"], **{k: [v] for k, v in columns.items()}})
    plan = dlx.ExactCover.from_frame(frame, ["job"]).first()
    assert events(plan, tmp_path / "plan.ics")[:2] == (["a"], [times])


@pytest.mark.parametrize("number", ["20261130", "20261130T0900", "2026-W48-1", "2026111", 20261130])
def test_numbers_are_no_dates(number, tmp_path):
    frame = pd.DataFrame({"job": [number], "at": [DAY]})
    plan = dlx.ExactCover.from_frame(frame, ["job"]).first()
    assert events(plan, tmp_path / "plan.ics")[:2] == ([str(number)], [[DAY]])
    with pytest.raises(ValueError, match="a calendar needs a column of dates"):
        dlx.ExactCover.from_frame(frame[["job"]], ["job"]).first().to_ics(tmp_path / "none.ics")


def test_weekdays_are_events_of_each_week(tmp_path):
    texts, times, found = events(school().cheapest()[0], tmp_path / "plan.ics")
    assert texts == ["5a Math, Ann, A1", "5a Art, Bob, A2", "5b Math, Ann, A1"]
    assert [each[11:16] for each in times[0]] == ["09:00", "09:45"]
    assert all(each["dtstart"].dt.weekday() == 0 for each in found)
    assert found[0]["rrule"]["freq"] == ["WEEKLY"]
    with pytest.raises(ValueError, match="a calendar needs a column of dates"):
        dlx.ExactCover([["a"]]).first().to_ics(tmp_path / "none.ics")


@pytest.mark.parametrize("days", [["Mon", "Wed"], ["Wed", "Mon"], ["Sun", "Sat"]])
def test_an_event_ends_after_its_begin_on_each_day_of_the_week(days, tmp_path):
    begin, end = (f"{day} 9:00" for day in days)
    frame = pd.DataFrame({"job": ["a"], "from": [begin], "to": [end]})
    plan = dlx.ExactCover.from_frame(frame, ["job"]).first()
    [event] = events(plan, tmp_path / "plan.ics")[2]
    assert event["dtstart"].dt < event["dtend"].dt
    assert [f"{event[k].dt:%a}" for k in ("dtstart", "dtend")] == days


def test_events_of_several_plans_may_alternate_and_lack_a_summary():
    icalendar = pytest.importorskip("icalendar")
    calendar = icalendar.Calendar()
    for summary, description in (("Plan 1: x", "a: 1"), ("Plan 2: x", "a: 2"), (None, ""),
                                 ("Plan 1: y", "a: 3")):  # fmt: skip
        event = icalendar.Event()
        if summary is not None:
            event.add("summary", summary)
        event.add("description", description)
        calendar.add_component(event)
    text, places = read_plans(calendar.to_ical())
    assert text.splitlines() == ["plan,a", "1,1", "1,3", "2,2"]
    assert places == ["the events", "event 1", "event 4", "event 2"]


def test_costs_are_names_if_there_is_no_other_column():
    frame = pd.DataFrame({"cost": [1, 1, 2]})
    names = ["cost 1", "cost 1 (row 2)", "cost 2"]
    for items in ([], ["cost"]):
        cover = dlx.ExactCover.from_frame(frame, items, cost="cost")
        assert [*cover.option_names] == names


def test_the_last_cells_of_a_sheet_may_be_empty(tmp_path):
    pytest.importorskip("openpyxl")
    table = "lesson,room\nMath,A1\nArt,\n"
    dlx.ExactCover.from_frame(table, ["lesson"], ["room"]).first().to_excel(tmp_path / "plan.xlsx")
    text, _ = read_plans((tmp_path / "plan.xlsx").read_bytes())
    assert text == "plan,lesson,room\n1,Math,A1\n1,Art,\n"


def test_a_title_above_names_of_a_matrix_is_to_be_left_out(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text("person,Mon,Tue\nAnn,x,\nBob,,x\n")
    assert invoke("cover", path, status=2)[1].endswith("option, leave out the title\n")
    path.write_text(path.read_text().removeprefix("person"))
    assert invoke("cover", "--format", "names", path)[0] == "Ann Bob\n"


def test_cells_that_may_be_costs_of_a_matrix_are_explained(tmp_path):
    path = tmp_path / "prices.csv"
    path.write_text(",Mon,Tue,price\nAnn,x,,3\nBob,,x,2\n")
    assert invoke("cover", path, status=2)[1].endswith("if it is a cost, its title is |\n")
    path.write_text(path.read_text().replace("price", "|"))
    assert invoke("cheapest", path)[0] == "0 1 |5\n"
    path = tmp_path / "prices.txt"
    path.write_text("Mon Tue price\nAnn 1 0 3\nBob 0 1 2\n")
    assert ":2: column 'price': expected 0 or 1" in invoke("cover", "--header", path, status=2)[1]


@pytest.mark.parametrize("command", ["cheapest", "cover", "count", "solve", "show", "diagnose"])
def test_commands_take_tables_in_long_form(command, tmp_path):
    path = tmp_path / "lessons.csv"
    path.write_text(LESSONS)
    out, _ = invoke(command, path, *OPTIONS)
    shown = {"count": "4", "show": "M A M", "diagnose": "has a cover"}
    assert shown.get(command, "5a Math") in out
    if command == "solve":
        assert "such as --items lesson, or use from_frame" in invoke(command, path, status=2)[1]
    if command == "cheapest":
        assert "each row lists the items of an option" in invoke(command, path, status=2)[1]
        assert "--cost needs --items" in invoke(command, path, *OPTIONS[-2:], status=2)[1]
        words = "--items", "lesson", "--optional", "rooms"
        assert "did you mean 'room'" in invoke(command, path, *words, status=2)[1]


def test_other_spreadsheets_are_called_what_they_are(tmp_path):
    path = tmp_path / "lessons.ods"
    path.write_bytes(
        b"PK\x03\x04" + bytes(22) + b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"
    )
    _, err = invoke("cheapest", path, *OPTIONS, status=2)
    expected = "lessons.ods: this is a ZIP archive or a spreadsheet; unpack it, or save it as CSV"
    assert expected in err


def test_commands_write_plans(tmp_path):
    path, plan = tmp_path / "lessons.csv", tmp_path / "plan.csv"
    path.write_text(LESSONS)
    for command in ("cheapest", "solve"):
        invoke(command, path, *OPTIONS, "-o", plan)
        assert len(pd.read_csv(plan)) == 3
        invoke(command, path, *OPTIONS, "--number", 2, "-o", plan)
        assert pd.read_csv(plan)["plan"].tolist() == [1, 1, 1, 2, 2, 2]
    _, err = invoke("cover", path, *OPTIONS, "-o", tmp_path / "plan.ics", status=2)
    assert "takes the endings .txt, .csv, .parquet, .json, .jsonl, not" in err


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", ":1: the table is empty"),
        ("a,a,c\nx,y,1\n", ":1: two columns have the name 'a'"),
        ("\ufeffa;b;c\nx;y;2,5\n", ":2: a cost must be a number, such as 2.5, not '2,5'"),
        ("a,c\nx,1_000\n", ":2: a cost must be a number, such as 2.5, not '1_000'"),
        ("a,c,,\nx,1,,\ny,2,note,\n", ":1: column 3 has no title, as 2 columns have none"),
        ("a,c\nx,1\n\ny,\n", ":4: the row has no c"),
        ("a,c\nx,1\ny,nan\n", ":3: the row has no c"),
        ("a,c\n,1\ny,2\n", ":2: the row has no a"),
    ],
)
def test_damaged_tables(text, reason, tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=reason):
        dlx.ExactCover.from_frame(path, ["a"], cost="c")


@pytest.mark.parametrize("missing", [float("nan"), None, "", pd.NA, pd.NaT])
@pytest.mark.parametrize("column", ["a", "b", "c"])
def test_cells_of_primary_items_and_costs_are_not_empty(column, missing):
    frame = pd.DataFrame({"a": list("xyz"), "b": list("uvw"), "c": [1, 2, 3]}, dtype=object)
    frame.loc[1, column] = missing
    with pytest.raises(ValueError, match=f"row 1 has no {column}"):
        dlx.ExactCover.from_frame(frame, ["a", ("a", "b")], cost="c")
    assert dlx.ExactCover.from_frame(frame, [], ["a", "b", "c"]).count() == 1


def test_texts_of_events_contain_zeros(tmp_path):
    frame = pd.DataFrame({"job": ["a"], "room": [0], "at": [f"{DAY} 09:00"]})
    plan = dlx.ExactCover.from_frame(frame, ["job"]).first()
    assert events(plan, tmp_path / "plan.ics")[0] == ["a, 0"]


def test_cells_that_spreadsheets_and_calendars_lack(tmp_path):
    pytest.importorskip("openpyxl")
    icalendar = pytest.importorskip("icalendar")
    frame = pd.DataFrame(
        [["Mon 22:00-6:00", "=1+1\x01"], ["Tue 24:00", (1, 2)]], columns=["a", "b"]
    )
    frame["c"] = pd.to_datetime(["2026-11-30T12:00", None], utc=True)
    plan = dlx.ExactCover.from_frame(frame, ["a", "b"]).first()
    plan.to_excel(tmp_path / "plan.xlsx")
    assert [*pd.read_excel(tmp_path / "plan.xlsx")["b"]] == ["=1+1", "1,2"]
    dlx.ExactCover.from_frame(frame[["a"]], ["a"]).first().to_ics(tmp_path / "plan.ics")
    [event] = icalendar.Calendar.from_ical((tmp_path / "plan.ics").read_bytes()).walk("VEVENT")
    assert event["dtend"].dt - event["dtstart"].dt == timedelta(hours=8)


def test_a_table_without_rows_is_no_problem_without_items():
    for text in ("lesson,teacher\n", "\n# all\nlesson,teacher\n\n"):
        with pytest.raises(FormatError, match="no option follows the line of titles"):
            dlx.ExactCover.from_frame(text, ["lesson"])


def test_workbooks_are_read_beyond_the_size_that_they_state(tmp_path):
    pytest.importorskip("openpyxl")
    book, stated = tmp_path / "book.xlsx", tmp_path / "stated.xlsx"
    pd.DataFrame({"day": ["Mon", "Tue"], "person": ["Ann", "Bob"]}).to_excel(book, index=False)
    with ZipFile(book) as old, ZipFile(stated, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b'ref="A1:B3"', b'ref="A1:B2"'))
    assert dlx.ExactCover.from_frame(stated, ["day"]).first() == [0, 1]


def test_merged_cells_do_not_lose_their_value(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    path = tmp_path / "staff.xlsx"

    def read(area):
        book = openpyxl.Workbook()
        for row in (["shift", "person"], [], ["early", "Ann"], ["late"], [None], ["", "", ""]):
            book.active.append(row)
        book.active.merge_cells(area)
        book.save(path)
        return dlx.ExactCover.from_frame(path, ["shift"], ["person"]).count()

    with pytest.raises(FormatError, match=r"staff.xlsx:1: sheet 'Sheet': B3:B4 is merged, so"):
        read("B3:B4")
    assert {read("B1:B2"), read("B3:C3"), read("B4:C4"), read("A5:B6")} == {1}  # other ones


def test_names_in_tables_are_no_formulas(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    names = ["+1+1", "=cmd()", "@SUM(1)", "-2+3", "-2", "a=1"]
    cover = dlx.ExactCover({name: [f"={name}"] for name in names})
    cover.first().to_csv(tmp_path / "plan.csv")
    header, *rows = csv.reader((tmp_path / "plan.csv").read_text().splitlines())
    assert header == ["option", "item"]
    assert [row[0] for row in rows] == ["'+1+1", "'=cmd()", "'@SUM(1)", "'-2+3", "-2", "a=1"]
    assert all(row[1].startswith("'=") for row in rows)
    cover.first().to_excel(tmp_path / "plan.xlsx")
    cells = [*openpyxl.load_workbook(tmp_path / "plan.xlsx").active.iter_rows(min_row=2)]
    assert [row[0].value for row in cells] == names
    assert {cell.data_type for row in cells for cell in row} == {"s"}
    assert "'=cmd()" in format_csv(record_search(view_search(named_problem(cover), "formulas")))
    table = format_table(cover.problem, named_problem(cover).names)
    assert not re.search(r"(^|,)[=+@]", table, re.MULTILINE)
    assert dlx.ExactCover.read(table, "table").option_names == cover.option_names


def test_names_of_rows_are_made_when_they_are_needed(monkeypatch):
    made = []
    monkeypatch.setattr(rows, "name_rows", lambda *names: made.append(names) or name_rows(*names))
    cover = school()
    assert cover.count() == 4
    assert sorted(cover.cheapest()[0]) == [0, 2, 5]
    assert not made
    assert cover.option_names[:2] == ["5a Math, Mon 9:00-9:45", "5a Math, Mon 10:00-10:45"]
    assert cover.first().names[0] == cover.option_names[0]
    assert cover == pickle.loads(pickle.dumps(cover)) == school()


def test_equal_rows_are_named_once(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\nx,1\n\ny,2\nx,1\ny,2\ny,2\n")
    reason = "are equal; each row is an option"
    with pytest.warns(UserWarning, match=reason) as caught:
        cover = dlx.ExactCover.from_frame(path, ["a"])
    expected = [f"{path}: lines 2 and 5 (and 2 more) {reason}"]
    assert [str(each.message) for each in caught] == expected
    assert cover.count() == 6
    with pytest.warns(UserWarning, match=f"^rows 0 and 2 {reason}"):
        dlx.ExactCover.from_frame(pd.DataFrame({"a": ["x", "y", "x"], "b": [["p"]] * 3}), ["a"])
    with pytest.warns(UserWarning, match=reason):
        assert invoke("count", "--items", "a", str(path))[0] == "6\n"


def test_rows_may_begin_with_the_mark_of_comments(tmp_path):
    rooms = ["#1", "#1", "2\n#", "2\n#"]
    frame = pd.DataFrame({"#": rooms, "guest": [*"abab"], "cost": [1, 9, 9, 1]})
    form = ["#", "guest"], (), "cost"
    path = tmp_path / "rooms.csv"
    frame.to_csv(path, index=False)
    cover = dlx.ExactCover.from_frame(path, *form)
    assert cover.options == dlx.ExactCover.from_frame(frame, *form).options
    cover.first().to_csv(path)
    assert dlx.ExactCover.from_frame(path, *form).options == [cover.options[0], cover.options[3]]
    frame.replace("2\n#", "2").to_csv(path, index=False)
    demand = tmp_path / "demand.csv"
    demand.write_text("#,low,high\n#1,2,2\n2,0,0\n")
    given = "--items", "#", "--cost", "cost", "--demand", str(demand), str(path)
    assert invoke("cheapest", "--quiet", "--format", "numbers", *given)[0] == "0 1 |10\n"


@pytest.mark.parametrize("comments", ["# rooms\n", "\r\n# rooms\r\n#\r\n\r\n"])
def test_comments_may_precede_the_titles(comments):
    lines = len(comments.splitlines())
    with pytest.raises(FormatError, match=f":{lines + 3}: the row has no guest"):
        dlx.ExactCover.from_frame(f"{comments}#;guest\n#1;a, b\n#2;\n", ["guest"])
    assert dlx.ExactCover.from_frame("#\n# 1\n2\n", ["#"]).options == [[("#", "# 1")], [("#", "2")]]


@pytest.mark.parametrize(
    ("items", "optional"), [([("t", "s"), "t+s"], []), ([1, "1"], []), ([1], ["1"])]
)
def test_items_of_different_columns_have_different_names(items, optional):
    cells = {"t": ["x", "x", "y"], "s": ["p", "q", "p"], "t+s": ["u", "v", "w"]}
    frame = pd.DataFrame(cells | {1: [*"abc"], "1": [*"def"]})
    names = "'t' \\+ 's' and in 't\\+s' would", "1 and in '1' would"
    with pytest.raises(ValueError, match="|".join(names)):
        dlx.ExactCover.from_frame(frame, items, optional)
    assert dlx.ExactCover.from_frame(frame, ["t", "t"], ["s"]).n_options == 3


def test_later_changes_of_lists_in_cells_do_not_change_the_problem():
    frame = pd.DataFrame({"crew": [["Ann", "Bob"], ["Cy"]]})
    cover = dlx.ExactCover.from_frame(frame, ["crew"])
    frame["crew"][0].append("Zoe")
    assert cover.first().to_frame()["crew"][0] == ["Ann", "Bob"]
    cover.first().to_frame()["crew"][0].append("Zoe")
    assert cover.option_names == ["Ann+Bob", "Cy"]
