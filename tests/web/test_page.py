"""The page that solves problems in the browser, in Chromium, opened as a file."""

import json
import random
import shutil
from pathlib import Path

import pytest

import dlx_numba as dlx
from dlx_numba import ExactCover, example
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.explain.deduction import deduce_steps, rules_of
from dlx_numba.kernels.lattice import find_coloring
from dlx_numba.runtime.interrupts import Stop
from scripts.try_page import gallery_texts, write_page
from tests.helpers import DATA
from tests.helpers.diagnoses import check_numbers, tiling
from tests.helpers.examples import EASY
from tests.helpers.processes import NONE, SEVERAL, UNIQUE, invoke
from tests.helpers.seeds import seeds

pytestmark = [pytest.mark.processes, pytest.mark.thorough]

MODULI = 2**6 * 3**3 * 5**2 * 7 * 11 * 13  # the moduli that the page tries divide it


@pytest.fixture(scope="module")
def page_folder(module_folder, tmp_path_factory):
    folder = tmp_path_factory.mktemp("try")
    shutil.copy(module_folder / "dlx.wasm", folder)
    write_page(folder)
    return folder


@pytest.fixture
def fresh_page(browser, page_folder):
    """The browser with the page. After the test, the console must be empty."""
    browser.open_page(page_folder / "index.html")
    yield browser
    assert browser.get_log("browser") == []


@pytest.fixture
def page(request, browser, page_folder):
    """The page as an earlier test left it, for tests that state all that they need."""
    if browser.current_url.partition("#")[0] != (page_folder / "index.html").as_uri():
        request.getfixturevalue("fresh_page")
    yield browser
    assert browser.get_log("browser") == []


def enter(page, name, value):
    """Set the value of a text or a list."""
    page.execute_script("document.getElementById(arguments[0]).value = arguments[1]", name, value)


def wait_for(page, name, part):
    """Wait until an element shows a text, and return all of it."""
    page.wait_until(lambda: part in page.text_of(f"#{name}"))
    return page.text_of(f"#{name}")


def cell(page, row, column):
    return page.find_element(
        "css selector", f"#box-board [aria-label^='row {row}, column {column},']"
    )


def state(page, problem):
    """Make a problem on the page, and search its first covers."""
    enter(page, "problem", problem)
    page.act("#find")


def test_page_as_a_document(fresh_page, phone):
    """It fits a phone, requests nothing from elsewhere, and names each control."""
    wait_for(fresh_page, "box-result", "520 solutions for these 60 cells.")
    assert fresh_page.execute_script("return document.documentElement.scrollWidth") == 390
    script = "return performance.getEntriesByType('resource').map((entry) => entry.name)"
    schemes = {name.partition(":")[0] for name in fresh_page.execute_script(script)}
    assert schemes <= {"file", "blob", "data"}
    tree = fresh_page.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    roles = {"button", "textbox", "checkbox", "combobox", "spinbutton", "link"}
    controls = [node for node in tree if node.get("role", {}).get("value") in roles]
    assert len(controls) > 150
    assert [node for node in controls if not node["name"].get("value")] == []


def test_box(fresh_page):
    """A click or a key removes a cell or puts it back, and the solutions are counted at once."""
    from selenium.webdriver import ActionChains, Keys

    page = fresh_page
    wait_for(page, "box-result", "520 solutions")
    cell(page, 1, 1).click()
    wait_for(page, "box-result", "No solution for these 59 cells.")
    why = "each piece covers a multiple of 5 of the 59 marked cells, but 59 must be covered."
    assert why in wait_for(page, "box-why", "Why not")
    assert cell(page, 1, 1).get_attribute("aria-label").endswith("removed")
    page.execute_script("arguments[0].focus()", cell(page, 1, 2))
    page.press("ARROW_LEFT", "SPACE")
    wait_for(page, "box-result", "520 solutions for these 60 cells.")
    assert page.text_of("#box-why") == ""
    side = cell(page, 1, 1).size["width"]
    page.act("#box-reset")
    wait_for(page, "box-result", "64 cells: the twelve pieces fill 60. Remove 4 or more.")
    corner = page.find_element("id", "box-corner")
    ActionChains(page).drag_and_drop_by_offset(corner, 7 * side, -5 * side).perform()
    page.wait_until(lambda: page.find_element("id", "box-columns").get_property("value") == "15")
    rows = page.find_element("id", "box-rows")
    rows.send_keys(Keys.BACKSPACE, "4", Keys.TAB)
    wait_for(page, "box-result", "1,472 solutions for these 60 cells.")  # 4 times 368


def test_one_puzzle(page):
    """The page counts solutions, rates and generates, and marks digits that contradict others."""
    page.execute_script("setPuzzle(arguments[0])", EASY)
    (difficulty,) = dlx.rate([EASY]).difficulty.tolist()
    wait_for(page, "sudoku-result", f"Exactly one solution. Difficulty: {difficulty}.")
    page.act("#solution")
    shown = "return inputs.map((input, k) => input.value || overlays[k].textContent).join('')"
    page.wait_until(lambda: page.execute_script(shown) == dlx.solve_sudoku(EASY))
    first = page.find_element("css selector", "#sudoku-board [aria-label='row 1, column 1']")
    page.act("#clear")
    wait_for(page, "sudoku-result", "More than 1,000 solutions.")
    first.send_keys("5")
    page.press("ARROW_RIGHT", "5")
    wait_for(page, "sudoku-result", "No solution: the underlined digits repeat")
    for difficulty in ("simple", "easy", "intermediate", "expert"):
        enter(page, "difficulty", difficulty)
        page.act("#clear")
        page.act("#generate")
        wait_for(page, "sudoku-result", f"Exactly one solution. Difficulty: {difficulty}.")


