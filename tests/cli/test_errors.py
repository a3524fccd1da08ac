"""Wrong usage of the commands: each ends with status 2 and an error that names the reason."""

import json
import re
import shlex

import pytest

from tests.helpers import DATA, INSTANCES
from tests.helpers.processes import UNIQUE, invoke

pytestmark = pytest.mark.compiled

# Words in capitals stand for files and boards.
ERRORS = """
dance => no such command 'dance'
slove => 'solve'
cover --thread QUEENS => no such option: --thread. Did you mean --threads?
solve => FILE is missing
solve --check --limit 1 BOARD => --check needs a --limit of at least 2
solve --engine quick EASY => --engine must be one of auto, lanes, dlx,
solve --box three EASY => --box must be ROWSxCOLUMNS, such as 2x3, not 'three'
solve --format xml EASY => --format must be one of line, csv, grid, json, candidates, svg,
solve - => <stdin>: no puzzle found
solve -o SIX absent => absent: No such file
solve 8..3 => ; these are 4 symbols, and a board has 16 (4x4), 36 (6x6)
solve 1.3....9 => ; these are 8 symbols, and a board has 16 (4x4), 36 (6x6)
solve --dask tcp://127.0.0.1:9 --threads 2 EASY => --dask cannot be combined with --threads
solve -f candidates --all BOARD => --format candidates cannot be combined with --all
solve --rules diagonal BOARD => --rules must be names from diagonals, windows
solve --rules absent.json BOARD => --rules absent.json: No such file
solve --rules SMALL BOARD => SMALL: not a JSON object
solve --rules diagonals VARIANT => --rules cannot be combined with puzzles that have rules
solve --alphabet numbers BOARD => numbers need spaces or commas between them
solve --svg x EASY => --svg needs a single board: see --puzzle
solve --puzzle 7 BOARD => no puzzle 7: the file contains 1 puzzle
solve --puzzle 1 --rules diagonals BOARD => --puzzle cannot be combined with --rules
solve --puzzle 1 --format csv BOARD => --format csv needs --output FILE
solve --svg - BOARD => --svg and --output need different files
solve --svg x.html --sheet x.html BOARD => --sheet and --svg need different files
solve --items a --box 3x3 EASY => --items cannot be combined with --box
solve --kind killer --box 3x3 EASY => --kind cannot be combined with --box
rate --rules diagonals BOARD => no such option: --rules
rate --difficulty hard EASY => must be one of simple, easy, intermediate, expert, invalid, not
generate --clues 40- => --clues must be a number or a range such as 24-28, not '40-'
generate --difficulty hard => --difficulty must be one of simple, easy
generate 2 -n 2 => the number of puzzles is given twice
generate --per-page 4 => --per-page needs --format html
generate -f html --per-page 5 => --per-page must be one of
generate -f fpuzzles --alphabet A- => --format fpuzzles cannot be combined with --alphabet
cover absent.dlx => absent.dlx: No such file
cover --choose x SMALL => --choose must be one of smallest, leftmost, random, sharp, literal-l
cover --algorithm bits SMALL => --algorithm must be one of auto, links, bitset, not 'bits'
cover --format csv SMALL => --format csv needs --batch
cover --one-based --given 3 --forbidden 3 SMALL => option 3 (b) is both given and forbidden
cover --one-based --forbidden 4 SMALL => forbidden: option 4 does not exist; there are 3
cover -n 0 SMALL => --limit must be a whole number, or all, of at least 1, not '0'
cover --dask tcp://x:1 --threads 2 SMALL => --dask cannot be combined with --threads
cover --seed 1 SMALL => --seed needs --choose random
cover --resume SMALL => --resume needs --checkpoint
cover --checkpoint SIX SMALL => the file is not overwritten
cover --checkpoint absent/x SMALL => absent/x: directory absent does not exist
cover --checkpoint . SMALL => .: not a regular file
cover --svg - SMALL => --svg and --output need different files
solve --up-to-symmetry --check tilings => --up-to-symmetry cannot be combined with --check
solve --fixed-by rotate180 --check tilings => --fixed-by cannot be combined with --check
cover --up-to-symmetry --checkpoint x SMALL => --up-to-symmetry cannot be combined with --checkpoint
cover --order any --limit 1 --checkpoint x SMALL => --order any cannot be combined with --checkpoint
cover --batch SMALL --checkpoint x SMALL => --batch cannot be combined with --checkpoint
cover --batch SMALL --presolve SMALL => --batch cannot be combined with --presolve
cover --batch SMALL -f drawing SMALL => --batch cannot be combined with --format drawing
cover --distinct a --fixed-by (a) SMALL => --distinct cannot be combined with --fixed-by
cover --distinct a --every 3 SMALL => --distinct cannot be combined with --every
cover --checkpoint x -o ./x SMALL => --checkpoint and --output need different files
cover --columns 3 queens:n=4 => queens:n=4: an example has the kind
cover --kind knuth queens:n=4 => queens:n=4: an example has the kind
cover --blank x queens:n=4 => a file of the kind queens cannot be combined with --blank
cover --items a --kind knuth SMALL => a table with one option a row is not of the kind 'knuth'
count --batch SMALL --frequencies SMALL => --batch cannot be combined with --frequencies
count --batch SMALL --memory 1G SMALL => --batch cannot be combined with --memory
count --method x SMALL => --method must be one of auto, search, memo, planar, not 'x'
count --method memo -j 2 SMALL => --method memo cannot be combined with --threads
count --method memo --choose leftmost SMALL => --method memo cannot be combined with --choose
count --seed 1 SMALL => --seed needs --choose random
count --certificate x --algorithm links SMALL => --certificate cannot be combined with --algorithm
count --method memo --limit 2 SMALL => --method memo cannot be combined with --limit
count --method search --memory 1G SMALL => --method search cannot be combined with --memory
count --frequencies --method memo SMALL => --frequencies cannot be combined with --method
count --frequencies --choose leftmost SMALL => --frequencies cannot be combined with --choose
count --up-to-symmetry --limit 3 SMALL => --up-to-symmetry cannot be combined with --limit
count --up-to-symmetry --checkpoint x SMALL => --up-to-symmetry cannot be combined with --checkpoint
count -f names SMALL => --format names needs --frequencies or --batch
count --memory x SMALL => --memory must be a size such as 500M or 2G, not 'x'
count --distinct a --up-to-symmetry SMALL => --distinct cannot be combined with --up-to-symmetry
count --certificate x --folder y SMALL => --certificate cannot be combined with --folder
count --certificate x --mirror-images SMALL => --certificate cannot be combined with --mirror-images
count --batch SMALL --mirror-images SMALL => --batch cannot be combined with --mirror-images
count --limit 1 --mirror-images SMALL => --mirror-images cannot be combined with --limit
count --method memo --consistency colors SMALL => memo cannot be combined with --consistency
count --folder x EASY => several puzzles cannot be combined with --folder
count --method memo hashiwokakero => this puzzle cannot be combined with --method
count --certificate proof TOTALS => a certificate does not support totals
cheapest --seed 1 SMALL => --seed needs --choose random
cheapest --algorithm bitset COSTS => algorithm 'bitset' does not support cheapest; use links
cheapest -o x.csv --certificate x.csv COSTS => --certificate and --output need different files
cheapest --certificate x --fewest COSTS => --certificate cannot be combined with --fewest
cheapest --certificate x --changes 9 COSTS => --certificate cannot be combined with --changes
sample --memory 1K LANGFORD => langford8.dlx: the diagram needs more than 1,024 bytes
sample --algorithm links SMALL => sample cannot be combined with --algorithm
gallery quens => there is no kind 'quens'; did you mean 'queens'?
solve queens:n=0 => n must be from 1 to 40, not 0
solve queens:k=3 => unknown parameter 'k'; valid parameters: n=8; a colon precedes each parameter
solve calendar:month=2,day=30 => a colon precedes each parameter, as in `calendar:month=
solve queens --svg x.PNG => --svg writes SVG, not PNG; the file is 'x.PNG'
count --up-to-symmetry latin:n=5 => more than the limit of 100,000
show --format csv EASY => add --matrix, or use `solve --format csv` for a table of boards
show --format csv NOTHING => a problem without items or options cannot be written as a table
show --svg absent/x QUEENS => absent/x: No such file
show --svg - -f csv EASY => --svg cannot be combined with --format
show --svg - -o x EASY => --svg cannot be combined with --output
show 8..3 => 8..3: No such file or directory; these are 4 symbols, and a board has 16 (4x4)
show --matrix TWO_ONES => TWO_ONES:1: two 1s in row 1
show --symmetries --format csv SMALL => --symmetries cannot be combined with --format
show --puzzle 2 SMALL => no puzzle 2: the file contains 1 puzzle
show --puzzle 1 --full EASY => --puzzle cannot be combined with --full
show --svg - --full EASY => --svg cannot be combined with --full
show -f html --puzzle 9 BOARD => no puzzle 9: the file contains 1 puzzle
show -f html --matrix EASY => --format html cannot be combined with --matrix
show -f opensudoku --puzzle 2 EASY => --format opensudoku cannot be combined with --puzzle
show -f mps --one-based SMALL => --format mps cannot be combined with --one-based
show --symmetries --one-based SMALL => --symmetries cannot be combined with --one-based
show --one-based EASY => --one-based needs --matrix
show --kind cover --box 3x3 SMALL => --box and --alphabet need a Sudoku file
explain --choose x,y QUEENS => 'x' is not a primary item
explain --seed 1 QUEENS => --seed needs --choose random
explain --step 3 QUEENS => --step needs --format svg
explain -f svg --step 3.x QUEENS => --step must be a number
explain -f svg --step 9999 QUEENS => there is no step 9,999
explain -f text --title x QUEENS => --format text cannot be combined with --title
explain -f text --open QUEENS => --open needs a page in a file
explain -f svg --links --condensed QUEENS => --links cannot be combined with --condensed
explain --kind sudoku QUEENS => no puzzle found
explain absent => absent: No such file
explain LARGE => nodes are too many for a page
diagnose -f svg EASY => --format svg needs a single puzzle
diagnose --choose leftmost EASY => a Sudoku file cannot be combined with --choose
diagnose --given 1 EASY => a Sudoku file cannot be combined with --given
diagnose --given 1 killer => a Sudoku file cannot be combined with --given
diagnose --rules diagonals queens => a file of the kind queens cannot be combined with --rules
diagnose --relax -f svg SMALL => --relax cannot be combined with --format svg
hint --choose leftmost SMALL => hint cannot be combined with --choose
puzzles --size 5 --puzzle 2 star-battle => --size cannot be combined with --puzzle
bench --engine quick => --engine must be one of naive, sat,
bench --engine bitset --boards 2 => a benchmark of exact cover cannot be combined with --boards
bench --limit 2 QUEENS => a benchmark of exact cover cannot be combined with --limit
bench --engine bitset --limit 2 => a benchmark of exact cover cannot be combined with --limit
bench --engine bitset EASY => data/easy.txt: bitset cannot solve it
bench --engine dlx QUEENS => queens8.dlx: dlx cannot solve it
bench CONTRADICTORY => CONTRADICTORY: textbook: given options
bench absent.txt => absent.txt: No such file
"""