def test_a_board_is_one_tab_stop(page):
    page.execute_script("setBoard('3x3', 'classic'); setPuzzle('')")
    page.execute_script("inputs[0].focus()")
    page.press("ARROW_DOWN", "ARROW_RIGHT", "TAB")
    stops = "return inputs.map((input, k) => input.tabIndex === 0 ? k : -1).filter((k) => k >= 0)"
    assert page.execute_script(stops) == [10]
    assert page.execute_script("return inputs.includes(document.activeElement)") is False
    box = "return [...byId('box-board').children].filter((cell) => cell.tabIndex === 0).length"
    assert page.execute_script(box) == 1


RULES = {
    "classic": {},
    **{
        name: {name: True}
        for name in ("diagonals", "disjoint_groups", "anti_knight", "anti_king", "non_consecutive")
    },
}


@pytest.mark.parametrize("rule", [*RULES, "windows"])
def test_boards_of_all_sizes_with_rules_are_those_of_python(page, rule):
    """The problems of the page have as many covers as those of Python."""
    state = """
        const [rows, columns, rule, text] = arguments;
        const values = [...text].map((each) => each.replace(".", ""));
        return sudokuProblem(sudokuBoard(rows, columns, rule), values);
    """
    generator = random.Random(1)
    boards = [((2, 2), "." * 16), ((2, 2), "1" + "." * 15)]
    rules = RULES.get(rule, {"windows": True})
    if rule in ("classic", "diagonals", "disjoint_groups"):
        solved = "123456456123231564564231312645645312"
        boards += [((2, 3), "".join(v if generator.random() < 0.4 else "." for v in solved))]
    if rule == "windows":
        [puzzle] = dlx.generate(1, rules=dlx.SudokuRules(windows=True), seed=1).strings()
        boards = [((3, 3), puzzle)]
    for box, text in boards:
        problem = page.execute_script(state, *box, rule, text)
        cover = ExactCover(problem["options"], problem["items"], problem["secondary"])
        record = {"puzzle": text, "box": "x".join(map(str, box)), **rules}
        [expected] = dlx.read(f"{json.dumps(record)}\n")
        assert cover.count() == expected.count()


def test_links_contain_the_state(fresh_page):
    page = fresh_page
    enter(page, "size", "4x4")
    page.execute_script("byId('size').dispatchEvent(new Event('change'))")
    page.execute_script("inputs[17].focus()")
    page.press("g")
    wait_for(page, "sudoku-result", "More than 1,000 solutions.")
    # The link may first have the state before the letter.
    page.wait_until(lambda: "G" in page.current_url.partition("#sudoku&puzzle=")[2])
    link = page.current_url
    assert link.endswith("&size=4x4&rules=classic")
    page.get("about:blank")
    page.get(link)
    wait_for(page, "sudoku-result", "More than 1,000 solutions.")
    assert page.execute_script("return [inputs.length, inputs[17].value]") == [256, "G"]
    page.execute_script("location.hash = '#box&size=5x12&removed='")
    wait_for(page, "box-result", "4,040 solutions for these 60 cells.")  # 4 times 1010
    page.execute_script("location.hash = '#cover&problem=a+b%0Aa%0Ab&limit=1'")
    wait_for(page, "cover-result", "The first cover.")
    write = (
        "byId('problem').value = arguments[0]; byId('problem').dispatchEvent(new Event('input'))"
    )
    page.execute_script(write, "a" * 8001)
    page.wait_until(lambda: page.current_url.endswith("#cover"))
    page.act("#share")
    wait_for(page, "note", "It does not contain the problem, which has more than 8,000 characters.")
    page.execute_script(
        "byId('gallery').value = 'queens'; byId('gallery').dispatchEvent(new Event('change'))"
    )
    page.wait_until(lambda: "#cover&problem=" in page.current_url)


def test_a_pasted_board_whose_0_could_be_a_digit_is_refused(page):
    page.execute_script("setBoard('3x3', 'classic'); setPuzzle('')")
    page.execute_script(
        """
        const clipboardData = new DataTransfer();
        clipboardData.setData("text", "0123456789ABCDEF" + ".".repeat(240));
        const event = { bubbles: true, cancelable: true, clipboardData };
        inputs[0].dispatchEvent(new ClipboardEvent("paste", event));
        """
    )
    wait_for(page, "sudoku-result", "0 could be a digit")
    assert page.execute_script("return inputs.length") == 81


def test_rules_that_do_not_suit_a_size(fresh_page):
    page = fresh_page
    page.execute_script(
        """
        setBoard("3x3", "windows");
        byId("size").value = "2x3";
        byId("size").dispatchEvent(new Event("change"));
        """
    )
    wait_for(page, "sudoku-result", "Windows need square boxes.")
    assert page.execute_script("return [inputs.length, byId('size').value]") == [81, "3x3"]
    page.execute_script("location.hash = '#sudoku&puzzle=1&size=2x3&rules=windows'")
    page.execute_script("location.hash = '#sudoku&puzzle=12&size=2x3&rules=constructor'")
    page.wait_until(lambda: page.execute_script("return inputs[1].value") == "2")


@pytest.mark.parametrize("form", ["line", "csv", "json"])
def test_files_of_puzzles(page, tmp_path, form):
    """The download is what `solve --check` writes."""
    path = tmp_path / "puzzles.txt"
    puzzles = [SEVERAL.replace(".", "0"), NONE, f"{EASY} a remark", EASY[:-1] + "z"]
    lines = ["# a comment", UNIQUE, EASY, "", *puzzles]
    path.write_text("\r\n".join([*(lines * 1000), EASY]))
    enter(page, "format", form)
    page.find_element("id", "file").send_keys(str(path))
    total = "6,001 puzzles: 3,001 unique, 1,000 multiple, 1,000 none, 1,000 unreadable ("
    assert total in wait_for(page, "files-result", " seconds)")
    assert page.text_of("#unreadable").startswith("Line 8: invalid symbol 'z' in column 81.\n")
    read = """
        const [done] = arguments;
        fetch(document.getElementById("download").href).then((found) => found.text()).then(done);
    """
    written = page.execute_async_script(read).splitlines()
    output, _ = invoke("solve", "--check", "--format", form, "--quiet", path, status=4)
    expected = output.replace(str(path), path.name).splitlines()
    if form == "json":
        written, expected = [[json.loads(line) for line in part] for part in (written, expected)]
    assert written == expected


def test_pasted_puzzles(fresh_page):
    page = fresh_page
    enter(page, "puzzles", f"{EASY}\n{EASY[1:]}")
    page.act("#solve")
    wait_for(page, "files-result", "2 puzzles: 1 unique, 1 unreadable (")
    assert page.text_of("#unreadable") == "Line 2: 80 cells instead of 81."
    lines = ["hello world", *["junk"] * 12, EASY]
    enter(page, "puzzles", "\n".join(lines))
    page.act("#solve")
    wait_for(page, "files-result", "14 puzzles: 1 unique, 13 unreadable (")
    shown = page.text_of("#unreadable").splitlines()
    assert shown[0] == "Line 1: invalid symbol 'h' in column 1."
    assert shown[10:] == ["3 more lines cannot be read: the results name them."]
    solution = dlx.solve_sudoku(EASY)
    written = "return fetch(byId('download').href).then((found) => found.text())"
    for text in (
        f"puzzle,solution\n{EASY},",
        f"solution,puzzle\n{solution},{EASY}",
        f"# a comment\nid;puzzle\n1;{EASY}",
        f'note\tboard\n"a ""b"""\t{EASY}',
    ):
        enter(page, "puzzles", text)
        page.act("#solve")
        wait_for(page, "files-result", "1 puzzle: 1 unique (")
        assert page.execute_script(written) == f"{solution}\n"
    enter(page, "puzzles", f"puzzle_17,{EASY}\n")
    page.act("#solve")
    wait_for(page, "files-result", "1 puzzle: 1 unreadable (")
    enter(page, "puzzles", "")
    page.act("#solve")
    wait_for(page, "files-result", "There are no puzzles.")


def test_the_progress_of_a_second_file_stays_visible(fresh_page):
    script = """
        const streams = [];
        const start = (stream) => streams.push(stream);
        const source = { size: 1, stream: () => new ReadableStream({ start }) };
        solvePuzzles(source);
        solvePuzzles(source);
        streams[0].close();
        return new Promise((done) => setTimeout(() => done(byId("progress").hidden), 300));
    """
    assert fresh_page.execute_script(script) is False


def test_gallery(page):
    """The counts of the gallery's problems are those of Python."""
    texts = dict(gallery_texts())
    assert {"polyominoes", "macmahon"} <= texts.keys()
    for name in ("queens", "calendar", "langford", "dominate", "hashiwokakero", "partitions"):
        enter(page, "gallery", name)
        enter(page, "problem", texts[name])
        page.act("#count")
        count = example(name).cover().count()
        wait_for(page, "cover-result", f"{count:,} cover{'s' * (count != 1)}, ")


@pytest.mark.parametrize("name", ["futoshiki", "star-battle", "nonogram", "shikaku", "langford"])
def test_problems_of_the_gallery_keep_their_drawings(page, name):
    [text] = [text for own, text in gallery_texts() if own == name]
    enter(page, "limit", "1")
    state(page, text)
    cover = example(name).cover()
    grid = named_problem(cover).drawing
    wait_for(page, "cover-result", "cover")
    page.wait_until(lambda: page.all_of("#covers .board"))
    shown = dict(grid.glyphs)
    written = grid.written(cover.first())
    texts = sorted(shown.get(mark, mark) for mark in written.values())
    assert sorted(page.text_of("#covers .board").split()) == sorted(" ".join(texts).split())


def test_formats_of_statements(page):
    shown = "return document.querySelector('#covers ul')?.innerText.split('\\n')"
    for problem, covers in (
        ("a b | c\na c:x\nb c:x\nb c:y", ["a c:x", "b c:x"]),
        ("S1 = {A, B}\nS2 = {A}\nS3 = {C}", ["S1", "S3"]),
        ("U = {A, B}\nS1 = {A}\nS2 = {B}", ["S1", "S2"]),
        ("universe = {A, (1,2)}\nS1 = {A}\nS2 = {(1,2)}", ["S1", "S2"]),
        ("1 0 1\n0 1 0\n1 1 0", ["row 0", "row 1"]),
        ("1,0,1\n0,1,0 # a remark", ["row 0", "row 1"]),
        ("name;A;B\nx;1;0\ny;;1", ["x", "y"]),
        ("a,b\n1,0\n0,1", ["row 0", "row 1"]),
        (",a,b\n0,1,1\n1,0,0", ["0"]),
        ("  A B\nS1 1 0\nS2 0 1", ["S1", "S2"]),
        ("[[1, 0], [0, 1]]", ["row 0", "row 1"]),
        ('[["1", "0"], ["0", "1"]]', ["row 0", "row 1"]),
        ("2|a b |c\na c\na\na b |7", ["a c", "a b"]),
        ("# items\n#a b\n# options\n#a\nb", ["#a", "b"]),
        ('{"S1": ["A", "B"], "S2": ["A"], "S3": ["C"]}', ["S1", "S3"]),
        ('{"options": [["a", ["c", "x"]], ["b"]], "optional": ["c"]}', ["a c:x", "b"]),
    ):
        state(page, problem)
        page.wait_until(lambda covers=covers: page.execute_script(shown) == covers)
        assert ("Lowest cost: 7." in page.text_of("#cover-result")) == ("|7" in problem)