@pytest.mark.parametrize(
    ("command", "reason"), [line.split(" => ") for line in ERRORS.strip().split("\n")]
)
def test_wrong_usage_is_an_error(command, reason, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    contents = {
        "SMALL": "a b\na\na\nb\n",
        "SIX": "." * 36,
        "TWO_ONES": "11" + "." * 14,
        "CONTRADICTORY": '{"options": {"x": ["a"], "y": ["a"]}, "given": ["x", "y"]}',
        "NOTHING": '{"options": []}',
        "TOTALS": '{"options": {"x": ["a"]}, "totals": {"t": [[1], 2, 3]}}',
        "LARGE": ("1" * 205 + "\n") * 201,
        "VARIANT": json.dumps({"puzzle": "." * 81, "diagonals": True}),
    }
    for name, text in contents.items():
        (tmp_path / name).write_text(text)
    values = {"QUEENS": INSTANCES / "queens8.dlx", "COSTS": INSTANCES / "queens8.cost.dlx"}
    values |= {"LANGFORD": INSTANCES / "langford8.dlx", "EASY": DATA / "easy.txt", "BOARD": UNIQUE}
    out, err = invoke(*(values.get(word, word) for word in shlex.split(command)), status=2)
    assert out == ""
    assert re.search(rf"^error: .*{re.escape(reason)}", err, re.MULTILINE)
    assert err.splitlines()[-1].startswith(("error: ", "Try 'python -m dlx_numba"))
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == contents


def test_a_problem_beside_what_cannot_be_read_has_its_status(tmp_path):
    good, bad = ({"kind": "shikaku", "problem": f"2 2\n{n} -\n- {m}"} for n, m in ("4-", "32"))
    path, summary = tmp_path / "puzzles.json", tmp_path / "summary"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in (bad, good)))
    for command in ("cover", "count", "count --method search", "sample", "estimate", "diagnose"):
        assert "puzzles.json:1" in invoke(*command.split(), path, status=4)[1]
    invoke("cover", "--summary", summary, path, status=4)
    assert len(json.loads(summary.read_text())["unreadable"]) == 1
    invoke("cover", "--puzzle", 1, path)
    invoke("cover", "--order", "any", "--limit", 1, "--summary", summary, "queens:n=6")
    assert json.loads(summary.read_text())["counts"] == {"covers": 1}