def test_costs_penalties_and_totals(page):
    """The numbers of covers and the lowest costs are those of Python."""
    generator = random.Random(2)
    for number in range(30):
        items = [f"i{k}" for k in range(6)]
        options = {f"o{k}": generator.sample(items, generator.randint(1, 3)) for k in range(14)}
        costs = {name: generator.randint(0, 9) for name in options}
        problem = {"options": options, "items": items, "costs": costs}
        if number % 2:
            problem["penalty"] = {item: generator.randint(1, 9) for item in items[:3]}
        if number % 3:
            weights = [generator.randint(0, 5) for _ in options]
            problem["totals"] = {"hours": [weights, generator.randint(0, 6), 12]}
        if number % 5 == 4:
            problem["maximize"] = problem.pop("costs")
            problem.pop("penalty", None)
        text = json.dumps(problem)
        state(page, text)
        [puzzle] = dlx.read(text)
        covers = puzzle.cover().solve()
        if not covers:
            wait_for(page, "cover-result", "There is no cover")
            continue
        cost = puzzle.cover().cheapest()[0].cost
        kind = "Highest value" if "maximize" in problem else "Lowest cost"
        shown = wait_for(page, "cover-result", f"{kind}: {cost:,}.")
        assert shown.startswith(f"{len(covers):,} cover")
    state(
        page,
        '{"options": {"a": ["x", ["h", 2]], "b": ["x", ["h", 5]]}, "totals": {"h": [3, null]}}',
    )
    wait_for(page, "cover-result", "1 cover within the totals.")


STEPS = """
const [cases] = arguments;
const solveStepByStep = async ({ puzzle, rule, problem, text, limit = Infinity }) => {
  const values = [...(puzzle ?? "")].map((symbol) => (symbol === "." ? "" : symbol));
  const board = sudokuBoard(3, 3, rule);
  const own = text ? readProblem(text) : problem ?? sudokuProblem(board, values);
  if (puzzle) {
    own.given = [...own.titles.keys()].filter((k) => values[own.titles[k][0]]);
    own.techniques = techniquesOf(board, own, values);
  }
  const search = new dlx.Deduction(own.options, own);
  const texts = [];
  for (let step; texts.length < limit && (step = await search.next()); )
    texts.push(puzzle ? describeSudokuStep(board, own, step) : describeStep(own, step));
  return [...texts, describeEnd(puzzle ? { ...own, ...boardWords(board) } : own, search)];
};
return (async () => {
  const found = [];
  for (const each of cases) found.push(await solveStepByStep(each));
  return found;
})();
"""


def texts_of(steps):
    return [*(step.text for step in steps), steps.end]


def test_next_steps_are_those_of_hint(page):
    cases, expected, kinds = [], [], set()
    for seed in seeds(300):
        generator = random.Random(seed)
        items = [f"i{k}" for k in range(generator.randint(3, 10))]
        options = [
            generator.sample(items, generator.randint(1, 3))
            + [e for e in ("s", ["t", generator.choice("xy")]) if generator.random() < 0.3]
            for _ in range(generator.randint(4, 26))
        ]
        bounds = ({}, {"i0": [1, 2]}, {"i1": [0, 2], "i2": [2, 2]})[seed % 3]
        given = [generator.randrange(len(options))] if seed % 5 == 0 else []
        problem = {"items": items, "secondary": ["s", "t"], "options": options}
        cases.append({"problem": {**problem, "multiplicity": bounds, "given": given}})
        colored = [[tuple(e) if isinstance(e, list) else e for e in each] for each in options]
        pairs = {item: tuple(pair) for item, pair in bounds.items()}
        cover = ExactCover(colored, items, ["s", "t"], multiplicity=pairs)
        steps = cover.deduce(given=given)
        kinds |= {(step.kind, bool(bounds)) for step in steps}
        expected.append(texts_of(steps))
    assert page.execute_script(STEPS, cases) == expected
    assert kinds >= {(kind, has) for kind in ("only", "conflict", "chain") for has in (True, False)}


def test_next_steps_of_the_gallery_have_the_words_of_hint(page):
    cases = [{"text": text, "limit": 20} for _, text in gallery_texts()]
    found = page.execute_script(STEPS, cases)
    for (name, _), texts in zip(gallery_texts(), found, strict=True):
        named = named_problem(example(name).cover())
        steps = deduce_steps(named, rules_of(named, 4), Stop(), 20)
        assert texts[:-1] == [step.text for step in steps], name  # the end follows them
    assert sum(len(texts) > 5 for texts in found) > 10


def test_next_steps_solve_the_hardest_boards_as_hint_does(page):
    """Also those that need nested chains, and those with rules."""
    hardest = (Path(__file__).parents[2] / "scripts/famous_puzzles.txt").read_text().splitlines()
    puzzles = [line.split()[0] for line in hardest if not line.startswith("#")][:4]
    puzzles += (DATA / "expert.txt").read_text().split()[:6]
    cases = [{"puzzle": puzzle} for puzzle in puzzles]
    expected = [texts_of(dlx.deduce(puzzle)) for puzzle in puzzles]
    for rule in ("diagonals", "windows", "disjoint_groups", "anti_king"):
        rules = dlx.SudokuRules(**{rule: True})
        [puzzle] = dlx.generate(1, rules=rules, seed=4).strings()
        cases.append({"puzzle": puzzle, "rule": rule})
        expected.append(texts_of(dlx.deduce(puzzle, rules)))
    assert page.execute_script(STEPS, cases) == expected
    assert all(texts[-1] == "This is the only solution." for texts in expected)
    text = " ".join(map(str, expected))
    for name in ("Nested forcing chain", "Forcing chain of length 9", "X-wing", "Naked triple"):
        assert name in text


def test_steps_that_take_long_leave_the_page_usable_and_are_stopped(fresh_page):
    page = fresh_page
    puzzle = ".......1.7......6................6......9................................5.7....."
    page.execute_script("setBoard('3x3', 'non_consecutive'); setPuzzle(arguments[0])", puzzle)
    page.execute_script(
        """
        window.delays = [];
        let last = performance.now();
        setInterval(() => {
          delays.push(performance.now() - last);
          last = performance.now();
        }, 10);
        """
    )
    page.act("#sudoku-step")
    wait_for(page, "sudoku-hint", "Pointing")
    page.act("#sudoku-step")
    assert page.text_of("#sudoku-hint") == "Searching …"
    page.wait_until(lambda: page.execute_script("return delays.length > 20"))
    page.act("#sudoku-stop")
    assert page.text_of("#sudoku-hint") == "Stopped."
    assert sorted(page.execute_script("return delays"))[-3] < 1000
    page.execute_script("setBoard('3x3', 'classic'); setPuzzle(arguments[0])", EASY)
    page.act("#sudoku-step")
    wait_for(page, "sudoku-hint", dlx.deduce(EASY, limit=1)[0].text)


def test_solve_fills_in_the_only_solution(fresh_page):
    from selenium.webdriver import Keys

    page = fresh_page
    values = "return inputs.map((input) => input.value || '.').join('')"
    page.execute_script("changePuzzle(arguments[0])", EASY)
    page.find_element("id", "sudoku-solve").send_keys(Keys.ENTER)
    wait_for(page, "sudoku-result", "Solved. Going back in the browser returns to the puzzle.")
    assert page.execute_script(values) == dlx.solve_sudoku(EASY)
    page.back()
    wait_for(page, "sudoku-result", "Exactly one solution.")
    assert page.execute_script(values) == EASY
    for puzzle, reason in (
        (SEVERAL, " solutions. Solve fills in the only one: write more digits."),
        (NONE, "No solution: the underlined digits repeat"),
    ):
        page.execute_script("changePuzzle(arguments[0])", puzzle.replace("0", "."))
        page.act("#sudoku-solve")
        wait_for(page, "sudoku-result", reason)
        assert page.execute_script(values) == puzzle.replace("0", ".")
    [puzzle] = dlx.generate(1, box=(2, 2), seed=1).strings()
    page.execute_script("setBoard('2x2', 'classic'); changePuzzle(arguments[0])", puzzle)
    page.act("#sudoku-solve")
    wait_for(page, "sudoku-result", "Solved.")
    assert page.execute_script(values) == dlx.solve_sudoku(puzzle)


def test_gray_controls_say_why(fresh_page):
    page = fresh_page
    why = "Generate and Difficulty are for classic boards of 9×9."
    state = "const {disabled, title} = byId(arguments[0]); return [disabled, title]"
    for size, rule, reason in (("2x3", "classic", why), ("3x3", "windows", why)):
        page.execute_script("setBoard(...arguments)", size, rule)
        assert page.text_of("#sudoku-gray") == reason
        for name in ("generate", "difficulty"):
            assert page.execute_script(state, name) == [True, reason]
    page.execute_script("setBoard('3x3', 'classic')")
    assert page.text_of("#sudoku-gray") == ""
    assert page.execute_script(state, "generate") == [False, ""]


def test_a_hint_marks_the_digit(fresh_page):
    page = fresh_page
    page.execute_script("setPuzzle(arguments[0])", EASY)
    page.act("#sudoku-step")
    step = dlx.deduce(EASY, limit=1)[0]
    wait_for(page, "sudoku-hint", step.text)
    [(row, column)], [digit] = step.cells, step.digits
    [mark] = page.all_of("#sudoku-board .placed")
    assert mark.text == str(digit)
    where = "return inputs.findIndex((input) => input.parentElement.querySelector('.placed'))"
    assert divmod(page.execute_script(where), 9) == (row - 1, column - 1)


def test_next_steps_are_shown(fresh_page):
    page = fresh_page
    page.execute_script("setPuzzle(arguments[0])", EASY)
    solution = dlx.solve_sudoku(EASY)
    texts = set()
    for _ in range(200):
        page.act("#sudoku-step")
        page.wait_until(lambda: page.text_of("#sudoku-hint") != "Searching …")
        texts.add((text := page.text_of("#sudoku-hint")).partition(":")[0])
        if text == "The board is full.":
            break
    values = page.execute_script("return inputs.map((input) => input.value).join('')")
    assert values == solution
    assert {"Naked single", "The board is full."} <= texts
    enter(page, "problem", "a b c\na b\na\nc")
    sentences = ["For b, there is only a b. This excludes a.", "For c, there is only c."]
    for number, sentence in enumerate(sentences, 1):
        page.act("#cover-step")
        page.wait_until(lambda number=number: len(page.all_of("#covers ol li")) == number)
        assert page.texts_of("#covers ol li")[-1].startswith(sentence)
    page.act("#cover-step")
    wait_for(page, "cover-result", "This is the only cover.")


def test_errors_name_the_line_and_the_reason(page):
    selected = "const {value, selectionStart, selectionEnd} = document.getElementById('problem');"
    selected += "return value.slice(selectionStart, selectionEnd)"
    for problem, reason in (
        ("a b\n\na c", "Line 3: item c is unknown."),
        ("a b\na a", "Line 2: item a appears twice."),
        ("a | s s\na s", "Line 1: item s appears twice."),
        ("a b\n#a b\na b", "Line 2: item #a is unknown."),
        ("a b\na:x", "Line 2: item a is primary"),
        ("a | b | c\na", "Line 1: more than one '|' in the line of items."),
        ("a b\na :x", "Line 2: invalid entry ':x'."),
        ("1 0 1\n1 0", "Line 2: the row has 2 columns instead of 3."),
        ("S1 = {A}\nS2 = A", "Line 2: expected a set such as S1 = {A, B}."),
        ("S = {A, B}\nS1 = {A}\nS2 = {B}", "Line 1: is S the universe or an option? Write"),
        ("universe = {A}\nS1 = {B}", "Line 2: item B is unknown."),
        ("S1 = {A}\nS1 = {B}", "Line 2: a second option has the name S1."),
        ("S1 = {A}\nS2 = {B; C}", "Line 2: the page does not read the element B; C: write all"),
        ("S1 = {A}\nS2 = {1, ..., 3}", "Line 2: the page does not read the element ...: write"),
        ("S1 = {A,,B}", "Line 1: the name of an item is missing."),
        ("S1 = {A}\nS2 = {B}\nF = {S1, S2}", "Line 3: F has names of sets: leave it out"),
        ("", "Line 1: the problem is empty."),
        ("2x3\n\n##\n!#", "Line 3: '!' is not a cell: these are letters, #, dots and spaces."),
        (
            "5\n1 2 < 3\n",
            "Line 2: the page reads Knuth's format, sets, a matrix of 0 and 1, JSON",
        ),
        ("Minimize\n obj: x\nSubject To\n c1: x = 1", "Line 2: the page reads Knuth's format"),
        ("p ec 2 2\n1 2\n", "Line 1: the page reads Knuth's format"),
        ("hello world\nthis is text", "Line 2: the page reads Knuth's format"),
        ("0,0 0,1\n0,0 0,2", "Line 2: item 0,2 is unknown."),
        ("2x2x1\n\nAAAA", "Line 1: the page reads no solids; the command dlx-numba solve does."),
        ("###\n###\n\n##", "Line 1: the pieces have 2 cells, the board has 6."),
        ('{"options": [["a"],\n}', "Line 2: not valid JSON"),
        ("who,slot\nAnn,Mon", "Line 1: this is CSV, of which the page reads a matrix of 0 and 1"),
        ("who,slot\nAnn,Mon", "command dlx-numba cover --items who,slot FILE.csv reads a table"),
        ("n,a,|\nx,1,0\ny,1,1", "Line 1: this is CSV, of which the page reads a matrix"),
        ("n,a,b\nx,1,0\nx,0,1", "Line 1: this is CSV, of which the page reads a matrix"),
        ("1,2,0\n0,1,0", "Line 1: this is CSV, of which the page reads a matrix of 0 and 1"),
        (f"puzzle,x\n{UNIQUE},\n{UNIQUE},", "Line 1: there are several Sudoku puzzles"),
        (f"{UNIQUE},x\n{UNIQUE},y", "Line 1: there are several Sudoku puzzles, which the section"),
        (f"{UNIQUE}\n{UNIQUE}", "Line 1: there are several Sudoku puzzles, which the section"),
        ("9999x9999\n\nAA", "Line 1: the page reads boards of up to 10000 cells"),
    ):
        state(page, problem)
        wait_for(page, "cover-result", reason)
        line = int(page.text_of("#cover-result")[5])
        assert page.execute_script(selected) == problem.split("\n")[line - 1]


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        ('{"cages": []}', "a puzzle of the kind killer, which the page does not read"),
        ('{"kind": "futoshiki"}', "a puzzle of the kind futoshiki, which the page does not read"),
        ('{"kind": "queens"}', "The kind queens has examples only, of which the list above has"),
        ('{"kind": "sudoku"}', "There is no board in the JSON object: write"),
        ('{"kind": "pieces"}', "A puzzle of the kind pieces has a board and pieces as a text"),
        ('{"kind": "pieces", "problem": "2x2\\n\\n!"}', "Line 3: '!' is not a cell"),
        ('{"kind": "x"}', "The page reads the kinds sudoku and pieces in JSON, not x"),
        ('{"kind": "json", "options": [["a"]]}', "an exact cover problem has no key kind."),
        ('{"kind": "cover", "options": [["a"]]}', "an exact cover problem has no key kind."),
        ('{"name": "Binairo"}', "a puzzle of the kind takuzu, which the page does not read"),
        ('[{"puzzle": "1"}, {"puzzle": "2"}]', "a list of 2 puzzles, of which the page reads one"),
        ('{"options": [["a"]], "hue": 1}', "The page does not read hue in a JSON problem."),
        ('{"puzzle": "1...............", "cages": []}', "The page does not read cages of a board."),
        ('{"options": [["a"]], "given": ["b"]}', "given: there is no option b."),
        (
            '{"options": {"10": ["a"], "2": ["a"]}, "costs": [1, 5]}',
            "called by whole numbers have no",
        ),
        ('{"options": [["a"]], "costs": {"z": 3}}', "costs: there is no option z."),
        (
            '{"options": [["a"]], "costs": [1, 2]}',
            "costs: one number for each option is needed, which are 1, not 2.",
        ),
        (
            '{"options": [["a"]], "costs": ["x"]}',
            'costs must be a list or an object of numbers, not ["x"].',
        ),
        ('{"options": [["a"]], "exactly": {"a": 1}, "at_most": {"a": 2}}', "a are stated twice."),
        ('{"options": [{"items": ["a"], "cost": 3}]}', "Option 0: the page does not read cost."),
        ('{"options": {"x": ["a"],\n "x": ["b"]}}', "Line 2: the key x appears twice"),
        ('{"options": {"S": ["a"]}, "items": ["b"]}', "option S: item a is unknown"),
        ("0123\n....\n....\n....", "0 could be a digit, as other symbols are empty cells"),
        ('[["a", "b"], ["c"]]', "This is a JSON list, of which the page reads a matrix"),
        ('{"items": ["a"], "S": ["a"]}', "The page does not read S in a JSON problem."),
        ('{"options": [["a"]], "items": "a"}', 'a list of strings and integers, not "a".'),
        (
            '{"options": [["a"]], "costs": [""]}',
            'costs must be a list or an object of numbers, not [""',
        ),
        (
            '{"options": [["a"]], "costs": ["1/2/3"]}',
            "costs must be a list or an object of numbers",
        ),
        ('{"options": [["a"]], "costs": [9007199254740993]}', "does not add numbers such as 9007"),
        (
            '{"options": [["a"]], "penalty": {"a": -1}}',
            "penalty of item a must be 0 or more, not -1",
        ),
        (
            '{"options": [["a"]], "multiplicity": {"a": [1, 2, 3]}}',
            "multiplicity must be an object",
        ),
        ('{"options": [["a"]], "totals": {"h": [3]}}', "totals must be an object of [weights, low"),
        ('{"options": [["a", ["h", 1]]], "totals": {"h": [6, 4]}}', "low, 6, exceeds high, 4."),
        (
            '{"options": [["a", ["h", 1], ["h", 2]]], "totals": {"h": [0, 4]}}',
            "two weights in total h",
        ),
        ('{"options": [["a", ["s", "x", "y"]]]}', 'pairs [item, color], not ["a",["s","x","y"]].'),
        ('{"options": [[{"b": 1}]]}', "Option 0 must be a list of strings, integers and pairs"),
        ('{"options": [[1], ["1"]]}', 'does not tell the number 1 from the text "1".'),
        ('{"options": [{"items": ["a"], "id": "x"}]}', "Option 0: the page does not read id."),
        ('{"options": [{"items": ["a"], "row_id": 1}, ["b"]]}', "The option name 1 appears twice."),
        ('{"options": [["a"]], "given": [0], "forbidden": [0]}', "both given and forbidden."),
        ('{"U": ["a", "b"], "S1": ["a"], "S2": ["b"]}', "Is U the universe or an option?"),
        ("A B C", "the page reads Knuth's format"),
    ],
)
def test_what_is_not_read_is_named(page, problem, reason):
    state(page, problem)
    wait_for(page, "cover-result", reason)


PIECES = (
    "5x4\n\nI V\n\nF P\n",
    "####\n####\n####\n\n##\n#\n\nAAA\n\n#\n#\n#\n#\n\nBB\n",
    "4x4\n\nL\nLL\n\nS\nSS\n\nZZZ\nZ\n\nI\nI\n\nOOO\nO\n",
    "board:\n4x5\npieces:\n2 x\nAA\nAA\n\n3 x\nB\nBB\n\nCCC\n",
    "4x5\n\nL2 T2 O\n",
    "4x7\n\nI O T L J S Z\n",
    "A###\nA###\n\nAA\n\nB\nB\n\nCCCC\n",
    "3x3\nempty: 1\n\nAAA\n\nBB\nB\n\nCC\n",
    "no turning\n3x4\n\nAA\nA\n\nBBB\n\nCCC\nCCC\n",
    "rotations only\n3x4\n\nAAA\nA\n\nBBB\nB\n\nCC\nCC\n",
    "....\n....\n\nAAAA\nAAAA\n",
)
GRID = "1 . | . .\n. . | 3 .\n----+----\n. 4 | . .\n. . | . 2\n"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *((text, "pieces") for text in PIECES),
        ("1.....3..4.....2\n", "sudoku"),
        (GRID, "sudoku"),
        ("1-----3--4-----2\n", "sudoku"),
        ("# names\nA B\n# options\nA\nB\n", "knuth"),
        ('{"puzzle": "12..34..........", "windows": true}\n', None),
        ('{"options": [["a"], ["a", "s"]], "secondary": ["s"], "optional": ["t"]}', None),
        ('{"options": [["a"], ["a"]], "at_least": {"a": 3}}', None),
        ("1,,3,\n,,1,2\n,1,,\n2,,,\n", None),
        ("puzzle,solution\n1.....3..4.....2,\n", None),
        ("puzzle\n1.....3..4.....2\n", None),
        ('{"kind": "sudoku", "puzzle": "1.....3..4.....2"}\n', None),
        (json.dumps({"kind": "pieces", "problem": PIECES[0]}), None),
        ('{"puzzle": "1.....3..4.....2"}\n', None),
        ('{"puzzle": "1...............", "diagonals": true}\n', None),
        ('{"options": [["a"], ["a"], ["b"], ["b"]], "given": [1]}', None),
        ('{"options": {"x": ["a"], "y": ["a"], "z": ["b"], "w": ["b"]}, "forbidden": ["w"]}', None),
        ('{"options": [["a"], ["a"]], "given": [0, 1]}', None),
        ('{"options": [["a"], ["b"], ["b"]], "given": [1, 1]}', None),
        ('\ufeff{"options": [["a"], ["a"]], "items": null}', None),
    ],
)
def test_pieces_boards_and_conditions_are_read_as_by_the_commands(page, text, kind):
    """The numbers of solutions are those of Python, and the first one is drawn."""
    [puzzle] = dlx.read(text, kind=kind)
    enter(page, "problem", text)
    page.act("#count")
    count = puzzle.count()
    word = f"{count:,} cover{'s' * (count != 1)}, " if count else "There is no cover."
    wait_for(page, "cover-result", word)
    assert bool(page.all_of("#covers .board")) == bool(count and "options" not in text)


def test_drawings_stay_while_steps_are_shown(fresh_page):
    page = fresh_page
    enter(page, "problem", GRID)
    for k in range(1, 4):
        page.act("#cover-step")
        page.wait_until(lambda k=k: len(page.all_of("#covers ol li")) == k)
        [picture] = page.all_of("#covers .board")
        assert {*"1342"} <= {*picture.text}
    [puzzle] = dlx.read(GRID, kind="sudoku")
    assert page.texts_of("#covers ol li") == [step.text for step in dlx.deduce(puzzle)[:3]]
    view = {"form": "grid", "title": "Two", "marks": [[[[1, 1], "p"]], [[[1, 2], "q"]]]}
    state(page, json.dumps({"options": [["a"], ["b"]], "view": view}))
    wait_for(page, "cover-result", "1 cover.")
    assert page.text_of("#covers .board").split() == ["p", "q"]


def test_items_and_cells_are_only_names(page):
    """An item may have the name of a member of objects, and cells may be far away."""
    state(page, "constructor toString a\nconstructor a\ntoString a\n")
    wait_for(page, "cover-result", "There is no cover.")
    assert "an even number of the 3 marked items, but 3 must" in page.text_of("#covers")
    state(page, "2|__proto__ a\n__proto__\n__proto__ a\n")
    wait_for(page, "cover-result", "1 cover.")
    assert page.text_of("#covers").splitlines() == ["__proto__", "__proto__ a"]
    state(page, "0,0 9999,9999\n0,0 9999,9999\n")
    wait_for(page, "cover-result", "1 cover.")
    assert page.text_of("#covers") == "0,0 9999,9999"
    state(page, '{"options": [["a"], ["a"]], "costs": [0.00012345, 2]}')
    wait_for(page, "cover-result", "2 covers. Lowest cost: 0.00012345.")
    state(page, '{"options": [["a"]], "maximize": {}}')
    wait_for(page, "cover-result", "1 cover.")
    assert page.text_of("#cover-result") == "1 cover."


def test_coloring_of_a_mutilated_chessboard(page):
    state(page, tiling(8, 8, "##", {(0, 0), (7, 7)}).write(kind="knuth"))
    wait_for(page, "cover-result", "There is no cover.")
    assert "each option sums to 0, but all items sum to" in page.text_of("#covers")
    picture = page.find_element("css selector", "#covers .board")
    assert sorted(picture.text.split()) == ["-1"] * 30 + ["1"] * 32


def test_colorings_are_proofs(page):
    """Each coloring proves what it states, and there is one if Python finds its modulus."""
    generator = random.Random(1)
    n_found = 0
    for _ in range(150):
        items = [f"i{k}" for k in range(generator.randint(2, 9))]
        size = generator.randint(1, len(items))
        options = [generator.sample(items, size) for _ in range(generator.randint(1, 12))]
        bounds = {"i0": [1, 2], "i1": [3, 3]} if generator.random() < 0.3 else {}
        problem = {"items": items, "options": options, "multiplicity": bounds}
        script = """
            const found = findColoring(arguments[0]);
            return found && {...found, values: Object.fromEntries(found.values)};
        """
        found = page.execute_script(script, problem)
        multiplicity = {item: tuple(pair) for item, pair in bounds.items()}
        cover = ExactCover(options, items=items, multiplicity=multiplicity)
        coloring = find_coloring(cover.problem, Stop())
        if found is None:
            assert coloring is None or MODULI % coloring.modulus
            continue
        n_found += 1
        values = {item: value for item, value in found["values"].items() if value}
        check_numbers(cover, values, found["modulus"])
        sums = [sum(values.get(item, 0) for item in option) for option in options]
        assert found["isExact"] == (not any(sums))
        needed = {item: high for item, (_, high) in bounds.items()}
        assert found["total"] == sum(value * needed.get(item, 1) for item, value in values.items())
    assert n_found > 30


def test_without_the_kernels_the_page_says_why(browser, tmp_path):
    write_page(tmp_path)
    browser.open_page(tmp_path / "index.html")
    assert "the linker wasm-ld was missing" in browser.text_of("#note")
    for name in ("find", "generate", "sudoku-solve", "sudoku-step", "solve"):
        button = browser.find_element("id", name)
        assert not button.is_enabled()
        assert "the linker wasm-ld was missing" in button.get_attribute("title")
    for section in ("sudoku", "files", "cover"):
        assert "The gray controls need the kernels." in browser.text_of(f"#{section}-gray")


def test_the_line_of_an_error_in_long_json_is_found_at_once(page):
    script = """
        const text = '{"options": [\\n' + '["a", "b"],\\n'.repeat(20000) + '["a" "b"]\\n]}';
        const start = performance.now();
        return [lineOfJsonError(text), performance.now() - start];
    """
    line, milliseconds = page.execute_script(script)
    assert (line, milliseconds < 5000) == (20002, True)
